"""The command that begins a bot: `new`.

It knows what to tell the author next; what is written, the starter's room knows.
"""

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.terminal import print_path, say, warn
from arena.sandbox.toolchain import find_program
from arena.starter import LANGUAGES, new_bot


def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The bot's name.", show_default=False)
    ],
    language: Annotated[
        str,
        typer.Option(
            "--lang",
            metavar="|".join(LANGUAGES),
            autocompletion=lambda: list(LANGUAGES),
            help="What to write it in.",
        ),
    ] = "python",
) -> None:
    """Write a bot's folder that already plays; change its strategy from there."""
    folder = new_bot(name, language, Path())
    print_path(folder)
    for program in LANGUAGES[language].needs:
        if find_program(program) is None:
            warn(
                f"{program} is not where bots find it here: install it for all users, or for yours"
            )
    say(f"next: arena check {folder}")
