"""What is expected where, in words, and what people write there by mistake.

It knows YAML 1.1, which most people have in their fingers, and how 1.2 differs; it never knows
which key it is about.
"""

import re
from collections.abc import Container

from msgspec import inspect as kinds

from arena.documents.nodes import Items, Node, Word
from arena.documents.numbers import (
    FLOAT,
    INT,
    LEADING_ZERO,
    MAX_DIGITS,
    UNITS,
    Numeric,
    parse_number,
)
from arena.errors import did_you_mean

_NULLS = ("", "~", "null", "Null", "NULL")
_GROUPED = re.compile(r"[-+]?[0-9]{1,3}([_,' ]?[0-9]{3})+")
_SEXAGESIMAL = re.compile(r"([0-9]+):([0-5][0-9])")
_WITH_UNIT = re.compile(r"([0-9]+(?:\.[0-9]+)?) *(ms|s|sec|seconds?|min|minutes?)")
_SIZE_LIKE = re.compile(r"(?i)([0-9]+(?:\.[0-9]+)?) *([kmg])i?b?")
_SECONDS = {"ms": 0.001, "se": 1, "s": 1, "mi": 60}
"""Seconds of a unit of time, by its first two letters."""
_YES = ("yes", "on", "y", "t", "true", "1")
_NO = ("no", "off", "n", "f", "false", "0")


def is_open(node: Node) -> bool:
    """Tell whether there is no value: nothing behind the colon, ``null`` or ``~``."""
    return isinstance(node, Word) and node.is_plain and node.text in _NULLS


def expected(kind: kinds.Type, *, is_size: bool = False) -> str:
    """Say in words what a type wants."""
    match kind:
        case kinds.Metadata(type=inner, extra=extra):
            return expected(inner, is_size=(extra or {}).get("unit") == "bytes")
        case kinds.UnionType(types=types):
            return " or ".join(expected(one) for one in types)
        case kinds.IntType():
            return ("a size" if is_size else "a whole number") + _range(kind, is_size=is_size)
        case kinds.FloatType():
            return "a number" + _range(kind)
        case kinds.LiteralType(values=values):
            return " or ".join(str(one) for one in values)
        case kinds.ListType() | kinds.VarTupleType():
            return "a list"
        case kinds.BoolType():
            return "true or false"
        case kinds.StrType():
            return "text"
        case _:
            return "a group of keys"


def _range(kind: Numeric, *, is_size: bool = False) -> str:
    ends = (("from", kind.ge), ("above", kind.gt), ("to", kind.le), ("below", kind.lt))
    told = (f" {word} {_spelt(end, is_size=is_size)}" for word, end in ends if end is not None)
    return "".join(told)


def _spelt(number: float, *, is_size: bool) -> str:
    if is_size and number:
        unit = [unit for unit, worth in UNITS.items() if number % worth == 0][-1]
        return f"{number / UNITS[unit]:.0f}{unit}"
    return f"{number:.0f}" if float(number).is_integer() else str(number)


def remedy_for(node: Node, kind: kinds.Type, *, is_size: bool = False) -> str | None:
    """Guess what was meant and say how to write it."""
    match kind, node:
        case kinds.Metadata(type=inner, extra=extra), _:
            return remedy_for(node, inner, is_size=(extra or {}).get("unit") == "bytes")
        case kinds.UnionType(types=types), _:
            guesses = (remedy_for(node, one) for one in types)
            return next((guess for guess in guesses if guess), None)
        case ((kinds.ListType() | kinds.VarTupleType()), Word()):
            return f"write [{', '.join(node.text[:60].split())}]"
        case kinds.StructType(), _:
            first = next((field.encode_name for field in kind.fields), None)
            return f"write {{{first}: …}}" if first and isinstance(node, Word) else None
        case _, Items(items=(Word() as word,)):
            return _unlisted(word, kind, is_size=is_size)
        case kinds.LiteralType(values=values), Word():
            return _literal_remedy(node, [str(one) for one in values])
        case kinds.BoolType(), Word():
            return _bool_remedy(node)
        case ((kinds.IntType() | kinds.FloatType()), Word()):
            return _number_remedy(node, kind, is_size=is_size)
        case _:
            return None


def _unlisted(word: Word, kind: kinds.Type, *, is_size: bool) -> str | None:
    """Say what to do with a word in brackets: take them away where it would do alone."""
    match kind:
        case kinds.LiteralType(values=values):
            will_do = word.text in map(str, values)
        case kinds.BoolType():
            will_do = word.text.lower() in ("true", "false")
        case kinds.IntType() | kinds.FloatType():
            will_do = parse_number(word, kind, is_size=is_size) is not None
        case _:
            will_do = isinstance(kind, kinds.StrType)
    if will_do:
        return f"write {word.text[:60]} without brackets"
    return remedy_for(word, kind, is_size=is_size)


def unspaced(key: str, known: Container[str]) -> str | None:
    """Tell what a key such as ``target:500`` should have been."""
    name, colon, value = key.partition(":")
    if colon and name in known:
        return f"write {name}: {value[:60]}, with a space behind the colon"
    return None


def _literal_remedy(word: Word, known: list[str]) -> str | None:
    if word.text in known:
        return None if word.is_plain else "write it without quotation marks"
    near = did_you_mean(word.text[:60], known)
    return near if near and near.startswith("did") else None  # all are named as expected


def _bool_remedy(word: Word) -> str | None:
    text = word.text.lower()
    if text in _YES:
        return "write true"
    return "write false" if text in _NO else None


def _number_remedy(word: Word, kind: Numeric, *, is_size: bool) -> str | None:
    """Say how to write what was meant, unless that is out of range too."""
    guess = _size_guess(word.text) if is_size else _number_guess(word.text)
    meant = Word(word.text if guess is None else guess, is_plain=True, line=word.line)
    if parse_number(meant, kind, is_size=is_size) is None:
        return None
    return "write it without quotation marks" if guess is None else f"write {guess}"


def _number_guess(text: str) -> str | None:
    """Say how YAML 1.2 writes what looks like a number of another kind."""
    if len(text) > MAX_DIGITS:
        return None
    if found := LEADING_ZERO.fullmatch(text):
        return f"{found[1].strip('+')}{found[2]}"
    if _GROUPED.fullmatch(text) and not text.lstrip("+-").isdigit():
        return re.sub(r"[_,' ]", "", text)
    if found := _SEXAGESIMAL.fullmatch(text):
        return str(60 * int(found[1]) + int(found[2]))
    if found := _WITH_UNIT.fullmatch(text):
        return f"{float(found[1]) * _SECONDS[found[2][:2]]:g}"
    if FLOAT.fullmatch(text) and not INT.fullmatch(text):
        value = float(text)
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else None
    return None


def _size_guess(text: str) -> str | None:
    found = _SIZE_LIKE.fullmatch(text[:MAX_DIGITS])
    return f"{found[1]}{found[2].upper()}iB" if found else None
