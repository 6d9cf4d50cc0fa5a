"""HTTP/2: how many requests a generator makes from one second of CPU when it speaks HTTP/2 over TLS: many at once on a
few connections, as gateways do it, and one at a time on many, as browsers and telephones come.
"""

from __future__ import annotations

import document
from bench import Bench
from nginx import SecureNginx
from rounds import alternate, report, wanted
from tools import Load

# Connections, and requests at once on each.
SHAPES = ((4, 16), (64, 1))


def measure(bench: Bench) -> str:
    """Both shapes; returns the block for the document."""
    tools, missing = bench.able("http2")
    tables = []
    for connections, streams in SHAPES:
        with SecureNginx(bench.server_core, http2=True) as server:
            load = Load(f"{server.url}/", 0, connections, None, streams=streams)
            rows = alternate(bench, server, load)
            version = server.version()
        tables += [
            f"### {connections} connections, {streams} {'stream' if streams == 1 else 'streams'} on each",
            wanted(rows, "plimsoll", "oha") + (" " + wanted(rows, "plimsoll", "h2load", "Aim") if streams > 1 else ""),
            report(rows, "oha", load, bench.seconds),
        ]
    parts = [
        "## HTTP/2: requests per CPU second of the generator",
        f"{document.machine()}. {bench.rounds} alternating rounds of {bench.seconds} s; over TLS 1.3, as fast as it goes. The "
        f"server is nginx {version} with one process, which never closes a connection. CPU is the kernel's account of the "
        "generator, requests are what nginx counted (`stub_status`).",
        document.versions(tools, missing),
        *tables,
        "\n".join(f"- {tool.name}: {tool.http2_note}." for tool in tools if tool.http2_note),
    ]
    return "\n\n".join(part for part in parts if part)
