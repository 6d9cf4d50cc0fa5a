"""What every load generator has in common: how it is found, told what to do, and read.

A tool is a name, one command per model, and a reader of its report. It knows nothing of rounds, cores or servers.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from process import Command, Finished

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"
EXTRA_FOLDERS = "PLIMSOLL_BENCH_PATH"
# Where `cargo install` and `go install` put things, which is often not on root's PATH.
USUAL_FOLDERS = (Path.home() / ".cargo/bin", Path.home() / "go/bin")
ONE_GO_THREAD = {"GOMAXPROCS": "1"}
VERSION_LIMIT_S = 30.0


@dataclass(frozen=True)
class Load:
    """What a tool is asked to do."""

    url: str
    seconds: int
    connections: int
    rate: int | None  # per second; none is the closed model
    scratch: Path = Path()  # an empty folder for its files
    poisson: bool = False
    fresh: bool = False  # a new connection for every request, in TLS
    authority: Path | None = None  # who vouches for the server, where it is to be verified
    streams: int | None = None  # HTTP/2 in TLS, with so many requests at once on each connection
    journey: bool = False  # the journey of `scripts/` from the server that the URL names, as fast as its users go

    @property
    def model(self) -> str:
        """The model that a tool must know, by the name of the method that makes its command."""
        if self.fresh:
            return "verified" if self.authority else "fresh"
        if self.streams:
            return "http2"
        if self.journey:
            return "journey"
        return "closed" if self.rate is None else "open"


@dataclass(frozen=True)
class Reading:
    """What a tool says that it did."""

    requests: int
    failures: int = 0
    latency_ms: dict[str, float] = field(default_factory=dict)
    remark: str = ""


CLOSED, OPEN = frozenset({"closed"}), frozenset({"open"})
BOTH = CLOSED | OPEN
FRESH, VERIFIED, HTTP2 = frozenset({"fresh"}), frozenset({"verified"}), frozenset({"http2"})
JOURNEY = frozenset({"journey"})


class Unreadable(ValueError):
    """The report is not the one we know."""


class Tool:
    """A load generator that may or may not be installed."""

    name: str
    binaries: tuple[str, ...] = ()
    version_argv: tuple[str, ...] = ("--version",)
    models: frozenset[str] = BOTH
    # What a reader should know who compares its row, for the notes below each kind of table.
    cost_note: str = ""
    truth_note: str = ""
    fresh_note: str = ""
    http2_note: str = ""
    journey_note: str = ""
    # A tool whose connections are its users cannot send what is due while all of them wait, so how many there are
    # decides what it sees of a freeze: it gets the usual number, and as many as the freeze holds back.
    truth_connections: tuple[int, ...] = (64, 1000)
    connections_are: str = "connections"
    # Exit codes that still come with a report.
    good_codes: tuple[int, ...] = (0,)

    def __init__(self) -> None:
        self.binary = self.locate()

    def locate(self) -> Path | None:
        """Where it is installed, if it is."""
        folders = [Path(f) for f in os.environ.get(EXTRA_FOLDERS, "").split(":") if f]
        search = os.pathsep.join([os.environ.get("PATH", os.defpath), *map(str, [*folders, *USUAL_FOLDERS])])
        found = (shutil.which(name, path=search) for name in self.binaries)
        return next((Path(path) for path in found if path), None)

    def closed(self, load: Load) -> Command:
        """As fast as its connections go."""
        raise NotImplementedError

    def open(self, load: Load) -> Command:
        """At a rate, with its correction for coordinated omission if it has one."""
        raise NotImplementedError

    def fresh(self, load: Load) -> Command:
        """As fast as it goes, in TLS that it does not verify, with a new connection for every request."""
        raise NotImplementedError

    def verified(self, load: Load) -> Command:
        """The same, and every server has to prove who it is."""
        raise NotImplementedError

    def http2(self, load: Load) -> Command:
        """As fast as it goes, in HTTP/2 over TLS that it does not verify."""
        raise NotImplementedError

    def journey(self, load: Load) -> Command:
        """From step to step as fast as its users go, without TLS."""
        raise NotImplementedError

    def can(self, load: Load) -> bool:
        """Whether it can make such a load."""
        return load.model in self.models

    def truth(self, load: Load) -> Command:
        """At a rate, with whatever makes it print more about latency; its cost does not matter."""
        return self.open(load)

    def command(self, load: Load) -> Command:
        """The command of the model that is asked for."""
        return getattr(self, load.model)(load)

    def read(self, done: Finished, load: Load) -> Reading:
        """Reads its report; raises `Unreadable`, `ValueError`, `KeyError` or `OSError` where it is not the one we know."""
        raise NotImplementedError

    def version(self) -> str:
        """What it calls itself, shortened to the version."""
        try:
            argv = [str(self.binary), *self.version_argv]
            said = subprocess.run(argv, capture_output=True, text=True, timeout=VERSION_LIMIT_S, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return "unknown"
        found = re.search(r"\d+\.\d+[\w.+-]*", said.stdout + said.stderr)
        return found.group() if found else "unknown"


def number(pattern: str, text: str) -> float:
    """The number that a pattern's first group matches."""
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        raise Unreadable(f"no `{pattern}` in its report")
    return float(found.group(1).replace(",", ""))


def named(latency: dict[str, float | None], keys: dict[str, str], scale: float) -> dict[str, float]:
    """Picks latencies by the tool's own keys, in milliseconds; what it does not say is left out."""
    return {name: float(latency[key]) * scale for name, key in keys.items() if latency.get(key) is not None}  # type: ignore[arg-type]
