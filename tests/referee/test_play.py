"""The referee asks, judges and records; answers come from the test, and no process runs."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.cards import NAMES
from arena.games.game import Decision, Event, FaultSeen, Game, GameEnd, HandStart
from arena.protocol import Fault, FaultKind, Reply, TimeControl, parse_reply
from arena.record import BotRef, GameRecord
from arena.referee import Answer, Ask, Played, Setup, move_words, play_game, unplayed
from tests.playing import GAMES, Pick, choose, picker, start

Bot = Callable[[Ask, Game], Answer]
GAME_NAMES = sorted(GAMES)
every_game = pytest.mark.parametrize("name", GAME_NAMES)
LATE = Fault(FaultKind.TIMEOUT, "a line")


def setup_of(name: str, policy: str = "forfeit", time: TimeControl | None = None) -> Setup:
    """Set a game up between two bots."""
    seats = tuple(BotRef(f"bot{seat % 2}", "1", "sha256:0") for seat in range(GAMES[name].seats))
    return Setup(1, 1, 0, seats, {}, time or TimeControl(), policy)


def referee(setup: Setup, game: Game, bot: Bot) -> Played:
    """Answer the referee's questions until the game is over."""
    asking = play_game(setup, game)
    try:
        question = next(asking)
        while True:
            question = asking.send(bot(question, game))
    except StopIteration as end:
        played = end.value
        assert isinstance(played, Played)
        return played


def honest(pick: Pick, us: int = 10) -> Bot:
    """Give a bot that picks among the legal moves."""
    return lambda _, game: Answer(Reply(1, game.move_on_wire(choose(game, pick)), "why"), us)


def faulty_at(question_number: int, fault: Fault, bot: Bot) -> Bot:
    """Give a bot that is at fault once."""
    asked = 0

    def answer(question: Ask, game: Game) -> Answer:
        nonlocal asked
        asked += 1
        return Answer(fault, 99) if asked == question_number else bot(question, game)

    return answer


@every_game
def test_an_honest_game_is_recorded_move_by_move(name: str) -> None:
    game = start(name, max_hands=2)
    record = referee(setup_of(name), game, honest(picker("honest"))).record
    assert record.result.reason == "max_hands"
    assert [hand.number for hand in record.hands] == [1, 2]
    assert record.faults == ()
    for hand in record.hands:
        assert len(hand.deck) == 52
        assert hand.tricks is not None
        assert sum(hand.tricks) == 13
        assert {move.note for move in hand.moves} == {"why"}
        plays = [move.move for move in hand.moves if move.decision is Decision.PLAY]
        assert len(plays) == 13 * game.seats
        assert set(map(str, plays)) <= set(NAMES)


@every_game
def test_a_question_holds_what_is_new_to_the_seat(name: str) -> None:
    told: dict[int, list[object]] = {}

    def bot(question: Ask, game: Game) -> Answer:
        told.setdefault(question.seat, []).extend(question.request.events)
        assert question.request.view == game.view(question.seat)
        assert question.request.legal == game.legal_on_wire()
        return honest(pick)(question, game)

    pick = picker("events")
    game = start(name, max_hands=2)
    played = referee(setup_of(name), game, bot)
    for seat in range(game.seats):
        assert told[seat] + played.untold[seat] == game.events(seat)
        assert isinstance(played.untold[seat][-1], GameEnd)


@every_game
def test_events_of_the_game_before_are_told_first(name: str) -> None:
    before: list[list[Event]] = [[GameEnd((1, 2), 1, "target")] for _ in range(GAMES[name].seats)]
    asking = play_game(setup_of(name), start(name), before)
    assert next(asking).request.events[0] == GameEnd((1, 2), 1, "target")


def test_time_is_a_seats_own_for_a_hand() -> None:
    time = TimeControl(startup=1, move=0.5, hand=2)
    left: dict[tuple[int, int], list[float]] = {}

    def bot(question: Ask, game: Game) -> Answer:
        request = question.request
        left.setdefault((request.hand, question.seat), []).append(request.time_left)
        assert question.seconds == min(0.5, request.time_left)
        return honest(pick, us=20_000)(question, game)

    pick = picker("time")
    referee(setup_of("two-player", time=time), start("two-player", max_hands=2), bot)
    for seconds in left.values():
        assert seconds == [pytest.approx(2 - 0.02 * used) for used in range(len(seconds))]


@every_game
@pytest.mark.parametrize("kind", [kind for kind in FaultKind if kind is not FaultKind.STARTUP])
def test_a_fault_forfeits_the_game_to_the_other_side(name: str, kind: FaultKind) -> None:
    fault = Fault(kind, "expected", "said", "detail")
    game = start(name)
    played = referee(setup_of(name), game, faulty_at(30, fault, honest(picker("f"))))
    record = played.record
    assert len(record.faults) == 1
    booked = record.faults[0]
    assert (booked.kind, booked.expected, booked.said) == (kind, "expected", "said")
    assert record.result.winner == 1 - booked.seat % 2
    assert record.result.reason == "fault"
    assert record.hands[-1].tricks is None
    for seat in range(game.seats):
        assert played.untold[seat][-2:] == [
            FaultSeen(booked.seat, kind.value),
            GameEnd(record.result.scores, record.result.winner, "fault"),
        ]


