"""Numbers as YAML 1.2 writes them, and sizes in bytes with their units.

It knows digits and the ranges of types; it never knows what a person meant by a word that is none.
"""

import math
import re
from typing import TypeAlias

from msgspec import inspect as kinds

from arena.documents.nodes import Word

Numeric: TypeAlias = kinds.IntType | kinds.FloatType

INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
"""What YAML 1.2 reads as a whole number."""
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
"""What YAML 1.2 reads as a number, but for infinities and what is none."""
ODD_FLOAT = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
"""What YAML 1.2 reads as infinities and as no number, which is no value of ours."""
LEADING_ZERO = re.compile(r"([-+]?)0+([1-9][0-9]*)")
"""What means eight times as much to some."""
MAX_DIGITS = 100
UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
"""Bytes of a unit, the smallest first."""

_SIZE = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,6})?) *(B|KiB|MiB|GiB)")


def parse_number(word: Word, kind: Numeric, *, is_size: bool = False) -> float | None:
    """Read a number of a type, within its range; None where the word is none."""
    if isinstance(kind, kinds.FloatType):
        number = _parse_float(word)
    else:
        size = _parse_size(word.text) if is_size else None
        number = parse_int(word) if size is None else size
    return number if number is not None and _is_within(number, kind) else None


def parse_int(word: Word) -> int | None:
    """Read a whole number; a leading zero, which means eight to some, is refused."""
    text = word.text
    if not word.is_plain or len(text) > MAX_DIGITS or INT.fullmatch(text) is None:
        return None
    if LEADING_ZERO.fullmatch(text):
        return None
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)


def _parse_size(text: str) -> int | None:
    """Read a size with its unit, such as ``256MiB`` or ``1.5 GiB``, in whole bytes."""
    found = _SIZE.fullmatch(text)
    if found is None:
        return None
    size = float(found[1]) * UNITS[found[2]]
    return int(size) if size.is_integer() else None


def _parse_float(word: Word) -> float | None:
    if not word.is_plain or FLOAT.fullmatch(word.text) is None:
        return None
    if INT.fullmatch(word.text) and parse_int(word) is None:
        return None
    found = float(word.text)
    return found if math.isfinite(found) else None


def _is_within(number: float, kind: Numeric) -> bool:
    """Tell whether a number is within a type's range."""
    return not (
        (kind.ge is not None and number < kind.ge)
        or (kind.gt is not None and number <= kind.gt)
        or (kind.le is not None and number > kind.le)
        or (kind.lt is not None and number >= kind.lt)
    )
