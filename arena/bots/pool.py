"""The pool: bots that were handed in, each under its name and version.

It knows that what is in the pool never changes; it never judges how a bot plays.
"""

from contextlib import suppress
from pathlib import Path

from arena.bots.bot import Bot
from arena.bots.copies import copy_whole
from arena.bots.folder import digest_folder
from arena.bots.manifest import FILE
from arena.bots.names import plain_name
from arena.documents import MAX_BYTES, open_document
from arena.errors import InputError, Problem


def submit(bot: Bot, pool: Path) -> Path:
    """Copy a bot into the pool as ``NAME/VERSION``, whole or not at all, and give that folder.

    The same content under the same name and version changes nothing. Raises `InputError` for
    other content under them.
    """
    target = pool / bot.ref.bot / bot.ref.version
    if bot.folder != target.resolve() and pool.resolve().is_relative_to(bot.folder):
        raise _refused("the pool lies in the bot's own folder", pool, "name another with --pool")
    if (target.parent / FILE).exists():
        raise _refused("is a bot's folder itself", target.parent, "name another pool with --pool")
    try:
        return _keep(bot, target) if target.exists() else _copy(bot, pool, target)
    except OSError as error:
        raise _refused(f"cannot be written: {error.strerror}", pool, None) from error


def pool_versions(folder: Path) -> list[Path]:
    """List the versions of the bot that a pool keeps in `folder`, by name; none elsewhere.

    A version is a folder whose manifest has the bot's and its own name, so that a folder of
    different bots is no pool's.
    """
    if not folder.is_dir():
        return []
    return [one for one in sorted(folder.iterdir()) if _is_version(one)]


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


def _copy(bot: Bot, pool: Path, target: Path) -> Path:
    try:
        copy_whole(bot, pool, target)
    except FileExistsError:  # another submission was faster
        return _keep(bot, target)
    except OSError:
        with suppress(OSError):  # it may hold other versions
            target.parent.rmdir()
        raise
    return target


def _keep(bot: Bot, target: Path) -> Path:
    """Leave what is there, if it is the same."""
    if digest_folder(target) != bot.ref.digest:
        what = f"{bot.ref.bot} {bot.ref.version} is in the pool already, with other content"
        raise _refused(what, target, "give it a new version")
    return target


def _refused(what: str, place: Path, remedy: str | None) -> InputError:
    return InputError([Problem(what, str(place), remedy=remedy)])
