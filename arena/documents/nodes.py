"""From the bytes of a YAML file to plain nodes that know their lines.

It knows what of YAML is allowed here; it never knows what type a word should have. The nodes are
made from the events of PyYAML's parser, so nothing is ever constructed or expanded: an alias ends
where it stands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import yaml
from yaml.reader import Reader

from arena.errors import InputError, Problem

MAX_BYTES = 256 * 1024
"""The size of a file that is read; PyYAML takes about two seconds for so much."""
MAX_DEPTH = 24
MAX_PROBLEMS = 100
MAX_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Word:
    """A scalar as written; `is_plain`: without quotation marks, so that its type is open."""

    text: str
    is_plain: bool
    line: int


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: "tuple[Node, ...]"
    line: int


@dataclass(frozen=True, slots=True)
class Keys:
    """A mapping: by key, its value; `key_lines` tells where each key stands."""

    values: "dict[str, Node]"
    key_lines: dict[str, int]
    line: int


Node: TypeAlias = Word | Items | Keys

_VALUES = ("true", "false", "null")
"""Plain words that YAML reads as no text; a key of this name is a slip."""

# What YAML forbids, and the rare line ends that would make its lines other than an editor's.
_ODD = re.compile(rf"{Reader.NON_PRINTABLE.pattern}|[\x85\u2028\u2029]")


def shown(text: str) -> str:
    """Quote a word for a message, cut where it is long."""
    return repr(text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…")


def join_key(path: str, key: str) -> str:
    """Name a key by the way to it: ``rules.target``."""
    name = key if key.isprintable() and 0 < len(key) <= MAX_SHOWN else shown(key)
    return f"{path}.{name}" if path else name


def join_index(path: str, index: int) -> str:
    """Name a list's item by the way to it, counted from 0: ``bots[0]``."""
    return f"{path}[{index}]"


def parse(raw: bytes | str, file: str, problems: list[Problem]) -> Node:
    """Read a document.

    What is not allowed but can be skipped goes to `problems`. Raises `InputError` where the rest
    cannot be read.
    """
    events = yaml.parse(_decode(raw, file), Loader=yaml.SafeLoader)
    builder = _Builder(events, file, problems)
    try:
        return builder.document()
    except yaml.MarkedYAMLError as error:
        raise InputError([*problems, _syntax_problem(error, file)]) from None
    except (ValueError, OverflowError):
        # PyYAML lets chr() and int() raise for an escape or a version that is out of range.
        what = "not YAML: an escape or a number that means nothing"
        raise InputError([*problems, Problem(what, file, builder.line)]) from None


def _decode(raw: bytes | str, file: str) -> str:
    """Give the text, without what no person writes on purpose. Raises `InputError`."""
    if len(raw) > MAX_BYTES:
        what = f"larger than {MAX_BYTES // 1024} KiB, which no such file needs to be"
        raise InputError([Problem(what, file)])
    if isinstance(raw, bytes):
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            problem = Problem("not UTF-8", file, line, remedy="save the file as UTF-8")
            raise InputError([problem]) from None
    else:
        text = raw
    text = text.removeprefix("\ufeff")
    odd = _ODD.search(text)
    if odd:
        line = text.count("\n", 0, odd.start()) + 1
        what = f"the character U+{ord(odd[0]):04X} may not stand in YAML"
        raise InputError([Problem(what, file, line, remedy="remove it")])
    return text


def _syntax_problem(error: yaml.MarkedYAMLError, file: str) -> Problem:
    """Say what PyYAML found, with a remedy for what people do most."""
    mark = error.problem_mark or error.context_mark
    what = error.problem or "not YAML"
    context = error.context or ""
    remedy = None
    if r"'\t'" in what:
        what, remedy = "a tab", "write spaces instead"
    elif "but got '?'" in what:
        what, remedy = "'?' begins a key here", "put a glob that holds '?' in quotation marks"
    elif "scanning an alias" in context:
        what, remedy = "'*' begins an alias here", "put text that starts with it in quotation marks"
    elif error.context_mark and ("end of stream" in what or "expected ',' or" in what):
        opened = error.context_mark.line + 1
        remedy = f"close the bracket or quotation mark that is opened on line {opened}"
    elif "cannot start any token" in what or context.endswith((" anchor", " tag")):
        remedy = "put text that starts with a sign in quotation marks"
    elif "mapping values are not allowed" in what:
        remedy = "check the indentation, and put text that holds ': ' in quotation marks"
    elif "sequence entries are not allowed" in what:
        remedy = "put each '- ' on a line of its own"
    elif "could not find expected ':'" in what:
        remedy = "each line is `key: value`, with a space behind the colon"
    return Problem(f"not YAML: {what}", file, mark.line + 1 if mark else None, remedy=remedy)


