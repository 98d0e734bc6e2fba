"""The wire: every line that a bot can write is an answer or exactly one kind of fault."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.game import Decision, Play, View
from arena.games.two_player import TwoPlayerView
from arena.protocol import (
    ADVICE,
    MAX_LINE,
    MAX_NOTE,
    MAX_SAID,
    End,
    Fault,
    FaultKind,
    Hello,
    LineBuffer,
    Ready,
    Reply,
    Request,
    TimeControl,
    encode_line,
    parse_ready,
    parse_reply,
    readable,
)
from tests.playing import start

ANSWERS: list[tuple[bytes, object]] = [
    (b'{"id":3,"move":"KH"}', "KH"),
    (b'{"id": 3, "move": true}', True),
    (b'{"id":3,"move":false}\r', False),
    (b' \t{ "move" : 4 , "id" : 3 } \r', 4),
    (b'{"id":3,"move":0}', 0),
    (b'{"id":3,"move":["AS","2C"]}', ["AS", "2C"]),
    (b'{"id":3,"move":[]}', []),
    (b'{"id":3,"move":null}', None),
    (b'{"id":3,"move":4.0}', 4.0),
    (b'{"type":"move","id":3,"move":"KH","later":{"a":[1]}}', "KH"),
    (b'{"id":3,"move":"\\u004bH"}', "KH"),
]
FAULTS: list[tuple[bytes, FaultKind, str]] = [
    (b"", FaultKind.MALFORMED, "an empty line"),
    (b"hello", FaultKind.MALFORMED, "not JSON"),
    (b"\xff\xfe", FaultKind.MALFORMED, "not UTF-8"),
    (b'\xef\xbb\xbf{"id":3,"move":1}', FaultKind.MALFORMED, "not JSON"),
    (b"[3]", FaultKind.MALFORMED, "not an object"),
    (b'"x"', FaultKind.MALFORMED, "not an object"),
    (b"{'id':3,'move':1}", FaultKind.MALFORMED, "not JSON"),
    (b'{"id":3,"move":NaN}', FaultKind.MALFORMED, "NaN is not JSON"),
    (b'{"id":3,"move":-Infinity}', FaultKind.MALFORMED, "not JSON"),
    (b'{"id":3,"move":1}{"id":4}', FaultKind.MALFORMED, "not JSON"),
    (b'{"id":3,"id":3,"move":1}', FaultKind.MALFORMED, "the key 'id' stands twice"),
    (b'{"id":3,"move":{"a":1,"a":2}}', FaultKind.MALFORMED, "the key 'a' stands twice"),
    (b'{"move":1}', FaultKind.MALFORMED, "there is no 'id'"),
    (b'{"id":3}', FaultKind.MALFORMED, "there is no 'move'"),
    (b"[" * 60_000, FaultKind.MALFORMED, "nested too deeply"),
    (b'{"id":3,"move":' + b"9" * 50_000 + b"}", FaultKind.MALFORMED, "4300 digits"),
    (b'{"id":3,"move":1,"x":[-' + b"9" * 4_301 + b"]}", FaultKind.MALFORMED, "4300 digits"),
    (b'{"id":4,"move":1}', FaultKind.MISMATCH, "was never made"),
    (b'{"id":0,"move":1}', FaultKind.MISMATCH, "was never made"),
    (b'{"id":-2,"move":1}', FaultKind.MISMATCH, "was never made"),
    (b'{"id":"3","move":1}', FaultKind.MISMATCH, "no whole number"),
    (b'{"id":3.0,"move":1}', FaultKind.MISMATCH, "no whole number"),
    (b'{"id":true,"move":1}', FaultKind.MISMATCH, "no whole number"),
    (b'{"id":null,"move":1}', FaultKind.MISMATCH, "no whole number"),
    (b'{"id":2,"move":1}', FaultKind.UNSOLICITED, "request 2 was answered before"),
]


@pytest.mark.parametrize(("line", "move"), ANSWERS, ids=lambda value: repr(value)[:40])
def test_an_answer_is_read_as_it_was_written(line: bytes, move: object) -> None:
    reply = parse_reply(line, 3)
    assert isinstance(reply, Reply)
    assert reply.move == move
    assert type(reply.move) is type(move)


@pytest.mark.parametrize(("line", "kind", "detail"), FAULTS, ids=lambda value: repr(value)[:40])
def test_each_fault_of_a_line_is_told_apart(line: bytes, kind: FaultKind, detail: str) -> None:
    fault = parse_reply(line, 3)
    assert isinstance(fault, Fault)
    assert fault.kind is kind
    assert detail in fault.detail
    assert '"id":3' in fault.expected
    assert len(fault.said) <= MAX_SAID + 1
    assert fault.advice == ADVICE[kind]


@given(st.binary(max_size=200), st.integers(1, 10**6))
def test_any_bytes_are_an_answer_or_a_fault(line: bytes, number: int) -> None:
    found = parse_reply(line, number)
    assert isinstance(found, Reply | Fault)
    msgspec.json.encode(found.said if isinstance(found, Fault) else found.note)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.integers(1, 10**9), json_values, st.sampled_from([(",", ":"), (", ", ": ")]))
def test_whatever_json_writes_is_read_the_same_by_both_ways_of_reading(
    number: int, move: object, separators: tuple[str, str]
) -> None:
    line = json.dumps({"id": number, "move": move}, separators=separators).encode()
    turned = json.dumps({"move": move, "id": number}, separators=separators).encode()
    reply = parse_reply(line, number)
    assert isinstance(reply, Reply)
    assert reply == parse_reply(turned, number)
    assert json.dumps(reply.move) == json.dumps(move)


def test_a_note_is_cut_and_never_breaks_the_record() -> None:
    line = json.dumps({"id": 1, "move": 1, "note": "é" * 900}).encode()
    reply = parse_reply(line, 1)
    assert isinstance(reply, Reply)
    assert reply.note == "é" * MAX_NOTE
    odd = parse_reply(b'{"id":1,"move":1,"note":"\\ud800!"}', 1)
    assert isinstance(odd, Reply)
    assert odd.note == "?!"
    number = parse_reply(b'{"id":1,"move":1,"note":7}', 1)
    assert isinstance(number, Reply)
    assert number.note == ""


def test_ready_may_name_the_bot_and_anything_else_is_a_startup_fault() -> None:
    assert parse_ready(b'{"type":"ready"}') == Ready()
    assert parse_ready(b'{"type":"ready","name":"x","version":"2"}') == Ready("x", "2")
    for line in (b"debug: loading", b'{"type":"hello"}', b"{}", b"[]", b'{"type":["ready"]}'):
        fault = parse_ready(line)
        assert isinstance(fault, Fault)
        assert fault.kind is FaultKind.STARTUP
        assert fault.said == line.decode()


def test_messages_look_as_the_protocol_shows_them() -> None:
    hello = Hello(1, "two-player", 0, 2, 0, 20, {"target": 500}, TimeControl(), True, 81723)
    assert json.loads(encode_line(hello)) == {
        "type": "hello",
        "protocol": 1,
        "game": "two-player",
        "seat": 0,
        "seats": 2,
        "sitting": 0,
        "boards": 20,
        "rules": {"target": 500},
        "time": {"startup": 10.0, "move": 1.0, "hand": 5.0},
        "freeze": True,
        "seed": 81723,
    }
    assert json.loads(encode_line(End([Play(1, "QC")]))) == {
        "type": "end",
        "events": [{"event": "play", "seat": 1, "card": "QC"}],
    }


def test_a_request_holds_the_fields_of_the_protocol_and_no_card_of_others() -> None:
    game = start("two-player", double_nil=False)
    view = game.view(game.seat)
    assert isinstance(view, TwoPlayerView)
    request: Request[View] = Request(
        1, 1, 1, Decision.DRAFT, game.events(game.seat), view, [True, False], 5.0
    )
    line = encode_line(request)
    assert line.endswith(b"\n")
    found = json.loads(line)
    assert list(found) == [
        *("type", "id", "board", "hand", "decision", "events", "view", "legal", "time_left")
    ]
    assert set(found["view"]) == {
        *("hand", "trick", "leader", "played", "leaders", "tricks", "spades_broken", "bids"),
        *("double_nil", "first", "scores", "bags", "kept", "seen", "exchanged", "thrown", "drawn"),
    }


@given(st.lists(st.binary(max_size=12)), st.integers(1, 7))
def test_lines_come_out_as_they_went_in_however_they_are_split(
    parts: list[bytes], size: int
) -> None:
    lines = [part.replace(b"\n", b"") for part in parts]
    stream = b"".join(line + b"\n" for line in lines) + b"rest"
    buffer = LineBuffer()
    found = []
    for start_at in range(0, len(stream), size):
        buffer.feed(stream[start_at : start_at + size])
        while (line := buffer.next_line()) is not None:
            found.append(line)
    assert found == lines
    assert buffer.waiting == b"rest"
    assert not buffer.is_empty


def test_a_line_without_end_is_oversize_as_soon_as_it_is_too_long() -> None:
    buffer = LineBuffer()
    buffer.feed(b"x" * MAX_LINE)
    assert buffer.next_line() is None
    assert not buffer.is_oversize
    buffer.feed(b"x")
    assert buffer.next_line() is None
    assert buffer.is_oversize


@given(st.binary(max_size=2000))
def test_a_bots_words_are_shown_without_control_characters_and_cut(raw: bytes) -> None:
    shown = readable(raw)
    assert shown.isprintable()
    assert len(shown) <= MAX_SAID + 1


def test_each_kind_of_fault_has_its_advice() -> None:
    assert set(ADVICE) == set(FaultKind)
    assert {kind for kind in FaultKind if kind.keeps_process} == {
        *(FaultKind.MALFORMED, FaultKind.MISMATCH, FaultKind.ILLEGAL)
    }
