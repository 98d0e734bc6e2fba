"""The program `arena`: its commands, and what every ending means to the caller.

It knows exit codes: 0 done; 1 the thing asked about failed; 2 unusable input, one line a problem;
130 stopped by the user, with everything finished so far saved. It never knows how a command works.
"""

import inspect
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from typer.core import TyperGroup, TyperOption
from typer.main import get_command

from arena import __version__
from arena.cli import (
    check,
    debug,
    exam,
    faults,
    image,
    listing,
    new,
    play,
    pool,
    replay,
    schema,
    serve,
    show,
    sit,
)
from arena.cli.stopping import STOPPED, ignore_stopping, stop_signals
from arena.cli.streams import prepare_streams, release_streams
from arena.cli.terminal import complain, say
from arena.errors import ArenaError, in_words
from arena.tournament import HostFailed

DONE, FAILED, UNUSABLE = 0, 1, 2
HELP = ["-h", "--help"]
"""What asks for help."""


app = typer.Typer(
    name="arena",
    help="Tournaments of Spades between bots that anyone may send.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": HELP},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"arena {__version__}")
        raise typer.Exit


@app.callback(epilog="Example: arena run configs/round_robin.yaml")
def _program(
    *,
    version: Annotated[  # handled before any command
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Tournaments of Spades between bots that anyone may send."""


def _reflowed(function: Callable[..., None]) -> str:
    """Give a command's help with each paragraph on one line, for the terminal to break."""
    paragraphs = (inspect.getdoc(function) or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _register() -> None:
    for function, example in (
        (play.run, "arena run configs/round_robin.yaml --jobs 2"),
        (show.leaderboard, "arena leaderboard demo --format csv > table.csv"),
        (show.report, "arena report demo"),
        (serve.serve, "arena serve demo"),
        (replay.show, "arena show demo 1-3-0 --hand 2"),
        (show.export, "arena export demo --no-us > games.jsonl"),
        (faults.faults, "arena faults demo --bot random"),
        (check.verify, "arena verify demo"),
        (show.rate, "arena rate results.csv"),
        (new.new, "arena new my-bot --lang python"),
        (exam.check, "arena check my-bot"),
        (sit.play, "arena play my-bot --game two-player"),
        (debug.debug, "arena debug demo 1-3-0 --seat 1 --hand 2 bots/anna"),
        (pool.submit, "arena submit ../my-bot --pool bots"),
        (listing.bots, "arena bots --run demo"),
        (pool.withdraw, "arena withdraw my-bot"),
        (schema.schema, "arena schema config > tournament.schema.json"),
        (check.doctor, "arena doctor"),
        (image.image, "arena image"),
    ):
        app.command(help=_reflowed(function), epilog=f"Example: {example}")(function)


_register()


def _program_command() -> TyperGroup:
    """Make the command line, in whose help a flag, which takes no value, has no type."""
    program = get_command(app)
    assert isinstance(program, TyperGroup)
    for command in (program, *program.commands.values()):
        context = typer.Context(command, help_option_names=HELP)
        for one in (*command.params, command.get_help_option(context)):
            if isinstance(one, TyperOption) and one.is_flag:
                one.metavar = ""
    return program


def main() -> None:
    """Run the command line and leave with its exit code."""
    prepare_streams()
    code = run_command(sys.argv[1:])
    ignore_stopping()
    release_streams()
    sys.exit(code)


def run_command(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code; nothing that a person can mend is a traceback."""
    try:
        return _run(arguments)
    except OSError:  # nor can it be told
        return UNUSABLE


def _run(arguments: Sequence[str]) -> int:
    try:
        with stop_signals():
            code = _program_command().main(
                list(arguments), prog_name="arena", standalone_mode=False
            )
            sys.stdout.flush()
    except typer.TyperException as wrong:
        message = " ".join(wrong.format_message().split())
        if message:  # none where the help was shown instead
            say(f"error: {message}", "red")
        return wrong.exit_code
    except ArenaError as error:
        complain(error)
        return FAILED if isinstance(error, HostFailed) else UNUSABLE
    except BrokenPipeError:
        return STOPPED
    except SystemExit as end:  # Typer's and Rich's own, where nobody reads any more
        return STOPPED if end.code else DONE
    except OSError as error:
        say(f"error: {_told(error)}", "red")
        return UNUSABLE
    except KeyboardInterrupt:
        return STOPPED
    return code if isinstance(code, int) else DONE


def _told(error: OSError) -> str:
    """Put what the system refused on one line: only the output has no name, and a lost folder."""
    if isinstance(error, FileNotFoundError) and error.filename is None:
        return "the working folder is gone; change to one that is there"
    return f"{error.filename or 'output'}: {in_words(error)}"
