"""What a bot's folder holds, its digest, and a true copy of it.

It knows files, links and their bounds; it never knows what they are for. Links are told by their
text and never followed, and a link must stay in the folder wherever the folder is put.
"""

import hashlib
import io
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import Literal

from arena.errors import InputError, Problem

MAX_BYTES = 64 * 1024**2
MAX_FILES = 5_000
"""Files and folders that a bot may have."""

IGNORED = (
    "__pycache__", ".git", ".hg", ".svn", ".idea", ".vscode", ".mypy_cache", ".pytest_cache",
    ".ruff_cache", ".DS_Store", "Thumbs.db", "*~", "*.swp", "*.swo", ".#*", "#*#",
)  # fmt: skip
"""Names that are no part of a bot: caches, version control, droppings of editors."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or a link of a folder; `path` with forward slashes, `target` of a link."""

    path: str
    kind: Literal["file", "exec", "link"]
    size: int = 0
    target: str = ""


def is_ignored(name: str) -> bool:
    """Tell whether a file or folder of this name is no part of a bot."""
    return any(fnmatch(name, pattern) for pattern in IGNORED)


def list_folder(folder: Path) -> list[Entry]:
    """List what belongs to the bot, sorted by the bytes of the path; empty folders do not count.

    Raises `InputError` for links that leave the folder, for what is neither file nor link, for
    names that are not UTF-8, and for too much of it.
    """
    problems: list[Problem] = []
    entries = list(_walk(folder, problems))
    size = sum(entry.size for entry in entries)
    if size > MAX_BYTES:
        what = f"holds {size / 1024**2:.0f} MiB, and at most {MAX_BYTES // 1024**2} are allowed"
        largest = max(entries, key=lambda entry: entry.size)
        remedy = f"the largest file is {largest.path}"
        problems.append(Problem(what, str(folder), remedy=remedy))
    if problems:
        raise InputError(problems)
    return sorted(entries, key=lambda entry: entry.path.encode())


def _walk(folder: Path, problems: list[Problem]) -> Iterator[Entry]:
    """Go through all folders, and stop where there are too many files."""
    waiting, count = [PurePosixPath()], 0
    while waiting:
        inner = waiting.pop()
        for found in sorted(os.scandir(folder / inner), key=lambda one: one.name):
            if is_ignored(found.name):
                continue
            count += 1
            if count > MAX_FILES:
                what = f"holds more than {MAX_FILES} files and folders"
                problems.append(Problem(what, str(folder), remedy="leave out what is not played"))
                return
            path = inner / found.name
            fault = _fault(folder, path)
            if fault:
                what, remedy = fault
                problems.append(Problem(what, str(folder / path), remedy=remedy))
            elif found.is_dir(follow_symlinks=False):
                waiting.append(path)
            else:
                yield _entry(folder, path)


def _entry(folder: Path, path: PurePosixPath) -> Entry:
    found = (folder / path).lstat()
    if stat.S_ISLNK(found.st_mode):
        return Entry(str(path), "link", target=str((folder / path).readlink()))
    return Entry(str(path), "exec" if found.st_mode & 0o111 else "file", found.st_size)


def _fault(folder: Path, path: PurePosixPath) -> tuple[str, str] | None:
    """Say why something may not be in a bot's folder, and what to do."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return "the name is not UTF-8", "rename it"
    mode = (folder / path).lstat().st_mode
    if stat.S_ISLNK(mode):
        return _link_fault(folder, path)
    if stat.S_ISDIR(mode):
        is_open = os.access(folder / path, os.R_OK | os.X_OK)
        return None if is_open else ("the folder cannot be read", f"chmod u+rx {path}")
    if not stat.S_ISREG(mode):
        return "is neither a file nor a folder", "remove it"
    is_open = os.access(folder / path, os.R_OK)
    return None if is_open else ("the file cannot be read", f"chmod u+r {path}")


def _link_fault(folder: Path, path: PurePosixPath) -> tuple[str, str] | None:
    """Say whether a link leaves the folder, or would if the folder lay elsewhere.

    It may climb by ``..`` only at its start, from the folder it lies in, as then no other link
    can turn where it climbs to.
    """
    target = str((folder / path).readlink())
    steps = [step for step in PurePosixPath(target).parts if step != "."]
    climbs = steps.count("..")
    leading = next((at for at, step in enumerate(steps) if step != ".."), climbs)
    if target.startswith("/") or climbs > len(path.parts) - 1 or climbs != leading:
        return f"the link to {target} leaves the folder", "put the file itself in its place"
    if not (folder / path).exists() or any(map(is_ignored, steps)):
        return f"the link to {target} leads nowhere", "remove it"
    return None


def digest_folder(folder: Path) -> str:
    """Give ``sha256:…`` of what belongs to the bot: paths, exec bits and contents, no times.

    It is the SHA-256 of one line for each file, sorted by path, ``KIND HASH PATH`` and a NUL:
    KIND is ``file``, ``exec`` or ``link``, HASH the SHA-256 of the content or of a link's text.
    """
    return digest_entries(folder, list_folder(folder))


def digest_entries(folder: Path, entries: list[Entry]) -> str:
    """Give the digest of a folder that was listed before."""
    whole = hashlib.sha256()
    for entry in entries:
        if entry.kind == "link":
            content = hashlib.sha256(os.fsencode(entry.target))
        else:
            with open_file(folder / entry.path) as file:
                content = hashlib.file_digest(file, "sha256")
        whole.update(f"{entry.kind} {content.hexdigest()} {entry.path}\0".encode())
    return f"sha256:{whole.hexdigest()}"


def open_file(path: Path) -> io.BufferedReader:
    """Open a file that was listed, though it may have become a link or a FIFO since."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    return os.fdopen(descriptor, "rb")


def copy_folder(folder: Path, target: Path) -> None:
    """Copy what belongs to the bot into a new folder, with plain modes and no owners."""
    target.mkdir(mode=0o755)
    for entry in list_folder(folder):
        path = target / entry.path
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        if entry.kind == "link":
            path.symlink_to(entry.target)
            continue
        with open_file(folder / entry.path) as source, path.open("xb") as copy:
            while chunk := source.read(1 << 20):
                copy.write(chunk)
        path.chmod(0o755 if entry.kind == "exec" else 0o644)
