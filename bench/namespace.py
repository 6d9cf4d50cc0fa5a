"""A network namespace of our own, so that a benchmark neither disturbs this machine's network nor is disturbed by it.

It is made with unshare(2) and has no name: the kernel removes it with the last process inside, even after SIGKILL.
One made by `ip netns add` would stay behind whenever its maker could not clean up.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

CLONE_NEWNET = 0x40000000
HOME = "/proc/self/ns/net"

# /proc/sys/net shows the values of the namespace that the reader is in.
SETTINGS = {
    "ipv4/ip_local_port_range": "1024 65535",
    "ipv4/tcp_max_syn_backlog": "65535",
    "core/somaxconn": "65535",
    # Other algorithms (bbr) pace packets by timers, which on loopback measures the timers.
    "ipv4/tcp_congestion_control": "reno",
}


class NamespaceError(RuntimeError):
    """The namespace could not be made."""


@contextmanager
def own_namespace() -> Iterator[None]:
    """Moves this process, and every process it starts meanwhile, into a new network namespace with only loopback."""
    if os.geteuid() != 0:
        raise NamespaceError("a network namespace of one's own needs root: run it as root, or with sudo")
    libc = ctypes.CDLL(None, use_errno=True)
    home = os.open(HOME, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if libc.unshare(CLONE_NEWNET) != 0:
            raise NamespaceError(f"could not make a network namespace: {os.strerror(ctypes.get_errno())}")
        try:
            _furnish()
            yield
        finally:
            libc.setns(home, CLONE_NEWNET)
    finally:
        os.close(home)


def _furnish() -> None:
    try:
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise NamespaceError("`ip` is missing: install iproute2") from error
    except subprocess.CalledProcessError as error:
        raise NamespaceError(f"could not bring loopback up: {error.stderr.strip()}") from error
    for name, value in SETTINGS.items():
        try:
            with open(f"/proc/sys/net/{name}", "w", encoding="ascii") as setting:
                setting.write(value)
        except OSError as error:
            raise NamespaceError(f"could not set `net/{name}` to `{value}`: {error.strerror}") from error
