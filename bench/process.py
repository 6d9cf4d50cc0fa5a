"""Processes that are pinned, timed, and never left behind.

CPU time is the kernel's own account (wait4), which counts the process and every descendant it waited for: no tool is
asked how much it used. Should this program be killed, the kernel kills its children (PR_SET_PDEATHSIG).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PR_SET_PDEATHSIG = 1
TAIL_LINES = 6
# How often memory is looked at where that was asked for. The high-water mark only rises, so the last look is right
# but for what was added in this time.
LOOK_EVERY_S = 0.1

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Command:
    """What is run: words, and what is added to the environment."""

    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Finished:
    """What a process did, and what it cost."""

    code: int
    stdout: str
    stderr: str
    cpu_s: float
    wall_s: float
    rss_bytes: int  # high-water mark; 0 where nobody looked
    timed_out: bool = False

    def complaint(self) -> str:
        """The last lines it said, for a person who wonders why it failed."""
        said = [line for line in (self.stderr + "\n" + self.stdout).splitlines() if line.strip()]
        how = "took too long and was killed" if self.timed_out else f"exit code {self.code}"
        return "\n".join([how, *said[-TAIL_LINES:]])


def raise_descriptors() -> int:
    """Raises the limit of descriptors as far as this process may, for itself and its children; returns it."""
    wanted = 1 << 20
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        hard = wanted
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(wanted, hard), max(wanted, hard)))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def child_setup(core: int | set[int]) -> Callable[[], None]:
    """What a child does before it becomes the program: go to its core or cores, and promise to die with its parent."""
    parent, cores = os.getpid(), {core} if isinstance(core, int) else core

    def setup() -> None:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
        os.sched_setaffinity(0, cores)

    return setup


class Running:
    """A process that was started; leaving its `with` block ends it and whatever it started."""

    def __init__(self, command: Command, core: int | set[int]) -> None:
        # Files, not pipes: a full pipe would hold up the very program that is measured.
        self._out = tempfile.TemporaryFile()
        self._err = tempfile.TemporaryFile()
        self._rss_bytes = 0
        self._began = time.monotonic()
        self._child = subprocess.Popen(
            list(command.argv),
            env={**os.environ, **command.env},
            stdin=subprocess.DEVNULL,
            stdout=self._out,
            stderr=self._err,
            preexec_fn=child_setup(core),
            start_new_session=True,
        )
        self._end = os.pidfd_open(self._child.pid)

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        # The whole session, also after a normal end: a tool may have left children.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        if self._child.returncode is None:
            self._reap()
        os.close(self._end)
        self._out.close()
        self._err.close()

    def wait(self, limit_s: float) -> Finished:
        """Waits until it ends, or kills it after `limit_s`."""
        return self._finish(timed_out=not self._ended(limit_s))

    def _ended(self, within_s: float) -> bool:
        poller = select.poll()
        poller.register(self._end, select.POLLIN)
        return bool(poller.poll(max(0.0, within_s) * 1000))

    def _look(self) -> None:
        self._rss_bytes = max(self._rss_bytes, high_water_bytes(self._child.pid))

    def _finish(self, timed_out: bool) -> Finished:
        if timed_out:
            os.killpg(self._child.pid, signal.SIGKILL)
        usage = self._reap()
        return Finished(
            code=self._child.returncode,
            stdout=_read(self._out),
            stderr=_read(self._err),
            cpu_s=usage.ru_utime + usage.ru_stime,
            wall_s=time.monotonic() - self._began,
            rss_bytes=self._rss_bytes,
            timed_out=timed_out,
        )

    def _reap(self) -> resource.struct_rusage:
        _, status, usage = os.wait4(self._child.pid, 0)
        self._child.returncode = os.waitstatus_to_exitcode(status)
        return usage


def run(command: Command, core: int | set[int], limit_s: float) -> Finished:
    """Runs a command to its end on one core, or several."""
    with Running(command, core) as running:
        return running.wait(limit_s)


def wait_together(running: Sequence[Running], limit_s: float) -> list[Finished]:
    """Waits for all of them, and looks at the memory of each meanwhile."""
    deadline = time.monotonic() + limit_s
    pending = list(running)
    while pending and time.monotonic() < deadline:
        for process in pending:
            process._look()
        pending[0]._ended(LOOK_EVERY_S)
        pending = [process for process in pending if not process._ended(0)]
    return [process._finish(timed_out=process in pending) for process in running]


def high_water_bytes(pid: int) -> int:
    """VmHWM. Not `ru_maxrss`: that starts with the memory of the parent which forked it, here an interpreter."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0


def softirq_s(core: int) -> float:
    """CPU time of the kernel's network thread of a core so far: packets it handles are charged to no program."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (folder / "comm").read_text(encoding="ascii").strip() == f"ksoftirqd/{core}":
                return int((folder / "schedstat").read_text(encoding="ascii").split()[0]) / 1e9
    return 0.0


def _read(file: object) -> str:
    file.seek(0)  # type: ignore[attr-defined]
    return file.read().decode("utf-8", "replace")  # type: ignore[attr-defined]
