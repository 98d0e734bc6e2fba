"""What travels and what is kept: the same bytes everywhere."""

import msgspec
import pytest

from arena.games.game import Decision
from arena.protocol import FaultKind, TimeControl
from arena.record import (
    BotRef,
    FaultPolicy,
    FaultRecord,
    GameRecord,
    GameResult,
    HandRecord,
    Limits,
    MatchSpec,
    MoveRecord,
    decode_game,
    digest_game,
    encode_game,
    to_result,
    without_times,
)

SEATS = tuple(BotRef(name, "1", f"sha256:{name}") for name in "abab")


def record_of(winner: int | None, reason: str, *faults: FaultRecord, us: int = 61) -> GameRecord:
    """Make a small record by hand."""
    moves = (
        MoveRecord(1, Decision.BID, 3, us),
        MoveRecord(0, Decision.EXCHANGE, ["AS"], us, "why", drawn=("2C",)),
    )
    hand = HandRecord(1, 0, ("AS",), moves, (4, 3, 3, 3), (71, -70), (1, 0), (71, -70))
    result = GameResult((71, -70), winner, reason)
    return GameRecord(
        1, "partnership", {"target": 500}, 7, 3, 1, SEATS, (hand,), result, tuple(faults)
    )


def test_a_record_reads_back_as_it_was_written() -> None:
    record = record_of(0, "target")
    assert decode_game(encode_game(record)) == record


def test_a_record_is_written_as_the_format_shows_it() -> None:
    shown = msgspec.json.decode(encode_game(record_of(0, "target")))
    assert shown["hands"][0]["moves"] == [
        {"seat": 1, "decision": "bid", "move": 3, "us": 61},
        {
            "seat": 0,
            "decision": "exchange",
            "move": ["AS"],
            "us": 61,
            "note": "why",
            "drawn": ["2C"],
        },
    ]
    assert shown["result"] == {"scores": [71, -70], "winner": 0, "reason": "target"}


def test_times_are_left_out_of_digests_and_nothing_else_is() -> None:
    one, other = record_of(0, "target", us=61), record_of(0, "target", us=9)
    assert encode_game(one) != encode_game(other)
    assert encode_game(one, times=False) == encode_game(other, times=False)
    assert digest_game(one) == digest_game(other) != digest_game(record_of(1, "target"))
    assert b'"us"' not in encode_game(one, times=False)
    assert without_times(one).hands[0].moves[1].note == "why"


def test_a_record_of_another_shape_is_refused_with_its_place() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"\$.board"):
        decode_game(encode_game(record_of(0, "target")).replace(b'"board":3', b'"board":"x"'))


@pytest.mark.parametrize(
    ("winner", "reason", "score", "margin"),
    [
        (0, "target", 1.0, 141),
        (1, "target", 0.0, 141),
        (None, "max_hands", 0.5, 141),
        (1, "fault", 0.0, None),
        (None, "void", None, None),
    ],
)
def test_a_game_becomes_one_result(
    winner: int | None, reason: str, score: float | None, margin: int | None
) -> None:
    fault = FaultRecord(3, FaultKind.CRASH, Decision.BID, 1, "e", "s", "d")
    result = to_result(record_of(winner, reason, fault), 4)
    assert (result.match, result.round, result.board, result.sitting) == (7, 4, 3, 1)
    assert result.sides == (("a",), ("b",))
    assert (result.score, result.margin) == (score, margin)
    assert result.faults == (("b", FaultKind.CRASH),)


def test_every_bot_moves_one_seat_on_in_each_sitting() -> None:
    seats = tuple(BotRef(name, "1", name) for name in "abcd")
    spec = MatchSpec(
        *(1, 1, "partnership", {}, "s", (1,), 2, seats, TimeControl(), FaultPolicy()),
        *("auto", Limits()),
    )
    assert spec.seated(0) == seats
    assert [ref.bot for ref in spec.seated(1)] == ["d", "a", "b", "c"]
    for seat, ref in enumerate(seats):
        assert spec.seated(1)[(seat + 1) % 4] == ref
    assert msgspec.json.decode(msgspec.json.encode(spec), type=MatchSpec) == spec
