"""`python3 bench/verdicts.py`: whether Hurl files get the verdict of `hurl` itself, assert by assert.

An oracle that is not part of `bench all`: it measures no load. Each line of `scripts/verdicts.txt` is an assert on one fixed
answer (captures, options and whole requests too); `hurl --test` and `plimsoll run` go through it once, and must agree
whether it holds, and where it does not.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tools.plimsoll import built

LINES = Path(__file__).resolve().parent / "scripts" / "verdicts.txt"
TIME_LIMIT_S = 20.0
JSON = b'{"id": 7, "name": "Ada \\u00e9", "pi": 3.5, "big": 12345678901234567890, "no": null, "yes": true, "empty": [], ' \
    b'"tags": ["a", "b", "c"], "items": [{"n": 1, "s": "x"}, {"n": 2, "s": "y"}], "at": "2026-11-21T10:00:00Z", ' \
    b'"b64": "aGVsbG8=", "html": "a &lt; b", "url": "http://h/p?q=a%20b&r=2", "ip": "127.0.0.1", ' \
    b'"uuid": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "nested": {"deep": {"er": [1, [2, 3]]}}}'
XML = b'<?xml version="1.0"?><users><user id="1">Ada</user><user id="2">Bob</user></users>'
HTML = b"<html><head><title>Hello</title></head><body><p class='a'>one</p><p>two</p></body></html>"


class Server(BaseHTTPRequestHandler):
    """The fixed answers."""

    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, kind, body = 200, "application/json", JSON
        path = self.path.split("?")[0]
        more = [("Set-Cookie", "sid=abc; Path=/; HttpOnly; Max-Age=60"), ("X-Two", "a"), ("X-Two", "b"), ("ETag", '"v1"')]
        if path == "/xml":
            kind, body = "application/xml", XML
        elif path == "/html":
            kind, body = "text/html; charset=utf-8", HTML
        elif path == "/latin":
            kind, body = "text/plain; charset=iso-8859-1", "caf\u00e9".encode("latin-1")
        elif path == "/go":
            status, more = 302, [("Location", "/json")]
        elif path == "/missing":
            status, kind, body = 404, "text/plain", b"not here"
        elif path == "/echo":
            kind, body = "text/plain", f"{self.command} {self.path} {self.headers.get('X-In') or ''}".encode()
        self.send_response(status)
        for name, value in [("Content-Type", kind), *more, ("Content-Length", str(len(body)))]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_DELETE = _answer

    def log_message(self, *_: object) -> None:
        """Nothing."""


@dataclass(frozen=True)
class Verdict:
    """What a tool says: whether it holds, or whether the file is refused; and the line where it does not hold."""

    word: str
    line: int | None = None


def main() -> int:
    """Returns the exit code: 0 if both agree everywhere."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hurl", default=shutil.which("hurl"), help="the oracle")
    parser.add_argument("--plimsoll", default=str(built("plimsoll")), help="ours")
    asked = parser.parse_args()
    if not asked.hurl:
        print("error: `hurl` is not installed: `cargo install hurl`, or name it with --hurl", file=sys.stderr)
        return 2
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"http://127.0.0.1:{server.server_address[1]}"
    differ, earlier, counts = [], [], {"hold": 0, "fail": 0, "refused": 0}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "one.hurl"
        for text in cases(LINES.read_text(encoding="utf-8")):
            file.write_text(text, encoding="utf-8")
            theirs = _hurl(asked.hurl, file, host)
            ours = _plimsoll(asked.plimsoll, file, host)
            counts[theirs.word] += 1
            if (theirs.word, ours.word) == ("fail", "refused"):
                # What can never hold is a mistake of the file, and known before anything is sent.
                earlier.append(text)
            elif theirs != ours:
                differ.append((text, theirs, ours))
    total = sum(counts.values())
    print(
        f"{total} cases: {counts['hold']} hold, {counts['fail']} do not, {counts['refused']} are refused; {len(differ)} differ, "
        f"{len(earlier)} are refused before the run where hurl fails in it"
    )
    for text, theirs, ours in differ:
        print(f"--- hurl: {theirs.word} {theirs.line or ''}, plimsoll: {ours.word} {ours.line or ''}\n{text}")
    return 1 if differ else 0


def cases(text: str) -> list[str]:
    """A line is an assert on `/json`, or on another path before `|`; a block between two lines of dashes is a whole file."""
    found: list[str] = []
    for block in re.split(r"^----+\n", text, flags=re.MULTILINE):
        if block.lstrip().startswith(("GET ", "POST ", "PUT ", "DELETE ")):
            found.append(block)
            continue
        for line in block.splitlines():
            if line.strip() and not line.startswith("#"):
                path, found_path, rest = line.partition(" | ")
                path, rest = (path, rest) if found_path and path.startswith("/") else ("/json", line)
                found.append(f"GET {{{{host}}}}{path}\nHTTP *\n[Asserts]\n{rest}\n")
    return found


def _hurl(binary: str, file: Path, host: str) -> Verdict:
    argv = [binary, "--test", "--no-color", "--variable", f"host={host}", str(file)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
    if done.returncode == 0:
        return Verdict("hold")
    if done.returncode == 2:
        return Verdict("refused")
    found = re.search(r"-->\s+\S+?:(\d+):", done.stderr)
    return Verdict("fail", int(found.group(1)) if found else None)


def _plimsoll(binary: str, file: Path, host: str) -> Verdict:
    argv = [binary, "run", str(file), "--variable", f"host={host}", "--quiet"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
    if done.returncode == 0:
        return Verdict("hold")
    if done.returncode == 2:
        return Verdict("refused")
    found = re.search(r"^\s+at\s+\S+?:(\d+)$", done.stdout, re.MULTILINE)
    return Verdict("fail", int(found.group(1)) if found else None)


if __name__ == "__main__":
    sys.exit(main())
