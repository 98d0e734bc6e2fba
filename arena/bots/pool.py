"""The pool: bots that were handed in, each under its name and version.

It knows that what is in the pool never changes; it never judges how a bot plays.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from arena.bots.bot import Bot, load_bot
from arena.bots.copies import copy_whole
from arena.bots.folder import digest_folder, real_path
from arena.bots.manifest import FILE
from arena.bots.names import plain_name
from arena.bots.withdrawn import refused, way_back
from arena.documents import MAX_BYTES, open_document
from arena.errors import InputError, in_words

_NUMBERS = re.compile(r"[0-9]+(\.[0-9]+)*")


def submit(bot: Bot, pool: Path) -> Path:
    """Copy a bot into the pool as ``NAME/VERSION``, whole or not at all, and give that folder.

    The same content under the same name and version changes nothing. Raises `InputError` for
    other content under them.
    """
    target = _place(bot, pool)
    try:
        if not is_kept(bot, pool):
            _copy(bot, pool, target)
    except OSError as error:
        raise refused(f"cannot be written: {in_words(error)}", pool, None) from error
    return target


def is_kept(bot: Bot, pool: Path) -> bool:
    """Tell whether the pool has the bot already. Raises `InputError` where it may not take it."""
    target = _place(bot, pool)
    if bot.folder != real_path(target) and real_path(pool).is_relative_to(bot.folder):
        raise refused("the pool lies in the bot's own folder", pool, "name another with --pool")
    if (target.parent / FILE).exists():
        raise refused("is a bot's folder itself", target.parent, "name another pool with --pool")
    remedy = way_back(target)
    if remedy is not None:
        raise refused(f"{bot.ref.bot} may not come into the pool", pool, remedy)
    return target.exists() and _is_same(bot, target)


def last_version(bot: Bot, pool: Path) -> Bot | None:
    """Load the version of a bot that the pool plays so far; None where there is none to read."""
    versions = pool_versions(pool / bot.ref.bot)
    with suppress(InputError):
        if versions:
            return load_bot(latest_version(versions))
    return None


def newest_version(versions: Sequence[Path]) -> Path | None:
    """Give the version with the greatest number; None where not all are plain numbers.

    A version alone is the newest, whatever it is called.
    """
    if len(versions) < 2:
        return next(iter(versions), None)
    if not all(_NUMBERS.fullmatch(version.name) for version in versions):
        return None
    return max(versions, key=lambda one: [int(part) for part in one.name.split(".")])


def latest_version(versions: Sequence[Path]) -> Path:
    """Give the newest version, or the one handed in last where that cannot be told by numbers."""
    return newest_version(versions) or max(versions, key=submitted)


def submitted(folder: Path) -> datetime:
    """Tell when a version was handed in: its manifest was written then, and never since."""
    return datetime.fromtimestamp((folder / FILE).stat().st_mtime, UTC)


def pool_versions(folder: Path) -> list[Path]:
    """List the versions of the bot that a pool keeps in `folder`, by name; none elsewhere.

    A version is a folder whose manifest has the bot's and its own name, so that a folder of
    different bots is no pool's.
    """
    if not folder.is_dir():
        return []
    return [one for one in sorted(folder.iterdir()) if _is_version(one)]


def bot_folders(folder: Path) -> list[Path]:
    """List the bots that a folder of a pool stands for: itself, or the versions in it."""
    return [folder] if (folder / FILE).is_file() else pool_versions(folder)


def _is_version(folder: Path) -> bool:
    manifest = folder / FILE
    if not manifest.is_file():
        return False
    with manifest.open("rb") as file:
        raw = file.read(MAX_BYTES + 1)
    try:
        section = open_document(raw, str(manifest), [])
    except InputError:
        return False
    name = plain_name(section.word("name") or "")
    return (name, section.word("version")) == (folder.parent.name, folder.name)


def _place(bot: Bot, pool: Path) -> Path:
    return pool / bot.ref.bot / bot.ref.version


def _copy(bot: Bot, pool: Path, target: Path) -> None:
    try:
        copy_whole(bot, pool, target)
    except FileExistsError:  # another submission was faster
        _is_same(bot, target)
    except OSError:
        with suppress(OSError):  # it may hold other versions
            target.parent.rmdir()
        raise


def _is_same(bot: Bot, target: Path) -> bool:
    """Tell that what is there is the same. Raises `InputError` where it is not."""
    if digest_folder(target) != bot.ref.digest:
        what = f"{bot.ref.bot} {bot.ref.version} is in the pool already, with other content"
        raise refused(what, target, "give it a new version")
    return True
