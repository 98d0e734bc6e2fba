"""Measuring, before the first match, how much of the bots' clocks is the machine's own.

It knows when that is worth its time; it never knows what a person is told of it.
"""

from arena.bots import Bot
from arena.config import Tournament
from arena.executors import probe
from arena.executors.executor import Executor
from arena.formats.format import Pairing
from arena.record import Delay
from arena.sandbox import open_sandbox
from arena.store import RunStore
from arena.tournament.planning import names_of, plan, to_matches, to_spec

FEWEST_GAMES = 50
"""Games that have to be left for it to be worth it."""


def null_bot(tournament: Tournament, store: RunStore) -> Bot:
    """Make the bot to measure with; the executor has to know it beside the entrants."""
    return probe.null_bot(store.folder / "bots" / "null", tournament.game)


def measure_delay(
    tournament: Tournament, store: RunStore, executor: Executor, bot: Bot
) -> Delay | None:
    """Measure what a bot that answers at once is charged, and keep it.

    None where hardly anything is left to play, or nothing could be measured. The executor is
    closed where this is interrupted.
    """
    if plan(tournament).games - store.counts().games_played < FEWEST_GAMES:
        return None
    pairing = Pairing(0, 0, names_of(tournament)[:2])
    (planned,) = to_matches(tournament, [pairing])
    sandbox = open_sandbox(tournament.sandbox, tournament.limits).name
    try:
        delay = probe.measure(executor, to_spec(tournament, planned, "probe", sandbox), bot)
    except BaseException:
        executor.close()
        raise
    if delay is not None:
        store.note_delay(delay)
    return delay
