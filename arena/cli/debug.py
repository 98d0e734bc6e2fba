"""The command that puts a recorded game's questions to a bot once more: `debug`.

It knows how to start a program with nothing between it and its author, and where to stop; what was
asked, the record says. No clock runs, and there is no sandbox: a debugger needs neither.
"""

import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Annotated

import typer

from arena import tournament
from arena.bots import Bot
from arena.builds import ready_bot
from arena.cli.games import GameName, find_game
from arena.cli.locate import find_run
from arena.cli.named import complete_bot, named_bot
from arena.cli.options import UNPROTECTED, Run
from arena.cli.terminal import print_line, say, warn, write_bytes
from arena.errors import HostFault, InputError, Problem
from arena.protocol import Fault, FaultKind, Hello, Reply, encode_line, parse_reply
from arena.record import Limits
from arena.referee import Life, Retold
from arena.report.text import count
from arena.sandbox import Launch, open_sandbox
from arena.store import GameKey, Store

_MOST_SHOWN = 20
"""Answers other than the recorded ones that are shown; all are counted."""
_ENDED = Fault(FaultKind.CRASH, "an answer")


def debug(  # one for each option
    run: Run,
    game: GameName = "",
    bot: Annotated[
        Path | None,
        typer.Argument(
            metavar="[BOT]",
            help="The bot's folder or name; none prints the lines, for `COMMAND < FILE`.",
            autocompletion=complete_bot,
            show_default=False,
        ),
    ] = None,
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- COMMAND]",
            help="What to start instead of the bot's own command, such as a debugger's.",
            show_default=False,
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, max=3, help="Whose questions.", show_default="where BOT sat, or 0"),
    ] = None,
    hand: Annotated[
        int | None, typer.Option(min=1, help="Stop before a question of this hand.")
    ] = None,
    move: Annotated[
        int, typer.Option(min=1, help="Which question of that hand, counted for the seat.")
    ] = 1,
) -> None:
    """Ask a bot again what it was asked in a recorded game: the same bytes, stopping at a move.

    It is started as in the sitting, from the first board on, and every answer that is not the
    recorded one is told. At the stop it waits, for a debugger to be attached, until Enter.
    """
    with ExitStack() as opened:
        store = opened.enter_context(Store(find_run(run)))
        key = find_game(store, game)
        loaded = opened.enter_context(named_bot(bot)) if bot else None
        match = store.played_match(key.match)
        freezes = match is not None and _can_freeze(match.sandbox)
        sat = [ref.bot for ref in store.game(*key).seats]
        seat = _seat_of(loaded, sat) if seat is None else seat
        hello, lives = tournament.told_to(store, key, seat, can_freeze=freezes)
        life, stop = _choose(lives, key, hand, move)
        if loaded is None:
            asked = [one.request for one in life[: None if stop is None else stop + 1]]
            write_bytes(encode_line(hello) + b"".join(map(encode_line, asked)))
            return
        _warn_of_another(loaded.ref.bot, sat, seat)
        shelf = opened.enter_context(TemporaryDirectory(prefix="arena-debug-"))
        folder = loaded.folder
        if loaded.manifest.build is not None:
            ready = ready_bot(loaded, Path(shelf), open_sandbox(UNPROTECTED))
            if ready.unbuilt is not None:
                raise InputError([Problem(f"cannot be built: {ready.unbuilt[1]}", str(bot))])
            folder = ready.folder
        _ask_again(command or loaded.command, folder, hello, life, stop)


def _seat_of(bot: Bot | None, sat: Sequence[str]) -> int:
    """Give the first seat where a bot of that name sat, or the first of all."""
    return sat.index(bot.ref.bot) if bot is not None and bot.ref.bot in sat else 0


def _warn_of_another(bot: str, sat: Sequence[str], seat: int) -> None:
    """Say that the recorded answers are another bot's, and who sat where."""
    if sat[seat] != bot:
        seats = ", ".join(f"{name} in seat {place}" for place, name in enumerate(sat))
        warn(f"{bot} is asked what {sat[seat]} was asked; in that game sat {seats} (--seat)")


def _can_freeze(sandbox: str) -> bool:
    """Tell whether this machine's sandbox of that name holds bots still."""
    try:
        process = open_sandbox(sandbox).launch(
            Launch(("true",), Path.cwd(), Limits(), is_alone=True)
        )
    except (HostFault, InputError):
        return False
    can_freeze = process.can_freeze
    process.close()
    return can_freeze


def _choose(
    lives: Sequence[Life], key: GameKey, hand: int | None, move: int
) -> tuple[Life, int | None]:
    """Find the process that was asked the question to stop at, and the question in its life."""
    if hand is None:
        return (lives[-1] if lives else []), None
    for life in lives:
        for place, told in enumerate(life):
            asked = told.request
            if (asked.board, asked.hand, told.move) == (key.board, hand, move):
                return life, place
    asked_then = [
        told.move
        for life in lives
        for told in life
        if (told.request.board, told.request.hand) == (key.board, hand)
    ]
    known = f"that hand has {count(len(asked_then), 'question')} for the seat"
    raise InputError([Problem(f"no question {move} in hand {hand}", remedy=known)])


def _ask_again(
    command: Sequence[str], folder: Path, hello: Hello, life: Life, stop: int | None
) -> None:
    with subprocess.Popen(  # noqa: S603  # the author's own program, on the author's machine
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            if not _say_to(process.stdin, process.stdout, encode_line(hello)):
                raise InputError([Problem("the bot ended before it was ready", str(folder))])
            asked = others = 0
            for number, told in enumerate(life):
                if number == stop:
                    _wait(told, process.pid)
                line = _say_to(process.stdin, process.stdout, encode_line(told.request))
                now = parse_reply(line.removesuffix(b"\n"), told.request.id) if line else _ENDED
                differs = _words(now) != _words(told.reply)
                if number == stop or (differs and others < _MOST_SHOWN):
                    _show(told, now)
                asked, others = asked + 1, others + differs
                if not line:
                    break
            print_line(f"{count(asked, 'question')} asked, {others} answered otherwise")
        finally:
            process.kill()


def _say_to(stdin: IO[bytes], stdout: IO[bytes], line: bytes) -> bytes:
    """Write a line and give the one that answers it; nothing from a bot that is gone."""
    try:
        stdin.write(line)
        stdin.flush()
        return stdout.readline()
    except BrokenPipeError:
        return b""


def _wait(told: Retold, pid: int) -> None:
    say(f"stopped before hand {told.request.hand}, question {told.move}; process {pid} waits")
    print_line(encode_line(told.request).decode().rstrip())
    say("Enter sends it")
    sys.stdin.readline()


def _show(told: Retold, now: Reply | Fault) -> None:
    """Tell an answer beside the recorded one."""
    asked = told.request
    place = f"board {asked.board}, hand {asked.hand}, question {told.move}"
    print_line(f"{place}: recorded {_words(told.reply)}, now {_told(now)}")


def _told(reply: Reply | Fault) -> str:
    """Tell an answer, and of a fault what came, such as a debugger's own words."""
    said = reply.said if isinstance(reply, Fault) else ""
    return f"{_words(reply)}: {said}" if said else _words(reply)


def _words(reply: Reply | Fault) -> str:
    return f"the fault {reply.kind.value}" if isinstance(reply, Fault) else repr(reply.move)
