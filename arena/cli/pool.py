"""The commands that take bots in and out: `submit` and `withdraw`.

It knows where the pool is; what a bot must be, its room says.
"""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from arena import bots
from arena.cli.entries import head_and_tail
from arena.cli.exam import SandboxName, refuse_failing
from arena.cli.locate import POOL
from arena.cli.named import complete_own_bot
from arena.cli.options import folder_of
from arena.cli.terminal import print_path, say
from arena.report.text import MINUS, count, cut, printable, short_digest

_WIDEST = 60
"""Characters of a manifest's value that are told."""
_KINDS = {"file": "a file", "exec": "executable", "link": "a link"}
"""What a file may be."""


Pool = Annotated[
    Path,
    typer.Option("--pool", metavar="DIR", parser=folder_of, help="Where the bots are kept."),
]


def submit(
    bot: Annotated[
        Path,
        typer.Argument(
            metavar="BOT",
            help="The bot's folder, which holds bot.yaml, or a .zip or .tar.gz of it.",
            autocompletion=complete_own_bot,
            show_default=False,
        ),
    ],
    pool: Pool = POOL,
    no_check: Annotated[bool, typer.Option("--no-check", help="Take it without the exam.")] = False,
    sandbox: SandboxName = "auto",
) -> None:
    """Examine a bot and copy it into the pool, under its name and version.

    What has changed since the version before is told; versions stay side by side.
    """
    with bots.opened_bot(bot) as loaded:
        ref = loaded.ref
        name = f"{ref.bot} {ref.version} ({short_digest(ref.digest)})"
        if bots.is_kept(loaded, pool):
            say(f"{name} is in the pool already, the same; nothing has changed")
        else:
            if not no_check:
                refuse_failing(loaded, sandbox)
            before = bots.last_version(loaded, pool)
            bots.submit(loaded, pool)
            say(f"{name} plays {', '.join(loaded.manifest.games)}")
            if before is not None:
                _say_changes(before, loaded)
            where = () if pool == POOL else ("--pool", str(pool))
            look = shlex.join(("arena", "bots", *where))
            say(f"next: {look}, and arena run FILE, where the file's bots name {pool / ref.bot}")
    print_path(pool / ref.bot / ref.version)


def _complete_name(context: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a bot that is in the pool, or with ``--undo`` of one that was."""
    names = bots.withdrawn_names if context.params.get("undo") else bots.pool_names
    return [one for one in names(context.params.get("pool") or POOL) if one.startswith(incomplete)]


def withdraw(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The bot's folder in the pool, which has its name.",
            autocompletion=_complete_name,
            show_default=False,
        ),
    ],
    pool: Pool = POOL,
    undo: Annotated[bool, typer.Option("--undo", help="Bring it back.")] = False,
) -> None:
    """Take a bot out of the pool, all versions, and delete nothing.

    Later tournaments do not find it, and it cannot be submitted, until it is brought back.
    """
    if undo:
        place = bots.restore(name, pool)
        say(f"{place.name} is in the pool again, as it was")
    else:
        place = bots.withdraw(name, pool)
        say(f"{place.name} is out of the pool; nothing is deleted, and played games stay")
        where = () if pool == POOL else ("--pool", str(pool))
        back = shlex.join(("arena", "withdraw", place.name, "--undo", *where))
        say(f"bring it back with: {back}")
    print_path(place)


def _say_changes(before: bots.Bot, after: bots.Bot) -> None:
    """Tell what came, went and is another: the first and the last of much."""
    told = [
        f"  {change.key}: {_spelt(change.before)} → {_spelt(change.after)}"
        for change in bots.key_changes(before, after)
    ] + [f"  {_told(change)}" for change in bots.file_changes(before, after)]
    nothing = "" if told else " nothing but the version"
    say(f"since {before.ref.version} ({short_digest(before.ref.digest)}):{nothing}")
    for line in head_and_tail("\n".join(told)):
        say(line)


def _spelt(value: object) -> str:
    """Write a manifest's value as it stands there, on one line."""
    if not value:
        return "none"
    return cut(
        printable(f"[{', '.join(value)}]" if isinstance(value, tuple) else str(value)), _WIDEST
    )


def _told(change: bots.FileChange) -> str:
    """Say what became of a file."""
    was, now = change.before, change.after
    verb = "added" if was is None else "removed" if now is None else "changed"
    return f"{verb:<8} {printable(change.path)}, {_how_much(change)}"


def _how_much(change: bots.FileChange) -> str:
    was, now = change.before, change.after
    if was is not None and now is not None and was.kind != now.kind:
        return f"{_KINDS[was.kind]} → {_KINDS[now.kind]}"
    if change.lines is not None:
        came, went = change.lines
        if was is None or now is None:
            return count(came or went, "line")
        return f"+{came:,} {MINUS}{went:,} lines" if came or went else "its lines in another order"
    sizes = [f"{one.size:,}" for one in (was, now) if one is not None]
    return f"{' → '.join(sizes)} bytes"
