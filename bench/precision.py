"""Precision: whether requests leave when they are due, at a rate that is a good part of what one core can do."""

from __future__ import annotations

import json
from pathlib import Path

import document
from bench import Bench, Missing, say, scratch, shoot, shown
from tools import Load

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
            good += met
            rows.append(row)
            say(f"precision round {number + 1}/{rounds}  " + "  ".join(row))
    head = ["round", "lag p50 ms", "lag p99 ms", "lag max ms", "achieved", "generator's core", "validity", "met"]
    wanted = round(GOOD_ROUNDS_SHARE * rounds)
    verdict = "met" if good >= wanted else "**not met**"
    parts = [
        f"## Precision: {RATE:,} requests a second, open model",
        f"{document.machine()}. {rounds} rounds of {seconds} s. Lag is from when a request was due to when it was sent. "
        f"Wanted: valid, and lag p99 at most {LAG_P99_MS_MAX:g} ms, in {wanted} of {rounds} rounds: {good} were, so {verdict}.",
        document.table(head, rows),
        document.versions([tool]),
        document.commands([line]),
    ]
    return "\n\n".join(parts)


def _judge(number: int, stdout: str, complaint: str, load: float) -> tuple[bool, list[str]]:
    if complaint:
        return False, [str(number), "failed", "", "", "", "", complaint, "no"]
    run = json.loads(stdout)
    lag, codes = run["lag_ms"], [v["code"] for v in run["validity"]]
    # A quantile is null where there are too few samples for it.
    met = not codes and lag["p99"] is not None and lag["p99"] <= LAG_P99_MS_MAX
    figures = ["—" if lag[name] is None else f"{lag[name]:.3f}" for name in ("p50", "p99", "max")]
    achieved = f"{run['achieved_rate']:,.0f}/s"
    return met, [str(number), *figures, achieved, f"{load:.0%}", ", ".join(codes) or "valid", "yes" if met else "no"]
