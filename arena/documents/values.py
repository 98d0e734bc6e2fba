"""From nodes to checked values of the types that a room declares.

It knows the types and what people write for them by mistake; it never knows what a key means.
Every fault found becomes a `Problem` with its place, and reading goes on.
"""

import re
from typing import Final, TypeVar

import msgspec
from msgspec import inspect as kinds

from arena.documents.nodes import MAX_SHOWN, Items, Keys, Node, Word, join_index, join_key, shown
from arena.documents.numbers import FLOAT, INT, ODD_FLOAT, parse_int, parse_number
from arena.documents.remedies import expected, is_open, remedy_for, unspaced
from arena.errors import Problem, did_you_mean

StructT = TypeVar("StructT", bound=msgspec.Struct)


class _Refused:
    """Stands for a value that could not be read; the reason is among the problems."""


_REFUSED: Final = _Refused()


class Reader:
    """Reads nodes of one file, and gathers what is wrong with them."""

    def __init__(self, file: str, problems: list[Problem]) -> None:
        """Begin; problems are added to the list given."""
        self._file = file
        self._problems = problems

    def struct(
        self, node: Node, type_: type[StructT], path: str, besides: tuple[str, ...] = ()
    ) -> StructT | None:
        """Read a struct, or tell what is wrong and give None; keys `besides` its own are let be."""
        info = kinds.type_info(type_)
        assert isinstance(info, kinds.StructType)
        found = self._struct(node, info, path, besides)
        return found if isinstance(found, type_) else None

    def refuse(self, what: str, line: int, path: str, remedy: str | None = None) -> None:
        """Note a problem."""
        self._problems.append(Problem(what, self._file, line, path or None, remedy))

    def _value(self, node: Node, kind: kinds.Type, path: str) -> object:
        """Read one value of any type, or note a problem and give `_REFUSED`."""
        match kind:
            case kinds.Metadata(type=inner, extra=extra):
                return self._marked(node, inner, extra or {}, path)
            case kinds.UnionType(types=types):
                return self._union(node, types, path)
            case kinds.StructType():
                return self._struct(node, kind, path)
            case kinds.ListType(item_type=item) | kinds.VarTupleType(item_type=item):
                found = self._items(node, kind, item, path)
                is_list = isinstance(kind, kinds.ListType)
                return found if is_list or isinstance(found, _Refused) else tuple(found)
            case _:
                return self._word(node, kind, path)

    def _marked(self, node: Node, kind: kinds.Type, extra: dict[str, object], path: str) -> object:
        """Read a value whose type is marked: as a size, or with a check of its own."""
        if extra.get("unit") == "bytes" and isinstance(kind, kinds.IntType):
            return self._size(node, kind, path)
        check = extra.get("check")
        if not callable(check) or not isinstance(node, Word) or is_open(node):
            return self._value(node, kind, path)
        fault = check(node.text)
        if fault is None:
            return self._value(node, kind, path)
        what, remedy = fault
        return self._refused(what, node.line, path, remedy)

    def _size(self, node: Node, kind: kinds.IntType, path: str) -> object:
        """Read a size in bytes, with a unit or without."""
        found: object = _REFUSED
        if isinstance(node, Word) and not is_open(node):
            number = parse_number(node, kind, is_size=True)
            found = _REFUSED if number is None else number
        return self._wrong(node, kind, path, is_size=True) if found is _REFUSED else found

    def _refused(self, what: str, line: int, path: str, remedy: str | None = None) -> _Refused:
        self.refuse(what, line, path, remedy)
        return _REFUSED

    def _wrong(self, node: Node, kind: kinds.Type, path: str, *, is_size: bool = False) -> _Refused:
        """Say what is expected and what stands there."""
        if is_open(node):
            if not path:
                return self._refused("the file is empty", node.line, path)
            return self._refused("there is no value", node.line, path, "write one, or remove it")
        what = f"{expected(kind, is_size=is_size)} is expected, not {_stands(node)}"
        remedy = remedy_for(node, kind, is_size=is_size)
        return self._refused(what, node.line, path, remedy)

    def _struct(
        self, node: Node, kind: kinds.StructType, path: str, besides: tuple[str, ...] = ()
    ) -> object:
        if not isinstance(node, Keys):
            return self._wrong(node, kind, path)
        before = len(self._problems)
        fields = {field.encode_name: field for field in kind.fields}
        missing = {name for name, field in fields.items() if field.required} - set(node.values)
        for key in node.values:
            if key not in fields and key not in besides:
                known = {*fields, *besides}
                remedy = unspaced(key, known) or did_you_mean(key[:60], known)
                # A key that is misspelt is not told a second time as missing.
                missing = {name for name in missing if f"{name!r}?" not in (remedy or "")}
                line = node.key_lines[key]
                self.refuse("unknown key", line, join_key(path, key), remedy or "remove it")
        for name in sorted(missing):
            self.refuse("is missing", node.line, join_key(path, name))
        values = {
            field.name: self._value(node.values[name], field.type, join_key(path, name))
            for name, field in fields.items()
            if name in node.values
        }
        if len(self._problems) > before:
            return _REFUSED
        try:
            return kind.cls(**values)
        except ValueError as error:
            return self._refused(str(error), node.line, path)

    def _items(
        self,
        node: Node,
        kind: kinds.ListType | kinds.VarTupleType,
        item: kinds.Type,
        path: str,
    ) -> list[object] | _Refused:
        if not isinstance(node, Items):
            return self._wrong(node, kind, path)
        if len(node.items) < (kind.min_length or 0):
            what = f"{len(node.items)} given, and at least {kind.min_length} needed"
            return self._refused(what, node.line, path)
        if kind.max_length is not None and len(node.items) > kind.max_length:
            what = f"{len(node.items)} given, and at most {kind.max_length} allowed"
            return self._refused(what, node.line, path)
        found = [
            self._value(one, item, join_index(path, index)) for index, one in enumerate(node.items)
        ]
        return _REFUSED if any(isinstance(one, _Refused) for one in found) else found

    def _union(self, node: Node, types: tuple[kinds.Type, ...], path: str) -> object:
        """Read the first type that fits, text last; say what all of them are where none does.

        A word that YAML 1.2 reads as no text is text here only where it stands in quotation marks.
        """
        if is_open(node) and any(isinstance(kind, kinds.NoneType) for kind in types):
            return None
        rest = [kind for kind in types if not isinstance(kind, kinds.NoneType)]
        if len(rest) == 1:
            return self._value(node, rest[0], path)
        for kind in sorted(rest, key=_is_text):
            trial = Reader(self._file, [])
            found = trial._value(node, kind, path)
            if not isinstance(node, Word) or not _is_text(kind):
                if not isinstance(found, _Refused):
                    return found
                continue
            if _has_other_readings(node):
                what = f"{node.text[:60]} can be read in two ways"
                remedy = f"put it in quotation marks if it is text: '{node.text[:60]}'"
                return self._refused(what, node.line, path, remedy)
            self._problems += trial._problems
            return found
        return self._wrong(node, kinds.UnionType(tuple(rest)), path)

    def _word(self, node: Node, kind: kinds.Type, path: str) -> object:
        """Read a value that is one word."""
        if not isinstance(node, Word) or is_open(node):
            return self._wrong(node, kind, path)
        match kind:
            case kinds.StrType():
                found: object = node.text
            case kinds.BoolType():
                found = _BOOLS.get(node.text, _REFUSED) if node.is_plain else _REFUSED
            case kinds.IntType() | kinds.FloatType():
                number = parse_number(node, kind)
                found = _REFUSED if number is None else number
            case kinds.LiteralType(values=values):
                found = next((one for one in values if _is_literal(node, one)), _REFUSED)
            case _:
                raise TypeError(f"{path} has a type that documents cannot hold: {kind}")
        if isinstance(kind, kinds.StrType):
            fault = _text_fault(node.text, kind)
            return self._refused(fault, node.line, path) if fault else found
        return self._wrong(node, kind, path) if isinstance(found, _Refused) else found


