"""Finds the bot that a word of the command line names: a folder, an archive, or one of the pool.

It knows where the pool lies and how a version of it is written; it never runs a bot.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena import bots
from arena.cli.locate import POOL
from arena.errors import InputError, Problem, did_you_mean


@contextmanager
def named_bot(word: Path) -> Iterator[bots.Bot]:
    """Load a bot by its folder, its archive, or its name in the pool: ``ann``, ``ann@1.2``.

    A name alone is its newest version. Raises `InputError` with the nearest name there is.
    """
    with bots.opened_bot(_find(word)) as bot:
        yield bot


def _find(word: Path) -> Path:
    """Give the folder or archive that is meant; a word that is there or has a slash is its own."""
    name, at, version = str(word).partition("@")
    if os.path.lexists(word) or word.name != str(word):
        return word
    names = bots.pool_names(POOL)
    versions = bots.bot_folders(POOL / name) if name in names else []
    if not versions:
        back = bots.way_back(POOL / name)
        remedy = back or did_you_mean(name, names if at else {*names, *_folders_here()})
        if at:
            raise InputError([Problem(f"there is no bot {name!r}", str(POOL), remedy=remedy)])
        what = f"no such folder, and no bot of that name in {POOL}"
        raise InputError([Problem(what, name, remedy=remedy)])
    if not at:
        return bots.latest_version(versions)
    known = {_version(folder): folder for folder in versions}
    if version not in known:
        what = f"{name} has no version {version!r}"
        raise InputError([Problem(what, str(POOL), remedy=did_you_mean(version, known))])
    return known[version]


def _version(folder: Path) -> str:
    return bots.load_bot(folder).ref.version


def complete_bot(incomplete: str) -> list[str]:
    """Complete a bot's name in a shell: those of the pool, and folders here that hold one."""
    return _beginning(incomplete, {*bots.pool_names(POOL), *_folders_here()})


def complete_own_bot(incomplete: str) -> list[str]:
    """Complete a bot to be taken into the pool: folders here that hold one, and archives."""
    archives = {name for one in Path().iterdir() if (name := one.name).endswith(bots.ARCHIVES)}
    return _beginning(incomplete, {*archives, *_folders_here()})


def _beginning(incomplete: str, names: Collection[str]) -> list[str]:
    return sorted(name for name in names if name.startswith(incomplete))


def _folders_here() -> list[str]:
    return [str(one.parent) for one in Path().glob("*/bot.yaml")]
