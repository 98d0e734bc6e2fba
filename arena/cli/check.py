"""Commands that check: `verify` a run's records, and `doctor`, which looks at this machine.

It knows how findings are printed, and that one that matters is exit code 1.
"""

import sys

import typer

from arena import __version__, tournament
from arena.cli import machine
from arena.cli.locate import find_run
from arena.cli.options import UNPROTECTED, Run
from arena.cli.progress import Watch
from arena.cli.show import say_how_far
from arena.cli.terminal import print_line
from arena.errors import ArenaError, HostFault
from arena.plugins import SANDBOXES, load_plugin, plugins
from arena.report.text import count
from arena.sandbox import Sandbox
from arena.store import Store

NAME_WIDTH = 20


def verify(run: Run) -> None:
    """Referee every record of a tournament again, and recompute its tables.

    Ends with exit code 1 where anything is wrong.
    """
    problems = 0
    with Store(find_run(run)) as store:
        checked = tournament.Checked(0, 0)
        with Watch("games") as watch:
            for checked in tournament.verify(store):
                watch.show(checked.games, checked.of)
                problems += len(checked.problems)
                for problem in checked.problems:
                    print_line(problem)
        say_how_far(store)
        uncounted = 0 if problems else tournament.count_uncounted(store)
    games = count(checked.games, "game")
    beside = f", {uncounted:,} of which count for nobody" if uncounted else ""
    found = count(problems, "problem") if problems else "all is well"
    print_line(f"{games} verified{beside}: {found}")
    if problems:
        raise typer.Exit(1)


def doctor() -> None:
    """Tell what this machine offers: sandboxes and why one is missing, cores, versions.

    Ends with exit code 1 where strangers' bots cannot be run.
    """
    for what, said in (
        ("arena", __version__),
        ("Python", f"{sys.version.split()[0]}, {sys.executable}"),
        ("packages", machine.packages()),
        ("system", machine.system()),
        ("cores", machine.cores()),
        ("memory", machine.memory()),
        ("programs", machine.programs()),
        ("user namespaces", machine.user_namespaces()),
        ("control groups", machine.cgroups()),
    ):
        print_line(f"{what:<{NAME_WIDTH}}{said}")
    usable = 0
    for name in plugins(SANDBOXES):
        problem = _problem(name)
        usable += problem is None and name != UNPROTECTED
        what = f"sandbox {name}"
        print_line(f"{what:<{NAME_WIDTH}}{problem or _praise(name)}", "red" if problem else "green")
        if problem is None and name != UNPROTECTED:
            _print_limits(name)
    if not usable:
        raise typer.Exit(1)


def _print_limits(name: str) -> None:
    """Say which limits hold here, and of each other one what to do."""
    sandbox: Sandbox = load_plugin(SANDBOXES, name)()
    try:
        holds = sandbox.holds()
    except (ArenaError, HostFault) as error:
        print_line(f"{'':<{NAME_WIDTH}}{error}", "red")
        return
    kept = ", ".join(hold.limit for hold in holds if hold.lacking is None)
    print_line(f"{'  limits that hold':<{NAME_WIDTH}}{kept or 'none'}")
    for hold in holds:
        if hold.lacking is not None:
            what = f"  not {hold.limit}"
            print_line(f"{what:<{NAME_WIDTH}}{hold.lacking}", "yellow")


def _problem(name: str) -> str | None:
    sandbox: Sandbox = load_plugin(SANDBOXES, name)()
    problem = sandbox.problem()
    return None if problem is None else f"missing: {problem}"


def _praise(name: str) -> str:
    return "no protection at all, for bots of your own" if name == UNPROTECTED else "works"
