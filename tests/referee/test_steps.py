"""A record as steps: all that happened, each event once, each move and fault where it was."""

from collections.abc import Callable

import msgspec
import pytest

from arena.games.game import Decision, Event, Game, GameEnd, HandEnd, HandStart
from arena.protocol import Fault, FaultKind, Reply
from arena.record import GameRecord
from arena.referee import Answer, Ask, UnplayableRecord, follow, step_through, unplayed
from tests.playing import GAMES, choose, picker, start
from tests.referee.test_play import honest, referee, setup_of
from tests.referee.test_verify import starter

every_game = pytest.mark.parametrize("name", sorted(GAMES))


def faulty(pick: Callable[[int], int], seldom: int) -> Callable[[Ask, Game], Answer]:
    def bot(_: Ask, game: Game) -> Answer:
        if pick(seldom) == 0:
            return Answer(Fault(FaultKind.TIMEOUT, "a move", "", ""), 400_000)
        return Answer(Reply(1, game.move_on_wire(choose(game, pick)), "so it is"), 400_000)

    return bot


def log_of(game: Game, record: GameRecord) -> list[Event]:
    for hand in record.hands:
        for move in hand.moves:
            game.apply(game.parse_move(move.move))
    return game.log


@every_game
def test_the_steps_hold_every_event_of_the_game_once_and_in_order(name: str) -> None:
    record = referee(setup_of(name), start(name, max_hands=2), honest(picker("steps"))).record
    found = list(step_through(record, starter(name, max_hands=2)))
    events = [event for step in found for event in step.events]
    assert events == log_of(start(name, max_hands=2), record)


@every_game
def test_every_move_is_a_step_and_every_hand_opens_with_one_of_its_own(name: str) -> None:
    record = referee(setup_of(name), start(name, max_hands=3), honest(picker("steps"))).record
    found = list(step_through(record, starter(name, max_hands=3)))
    for hand in record.hands:
        opening, *moves = (step for step in found if step.hand == hand.number)
        assert opening.move is None
        assert any(isinstance(event, HandStart) for event in opening.events)
        assert [step.move for step in moves] == list(hand.moves)
        assert any(isinstance(event, HandEnd) for event in moves[-1].events)
    assert isinstance(found[-1].events[-1], GameEnd)


@every_game
def test_every_step_comes_with_the_game_as_it_leaves_it(name: str) -> None:
    record = referee(setup_of(name), start(name, max_hands=2), honest(picker("steps"))).record
    happened = 0
    for step, game in follow(record, starter(name, max_hands=2)):
        happened += len(step.events)
        shown = game.log[:happened]
        assert shown[happened - len(step.events) :] == list(step.events)
        assert len(game.log) == happened or isinstance(game.log[happened], HandStart)
    assert game.outcome is not None


@every_game
def test_a_fault_that_ended_the_game_is_its_last_step(name: str) -> None:
    record = referee(setup_of(name), start(name), faulty(picker("lost"), 60)).record
    assert record.result.reason == "fault"
    *before, last = step_through(record, starter(name))
    assert (last.move, last.fault) == (None, record.faults[0])
    assert last.hand == record.hands[-1].number
    assert all(step.fault is None for step in before)


@every_game
def test_a_fault_stands_beside_the_move_that_was_made_in_its_place(name: str) -> None:
    setup = setup_of(name, "substitute")
    game = start(name, max_hands=3)
    record = referee(setup, game, faulty(picker("moved on"), 20)).record
    found = list(step_through(record, starter(name, max_hands=3)))
    assert tuple(step.fault for step in found if step.fault) == record.faults
    for step in found:
        if step.fault:
            assert step.move
            assert step.move.substituted
            assert (step.move.seat, step.hand) == (step.fault.seat, step.fault.hand)
    out_of_time = [step for step in found if step.move and step.move.us is None]
    assert out_of_time, "no seat used up its time, so that a move without a new fault is not tried"
    assert all(step.move.substituted for step in out_of_time if step.move)


@every_game
def test_a_game_that_never_started_has_no_steps(name: str) -> None:
    fault = Fault(FaultKind.STARTUP, "ready", "", "")
    record = unplayed(setup_of(name), name, [(0, fault)]).record
    assert list(step_through(record, starter(name))) == []


def test_a_record_that_makes_no_sense_is_refused() -> None:
    name = "two-player"
    record = referee(setup_of(name), start(name, max_hands=1), honest(picker("x"))).record
    (hand,) = record.hands
    number = [move.decision for move in hand.moves].index(Decision.PLAY)
    replace = msgspec.structs.replace
    twice = (*hand.moves[: number + 1], *hand.moves[number:])
    changed = replace(record, hands=(replace(hand, moves=twice),))
    with pytest.raises(UnplayableRecord, match="stops making sense"):
        list(step_through(changed, starter(name, max_hands=1)))
