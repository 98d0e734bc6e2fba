"""A tournament under SIGKILL; `ARENA_KILLS` says how often, five times where it says nothing."""

import os
from pathlib import Path

from tests.kills import kill_often

TIMES = int(os.environ.get("ARENA_KILLS", "5"))


def test_a_tournament_that_is_killed_at_any_instant_loses_doubles_and_changes_nothing(
    tmp_path: Path,
) -> None:
    toll = kill_often(tmp_path, TIMES, bots=4, boards=1)
    assert toll.kills.total() == TIMES
    assert toll.is_clean, str(toll)
