"""Copies of a bot's folder that are the bot, whole and unchanged, whatever becomes of the folder.

It knows digests and that a folder may change under its reader; it never knows what a copy is for.
"""

from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from arena.bots.bot import Bot, load_bot
from arena.bots.folder import copy_folder, digest_folder
from arena.errors import InputError, Problem


def copy_whole(bot: Bot, shelf: Path, target: Path) -> None:
    """Copy a bot to `target`, somewhere below the folder `shelf`: whole or not at all.

    Raises `FileExistsError` where the target is there by now, `InputError` where the bot's folder
    is not what was loaded any more, and `OSError` where it cannot be written.
    """
    shelf.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".incoming-", dir=shelf) as temporary:
        copy = Path(temporary) / "bot"
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


def shelve(bot: Bot, shelf: Path) -> Bot:
    """Give the same bot in a copy of its own on a shelf, made unless it is there and unchanged.

    So that a tournament plays what was entered, whatever happens to the author's folder meanwhile.
    Raises `InputError`, `OSError`.
    """
    target = shelf / f"{bot.ref.bot}-{bot.ref.digest.removeprefix('sha256:')[:16]}"
    if target.exists() and digest_folder(target) != bot.ref.digest:
        rmtree(target)
    if not target.exists():
        with suppress(FileExistsError):
            copy_whole(bot, shelf, target)
    return load_bot(target)
