"""What a recorded game is called on the command line: read, found, completed in a shell.

It knows the names of the replay's pages and the words of `verify`; it never knows what becomes of
a game.
"""

import re
from itertools import islice
from typing import Annotated

import typer

from arena.cli.locate import find_run
from arena.errors import ArenaError, InputError, Problem, did_you_mean
from arena.report.links import game_name
from arena.store import GameKey, Store

_NAMES = (
    re.compile(r"(?:.*/)?(\d{1,9})-(\d{1,9})-(\d{1,9})(?:\.html)?(?:#.*)?"),
    re.compile(r"match (\d{1,9}), board (\d{1,9}), sitting (\d{1,9})"),
)
_MOST = 100
"""Names that a shell is told."""


def complete_game(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete a game's name in a shell, in the run that stands before it."""
    try:
        with Store(find_run(ctx.params.get("run") or "")) as store:
            names = map(game_name, store.keys())
            return list(islice((name for name in names if name.startswith(incomplete)), _MOST))
    except ArenaError:
        return []


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="Match, board and sitting, as in the names of the replay's pages: 12-3-0.",
        autocompletion=complete_game,
        show_default=False,
    ),
]


def find_game(store: Store, word: str) -> GameKey:
    """Find a stored game by its name, its page's file or address, or the words of `verify`.

    Raises `InputError` with the nearest name there is, or the first where none is given.
    """
    if not word:
        raise InputError([Problem("no game is named", str(store.folder), remedy=_first(store))])
    found = next((found for name in _NAMES if (found := name.fullmatch(word))), None)
    if found is None:
        remedy = "write match, board and sitting, such as 12-3-0"
        raise InputError([Problem(f"{word!r} is no game", remedy=remedy)])
    key = GameKey(*map(int, found.groups()))
    known = list(store.keys(key.match))
    if key not in known:
        what = f"there is no game of {key}"
        remedy = did_you_mean(game_name(key), list(map(game_name, known))) or _first(store)
        raise InputError([Problem(what, str(store.folder), remedy=remedy)])
    return key


def _first(store: Store) -> str:
    first = next(store.keys(), None)
    return "none is played yet" if first is None else f"the first one is {game_name(first)}"
