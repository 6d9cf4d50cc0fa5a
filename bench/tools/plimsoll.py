"""Ours: the release build of this workspace, never another one that happens to be installed."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

from process import Command, Finished
from tools.base import BOTH, FRESH, HTTP2, JOURNEY, OPEN, SCRIPTS, VERIFIED, Load, Reading, Tool

ROOT = Path(__file__).resolve().parent.parent.parent
# Measured and failed, and measured but void, come with a report: saturating the generator is what `cost` is about.
GOOD_CODES = (0, 1, 4)
LOG = "requests.csv"


def built(name: str) -> Path:
    """Where `cargo build --release` puts a binary."""
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / name


class Plimsoll(Tool):
    """`plimsoll run`."""

    name = "plimsoll"
    models = BOTH | FRESH | VERIFIED | HTTP2 | JOURNEY
    good_codes = GOOD_CODES
    truth_connections = (0,)
    journey_note = "plain GETs of one of the journey's places, which is what its price is measured by"
    cost_note = "exit code 4 (void: its own core is the limit) is as it should be in the closed model"

    def locate(self) -> Path | None:
        """Only the build of this workspace."""
        path = built("plimsoll")
        return path if path.exists() else None

    def closed(self, load: Load) -> Command:
        """`-c`"""
        return self._run(load, "-c", str(load.connections))

    def open(self, load: Load) -> Command:
        """`--rate`"""
        arrivals = ["--arrivals", "poisson"] if load.poisson else []
        return self._run(load, "--rate", f"{load.rate}/s", *arrivals)

    def fresh(self, load: Load) -> Command:
        """`--fresh`"""
        return self._run(load, "-c", str(load.connections), "--fresh", "-k")

    def verified(self, load: Load) -> Command:
        """`--cacert`"""
        return self._run(load, "-c", str(load.connections), "--fresh", "--cacert", str(load.authority))

    def http2(self, load: Load) -> Command:
        """A user for each stream."""
        streams = load.streams or 1
        shape = ["--connections", str(load.connections), "--streams", str(streams)]
        return self._run(load, "-c", str(load.connections * streams), "--http2", *shape, "-k")

    def journey(self, load: Load) -> Command:
        """Not the journey, but what it is held against."""
        return self.closed(replace(load, url=f"{load.url}/profile"))

    def truth(self, load: Load) -> Command:
        """At a rate, with a line for each request: from it we know when each was due."""
        command = self.open(load)
        return Command([*command.argv, "--log", str(load.scratch / LOG)], command.env)

    def read(self, done: Finished, load: Load) -> Reading:
        """The JSON object; `response_ms` runs from when a request was due."""
        run = json.loads(done.stdout)
        failures = sum(count for name, count in run["outcomes"].items() if name != "ok")
        codes = ", ".join(v["code"] for v in run["validity"])
        return Reading(run["requests"], failures, figures(run["response_ms"]), codes)

    def _run(self, load: Load, *words: str) -> Command:
        return self._run_what([load.url], load, *words)

    def _run_what(self, what: list[str], load: Load, *words: str) -> Command:
        argv = [str(self.binary), "run", *what, *words, "-d", f"{load.seconds}s", "--threads", "1", "--json", "--quiet"]
        return Command(argv)


class PlimsollInBursts(Plimsoll):
    """`plimsoll run --arrivals bursts:10ms`: what is due in ten milliseconds is sent together, as h2load does it."""

    name = "plimsoll-bursts"
    models = OPEN
    cost_note = "sends what is due in 10 ms together, as h2load does"
    truth_connections = ()

    def open(self, load: Load) -> Command:
        """`--arrivals bursts:10ms`"""
        return self._run(load, "--rate", f"{load.rate}/s", "--arrivals", "bursts:10ms")


class PlimsollResuming(Plimsoll):
    """`plimsoll run --tls-resume`: as a client that comes back."""

    name = "plimsoll-resuming"
    models = FRESH
    fresh_note = "`--tls-resume`: continues the session of an earlier connection where the server lets it"
    cost_note = ""
    truth_connections = ()

    def fresh(self, load: Load) -> Command:
        """`--tls-resume`"""
        command = super().fresh(load)
        return Command([*command.argv, "--tls-resume"], command.env)


class PlimsollJourney(Plimsoll):
    """`plimsoll run journey.hurl`"""

    name = "plimsoll-journey"
    models = JOURNEY
    truth_connections = ()
    cost_note = journey_note = ""

    def journey(self, load: Load) -> Command:
        """`-c`"""
        what = [str(SCRIPTS / "journey.hurl"), "--variable", f"host={load.url}"]
        return self._run_what(what, load, "-c", str(load.connections))


def figures(quantiles: dict[str, float | None]) -> dict[str, float]:
    """The quantiles that have a value: with too few samples they are null."""
    return {name: value for name, value in quantiles.items() if value is not None}
