"""The site over HTTP: files of one folder, pages made when asked for, and how far the run is.

It knows paths, hosts and headers; it never knows what a page tells. Names are those of the site's
own files and nothing else, so that no path leads out of the folder. Every answer ends its
connection, and only so many are given at a time: it may be left open for days. On a loopback
address only requests for a loopback name are answered, so that no page from elsewhere can read
along under a name of its own that leads here.
"""

import hashlib
import re
import socket
import sys
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import urlsplit

from arena.errors import StoreError

FILE = re.compile(r"(?:[a-z]+/)?[a-z0-9-]+\.(html|css|js|csv|json)")
"""The names that files of a site have."""
KINDS = {
    "html": "text/html", "css": "text/css", "js": "text/javascript", "csv": "text/csv",
    "json": "application/json",
}  # fmt: skip
PROGRESS = "progress.json"
LOOPBACK = re.compile(r"(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?")
AT_A_TIME = 64
"""Requests that are answered at a time; more are turned away."""
_HEADERS = {
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def is_loopback(host: str) -> bool:
    """Tell whether an address or name is this machine's own, which no other can reach."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class SiteServer(ThreadingHTTPServer):
    """Serves one folder until it is shut down."""

    daemon_threads = True
    request_queue_size = AT_A_TIME  # with the five that Python keeps waiting, more wait a second

    def __init__(
        self,
        address: tuple[str, int],
        folder: Path,
        make: Callable[[str], bytes | None],
        progress: Callable[[], bytes],
    ) -> None:
        """Listen at a host and port, 0 for any free one; `make` gives pages not in `folder`.

        Both functions are called from many threads. Raises `OSError` where it cannot listen.
        """
        host, _ = address
        self.folder, self.make, self.progress = folder, make, progress
        self.is_private = is_loopback(host)
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._free = BoundedSemaphore(AT_A_TIME)
        super().__init__(address, _Handler)

    @property
    def url(self) -> str:
        """Give the address of the first page."""
        host, port = self.server_address[:2]
        name = str(host)
        return f"http://{f'[{name}]' if ':' in name else name}:{port}/"

    def content(self, file: str) -> bytes | None:
        """Give a file of the site; None where there is none."""
        if file == PROGRESS:
            return self.progress()
        for _ in range(5):
            try:
                return (self.folder / file).read_bytes()
            except FileNotFoundError:
                if self.folder.exists():
                    break
                time.sleep(0.02)  # a new site is just being put in place
        return self.make(file)

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  # as above
        """Answer in a thread, or turn away where too many are being answered."""
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Answer, and make room for the next."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401
        """Say nothing of clients that went away."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """One request; a client that says nothing is let go of."""

    server: SiteServer
    timeout = 10
    server_version, sys_version = "arena", ""

    def do_GET(self) -> None:
        """Answer with a file."""
        if self.server.is_private and not LOOPBACK.fullmatch(self.headers.get("Host", "")):
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "ask for localhost")
            return
        file = urlsplit(self.path).path.removeprefix("/") or "index.html"
        kind = FILE.fullmatch(file)
        try:
            content = self.server.content(file) if kind else None
        except StoreError:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "the results cannot be read")
            return
        if content is None or kind is None:
            self._refuse(HTTPStatus.NOT_FOUND, "no such page, or it may not be shown yet")
            return
        tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        if self.headers.get("If-None-Match") == tag:
            self._answer(HTTPStatus.NOT_MODIFIED, b"", KINDS[kind[1]], tag)
        else:
            self._answer(HTTPStatus.OK, content, KINDS[kind[1]], tag)

    do_HEAD = do_GET  # noqa: N815

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self._answer(status, f"{why}\n".encode(), "text/plain")

    def _answer(self, status: HTTPStatus, content: bytes, kind: str, tag: str = "") -> None:
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        if tag:
            self.send_header("ETag", tag)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep quiet: it may be left open for days."""
