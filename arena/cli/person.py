"""A person at the table, asked in the terminal as bots are over their pipes.

It knows where to read and what to print; what a move looks like when it is typed, the scene says.
"""

import sys
from collections.abc import Sequence

from arena.cli.scene import QUESTIONS, draw_table, read_move, show_move, tell
from arena.cli.terminal import print_line
from arena.games.game import View
from arena.games.spades import SpadesView
from arena.protocol import End, Hello, Ready, Reply, Request
from arena.sandbox import Ending
from arena.session import Player, ProcessLog

HELP = "type a move; ? lists what is legal, q leaves and keeps nothing"


class Person:
    """The person at this terminal; no time is charged. `advisor` is who gives hints, if anyone."""

    can_freeze = False

    def __init__(self, names: Sequence[str], advisor: Player | None = None) -> None:
        """Name who sits where."""
        self._names = names
        self._advisor = advisor
        self._seat = 0

    def greet(self, hello: Hello, seconds: float) -> None:
        """Take a seat."""
        self._seat = hello.seat
        if self._advisor is not None:
            self._advisor.greet(hello, seconds)

    def await_ready(self) -> Ready:
        """Say what can be typed."""
        if self._advisor is not None:
            self._advisor.await_ready()
        print_line(HELP)
        return Ready()

    def ask(self, request: Request[View], seconds: float) -> tuple[Reply, int]:
        """Tell what happened, show the table, and read until a move is typed.

        Raises `KeyboardInterrupt` for a person who leaves.
        """
        hint = self._hint(request, seconds)
        self._tell(request)
        print_line(f"{QUESTIONS[request.decision]}{hint}", "bold")
        while True:
            typed = sys.stdin.readline()
            if not typed or typed.strip().lower() in ("q", "quit"):
                raise KeyboardInterrupt
            try:
                return Reply(0, read_move(typed, request.decision, request.legal)), 0
            except ValueError as wanted:
                print_line(f"write {wanted}")

    def _hint(self, request: Request[View], seconds: float) -> str:
        if self._advisor is None:
            return ""
        reply, _ = self._advisor.ask(request, seconds)
        return f" (hint: {show_move(reply.move)})" if isinstance(reply, Reply) else ""

    def _tell(self, request: Request[View]) -> None:
        for line in tell(request.events, self._names, self._seat):
            print_line(line)
        view = request.view
        assert isinstance(view, SpadesView)
        for line in draw_table(view, self._names):
            print_line(line)

    def end(self, end: End, grace: float) -> None:
        """Tell how it ended."""
        for line in tell(end.events, self._names, self._seat):
            print_line(line)

    def close(self) -> ProcessLog:
        """Leave; a person writes no log."""
        if self._advisor is not None:
            self._advisor.close()
        return ProcessLog("", Ending("left the table"))
