"""A record judged again: the same game, with the record's own moves and faults as the answers.

It knows records and the game they claim to be of; it never knows where a record was kept.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import msgspec

from arena.cards import DECK, Card, parse_card, to_set
from arena.deals import Board, FixedBoard
from arena.games.game import Game, IllegalMove
from arena.protocol import Fault, Reply
from arena.record import GameRecord, HandRecord, MoveRecord, without_times
from arena.referee.play import Answer, Ask, Played, Setup, play_game, unplayed


class UnplayableRecord(ValueError):
    """A record that cannot be replayed at all; the text says where it stops making sense."""


def verify_game(record: GameRecord, start: Callable[[Board], Game]) -> list[str]:
    """List what is wrong with a record, nothing where it replays to itself.

    `start` builds the record's game, with the record's rules, on a board.
    """
    try:
        again = without_times(replay(record, start))
    except UnplayableRecord as error:
        return [str(error)]
    said = without_times(record)
    problems = list(_differences("", said, again, ("result", "faults", "game", "rules", "seats")))
    if len(said.hands) != len(again.hands):
        problems.append(f"{len(said.hands)} hands recorded, {len(again.hands)} replayed")
    for theirs, ours in zip(said.hands, again.hands, strict=False):
        place = f"hand {theirs.number}: "
        problems += _differences(place, theirs, ours, HandRecord.__struct_fields__)
    return problems


def _differences(
    place: str, said: msgspec.Struct, again: msgspec.Struct, fields: Iterable[str]
) -> Iterator[str]:
    for name in fields:
        recorded, replayed = getattr(said, name), getattr(again, name)
        if recorded != replayed:
            yield f"{place}{name}: recorded {_text(recorded)}, replayed {_text(replayed)}"


def replay(record: GameRecord, start: Callable[[Board], Game]) -> GameRecord:
    """Play a record's game again from its decks and moves. Raises `UnplayableRecord`."""
    setup = Setup(
        match=record.match,
        board=record.board,
        sitting=record.sitting,
        seats=record.seats,
        rules=record.rules,
        policy=_policy(record),
    )
    if not record.hands:
        return _unplayed_again(setup, record)
    script = _Script(record)
    try:
        game = start(recorded_board(record))
        asking = play_game(setup, game)
        question = next(asking)
        while True:
            question = asking.send(script.answer(question, game))
    except StopIteration as end:
        played: Played = end.value
        script.must_be_over()
        return played.record
    except (IndexError, IllegalMove, AssertionError) as error:
        raise UnplayableRecord(f"the record stops making sense: {error}") from error


def _unplayed_again(setup: Setup, record: GameRecord) -> GameRecord:
    faults = [
        (fault.seat, Fault(fault.kind, fault.expected, fault.said, fault.detail))
        for fault in record.faults
    ]
    if not faults:
        raise UnplayableRecord("neither a hand nor a fault is recorded")
    return unplayed(setup, record.game, faults).record


def _policy(record: GameRecord) -> str:
    moves = chain.from_iterable(hand.moves for hand in record.hands)
    has_substitute = any(move.substituted for move in moves)
    return "substitute" if has_substitute else "forfeit"


def _text(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 120 else text[:117] + "…"


def recorded_board(record: GameRecord) -> Board:
    """Lay out the record's decks, and the exchange orders that its moves reveal.

    Raises `UnplayableRecord` where a deck is none.
    """
    decks, orders = [], []
    for hand in record.hands:
        decks.append(_cards(hand.deck, f"the deck of hand {hand.number}"))
        if to_set(decks[-1]) != DECK or len(hand.deck) != 52:
            raise UnplayableRecord(f"the deck of hand {hand.number} is not 52 different cards")
        drawn = chain.from_iterable(move.drawn or () for move in hand.moves)
        orders.append(_cards(tuple(drawn), f"the cards drawn in hand {hand.number}"))
    return FixedBoard(record.board, record.hands[0].first, decks, orders, None)


def _cards(names: Sequence[str], what: str) -> tuple[Card, ...]:
    try:
        return tuple(map(parse_card, names))
    except ValueError as error:
        raise UnplayableRecord(f"{what}: {error}") from error


class _Script:
    """A record's moves and faults, handed out as answers in the order they were made."""

    def __init__(self, record: GameRecord) -> None:
        self._moves = iter([move for hand in record.hands for move in hand.moves])
        self._faults = list(record.faults)

    def answer(self, question: Ask, game: Game) -> Answer:
        """Answer a question as the record says. Raises `UnplayableRecord`.

        No time passes, so that no clock decides anything here.
        """
        request = question.request
        place = f"hand {request.hand}, seat {question.seat}, {request.decision.value}"
        move = self._next_move()
        if move is None or move.substituted:
            fault = self._fault_at(question)
            if fault is None and move is None:
                raise UnplayableRecord(f"{place}: neither a move nor a fault is recorded")
            return Answer(fault, 0)
        if (move.seat, move.decision) != (question.seat, request.decision):
            raise UnplayableRecord(f"{place}: the record has {_text_of(move)}")
        try:
            game.parse_move(move.move)
        except IllegalMove as error:
            raise UnplayableRecord(f"{place}: an illegal move is recorded: {error}") from error
        return Answer(Reply(0, move.move, move.note), 0)

    def _next_move(self) -> MoveRecord | None:
        return next(self._moves, None)

    def _fault_at(self, question: Ask) -> Fault | None:
        """Take the next fault if it happened at this question.

        A substituted move without one is of a seat whose time for the hand was used up, and its
        faults of that hand all came before.
        """
        if not self._faults:
            return None
        seat, decision, hand = question.seat, question.request.decision, question.request.hand
        fault = self._faults[0]
        if (fault.seat, fault.decision, fault.hand) != (seat, decision, hand):
            return None
        del self._faults[0]
        return Fault(fault.kind, fault.expected, fault.said, fault.detail)

    def must_be_over(self) -> None:
        """Refuse moves and faults after the end. Raises `UnplayableRecord`."""
        move = self._next_move()
        if move is not None:
            raise UnplayableRecord(f"the game is over, but the record goes on: {_text_of(move)}")
        if self._faults:
            raise UnplayableRecord(f"faults that never came up: {len(self._faults)}")


def _text_of(move: MoveRecord) -> str:
    return f"seat {move.seat}, {move.decision.value}, {move.move}"
