"""Given decks: a file of JSON Lines, one board a line. Rules: D3.

It knows what a board must hold to be played; it never knows what the decks are for.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from arena.cards import parse_card
from arena.errors import InputError, Problem, did_you_mean, in_words
from arena.record import GivenBoard

MAX_BYTES = 64 * 1024**2
MAX_DIGITS = 100
_PLACE = re.compile(r"(.*) - at `(?:key in )?\$\.?(.*)`", re.DOTALL)
_EXPECTED = re.compile(r"Expected `(\w+)`, got `(\w+)`")
_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*)`", re.DOTALL)
_WORDS = {
    "int": "a whole number", "float": "a number", "str": "text", "array": "a list",
    "object": "an object", "bool": "true or false", "null": "null",
}  # fmt: skip


def read_decks(path: Path, shown: str, seats: int, boards: int) -> tuple[GivenBoard, ...]:
    """Read given boards in the order of their numbers, at most `boards`.

    Raises `InputError` with every fault and its line; `shown` is how the file is called there.
    """
    try:
        if not path.is_file():
            raise InputError([_missing(path, shown)])
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError([Problem(f"cannot be read: {in_words(error)}", shown)]) from error
    if len(raw) > MAX_BYTES:
        raise InputError([Problem(f"larger than {MAX_BYTES // 1024**2} MiB", shown)])
    return parse_decks(raw, shown, seats, boards)


def _missing(path: Path, shown: str) -> Problem:
    if path.is_dir():
        return Problem("is a folder", shown, remedy="name a file of JSON Lines")
    if path.exists():  # a FIFO, a socket or a device
        return Problem("is no file", shown, remedy="name a file of JSON Lines")
    beside = [one.name for one in path.parent.iterdir()] if path.parent.is_dir() else []
    folder = shown.removesuffix(path.name)
    return Problem("no such file", shown, remedy=did_you_mean(path.name, beside, folder))


def parse_decks(raw: bytes, shown: str, seats: int, boards: int) -> tuple[GivenBoard, ...]:
    """Read the same from the file's bytes."""
    problems: list[Problem] = []
    found: dict[int, tuple[int, GivenBoard]] = {}
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.strip():
            continue
        given = _parse(line, shown, number, problems)
        if given is None:
            continue
        for key, what in _faults(given, seats, boards):
            problems.append(Problem(what, shown, number, key))
        if given.board in found:
            what = f"board {given.board} stands twice, first on line {found[given.board][0]}"
            problems.append(Problem(what, shown, number, "board"))
        found.setdefault(given.board, (number, given))
    if not found and not problems:
        problems.append(Problem("holds no board", shown))
    if problems:
        raise InputError(problems[:100])
    return tuple(given for _, (_, given) in sorted(found.items()))


def _parse(line: bytes, shown: str, number: int, problems: list[Problem]) -> GivenBoard | None:
    """Read one line, or note what is wrong with it."""
    try:
        text = line.decode()
        found: object = json.loads(text, object_pairs_hook=_unique, parse_int=_whole)
        return msgspec.convert(found, GivenBoard)
    except msgspec.ValidationError as error:
        problems.append(_in_words(str(error), shown, number))
    except UnicodeDecodeError:
        problems.append(Problem("not UTF-8", shown, number, remedy="save the file as UTF-8"))
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg} at character {error.pos + 1}"
        problems.append(Problem(what, shown, number))
    except RecursionError:
        problems.append(Problem("brackets within brackets, too many of them", shown, number))
    except ValueError as error:
        problems.append(Problem(str(error), shown, number))
    return None


def _in_words(said: str, shown: str, number: int) -> Problem:
    """Say in words what msgspec found wrong with a line."""
    place = _PLACE.fullmatch(said)
    what, key = place.groups() if place else (said, "")
    if found := _EXPECTED.fullmatch(what):
        wanted, came = (_WORDS.get(word, word) for word in found.groups())
        remedy = None if key else 'write {"board": 1, "first": 0, "decks": [[…]]}'
        return Problem(f"{wanted} is expected, not {came}", shown, number, key or None, remedy)
    if found := _FIELD.fullmatch(what):
        key, is_missing = found[2], found[1].startswith("missing")
        if is_missing:
            return Problem("is missing", shown, number, key)
        near = did_you_mean(key[:60], GivenBoard.__struct_fields__)
        return Problem("unknown key", shown, number, key, near)
    return Problem(what.replace("`", ""), shown, number, key or None)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key[:40]!r} stands twice")
        found[key] = value
    return found


def _whole(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits; a board's have few")
    return int(digits)


def _faults(given: GivenBoard, seats: int, boards: int) -> Iterator[tuple[str, str]]:
    """Say by key what keeps a board from being played."""
    if not 1 <= given.board <= boards:
        yield "board", f"board {given.board} is not among boards 1 to {boards}"
    if not 0 <= given.first < seats:
        yield "first", f"seat {given.first} is not among seats 0 to {seats - 1}"
    if not given.decks:
        yield "decks", "holds no deck"
    for index, deck in enumerate(given.decks):
        if fault := _cards_fault(deck, 52):
            yield f"decks[{index}]", fault
    if given.exchange and seats != 2:
        yield "exchange", "only the two-player game has an exchange order"
    if len(given.exchange) > len(given.decks):
        yield "exchange", f"{len(given.exchange)} exchange orders for {len(given.decks)} decks"
    for index, order in enumerate(given.exchange):
        if fault := _cards_fault(order, 26):
            yield f"exchange[{index}]", fault


def _cards_fault(names: Sequence[str], count: int) -> str | None:
    """Say what is wrong with a list that should have so many different cards."""
    seen = set()
    for name in names:
        try:
            card = parse_card(name)
        except ValueError as error:
            return str(error)[:200]
        if card in seen:
            return f"{name} stands twice"
        seen.add(card)
    return None if len(names) == count else f"has {len(names)} cards, not {count}"
