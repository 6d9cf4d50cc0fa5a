"""TLS: how many handshakes a generator makes from one second of CPU. A service behind TLS meets new clients all the
time, and a handshake costs both sides a hundred times what a request costs.

Every request is on a new connection. Whether a tool continues earlier sessions is its own affair, and costs it far
less; nginx says whether it did, and once it lets nobody.
"""

from __future__ import annotations

from dataclasses import dataclass

import document
from bench import Bench
from figures import Spread
from nginx import SecureNginx
from rounds import Row, alternate, find, report, wanted
from tools import Load

CONNECTIONS = 64
AIM = 6000


@dataclass(frozen=True)
class Case:
    """What the server and its clients agree on."""

    title: str
    tickets: bool
    verified: bool = False


CASES = (
    Case("Session tickets on; nobody verifies the server", True),
    Case("Session tickets off; nobody verifies the server", False),
    Case("Session tickets off; the server has to prove who it is", False, verified=True),
)


def measure(bench: Bench) -> str:
    """All cases; returns the block for the document."""
    tools, missing = bench.able("fresh")
    tables = []
    for case in CASES:
        with SecureNginx(bench.server_core, http2=False, tickets=case.tickets) as server:
            authority = server.authority if case.verified else None
            load = Load(f"{server.url}/", 0, CONNECTIONS, None, fresh=True, authority=authority)
            rows = alternate(bench, server, load)
            version = server.version()
        tables += [f"### {case.title}", _verdict(rows), report(rows, "oha", load, bench.seconds, "handshakes")]
    parts = [
        "## TLS: handshakes per CPU second of the generator",
        f"{document.machine()}. {bench.rounds} alternating rounds of {bench.seconds} s; a new TLS 1.3 connection for "
        f"every request, {CONNECTIONS} at once, as fast as they go. The server is nginx {version} with one process and a "
        "P-256 certificate of an authority made for it. CPU is the kernel's account of the generator; handshakes are those "
        "that nginx wrote down, and *resumed* is the share of them that continued an earlier session.",
        document.versions(tools, missing),
        *tables,
        "\n".join(f"- {tool.name}: {tool.fresh_note}." for tool in tools if tool.fresh_note),
    ]
    return "\n\n".join(part for part in parts if part)


def _verdict(rows: list[Row]) -> str:
    # Like is compared with like: whoever continues sessions with whoever does.
    other = find(rows, "oha")
    ours = "plimsoll-resuming" if other and other.share_resumed > 0.5 else "plimsoll"
    return f"{wanted(rows, ours, 'oha')} {aim(find(rows, ours))}".rstrip()


def aim(row: Row | None) -> str:
    """How far we are from where we want to be."""
    spread = Spread.of(f for f in row.figures if f is not None) if row else None
    if spread is None:
        return ""
    return f"Aim: {AIM:,} per CPU s, which is {'reached' if spread.middle >= AIM else 'not reached'}."