_BOOLS: dict[str, object] = {
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip


def _stands(node: Node) -> str:
    """Say what stands there, a word as it was written."""
    if isinstance(node, Items):
        return "a list"
    if isinstance(node, Keys):
        return "a group of keys"
    is_bare = node.is_plain and node.text.isprintable() and len(node.text) <= MAX_SHOWN
    return node.text if is_bare else shown(node.text)


def _is_text(kind: kinds.Type) -> bool:
    inner = kind.type if isinstance(kind, kinds.Metadata) else kind
    return isinstance(inner, kinds.StrType)


def _has_other_readings(word: Word) -> bool:
    """Tell whether a plain word is more than text to YAML 1.2: ``010``, ``1e3``, ``true``."""
    text = word.text
    is_number = any(look.fullmatch(text) for look in (INT, FLOAT, ODD_FLOAT))
    return word.is_plain and (text in _BOOLS or is_number)


def _is_literal(word: Word, value: bool | int | str | None) -> bool:
    if isinstance(value, str):
        return word.text == value
    if isinstance(value, bool) or value is None:
        return word.is_plain and _BOOLS.get(word.text) is value
    return parse_int(word) == value


def _text_fault(text: str, kind: kinds.StrType) -> str | None:
    """Say what is wrong with a text's length or shape."""
    if len(text) < (kind.min_length or 0):
        return "is empty" if not text else f"has under {kind.min_length} characters"
    if kind.max_length is not None and len(text) > kind.max_length:
        return f"has {len(text)} characters, and at most {kind.max_length} are allowed"
    if kind.pattern is not None and re.search(kind.pattern, text) is None:
        return f"{shown(text)} is not of the form {kind.pattern}"
    return None
