"""Journeys: what it costs to be somebody who logs in, keeps a token and has every answer looked at, instead of one who asks
for the same thing again and again. In CPU for each request, and in memory for each user.

Everybody goes the same way: eight steps, a token out of the first answer, a status checked at each, JSON at two.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import document
from bench import GRACE_S, Bench, Missing, scratch, shown
from figures import ratios
from nginx import ApiNginx
from process import Command, Running, wait_together
from rounds import Row, alternate, find, report
from tools import Load, PlimsollJourney
from users import Crowd, pausing, summed
from users import report as report_users

CONNECTIONS = 64
USERS, KB_A_USER_MAX = 10_000, 24
SECONDS, QUICK_SECONDS = 10, 3
OURS, PLAIN = "plimsoll-journey", "plimsoll"


@dataclass(frozen=True)
class Bound:
    """What one tool's figure divided by another's must be."""

    above: str
    below: str
    least: float = 0.0
    most: float = float("inf")
    aim: float | None = None  # where there is a most


BOUNDS = (Bound(PLAIN, OURS, most=2.0, aim=1.5), Bound(OURS, "k6", least=6.0), Bound(OURS, "locust", least=12.0))


def measure(bench: Bench) -> str:
    """CPU, then memory; returns the block for the document."""
    tools, missing = bench.able("journey")
    with ApiNginx(bench.server_core) as server:
        load = Load(server.url, 0, CONNECTIONS, None, journey=True)
        rows = alternate(bench, server, load)
        memory = _memory(bench, server)
        version = server.version()
    parts = [
        "## Journeys: requests per CPU second of the generator, and memory of a user",
        f"{document.machine()}. {bench.rounds} alternating rounds of {bench.seconds} s; {CONNECTIONS} users, each with a connection "
        "that it keeps, as fast as they go. The journey is `bench/scripts/journey.hurl`, eight requests, and the same for k6 "
        f"(`journey.js`) and locust (`journey.py`). The server is nginx {version} with one process. CPU is the kernel's account of the "
        "generator, requests are what nginx counted (`stub_status`).",
        document.versions(tools, missing),
        "\n".join(f"- {verdict(rows, bound)}" for bound in BOUNDS),
        report(rows, OURS, load, bench.seconds),
        "\n".join(f"- {tool.name}: {tool.journey_note}." for tool in tools if tool.journey_note),
        memory,
    ]
    return "\n\n".join(part for part in parts if part)


def verdict(rows: list[Row], bound: Bound) -> str:
    """Whether a ratio is where it has to be, by the median of the rounds."""
    above, below = find(rows, bound.above), find(rows, bound.below)
    ratio = ratios(above.figures, below.figures) if above and below else None
    wanted = f"at most {bound.most:g}" if bound.least == 0 else f"at least {bound.least:g}"
    words = f"Wanted: {bound.above} ÷ {bound.below} {wanted}"
    if ratio is None:
        return f"{words}: one of them has no figure, so **not shown**."
    met = "met" if bound.least <= ratio.middle <= bound.most else "not met"
    text = f"{words}: {ratio.middle:.2f} ({ratio.low:.2f}–{ratio.high:.2f}), so **{met}**."
    if bound.aim is None:
        return text
    return f"{text} Aim: {bound.aim:g}, which is {'reached' if ratio.middle <= bound.aim else 'not reached'}."


def _memory(bench: Bench, server: ApiNginx) -> str:
    tool = next((tool for tool in bench.tools if isinstance(tool, PlimsollJourney)), None)
    if tool is None:
        return ""
    seconds = QUICK_SECONDS if bench.quick else SECONDS
    one = _crowd(bench, tool, server, 1, seconds)
    if one.complaint:
        raise Missing(f"a journey of one user failed: {one.complaint}")
    many = _crowd(bench, tool, server, USERS, seconds)
    with scratch() as folder:
        example = Load(server.url, seconds, USERS, None, Path(folder), journey=True)
        line = shown(_command(tool, example), example, tool)
    return "\n\n".join(
        [
            "### Memory of a user",
            f"{seconds} s of the same journey with a pause of 1 s after each answer. A user costs what is above a run with one "
            f"({one.rss_bytes / 1e6:.1f} MB). The kernel's mark is VmHWM, looked at from outside.",
            report_users([many], one, KB_A_USER_MAX),
            document.commands([line]),
        ]
    )


def _crowd(bench: Bench, tool: PlimsollJourney, server: ApiNginx, users: int, seconds: int) -> Crowd:
    before = server.connections()
    with scratch() as folder:
        command = _command(tool, Load(server.url, seconds, users, None, Path(folder), journey=True))
        with Running(command, bench.generator_core) as running:
            done = wait_together([running], seconds + GRACE_S)
    return summed(users, server.connections() - before, done, tool)


def _command(tool: PlimsollJourney, load: Load) -> Command:
    return pausing(tool.journey(load))
