"""Whole tournaments at one and two matches at a time: what a second core brings, what a run costs.

Bots that answer at once make it hardest: the arena's own work weighs most beside theirs. Each run
is that of `arena run`: schedule, worker processes, store and progress, which goes nowhere.

One match at a time keeps more than one core at work, as bots start together, and the referee and a
bot each wake the other while they still run. At most each of two cores is as fast as one core
alone, which is timed, too.
"""

import io
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stderr
from pathlib import Path
from statistics import median
from typing import NamedTuple

from msgspec.structs import replace

from arena.cli.progress import Watch
from arena.config import Tournament
from arena.executors.executor import Finished, Outcome
from arena.executors.local import LocalExecutor, LocalOptions
from arena.tournament import open_run, ready_bots, run
from bench.stores import write_cup
from bench.timing import verdict

BOTS, BOARDS, HANDS = 4, 10, 12
"""Matches as of a real tournament: ten boards from both sides, and about the hands of a game to
500. Of shorter ones more is the start of bots, which uses both cores already."""
ROUNDS = 3
SPEEDUP = 1.8
"""Wall time with one match at a time on that with two, at least, where there are two cores."""
OVERHEAD = 0.03
"""Of a run's wall time on each core, what its own process works: at most."""


class Cost(NamedTuple):
    """What a run took: seconds of the clock, and of the run's own process at work."""

    wall: float
    own: float
    matches: float
    """Seconds of all matches, added up."""


class Timed(LocalExecutor):
    """A local executor that adds up the seconds of its matches."""

    seconds = 0.0

    def next_outcome(self) -> Outcome:
        outcome = super().next_outcome()
        if isinstance(outcome, Finished):
            self.seconds += outcome.seconds
        return outcome


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process on one core, and with it all that it starts meanwhile."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def play(tournament: Tournament, jobs: int, out: Path) -> Cost:
    """Play the tournament in a new folder."""
    tournament = replace(tournament, out=out)
    with closing(open_run(tournament)) as store:
        executor = Timed(LocalOptions(jobs=jobs), ready_bots(tournament, store))
        began, worked = time.perf_counter(), time.process_time()
        with (
            redirect_stderr(io.StringIO()),
            Watch("games") as watch,
            closing(run(tournament, store, executor)) as steps,
        ):
            for step in steps:
                watch.show(step.counts.games_played, step.counts.games)
        own = time.process_time() - worked
        return Cost(time.perf_counter() - began, own, executor.seconds)


def play_in_turn(tournament: Tournament, home: Path) -> tuple[Cost, Cost, Cost]:
    """Play with one match at a time, with two, and with one on one core."""
    one, two = (play(tournament, jobs, home / f"{jobs}") for jobs in (1, 2))
    with on_one_core():
        return one, two, play(tournament, 1, home / "core")


def main() -> None:
    """Print the figures, with the load that was there before."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        tournament = write_cup(home, BOTS, BOARDS)
        rules = {**tournament.rules, "max_hands": HANDS}
        tournament = replace(tournament, rules=rules, sandbox="bubblewrap")
        turns = [play_in_turn(tournament, home / f"{turn}") for turn in range(ROUNDS)]
    speedup = median(one.wall / two.wall for one, two, _ in turns)
    ceiling = median(2 * one.wall / alone.wall for one, _, alone in turns)
    second = median(alone.wall / two.wall for _, two, alone in turns)
    overhead = median(two.own / (2 * two.wall) for _, two, _ in turns)
    waiting = median(1 - one.matches / one.wall for one, _, _ in turns)
    print(
        f"scaling: 2 matches at a time are {speedup:.2f} times as fast as 1 "
        f"(target: at least {SPEEDUP:g}, {verdict(speedup >= SPEEDUP)}); load before: {load:.1f}"
    )
    print(
        f"scaling: at most {ceiling:.2f} times can be had, with both cores as fast as one alone; "
        f"two cores with 2 matches are {second:.2f} times as fast as one core with 1"
    )
    print(
        f"scaling: schedule, store and progress are {overhead:.1%} of two cores' time "
        f"(target: at most {OVERHEAD:.0%}, {verdict(overhead <= OVERHEAD)}); with 1 match at a "
        f"time nobody plays for {waiting:.1%} of a run, its start included"
    )
