"""The generators in C: wrk, wrk2, h2load, ab."""

from __future__ import annotations

import re
from pathlib import Path

from figures import quantiles
from process import Command, Finished
from tools.base import BOTH, CLOSED, FRESH, HTTP2, OPEN, Load, Reading, Tool, Unreadable, number

UNITS_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}


class Wrk(Tool):
    """wrk: the reference of the closed model."""

    name = "wrk"
    binaries = ("wrk",)
    models = CLOSED | FRESH

    def closed(self, load: Load) -> Command:
        """It records every latency anyway; `--latency` only prints them."""
        return Command(self._words(load))

    def fresh(self, load: Load) -> Command:
        """It obeys the answer's `Connection: close`, which nginx gives to whom asks for it."""
        words = self._words(load)
        return Command([*words[:-1], "-H", "Connection: close", words[-1]])

    def read(self, done: Finished, load: Load) -> Reading:
        """Its text."""
        bad = re.findall(r"(?:connect|read|write|timeout) (\d+)|Non-2xx or 3xx responses: (\d+)", done.stdout)
        failures = sum(int(a or b) for a, b in bad)
        return Reading(int(number(r"(\d+) requests in", done.stdout)), failures, self._latency(done.stdout))

    def _words(self, load: Load) -> list[str]:
        count = ["-t1", f"-c{load.connections}", f"-d{load.seconds}s", "--latency"]
        return [str(self.binary), *count, load.url]

    def _latency(self, text: str) -> dict[str, float]:
        lines = re.findall(r"^\s*(\d+)(?:\.(\d+))?%\s+([\d.]+)(us|ms|s|m)\s*$", text, re.MULTILINE)
        found = {f"p{whole}": float(value) * UNITS_MS[unit] for whole, part, value, unit in lines if not int(part or 0)}
        if "p100" in found:
            found["max"] = found.pop("p100")
        return found


class Wrk2(Wrk):
    """wrk2: wrk with a rate, and latency from when a request was due."""

    name = "wrk2"
    binaries = ("wrk2",)
    models = OPEN
    truth_note = "calibrates for its first 10 s, and leaves them out of its latencies"

    def open(self, load: Load) -> Command:
        """`-R`"""
        words = self._words(load)
        return Command([*words[:-1], f"-R{load.rate}", words[-1]])


class H2load(Tool):
    """h2load, in HTTP/1.1 where nothing else is asked for."""

    name = "h2load"
    binaries = ("h2load",)
    models = BOTH | HTTP2
    cost_note = "records no quantiles in these runs"
    truth_note = (
        "prints no quantiles: those here are computed from its log, whose times run from sending; its connections "
        "tick together, so that many of them send in bursts"
    )

    def closed(self, load: Load) -> Command:
        """`-D`"""
        return self._command(load)

    def http2(self, load: Load) -> Command:
        """`-m`"""
        return Command([str(self.binary), "-t1", f"-c{load.connections}", f"-m{load.streams}", "-D", str(load.seconds), load.url])

    def open(self, load: Load) -> Command:
        """`--rps` is for each connection."""
        return self._command(load, f"--rps={(load.rate or 0) / load.connections:g}")

    def truth(self, load: Load) -> Command:
        """With a log, for it prints no quantiles."""
        return self._command(load, f"--rps={(load.rate or 0) / load.connections:g}", f"--log-file={self._log(load)}")

    def read(self, done: Finished, load: Load) -> Reading:
        """Its text, and its log if it was asked for one."""
        found = re.search(r"requests: \d+ total, \d+ started, (\d+) done, \d+ succeeded, (\d+) failed", done.stdout)
        if found is None:
            raise Unreadable("no `requests:` line in its report")
        latency = _log_latency(self._log(load)) if self._log(load).exists() else {}
        return Reading(int(found.group(1)), int(found.group(2)), latency)

    def _log(self, load: Load) -> Path:
        return load.scratch / "h2load.log"

    def _command(self, load: Load, *words: str) -> Command:
        count = ["--h1", "-t1", f"-c{load.connections}", "-D", str(load.seconds)]
        return Command([str(self.binary), *count, *words, load.url])


class Ab(Tool):
    """ab, which comes with Apache: without `-k` it never keeps a connection."""

    name = "ab"
    binaries = ("ab",)
    version_argv = ("-V",)
    models = FRESH
    fresh_note = "speaks HTTP/1.0"
    truth_connections = ()
    # `-t` alone ends after 50 000 requests.
    requests_max = 1_000_000

    def fresh(self, load: Load) -> Command:
        """`-t`"""
        how = ["-q", "-d", "-S", "-t", str(load.seconds), "-n", str(self.requests_max), "-c", str(load.connections)]
        return Command([str(self.binary), *how, load.url])

    def read(self, done: Finished, load: Load) -> Reading:
        """Its text."""
        failed = int(number(r"^Failed requests:\s+(\d+)", done.stdout))
        refused = re.search(r"^Non-2xx responses:\s+(\d+)", done.stdout, re.MULTILINE)
        total = int(number(r"^Complete requests:\s+(\d+)", done.stdout))
        return Reading(total, failed + (int(refused.group(1)) if refused else 0))


def _log_latency(log: Path) -> dict[str, float]:
    """A line is: start, status, microseconds."""
    lines = (line.split("\t") for line in log.read_text(encoding="ascii").splitlines())
    return quantiles(int(words[2]) / 1000 for words in lines if len(words) == 3)
