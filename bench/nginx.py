"""nginx as the target, with TLS and HTTP/2, or as a small API in the clear: somebody else's server, so that no figure
depends on our own.

One process (`master_process off`): it is on one core, and dies with this program as every other child does. The ports
are below those that connections come from, and belong to our namespace.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from process import child_setup
from server import START_LIMIT_S, ServerError

PORT, CLEAR_PORT, STATUS_PORT = 443, 80, 81
BODY = "hello"
AUTHORITY, LOG = "authority.pem", "seen.log"
# What the API answers where. The journey of `scripts/` knows these places.
API = {
    "/login": """return 200 '{"token":"eyJhbGciOiJIUzI1NiJ9.dXNlcj03.5zqHkJt0","user":{"id":7,"roles":["buyer"]}}';""",
    "/products": """return 200 '{"items":[{"sku":"tea","price":4.5},{"sku":"cup","price":7}],"total":2}';""",
    "/profile": """return 200 '{"id":7,"name":"Ada","roles":["buyer"],"since":"2019-04-01"}';""",
    "/orders": """return 201 '{"id":42,"state":"new","items":[{"sku":"tea","count":2}]}';""",
    "/orders/42": """if ($request_method = DELETE) { return 204; }
            return 200 '{"id":42,"state":"open","items":[{"sku":"tea","count":3}]}';""",
    "/logout": "return 204;",
}
LOOK_EVERY_S = 0.02


@dataclass(frozen=True)
class Logged:
    """Requests that nginx wrote down, TLS handshakes among them, and how many of these continued an earlier session."""

    requests: int = 0
    handshakes: int = 0
    resumed: int = 0

    def __add__(self, other: Logged) -> Logged:
        return Logged(self.requests + other.requests, self.handshakes + other.handshakes, self.resumed + other.resumed)


def logged(log: bytes) -> Logged:
    """A line is a request's number on its connection, and `r` if the session was resumed: only a first one had a handshake."""
    lines = log.split()
    return Logged(len(lines), sum(line in (b"1r", b"1.") for line in lines), lines.count(b"1r"))


