"""A results folder: the one truth of a run, in one SQLite file, a match a transaction.

It knows how matches are kept and found again; it never knows how a game is played, who meets
whom, or what a rating is.

Theory of operation
-------------------
``results/NAME/arena.sqlite`` holds all there is: what the run is (`Meta`), its seed, the schedule,
and for each played match its game records, results, faults and logs. Everything else in the folder
can be made again from it.

*One writer.* A run holds `arena.lock` (`flock`, gone with the process however it ends) from
`RunStore.begin` or `RunStore.resume` to `close`; a second run is refused. Workers send their
records to the run's process, which alone writes.

*Many readers.* A `Store` opens the file read-only and sees it as it stood at its first read, so
that all pages made from one `Store` agree. Readers neither wait for the writer nor hold it up:
that is why the journal is a write-ahead log (WAL), which also costs one flush to disk a match
where a rollback journal costs three. Its price is two side files while the run lasts, and a folder
on a local disk; `RunStore.finish` folds them in, so that a finished run is one file to copy.

*What a kill leaves.* `synchronous = FULL`: when `write` returns, the match outlasts a power cut.
A kill at any instant, a full disk or a failing one ends a transaction as if it had never begun;
the next opening finds the matches before it whole.

*The schedule first.* Matches are planned before they are played, so that a resumed run, `verify`
and a reader that must withhold cards all know what is missing without asking the format.

*Narrow results.* Ratings read `results`, some 20 bytes a game, and never the records, which are
JSON deflated (about 4 kB a game).

*Secrets.* The file is its owner's alone (0600): it holds the seed and every deck. `Store.seed` is
None until the run is finished, and `Store.boards_to_play` names the boards of which no card may be
shown.

Invariants
----------
- A match is stored in full, each of its games once, or not at all; and never changed afterwards.
- A game's result, faults and digest are those of its record; `arena verify` holds that.
- Every stored game belongs to a planned match and was played by the entrants as they were entered.
- No order of arrival shows: every iterator goes by match, board and sitting.
- Nothing depends on the clock.
"""

from arena.store.files import set_aside
from arena.store.reading import Store
from arena.store.values import (
    Counts,
    GameKey,
    HostFailure,
    Meta,
    PlannedMatch,
    PlayedMatch,
    StoredFault,
    StoredGame,
    StoredLog,
)
from arena.store.writing import RunStore, holds_run

__all__ = [
    "Counts",
    "GameKey",
    "HostFailure",
    "Meta",
    "PlannedMatch",
    "PlayedMatch",
    "RunStore",
    "Store",
    "StoredFault",
    "StoredGame",
    "StoredLog",
    "holds_run",
    "set_aside",
]
