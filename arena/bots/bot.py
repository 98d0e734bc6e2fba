"""A bot that was loaded: its folder checked, its manifest read, its digest taken.

It knows what would keep a bot from being started, as far as files can tell; it never starts it.
"""

import os
import posixpath
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from arena.bots.folder import Entry, digest_entries, list_folder, open_file
from arena.bots.manifest import FILE, Manifest
from arena.bots.names import plain_name
from arena.bots.withdrawn import way_back
from arena.documents import MAX_BYTES, by_line, open_document
from arena.errors import InputError, Problem, did_you_mean, in_words
from arena.record import BotRef, Limits

_SHELLS = ("sh", "bash", "dash")
"""Programs that take a carriage return at a line's end for a part of its last word."""

ARCHIVES = (".zip", ".tar.gz", ".tgz")
"""How the names of archives end that bots may come in."""


class Bot(msgspec.Struct, frozen=True):
    """A bot to be run: `folder` is absolute, and what is mounted as its working directory.

    A bot that was built is the same with the built folder in its place; one whose build failed
    cannot be started, and `unbuilt` says how it ended and what it wrote.
    """

    ref: BotRef
    folder: Path
    manifest: Manifest
    unbuilt: tuple[str, str] | None = None

    @property
    def command(self) -> tuple[str, ...]:
        """Give the program and its arguments."""
        return self.manifest.command

    def within(self, limits: Limits) -> Limits:
        """Give the limits that it runs under in a tournament: in the image that it asks for.

        That the tournament offers it is for `config` to see.
        """
        image = self.manifest.image
        return limits if image is None else msgspec.structs.replace(limits, image=image)


def load_bot(folder: Path) -> Bot:
    """Read a bot's folder. Raises `InputError` with all that is wrong; places begin as `folder`."""
    try:
        _check_is_bot(folder)
        entries = list_folder(folder)
        with open_file(folder / FILE) as file:
            raw = file.read(MAX_BYTES + 1)
        manifest = _read_manifest(folder, raw, entries)
        digest = digest_entries(folder, entries)
    except OSError as error:
        place = str(error.filename or folder)
        remedy = "check its permissions" if isinstance(error, PermissionError) else None
        what = f"cannot be read: {in_words(error)}"
        raise InputError([Problem(what, place, remedy=remedy)]) from error
    ref = BotRef(manifest.name, manifest.version, digest)
    return Bot(ref, folder.resolve(), manifest)


def _check_is_bot(folder: Path) -> None:
    """Refuse what is no bot's folder, with the nearest that might be meant."""
    if not folder.exists():
        beside = folder.parent.iterdir() if folder.parent.is_dir() else ()
        names = [one.name for one in beside if one.is_dir() or one.name.endswith(ARCHIVES)]
        near = did_you_mean(folder.name, names)
        raise InputError([Problem("no such folder", str(folder), remedy=way_back(folder) or near)])
    if not folder.is_dir():
        remedy = f"write the folder that holds {FILE}"
        if folder.name.endswith(ARCHIVES):
            remedy = f"take it into the pool with: arena submit {folder}"
        raise InputError([Problem("is no folder", str(folder), remedy=remedy)])
    manifest = folder / FILE
    if manifest.is_file() and not manifest.is_symlink():
        return
    if os.path.lexists(manifest):
        raise InputError(
            [Problem("is no plain file", str(manifest), remedy="write the file itself")]
        )
    remedy = "write one with name, version, games, command and protocol"
    for wrong in ("bot.yml", "Bot.yaml", "bot.json", "manifest.yaml"):
        if (folder / wrong).exists():
            remedy = f"rename {wrong}"
    raise InputError([Problem(f"holds no {FILE}", str(folder), remedy=remedy)])


def _read_manifest(folder: Path, raw: bytes, entries: list[Entry]) -> Manifest:
    """Read the manifest and look at the files it names. Raises `InputError`."""
    problems: list[Problem] = []
    section = open_document(raw, str(folder / FILE), problems)
    manifest = section.read(Manifest, problems)
    seen: set[str] = set()
    for index, game in section.words("games").items():
        if game in seen:
            what = f"{game[:60]} stands twice"
            problems.append(section.problem(what, "games", index, remedy="keep one of them"))
        seen.add(game)
    if manifest is not None:
        files = {entry.path for entry in entries}
        for key, command in (("command", manifest.command), ("build", manifest.build)):
            may_be_missing = key == "command" and manifest.build is not None
            for index, what, remedy in _command_faults(command, folder, files, may_be_missing):
                problems.append(section.problem(what, key, index, remedy=remedy))
    if manifest is None or problems:
        raise InputError(by_line(problems))
    return msgspec.structs.replace(manifest, name=plain_name(manifest.name))


def _command_faults(
    command: Sequence[str] | None, folder: Path, files: set[str], may_be_missing: bool
) -> Iterator[tuple[int, str, str | None]]:
    """Say which words of a command could not be started, why, and what to do."""
    if not command:
        return
    program = _program_fault(command[0], folder, files, may_be_missing)
    if program is not None:
        yield 0, *program
    elif command[0] in _SHELLS:
        for index, word in enumerate(command[1:], 1):
            path = posixpath.normpath(word)
            if path in files and _first_line(folder / path).endswith(b"\r\n"):
                yield index, *_line_ends_fault(word)


def _program_fault(
    word: str, folder: Path, files: set[str], may_be_missing: bool
) -> tuple[str, str | None] | None:
    """Say why a command's first word could not be started, and what to do."""
    if not word:
        return "names no program", "write the program first, such as python3 or ./bot"
    if word.startswith("/"):
        return _absolute_fault(word, folder)
    if ".." in word.split("/"):
        return f"{word} leaves the folder", "put the program into the folder"
    if "/" in word:
        return _file_fault(word, folder, files, may_be_missing)
    if word in files:
        return f"{word} would be looked up on the PATH", f"write ./{word}"
    return None


def _file_fault(
    word: str, folder: Path, files: set[str], may_be_missing: bool
) -> tuple[str, str | None] | None:
    """Say why a file of the folder could not be started; it may be missing if a build makes it."""
    path = posixpath.normpath(word)
    file = folder / path
    if file.is_dir():
        return f"{word} is a folder", "name the program in it"
    if not file.is_file():
        near = did_you_mean(path, files)
        remedy = near if near and near.startswith("did") else "put it there, or give a build"
        return None if may_be_missing else (f"there is no file {word}", remedy)
    if not file.stat().st_mode & 0o111:
        return f"{word} is not executable", f"chmod +x {path}"
    first = _first_line(file)
    return _line_ends_fault(word) if first.startswith(b"#!") and first.endswith(b"\r\n") else None


def _first_line(file: Path) -> bytes:
    with file.open("rb") as lines:
        return lines.readline(512)


def _line_ends_fault(word: str) -> tuple[str, str]:
    return f"{word} has lines that end in CRLF, and cannot be started so", "save it with LF"


def _absolute_fault(word: str, folder: Path) -> tuple[str, str]:
    inside = posixpath.relpath(word, folder.resolve())
    remedy = f"write {posixpath.basename(word)}, which is looked up on the PATH"
    if not inside.startswith(".."):
        remedy = f"write ./{inside}"
    return f"{word} is an absolute path, which the sandbox does not show", remedy
