"""Precision: whether requests leave when they are due, at a rate that is a good part of what one core can do."""

from __future__ import annotations

import json
from pathlib import Path

import document
from bench import GRACE_S, Bench, Missing, say, scratch, shoot, shown
from process import run
from tools import Load
from tools.floor import Floor

RATE = 20_000
ROUNDS, SECONDS = 5, 20
QUICK_ROUNDS, QUICK_SECONDS = 2, 2
GOOD_ROUNDS_SHARE = 0.8
LAG_P99_MS_MAX = 1.0


def measure(bench: Bench) -> str:
    """Ours only; returns the block for the document."""
    tool = bench.plimsoll
    if tool is None:
        raise Missing("`plimsoll` is not built: run `make build` first")
    rounds, seconds = (QUICK_ROUNDS, QUICK_SECONDS) if bench.quick else (ROUNDS, SECONDS)
    rows, good, line = [], 0, ""
    with bench.testkit() as server, scratch() as folder:
        load = Load(f"{server.url}/", seconds, 0, RATE, Path(folder))
        command = tool.open(load)
        line = shown(command, load, tool)
        for number in range(rounds):
            shot = shoot(bench, tool, command, load, server)
            met, row = _judge(number + 1, shot.done.stdout, shot.complaint, shot.done.cpu_s / seconds)
            row.append(_gaps(bench, seconds))
            good += met
            rows.append(row)
            say(f"precision round {number + 1}/{rounds}  " + "  ".join(row))
    head = ["round", "lag p50 ms", "lag p99 ms", "lag max ms", "achieved", "generator's core", "validity", "met", "the core was gone"]
    wanted = round(GOOD_ROUNDS_SHARE * rounds)
    verdict = "met" if good >= wanted else "**not met**"
    parts = [
        f"## Precision: {RATE:,} requests a second, open model",
        f"{document.machine()}. {rounds} rounds of {seconds} s. Lag is from when a request was due to when it was sent. "
        f"Wanted: valid, and lag p99 at most {LAG_P99_MS_MAX:g} ms, in {wanted} of {rounds} rounds: {good} were, so {verdict}.",
        document.table(head, rows),
        "The last column is the machine's own share: a loop that only reads the clock (`bench/floor.c gaps`), on the same core "
        "right after the round, and how long it did not have that core (in all, and at the longest). No generator can "
        "send while its core is gone; where that is near 1 % of the time, it is the p99 of lag.",
        document.versions([tool]),
        document.commands([line]),
    ]
    return "\n\n".join(parts)


def _gaps(bench: Bench, seconds: int) -> str:
    floor = next((tool for tool in bench.tools if isinstance(tool, Floor)), None)
    if floor is None:
        return "unknown: no C compiler"
    done = run(floor.gaps(seconds), bench.generator_core, seconds + GRACE_S)
    total, longest = (float(word) for word in done.stdout.split())
    return f"{total / seconds / 10:.2f} %, {longest:.0f} ms"


def _judge(number: int, stdout: str, complaint: str, load: float) -> tuple[bool, list[str]]:
    if complaint:
        return False, [str(number), "failed", "", "", "", "", complaint, "no"]
    result = json.loads(stdout)
    lag, codes = result["lag_ms"], [v["code"] for v in result["validity"]]
    # A quantile is null where there are too few samples for it.
    met = not codes and lag["p99"] is not None and lag["p99"] <= LAG_P99_MS_MAX
    figures = ["—" if lag[name] is None else f"{lag[name]:.3f}" for name in ("p50", "p99", "max")]
    achieved = f"{result['achieved_rate']:,.0f}/s"
    return met, [str(number), *figures, achieved, f"{load:.0%}", ", ".join(codes) or "valid", "yes" if met else "no"]
