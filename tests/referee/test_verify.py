"""A record judged again: an honest one replays to itself, and a changed one does not."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.deals import Board
from arena.games.game import Decision, Game
from arena.protocol import Fault, FaultKind, Reply
from arena.record import FaultRecord, GameRecord, GameResult, decode_game, encode_game
from arena.referee import Answer, Ask, unplayed, verify_game
from tests.playing import GAMES, choose, picker, start
from tests.referee.test_play import honest, referee, setup_of

GAME_NAMES = sorted(GAMES)
every_game = pytest.mark.parametrize("name", GAME_NAMES)
replace = msgspec.structs.replace


def starter(name: str, **rules: object) -> Callable[[Board], Game]:
    """Give what starts a game of these rules on any board."""
    return lambda board: start(name, board, **rules)


def honest_record(name: str) -> GameRecord:
    """Record an honest game of two hands, with a double nil and its exchange or passes."""
    label = next(str(i) for i in range(99) if _has_choice(_record(name, str(i))))
    return _record(name, label)


def _record(name: str, label: str) -> GameRecord:
    return referee(setup_of(name), start(name, max_hands=2), honest(picker(label))).record


def _has_choice(record: GameRecord) -> bool:
    chosen = [move for hand in record.hands for move in hand.moves if isinstance(move.move, list)]
    return any(move.move for move in chosen)


@every_game
@pytest.mark.parametrize("policy", ["forfeit", "substitute"])
@settings(max_examples=30)
@given(st.randoms(use_true_random=False))
def test_whatever_was_played_replays_to_itself(name: str, policy: str, chance: object) -> None:
    assert hasattr(chance, "randrange")
    randrange: Callable[[int], int] = chance.randrange
    kinds = [FaultKind.TIMEOUT, FaultKind.MALFORMED, FaultKind.CRASH]

    def bot(_: Ask, game: Game) -> Answer:
        us = randrange(400_000)
        if randrange(40) == 0:
            return Answer(Fault(kinds[randrange(3)], "e", "s", "d"), us)
        if randrange(40) == 0:
            return Answer(Reply(1, "nonsense", "of a move that was not made"), us)
        return Answer(Reply(1, game.move_on_wire(choose(game, randrange)), "mine"), us)

    record = referee(setup_of(name, policy), start(name, max_hands=3), bot).record
    restart = starter(name, max_hands=3)
    assert verify_game(record, restart) == []
    assert verify_game(decode_game(encode_game(record, times=False)), restart) == []


@every_game
def test_games_that_were_never_started_replay_to_themselves(name: str) -> None:
    for seats in ([0], [1], [0, 1]):
        faults = [(seat, Fault(FaultKind.STARTUP, "ready", "", "d")) for seat in seats]
        record = unplayed(setup_of(name), name, faults).record
        assert verify_game(record, starter(name)) == []


def _with_hand(record: GameRecord, **changes: object) -> GameRecord:
    hand = replace(record.hands[0], **changes)
    return replace(record, hands=(hand, *record.hands[1:]))


def _swap_two_cards(record: GameRecord) -> GameRecord:
    deck = record.hands[0].deck
    return _with_hand(record, deck=(deck[1], deck[0], *deck[2:]))


def _change_a_play(record: GameRecord) -> GameRecord:
    moves = list(record.hands[0].moves)
    index = next(i for i, move in enumerate(moves) if move.decision is Decision.PLAY)
    other = next(move.move for move in moves[index + 1 :] if move.move != moves[index].move)
    moves[index] = replace(moves[index], move=other)
    return _with_hand(record, moves=tuple(moves))


def _fault(seat: int) -> FaultRecord:
    return FaultRecord(seat, FaultKind.TIMEOUT, Decision.PLAY, 1, "e", "s", "d")


def _substitute_first(record: GameRecord) -> GameRecord:
    first, *others = record.hands[0].moves
    return _with_hand(record, moves=(replace(first, substituted=True), *others))


CHANGES: dict[str, tuple[Callable[[GameRecord], GameRecord], str]] = {
    "points": (lambda r: _with_hand(r, points=(500, 0)), "hand 1: points"),
    "tricks": (lambda r: _with_hand(r, tricks=(13, 0)), "hand 1: tricks"),
    "result": (lambda r: replace(r, result=GameResult((9, 9), 0, "target")), "result: recorded"),
    "repeated card": (lambda r: _with_hand(r, deck=("AS",) * 52), "not 52 different cards"),
    "no card": (lambda r: _with_hand(r, deck=("XX", *r.hands[0].deck[1:])), "is no card"),
    "deck": (_swap_two_cards, "hand 1"),
    "play": (_change_a_play, "hand 1"),
    "missing move": (lambda r: _with_hand(r, moves=r.hands[0].moves[1:]), "the record has"),
    "second hand missing": (lambda r: replace(r, hands=r.hands[:1]), "no deck is given"),
    "hand too many": (lambda r: replace(r, hands=(*r.hands, r.hands[0])), "the record goes on"),
    "moves cut off": (
        lambda r: replace(r, hands=(replace(r.hands[0], moves=r.hands[0].moves[:9]),)),
        "neither a move nor a fault",
    ),
    "fault left over": (lambda r: replace(r, faults=(_fault(0),)), "never came up: 1"),
    "fault elsewhere": (
        lambda r: _substitute_first(replace(r, faults=(_fault(0),))),
        "never came up: 1",
    ),
    "hand without moves": (
        lambda r: replace(r, hands=(*r.hands, replace(r.hands[0], moves=()))),
        "3 hands recorded, 2 replayed",
    ),
    "nothing played": (lambda r: replace(r, hands=()), "neither a hand nor a fault"),
}


@every_game
@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_record_is_found_out(name: str, change: str) -> None:
    make, problem = CHANGES[change]
    problems = verify_game(make(honest_record(name)), starter(name, max_hands=2))
    assert any(problem in line for line in problems), problems
