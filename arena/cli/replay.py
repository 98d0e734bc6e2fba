"""The command that shows a recorded game in the terminal: `show`, by keys or as text.

It knows what stands on the screen and which key leads where; what happened, the referee's steps
say, and the scene draws it.
"""

import os
import re
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer
from msgspec.structs import replace
from rich.control import Control
from rich.screen import Screen

from arena.cli.games import GameName, find_game
from arena.cli.locate import find_run
from arena.cli.options import Run
from arena.cli.scene import LABEL, draw_course, draw_hand, tell
from arena.cli.terminal import console, print_line, shown
from arena.errors import InputError, Problem, StoreError
from arena.games.game import Decision, Event, Game, HandEnd, Play, Trick
from arena.games.views import SpadesView
from arena.match import start_again
from arena.record import FaultRecord, GameRecord
from arena.referee import Step, UnplayableRecord, follow
from arena.report.game import outcome
from arena.report.links import game_name
from arena.report.replay import LONGEST_NOTE, fault_words, kind_words
from arena.report.telling import seat_names, side_names
from arena.report.text import NOTHING, count, cut, duration, integer
from arena.store import GameKey, Store

_NEXT, _BACK, _NEXT_HAND, _LAST_HAND, _FIRST, _LAST = range(6)
_MOVES = {
    **dict.fromkeys(("n", " ", "\n", "\r", "\x1b[C", "\x1bOC"), _NEXT),
    **dict.fromkeys(("p", "b", "\x7f", "\b", "\x1b[D", "\x1bOD"), _BACK),
    **dict.fromkeys(("N", "\x1b[B", "\x1bOB", "\x1b[6~"), _NEXT_HAND),
    **dict.fromkeys(("P", "\x1b[A", "\x1bOA", "\x1b[5~"), _LAST_HAND),
    **dict.fromkeys(("g", "\x1b[H", "\x1bOH", "\x1b[1~"), _FIRST),
    **dict.fromkeys(("G", "\x1b[F", "\x1bOF", "\x1b[4~"), _LAST),
}
_KEY = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
"""A key, as terminals send it."""
_QUIT = ("q", "Q", "\x1b", "\x04")


@dataclass(frozen=True, slots=True)
class Frame:
    """A step and the table as it leaves it, `views` by seat.

    `trick` is on the table or was just taken; `asks` is what comes next, None at a hand's end.
    """

    step: Step
    views: tuple[SpadesView, ...]
    trick: tuple[Play, ...]
    asks: Decision | None


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game to be shown: its name, its record, and its frames, none where it never began."""

    name: str
    record: GameRecord
    frames: tuple[Frame, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Name each seat."""
        return seat_names(self.record)

    def start_of(self, hand: int) -> int:
        """Give the place of a hand's first frame; past the last hand, of the last frame."""
        places = (at for at, frame in enumerate(self.frames) if frame.step.hand >= hand)
        return next(places, len(self.frames) - 1)


def show(
    run: Run,
    game: GameName = "",
    hand: Annotated[
        int | None, typer.Option(min=1, help="Start with this hand.", show_default="the first")
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, max=3, help="Only what this seat saw.", show_default="all cards open"),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="Print the whole game, as where the output is piped.")
    ] = False,
) -> None:
    """Go through a recorded game in the terminal, move by move.

    Right and left, or n and p, go to the next step and back; down and up, or N and P, by hands.

    0 to 3 show what that seat saw, o shows all cards, q leaves.
    """
    with Store(find_run(run)) as store:
        recorded = _read(store, find_game(store, game))
    _refuse_unknown(recorded, hand, seat)
    start = 0 if hand is None else recorded.start_of(hand)
    is_watched = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if whole or not is_watched or not recorded.frames:
        for line in _whole(recorded, start, seat):
            print_line(line)
    else:
        _browse(recorded, start, seat)


def _read(store: Store, key: GameKey) -> Recorded:
    """Read a game, unless someone has still to play on its board. Rules: D1a."""
    if key.board in store.boards_to_play():
        what = f"board {key.board} is held back: someone has still to play on it"
        raise InputError([Problem(what, str(store.folder), remedy="wait until that is done")])
    record = store.game(*key)
    try:
        return Recorded(game_name(key), record, tuple(_frames(record)))
    except UnplayableRecord as error:
        raise StoreError(f"{store.folder}: {key}: {error}") from error


def _refuse_unknown(recorded: Recorded, hand: int | None, seat: int | None) -> None:
    problems = []
    hands, seats = len(recorded.record.hands), len(recorded.names)
    if hand is not None and hand > hands:
        remedy = f"1 to {hands}" if hands else "no hand was begun"
        problems.append(Problem(f"there is no hand {hand}", key="--hand", remedy=remedy))
    if seat is not None and seat >= seats:
        remedy = f"0 to {seats - 1}"
        problems.append(Problem(f"there is no seat {seat}", key="--seat", remedy=remedy))
    if problems:
        raise InputError(problems)


def _frames(record: GameRecord) -> Iterator[Frame]:
    views: tuple[SpadesView, ...] = ()
    trick: tuple[Play, ...] = ()
    is_taken = False
    for step, game in follow(record, lambda board: start_again(record, board)):
        end = next((event for event in step.events if isinstance(event, HandEnd)), None)
        views = _views(game) if end is None else tuple(_ended(view, end) for view in views)
        plays = tuple(event for event in step.events if isinstance(event, Play))
        trick = plays if is_taken else trick + plays
        is_taken = any(isinstance(event, Trick) for event in step.events)
        yield Frame(step, views, trick, None if end else game.decision)


