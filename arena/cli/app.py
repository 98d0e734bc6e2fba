"""The program `arena`: its commands, and what every ending means to the caller.

It knows exit codes: 0 done; 1 the thing asked about failed; 2 unusable input, one line a problem;
130 stopped by the user, with everything finished so far saved. It never knows how a command works.
"""

import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Annotated, ParamSpec

import typer
from typer.main import get_command

from arena.cli import check, exam, faults, image, new, play, pool, show
from arena.cli.stopping import STOPPED, stop_signals
from arena.cli.terminal import complain, say
from arena.cli.versions import arena_version
from arena.errors import ArenaError
from arena.tournament import HostFailed

DONE, FAILED, UNUSABLE = 0, 1, 2

Options = ParamSpec("Options")

app = typer.Typer(
    name="arena",
    help="Tournaments of Spades between bots that anyone may send.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"arena {arena_version()}")
        raise typer.Exit


@app.callback()
def _program(
    *,
    version: Annotated[  # handled before any command
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """Tournaments of Spades between bots that anyone may send."""


def _while_read(command: Callable[Options, None]) -> Callable[Options, None]:
    """Have a command end as if it was stopped when nobody reads its output any more."""

    @wraps(command)
    def run(*args: Options.args, **kwargs: Options.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            _let_go_of_output()
            raise typer.Exit(STOPPED) from None

    return run


def _let_go_of_output() -> None:
    """Keep Python from writing what is left to a pipe that nobody reads."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _register() -> None:
    for function, example in (
        (play.run, "arena run configs/round_robin.yaml --jobs 2"),
        (show.leaderboard, "arena leaderboard demo --format csv > table.csv"),
        (show.report, "arena report demo"),
        (show.export, "arena export demo --no-us > games.jsonl"),
        (faults.faults, "arena faults demo --bot random"),
        (check.verify, "arena verify demo"),
        (show.rate, "arena rate results.csv"),
        (new.new, "arena new my-bot --lang python"),
        (exam.check, "arena check my-bot"),
        (pool.submit, "arena submit ../my-bot --pool bots"),
        (check.doctor, "arena doctor"),
        (image.image, "arena image"),
    ):
        app.command(epilog=f"Example: {example}")(_while_read(function))


_register()


def main() -> None:
    """Run the command line and leave with its exit code."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed before the program began
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115  # until the end
    sys.exit(run_command(sys.argv[1:]))


def run_command(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code; nothing that a person can mend is a traceback."""
    try:
        with stop_signals():
            code = get_command(app).main(list(arguments), prog_name="arena", standalone_mode=False)
    except typer.TyperException as wrong:
        message = " ".join(wrong.format_message().split())
        if message:  # none where the help was shown instead
            say(f"error: {message}", "red")
        return wrong.exit_code
    except ArenaError as error:
        complain(error)
        return FAILED if isinstance(error, HostFailed) else UNUSABLE
    except OSError as error:
        say(f"error: {error.filename or 'output'}: {error.strerror or error}", "red")
        return UNUSABLE
    except KeyboardInterrupt:
        return STOPPED
    return code if isinstance(code, int) else DONE
