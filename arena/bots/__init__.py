"""A bot's folder, or an archive of it: what its manifest says, its digest, and its place in a pool.

It knows files; it never runs a bot. What a folder may not hold is refused before anything is made
of it: links that leave it, files that are none, too much of anything.
"""

from arena.bots.archive import opened_bot, unpack_built
from arena.bots.bot import Bot, load_bot
from arena.bots.copies import shelve, shelved_folder, workplace
from arena.bots.folder import digest_folder
from arena.bots.manifest import Manifest
from arena.bots.names import check_name, plain_name
from arena.bots.pool import pool_versions, submit

__all__ = [
    "Bot",
    "Manifest",
    "check_name",
    "digest_folder",
    "load_bot",
    "opened_bot",
    "plain_name",
    "pool_versions",
    "shelve",
    "shelved_folder",
    "submit",
    "unpack_built",
    "workplace",
]
