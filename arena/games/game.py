"""What every game is to the rest of the arena: decisions, events, outcome and the `Game` itself.

It knows the shape of a game between seats and sides; it never knows a rule of Spades.
"""

from enum import StrEnum
from typing import ClassVar, Protocol, TypeAlias

import msgspec

from arena.cards import Card
from arena.deals import Board


class Decision(StrEnum):
    """What a seat is asked. Protocol: decisions."""

    BLIND_NIL = "blind_nil"
    DRAFT = "draft"
    BID = "bid"
    EXCHANGE = "exchange"
    PASS = "pass"
    PLAY = "play"


# Bound once: on Python 3.11 finding a member on its class costs ten times what a name does.
BLIND_NIL, DRAFT, BID, EXCHANGE, PASS, PLAY = Decision

Move: TypeAlias = bool | int | tuple[Card, ...]
"""A legal answer inside the arena: a bool, a bid, a `Card`, or the cards to exchange or pass."""

WireMove: TypeAlias = bool | int | str | list[str]
"""The same as a bot writes it and a record keeps it: cards by name."""


class IllegalMove(ValueError):
    """A move that is not legal here; the text says what was expected."""


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Something that happened, as the log has it: with all that anyone may know of it."""

    def seen_by(self, seat: int) -> "Event | None":
        """Give what this seat may know of it: the same, less, or nothing."""
        return self


class GameStart(Event, frozen=True, tag="game_start"):
    """A game begins on a board; `scores` by side."""

    board: int
    scores: tuple[int, ...]


class HandStart(Event, frozen=True, tag="hand_start"):
    """A hand begins; `first` is the first to draw (two-player) or the dealer (partnership)."""

    hand: int
    first: int


class Deal(Event, frozen=True, tag="deal"):
    """A seat's 13 cards, shown to that seat alone."""

    seat: int
    cards: tuple[str, ...]

    def seen_by(self, seat: int) -> "Event | None":
        """Show it to its owner alone."""
        return self if seat == self.seat else None


class Draw(Event, frozen=True, tag="draw"):
    """A seat kept the first or the second card of its two. Rules: R2.3, R2.4.

    `card` is what she kept and `away` what she saw go to the discards, both for her eyes alone.
    """

    seat: int
    kept: str
    card: str | None = None
    away: str | None = None

    def seen_by(self, seat: int) -> "Event | None":
        """Show opponents only which of the two was kept."""
        return self if seat == self.seat else Draw(self.seat, self.kept)


class BlindNil(Event, frozen=True, tag="blind_nil"):
    """A seat was asked for a double nil and bid it or not."""

    seat: int
    bid: bool


class Bid(Event, frozen=True, tag="bid"):
    """A seat bid; 0 is nil."""

    seat: int
    bid: int


class Exchange(Event, frozen=True, tag="exchange"):
    """A double-nil bidder replaced cards from the discards. Rules: R2.6."""

    seat: int
    count: int
    cards: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()

    def seen_by(self, seat: int) -> "Event | None":
        """Show others only how many cards she replaced."""
        return self if seat == self.seat else Exchange(self.seat, self.count)


class Pass(Event, frozen=True, tag="pass"):
    """A seat passed cards to its partner. Rules: R4.7."""

    seat: int
    to: int
    count: int
    cards: tuple[str, ...] = ()

    def seen_by(self, seat: int) -> "Event | None":
        """Show the cards to the two partners alone."""
        return self if seat in (self.seat, self.to) else Pass(self.seat, self.to, self.count)


class Play(Event, frozen=True, tag="play"):
    """A seat played a card."""

    seat: int
    card: str


class Trick(Event, frozen=True, tag="trick"):
    """A seat won the trick. Rules: C6."""

    seat: int


class HandEnd(Event, frozen=True, tag="hand_end"):
    """A hand was scored: `tricks` by seat; `points`, `scores` and `bags` by side."""

    tricks: tuple[int, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]
    bags: tuple[int, ...]


class FaultSeen(Event, frozen=True, tag="fault"):
    """A seat's bot was at fault; everyone learns the kind."""

    seat: int
    kind: str


class GameEnd(Event, frozen=True, tag="game_end"):
    """The game is over; `winner` is a side, or null for a draw or a void game."""

    scores: tuple[int, ...]
    winner: int | None
    reason: str


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: `scores` by side, the winning side or None, and the reason."""

    scores: tuple[int, ...]
    winner: int | None
    reason: str


class View(msgspec.Struct, frozen=True):
    """All that one seat may know and needs; each game has its own fields below this."""


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of one game; each game has its own fields below this."""


class Game(Protocol):
    """One game in progress on one board: asks for decisions, takes moves, keeps the log.

    The rules are pure: the same board and the same moves give the same game. A game is built by
    ``TheGame(rules, board)`` and is over when `outcome` is no longer None.
    """

    name: ClassVar[str]
    seats: ClassVar[int]
    rules_type: ClassVar[type[Rules]]
    view_type: ClassVar[type[View]]

    seat: int
    """Whose decision it is; of no meaning when the game is over."""
    decision: Decision
    hand: int
    """The number of the hand being played, from 1."""
    first: int
    deck: tuple[Card, ...]
    """The deck of the hand being played; index 0 is the top card."""
    scores: list[int]
    outcome: Outcome | None
    log: list[Event]
    """All that happened, with all that anyone may know of it."""
    hand_start: int
    """Where in the log the hand being played begins."""
    ended_hand: HandEnd | None
    """The result of the last finished hand."""

    def __init__(self, rules: Rules, board: Board) -> None:
        """Start a game on a board."""

    def legal(self) -> tuple[int, ...]:
        """List the legal moves; for an exchange or a pass, the cards to choose from."""

    def apply(self, move: Move) -> None:
        """Make a move for `seat` and go on to the next decision. Raises `IllegalMove`."""

    def legal_on_wire(self) -> list[bool] | list[int] | list[str]:
        """List what `legal` lists, as bots read it."""

    def parse_move(self, move: object) -> Move:
        """Read a bot's answer to the decision at hand, exact types only. Raises `IllegalMove`."""

    def move_on_wire(self, move: Move) -> WireMove:
        """Write a legal move for the decision at hand as bots and records have it."""

    def substitute(self) -> Move:
        """Give the move that stands in for a faulting bot's. Protocol: faults."""

    def view(self, seat: int) -> View:
        """Show what this seat may know."""

    def events(self, seat: int, start: int = 0) -> list[Event]:
        """List what this seat may know of the log from index `start` on."""
