"""The target: our testkit on a core of its own, and what it counted. Tools are not believed without it."""

from __future__ import annotations

import contextlib
import json
import select
import subprocess
import urllib.request
from pathlib import Path

from process import child_setup

START_LIMIT_S = 10.0
GREETING = "listening on "


class ServerError(RuntimeError):
    """The target did not start, or does not answer."""


class Testkit:
    """One running testkit; leaving its `with` block ends it."""

    def __init__(self, binary: Path, core: int, address: str = "127.0.0.1") -> None:
        if not binary.exists():
            raise ServerError(f"`{binary.name}` is not built: run `make build` first")
        self._asked = 0
        self._child = subprocess.Popen(
            [str(binary), "--listen", f"{address}:0", "--threads", "1", "--exit-with-parent"],
            # Its standard input stays open as long as this program lives: its end is what ends the server.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=child_setup(core),
            start_new_session=True,
        )
        try:
            self.url = self._greeting()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Testkit:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the server."""
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()

    def requests(self) -> int:
        """Whole requests received so far; the server leaves out those for `/stats` itself."""
        return int(self._stats()["requests"])

    def resumed(self) -> int:
        """It is asked without TLS."""
        return 0

    def connections(self) -> int:
        """Connections accepted so far, without those of our own questions."""
        return int(self._stats()["connections"]["accepted"]) - self._asked

    def _stats(self) -> dict:
        # No proxy of the environment: the address exists in our namespace only.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(f"{self.url}/stats", timeout=START_LIMIT_S) as answer:
                self._asked += 1
                return json.load(answer)
        except (OSError, ValueError) as error:
            raise ServerError(f"`/stats` of the testkit does not answer: {error}") from error

    def _greeting(self) -> str:
        out = self._child.stdout
        assert out is not None
        ready, _, _ = select.select([out], [], [], START_LIMIT_S)
        line = out.readline().strip() if ready else ""
        if not line.startswith(GREETING):
            raise ServerError(f"the testkit did not say where it listens, but `{line}`")
        return line.removeprefix(GREETING).rstrip("/")
