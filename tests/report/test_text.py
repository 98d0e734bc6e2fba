import math

import pytest

from arena.report.text import (
    MINUS,
    NOTHING,
    chance,
    count,
    cut,
    number,
    percent,
    printable,
    short_digest,
    signed,
    size,
    span,
    times,
)


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("a\nb\rc\td", "a\\nb\\rc\\td"),
        ("\u202etxt.exe", "\\u202etxt.exe"),
        ("in\u2066side\u2069", "in\\u2066side\\u2069"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("\x9b31m", "\\x9b31m"),
        ("lone \ud800", "lone \\ud800"),
        ("\u2028line", "\\u2028line"),
    ],
)
def test_what_moves_the_cursor_or_turns_the_line_is_named_instead(hostile: str, shown: str) -> None:
    assert printable(hostile) == shown
    assert printable(hostile).isprintable()


@pytest.mark.parametrize("harmless", ["", "plain", "Füchsin", "шум", "猫", "<b>&", "[red]", "♠"])
def test_letters_of_any_script_and_markup_are_left_to_those_who_escape(harmless: str) -> None:
    assert printable(harmless) == harmless


@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf])
def test_nothing_to_tell_is_a_dash_and_never_nan(value: float | None) -> None:
    assert number(value) == signed(value) == percent(value) == NOTHING


def test_numbers_have_a_true_minus_sign_and_zero_has_no_sign() -> None:
    assert number(-3.25, 2) == f"{MINUS}3.25"
    assert number(-0.01) == "0.0"
    assert [signed(value) for value in (2.0, -2.0, 0.0)] == ["+2.0", f"{MINUS}2.0", "0.0"]
    assert percent(0.625) == "62 %"
    assert signed(-1234.5) == f"{MINUS}1,234.5"
    assert signed(1234.5) == "+1,234.5"


def test_no_chance_is_rounded_to_a_certainty() -> None:
    told = {0.0: "< 1 %", 0.0004: "< 1 %", 0.01: "1 %", 0.5: "50 %", 0.99: "99 %", 1.0: "> 99 %"}
    assert {value: chance(value) for value in told} == told
    assert chance(None) == NOTHING


def test_an_interval_of_ranks_is_one_number_where_it_is_one_rank() -> None:
    assert span(2, 2) == "2"
    assert span(1, 3) == f"1{NOTHING}3"


def test_words_are_counted_and_cut() -> None:
    assert count(1, "game") == "1 game"
    assert count(2400, "game") == "2,400 games"
    assert count(2, "match", "matches") == "2 matches"
    assert [times(1), times(2400)] == ["once", "2,400 times"]
    assert [size(n) for n in (0, 1000, 65536, 256 * 1024**2, 3 * 1024**3)] == [
        "0 bytes", "1,000 bytes", "64 KiB", "256 MiB", "3 GiB",
    ]  # fmt: skip
    assert cut("abcdef", 4) == "abc…"
    assert cut("abcd", 4) == "abcd"
    assert short_digest("sha256:0123456789abcdef") == "01234567"
