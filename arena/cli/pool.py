"""The command that takes bots in: `submit`.

It knows where the pool is; what a bot must be, its room says.
"""

from pathlib import Path
from typing import Annotated

import typer

from arena import bots
from arena.cli.exam import SandboxName, refuse_failing
from arena.cli.options import folder_of
from arena.cli.terminal import print_path, say
from arena.report.text import short_digest


def submit(
    bot: Annotated[
        Path,
        typer.Argument(
            metavar="BOT",
            help="The bot's folder, which holds bot.yaml, or a .zip or .tar.gz of it.",
            show_default=False,
        ),
    ],
    pool: Annotated[
        Path,
        typer.Option("--pool", metavar="DIR", parser=folder_of, help="Where the bots are kept."),
    ] = Path("bots"),
    no_check: Annotated[bool, typer.Option("--no-check", help="Take it without the exam.")] = False,
    sandbox: SandboxName = "auto",
) -> None:
    """Examine a bot and copy it into the pool, under its name and version."""
    with bots.opened_bot(bot) as loaded:
        if not no_check:
            refuse_failing(loaded, sandbox)
        folder = bots.submit(loaded, pool)
    ref = loaded.ref
    games = ", ".join(loaded.manifest.games)
    say(f"{ref.bot} {ref.version} ({short_digest(ref.digest)}) plays {games}")
    print_path(folder)
