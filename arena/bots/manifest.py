"""What a bot says of itself in its `bot.yaml`.

It knows the keys and their bounds; it never knows whether the files it names are there.
"""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from arena.bots.names import LONGEST_NAME, LONGEST_VERSION, check_name, check_version
from arena.errors import did_you_mean
from arena.plugins import GAMES, plugins

FILE = "bot.yaml"
"""The name of the manifest in a bot's folder."""


def check_game(name: str) -> tuple[str, str] | None:
    """Say what is wrong with the name of a game that a bot claims to play."""
    known = plugins(GAMES)
    return (
        None
        if name in known
        else (f"there is no game {name[:60]!r}", did_you_mean(name[:60], known) or "")
    )


Name: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=LONGEST_NAME, extra={"check": check_name})
]
Version: TypeAlias = Annotated[
    str, Meta(min_length=1, max_length=LONGEST_VERSION, extra={"check": check_version})
]
GameName: TypeAlias = Annotated[str, Meta(extra={"check": check_game})]
CommandWord: TypeAlias = Annotated[str, Meta(max_length=4096)]
Command: TypeAlias = Annotated[tuple[CommandWord, ...], Meta(min_length=1, max_length=100)]
"""A program and its arguments; no shell reads it."""
Author: TypeAlias = Annotated[str, Meta(min_length=1, max_length=100)]


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot's `bot.yaml`. Protocol: a bot's folder.

    The first word of `command` and `build` is a program of the sandbox's PATH (``python3``) or a
    file of the folder (``./bot``). `build` is run once, in the sandbox, before `command`; where
    it is given, the command's file need not be there yet. `image` is for Docker alone.
    """

    name: Name
    version: Version
    games: Annotated[tuple[GameName, ...], Meta(min_length=1, max_length=20)]
    command: Command
    protocol: Literal[1]
    build: Command | None = None
    authors: Annotated[tuple[Author, ...], Meta(max_length=20)] = ()
    description: Annotated[str, Meta(max_length=1000)] = ""
    image: Annotated[str, Meta(min_length=1, max_length=200)] | None = None
