import re
from xml.etree import ElementTree as ET

import pytest

from arena.report.plots import LETTER, Scale, bar_plot, bubble_plot, interval_plot, ticks


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 10, [0, 2, 4, 6, 8, 10]),
        (13.2, 31.9, [15, 20, 25, 30]),
        (0, 0.004, [0, 0.001, 0.002, 0.003, 0.004]),
        (-20, 20, [-20, -10, 0, 10, 20]),
        (0, 0, [0]),
    ],
)
def test_ticks_are_round_and_few(low: float, high: float, expected: list[float]) -> None:
    assert ticks(low, high) == pytest.approx(expected)


def test_a_scale_without_a_range_gives_its_start() -> None:
    assert Scale(5, 5, 10, 20)(5) == 10


def numbers(drawing: str) -> list[float]:
    return [float(n) for n in re.findall(r'(?:cx|cy|x|y|width|height|r)="([-\d.]+)"', drawing)]


@pytest.mark.parametrize(
    "drawing",
    [
        interval_plot([(1, 25.0, 10.0, 40.0)], "one"),
        interval_plot([(n, 25.0 + n, 20.0 + n, 30.0 + n) for n in range(1, 64)], "many"),
        interval_plot([(1, 25.0, 25.0, 25.0), (2, 25.0, 25.0, 25.0)], "flat"),
        bar_plot([("1 ms", 3), *[("", 0)] * 20, ("1,234 ms", 9)], ("Within", "Replies"), "bars"),
        bubble_plot([(4, 5, 1), (13, 13, 900)], ("Bid", "Won"), "discs"),
    ],
)
def test_every_plot_is_sound_says_what_it_is_and_stays_in_its_drawing(drawing: str) -> None:
    root = ET.fromstring(drawing)
    assert root.get("role") == "img"
    assert root.get("aria-label")
    assert "nan" not in drawing
    assert all(-1 <= number <= 360 for number in numbers(drawing))
    for text in root.iter("text"):
        x, half = float(text.get("x") or ""), LETTER * len(text.text or "") / 2
        ends = {"start": (x, x + 2 * half), "end": (x - 2 * half, x)}
        low, high = ends.get(text.get("text-anchor") or "", (x - half, x + half))
        assert low >= -1
        assert high <= 360


def test_an_area_is_as_large_as_its_count() -> None:
    one, four = re.findall(r'r="([\d.]+)"', bubble_plot([(1, 1, 25), (2, 2, 100)], ("", ""), ""))
    assert float(four) == pytest.approx(2 * float(one), abs=0.1)


def test_large_counts_are_told_in_thousands_and_millions() -> None:
    thousands = bar_plot([("", 20_000)], ("", ""), "")
    assert ">20k<" in thousands
    assert ">5000<" in thousands
    assert ">2M<" in bar_plot([("", 2_000_000)], ("", ""), "")
