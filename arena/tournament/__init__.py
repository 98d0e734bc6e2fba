"""A tournament from plan to table: begun, played, resumed, checked, as a stream of progress values.

It knows which matches are wanted, which are stored and which count; it never knows how a match is
played, how a rating is computed, or what a person sees of it.

A run is resumed by running it again: whatever the schedule names and the store lacks is played,
with the same seed, so that an interrupted run ends with the records of an unbroken one.
"""

from arena.tournament.counting import (
    Withdrawn,
    count_uncounted,
    counted_games,
    counted_results,
    history,
    standings,
    withdrawn,
)
from arena.tournament.opening import missing_programs, open_run, ready_bots, refuse_changes
from arena.tournament.planning import Estimate, Plan, estimate, plan
from arena.tournament.probing import measure_delay, null_bot
from arena.tournament.retelling import told_to
from arena.tournament.running import HostFailed, Progress, run
from arena.tournament.verifying import Checked, verify

__all__ = [
    "Checked",
    "Estimate",
    "HostFailed",
    "Plan",
    "Progress",
    "Withdrawn",
    "count_uncounted",
    "counted_games",
    "counted_results",
    "estimate",
    "history",
    "measure_delay",
    "missing_programs",
    "null_bot",
    "open_run",
    "plan",
    "ready_bots",
    "refuse_changes",
    "run",
    "standings",
    "told_to",
    "verify",
    "withdrawn",
]
