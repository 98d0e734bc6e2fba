"""One game under the referee: asks for each decision, judges the answers, writes the record.

It knows games only as `arena.games.game.Game` and bots only as answers that come with the time
they took; it never knows a rule of Spades, a process or a clock. Judging a record again is the
same game with the record's own answers, so that `verify` cannot disagree with play.
"""

import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

import msgspec

from arena.cards import NAMES
from arena.games.game import (
    EXCHANGE,
    PASS,
    Decision,
    Event,
    Exchange,
    FaultSeen,
    Game,
    GameEnd,
    GameStart,
    HandEnd,
    IllegalMove,
    Move,
    View,
)
from arena.protocol import Fault, FaultKind, Reply, Request, TimeControl, Vast, readable
from arena.record import (
    FORMAT,
    BotRef,
    FaultRecord,
    GameRecord,
    GameResult,
    HandRecord,
    MoveRecord,
)

SECOND = 1_000_000
"""Microseconds, in which the referee counts time."""


class Ask(msgspec.Struct, frozen=True):
    """A question for a seat, to be answered within `seconds`; the session sets the id."""

    seat: int
    request: Request[View]
    seconds: float


class Answer(msgspec.Struct, frozen=True):
    """What came back: a reply or a fault, and the microseconds it took.

    None is no answer and no new fault: the seat's time for the hand was already used up.
    """

    reply: Reply | Fault | None
    us: int | None


@dataclass(frozen=True, slots=True)
class Setup:
    """What a game is played under, for its record and its clocks; `seats` are the bots by seat."""

    match: int
    board: int
    sitting: int
    seats: tuple[BotRef, ...]
    rules: dict[str, bool | int | str | None]
    time: TimeControl = TimeControl()
    policy: str = "forfeit"


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game's record, and by seat the events that its bot has not been told of yet."""

    record: GameRecord
    untold: list[list[Event]]


Asking = Generator[Ask, Answer, Played]
"""A game in progress: yields questions, takes answers, returns what was played."""


def play_game(setup: Setup, game: Game, untold: Sequence[list[Event]] = ()) -> Asking:
    """Play one game: a generator of questions that takes answers.

    `untold` are events of the game before, by seat, to be told first. Time is counted for each
    seat over a hand, and a seat is asked no further in a hand whose time it has used up.

    Protocol: from the referee, faults.
    """
    return _Table(setup, game, untold).play()


