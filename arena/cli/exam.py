"""The command that examines a bot before others do: `check`.

It knows how findings are printed, and that one is exit code 1.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from typer.models import OptionInfo

from arena.bots import Bot
from arena.cli.entries import print_entry
from arena.cli.named import complete_bot, named_bot
from arena.cli.options import known_sandboxes, one_of
from arena.cli.terminal import complain, print_line, say, write_bytes
from arena.cli.watching import changes
from arena.errors import InputError
from arena.exam import Finding, Report, Stage, examine
from arena.protocol import LEAST_SECONDS, MOST_SECONDS, TimeControl
from arena.report.text import count, times
from arena.sandbox import open_sandbox
from arena.session import LOG_ENDS

INDENT, TITLE = 5, 10
"""Columns before what is told of a fault, and of its titles."""
BotFolder = Annotated[
    Path,
    typer.Argument(
        metavar="BOT",
        help="The bot's folder, which holds bot.yaml, a .zip or .tar.gz of it, or its name in "
        "./bots, such as ann or ann@1.2.",
        autocompletion=complete_bot,
        show_default=False,
    ),
]
SandboxName = Annotated[
    str,
    typer.Option(
        "--sandbox",
        metavar="KIND",
        callback=one_of(known_sandboxes()),
        autocompletion=known_sandboxes,
        help="What to run it in.",
    ),
]


def _clock(what: str) -> OptionInfo:
    """Declare an option that takes what a tournament's file takes for a clock."""
    option: OptionInfo = typer.Option(min=LEAST_SECONDS, max=MOST_SECONDS, help=what)
    return option


def check(  # one for each option
    bot: BotFolder,
    sandbox: SandboxName = "auto",
    startup: Annotated[float, _clock("Seconds to start up.")] = 10.0,
    move: Annotated[float, _clock("Seconds for a move.")] = 1.0,
    hand: Annotated[float, _clock("Seconds for a hand.")] = 5.0,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Examine it again at every change, until Ctrl-C.")
    ] = False,
) -> None:
    """Examine a bot in the sandbox, and say what to change.

    Ends with exit code 1 where anything is wrong, and 2 where it is no bot.
    """
    held, time = open_sandbox(sandbox), TimeControl(startup, move, hand)

    def examine_now() -> bool:
        with named_bot(bot) as loaded:
            report = examine(loaded, held, time)
        if as_json:
            write_bytes(msgspec.json.encode({"passed": report.passed, **_plain(report)}) + b"\n")
        else:
            print_report(report)
        return report.passed

    if watch and bot.is_dir():
        _repeat(examine_now, bot)
    elif not examine_now():
        raise typer.Exit(1)


def _repeat(examine_now: Callable[[], bool], folder: Path) -> None:
    """Examine at every change of the folder; one that is no bot for a while only says so."""
    for _ in changes(folder):
        try:
            examine_now()
        except InputError as error:
            complain(error)
        sys.stdout.flush()
        say(f"watching {folder}; Ctrl-C ends")


def _plain(report: Report) -> dict[str, object]:
    return msgspec.to_builtins(report)  # type: ignore[no-any-return]


def refuse_failing(bot: Bot, sandbox: str) -> None:
    """Examine a bot, and end with exit code 1 and the report where it fails."""
    report = examine(bot, open_sandbox(sandbox))
    if not report.passed:
        print_report(report)
        raise typer.Exit(1)


def print_report(report: Report) -> None:
    """Print what the exam found, stage by stage."""
    known: dict[tuple[str, str], str] = {}
    for stage in report.stages:
        _print_stage(stage, known)
    if report.speed is not None:
        speed = report.speed
        print_line(
            f"reply times: {_ms(speed.p50)} half, {_ms(speed.p90)} of 90 %, {_ms(speed.p99)} of "
            f"99 %, {_ms(speed.most)} at most, of {count(speed.replies, 'reply', 'replies')}"
        )
        if not report.late:
            print_line(f"expected to be late in {speed.forfeit_rate:.1f} of 100 games")
    if report.late:
        print_line(f"not answered in time: {count(report.late, 'request')}")
    found = sum(len(stage.findings) for stage in report.stages)
    name = f"{report.bot.bot} {report.bot.version}"
    if found:
        log = _untold_log(report)
        if log:
            print_line("its log:")
            print_entry("", log, INDENT, 0)
        print_line(f"{name}: {count(found, 'fault')} to mend", "red")
    else:
        print_line(f"{name}: passed", "green")


def _untold_log(report: Report) -> str:
    """Give the log without the end that a fault's own words have told."""
    log = report.log.strip()
    for stage in report.stages:
        for found in stage.findings:
            told = found.detail.partition(LOG_ENDS)[2].strip()
            if told and log.endswith(told):
                return log.removesuffix(told).rstrip()
    return log


def _print_stage(stage: Stage, known: dict[tuple[str, str], str]) -> None:
    """Print a stage; a mistake is told in full once, and `known` says where."""
    print_line(f"{'FAIL' if stage.findings else 'ok':<5}{stage.name}")
    again: dict[str, list[Finding]] = {}
    for found in stage.findings:
        if (same := found.mistake) in known:
            again.setdefault(known[same], []).append(found)
        else:
            known[same] = f"{found.where} of {stage.name}"
            _print_parts(_parts(found))
    for first, others in again.items():
        often = f", {times(len(others))}" if len(others) > 1 else ""
        places = "\n".join(found.where for found in others)
        _print_parts((("at", places), ("fault", f"{others[0].kind}{often}, as at {first}")))


def _print_parts(parts: tuple[tuple[str, str], ...]) -> None:
    for title, text in parts:
        print_entry(title, text, INDENT, TITLE)


def _parts(found: Finding) -> tuple[tuple[str, str], ...]:
    what = f"{found.kind}: {found.detail}" if found.detail else found.kind
    return (
        ("at", found.where),
        ("fault", what),
        ("expected", found.expected),
        ("came", found.said),
        ("fix", found.fix),
    )


def _ms(us: int) -> str:
    return f"{us / 1000:.1f} ms"
