"""Users: what a closed-model user costs in memory, each with a connection of its own and a second of thought."""

from __future__ import annotations

import contextlib
import json
import math
from dataclasses import dataclass
from pathlib import Path

import document
from bench import GRACE_S, Bench, Missing, say, scratch, shown
from process import Command, Finished, Running, wait_together
from server import Testkit
from tools import Load, Plimsoll

FEW, MANY = 10_000, 50_000
SECONDS, QUICK_SECONDS = 10, 3
KB_A_USER_MAX = 16
# Descriptors a process needs for itself: streams, event queues, a log.
OWN_DESCRIPTORS = 256
# Ports of one pair of addresses (`ip_local_port_range` in our namespace), with some to spare.
PORTS = 64_000


@dataclass(frozen=True)
class Crowd:
    """Users, and what they cost together."""

    users: int
    parts: int
    rss_bytes: int
    high_water_bytes: int
    connections: int
    requests: int
    failures: dict[str, int]
    codes: list[str]
    complaint: str = ""


def measure(bench: Bench) -> str:
    """Ours only; returns the block for the document."""
    tool = bench.plimsoll
    if tool is None:
        raise Missing("`plimsoll` is not built: run `make build` first")
    seconds = QUICK_SECONDS if bench.quick else SECONDS
    with scratch() as folder:
        example = Load("http://127.0.0.1:0/", seconds, FEW, None, Path(folder))
        line = shown(_command(tool, example), example, tool)
    one = _crowd(bench, tool, 1, seconds)
    if one.complaint:
        raise Missing(f"a run with one user failed: {one.complaint}")
    crowds = [_crowd(bench, tool, users, seconds) for users in (FEW, MANY)]
    parts = [
        "## Users: memory of a closed-model user",
        f"{document.machine()}. {seconds} s, a pause of 1 s. Peak memory is `generator.rss_bytes`; a user costs what is "
        f"above a run with one user ({one.rss_bytes / 1e6:.1f} MB a process). The kernel's mark is VmHWM, looked at from outside.",
        report(crowds, one, KB_A_USER_MAX),
        *filter(None, [_split_note(crowds, bench.descriptors)]),
        document.versions([tool]),
        document.commands([line]),
    ]
    return "\n\n".join(parts)


def shares(users: int, descriptors: int) -> list[int]:
    """How many users each process gets: as few processes as descriptors and ports allow."""
    most = max(1, min(descriptors - OWN_DESCRIPTORS, PORTS))
    parts = math.ceil(users / most)
    return [users // parts + (i < users % parts) for i in range(parts)]


def report(crowds: list[Crowd], one: Crowd, kb_max: int) -> str:
    """A table; a user costs what is above a run with one of them."""
    rows = [_row(crowd, one, kb_max) for crowd in crowds]
    for row in rows:
        say("users  " + "  ".join(row))
    head = ["users", "processes", "peak memory MB", "KB a user", "by the kernel's mark", "connections", "requests", "failures", "validity"]
    return document.table([*head, f"≤ {kb_max} KB"], rows)


def _crowd(bench: Bench, tool: Plimsoll, users: int, seconds: int) -> Crowd:
    split = shares(users, bench.descriptors)
    if len(split) > 1:
        say(f"users  {users:,} do not fit the limit of {bench.descriptors:,} descriptors of one process: {len(split)} of them")
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(scratch()))
        # A server each, on an address of its own: it has a descriptor for every user as well, and each pair of
        # addresses has its own ports.
        first = 1 if len(split) == 1 else 2
        servers = [stack.enter_context(bench.testkit(f"127.0.0.{first + i}")) for i in range(len(split))]
        running = []
        for part, server in zip(split, servers, strict=True):
            command = _command(tool, Load(f"{server.url}/", seconds, part, None, folder))
            running.append(stack.enter_context(Running(command, bench.generator_core)))
        done = wait_together(running, seconds + GRACE_S)
        connections = sum(server.connections() for server in servers)
    return summed(users, connections, done, tool)


def summed(users: int, connections: int, done: list[Finished], tool: Plimsoll) -> Crowd:
    """What all processes of a crowd say, together."""
    failed = [d.complaint() for d in done if d.timed_out or d.code not in tool.good_codes]
    if failed:
        return Crowd(users, len(done), 0, 0, connections, 0, {}, [], "; ".join(failed))
    runs = [json.loads(d.stdout) for d in done]
    failures: dict[str, int] = {}
    for run in runs:
        for name, count in run["outcomes"].items():
            if name != "ok" and count:
                failures[name] = failures.get(name, 0) + count
    return Crowd(
        users=users,
        parts=len(done),
        rss_bytes=sum(run["generator"]["rss_bytes"] for run in runs),
        high_water_bytes=sum(d.rss_bytes for d in done),
        connections=connections,
        requests=sum(run["requests"] for run in runs),
        failures=failures,
        codes=sorted({v["code"] for run in runs for v in run["validity"]}),
    )


def _row(crowd: Crowd, one: Crowd, kb_max: int) -> list[str]:
    if crowd.complaint:
        return [f"{crowd.users:,}", str(crowd.parts), "failed", "", "", "", "", crowd.complaint, "", "no"]
    each = (crowd.rss_bytes - crowd.parts * one.rss_bytes) / crowd.users
    seen = (crowd.high_water_bytes - crowd.parts * one.high_water_bytes) / crowd.users
    # Every user must have been there, by the server's count: one that never connected costs nothing.
    complete = min(crowd.connections, crowd.requests) >= crowd.users and not crowd.failures
    return [
        f"{crowd.users:,}",
        str(crowd.parts),
        f"{crowd.rss_bytes / 1e6:.1f}",
        f"{each / 1024:.1f}",
        f"{seen / 1024:.1f}",
        f"{crowd.connections:,}",
        f"{crowd.requests:,}",
        ", ".join(f"{name} {count}" for name, count in crowd.failures.items()) or "none",
        ", ".join(crowd.codes) or "valid",
        "yes" if complete and each <= kb_max * 1024 else "no",
    ]


def _split_note(crowds: list[Crowd], descriptors: int) -> str:
    split = [crowd for crowd in crowds if crowd.parts > 1]
    return "\n".join(
        f"{crowd.users:,} users were split over {crowd.parts} generators and {crowd.parts} servers "
        f"(127.0.0.2 and on), because a process here may have {descriptors:,} descriptors and nobody may raise that."
        for crowd in split
    )


def _command(tool: Plimsoll, load: Load) -> Command:
    return pausing(tool.closed(load))


def pausing(command: Command) -> Command:
    """With a second of thought after each answer."""
    return Command([*command.argv, "--think", "1s"], command.env)
