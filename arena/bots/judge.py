"""What may lie in a bot's folder, judged one thing at a time, wherever it is found.

It knows names, kinds, links and their bounds, the same for folders that are handed in, archives
and what a build leaves; it never opens anything. Links are told by their text and never followed,
and a link must stay in the folder wherever the folder is put.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import PurePosixPath
from typing import Literal

MAX_BYTES = 64 * 1024**2
MAX_FILES = 5_000
"""Files and folders that a bot may have."""
MAX_DEPTH = 64
"""Folders within each other."""
MAX_NAME, MAX_PATH = 255, 1024
"""Bytes of a name, as file systems have it, and of a path within the folder."""

IGNORED = (
    "__pycache__", ".git", ".hg", ".svn", ".idea", ".vscode", ".mypy_cache", ".pytest_cache",
    ".ruff_cache", ".DS_Store", "__MACOSX", "Thumbs.db", "*~", "*.swp", "*.swo", ".#*", "#*#",
)  # fmt: skip
"""Names that are no part of a bot: caches, version control, droppings of editors and systems."""

Fault = tuple[str, str]
"""What is wrong with something, and what to do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something in a folder; `path` with forward slashes, `target` of a link."""

    path: str
    kind: Literal["file", "exec", "link", "folder", "other"]
    size: int = 0
    target: str = ""


def is_ignored(name: str) -> bool:
    """Tell whether a file or folder of this name is no part of a bot."""
    return any(fnmatch(name, pattern) for pattern in IGNORED)


class Judge:
    """Judges all that is in one folder, one after the other.

    What a build makes plays on this machine alone, so that there names may differ in case only.
    """

    def __init__(self, *, is_built: bool = False) -> None:
        """Begin with an empty folder."""
        self._is_built = is_built
        self._seen: dict[str, Entry] = {}
        self._count = 0
        self._size = 0
        self._largest = Entry("", "file")

    def passes_over(self, path: PurePosixPath) -> bool:
        """Tell whether something is no part of the bot; all that a build makes is."""
        return not self._is_built and any(map(is_ignored, path.parts))

    @property
    def is_full(self) -> bool:
        """Tell whether there is more in the folder than a bot may have."""
        return max(self._count, len(self._seen)) > MAX_FILES

    def too_many(self) -> Fault:
        """Say that it is full."""
        return f"holds more than {MAX_FILES} files and folders", "leave out what is not played"

    def too_large(self) -> Fault | None:
        """Say that what was judged so far is too large in all."""
        if self._size <= MAX_BYTES:
            return None
        held, most = round(self._size / 1024**2), MAX_BYTES // 1024**2
        what = f"holds {held} MiB, and at most {most} are allowed"
        return what, f"the largest file is {self._largest.path}"

    @property
    def room(self) -> int:
        """Give the bytes that files may still have, never less than none."""
        return max(0, MAX_BYTES - self._size)

    def weigh(self, entry: Entry, size: int) -> None:
        """Count the bytes of a file."""
        self._size += size
        if size > self._largest.size:
            self._largest = Entry(entry.path, "file", size)

    def fault(self, entry: Entry) -> Fault | None:
        """Say why something may not be in a bot's folder, and what to do."""
        self._count += 1
        fault = name_fault(entry.path) or self._place_fault(entry)
        if fault is None and entry.kind == "other":
            return "is neither a file nor a folder", "remove it"
        if fault is None and entry.kind == "link":
            return _link_fault(entry)
        return fault

    def has_file(self, path: str) -> bool:
        """Tell whether a file of this path was judged, and may be there."""
        before = self._seen.get(path if self._is_built else _folded(path))
        return before is not None and before.path == path and before.kind in ("file", "exec")

    def _place_fault(self, entry: Entry) -> Fault | None:
        """Say whether something lies where something else does, and keep its place."""
        for place in (*_above(entry.path), entry):
            key = place.path if self._is_built else _folded(place.path)
            before = self._seen.setdefault(key, place)
            if before.path != place.path:
                return f"only its case tells it from {before.path}", "rename one of them"
            if (before.kind == "folder") != (place.kind == "folder"):
                return f"{place.path} is both a file and a folder", "rename one of them"
            if before is not place and place.kind != "folder":
                return "stands there twice", "leave one of them out"
        return None


def name_fault(path: str) -> Fault | None:
    """Say what is wrong with where something lies in a folder, and with its name."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return "the name is not UTF-8", "rename it"
    parts = path.split("/")
    if path.startswith("/"):
        return "is an absolute path", "name it by its place in the folder"
    if ".." in parts:
        return "leaves the folder", "name it by its place in the folder"
    odd = next((char for char in path if char == "\\" or unicodedata.category(char) == "Cc"), None)
    if odd is not None:
        shown = "a backslash" if odd == "\\" else f"the control character U+{ord(odd):04X}"
        return f"the name holds {shown}", "rename it"
    if len(parts) > MAX_DEPTH + 1:
        return f"lies more than {MAX_DEPTH} folders deep", "put it higher up"
    if _bytes(path) > MAX_PATH or max(map(_bytes, parts)) > MAX_NAME:
        return "the name is too long", f"use {MAX_NAME} bytes, and {MAX_PATH} for a whole path"
    return None


def _link_fault(entry: Entry) -> Fault | None:
    """Say whether a link leaves the folder, or would if the folder lay elsewhere.

    It may climb by ``..`` only at its start, from the folder it lies in, as then no other link
    can turn where it climbs to.
    """
    names = entry.target.split("/")
    too_long = max(map(_bytes, names)) > MAX_NAME or _bytes(entry.target) > MAX_PATH
    if not entry.target or "\0" in entry.target or too_long:
        return f"the link to {entry.target[:MAX_NAME]!r} leads nowhere", "remove it"
    steps = [step for step in PurePosixPath(entry.target).parts if step != "."]
    climbs = steps.count("..")
    leading = next((at for at, step in enumerate(steps) if step != ".."), climbs)
    most = entry.path.count("/")
    if entry.target.startswith("/") or climbs > most or climbs != leading:
        return f"the link to {entry.target} leaves the folder", "put the file itself in its place"
    return None


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))


def _above(path: str) -> Iterator[Entry]:
    """List the folders that something lies in, from the outermost on."""
    for parent in reversed(PurePosixPath(path).parents[:-1]):
        yield Entry(str(parent), "folder")


def _folded(path: str) -> str:
    """Give what paths have in common that some file systems do not tell apart."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
