"""What a bot's folder holds on disk, its digest, and a true copy of it.

It knows files, links and their modes; what of them may be there, the judge says.
"""

import hashlib
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Literal

from arena.bots.judge import MAX_BYTES, MAX_FILES, Entry, Fault, Judge
from arena.errors import InputError, Problem

__all__ = ["MAX_BYTES", "MAX_FILES", "Entry"]


def real_path(path: Path) -> Path:
    """Follow all links of a path; give the path itself where they go round or may not be read.

    `Path.resolve` raises `RuntimeError` for a link that goes round, before Python 3.13.
    """
    try:
        return Path(os.path.realpath(path))
    except OSError:
        return path.absolute()


def list_folder(folder: Path, judge: Judge | None = None) -> list[Entry]:
    """List what belongs to the bot, sorted by the bytes of the path; empty folders do not count.

    Raises `InputError` for links that leave the folder or lead nowhere, for what is neither file
    nor link, for what cannot be read or has no good name, and for too much of it.
    """
    problems: list[Problem] = []
    judge = judge or Judge()
    entries = list(_walk(folder, judge, problems))
    overweight = judge.too_large()
    if overweight is not None:
        what, remedy = overweight
        problems.append(Problem(what, str(folder), remedy=remedy))
    if problems:
        raise InputError(problems)
    return sorted(entries, key=lambda entry: entry.path.encode())


def _walk(folder: Path, judge: Judge, problems: list[Problem]) -> Iterator[Entry]:
    """Go through all folders, and stop where there are too many files."""
    waiting = [PurePosixPath()]
    while waiting:
        inner = waiting.pop()
        for found in sorted(os.scandir(folder / inner), key=lambda one: one.name):
            path = inner / found.name
            if judge.passes_over(PurePosixPath(found.name)):
                continue
            entry, mode = _look_at(folder, path)
            fault = judge.fault(entry) or _fault(folder, entry, mode, judge)
            if judge.is_full:
                what, remedy = judge.too_many()
                problems.append(Problem(what, str(folder), remedy=remedy))
                return
            if fault:
                what, remedy = fault
                problems.append(Problem(what, str(folder / path), remedy=remedy))
            elif entry.kind == "folder":
                waiting.append(path)
            else:
                judge.weigh(entry, entry.size)
                yield entry


def _look_at(folder: Path, path: PurePosixPath) -> tuple[Entry, int]:
    """Tell what lies at a path, and its mode."""
    found = (folder / path).lstat()
    if stat.S_ISLNK(found.st_mode):
        return Entry(str(path), "link", target=str((folder / path).readlink())), found.st_mode
    if stat.S_ISDIR(found.st_mode):
        return Entry(str(path), "folder"), found.st_mode
    if not stat.S_ISREG(found.st_mode):
        return Entry(str(path), "other"), found.st_mode
    kind: Literal["exec", "file"] = "exec" if found.st_mode & 0o111 else "file"
    return Entry(str(path), kind, found.st_size), found.st_mode


def _fault(folder: Path, entry: Entry, mode: int, judge: Judge) -> Fault | None:
    """Say what only the disk tells: that a link leads nowhere, or that something is closed.

    A mode that closes it to its owner counts for root as well, who would not notice.
    """
    place = folder / entry.path
    if entry.kind == "link":
        if place.exists() and not judge.passes_over(PurePosixPath(entry.target)):
            return None
        return f"the link to {entry.target} leads nowhere", "remove it"
    if entry.kind == "folder":
        is_open = mode & 0o500 == 0o500 and os.access(place, os.R_OK | os.X_OK)
        return None if is_open else ("the folder cannot be read", f"chmod u+rx {entry.path}")
    is_open = mode & 0o400 == 0o400 and os.access(place, os.R_OK)
    return None if is_open else ("the file cannot be read", f"chmod u+r {entry.path}")


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
