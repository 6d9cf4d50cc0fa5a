"""What every part needs: how long, on which cores, with which tools, and how to say what is going on."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from process import Command, Finished, run, softirq_s
from server import Testkit
from tools import EVERY_TOOL, Load, Plimsoll, Reading, Tool, Unreadable
from tools.base import SCRIPTS
from tools.plimsoll import built

# Beyond the time a tool was given: interpreters start, connections close, reports are made.
GRACE_S = 45.0


@dataclass(frozen=True)
class Bench:
    """One call of this program."""

    rounds: int
    seconds: int
    quick: bool
    generator_core: int
    server_core: int
    tools: Sequence[Tool]
    missing: Sequence[Tool]
    descriptors: int

    @property
    def plimsoll(self) -> Plimsoll | None:
        """Ours, if it is built."""
        return next((tool for tool in self.tools if type(tool) is Plimsoll), None)

    def able(self, *models: str) -> tuple[list[Tool], list[str]]:
        """The tools that have a part in these models, and the names of those that would."""
        has_part = [tool for tool in self.tools if tool.models & set(models)]
        return has_part, [tool.name for tool in self.missing if tool.models & set(models)]

    def testkit(self, address: str = "127.0.0.1") -> Testkit:
        """A server on its own core."""
        return Testkit(built("plimsoll-testkit"), self.server_core, address)


class Target(Protocol):
    """A server that counts."""

    def requests(self) -> int:
        """What a tool's figure is made of."""

    def resumed(self) -> int:
        """How many of them continued a TLS session."""


@dataclass(frozen=True)
class Shot:
    """One run of one tool: what it cost, what it said, what the server counted."""

    done: Finished
    reading: Reading | None
    served: int
    uncharged_s: float  # the kernel's network thread on the generator's core meanwhile
    complaint: str = ""
    resumed: int = 0  # of those served

    @property
    def per_cpu_second(self) -> float | None:
        """Requests that reached the server for each second of the generator's CPU: the server's count, for every tool alike."""
        return self.served / self.done.cpu_s if self.reading and self.done.cpu_s else None

    @property
    def miscount(self) -> float:
        """How far the tool's own count is from the server's, as a share of it."""
        return abs(self.reading.requests - self.served) / max(self.served, 1) if self.reading else 0.0


class Missing(RuntimeError):
    """Something without which this part cannot run."""


def find_tools() -> tuple[list[Tool], list[Tool]]:
    """What is installed, and what is not."""
    tools = [make() for make in EVERY_TOOL]
    return [t for t in tools if t.binary], [t for t in tools if not t.binary]


def pick_cores() -> tuple[int, int]:
    """The generator's and the server's."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise Missing("two cores are wanted: one for the generator, one for the server")
    return cores[0], cores[1]


def shoot(bench: Bench, tool: Tool, command: Command, load: Load, server: Target) -> Shot:
    """Runs a tool once, and holds its count against the server's."""
    before, resumed_before, softirq_before = server.requests(), server.resumed(), softirq_s(bench.generator_core)
    try:
        done = run(command, bench.generator_core, load.seconds + GRACE_S)
    except OSError as error:
        done = Finished(127, "", str(error), 0.0, 0.0, 0)
    uncharged_s = softirq_s(bench.generator_core) - softirq_before
    served, resumed = server.requests() - before, server.resumed() - resumed_before
    if done.timed_out or done.code not in tool.good_codes:
        return Shot(done, None, served, uncharged_s, done.complaint())
    try:
        reading = tool.read(done, load)
    except (Unreadable, ValueError, KeyError, IndexError, TypeError, OSError) as error:
        return Shot(done, None, served, uncharged_s, f"its report cannot be read: {error!r}\n{done.complaint()}")
    return Shot(done, reading, served, uncharged_s, resumed=resumed)


def scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder for what a tool writes, removed afterwards."""
    return tempfile.TemporaryDirectory(prefix="plimsoll-bench-")


def shown(command: Command, load: Load, tool: Tool) -> str:
    """A command line for the document: without the folders of this machine and the port of this run."""
    origin = "/".join(load.url.split("/")[:3])
    swaps = {
        str(tool.binary): "target/release/plimsoll" if isinstance(tool, Plimsoll) else Path(str(tool.binary)).name,
        str(SCRIPTS): "bench/scripts",
        f"{load.scratch}/": "",
        **({f"{load.authority.parent}/": ""} if load.authority else {}),
        origin: f"{origin.partition(':')[0]}://127.0.0.1:PORT",
    }
    words = []
    for word in command.argv:
        for old, new in swaps.items():
            word = word.replace(old, new)
        words.append(f"'{word}'" if not word or any(c in word for c in " &;?*|") else word)
    return " ".join([*(f"{key}={value}" for key, value in command.env.items() if key.isupper() and key == "GOMAXPROCS"), *words])


def say(text: str) -> None:
    """Progress; results go to standard output."""
    print(text, file=sys.stderr, flush=True)
