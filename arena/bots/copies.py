"""Copies of a bot's folder that are the bot, whole and unchanged, whatever becomes of the folder.

It knows digests and that a folder may change under its reader; it never knows what a copy is for.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.bots.bot import Bot, load_bot
from arena.bots.folder import copy_folder, digest_folder
from arena.errors import InputError, Problem
from arena.sandbox import leftovers

_PREFIX = ".incoming-"


@contextmanager
def workplace(shelf: Path) -> Iterator[Path]:
    """Give an empty folder on a shelf, for what is put in its place there when it is whole.

    It is locked while it is used, and goes at the end. What a killed arena left is nobody's lock
    any more, and goes before. Raises `OSError` where the shelf cannot be written.
    """
    shelf.mkdir(parents=True, exist_ok=True)
    _sweep(shelf)
    folder, lock = _new_folder(shelf)
    try:
        yield folder
    finally:
        leftovers.remove(folder)
        os.close(lock)


def _new_folder(shelf: Path) -> tuple[Path, int]:
    """Make a folder and lock it; another one where a sweep was faster than the lock."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=shelf))
        with suppress(FileNotFoundError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return folder, lock
            os.close(lock)


def _sweep(shelf: Path) -> None:
    """Remove the folders that nobody holds."""
    for folder in shelf.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                leftovers.remove(folder)
            finally:
                os.close(lock)


def copy_whole(bot: Bot, shelf: Path, target: Path) -> None:
    """Copy a bot to `target`, somewhere below the folder `shelf`: whole or not at all.

    Raises `FileExistsError` where the target is there by now, `InputError` where the bot's folder
    is not what was loaded any more, and `OSError` where it cannot be written.
    """
    with workplace(shelf) as folder:
        copy = folder / "bot"
        copy_folder(bot.folder, copy)
        if digest_folder(copy) != bot.ref.digest:
            what = "changed while it was copied"
            raise InputError([Problem(what, str(bot.folder), remedy="try again")])
        target.parent.mkdir(exist_ok=True)
        try:
            copy.rename(target)
        except OSError as error:
            if target.exists():
                raise FileExistsError(str(target)) from error
            raise


def shelved_folder(bot: Bot, shelf: Path) -> Path:
    """Give the place of a bot's copy on a shelf."""
    return shelf / f"{bot.ref.bot}-{bot.ref.digest.removeprefix('sha256:')[:16]}"


def shelve(bot: Bot, shelf: Path) -> Bot:
    """Give the same bot in a copy of its own on a shelf, made unless it is there and unchanged.

    So that a tournament plays what was entered, whatever happens to the author's folder meanwhile.
    Raises `InputError`, `OSError`.
    """
    target = shelved_folder(bot, shelf)
    if target.exists() and digest_folder(target) != bot.ref.digest:
        leftovers.remove(target)
    if not target.exists():
        with suppress(FileExistsError):
            copy_whole(bot, shelf, target)
    return load_bot(target)
