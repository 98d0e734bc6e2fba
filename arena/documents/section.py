"""A part of a document that is read when it is known which type it should have.

It knows places; it never knows what a key means. A config reads ``kind`` first, and then the rest
of that group into the options that the kind declares.
"""

from dataclasses import dataclass

from arena.documents.nodes import MAX_PROBLEMS, Items, Keys, Node, Word, join_index, join_key, parse
from arena.documents.remedies import is_open
from arena.documents.values import Reader, StructT
from arena.errors import InputError, Problem


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document, with its place."""

    file: str
    path: str
    node: Node

    def _behind(self, key: str | None) -> Node | None:
        if key is None:
            return self.node
        return self.node.values.get(key) if isinstance(self.node, Keys) else None

    def part(self, key: str) -> "Section":
        """Give what stands behind a key; an empty group where the key is not there."""
        node = self._behind(key) or Keys({}, {}, self.node.line)
        return Section(self.file, join_key(self.path, key), node)

    def word(self, key: str | None = None) -> str | None:
        """Look at the word behind a key, or here, before it is read; None where there is none."""
        found = self._behind(key)
        return found.text if isinstance(found, Word) and not is_open(found) else None

    def words(self, key: str) -> dict[int, str]:
        """Look at the words of the list behind a key in the same way, by their places in it."""
        found = self._behind(key)
        items = found.items if isinstance(found, Items) else ()
        return {place: one.text for place, one in enumerate(items) if isinstance(one, Word)}

    def holds(self, key: str) -> bool:
        """Tell whether the key is there, whatever stands behind it."""
        return self._behind(key) is not None

    @property
    def is_group(self) -> bool:
        """Tell whether keys stand here, and no word or list."""
        return isinstance(self.node, Keys)

    def read(
        self, type_: type[StructT], problems: list[Problem], besides: tuple[str, ...] = ()
    ) -> StructT | None:
        """Read the part into a struct; keys `besides` the struct's own are let be.

        What is wrong goes to `problems`, and then there is no value.
        """
        return Reader(self.file, problems).struct(self.node, type_, self.path, besides)

    def problem(self, what: str, *way: str | int, remedy: str | None = None) -> Problem:
        """Say that something is wrong at a key, or an item by its index, below this part."""
        node, path, line = self.node, self.path, self.node.line
        for step in way:
            path = join_index(path, step) if isinstance(step, int) else join_key(path, step)
            if isinstance(step, str) and isinstance(node, Keys) and step in node.values:
                line = node.key_lines[step]
                node = node.values[step]
            elif isinstance(step, int) and isinstance(node, Items) and step < len(node.items):
                node = node.items[step]
                line = node.line
        return Problem(what, self.file, line, path or None, remedy)


def open_document(raw: bytes | str, file: str, problems: list[Problem]) -> Section:
    """Parse a document, to be read in parts.

    What can be skipped goes to `problems`. Raises `InputError` where the rest cannot be parsed.
    """
    return Section(file, "", parse(raw, file, problems))


def by_line(problems: list[Problem]) -> list[Problem]:
    """Put problems in the order in which they stand in their files, files as they came.

    A flood is cut: nobody mends more than `MAX_PROBLEMS` at a time.
    """
    files = list(dict.fromkeys(problem.file for problem in problems))
    found = sorted(problems, key=lambda one: (files.index(one.file), one.line or 0))
    if len(found) > MAX_PROBLEMS:
        rest = Problem(f"and {len(found) - MAX_PROBLEMS} more", found[MAX_PROBLEMS].file)
        found[MAX_PROBLEMS:] = [rest]
    return found


def read(raw: bytes | str, file: str, type_: type[StructT]) -> StructT:
    """Read a whole document into a struct. Raises `InputError` with all that is wrong."""
    problems: list[Problem] = []
    found = open_document(raw, file, problems).read(type_, problems)
    if found is None or problems:
        raise InputError(by_line(problems))
    return found
