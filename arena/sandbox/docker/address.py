"""Where this machine's Docker engine listens, and what keeps the arena from reaching it.

It knows sockets; it never asks the engine for anything, and needs no more than Python itself.
"""

import os
import socket
from pathlib import Path

DEFAULT_IMAGE = "arena-bots"
"""The image that bots run in unless the organiser names another one: `arena image` makes it."""

_SCHEME = "unix://"
_USUAL = "unix:///var/run/docker.sock"
_PATIENCE = 5.0
_NO_NEWS = "%7B%22type%22%3A%5B%22daemon%22%5D%7D"
_LISTEN = f"GET /events?filters={_NO_NEWS} HTTP/1.1\r\nHost: docker\r\n\r\n".encode()


def address() -> str:
    """Give the engine's address: ``DOCKER_HOST``, or the usual one."""
    return os.environ.get("DOCKER_HOST") or _USUAL


def reaching_problem() -> str | None:
    """Say why the engine cannot be reached and what to do about it; None if it can."""
    place = address()
    if not place.startswith(_SCHEME):
        return (
            f"the Docker engine at {place} is not on this machine; DOCKER_HOST has to be unix://…"
        )
    path = Path(place.removeprefix(_SCHEME))
    try:
        _connect().close()
    except FileNotFoundError:
        return (
            f"no Docker engine is at {path}; install and start one (Debian and Ubuntu: "
            "apt-get install docker.io), or say in DOCKER_HOST where it is"
        )
    except PermissionError:
        return (
            f"the Docker engine's socket {path} is not open to you; join its group with "
            "`sudo usermod -aG docker $USER` and log in again, or use a rootless engine"
        )
    except OSError as error:
        return (
            f"no Docker engine answers at {path} ({error.strerror or error}); start it with "
            "`sudo systemctl start docker`"
        )
    return None


def image_missing(image: str) -> str:
    """Say how to get an image that is not there."""
    how = "arena image" if image == DEFAULT_IMAGE else f"docker pull {image}"
    return f"the image {image} is not there; get it with `{how}`"


def _connect() -> socket.socket:
    """Connect to the engine. Raises `OSError`."""
    probe = socket.socket(socket.AF_UNIX)
    try:
        probe.settimeout(_PATIENCE)
        probe.connect(address().removeprefix(_SCHEME))
    except OSError:
        probe.close()
        raise
    return probe


class Lifeline:
    """A connection that lasts as long as the engine: it asks for news that never come.

    An engine that is stopped ends its containers, and one that is started anew answers as if
    nothing had been. Only its old connections tell.
    """

    def __init__(self) -> None:
        """Take hold of the engine. Raises `OSError`."""
        self._socket = _connect()
        self._socket.sendall(_LISTEN)
        self._socket.setblocking(False)
        self._is_broken = False

    def is_broken(self) -> bool:
        """Tell whether the engine that was there at first has ended since."""
        while not self._is_broken:
            try:
                self._is_broken = not self._socket.recv(4_096)
            except BlockingIOError:
                break
            except OSError:
                self._is_broken = True
        return self._is_broken

    def close(self) -> None:
        """Let go of the engine."""
        self._is_broken = True
        self._socket.close()
