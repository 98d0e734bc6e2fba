"""Text from strangers made harmless, and numbers written for people.

It knows which characters could move a cursor, turn a line round or hide in it; it never knows
where the text will stand: escaping HTML is left to the templates, escaping markup to the terminal.
"""

import math
from collections.abc import Mapping

MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"
"""Stands where there is nothing to tell, such as the margin of a bot that finished no game."""


def printable(text: str) -> str:
    """Name every character that does not print: controls, bidi overrides, zero widths.

    An escape becomes four plain characters, a backslash first; spaces and all scripts stay.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _named(c) for c in text)


def printable_lines(text: str) -> str:
    """Name what does not print, line by line: the ends of lines stay."""
    return "\n".join(map(printable, text.split("\n")))


def _named(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def printable_json(text: str) -> str:
    """Escape what does not print in JSON text, as JSON does: it still says the same."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else _as_json(c) for c in text)


def _as_json(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2))


def cut(text: str, length: int) -> str:
    """Shorten to at most `length` characters, the last of them an ellipsis where it was longer."""
    return text if len(text) <= length else text[: length - 1] + "…"


def number(value: float | None, digits: int = 1) -> str:
    """Write a number with a true minus sign; nothing to tell is a dash, never NaN."""
    if value is None or not math.isfinite(value):
        return NOTHING
    text = f"{round(value, digits) + 0.0:,.{digits}f}"  # + 0.0: no zero has a sign
    return text.replace("-", MINUS)


def signed(value: float | None, digits: int = 1) -> str:
    """Write a number with its sign, plus included; zero has none."""
    text = number(value, digits)
    is_positive = text[0].isdigit() and text.strip("0.") != ""
    return f"+{text}" if is_positive else text


def integer(value: int) -> str:
    """Write a whole number with a true minus sign."""
    return f"{value:,}".replace("-", MINUS)


def duration(us: float | None) -> str:
    """Write microseconds as a person reads them, two digits of them."""
    if us is None:
        return NOTHING
    if us < 9.95:
        return f"{us:.1f} µs"
    value, unit = (us / 1000, "ms") if us < 999_500 else (us / 1_000_000, "s")
    if value >= 9.95:
        return f"{value:,.0f} {unit}"
    return f"{value:.1f} {unit}" if value >= 0.995 else f"{value:.2f} {unit}"


def size(amount: int) -> str:
    """Write bytes in the largest unit that leaves no fraction."""
    unit = next(n for n in (3, 2, 1, 0) if amount % 1024**n == 0) if amount else 0
    return f"{amount // 1024**unit:,} {('bytes', 'KiB', 'MiB', 'GiB')[unit]}"


def percent(share: float | None, digits: int = 0) -> str:
    """Write a share of one as a percentage."""
    text = number(None if share is None else 100 * share, digits)
    return text if text == NOTHING else f"{text} %"


def chance(probability: float | None) -> str:
    """Write a probability as a percentage that no rounding makes a certainty."""
    if probability is not None and probability > 0.99:
        return "> 99 %"
    if probability is not None and probability < 0.01:
        return "< 1 %"
    return percent(probability)


def span(low: int, high: int) -> str:
    """Write an interval of ranks: ``3`` or ``3-5`` with a true dash."""
    return str(low) if low == high else f"{low}{NOTHING}{high}"


def short_digest(digest: str) -> str:
    """Give the first eight digits of ``sha256:…``."""
    return digest.rpartition(":")[2][:8]


def count(amount: int, singular: str, plural: str = "") -> str:
    """Write an amount with its noun: ``1 game``, ``2,400 games``."""
    noun = singular if amount == 1 else plural or f"{singular}s"
    return f"{amount:,} {noun}"


def faults(kinds: Mapping[str, int]) -> str:
    """Write faults by kind: ``illegal 3, timeout 12``."""
    return ", ".join(f"{kind} {n:,}" for kind, n in sorted(kinds.items()) if n) or "none"


def times(amount: int) -> str:
    """Write how often something happened."""
    return "once" if amount == 1 else f"{amount:,} times"
