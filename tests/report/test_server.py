"""The site over HTTP: what is answered, to whom, and that no path leads out of the folder."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from arena.errors import StoreError
from arena.report.server import AT_A_TIME, SiteServer, is_loopback

Answer = tuple[int, dict[str, str], bytes]


def make(file: str) -> bytes | None:
    if file == "games/9-9-9.html":
        raise StoreError("damaged")
    return b"made" if file == "games/1-1-0.html" else None


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SiteServer]:
    site = tmp_path / "site"
    (site / "bots").mkdir(parents=True)
    (site / "index.html").write_text("<p>first")
    (site / "bots/1.html").write_text("<p>bot")
    (site / "game.js").write_text("1")
    (tmp_path / "secret.json").write_text("no")
    (site / ".hidden.html").write_text("no")
    with SiteServer(("127.0.0.1", 0), site, make, lambda: b'{"words":"1 of 2"}') as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server: SiteServer, path: str, method: str = "GET", **headers: str) -> Answer:
    with closing(http.client.HTTPConnection("127.0.0.1", server.server_port)) as connection:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()


@pytest.mark.parametrize(
    ("path", "kind", "content"),
    [
        ("/", "text/html", b"<p>first"),
        ("/index.html?again", "text/html", b"<p>first"),
        ("/bots/1.html", "text/html", b"<p>bot"),
        ("/game.js", "text/javascript", b"1"),
        ("/games/1-1-0.html", "text/html", b"made"),
        ("/progress.json", "application/json", b'{"words":"1 of 2"}'),
    ],
)
def test_files_pages_made_when_asked_for_and_progress_are_answered(
    server: SiteServer, path: str, kind: str, content: bytes
) -> None:
    status, headers, found = ask(server, path)
    assert (status, found) == (200, content)
    assert headers["Content-Type"] == f"{kind}; charset=utf-8"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert ask(server, path, "HEAD")[2] == b""


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.json", "/bots/../../secret.json", "/%2e%2e/secret.json", "/.hidden.html",
        "/bots/", "/bots", "/missing.html", "/games/1-1-1.html", "/etc/passwd",
    ],
)  # fmt: skip
def test_nothing_else_is_found(server: SiteServer, path: str) -> None:
    status, _, content = ask(server, path)
    assert (status, content[:12]) == (404, b"no such page")


def test_an_unchanged_file_is_not_sent_again(server: SiteServer) -> None:
    tag = ask(server, "/")[1]["ETag"]
    status, _, content = ask(server, "/", **{"If-None-Match": tag})
    assert (status, content) == (304, b"")
    assert ask(server, "/", **{"If-None-Match": '"other"'})[0] == 200


def test_results_that_cannot_be_read_are_said_so(server: SiteServer) -> None:
    assert ask(server, "/games/9-9-9.html")[0] == 503


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "localhost.evil.example", ""])
def test_a_page_from_elsewhere_cannot_read_along(server: SiteServer, host: str) -> None:
    assert ask(server, "/", Host=host)[0] == 421


@pytest.mark.parametrize("host", ["localhost", "localhost:8765", "127.0.0.1:1", "[::1]:8765"])
def test_this_machine_s_own_names_are_answered(server: SiteServer, host: str) -> None:
    assert ask(server, "/", Host=host)[0] == 200


def test_methods_that_change_something_are_refused(server: SiteServer) -> None:
    assert ask(server, "/", "POST")[0] == 501


def is_answered(server: SiteServer) -> bool:
    try:
        return ask(server, "/")[0] == 200
    except (ConnectionError, http.client.HTTPException):
        return False


def test_too_many_at_a_time_are_turned_away_and_others_answered_later(server: SiteServer) -> None:
    address = ("127.0.0.1", server.server_port)
    silent = [socket.create_connection(address) for _ in range(AT_A_TIME)]
    with closing(socket.create_connection(address)) as turned_away:
        assert turned_away.recv(1) == b""
    for one in silent:
        one.close()
    assert any(is_answered(server) for _ in range(10_000))


def test_the_address_is_one_to_open(server: SiteServer) -> None:
    assert server.url == f"http://127.0.0.1:{server.server_port}/"
    assert json.loads(ask(server, "/progress.json")[2]) == {"words": "1 of 2"}
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost")] == [True] * 3
    assert [is_loopback(host) for host in ("0.0.0.0", "192.168.1.2", "::", "example.org")] == [
        False
    ] * 4
