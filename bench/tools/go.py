"""The generators in Go: fortio, hey, vegeta, bombardier, k6. All of them on one thread (GOMAXPROCS=1)."""

from __future__ import annotations

import json
import re
import subprocess

from process import Command, Finished
from tools.base import BOTH, FRESH, HTTP2, JOURNEY, ONE_GO_THREAD, SCRIPTS, Load, Reading, Tool, Unreadable, named, number


class Fortio(Tool):
    """fortio."""

    name = "fortio"
    binaries = ("fortio",)
    models = BOTH | HTTP2
    http2_note = "has a connection for each of its threads, and so no part where streams share one"
    version_argv = ("version",)
    cost_note = "asks once on each connection before it counts, and so less than the server saw"
    truth_note = "its threads would all send at the same moments, so they are spread with `-uniform`"

    def closed(self, load: Load) -> Command:
        """A rate of 0 is no rate."""
        return self._command(load, "-qps", "0")

    def open(self, load: Load) -> Command:
        """`-qps`"""
        return self._command(load, "-qps", str(load.rate), "-uniform")

    def http2(self, load: Load) -> Command:
        """`-h2`"""
        return self._command(load, "-qps", "0", "-h2", "-k")

    def can(self, load: Load) -> bool:
        """Only one stream on a connection."""
        return super().can(load) and (load.streams or 1) == 1

    def read(self, done: Finished, load: Load) -> Reading:
        """Its JSON; seconds."""
        run = json.loads(done.stdout[done.stdout.index("{") :])
        histogram, codes = run["DurationHistogram"], run["RetCodes"]
        bad = sum(count for code, count in codes.items() if code != "200")
        latency = {f"p{p['Percentile']:g}": p["Value"] * 1000 for p in histogram.get("Percentiles") or []}
        return Reading(histogram["Count"], bad, {**latency, "max": histogram["Max"] * 1000})

    def _command(self, load: Load, *words: str) -> Command:
        how = ["load", "-quiet", "-json", "-", "-p", "50,90,95,99", "-c", str(load.connections), "-t", f"{load.seconds}s"]
        return Command([str(self.binary), *how, *words, load.url], ONE_GO_THREAD)


class Hey(Tool):
    """hey."""

    name = "hey"
    binaries = ("hey",)
    models = BOTH | FRESH
    cost_note = "keeps the latencies of its first million requests only"
    truth_note = "times run from sending; its workers tick together, so that many of them send in bursts"

    def closed(self, load: Load) -> Command:
        """`-z`"""
        return self._command(load)

    def open(self, load: Load) -> Command:
        """`-q` is for each worker."""
        return self._command(load, "-q", f"{(load.rate or 0) / load.connections:g}")

    def fresh(self, load: Load) -> Command:
        """`-disable-keepalive`"""
        return self._command(load, "-disable-keepalive")

    def read(self, done: Finished, load: Load) -> Reading:
        """Its text; seconds."""
        statuses = {int(s): int(n) for s, n in re.findall(r"\[(\d+)\]\s+(\d+) responses", done.stdout)}
        errors = sum(int(n) for n in re.findall(r"^\s+\[(\d+)\]\t(?!\d+ responses)", done.stdout, re.MULTILINE))
        if not statuses:
            raise Unreadable("no statuses in its report")
        latency = {f"p{p}": float(s) * 1000 for p, s in re.findall(r"(\d+)%+ in ([\d.]+) secs", done.stdout)}
        latency["max"] = number(r"Slowest:\s+([\d.]+) secs", done.stdout) * 1000
        total = sum(statuses.values())
        return Reading(total, errors + total - statuses.get(200, 0), latency)

    def version(self) -> str:
        """It cannot say, but the package manager may know."""
        try:
            argv = ["dpkg-query", "-W", "-f", "${Version}", "hey"]
            return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip() or "unknown"
        except (OSError, subprocess.CalledProcessError):
            return "unknown"

    def _command(self, load: Load, *words: str) -> Command:
        how = ["-cpus", "1", "-c", str(load.connections), "-z", f"{load.seconds}s"]
        return Command([str(self.binary), *how, *words, load.url], ONE_GO_THREAD)