class Nginx:
    """One running nginx; leaving its `with` block ends it."""

    def __init__(self, core: int, url: str, sites: str) -> None:
        binary = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
        if binary is None:
            raise ServerError("nginx is not installed: `make bench` installs it")
        self._binary = binary
        self.url = url
        self._asked = 0
        self._folder = tempfile.TemporaryDirectory(prefix="plimsoll-bench-")
        self.home = Path(self._folder.name)
        self._words = self.home / "stderr"
        self.prepare()
        (self.home / "nginx.conf").write_text(configuration(sites), encoding="ascii")
        with self._words.open("wb") as stderr:
            self._child = subprocess.Popen(
                [binary, "-p", str(self.home), "-c", "nginx.conf", "-e", "stderr"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                preexec_fn=child_setup(core),
                start_new_session=True,
            )
        try:
            self._await_start()
        except BaseException:
            self.close()
            raise

    def prepare(self) -> None:
        """Puts into its folder what its configuration names."""

    def __enter__(self) -> Nginx:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the server."""
        self._child.kill()
        self._child.wait()
        self._folder.cleanup()

    def requests(self) -> int:
        """Whole requests received so far, without our own questions."""
        return self._status()[1]

    def resumed(self) -> int:
        """TLS sessions that continued an earlier one: here there are none."""
        return 0

    def connections(self) -> int:
        """Connections accepted so far, without those of our own questions."""
        return self._status()[0]

    def version(self) -> str:
        """What it calls itself."""
        said = subprocess.run([self._binary, "-v"], capture_output=True, text=True, check=False)
        found = re.search(r"nginx/(\S+)", said.stderr)
        return found.group(1) if found else "unknown"

    def _status(self) -> tuple[int, int]:
        """`stub_status`: connections and requests, without our own."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(f"http://127.0.0.1:{STATUS_PORT}/", timeout=START_LIMIT_S) as answer:
                self._asked += 1
                connections, requests = counts_of(answer.read().decode("ascii"))
                # It was looked at once by a connection that asked nothing.
                return connections - self._asked - 1, requests - self._asked
        except (OSError, ValueError) as error:
            raise ServerError(f"`stub_status` of nginx does not answer: {error}") from error

    def _await_start(self) -> None:
        deadline = time.monotonic() + START_LIMIT_S
        while time.monotonic() < deadline:
            if self._child.poll() is not None:
                raise ServerError(f"nginx did not start: {self._words.read_text(encoding='utf-8', errors='replace').strip()}")
            # The plain port: a connection that says nothing to the other would be a failed handshake.
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", STATUS_PORT), 1):
                return
            time.sleep(LOOK_EVERY_S)
        raise ServerError("nginx started, but does not listen")


class SecureNginx(Nginx):
    """In TLS, with HTTP/2 or without."""

    def __init__(self, core: int, http2: bool, tickets: bool = True) -> None:
        self._http2 = http2
        self._seen, self._offset = Logged(), 0
        super().__init__(core, f"https://127.0.0.1:{PORT}", secure_site(http2, tickets))

    def prepare(self) -> None:
        """Its certificate."""
        certify(self.home)
        self.authority = self.home / AUTHORITY

    def requests(self) -> int:
        """What is counted: requests over HTTP/2, handshakes where every request has one."""
        return super().requests() - self._read().requests if self._http2 else self._read().handshakes

    def resumed(self) -> int:
        """Handshakes that continued an earlier session."""
        return self._read().resumed

    def _read(self) -> Logged:
        """What was logged so far; a line that is half written is left for the next look."""
        with (self.home / LOG).open("rb") as log:
            log.seek(self._offset)
            new = log.read()
        whole = new[: new.rfind(b"\n") + 1]
        self._offset += len(whole)
        self._seen += logged(whole)
        return self._seen


class ApiNginx(Nginx):
    """In the clear: the places that a journey goes through, each with an answer in JSON that never changes."""

    def __init__(self, core: int) -> None:
        super().__init__(core, f"http://127.0.0.1:{CLEAR_PORT}", api_site())


def counts_of(status: str) -> tuple[int, int]:
    """Two of the three numbers of `stub_status`, which are accepted, handled, requests."""
    found = re.search(r"^\s*(\d+)\s+\d+\s+(\d+)\s*$", status, re.MULTILINE)
    if found is None:
        raise ValueError(f"no counts in `{status}`")
    return int(found.group(1)), int(found.group(2))


def certify(home: Path) -> None:
    """An authority, and the certificate that it gives our server, for those who verify it."""
    openssl = shutil.which("openssl")
    if openssl is None:
        raise ServerError("openssl is not installed, which makes nginx's certificate: `make bench` installs it")
    kind = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30"]
    _make([*kind, "-subj", "/CN=bench authority", "-keyout", "authority.key", "-out", AUTHORITY], home)
    issuer = ["-CA", AUTHORITY, "-CAkey", "authority.key", "-addext", "basicConstraints=critical,CA:FALSE"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    _make([*kind, *issuer, *names, "-keyout", "key.pem", "-out", "certificate.pem"], home)


def _make(argv: list[str], home: Path) -> None:
    made = subprocess.run(argv, cwd=home, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise ServerError(f"openssl made no certificate: {made.stderr.strip()}")


def configuration(sites: str) -> str:
    """As little as it takes to answer; nothing that would ever close a connection."""
    folders = "".join(f"{name}_temp_path {name}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return f"""
daemon off; master_process off; pid nginx.pid; error_log stderr error; worker_rlimit_nofile 65536;
events {{ worker_connections 16384; }}
http {{
    {folders}
    access_log off;
    keepalive_requests 1000000000; keepalive_timeout 1h;
    {sites}
    server {{
        listen 127.0.0.1:{STATUS_PORT};
        location / {{ stub_status; }}
    }}
}}
"""


def secure_site(http2: bool, tickets: bool) -> str:
    """The same five bytes for everybody, over TLS."""
    # Where HTTP/2 is meant, only what is none of it is written down: a tool that quietly speaks HTTP/1.1 is found out.
    condition = " if=$unexpected" if http2 else ""
    return f"""
    map $server_protocol $unexpected {{ HTTP/2.0 ""; default 1; }}
    log_format seen '$connection_requests$ssl_session_reused';
    http2_max_concurrent_streams 128;
    ssl_certificate certificate.pem; ssl_certificate_key key.pem; ssl_protocols TLSv1.3;
    ssl_session_tickets {"on" if tickets else "off"};
    server {{
        listen 127.0.0.1:{PORT} ssl{" http2" if http2 else ""} backlog=65535;
        access_log {LOG} seen{condition};
        location / {{ return 200 '{BODY}'; }}
    }}
"""


def api_site() -> str:
    """An answer for each place, and for those that one does something to, others by the method."""
    places = "".join(f"location = {path} {{ {rules} }}\n        " for path, rules in API.items())
    return f"""
    default_type application/json;
    server {{
        listen 127.0.0.1:{CLEAR_PORT} backlog=65535;
        {places}location / {{ return 404 '{{"error":"nothing is here"}}'; }}
    }}
"""
