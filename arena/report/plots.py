"""Plots drawn as SVG, from numbers alone, so that nothing in them can be anyone's markup.

It knows scales, ticks and marks; it never knows what the numbers mean. Each plot is told in words
to those who do not see it, and a page sets the table behind it beside it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10, sqrt

from markupsafe import Markup

from arena.report.text import MINUS

WIDTH, HEIGHT = 360, 210
LEFT, RIGHT, TOP, BOTTOM = 40, 350, 10, 170
"""The edges of a plot's field within its drawing; ticks and titles stand outside."""

LETTER = 7.5
"""The width of a letter at most, at the size of a plot's text."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps numbers from `low` to `high` to places from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Give the place of a number, to a tenth."""
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return round(self.start + share * (self.end - self.start), 1)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Give round numbers from `low` to `high`, evenly apart and at most so many."""
    step = 10 ** floor(log10((high - low or 1.0) / most))
    step = next(s for s in (step, 2 * step, 5 * step, 10 * step) if (high - low) / s <= most)
    first = ceil(low / step - 1e-9)
    return [n * step for n in range(first, floor(high / step + 1e-9) + 1)]


def _number(value: float) -> str:
    """Write a tick's number, short enough to stand left of the field."""
    if abs(value) >= 1_000_000:
        text = f"{value / 1_000_000:g}M"
    else:
        text = f"{value / 1000:g}k" if abs(value) >= 10_000 else f"{value:g}"
    return text.replace("-", MINUS)


def _text(x: float, y: float, words: str, anchor: str = "middle") -> str:
    """Write words; those that would stand out beyond the edge end at it."""
    if anchor == "middle" and x + LETTER * len(words) / 2 > WIDTH:
        x, anchor = WIDTH, "end"
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{words}</text>'


def _frame(x: Scale, y: Scale, xs: Iterable[tuple[float, str]], titles: tuple[str, str]) -> str:
    """Draw lines across at the ticks of `y`, the labels of `x` below, and what the axes are."""
    parts = []
    for value in ticks(y.low, y.high, 5):
        parts.append(f'<path class="line" d="M{LEFT} {y(value):g}H{RIGHT}"/>')
        parts.append(_text(LEFT - 5, y(value) + 4, _number(value), "end"))
    parts += [_text(x(place), BOTTOM + 15, label) for place, label in xs]
    parts.append(_text((LEFT + RIGHT) / 2, HEIGHT - 6, titles[0]))
    parts.append(_text(2, TOP + 2, titles[1], "start"))
    return "".join(parts)


def _svg(parts: str, label: str) -> Markup:
    """Put a drawing's parts together; all are made here, of numbers and of words of ours."""
    return Markup(  # noqa: S704  # see above
        f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        f"{parts}</svg>"
    )


def interval_plot(points: Sequence[tuple[int, float, float, float]], label: str) -> Markup:
    """Draw a line of values by whole number, each with its low and high end."""
    x = Scale(points[0][0], points[-1][0], LEFT + 10, RIGHT - 10)
    low, high = min(point[2] for point in points), max(point[3] for point in points)
    y = Scale(low, high, BOTTOM, TOP + 12)
    there = " ".join(f"{x(n):g},{y(top):g}" for n, _, _, top in points)
    back = " ".join(f"{x(n):g},{y(bottom):g}" for n, _, bottom, _ in reversed(points))
    line = " ".join(f"{x(n):g},{y(value):g}" for n, value, _, _ in points)
    dots = "".join(
        f'<circle class="mark" cx="{x(n):g}" cy="{y(v):g}" r="3"/>' for n, v, _, _ in points
    )
    whole = [n for n in ticks(x.low, x.high, 8) if n == int(n)] or [x.low]
    parts = _frame(x, y, [(n, _number(n)) for n in whole], ("Round", "Rating"))
    if len(points) == 1:
        n, _, bottom, top = points[0]
        parts += f'<path class="reach" d="M{x(n):g} {y(bottom):g}V{y(top):g}"/>'
    else:
        parts += f'<polygon class="band" points="{there} {back}"/>'
        parts += f'<polyline class="curve" points="{line}"/>'
    return _svg(parts + (dots if len(points) <= 40 else ""), label)


def bar_plot(bars: Sequence[tuple[str, int]], titles: tuple[str, str], label: str) -> Markup:
    """Draw counts as bars side by side; a bar without a label has none below it."""
    x = Scale(-0.5, len(bars) - 0.5, LEFT, RIGHT)
    y = Scale(0, max(count for _, count in bars), BOTTOM, TOP + 12)
    width = (RIGHT - LEFT) / len(bars)
    parts = _frame(x, y, ((n, words) for n, (words, _) in enumerate(bars)), titles)
    for n, (_, count) in enumerate(bars):
        top = y(count)
        parts += (
            f'<rect class="mark" x="{x(n) - 0.45 * width:.1f}" y="{top:g}" '
            f'width="{0.9 * width:.1f}" height="{BOTTOM - top:.1f}"/>'
        )
    return _svg(parts, label)


def bubble_plot(
    counts: Sequence[tuple[int, int, int]], titles: tuple[str, str], label: str
) -> Markup:
    """Draw how often each pair of numbers from 0 to 13 came, as area, with the line of equality."""
    x, y = Scale(0, 13, LEFT + 10, RIGHT - 10), Scale(0, 13, BOTTOM - 8, TOP + 14)
    most = max(count for _, _, count in counts)
    parts = _frame(x, y, [(n, str(n)) for n in range(14)], titles)
    parts += f'<path class="even" d="M{x(0):g} {y(0):g}L{x(13):g} {y(13):g}"/>'
    for one, other, count in counts:
        radius = max(1.5, 9 * sqrt(count / most))
        parts += f'<circle class="bubble" cx="{x(one):g}" cy="{y(other):g}" r="{radius:.1f}"/>'
    return _svg(parts, label)
