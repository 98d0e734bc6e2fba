"""Bots that were taken out of a pool: they lie in its hidden folder, which no glob looks into.

It knows where a pool keeps them and how they come and go, whole and in one step; it never opens
what they hold.
"""

import os
import shlex
from pathlib import Path

from arena.bots.manifest import FILE
from arena.bots.names import plain_name
from arena.errors import InputError, Problem, did_you_mean, in_words

FOLDER = ".withdrawn"
"""Where a pool keeps those that were taken out of it."""


def withdraw(name: str, pool: Path) -> Path:
    """Take a bot with all its versions out of the pool, and give its new place.

    Nothing in it is changed. Raises `InputError` for a name that is not there, with the nearest.
    """
    return _move(name, pool_names(pool), pool, pool / FOLDER)


def restore(name: str, pool: Path) -> Path:
    """Put a withdrawn bot back where it was, and give that place. Raises `InputError`."""
    return _move(name, withdrawn_names(pool), pool / FOLDER, pool)


def pool_names(pool: Path) -> list[str]:
    """List the folders of a pool that hold a bot or versions of one, by name."""
    return [name for name in _names(pool) if _holds_bot(pool / name)]


def withdrawn_names(pool: Path) -> list[str]:
    """List the folders that were taken out of a pool, by name."""
    return _names(pool / FOLDER)


def way_back(folder: Path) -> str | None:
    """Say how a folder comes back that is withdrawn from its pool, or a version of it; or None."""
    for place in (folder, folder.parent):
        if os.path.lexists(place.parent / FOLDER / place.name):
            words = ("arena", "withdraw", place.name, "--undo", "--pool", str(place.parent))
            return f"it is withdrawn; bring it back with: {shlex.join(words)}"
    return None


def _names(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    return sorted(one.name for one in folder.iterdir() if not one.name.startswith("."))


def _holds_bot(folder: Path) -> bool:
    return (folder / FILE).is_file() or any(folder.glob(f"*/{FILE}"))


def _move(name: str, known: list[str], source: Path, target: Path) -> Path:
    name = plain_name(name)
    if name not in known:
        what = f"there is no bot {name!r}"
        raise refused(what, source, did_you_mean(name, known) or "no bot is kept there")
    place = target / name
    try:
        target.mkdir(exist_ok=True)
        if os.path.lexists(place):
            raise refused("another is there already", place, "move that one elsewhere")
        return (source / name).rename(place)
    except OSError as error:
        raise refused(f"cannot be moved: {in_words(error)}", source / name, None) from error


def refused(what: str, place: Path, remedy: str | None) -> InputError:
    """Say why a pool does not do what was asked of it."""
    return InputError([Problem(what, str(place), remedy=remedy)])
