"""Cost: how many requests a generator makes from one second of CPU. Whoever needs less of it measures more with the
same machine, and disturbs less what it measures.

Rounds alternate (A B C, B C A, …), so that a machine that slows down for a minute slows everybody; a ratio is taken
within a round, and its median over the rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import document
from bench import Bench, Shot, say, scratch, shoot, shown
from figures import Spread, ratios
from server import Testkit
from tools import Load, Tool

CLOSED_CONNECTIONS = 64
# Divides the rate, for those who want one for each connection.
OPEN_CONNECTIONS = 50
OPEN_RATE = 2000
MISCOUNT_MAX = 0.01
RATE_MISSED = 0.98
UNCHARGED_MAX = 0.02
WARM_UP_S = 1


@dataclass
class Row:
    """One tool over all rounds."""

    tool: Tool
    line: str
    shots: list[Shot | None] = field(default_factory=list)
    complaint: str = ""

    @property
    def good(self) -> list[Shot]:
        """The rounds in which it made a report."""
        return [shot for shot in self.shots if shot and shot.reading]

    @property
    def figures(self) -> list[float | None]:
        """Requests per CPU second, by round."""
        return [shot.per_cpu_second if shot else None for shot in self.shots]


def measure(bench: Bench) -> str:
    """Both models; returns the block for the document."""
    with bench.testkit() as server:
        closed = _model(bench, server, None, CLOSED_CONNECTIONS)
        opened = _model(bench, server, OPEN_RATE, OPEN_CONNECTIONS)
    parts = [
        "## Cost: requests per CPU second of the generator",
        document.machine() + f". {bench.rounds} alternating rounds of {bench.seconds} s; the generator on one core, the "
        "server (`plimsoll-testkit`, one thread) on another, loopback in a network namespace of their own. "
        "CPU is user + system of the whole process tree as the kernel counts it, requests are what the server received.",
        document.versions(bench.tools, bench.missing),
        f"### Closed model, HTTP/1.1 keep-alive, {CLOSED_CONNECTIONS} connections, as fast as they go",
        _report(closed, "wrk", None, bench.seconds),
        f"### Open model, {OPEN_RATE} requests a second",
        f"Tools that are bound to connections get {OPEN_CONNECTIONS}. A tool's start counts: here it is not lost in the crowd.",
        _report(opened, "h2load", OPEN_RATE, bench.seconds),
        "\n".join(f"- {tool.name}: {tool.cost_note}." for tool in bench.tools if tool.cost_note),
    ]
    return "\n\n".join(part for part in parts if part)


def _model(bench: Bench, server: Testkit, rate: int | None, connections: int) -> list[Row]:
    with scratch() as folder:
        example = Load(f"{server.url}/", bench.seconds, connections, rate, Path(folder))
        model = "open" if rate else "closed"
        rows = [Row(tool, shown(tool.command(example), example, tool)) for tool in bench.tools if model in tool.models]
    for row in rows:
        # The first run of a tool reads its file from the disk.
        _fire(bench, server, row, rate, connections, WARM_UP_S)
    for number in range(bench.rounds):
        turn = number % max(len(rows), 1)
        for row in rows[turn:] + rows[:turn]:
            shot = _fire(bench, server, row, rate, connections, bench.seconds)
            row.shots.append(shot)
            _progress(f"{'open' if rate else 'closed'} round {number + 1}/{bench.rounds}", row, shot)
    return rows


def _fire(bench: Bench, server: Testkit, row: Row, rate: int | None, connections: int, seconds: int) -> Shot:
    with scratch() as folder:
        load = Load(f"{server.url}/", seconds, connections, rate, Path(folder))
        shot = shoot(bench, row.tool, row.tool.command(load), load, server)
    row.complaint = shot.complaint or row.complaint
    return shot


def _progress(where: str, row: Row, shot: Shot) -> None:
    figure = shot.per_cpu_second
    if figure is None:
        say(f"{where}  {row.tool.name:<10} failed: {shot.complaint}")
    else:
        say(f"{where}  {row.tool.name:<10} {figure:>9,.0f} per CPU s  {shot.served:>8,} served  {shot.done.cpu_s:.2f} CPU s")


def _report(rows: Sequence[Row], reference: str, rate: int | None, seconds: int) -> str:
    base = next((row for row in rows if row.tool.name == reference), None)
    lines = [_line(row, base, rate, seconds) for row in rows]
    head = ["", "requests per CPU s", "min–max", f"ratio to {reference}", "min–max", "requests/s", "remarks"]
    failed = [f"{row.tool.name} failed: {row.complaint}" for row in rows if row.complaint]
    blocks = [document.table(head, lines), document.commands([row.line for row in rows])]
    return "\n\n".join([*blocks, *(f"```text\n{text}\n```" for text in failed)])


def _line(row: Row, base: Row | None, rate: int | None, seconds: int) -> list[str]:
    spread = Spread.of(f for f in row.figures if f is not None)
    if spread is None:
        return [row.tool.name, "—", "", "", "", "", "failed: see below"]
    ratio = ratios(row.figures, base.figures) if base else None
    speed = Spread.of(shot.served / seconds for shot in row.good)
    assert speed is not None, "a tool with figures has rounds"
    return [
        row.tool.name,
        f"{spread.middle:,.0f}",
        f"{spread.low:,.0f}–{spread.high:,.0f}",
        f"{ratio.middle:.2f}" if ratio else "",
        f"{ratio.low:.2f}–{ratio.high:.2f}" if ratio else "",
        f"{speed.middle:,.0f}",
        _remarks(row, speed.middle, rate),
    ]


def _remarks(row: Row, speed: float, rate: int | None) -> str:
    found = []
    miscount = max(shot.miscount for shot in row.good)
    if miscount > MISCOUNT_MAX:
        found.append(f"⚠ its count and the server's differ by up to {miscount:.1%}")
    failures = sum(shot.reading.failures for shot in row.good if shot.reading)
    if failures:
        found.append(f"⚠ {failures} failures")
    if rate and speed < RATE_MISSED * rate:
        found.append("⚠ missed the rate")
    uncharged = max(shot.uncharged_s / shot.done.cpu_s for shot in row.good)
    if uncharged > UNCHARGED_MAX:
        found.append(f"⚠ up to {uncharged:.0%} more was charged to the kernel's network thread")
    lost = len(row.shots) - len(row.good)
    if lost:
        found.append(f"⚠ failed in {lost} of {len(row.shots)} rounds")
    return "; ".join(found)
