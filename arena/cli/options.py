"""Arguments and options that several commands share, and how a value is refused."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from arena.cli.locate import complete_run
from arena.errors import did_you_mean
from arena.plugins import SANDBOXES, plugins

UNPROTECTED = "none"
"""The sandbox that is none."""

Run: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="A results folder, or a tournament's name under ./results.",
        autocompletion=complete_run,
        show_default=False,
    ),
]


def known_sandboxes() -> list[str]:
    """List what `--sandbox` takes."""
    return ["auto", *plugins(SANDBOXES)]


def folder_of(word: str) -> Path:
    """Read a folder's name; an empty one, as of a variable that is not set, is none."""
    if not word:
        raise typer.BadParameter("the folder's name is empty; write . for the current one")
    return Path(word)


def one_of(known: Collection[str]) -> Callable[[str], str]:
    """Make the check of an option that takes one of some words."""

    def check(value: str) -> str:
        if value in known:
            return value
        raise typer.BadParameter(f"{value!r} is none of its values; {did_you_mean(value, known)}")

    return check
