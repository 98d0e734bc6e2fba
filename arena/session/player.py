"""Whoever sits at a table: a bot's session, or a person.

It knows what a match asks of one; it never knows how one answers.
"""

from typing import Protocol

from arena.games.game import View
from arena.protocol import End, Fault, Hello, Ready, Reply, Request
from arena.session.session import ProcessLog


class Player(Protocol):
    """One seat's player, from `hello` to the end; see `arena.session.Session`."""

    @property
    def can_freeze(self) -> bool:
        """Tell whether it stands still while it is not asked."""

    def greet(self, hello: Hello, seconds: float) -> None:
        """Take a seat, and get ready within some seconds."""

    def await_ready(self) -> Ready | Fault:
        """Be ready."""

    def ask(self, request: Request[View], seconds: float) -> tuple[Reply | Fault, int]:
        """Answer a question; give the microseconds that it is charged, too."""

    def farewell(self, end: End, seconds: float) -> None:
        """Hear that it is over, within some seconds."""

    def close(self, grace: float = 0.0) -> ProcessLog:
        """Leave, within some seconds, and give what was written down."""
