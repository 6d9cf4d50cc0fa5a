"""Cost: how many requests a generator makes from one second of CPU. Whoever needs less of it measures more with the
same machine, and disturbs less what it measures.
"""

from __future__ import annotations

import document
from bench import Bench
from rounds import alternate, report
from tools import Load

CLOSED_CONNECTIONS = 64
# Divides the rate, for those who want one for each connection.
OPEN_CONNECTIONS = 50
OPEN_RATE = 2000


def measure(bench: Bench) -> str:
    """Both models; returns the block for the document."""
    tools, missing = bench.able("closed", "open")
    with bench.testkit() as server:
        closed = Load(f"{server.url}/", 0, CLOSED_CONNECTIONS, None)
        opened = Load(f"{server.url}/", 0, OPEN_CONNECTIONS, OPEN_RATE)
        closed_rows, open_rows = alternate(bench, server, closed), alternate(bench, server, opened)
    parts = [
        "## Cost: requests per CPU second of the generator",
        document.machine() + f". {bench.rounds} alternating rounds of {bench.seconds} s; the generator on one core, the "
        "server (`plimsoll-testkit`, one thread) on another, loopback in a network namespace of their own. "
        "CPU is user + system of the whole process tree as the kernel counts it, requests are what the server received.",
        document.versions(tools, missing),
        f"### Closed model, HTTP/1.1 keep-alive, {CLOSED_CONNECTIONS} connections, as fast as they go",
        report(closed_rows, "wrk", closed, bench.seconds),
        f"### Open model, {OPEN_RATE} requests a second",
        f"Tools that are bound to connections get {OPEN_CONNECTIONS}. A tool's start counts: here it is not lost in the crowd.",
        report(open_rows, "h2load", opened, bench.seconds),
        "\n".join(f"- {tool.name}: {tool.cost_note}." for tool in tools if tool.cost_note),
    ]
    return "\n\n".join(part for part in parts if part)
