"""A sitting told again to one of its seats: the requests that its processes were sent.

It knows records and what the referee asked for them; it never knows a process or who listens now.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

import msgspec

from arena.deals import Board
from arena.games.game import Event, Game, IllegalMove, View
from arena.protocol import Fault, FaultKind, Reply, Request, TimeControl
from arena.record import FaultPolicy, FaultRecord, GameRecord
from arena.referee.play import Answer, Ask, Played, Setup, play_game, unplayed
from arena.referee.verify import UnplayableRecord, recorded_board


class Retold(msgspec.Struct, frozen=True):
    """A request as it was sent, and what came back; `move` is the request's number in its hand."""

    request: Request[View]
    reply: Reply | Fault
    move: int


Life = list[Retold]
"""All that one process was asked, in order."""


def retell(
    records: Sequence[GameRecord],
    seat: int,
    time: TimeControl,
    faults: FaultPolicy,
    start: Callable[[GameRecord, Board], Game],
) -> list[Life]:
    """Tell the games of one sitting again, from its first board on, process by process.

    `records` stand in the order in which they were played. Raises `UnplayableRecord`.
    """
    teller = _Teller(seat, time, faults.policy)
    try:
        for record in records:
            teller.tell(record, start)
    except (IndexError, IllegalMove) as error:
        raise UnplayableRecord(f"the record stops making sense: {error}") from error
    return teller.lives


class _Teller:
    """What a seat's processes were told so far; `_asked` counts questions by board and hand."""

    def __init__(self, seat: int, time: TimeControl, policy: str) -> None:
        self.lives: list[Life] = []
        self._seat, self._time, self._policy = seat, time, policy
        self._untold: list[list[Event]] = []
        self._asked: Counter[tuple[int, int]] = Counter()
        self._is_alive = False

    def tell(self, record: GameRecord, start: Callable[[GameRecord, Board], Game]) -> None:
        """Tell one game."""
        self._untold = self._untold or [[] for _ in record.seats]
        if not self._is_alive:
            self._begin()
        setup = Setup(
            record.match,
            record.board,
            record.sitting,
            record.seats,
            record.rules,
            self._time,
            self._policy,
        )
        if record.hands:
            game = start(record, recorded_board(record))
            self._untold = self._ask_all(setup, record, game).untold
        else:
            booked = [(fault.seat, Fault(fault.kind, fault.expected)) for fault in record.faults]
            played = unplayed(setup, record.game, booked)
            self._untold = [a + b for a, b in zip(self._untold, played.untold, strict=True)]
        at_fault = any(fault.seat == self._seat for fault in record.faults)
        if at_fault and (self._policy == "forfeit" or not record.hands):
            self._is_alive = False

    def _begin(self) -> None:
        """Begin with a fresh process, which was told nothing."""
        self.lives.append([])
        self._untold[self._seat] = []
        self._is_alive = True

    def _ask_all(self, setup: Setup, record: GameRecord, game: Game) -> Played:
        answers = _answers(record)
        asking = play_game(setup, game, self._untold)
        try:
            question = next(asking)
            while True:
                answer = next(answers)
                if question.seat == self._seat and answer.reply is not None:
                    self._note(question, answer.reply)
                question = asking.send(answer)
        except StopIteration as end:
            if isinstance(end.value, Played):
                return end.value
            raise UnplayableRecord("the record ends before its game does") from None

    def _note(self, question: Ask, reply: Reply | Fault) -> None:
        """Write down what was asked; a process that could not be started was asked nothing."""
        if isinstance(reply, Fault) and reply.kind is FaultKind.STARTUP:
            self._is_alive = False
            return
        if not self._is_alive:
            self._begin()
        life, request = self.lives[-1], question.request
        request.id = len(life) + 1
        place = (request.board, request.hand)
        self._asked[place] += 1
        life.append(Retold(request, reply, self._asked[place]))
        if isinstance(reply, Fault) and not reply.kind.keeps_process:
            self._is_alive = False


def _answers(record: GameRecord) -> Iterator[Answer]:
    """Give a record's answers with their times; a seat without time was not asked."""
    faults = iter(record.faults)
    for move in chain.from_iterable(hand.moves for hand in record.hands):
        if not move.substituted:
            yield Answer(Reply(0, move.move, move.note), move.us)
        elif move.us is not None:
            yield Answer(_next_fault(faults), move.us)
    yield Answer(_next_fault(faults), 0)


def _next_fault(faults: Iterator[FaultRecord]) -> Fault:
    for fault in faults:
        return Fault(fault.kind, fault.expected, fault.said, fault.detail)
    raise UnplayableRecord("neither a move nor a fault is recorded")