class Vegeta(Tool):
    """vegeta: only its attack is charged; making the report is not."""

    name = "vegeta"
    binaries = ("vegeta",)
    version_argv = ("-version",)
    cost_note = "`vegeta report` runs afterwards and is not charged"
    truth_note = "opens as many connections as it needs; times run from sending"
    truth_connections = (0,)

    def closed(self, load: Load) -> Command:
        """A rate of 0 wants a limit of workers."""
        return self._command(load, "-rate", "0", "-max-workers", str(load.connections), "-connections", str(load.connections))

    def open(self, load: Load) -> Command:
        """`-rate`"""
        return self._command(load, "-rate", f"{load.rate}/s")

    def read(self, done: Finished, load: Load) -> Reading:
        """`vegeta report`; nanoseconds."""
        argv = [str(self.binary), "report", "-type", "json", str(load.scratch / "vegeta.bin")]
        run = json.loads(subprocess.run(argv, capture_output=True, text=True, check=False).stdout)
        bad = sum(count for code, count in run["status_codes"].items() if code != "200")
        keys = {"p50": "50th", "p90": "90th", "p95": "95th", "p99": "99th", "max": "max"}
        return Reading(run["requests"], bad, named(run["latencies"], keys, 1e-6))

    def _command(self, load: Load, *words: str) -> Command:
        targets = load.scratch / "targets.txt"
        targets.write_text(f"GET {load.url}\n", encoding="ascii")
        where = ["-targets", str(targets), "-output", str(load.scratch / "vegeta.bin")]
        return Command([str(self.binary), "attack", "-duration", f"{load.seconds}s", *words, *where], ONE_GO_THREAD)


class Bombardier(Tool):
    """bombardier."""

    name = "bombardier"
    binaries = ("bombardier",)

    def closed(self, load: Load) -> Command:
        """Its fasthttp client, the default."""
        return self._command(load)

    def open(self, load: Load) -> Command:
        """`-r`"""
        return self._command(load, "-r", str(load.rate))

    def read(self, done: Finished, load: Load) -> Reading:
        """Its JSON; microseconds."""
        result = json.loads(done.stdout)["result"]
        bad = sum(result[key] for key in ("req1xx", "req3xx", "req4xx", "req5xx", "others"))
        latency = result["latency"]
        found = named(latency.get("percentiles", {}), {"p50": "50", "p90": "90", "p95": "95", "p99": "99"}, 1e-3)
        return Reading(result["req2xx"] + bad, bad, {**found, "max": latency["max"] / 1000})

    def _command(self, load: Load, *words: str) -> Command:
        how = ["-c", str(load.connections), "-d", f"{load.seconds}s", "-l", "-p", "r", "-o", "json"]
        return Command([str(self.binary), *how, *words, load.url], ONE_GO_THREAD)


class K6(Tool):
    """k6, with the smallest script there is."""

    name = "k6"
    binaries = ("k6",)
    models = BOTH | FRESH | HTTP2 | JOURNEY
    http2_note = "where streams share a connection, a virtual user sends its requests in batches, and waits for the last of each"
    version_argv = ("version",)
    # Enough virtual users for what a freeze of a second holds back.
    truth_connections = (1100,)
    connections_are = "virtual users"
    truth_note = "`http_req_duration` runs from sending; what finds no free virtual user is dropped"

    def closed(self, load: Load) -> Command:
        """constant-vus"""
        return self._command(load, "0")

    def open(self, load: Load) -> Command:
        """constant-arrival-rate"""
        return self._command(load, str(load.rate))

    def fresh(self, load: Load) -> Command:
        """noConnectionReuse"""
        return self._command(load, "0", BENCH_FRESH="1")

    def http2(self, load: Load) -> Command:
        """A virtual user has a connection; a batch shares it."""
        return self._command(load, "0", BENCH_STREAMS=str(load.streams))

    def journey(self, load: Load) -> Command:
        """constant-vus, with checks."""
        return self._command(load, "0", script="journey.js")

    def read(self, done: Finished, load: Load) -> Reading:
        """What the script's `handleSummary` prints; milliseconds."""
        metrics = json.loads(done.stdout[done.stdout.index("{") :])["metrics"]
        count = int(metrics["http_reqs"]["values"]["count"])
        bad = int(metrics["http_req_failed"]["values"]["passes"])
        bad += int(metrics.get("checks", {}).get("values", {}).get("fails", 0))
        keys = {"p50": "med", "p90": "p(90)", "p95": "p(95)", "p99": "p(99)", "max": "max"}
        dropped = int(metrics.get("dropped_iterations", {}).get("values", {}).get("count", 0))
        remark = f"{dropped} iterations dropped" if dropped else ""
        return Reading(count, bad, named(metrics["http_req_duration"]["values"], keys, 1.0), remark)

    def _command(self, load: Load, rate: str, script: str = "k6.js", **more: str) -> Command:
        env = {
            "BENCH_URL": load.url,
            "BENCH_USERS": str(load.connections),
            "BENCH_SECONDS": str(load.seconds),
            "BENCH_RATE": rate,
            **more,
        }
        words = [word for pair in env.items() for word in ("-e", "=".join(pair))]
        how = ["run", "--quiet", "--no-usage-report", "--address", "", "--log-output", "stderr"]
        return Command([str(self.binary), *how, *words, str(SCRIPTS / script)], ONE_GO_THREAD)