def _views(game: Game) -> tuple[SpadesView, ...]:
    views = (game.view(seat) for seat in range(game.seats))
    return tuple(view for view in views if isinstance(view, SpadesView))


def _ended(view: SpadesView, end: HandEnd) -> SpadesView:
    """Give the table at the end of a hand; the game itself has begun the next one."""
    scores, bags, tricks = list(end.scores), list(end.bags), list(end.tricks)
    return replace(view, hand=(), trick=[], tricks=tricks, scores=scores, bags=bags)


# -- in words --------------------------------------------------------------------------------------


def _whole(recorded: Recorded, start: int, seat: int | None) -> Iterator[str]:
    """Tell a game line by line, with the cards of each hand once all have them."""
    yield f"game {recorded.name}: {' against '.join(side_names(recorded.record))}"
    drawn = 0
    for frame in recorded.frames[start:]:
        yield from _tell(frame, recorded.names, seat)
        if frame.asks in (Decision.BID, Decision.PLAY) and drawn != frame.step.hand:
            drawn = frame.step.hand
            yield from _draw_hands(frame, recorded.names, seat)
    if not recorded.frames:
        yield from (_fault(fault, recorded.names) for fault in recorded.record.faults)
    yield outcome(recorded.record)


def _tell(frame: Frame, names: Sequence[str], seat: int | None) -> Iterator[str]:
    """Tell a step: the move with its time, the bot's note, its fault, and what came of it."""
    step, move = frame.step, frame.step.move
    told = list(tell(_seen(step, seat), names, None))
    if move is not None:
        did, *told = told or [f"{names[move.seat]} lays cards aside"]  # they go over later
        yield did if move.us is None else f"{did}   {duration(move.us)}"
        if move.note and seat in (None, move.seat):
            yield f"  note: {cut(move.note, LONGEST_NOTE)}"
    if step.fault is not None:
        yield _fault(step.fault, names)
    if move is not None and move.substituted:
        yield "  the referee moved in its place"
    yield from told


def _seen(step: Step, seat: int | None) -> list[Event]:
    if seat is None:
        return list(step.events)
    return [shown for event in step.events if (shown := event.seen_by(seat)) is not None]


def _fault(fault: FaultRecord, names: Sequence[str]) -> str:
    return f"  fault of {names[fault.seat]}: {kind_words(fault)}: {fault_words(fault)}"


def _draw_hands(frame: Frame, names: Sequence[str], seat: int | None) -> Iterator[str]:
    for place in range(len(names)) if seat is None else (seat,):
        yield from draw_hand(names[place], frame.views[place])


# -- by keys ---------------------------------------------------------------------------------------


def _browse(recorded: Recorded, at: int, seat: int | None) -> None:
    """Show frame after frame as keys are typed, until the reader leaves."""
    screen = console(sys.stdout)
    with _keys_at_once(sys.stdin.fileno()), screen.screen():
        while True:
            texts = [shown(line) for line in _draw(recorded, at, seat)]
            texts[0].stylize("bold")
            texts[1].stylize("dim")
            screen.control(Control.home())
            screen.print(Screen(*texts), end="")
            typed = os.read(sys.stdin.fileno(), 64).decode(errors="replace")
            for key in _KEY.findall(typed):
                if key in _QUIT:
                    return
                if key in _MOVES:
                    at = _go(recorded, at, _MOVES[key])
                elif key == "o":
                    seat = None
                elif key.isdecimal() and int(key) < len(recorded.names):
                    seat = int(key)
            if not typed:
                return


@contextmanager
def _keys_at_once(terminal: int) -> Iterator[None]:
    """Have a terminal give each key as it is typed, and not show it."""
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)  # what was typed already stays
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _go(recorded: Recorded, at: int, move: int) -> int:
    """Give the frame that a key leads to."""
    hand, last = recorded.frames[at].step.hand, len(recorded.frames) - 1
    start = recorded.start_of(hand)
    before = start if at > start else recorded.start_of(hand - 1)
    places = (at + 1, at - 1, recorded.start_of(hand + 1), before, 0, last)
    return min(max(places[move], 0), last)


def _draw(recorded: Recorded, at: int, seat: int | None) -> Iterator[str]:
    """Draw a frame: where it stands, the table, and what has just happened."""
    frame, names = recorded.frames[at], recorded.names
    start, hand = recorded.start_of(frame.step.hand), frame.step.hand
    steps = sum(one.step.hand == hand for one in recorded.frames)
    seen = "all cards open" if seat is None else f"as {names[seat]} saw it"
    hands = len(recorded.record.hands)
    yield f"game {recorded.name}, hand {hand} of {hands}, step {at - start + 1} of {steps}, {seen}"
    seats = f"0-{len(names) - 1}"
    yield f"right/left step, down/up hand, home/end, {seats} one seat's view, o open, q quit"
    yield ""
    view = frame.views[0]
    sides = zip(side_names(recorded.record), view.scores, view.bags, strict=True)
    told = ", ".join(
        f"{side} {integer(score)} ({count(bags, 'bag')})" for side, score, bags in sides
    )
    yield f"{'score':<{LABEL}} {told}"
    yield from _draw_hands(frame, names, seat)
    if frame.asks in (Decision.EXCHANGE, Decision.PASS, Decision.BID):
        bids = zip(names, view.bids, strict=True)
        said = ", ".join(f"{name} {bid or 'nil'}" for name, bid in bids if bid is not None)
        yield f"{'bids':<{LABEL}} {said or NOTHING}"
    yield from draw_course(view, frame.trick, names)
    yield ""
    yield from _tell(frame, names, seat)
    if at == len(recorded.frames) - 1:
        yield outcome(recorded.record)
