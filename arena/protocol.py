"""The wire between referee and bots: typed messages, the line splitter with its bound, faults.

It knows what a line may hold and says exactly what is wrong with one; it never knows whether a
move is legal, and touches no process. Protocol: all of docs/protocol.md.
"""

import json
import math
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from arena.games.game import Decision, Event, View

VERSION = 1
MAX_LINE = 65_536
"""Bytes a line may have, its newline not counted."""
MAX_NOTE = 500
"""Characters of a bot's note that are kept."""
MAX_SAID = 200
"""Characters of a bot's own words that a fault keeps."""
LEAST_SECONDS, MOST_SECONDS = 0.01, 86_400
"""What a clock may be set to, in a tournament's file and on the command line."""
Seconds: TypeAlias = Annotated[float, Meta(ge=LEAST_SECONDS, le=MOST_SECONDS)]


class TimeControl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds: to start up, for one move, and for all of one seat's moves in a hand."""

    startup: Seconds = 10.0
    move: Seconds = 1.0
    hand: Seconds = 5.0


class Hello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """The referee's first line to a process, answered by `Ready`."""

    protocol: int
    game: str
    seat: int
    seats: int
    sitting: int
    boards: int
    rules: dict[str, bool | int | str | None]
    time: TimeControl
    freeze: bool
    seed: int


ViewT = TypeVar("ViewT", bound=View)


class Request(msgspec.Struct, Generic[ViewT], tag_field="type", tag="request"):
    """A question, answered by a `Reply` with the same id within the time left.

    The session that sends it sets `id`, which counts from 1 for each process.
    """

    id: int
    board: int
    hand: int
    decision: Decision
    events: list[Event]
    view: ViewT
    legal: Sequence[bool | int | str]
    time_left: float


class End(msgspec.Struct, frozen=True, tag_field="type", tag="end"):
    """The referee's last line to a process, unanswered."""

    events: list[Event]


class Ready(msgspec.Struct, frozen=True, tag_field="type", tag="ready"):
    """A bot's answer to `Hello`; what it calls itself is recorded and nothing more."""

    name: str = ""
    version: str = ""


class Reply(msgspec.Struct, frozen=True):
    """A bot's answer to a `Request`: any JSON value as the move, judged by the referee."""

    id: int
    move: object
    note: str = ""


class FaultKind(StrEnum):
    """What a bot can do wrong. Protocol: faults."""

    STARTUP = "startup"
    CRASH = "crash"
    TIMEOUT = "timeout"
    MALFORMED = "malformed"
    MISMATCH = "mismatch"
    ILLEGAL = "illegal"
    OVERSIZE = "oversize"
    UNSOLICITED = "unsolicited"
    RESOURCE = "resource"

    @property
    def keeps_process(self) -> bool:
        """Tell whether the process can still be asked: it answered, in time and in step."""
        return self in (FaultKind.MALFORMED, FaultKind.MISMATCH, FaultKind.ILLEGAL)


ADVICE: dict[FaultKind, str] = {
    FaultKind.STARTUP: 'answer the hello line with {"type":"ready"} and flush; run the command '
    "by hand in the bot's folder to see it start",
    FaultKind.CRASH: "the process must live until the end message; its log shows the last error",
    FaultKind.TIMEOUT: "answer sooner, flush standard output after each line, and look for a loop "
    "that does not end",
    FaultKind.MALFORMED: 'write one JSON object a line, such as {"id":1,"move":"KH"}; '
    "write logs to standard error",
    FaultKind.MISMATCH: "repeat the id of the request being answered, as a whole number",
    FaultKind.ILLEGAL: "choose from the request's legal list, with the same type and spelling",
    FaultKind.OVERSIZE: f"keep each line under {MAX_LINE} bytes and end it with a newline",
    FaultKind.UNSOLICITED: "write one line for each request, with that request's id; "
    "write logs to standard error",
    FaultKind.RESOURCE: "use less memory, or start fewer processes; the limits are in the config",
}
"""What to do about each kind of fault, in words for the bot's author."""


class Fault(msgspec.Struct, frozen=True):
    """What a bot did wrong: the kind, what was expected, its own words (cut) and the details."""

    kind: FaultKind
    expected: str
    said: str = ""
    detail: str = ""

    @property
    def advice(self) -> str:
        """Say what to do about it."""
        return ADVICE[self.kind]


_ENCODER = msgspec.json.Encoder()


def encode_line(message: Hello | Request[View] | End) -> bytes:
    """Write a message as one line, newline included."""
    return _ENCODER.encode(message) + b"\n"


def readable(raw: bytes, limit: int = MAX_SAID) -> str:
    """Quote a bot's bytes for a person: decoded where possible, cut, control characters named."""
    text = raw[: 4 * limit].decode("utf-8", "backslashreplace")
    shown = text if text.isprintable() else "".join(map(_named, text))
    return shown if len(shown) <= limit and len(raw) <= 4 * limit else shown[:limit] + "…"


