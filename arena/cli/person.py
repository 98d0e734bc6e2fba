"""A person at the table, asked in the terminal as bots are over their pipes.

It knows where to read and what to print; what a move looks like when it is typed, the scene says.
"""

import sys
from collections.abc import Sequence

from arena.cli.scene import QUESTIONS, draw_table, read_move, show_move, tell
from arena.cli.terminal import print_line
from arena.games.game import View
from arena.games.views import SpadesView
from arena.protocol import End, Hello, Ready, Reply, Request
from arena.sandbox import Ending
from arena.session import Player, ProcessLog

HELP = "type a move; ? lists what is legal, q leaves, keeping nothing"


class TakeBack(Exception):
    """The person takes the last move back."""


class Person:
    """The person at this terminal; no time is charged. `advisor` is who gives hints, if anyone.

    `made` are the moves made so far. Those of `given` are made first, and nothing is asked.
    """

    can_freeze = False

    def __init__(
        self,
        names: Sequence[str],
        advisor: Player | None = None,
        given: Sequence[object] = (),
        *,
        may_take_back: bool = False,
    ) -> None:
        """Name who sits where."""
        self._names = names
        self._advisor = advisor
        self._given = list(given)
        self._may_take_back = may_take_back
        self._seat = 0
        self.made: list[object] = []

    def greet(self, hello: Hello, seconds: float) -> None:
        """Take a seat."""
        self._seat = hello.seat
        if self._advisor is not None:
            self._advisor.greet(hello, seconds)

    def await_ready(self) -> Ready:
        """Say what can be typed."""
        if self._advisor is not None:
            self._advisor.await_ready()
        if not self._given:
            print_line(self._help)
        return Ready()

    def ask(self, request: Request[View], seconds: float) -> tuple[Reply, int]:
        """Tell what happened, show the table, and read until a move is typed.

        Raises `KeyboardInterrupt` for a person who leaves, `TakeBack` for one who thinks again.
        """
        hint = self._hint(request, seconds)
        if self._given:
            return self._answer(self._given.pop(0))
        self._tell(request)
        while True:
            print_line(f"{QUESTIONS[request.decision]}{hint}", "bold")
            typed = sys.stdin.readline()
            word = typed.strip().lower()
            if not typed or word in ("q", "quit"):
                raise KeyboardInterrupt
            if word in ("u", "undo"):
                self._take_back()
                continue
            try:
                return self._answer(read_move(typed, request.decision, request.legal))
            except ValueError as wanted:
                print_line(f"write {wanted}")
            if word in ("?", "h", "help"):
                print_line(self._help)

    def _take_back(self) -> None:
        """Raise `TakeBack`, or say why there is nothing to take back."""
        if self._may_take_back and self.made:
            raise TakeBack
        print_line(
            "there is no move of yours to take back yet"
            if self._may_take_back
            else "a move is taken back only in a game begun with --undo"
        )

    @property
    def _help(self) -> str:
        return f"{HELP}, u takes a move back" if self._may_take_back else HELP

    def _answer(self, move: object) -> tuple[Reply, int]:
        self.made.append(move)
        return Reply(0, move), 0

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

    def farewell(self, end: End, seconds: float) -> None:
        """Tell how it ended."""
        for line in tell(end.events, self._names, self._seat):
            print_line(line)

    def close(self, grace: float = 0.0) -> ProcessLog:
        """Leave; a person writes no log."""
        if self._advisor is not None:
            self._advisor.close()
        return ProcessLog("", Ending("left the table"))