@dataclass(slots=True)
class _Table:
    """The referee's own papers for one game: clocks, what each seat was told, the record."""

    setup: Setup
    game: Game
    carried: Sequence[list[Event]]
    told: list[int] = field(init=False)
    untold: list[list[Event]] = field(init=False)
    left: list[int] = field(init=False)
    opened: tuple[int, int, tuple[str, ...]] = field(init=False)
    ended: HandEnd | None = field(init=False)
    hands: list[HandRecord] = field(default_factory=list)
    moves: list[MoveRecord] = field(default_factory=list)
    faults: list[FaultRecord] = field(default_factory=list)

    def play(self) -> Asking:
        """Ask until the game is over."""
        game = self.game
        seats = range(game.seats)
        self.told = [0 for _ in seats]
        self.untold = [list(self.carried[seat]) if self.carried else [] for seat in seats]
        self._open_hand()
        while game.outcome is None:
            seat = game.seat
            answer = (yield self._ask(seat)) if self._may_ask(seat) else Answer(None, None)
            self.left[seat] -= answer.us or 0
            move = self._judge(answer.reply)
            if isinstance(move, Fault):
                self._book(seat, move)
                if self._is_final(move):
                    return self._forfeit(seat)
            self._make(move, answer)
        return self._finish(GameResult(*msgspec.structs.astuple(game.outcome)))

    def _open_hand(self) -> None:
        """Start the clocks of a hand and note how it began, as the next may begin by its end."""
        game = self.game
        self.left = [round(self.setup.time.hand * SECOND)] * game.seats
        self.opened = (game.hand, game.first, tuple(NAMES[card] for card in game.deck))
        self.ended = game.ended_hand

    def _may_ask(self, seat: int) -> bool:
        return self.setup.policy == "forfeit" or self.left[seat] > 0

    def _ask(self, seat: int) -> Ask:
        """Write the question for a seat: what is new, what it may know, what it may do."""
        game = self.game
        events = game.events(seat, self.told[seat])
        if self.untold[seat]:
            events = self.untold[seat] + events
            self.untold[seat] = []
        self.told[seat] = len(game.log)
        left = self.left[seat] / SECOND
        request: Request[View] = Request(
            0,
            self.setup.board,
            game.hand,
            game.decision,
            events,
            game.view(seat),
            game.legal_on_wire(),
            left,
        )
        return Ask(seat, request, min(left, self.setup.time.move))

    def _judge(self, reply: Reply | Fault | None) -> Move | Fault | None:
        """Read an answer as a move or as the fault it is; None stays None."""
        if not isinstance(reply, Reply):
            return reply
        try:
            return self.game.parse_move(reply.move)
        except IllegalMove as error:
            return Fault(
                FaultKind.ILLEGAL, expected_moves(self.game), move_words(reply.move), str(error)
            )

    def _book(self, seat: int, fault: Fault) -> None:
        """Write a fault down, once, and tell the table.

        A process that takes a lost one's place is told the hand from its start.
        """
        game = self.game
        self.faults.append(_fault_record(seat, fault, game.decision, game.hand))
        game.log.append(FaultSeen(seat, fault.kind.value))
        if not fault.kind.keeps_process:
            self.told[seat] = game.hand_start
            self.untold[seat] = []

    def _is_final(self, fault: Fault) -> bool:
        """Tell whether a fault ends the game: always, but under `substitute` only at start-up."""
        return self.setup.policy == "forfeit" or fault.kind is FaultKind.STARTUP

    def _make(self, move: Move | Fault | None, answer: Answer) -> None:
        """Make a seat's move, or one in its place, which has no note, and write it down."""
        game = self.game
        is_substitute = move is None or isinstance(move, Fault)
        made = game.substitute() if move is None or isinstance(move, Fault) else move
        seat, decision, happened = game.seat, game.decision, len(game.log)
        wire = game.move_on_wire(made)
        game.apply(made)
        note = answer.reply.note if isinstance(answer.reply, Reply) and not is_substitute else ""
        drawn = None
        if decision is EXCHANGE:
            event = game.log[happened]
            drawn = event.drawn if isinstance(event, Exchange) else None
        self.moves.append(MoveRecord(seat, decision, wire, answer.us, note, is_substitute, drawn))
        if game.ended_hand is not self.ended:
            self._close_hand(game.ended_hand)
            self._open_hand()

    def _close_hand(self, end: HandEnd | None) -> None:
        results = (end.tricks, end.points, end.bags, end.scores) if end else ()
        self.hands.append(HandRecord(*self.opened, tuple(self.moves), *results))
        self.moves = []

    def _forfeit(self, seat: int) -> Played:
        """End the game as lost by the seat's side, with the hand cut short."""
        game = self.game
        self._close_hand(None)
        result = GameResult(tuple(game.scores), 1 - seat % 2, "fault")
        game.log.append(GameEnd(result.scores, result.winner, result.reason))
        return self._finish(result)

    def _finish(self, result: GameResult) -> Played:
        game = self.game
        untold = [
            self.untold[seat] + game.events(seat, self.told[seat]) for seat in range(game.seats)
        ]
        record = _game_record(self.setup, game.name, tuple(self.hands), result, self.faults)
        return Played(record, untold)


def unplayed(setup: Setup, game: str, faults: Sequence[tuple[int, Fault]]) -> Played:
    """Record a game that seats could not start, as (seat, fault): lost, or void where both sides.

    Protocol: faults.
    """
    sides = {seat % 2 for seat, _ in faults}
    winner = None if len(sides) == 2 else 1 - min(sides)
    result = GameResult((0, 0), winner, "void" if winner is None else "fault")
    booked = [_fault_record(seat, fault, None, 0) for seat, fault in faults]
    events: list[Event] = [
        GameStart(setup.board, (0, 0)),
        *(FaultSeen(seat, fault.kind.value) for seat, fault in faults),
        GameEnd(result.scores, result.winner, result.reason),
    ]
    record = _game_record(setup, game, (), result, booked)
    return Played(record, [list(events) for _ in setup.seats])


def _game_record(
    setup: Setup,
    game: str,
    hands: tuple[HandRecord, ...],
    result: GameResult,
    faults: Sequence[FaultRecord],
) -> GameRecord:
    return GameRecord(
        format=FORMAT,
        game=game,
        rules=setup.rules,
        match=setup.match,
        board=setup.board,
        sitting=setup.sitting,
        seats=setup.seats,
        hands=hands,
        result=result,
        faults=tuple(faults),
    )


def _fault_record(seat: int, fault: Fault, decision: Decision | None, hand: int) -> FaultRecord:
    return FaultRecord(seat, fault.kind, decision, hand, fault.expected, fault.said, fault.detail)


def expected_moves(game: Game) -> str:
    """Say which moves would have been legal."""
    legal = game.legal_on_wire()
    choices = " ".join(json.dumps(move) for move in legal)
    return {
        EXCHANGE: f"a list of 0 to 3 of {choices}",
        PASS: f"a list of exactly 3 of {choices}",
    }.get(game.decision, f"one of {choices}")


def move_words(move: object) -> str:
    """Quote a bot's move; one nested to the edge of what can be read is not written out."""
    try:
        return readable(json.dumps(move, allow_nan=False).encode())
    except RecursionError:
        return "a deeply nested value"
    except ValueError:  # a number that no float can be
        return readable(msgspec.json.encode(move, enc_hook=_as_written))


def _as_written(number: object) -> msgspec.Raw:
    assert isinstance(number, Vast)
    return msgspec.Raw(number.written.encode())
