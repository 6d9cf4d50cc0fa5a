"""Results as Markdown, kept between markers in `docs/benchmarks.md`: a part that is run again replaces its own block."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tools import Tool
from tools.plimsoll import ROOT

FIGURE_STARTS = "0123456789+-—"
DOCUMENT = ROOT / "docs" / "benchmarks.md"
HEADER = """# Benchmarks

Tables are the output of `make bench` (`python3 bench all`), or of one of its parts; what each part does, and how to read it, is in
[`bench/README.md`](../bench/README.md). Figures of different dates or machines do not compare; rows of one table do.
"""


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, aligned for readers of the source too; columns of figures stand to the right."""
    body = [[cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    columns = []
    for title, *cells in zip(head, *body, strict=True):
        figures = all(cell[:1] in FIGURE_STARTS for cell in cells if cell)
        width = max(2, *(len(cell) for cell in [title, *cells]))
        rule = "-" * (width - 1) + (":" if figures else "-")
        columns.append([cell.rjust(width) if figures else cell.ljust(width) for cell in [title, rule, *cells]])
    return "\n".join(f"| {' | '.join(line)} |" for line in zip(*columns, strict=True))


def machine() -> str:
    """Where and when: without it no figure means anything."""
    # Not our affinity: this process has pinned itself.
    cores = os.cpu_count()
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return f"{_processor()}, {cores} cores, Linux {platform.release()}, {now}"


def versions(tools: Sequence[Tool], missing: Sequence[str] = ()) -> str:
    """What was compared, and what was not there."""
    found = ", ".join(f"{tool.name} {tool.version()}" for tool in tools)
    return f"Versions: {found}." + (f" Not found: {', '.join(missing)}." if missing else "")


def commands(lines: Sequence[str]) -> str:
    """Exact command lines."""
    return "\n".join(["```sh", *lines, "```"])


def write(part: str, body: str) -> Path:
    """Puts a part's block into the document."""
    text = DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else HEADER
    first, last = f"<!-- bench:{part} -->", f"<!-- /bench:{part} -->"
    block = f"{first}\n{body.strip()}\n{last}"
    before, found, rest = text.partition(first)
    if found and last in rest:
        text = before + block + rest.partition(last)[2]
    else:
        text = text.rstrip() + f"\n\n{block}\n"
    DOCUMENT.parent.mkdir(exist_ok=True)
    DOCUMENT.write_text(text, encoding="utf-8")
    return DOCUMENT.relative_to(ROOT)


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