def _named(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode()


# The line almost every bot writes; whatever does not match takes the slow and thorough way.
_PLAIN_REPLY = re.compile(
    rb'\{ ?"id": ?(0|[1-9][0-9]{0,8}), ?"move": ?'
    rb'(true|false|[0-9]|1[0-9]|"[ -!#-\[\]-~]{0,8}") ?\}\r?'
)
_PLAIN_MOVES: dict[bytes, object] = {b"true": True, b"false": False}
_JSON_SPACE = b" \t\r"
MAX_DIGITS = 4300


class _DuplicateKeyError(ValueError):
    pass


class _LongNumberError(ValueError):
    pass


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _DuplicateKeyError(next(name for name in names if names.count(name) > 1))
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _whole(digits: str) -> int:
    """Read a whole number, of as many digits as a Python reads that is not told otherwise."""
    if len(digits.removeprefix("-")) > MAX_DIGITS:
        raise _LongNumberError
    return int(digits)


class Vast(float):
    """A number larger than a float can be, which keeps what was `written`."""

    def __init__(self, written: str) -> None:
        """Keep it."""
        self.written = written


def _fraction(text: str) -> float:
    found = float(text)
    return found if math.isfinite(found) else Vast(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_constant=_no_constant,
    parse_int=_whole,
    parse_float=_fraction,
)


def _parse_object(line: bytes, expected: str) -> dict[str, object] | Fault:
    """Read one strict JSON object without duplicate keys, or say what is wrong with the line."""

    def malformed(detail: str) -> Fault:
        return Fault(FaultKind.MALFORMED, expected, readable(line), detail)

    try:
        text = line.strip(_JSON_SPACE).decode("utf-8")
    except UnicodeDecodeError as error:
        return malformed(f"not UTF-8: {error.reason} at byte {error.start}")
    if not text:
        return malformed("an empty line")
    try:
        found = _DECODER.decode(text)
    except _DuplicateKeyError as error:
        return malformed(f"the key {readable(str(error).encode(), 40)!r} stands twice")
    except _LongNumberError:
        return malformed(f"a whole number of more than {MAX_DIGITS} digits")
    except RecursionError:
        return malformed("nested too deeply")
    except json.JSONDecodeError as error:
        return malformed(f"not JSON: {error.msg} at character {error.pos + 1}")
    except ValueError as error:
        return malformed(f"not JSON: {readable(str(error).encode(), 80)}")
    if not isinstance(found, dict):
        return malformed("JSON, but not an object")
    return found


def _clean(value: object, limit: int) -> str:
    """Take a bot's string, cut, with lone surrogates replaced; anything else is no string."""
    if not isinstance(value, str):
        return ""
    return value[:limit].encode("utf-8", "replace").decode("utf-8")


def parse_ready(line: bytes) -> Ready | Fault:
    """Read the answer to `Hello`; whatever else it is becomes a `startup` fault."""
    expected = '{"type":"ready"}'
    found = _parse_object(line, expected)
    if isinstance(found, Fault):
        return Fault(FaultKind.STARTUP, expected, found.said, found.detail)
    if found.get("type") != "ready":
        return Fault(FaultKind.STARTUP, expected, readable(line), "the first line is no ready")
    return Ready(_clean(found.get("name"), MAX_SAID), _clean(found.get("version"), MAX_SAID))


def parse_reply(line: bytes, request_id: int) -> Reply | Fault:
    """Read the answer to request `request_id`, the newline already taken off.

    Faults: `malformed`, `mismatch`, and `unsolicited` for an id that was answered before.
    """
    plain = _PLAIN_REPLY.fullmatch(line)
    if plain is not None and int(plain[1]) == request_id:
        move = plain[2]
        if move[0] == 34:  # a quotation mark
            return Reply(request_id, move[1:-1].decode())
        return Reply(request_id, _PLAIN_MOVES[move] if move in _PLAIN_MOVES else int(move))
    return _parse_any_reply(line, request_id)


def _parse_any_reply(line: bytes, request_id: int) -> Reply | Fault:
    expected = f'{{"id":{request_id},"move":…}}'
    found = _parse_object(line, expected)
    if isinstance(found, Fault):
        return found
    number = found.get("id")
    if type(number) is int and number == request_id and "move" in found:
        return Reply(request_id, found["move"], _clean(found.get("note"), MAX_NOTE))
    said = readable(line)
    for key in ("id", "move"):
        if key not in found:
            return Fault(FaultKind.MALFORMED, expected, said, f"there is no {key!r}")
    if isinstance(number, bool) or not isinstance(number, int):
        return Fault(FaultKind.MISMATCH, expected, said, "the id is no whole number")
    if 1 <= number < request_id:
        detail = f"request {number} was answered before; this is request {request_id}"
        return Fault(FaultKind.UNSOLICITED, expected, said, detail)
    return Fault(FaultKind.MISMATCH, expected, said, "a request with this id was never made")


class LineBuffer:
    """Splits a byte stream into lines of at most `MAX_LINE` bytes; bytes in, lines out."""

    def __init__(self) -> None:
        """Start empty."""
        self._buffer = bytearray()
        self._searched = 0

    def feed(self, chunk: bytes) -> None:
        """Add bytes as they came."""
        self._buffer += chunk

    def next_line(self) -> bytes | None:
        """Take the first whole line, without its newline; None while there is none."""
        end = self._buffer.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._buffer)
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched = 0
        return line

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing is waiting, not even part of a line."""
        return not self._buffer

    @property
    def is_oversize(self) -> bool:
        """Tell whether the line being gathered is already longer than a line may be."""
        return self._searched > MAX_LINE

    @property
    def waiting(self) -> bytes:
        """Show the first bytes that wait, for a fault's `said`."""
        return bytes(self._buffer[: 4 * MAX_SAID])
