"""A log is bounded in bytes, keeps its head and its tail, and can be shown anywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.session.log import Log, shown


def log_of(*chunks: bytes, limit: int = 1_000) -> Log:
    log = Log(limit)
    for chunk in chunks:
        log.add(chunk)
    return log


def test_a_short_log_is_kept_whole() -> None:
    assert log_of(b"one\n", b"two\n").text() == "one\ntwo\n"
    assert log_of(b"x" * 1_000).text() == "x" * 1_000


def test_of_a_long_log_head_and_tail_are_kept_and_the_gap_is_told() -> None:
    text = log_of(b"first\n", b"x" * 5_000, b"\nlast\n").text()
    assert text.startswith("first\n")
    assert text.endswith("\nlast\n")
    head, tail = len("first\n"), len("\nlast\n")
    kept = text.count("x")
    assert f"\n… {5_000 - kept} bytes left out …\n" in text
    assert len(text.encode()) <= 1_000
    assert kept > 900 - head - tail


@given(st.lists(st.binary(max_size=300)), st.integers(0, 400))
def test_no_log_is_longer_than_its_limit(chunks: list[bytes], limit: int) -> None:
    log = log_of(*chunks, limit=limit)
    assert len(log.text().encode()) <= limit
    assert len(log.last_words().encode()) <= limit


@given(st.binary(max_size=2_000), st.integers(1, 400))
def test_how_it_came_in_pieces_makes_no_difference(stream: bytes, size: int) -> None:
    pieces = [stream[start : start + size] for start in range(0, len(stream), size)]
    assert log_of(*pieces).text() == log_of(stream).text()
    assert log_of(*pieces).last_words() == log_of(stream).last_words()


def test_the_last_words_are_the_end() -> None:
    log = log_of(b"x" * 5_000, b"\nTraceback:\n", b"ValueError: no such card\n")
    assert log.last_words().endswith("Traceback:\nValueError: no such card")
    assert log_of(b"short\n").last_words() == "short"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"plain\ttext\n", "plain\ttext\n"),
        ("Zoë ♠".encode(), "Zoë ♠"),
        (b"one\r\ntwo\r\n", "one\ntwo\n"),
        (b"\x1b[31mred\x1b[0m", "?[31mred?[0m"),
        (b"\xff\xfe", "??"),
        (b"\x00\x07", "??"),
        ("a\u202eb\u2028c\x9bd".encode(), "a?b?c?d"),
        (b"\xed\xa0\x80", "???"),
    ],
)
def test_what_would_steer_a_terminal_is_shown_as_a_question_mark(raw: bytes, text: str) -> None:
    assert shown(raw) == text


def test_a_limit_of_nothing_keeps_nothing() -> None:
    log = log_of(b"words", limit=0)
    assert (log.text(), log.last_words()) == ("", "")