class _Builder:
    """Makes nodes of a parser's events, in one pass."""

    def __init__(self, events: Iterator[yaml.Event], file: str, problems: list[Problem]) -> None:
        self._events = events
        self._file = file
        self._problems = problems
        self.line = 1

    def document(self) -> Node:
        """Read the one document. Raises `InputError` where there is none, or more than one."""
        self._take()
        start = self._take()
        if not isinstance(start, yaml.DocumentStartEvent):
            raise self._stop("the file is empty")
        if start.version or start.tags:
            self._refuse("directives are not read here", self.line, "", "remove the line")
        root = self._node(self._take(), "", 0)
        self._take()
        if not isinstance(self._take(), yaml.StreamEndEvent):
            raise self._stop("a second document begins", "keep one")
        return root

    def _take(self) -> yaml.Event:
        """Take the next event, and note its line."""
        event = next(self._events)
        assert event.start_mark is not None
        self.line = event.start_mark.line + 1
        return event

    def _stop(self, what: str, remedy: str | None = None) -> InputError:
        return InputError([*self._problems, Problem(what, self._file, self.line, remedy=remedy)])

    def _refuse(self, what: str, line: int, path: str, remedy: str) -> None:
        self._problems.append(Problem(what, self._file, line, path or None, remedy))
        if len(self._problems) >= MAX_PROBLEMS:
            raise InputError(self._problems)

    def _node(self, event: yaml.Event, path: str, depth: int) -> Node:
        """Read the node that an event begins, `depth` lists and mappings down."""
        line = self.line
        if depth > MAX_DEPTH:
            raise self._stop("nested too deeply")
        assert isinstance(event, yaml.NodeEvent)
        if isinstance(event, yaml.AliasEvent):
            remedy = f"write the value out, or '*{event.anchor}' if it is text"
            self._refuse("aliases are not read here", line, path, remedy)
        elif event.anchor is not None:
            self._refuse("anchors are not read here", line, path, f"remove &{event.anchor}")
        if isinstance(event, yaml.CollectionStartEvent | yaml.ScalarEvent) and event.tag:
            self._refuse("tags are not read here", line, path, "remove what begins with '!'")
        if isinstance(event, yaml.SequenceStartEvent):
            return Items(tuple(self._items(path, depth)), line)
        if isinstance(event, yaml.MappingStartEvent):
            return self._keys(path, depth, line)
        if not isinstance(event, yaml.ScalarEvent):
            return Word(f"*{event.anchor}", is_plain=True, line=line)
        if _ODD.search(event.value):
            raise self._stop("an escape for a character that is no text")
        return Word(event.value, event.style is None, line)

    def _items(self, path: str, depth: int) -> Iterator[Node]:
        index = 0
        while not isinstance(event := self._take(), yaml.SequenceEndEvent):
            yield self._node(event, join_index(path, index), depth + 1)
            index += 1

    def _keys(self, path: str, depth: int, line: int) -> Keys:
        found = Keys({}, {}, line)
        while not isinstance(event := self._take(), yaml.MappingEndEvent):
            key = self._node(event, path, depth + 1)
            name = key.text if isinstance(key, Word) else ""
            at = join_key(path, name)
            value = self._node(self._take(), at, depth + 1)
            if not isinstance(key, Word):
                self._refuse("a key is one word", key.line, path, "put the value behind a key")
            elif name == "<<" and key.is_plain:
                self._refuse("merge keys are not read here", key.line, path, "write the keys out")
            elif name in _VALUES and key.is_plain:
                what = f"{name} is a value, where a key is expected"
                self._refuse(what, key.line, path, "write `key: value`")
            elif name in found.values:
                what = f"stands twice, first on line {found.key_lines[name]}"
                self._refuse(what, key.line, at, "keep one of them")
            else:
                found.values[name] = value
                found.key_lines[name] = key.line
        return found
