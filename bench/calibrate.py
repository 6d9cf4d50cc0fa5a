"""Calibrate: whether `plimsoll calibrate` says the same of this machine as `plimsoll run` does."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import document
from bench import GRACE_S, Bench, Missing, say, scratch, shown
from process import Command, run
from tools import Load
from tools.plimsoll import GOOD_CODES, Plimsoll

ROUNDS, SECONDS = 5, 3
QUICK_ROUNDS, QUICK_SECONDS = 1, 1
CALIBRATE_LIMIT_S = 60.0
AGREEMENT = 0.15
# A run at this share of the calibrated rate must be on time; at the rate itself it is on the brink, by construction.
OPEN_SHARE = 0.85
CONNECTIONS = 64


@dataclass(frozen=True)
class Figure:
    """One figure, as both say it."""

    name: str
    calibrated: Callable[[dict], float]
    words: tuple[str, ...]
    ran: Callable[[dict], float]
    form: str


FIGURES = (
    Figure("closed loop, requests/s", lambda c: c["figures"]["closed_rate_per_core"], ("-c", str(CONNECTIONS)), lambda r: r["achieved_rate"], "{:,.0f}"),
    Figure("latency floor, p50 µs", lambda c: c["figures"]["latency_floor_ms"]["p50"] * 1e3, ("-c", "1"), lambda r: r["response_ms"]["p50"] * 1e3, "{:,.1f}"),
    Figure("new connections/s", lambda c: c["figures"]["connections_per_s"]["plain"], ("-c", str(CONNECTIONS), "--fresh"), lambda r: r["achieved_rate"], "{:,.0f}"),
)


def measure(bench: Bench) -> str:
    """Alternates the two; returns the block for the document."""
    tool = bench.plimsoll
    if tool is None:
        raise Missing("`plimsoll` is not built: run `make build` first")
    rounds, seconds = (QUICK_ROUNDS, QUICK_SECONDS) if bench.quick else (ROUNDS, SECONDS)
    calibrations, runs, late = [], [], []
    for number in range(rounds):
        calibrations.append(_calibrate(bench, tool))
        runs.append({figure.name: _run(bench, tool, figure.words, seconds) for figure in FIGURES})
        late.append(_at_its_rate(bench, tool, calibrations[-1], seconds))
        say(f"calibrate round {number + 1}/{rounds}  took {calibrations[-1]['took_s']:.0f} s")
    rows = [_row(figure, calibrations, [one[figure.name] for one in runs]) for figure in FIGURES]
    return _block(bench, tool, rows, calibrations, late, seconds)


def _block(bench: Bench, tool: Plimsoll, rows: list[list[str]], calibrations: list[dict], late: list[str], seconds: int) -> str:
    longest = max(one["took_s"] for one in calibrations)
    spoilers = sorted({spoiler["code"] for one in calibrations for spoiler in one["spoilers"]})
    load = Load("http://127.0.0.1:PORT/", seconds, CONNECTIONS, None, Path("."))
    parts = [
        "## Calibrate: the same as `run`?",
        f"{document.machine()}. {len(calibrations)} alternating rounds of `plimsoll calibrate` and of runs of {seconds} s, one generator thread "
        f"on a core of its own; medians. Wanted: within {AGREEMENT:.0%}, and a calibration in under a minute: the longest took {longest:.0f} s.",
        document.table(["figure", "calibrate", "run", "ratio", "met"], rows),
        f"Open loop: runs at {OPEN_SHARE:.0%} of the calibrated rate were, round by round: {'; '.join(late)}.",
        f"Spoilers that the calibrations named: {', '.join(spoilers) or 'none'}.",
        document.versions([tool]),
        document.commands([shown(_calibration(bench, tool), load, tool), *(shown(_command(tool, load, f.words), load, tool) for f in FIGURES)]),
    ]
    return "\n\n".join(parts)


def _row(figure: Figure, calibrations: list[dict], runs: list[dict]) -> list[str]:
    calibrated, ran = median(figure.calibrated(one) for one in calibrations), median(figure.ran(one) for one in runs)
    ratio = calibrated / ran
    return [figure.name, figure.form.format(calibrated), figure.form.format(ran), f"{ratio:.2f}", "yes" if agrees(ratio) else "no"]


def agrees(ratio: float) -> bool:
    """Whichever of the two is the larger."""
    return max(ratio, 1 / ratio) <= 1 + AGREEMENT


def _calibration(bench: Bench, tool: Plimsoll) -> Command:
    quick = ["--quick"] if bench.quick else []
    return Command([str(tool.binary), "calibrate", "--json", "--no-keep", "--quiet", *quick])


def _calibrate(bench: Bench, tool: Plimsoll) -> dict:
    # It chooses its cores by itself.
    done = run(_calibration(bench, tool), {bench.generator_core, bench.server_core}, CALIBRATE_LIMIT_S + GRACE_S)
    if done.code != 0 or done.timed_out:
        raise Missing(f"`plimsoll calibrate` failed: {done.complaint()}")
    return json.loads(done.stdout)


def _command(tool: Plimsoll, load: Load, words: tuple[str, ...]) -> Command:
    closed = tool.closed(load).argv
    return Command([*closed[:3], *words, *closed[5:]])


def _run(bench: Bench, tool: Plimsoll, words: tuple[str, ...], seconds: int) -> dict:
    # A server for each, as in a calibration: ports that the run before holds are then nobody's trouble.
    with bench.testkit() as server, scratch() as folder:
        load = Load(f"{server.url}/", seconds, CONNECTIONS, None, Path(folder))
        done = run(_command(tool, load, words), bench.generator_core, seconds + GRACE_S)
    if done.code not in GOOD_CODES or done.timed_out:
        raise Missing(f"`plimsoll run {' '.join(words)}` failed: {done.complaint()}")
    return json.loads(done.stdout)


def _at_its_rate(bench: Bench, tool: Plimsoll, calibration: dict, seconds: int) -> str:
    highest = calibration["figures"]["open_rate_max"]
    if highest is None:
        return "not possible, since no rate was on time"
    rate = int(highest * OPEN_SHARE)
    lag = _run(bench, tool, ("--rate", f"{rate}/s"), seconds)["lag_ms"]["p99"]
    return f"{'on time' if lag is not None and lag <= 1.0 else 'late'} ({rate:,}/s, lag p99 {lag if lag is not None else float('nan'):.2f} ms)"
