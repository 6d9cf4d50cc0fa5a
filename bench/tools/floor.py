"""The floor: a bare loop in C that does nothing but send and receive. Not a tool; what no tool can go below."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from process import Command, Finished
from tools.base import Load, Reading, Tool, number

SOURCE = Path(__file__).resolve().parent.parent / "floor.c"


class Floor(Tool):
    """`bench/floor.c`, compiled when it is wanted."""

    name = "bare C loop"
    cost_note = "the floor; it parses nothing and records nothing (`bench/floor.c`)"
    # It reads no latencies, so it has no part in `truth`.
    truth_connections = ()

    def locate(self) -> Path | None:
        """Compiled into a folder of its own, if there is a compiler."""
        compiler = shutil.which("cc")
        if compiler is None:
            return None
        binary = Path(tempfile.gettempdir()) / f"plimsoll-floor-{SOURCE.stat().st_mtime_ns}"
        if not binary.exists():
            subprocess.run([compiler, "-O2", "-D_GNU_SOURCE", "-o", str(binary), str(SOURCE)], check=True)
        return binary

    def closed(self, load: Load) -> Command:
        """One epoll loop."""
        return self._run("closed", load, load.connections)

    def open(self, load: Load) -> Command:
        """One sleep for each request."""
        return self._run("open", load, load.rate or 0)

    def read(self, done: Finished, load: Load) -> Reading:
        """It prints how many answers it had."""
        return Reading(int(number(r"^(\d+)$", done.stdout)))

    def version(self) -> str:
        """It has none."""
        return ""

    def gaps(self, seconds: int) -> Command:
        """What the machine itself takes from a program that only reads the clock."""
        return Command([str(self.binary), "gaps", "0", str(seconds), "0"])

    def _run(self, model: str, load: Load, count: int) -> Command:
        return Command([str(self.binary), model, str(urlsplit(load.url).port), str(load.seconds), str(count)])
