"""A record as the steps that people follow: each move with all that it brought about.

It knows records and the game they claim to be of; it never knows how a step is drawn, and judges
nothing: that is what `verify_game` is for.
"""

from collections.abc import Callable, Iterator

import msgspec

from arena.deals import Board
from arena.games.game import Event, Game, HandStart, IllegalMove
from arena.record import FaultRecord, GameRecord, MoveRecord
from arena.referee.verify import UnplayableRecord, recorded_board


class Step(msgspec.Struct, frozen=True):
    """One step of a game, with all that anyone may know of it.

    A hand opens with a step that has no `move`. A step with a `fault` and no move ended the game;
    one with both is a move made in a faulting bot's place. `events` are what came of it, the last
    move's of a hand up to the hand's end.
    """

    hand: int
    events: tuple[Event, ...]
    move: MoveRecord | None = None
    fault: FaultRecord | None = None


def step_through(record: GameRecord, start: Callable[[Board], Game]) -> Iterator[Step]:
    """Go through a game step by step; there is none where it could not be started.

    `start` builds the record's game, with the record's rules, on a board. Raises
    `UnplayableRecord` where the record stops making sense.
    """
    return (step for step, _ in follow(record, start))


def follow(record: GameRecord, start: Callable[[Board], Game]) -> Iterator[tuple[Step, Game]]:
    """Go through a game as `step_through` does, each step with the game as it leaves it.

    The game is one and the same: the next step changes it.
    """
    try:
        yield from _steps(record, start)
    except (IndexError, IllegalMove) as error:
        raise UnplayableRecord(f"the record stops making sense: {error}") from error


def _steps(record: GameRecord, start: Callable[[Board], Game]) -> Iterator[tuple[Step, Game]]:
    if not record.hands:
        return
    game = start(recorded_board(record))
    faults = list(record.faults)
    opened = game.log[:]
    for hand in record.hands:
        yield Step(hand.number, tuple(opened)), game
        opened = []
        for move in hand.moves:
            fault = _take(faults, move, hand.number) if move.substituted else None
            happened = len(game.log)
            game.apply(game.parse_move(move.move))
            ended, opened = _part(game.log[happened:])
            yield Step(hand.number, tuple(ended), move, fault), game
    for fault in faults:
        yield Step(record.hands[-1].number, (), fault=fault), game


def _take(faults: list[FaultRecord], move: MoveRecord, hand: int) -> FaultRecord | None:
    """Take the next fault if it is this substituted move's.

    There is none where the seat's time for the hand was used up before.
    """
    place = (move.seat, move.decision, hand)
    if faults and (faults[0].seat, faults[0].decision, faults[0].hand) == place:
        return faults.pop(0)
    return None


def _part(events: list[Event]) -> tuple[list[Event], list[Event]]:
    """Part what belongs to the hand from what opens the next one."""
    for place, event in enumerate(events):
        if isinstance(event, HandStart):
            return events[:place], events[place:]
    return events, []
