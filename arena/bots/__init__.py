"""A bot's folder, or an archive of it: what its manifest says, its digest, and its place in a pool.

It knows files; it never runs a bot. What a folder may not hold is refused before anything is made
of it: links that leave it, files that are none, too much of anything.
"""

from arena.bots.archive import opened_bot, unpack_built
from arena.bots.bot import ARCHIVES, Bot, load_bot
from arena.bots.changes import FileChange, KeyChange, file_changes, key_changes
from arena.bots.copies import shelve, shelved_folder, workplace
from arena.bots.folder import digest_folder, real_path
from arena.bots.manifest import Manifest
from arena.bots.names import check_name, plain_name
from arena.bots.pool import (
    bot_folders,
    is_kept,
    last_version,
    latest_version,
    newest_version,
    pool_versions,
    submit,
    submitted,
)
from arena.bots.withdrawn import pool_names, restore, way_back, withdraw, withdrawn_names

__all__ = [
    "ARCHIVES",
    "Bot",
    "FileChange",
    "KeyChange",
    "Manifest",
    "bot_folders",
    "check_name",
    "digest_folder",
    "file_changes",
    "is_kept",
    "key_changes",
    "last_version",
    "latest_version",
    "load_bot",
    "newest_version",
    "opened_bot",
    "plain_name",
    "pool_names",
    "pool_versions",
    "real_path",
    "restore",
    "shelve",
    "shelved_folder",
    "submit",
    "submitted",
    "unpack_built",
    "way_back",
    "withdraw",
    "withdrawn_names",
    "workplace",
]
