"""A tournament as a value, and the keys of its file.

It knows types, ranges and defaults; it never opens a file.
"""

from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta

from arena.bots import Bot, check_name
from arena.errors import did_you_mean
from arena.plugins import GAMES, plugins
from arena.protocol import TimeControl
from arena.record import FaultPolicy, GivenBoard, Limits

MAX_BOARDS = 100_000


def check_game(name: str) -> tuple[str, str] | None:
    """Say what is wrong with the name of the game to be played."""
    known = plugins(GAMES)
    if name in known:
        return None
    return f"there is no game {name[:60]!r}", did_you_mean(name[:60], known) or ""


def check_partners(word: str) -> tuple[str, str] | None:
    """Say what is wrong with the way in which partners are put together."""
    if word == "same":
        return None
    if word in ("mixed", "teams"):
        return f"{word} partnerships are not played yet", "write same, or leave it out"
    return f"no way to put partners together: {word[:60]!r}", "write same"


def check_seed(text: str) -> tuple[str, str] | None:
    """Say what is wrong with a seed."""
    if not text or len(text) > 200 or not text.isprintable():
        return "a seed has 1 to 200 characters that can be seen", "leave it out to have one drawn"
    return None


Folder: TypeAlias = Annotated[str, Meta(min_length=1, max_length=4096)]


class TournamentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a tournament's file, but for those whose options depend on a kind."""

    game: Annotated[str, Meta(extra={"check": check_game})]
    bots: Annotated[tuple[Folder, ...], Meta(min_length=1, max_length=10_000)]
    name: Annotated[str, Meta(extra={"check": check_name})] | None = None
    seed: int | Annotated[str, Meta(extra={"check": check_seed})] | None = None
    boards: Annotated[int, Meta(ge=1, le=MAX_BOARDS)] = 20
    duplicate: bool = True
    partners: Annotated[str, Meta(extra={"check": check_partners})] = "same"
    deals: Annotated[str, Meta(min_length=1, max_length=4096)] | None = None
    time: TimeControl = TimeControl()
    faults: FaultPolicy = FaultPolicy()


class Choice(msgspec.Struct, frozen=True):
    """A plug-in by name, with options of its `options_type`."""

    kind: str
    options: msgspec.Struct


class Overrides(msgspec.Struct, frozen=True):
    """What the command line says over the file; None leaves the file's word."""

    name: str | None = None
    seed: str | None = None
    sandbox: str | None = None
    jobs: int | None = None
    out: Path | None = None


class Tournament(msgspec.Struct, frozen=True):
    """A tournament that can be played: every key read, every bot loaded.

    `bots` are the entrants in the order of entry. `seed` None: the run draws one in secret. Boards
    are numbered 1 to `boards`, those of `given` have the decks of the file (D3). `rules` has every
    option in force. `sandbox` is a kind or ``auto``. `out` is the results folder, not made yet.
    """

    file: Path
    name: str
    game: str
    seed: str | None
    bots: tuple[Bot, ...]
    boards: int
    duplicate: bool
    partners: str
    given: tuple[GivenBoard, ...]
    rules: dict[str, bool | int | str | None]
    time: TimeControl
    faults: FaultPolicy
    sandbox: str
    limits: Limits
    format: Choice
    rating: Choice
    executor: Choice
    out: Path

    @property
    def sittings(self) -> int:
        """Tell how often each board is played in a match."""
        return 2 if self.duplicate else 1
