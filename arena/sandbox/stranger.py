"""A user id of its own for each bot, where root runs the arena.

It knows user ids, what they are mapped to and what another user may read; it never knows how a
program comes to run under one.

Root's own processes are counted against no limit, and whatever ran as root would own root's
files. So a bot gets an id that nobody else has: limits that the kernel counts by user are then
its own as well.
"""

import os
import stat
from functools import cache
from itertools import count
from pathlib import Path

INSIDE = 1000
"""The id that a bot sees itself under."""

_BASE = 1_000_000_000
_SLOTS = 64
"""Ids that one process of the arena takes in turns: more than it has bots at a time."""
_SHARED = 65_534
"""The id of nobody, where so few ids are mapped that each bot cannot have its own."""

_turns = count()


def may_give_ids() -> bool:
    """Tell whether this process is root over the usual range of ids."""
    return os.geteuid() == 0 and _mapped() > _SHARED


@cache
def _mapped() -> int:
    """Count the ids from 0 up that exist in this process's user namespace."""
    first = Path("/proc/self/uid_map").read_text().split()
    return int(first[2]) if first[:1] == ["0"] else 0


def next_id() -> int:
    """Give a user id that no other bot has now: by this process's own id, then in turns."""
    found = _BASE + os.getpid() % 2**22 * _SLOTS + next(_turns) % _SLOTS
    return found if found < _mapped() else _SHARED


def id_map(user: int) -> str:
    """Map a bot's id to `INSIDE` in its namespace, and all others below it to themselves.

    Whatever sets the namespace up can then reach what belongs to others, as root could, before it
    gives that power up; the bot itself is its own id alone. Source: user_namespaces(7).
    """
    above = INSIDE + 1
    rows = ((0, 0, INSIDE), (INSIDE, user, 1), (above, above, user - above), (user, INSIDE, 1))
    return "".join(f"{inside} {outside} {ids}\n" for inside, outside, ids in rows)


def can_be_reached(path: Path) -> bool:
    """Tell whether any user may get to a program by its path and run it."""
    return all(place.stat().st_mode & stat.S_IXOTH for place in (path, *path.parents))
