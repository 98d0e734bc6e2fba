"""Where each page of the site lies, and how one page names another.

It knows file names, made of numbers alone, so that no name of a bot can lead a link astray; it
never knows what stands on a page.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.report.habits import Times
from arena.store import GameKey


def bot_file(number: int) -> str:
    """Give the file of an entrant's page, by its place among the entrants, from 1."""
    return f"bots/{number}.html"


def match_file(match: int) -> str:
    """Give the file of a match's page."""
    return f"matches/{match}.html"


def game_name(key: GameKey) -> str:
    """Name a game as its page is named, such as ``12-3-0``."""
    return "-".join(map(str, key))


def game_file(key: GameKey) -> str:
    """Give the file of a game's page."""
    return f"games/{game_name(key)}.html"


def game_of(file: str) -> GameKey | None:
    """Read a game's place off its page's file; None where it is none."""
    found = re.fullmatch(r"games/(\d{1,9})-(\d{1,9})-(\d{1,9})\.html", file)
    return GameKey(*map(int, found.groups())) if found else None


@dataclass(frozen=True, slots=True)
class Beside:
    """What a table of bots can lead to and tell beside the standings, where it is there.

    `bots` are the files of the bots' pages by name, `pairs` the file to read of each two bots that
    met, both ways round, `times` the reply times by name.
    """

    bots: Mapping[str, str] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], str] = field(default_factory=dict)
    times: Mapping[str, Times] = field(default_factory=dict)


NOTHING_BESIDE = Beside()


@dataclass(frozen=True, slots=True)
class Link:
    """Words that lead to a file of the site, or are just words where `file` is empty."""

    text: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: its text, what stands small below it, its shade, and where it leads."""

    text: str
    small: str = ""
    shade: str = ""
    file: str = ""
