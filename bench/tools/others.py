"""The generators in Rust, Python and JavaScript: oha, locust, autocannon."""

from __future__ import annotations

import json

from process import Command, Finished
from tools.base import BOTH, FRESH, HTTP2, JOURNEY, SCRIPTS, VERIFIED, Load, Reading, Tool, named


class Oha(Tool):
    """oha."""

    name = "oha"
    binaries = ("oha",)
    models = BOTH | FRESH | VERIFIED | HTTP2

    def closed(self, load: Load) -> Command:
        """`-z`"""
        return self._command(load)

    def open(self, load: Load) -> Command:
        """With its correction for coordinated omission."""
        return self._command(load, "-q", str(load.rate), "--latency-correction")

    def fresh(self, load: Load) -> Command:
        """`--disable-keepalive`"""
        return self._command(load, "--disable-keepalive", "--insecure")

    def verified(self, load: Load) -> Command:
        """`--cacert`"""
        return self._command(load, "--disable-keepalive", "--cacert", str(load.authority))

    def http2(self, load: Load) -> Command:
        """`-p` is for each connection."""
        return self._command(load, "--http2", "-p", str(load.streams), "--insecure")

    def truth(self, load: Load) -> Command:
        """It awaits what is in flight at the end, which would otherwise hide the last freeze."""
        return self._command(load, "-q", str(load.rate), "--latency-correction", "-w")

    def read(self, done: Finished, load: Load) -> Reading:
        """Its JSON; seconds."""
        run = json.loads(done.stdout)
        total = sum(run["statusCodeDistribution"].values())
        # What it cuts off at the end is no failure of the server, and no answer either.
        cut = run["errorDistribution"].get("aborted due to deadline", 0)
        errors = sum(run["errorDistribution"].values()) - cut
        bad = errors + total - run["statusCodeDistribution"].get("200", 0)
        latency = named(run["latencyPercentiles"], {"p50": "p50", "p90": "p90", "p95": "p95", "p99": "p99"}, 1e3)
        latency.update(named(run["summary"], {"max": "slowest"}, 1e3))
        return Reading(total, bad, latency, f"{cut} cut off at the end" if cut > load.connections else "")

    def _command(self, load: Load, *words: str) -> Command:
        how = ["--no-tui", "--output-format", "json", "--worker-threads", "1"]
        count = ["-c", str(load.connections), "-z", f"{load.seconds}s"]
        return Command([str(self.binary), *how, *count, *words, load.url])


class Locust(Tool):
    """locust, with its faster client."""

    name = "locust"
    binaries = ("locust",)
    models = BOTH | JOURNEY
    connections_are = "users"
    cost_note = journey_note = "about half a second of its CPU is the start of its interpreter"
    truth_note = "rounds to two digits; times run from sending; its users tick together, so that many send in bursts"

    def closed(self, load: Load) -> Command:
        """No wait between tasks."""
        return self._command(load, "0")

    def open(self, load: Load) -> Command:
        """`constant_throughput` of each user; none is sent while its user waits."""
        return self._command(load, f"{(load.rate or 0) / load.connections:g}")

    def journey(self, load: Load) -> Command:
        """FastHttpUser, and what is checked by hand."""
        return self._command(load, "0", "journey.py")

    def read(self, done: Finished, load: Load) -> Reading:
        """Its JSON: a histogram of rounded milliseconds."""
        stats = json.loads(done.stdout[done.stdout.index("[") :])
        total = sum(entry["num_requests"] for entry in stats)
        bad = sum(entry["num_failures"] for entry in stats)
        return Reading(total, bad, _latency(stats))

    def _command(self, load: Load, per_user: str, script: str = "locustfile.py") -> Command:
        users = str(load.connections)
        how = ["--headless", "--skip-log", "--json", "--only-summary", "--loglevel", "ERROR"]
        count = ["-u", users, "-r", users, "-t", f"{load.seconds}s", "-H", load.url]
        env = {"BENCH_PER_USER": per_user, "PYTHONDONTWRITEBYTECODE": "1"}
        return Command([str(self.binary), "-f", str(SCRIPTS / script), *how, *count], env)


class Autocannon(Tool):
    """autocannon."""

    name = "autocannon"
    binaries = ("autocannon",)
    cost_note = "one JavaScript thread; the runtime's helper threads share its core"
    truth_note = "its report has no p95"

    def closed(self, load: Load) -> Command:
        """`-d`"""
        return self._command(load)

    def open(self, load: Load) -> Command:
        """`-R`, which it corrects for coordinated omission by itself."""
        return self._command(load, "-R", str(load.rate))

    def read(self, done: Finished, load: Load) -> Reading:
        """Its JSON; milliseconds."""
        run = json.loads(done.stdout)
        keys = {"p50": "p50", "p90": "p90", "p99": "p99", "max": "max"}
        return Reading(run["requests"]["total"], run["errors"] + run["non2xx"], named(run["latency"], keys, 1.0))

    def _command(self, load: Load, *words: str) -> Command:
        how = ["-j", "--no-progress", "-c", str(load.connections), "-d", str(load.seconds)]
        return Command([str(self.binary), *how, *words, load.url])


def _latency(stats: list[dict]) -> dict[str, float]:
    counts: dict[float, int] = {}
    for entry in stats:
        for millis, count in entry["response_times"].items():
            counts[float(millis)] = counts.get(float(millis), 0) + count
    total, seen, found = sum(counts.values()), 0, {}
    for millis in sorted(counts):
        seen += counts[millis]
        for name, share in (("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99)):
            if seen >= share * total:
                found.setdefault(name, millis)
    if stats:
        found["max"] = max(entry["max_response_time"] for entry in stats)
    return found