@every_game
def test_an_illegal_move_says_what_was_expected_and_what_came(name: str) -> None:
    fouls: list[object] = [["2C"] * 900, {"a": 1}, "\ud800", 10**30]
    for foul in fouls:
        bot = faulty_move(foul)
        fault = referee(setup_of(name), start(name), bot).record.faults[0]
        assert fault.kind is FaultKind.ILLEGAL
        assert fault.expected.startswith("one of false true")
        assert 0 < len(fault.said) <= 201
        fault.said.encode()


def faulty_move(move: object) -> Bot:
    """Give a bot that always answers this."""
    return lambda *_: Answer(Reply(1, move), 10)


def test_a_move_nested_to_the_edge_of_reading_is_quoted_without_being_written_out() -> None:
    move: object = 1
    for _ in range(100_000):
        move = [move]
    fault = referee(setup_of("two-player"), start("two-player"), faulty_move(move)).record.faults[0]
    assert fault.said == "a deeply nested value"


@pytest.mark.parametrize(
    ("written", "said"),
    [("1e400", "1e400"), ('[-1E+999, "2C"]', '[-1E+999,"2C"]'), ("1.5", "1.5")],
)
def test_a_number_that_no_float_can_be_is_quoted_as_it_was_written(written: str, said: str) -> None:
    reply = parse_reply(f'{{"id":1,"move":{written}}}'.encode(), 1)
    assert isinstance(reply, Reply)
    assert move_words(reply.move) == said


@every_game
def test_under_substitute_the_referee_moves_and_the_game_goes_on(name: str) -> None:
    game = start(name, max_hands=1)
    bot = faulty_at(7, LATE, honest(picker("s")))
    record = referee(setup_of(name, "substitute"), game, bot).record
    assert record.result.reason == "max_hands"
    moves = [move for hand in record.hands for move in hand.moves]
    assert [index for index, move in enumerate(moves) if move.substituted] == [6]
    assert len(record.faults) == 1


@every_game
def test_under_substitute_a_bot_that_cannot_start_again_loses(name: str) -> None:
    fault = Fault(FaultKind.STARTUP, "ready")
    bot = faulty_at(9, fault, honest(picker("s")))
    record = referee(setup_of(name, "substitute"), start(name), bot).record
    assert record.result.reason == "fault"


def test_a_process_that_takes_a_lost_ones_place_is_told_the_hand_from_its_start() -> None:
    seen: list[object] = []

    def bot(question: Ask, game: Game) -> Answer:
        if question.seat == 0 and question.request.decision is Decision.PLAY:
            seen.append(question.request.events[0])
            if len(seen) == 1:
                return Answer(LATE, 99)
        return honest(pick)(question, game)

    pick = picker("r")
    referee(setup_of("two-player", "substitute"), start("two-player", max_hands=1), bot)
    assert not isinstance(seen[0], HandStart)
    assert isinstance(seen[1], HandStart)


def test_under_substitute_a_seat_out_of_time_is_asked_no_further_in_the_hand() -> None:
    asked: list[int] = []

    def bot(question: Ask, game: Game) -> Answer:
        if question.seat == 0:
            asked.append(question.request.hand)
            return Answer(LATE, 1_000_000)
        return honest(pick)(question, game)

    pick = picker("t")
    time = TimeControl(move=1, hand=3)
    setup = setup_of("two-player", "substitute", time)
    record = referee(setup, start("two-player", max_hands=2), bot).record
    assert asked == [1, 1, 1, 2, 2, 2]
    assert len(record.faults) == 6, "what was not asked is no fault"
    moves = [move for hand in record.hands for move in hand.moves if move.seat == 0]
    assert all(move.substituted for move in moves)


@pytest.mark.parametrize(
    ("seats", "winner", "reason"),
    [([0], 1, "fault"), ([1], 0, "fault"), ([1, 3], 0, "fault"), ([0, 3], None, "void")],
)
def test_a_game_that_was_never_started(seats: list[int], winner: int | None, reason: str) -> None:
    faults = [(seat, Fault(FaultKind.STARTUP, "ready")) for seat in seats]
    played = unplayed(setup_of("partnership"), "partnership", faults)
    assert (played.record.result.winner, played.record.result.reason) == (winner, reason)
    assert [fault.seat for fault in played.record.faults] == seats
    assert played.record.hands == ()
    assert all(isinstance(events[-1], GameEnd) for events in played.untold)


@every_game
@settings(max_examples=25)
@given(st.randoms(use_true_random=False))
def test_points_replay_from_the_record(name: str, chance: object) -> None:
    assert hasattr(chance, "randrange")
    game = start(name, max_hands=2)
    record: GameRecord = referee(setup_of(name), game, honest(chance.randrange)).record
    scores = [0, 0]
    for hand in record.hands:
        assert hand.points is not None
        scores = [score + points for score, points in zip(scores, hand.points, strict=True)]
        assert tuple(scores) == hand.scores
    assert record.result.scores == tuple(scores)
    assert msgspec.json.decode(msgspec.json.encode(record), type=GameRecord) == record
