"""Alternating rounds: every tool in turn, against the same server, with the same load.

Rounds alternate (A B C, B C A, …), so that a machine that slows down for a minute slows everybody; a ratio is taken
within a round, and its median over the rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import document
from bench import Bench, Shot, Target, say, scratch, shoot, shown
from figures import Spread, ratios
from tools import Load, Tool

MISCOUNT_MAX = 0.01
RATE_MISSED = 0.98
UNCHARGED_MAX = 0.02
WARM_UP_S = 1


@dataclass
class Row:
    """One tool over all rounds."""

    tool: Tool
    line: str = ""
    shots: list[Shot | None] = field(default_factory=list)
    complaint: str = ""

    @property
    def good(self) -> list[Shot]:
        """The rounds in which it made a report."""
        return [shot for shot in self.shots if shot and shot.reading]

    @property
    def figures(self) -> list[float | None]:
        """What was counted per CPU second, by round."""
        return [shot.per_cpu_second if shot else None for shot in self.shots]

    @property
    def share_resumed(self) -> float:
        """TLS sessions that continued an earlier one, as a share of all."""
        return sum(shot.resumed for shot in self.good) / max(sum(shot.served for shot in self.good), 1)


def alternate(bench: Bench, server: Target, load: Load) -> list[Row]:
    """All tools that can make this load, in all rounds; its folder and its length are filled in here."""
    with scratch() as folder:
        example = replace(load, seconds=bench.seconds, scratch=Path(folder))
        rows = [Row(tool, shown(tool.command(example), example, tool)) for tool in bench.tools if tool.can(load)]
    for row in rows:
        # The first run of a tool reads its file from the disk.
        _fire(bench, server, row, replace(load, seconds=WARM_UP_S))
    for number in range(bench.rounds):
        turn = number % max(len(rows), 1)
        for row in rows[turn:] + rows[:turn]:
            shot = _fire(bench, server, row, replace(load, seconds=bench.seconds))
            row.shots.append(shot)
            _progress(f"{load.model} round {number + 1}/{bench.rounds}", row, shot)
    return rows


def _fire(bench: Bench, server: Target, row: Row, load: Load) -> Shot:
    with scratch() as folder:
        load = replace(load, scratch=Path(folder))
        shot = shoot(bench, row.tool, row.tool.command(load), load, server)
    row.complaint = shot.complaint or row.complaint
    return shot


def _progress(where: str, row: Row, shot: Shot) -> None:
    figure = shot.per_cpu_second
    if figure is None:
        say(f"{where}  {row.tool.name:<17} failed: {shot.complaint}")
    else:
        say(f"{where}  {row.tool.name:<17} {figure:>9,.0f} per CPU s  {shot.served:>8,} served  {shot.done.cpu_s:.2f} CPU s")


def report(rows: Sequence[Row], reference: str, load: Load, seconds: int, counted: str = "requests") -> str:
    """A table, the command lines, and the last words of those that failed; a column more where sessions may be resumed."""
    base = find(rows, reference)
    lines = [_line(row, base, load, seconds) for row in rows]
    head = ["", f"{counted} per CPU s", "min–max", f"ratio to {reference}", "min–max", f"{counted}/s"]
    head += ["resumed", "remarks"] if load.fresh else ["remarks"]
    failed = [f"{row.tool.name} failed: {row.complaint}" for row in rows if row.complaint]
    blocks = [document.table(head, lines), document.commands([row.line for row in rows])]
    return "\n\n".join([*blocks, *(f"```text\n{text}\n```" for text in failed)])


def wanted(rows: Sequence[Row], ours: str, theirs: str, word: str = "Wanted") -> str:
    """Whether we are at least as good as another tool was in the same rounds."""
    mine, other = find(rows, ours), find(rows, theirs)
    ratio = ratios(mine.figures, other.figures) if mine and other else None
    if ratio is None:
        return f"{word}: {ours} at least {theirs}: one of them has no figure, so **not shown**."
    verdict = "met" if ratio.middle >= 1 else "not met"
    return f"{word}: {ours} at least {theirs}: ratio {ratio.middle:.2f} ({ratio.low:.2f}–{ratio.high:.2f}), so **{verdict}**."


def find(rows: Sequence[Row], name: str) -> Row | None:
    """A tool's row."""
    return next((row for row in rows if row.tool.name == name), None)


def _line(row: Row, base: Row | None, load: Load, seconds: int) -> list[str]:
    resumes = load.fresh
    spread = Spread.of(f for f in row.figures if f is not None)
    if spread is None:
        return [row.tool.name, "—", "", "", "", "", *([""] if resumes else []), "failed: see below"]
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
        *([f"{row.share_resumed:.0%}"] if resumes else []),
        _remarks(row, speed.middle, load.rate),
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
