"""A store of a million games: how soon it opens, resumes and rates, and what memory a run takes.

Its games are copies (`bench.stores`) of one hand each, about 1 kB on disk; a whole game takes four
times as much, of which neither opening nor resuming nor rating reads anything.
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from arena.config import Overrides, Tournament, load
from arena.store import Store
from arena.tournament import open_run, standings
from arena.tournament.course import Course
from bench.stores import fill, write_cup
from bench.timing import verdict

BOTS, BOARDS = 64, 250
"""2,016 pairings of 500 games each: 1,008,000 games."""
LEFT = 8
"""Matches that are not played, for a resumed run to find."""
PLAYED = BOTS * (BOTS - 1) // 2 - LEFT
EARLY = 10
"""The memory of a run is compared with what it was at one in so many games."""
SECONDS = {"opens": 0.5, "finds what is missing": 5.0, "rates": 10.0}
"""At most."""
GROWTH = 8 << 20
"""Bytes that a run's process may grow by between its first tenth and its end."""


def resident() -> int:
    """Give the bytes of memory that this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def build(tournament: Tournament) -> tuple[int, int]:
    """Fill the store; give the memory of the run early and at its end."""
    early = 0
    for number, _ in enumerate(fill(tournament, PLAYED)):
        if number == PLAYED // EARLY:
            early = resident()
    return early, resident()


def opens(folder: Path) -> None:
    with Store(folder) as store:
        store.counts()


def finds(file: Path, out: Path) -> None:
    """Do what `arena run` does before it goes on."""
    tournament = load(file, Overrides(out=out))
    with open_run(tournament) as store:
        found = Course(tournament, store).next_match()
    if found is None or found.match != PLAYED + 1:
        raise AssertionError("the first match that is missing was not found")


def rates(folder: Path) -> None:
    with Store(folder) as store:
        standings(store)


def tell(what: str, work: Callable[[], None]) -> None:
    """Time some work once, as the person who waits for it has it."""
    began = time.perf_counter()
    work()
    seconds, target = time.perf_counter() - began, SECONDS[what]
    print(
        f"store, {what}: {seconds:.2f} s (target: at most {target:g} s, "
        f"{verdict(seconds <= target)})"
    )


def main() -> None:
    """Print seconds and bytes, each with its target."""
    with tempfile.TemporaryDirectory() as place:
        tournament = write_cup(Path(place), BOTS, BOARDS)
        began = time.perf_counter()
        early, late = build(tournament)
        seconds = time.perf_counter() - began
        with Store(tournament.out) as store:
            games = store.counts().games_played
        size = sum(file.stat().st_size for file in tournament.out.glob("arena.sqlite*"))
        print(f"store: {games:,} games of {BOTS} bots, {size / 1e9:.2f} GB, in {seconds:.0f} s")
        tell("opens", lambda: opens(tournament.out))
        tell("finds what is missing", lambda: finds(tournament.file, tournament.out))
        tell("rates", lambda: rates(tournament.out))
    grown = late - early
    print(
        f"store, memory of the run: {early / 2**20:.1f} MiB at a tenth, {late / 2**20:.1f} MiB at "
        f"the end: {grown / 2**20:+.1f} MiB (target: at most {GROWTH / 2**20:g} MiB more, "
        f"{verdict(grown <= GROWTH)})"
    )
