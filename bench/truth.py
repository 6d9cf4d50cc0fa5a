"""Truth: a server that answers at once, but is frozen for the last second of every five. What a user would have waited
is known on paper; a tool that waits for the server before it asks again never sees most of it (coordinated omission).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

import document
from bench import Bench, Shot, say, scratch, shoot, shown
from figures import on_paper
from tools import Load, Plimsoll, Tool
from tools.plimsoll import LOG

RATE = 1000
FROZEN_S, PERIOD_S = 1.0, 5.0
# Whole periods, so that the quantiles on paper have no edge.
SECONDS, QUICK_SECONDS = 30, 10
SHARE_MAX, ERROR_MS_MAX = 0.03, 5.0
EDGE_NOTE = "- The run ends with a freeze: a tool that does not await what is in flight then has seen one freeze less."
FIGURES = ("p50", "p90", "p95", "p99", "max")


@dataclass(frozen=True)
class Account:
    """What one tool said, beside what it should have said."""

    name: str
    line: str
    said: dict[str, float]
    paper: dict[str, float]
    sent: int
    remark: str = ""
    complaint: str = ""


def measure(bench: Bench) -> str:
    """Everybody with an open mode; returns the block for the document."""
    seconds = QUICK_SECONDS if bench.quick else SECONDS
    ours = [_account(bench, t, 0, seconds, poisson) for t in bench.tools if type(t) is Plimsoll for poisson in (False, True)]
    peers = [t for t in bench.tools if not isinstance(t, Plimsoll) and "open" in t.models]
    theirs = [_account(bench, t, connections, seconds) for t in peers for connections in t.truth_connections]
    paper = even_paper(seconds)
    parts = [
        "## Truth: a server that freezes 1 s in every 5 s",
        f"{document.machine()}. {RATE:,} requests a second for {seconds} s, one run each, a fresh server for every run. "
        f"Milliseconds. A figure of ours is right within {SHARE_MAX:.0%} or {ERROR_MS_MAX:g} ms of paper; for Poisson "
        "arrivals, paper is computed from the times at which this run's requests were due.",
        _our_table(ours),
        f"What the others print, with their correction for coordinated omission where they have one (on paper: {_list(paper)}):",
        _their_table(theirs, paper, seconds),
        "\n".join([EDGE_NOTE, *(f"- {t.name}: {t.truth_note}." for t in peers if t.truth_note)]),
        document.versions(*bench.able("open")),
        document.commands([account.line for account in [*ours, *theirs]]),
        *(f"```text\n{a.name} failed: {a.complaint}\n```" for a in [*ours, *theirs] if a.complaint),
    ]
    return "\n\n".join(part for part in parts if part)


def even_paper(seconds: int) -> dict[str, float]:
    """On paper, for requests that are due every millisecond."""
    return on_paper([i / RATE for i in range(RATE * seconds)], FROZEN_S, PERIOD_S)


def _account(bench: Bench, tool: Tool, connections: int, seconds: int, poisson: bool = False) -> Account:
    with bench.testkit() as server, scratch() as folder:
        url = f"{server.url}/?freeze={FROZEN_S:g}s/{PERIOD_S:g}s"
        load = Load(url, seconds, connections, RATE, Path(folder), poisson)
        command = tool.truth(load)
        shot = shoot(bench, tool, command, load, server)
        paper = on_paper(_due_s(load.scratch / LOG), FROZEN_S, PERIOD_S) if poisson and not shot.complaint else even_paper(seconds)
        line = shown(command, load, tool)
    name = tool.name + (" (Poisson)" if poisson else " (even)" if isinstance(tool, Plimsoll) else "")
    name += f", {connections} {tool.connections_are}" if connections else ""
    account = Account(name, line, shot.reading.latency_ms if shot.reading else {}, paper, shot.served, _remark(shot), shot.complaint)
    say(f"truth  {account.name:<28} {_list(account.said) or account.complaint}  {account.sent:,} sent  {account.remark}")
    return account


def _remark(shot: Shot) -> str:
    if shot.reading is None:
        return "failed: see below"
    failures = f"{shot.reading.failures} failures" if shot.reading.failures else ""
    return "; ".join(filter(None, [failures, shot.reading.remark]))


def _due_s(log: Path) -> list[float]:
    with log.open(encoding="utf-8", newline="") as lines:
        return [float(row["due_s"]) for row in csv.DictReader(lines)]


def _our_table(accounts: list[Account]) -> str:
    rows = []
    for account in accounts:
        for name in FIGURES:
            rows.append([account.name, name, *_verdict(account.said.get(name), account.paper.get(name))])
    return document.table(["", "figure", "on paper", "measured", "error ms", "error", "right"], rows)


def _verdict(said: float | None, paper: float | None) -> list[str]:
    if said is None or paper is None:
        return ["—" if paper is None else f"{paper:.1f}", "—", "", "", "no"]
    error = said - paper
    share = f"{error / paper:+.2%}" if paper else ""
    right = abs(error) <= max(ERROR_MS_MAX, SHARE_MAX * paper)
    return [f"{paper:.1f}", f"{said:.1f}", f"{error:+.1f}", share, "yes" if right else "no"]


def _their_table(accounts: list[Account], paper: dict[str, float], seconds: int) -> str:
    rows = [["on paper", *(f"{paper[f]:.1f}" for f in FIGURES), f"{RATE * seconds:,}", ""]]
    for account in accounts:
        said = [f"{account.said[f]:.1f}" if f in account.said else "—" for f in FIGURES]
        rows.append([account.name, *said, f"{account.sent:,}", account.remark])
    return document.table(["", *FIGURES, "sent", "remarks"], rows)


def _list(figures: dict[str, float]) -> str:
    return ", ".join(f"{name} {figures[name]:.1f}" for name in FIGURES if name in figures)
