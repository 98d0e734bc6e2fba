"""The command that plays: `run`.

It knows what is told before, during and after a run; how one is planned, played and kept, the
rooms below say.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.filesize import decimal

from arena import report, tournament
from arena.bots import Bot
from arena.cli.options import UNPROTECTED, folder_of, known_sandboxes
from arena.cli.progress import Watch, timespan
from arena.cli.standings import print_standings, warn_of_table
from arena.cli.stopping import STOPPED, is_output_closed
from arena.cli.terminal import say, warn
from arena.config import Overrides, Tournament, load
from arena.errors import HostFault, SandboxError
from arena.executors.cores import available_cores
from arena.executors.executor import Executor, Remote
from arena.plugins import EXECUTORS, load_plugin
from arena.record import Delay
from arena.report.facts import clock_words
from arena.report.text import count, duration
from arena.sandbox import Sandbox as HeldIn
from arena.sandbox import open_sandbox
from arena.store import RunStore, Store, holds_run, set_aside
from arena.tournament import Estimate, Plan, Progress

_SLOW_SHARE, _SLOWEST_SHARE = 0.05, 0.25
"""Shares of a move's time: more of it than this in the slowest of 100 moves, or in any, is bad."""

Config = Annotated[
    Path, typer.Argument(metavar="CONFIG", help="A tournament's YAML file.", show_default=False)
]
Out = Annotated[
    Path | None,
    typer.Option(
        "--out",
        metavar="DIR",
        parser=folder_of,
        help="The results folder.",
        show_default="results/NAME",
    ),
]
Fresh = Annotated[bool, typer.Option("--fresh", help="Set earlier results aside, and begin anew.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", metavar="N", help="Matches at a time.", show_default="by cores"),
]
Sandbox = Annotated[
    str | None,
    typer.Option(
        "--sandbox",
        metavar="KIND",
        help="How bots are held: auto, none, or one that `arena doctor` lists.",
        autocompletion=known_sandboxes,
        show_default="the file's",
    ),
]
Seed = Annotated[
    str | None,
    typer.Option("--seed", help="Repeat a run with its seed.", show_default="drawn, in secret"),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Only warnings and the leaderboard.")]
PlanOnly = Annotated[
    bool, typer.Option("--plan", help="Tell how much would be played, and play nothing.")
]


def run(  # noqa: PLR0913, PLR0917  # one for each option
    config: Config,
    out: Out = None,
    fresh: Fresh = False,
    jobs: Jobs = None,
    sandbox: Sandbox = None,
    seed: Seed = None,
    quiet: Quiet = False,
    plan: PlanOnly = False,
) -> None:
    """Play a tournament, or go on with one that was stopped.

    Ctrl-C ends it at once and keeps every finished match; the same command goes on with it.
    """
    chosen = load(config, Overrides(seed=seed, sandbox=sandbox, jobs=jobs, out=out))
    planned = tournament.plan(chosen)
    if plan:
        with suppress(SandboxError, HostFault):  # told below
            _refuse_changes(chosen, fresh=fresh)
        typer.echo("\n".join(_how_much(chosen, planned, fresh=fresh)))
        _warn_of_hindrances(chosen)
        return
    held = open_sandbox(chosen.sandbox, chosen.limits)
    _refuse_changes(chosen, fresh=fresh)
    if not quiet:
        for line in _how_much(chosen, planned, fresh=fresh):
            say(line)
    if fresh:
        _set_aside(chosen.out, quiet=quiet)
    with closing(tournament.open_run(chosen)) as store:
        if store.is_finished:
            is_whole = True
            if not quiet:
                played = count(store.counts().games_played, "game")
                say(f"all is played already, {played}; --fresh begins anew")
        else:
            _announce(store, held, chosen, quiet=quiet)
            is_whole = _play(chosen, store, quiet=quiet)
        _conclude(store, planned, is_whole=is_whole, quiet=quiet)
    if not is_whole:
        raise typer.Exit(STOPPED)


def _refuse_changes(chosen: Tournament, *, fresh: bool) -> None:
    if not fresh:
        tournament.refuse_changes(chosen)


def _warn_of_hindrances(chosen: Tournament) -> None:
    """Warn of what would keep it from being played from here, as far as that is quickly asked."""
    try:
        open_sandbox(chosen.sandbox, chosen.limits)
    except (SandboxError, HostFault) as error:
        warn(f"it could not be played now: {error}")
    options = chosen.executor.options
    if isinstance(options, Remote) and (problem := options.unreachable()):
        warn(f"it could not be played now: {problem}")


def _how_much(chosen: Tournament, planned: Plan, *, fresh: bool) -> Iterator[str]:
    """Tell what is to be played, how long that takes, and how much room its results take."""
    both = ", each from both sides" if chosen.duplicate else ""
    yield (
        f"{chosen.name}: {chosen.game}, {chosen.format.kind}, {count(planned.entrants, 'bot')}, "
        f"{count(planned.matches, 'match', 'matches')} of {count(chosen.boards, 'board')}{both}: "
        f"{count(planned.games, 'game')}"
    )
    with Store(chosen.out) if holds_run(chosen.out) and not fresh else nullcontext() as store:
        yield f"time: {_how_long(tournament.estimate(chosen, planned, store))}"
    yield f"disk: about {decimal(planned.bytes)}"


def _how_long(left: Estimate) -> str:
    """Tell how long it takes at least and at most, and what is likely if that is known."""
    if left.games == 0:
        return "all is played already"
    most = "with no bound by the rules" if left.most is None else f"at most {timespan(left.most)}"
    at_a_time = f"{count(left.jobs, 'match', 'matches')} at a time"
    if left.likely is not None:
        likely = f"about {timespan(left.likely)} for the {count(left.games, 'game')} left"
        return f"{likely} by those played, {most} by the bots' clocks; {at_a_time}"
    least = f"at least {timespan(left.least)}, for bots that answer at once"
    return f"{least}, {most} by the bots' clocks; {at_a_time}"


def _set_aside(folder: Path, *, quiet: bool) -> None:
    aside = set_aside(folder)
    if aside is not None and not quiet:
        say(f"earlier results: set aside as {aside}")


def _announce(store: RunStore, held: HeldIn, chosen: Tournament, *, quiet: bool) -> None:
    """Tell what has to be told before the first match. Rules: D1a."""
    meta = store.meta
    if held.name == UNPROTECTED:
        warn("no sandbox: bots can read and change whatever you can; run only your own so")
    elif chosen.executor.kind == "local":
        _warn_of_limits(held, freeze=chosen.limits.freeze)
    if not meta.is_secret:
        warn("the seed is given, and bots might know it: for trials and repeats only")
    if quiet:
        return
    played = store.counts().games_played
    if played:
        say(f"going on after {count(played, 'game')}")
    say(f"seed: SHA-256 {meta.seed_sha256}")
    say(f"sandbox: {held.name}")


def _warn_of_limits(held: HeldIn, *, freeze: bool) -> None:
    """Name in one line the limits that this machine does not keep."""
    holds = (hold for hold in held.holds() if freeze or hold.limit != "freeze")
    lacking = [hold.limit for hold in holds if hold.lacking is not None]
    if lacking:
        warn(f"not held here: {', '.join(lacking)}; what holds instead, and why: arena doctor")


def _play(chosen: Tournament, store: RunStore, *, quiet: bool) -> bool:
    """Play to the end, or until the user stops it; tell which it was."""
    try:
        for bot, program, remedy in tournament.missing_programs(chosen, store):
            loses = "loses every game without it"
            warn(f"{bot} needs {program}, which is not there, and {loses}; {remedy}")
        bots = tournament.ready_bots(chosen, store, lambda bot: _tell_build(bot, quiet=quiet))
        _complain_of_builds(bots)
        make: type[Executor] = load_plugin(EXECUTORS, chosen.executor.kind)
        null = tournament.null_bot(chosen, store)
        executor = make(chosen.executor.options, (*bots, null))
        delay = tournament.measure_delay(chosen, store, executor, null)
        if delay is not None:
            _tell_delay(delay, chosen, quiet=quiet)
        with (
            closing(tournament.run(chosen, store, executor)) as steps,
            Watch("games", quiet=quiet) as watch,
        ):
            return _follow(steps, watch)
    except KeyboardInterrupt:
        return False


def _tell_delay(delay: Delay, chosen: Tournament, *, quiet: bool) -> None:
    """Tell what the machine itself charges bots for, and warn where that is too much."""
    at_a_time = f"{count(delay.jobs, 'match', 'matches')} at a time"
    if not quiet:
        say(f"clock: {clock_words(delay)}")
    limit = 1_000_000 * chosen.time.move
    if delay.p99 > limit * _SLOW_SHARE or delay.most > limit * _SLOWEST_SHARE:
        warn(
            f"this machine is too busy for {at_a_time}: up to {duration(delay.most)} of the "
            f"{duration(limit)} for a move may be its own delay; play fewer with --jobs"
        )
    elif chosen.executor.kind == "local" and delay.jobs > available_cores():
        warn(
            f"{at_a_time} on {count(available_cores(), 'core')}: bots wait for each other, on "
            "their own clocks; play fewer with --jobs"
        )


def _tell_build(bot: Bot, *, quiet: bool) -> None:
    if not quiet:
        say(f"building {bot.ref.bot}…")


def _complain_of_builds(bots: Iterable[Bot]) -> None:
    for bot in bots:
        if bot.unbuilt is not None:
            how, output = bot.unbuilt
            warn(f"{bot.ref.bot} cannot be built ({how}) and loses every game; its build said:")
            for line in output.splitlines():
                say(f"  {line}")


def _follow(steps: Iterable[Progress], watch: Watch) -> bool:
    """Show each step; tell whether the last one came."""
    withdrawn: tuple[str, ...] = ()
    for step in steps:
        for name in step.withdrawn[len(withdrawn) :]:
            watch.say(f"{name} is withdrawn for too many faults; its later matches do not count")
        withdrawn = step.withdrawn
        if step.replayed is not None:
            reason = step.replayed.strip().splitlines()[-1:] or ["no reason given"]
            watch.say(f"warning: a match is played again, which is no bot's fault: {reason[0]}")
        counts = step.counts
        games = counts.games - step.games_skipped
        played = min(games, counts.games_played + step.games_under_way)
        watch.show(played, games, step.games_a_second, step.seconds_left)
        if step.is_finished:
            return True
        if is_output_closed():
            return False
    return False


def _conclude(store: RunStore, planned: Plan, *, is_whole: bool, quiet: bool) -> None:
    """Print the table, finished or so far, and tell where the report is."""
    if not is_whole:
        counts = store.counts()
        games = counts.games or planned.games  # none are scheduled while bots are built
        played = f"{counts.games_played:,} of {count(games, 'game')}"
        say(f"stopped: {played} kept; run it again, without --fresh, to go on")
    table = tournament.standings(store)
    rounds = tournament.history(store)
    page = report.build(store, table, store.folder / "report", history=rounds)
    withdrawn = tournament.withdrawn(store)
    print_standings(table, withdrawn)
    sys.stdout.flush()
    warn_of_table(table, withdrawn)
    if quiet:
        return
    uncounted = tournament.count_uncounted(store)
    if uncounted:
        say(f"{count(uncounted, 'game')} played count for nobody: of bots withdrawn before")
    if store.seed is not None:
        say(f"seed: {store.seed}")
    say(f"report: {page}")
