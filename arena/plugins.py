"""Finds a game, sandbox, format, rating or executor by its name.

It knows the names on offer and where each one's code lies; it loads no code but what is asked
for, and never knows what a plug-in does.

A package adds its own through entry points of the groups below. The arena's own stand in `OWN` as
well as in its metadata, so that the package works where it is not installed, and no other package
can take their names.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any

from arena.errors import InputError, Problem, did_you_mean

GAMES = "arena.games"
SANDBOXES = "arena.sandboxes"
FORMATS = "arena.formats"
RATINGS = "arena.ratings"
EXECUTORS = "arena.executors"

OWN: Mapping[str, Mapping[str, str]] = {
    GAMES: {
        "two-player": "arena.games.two_player:TwoPlayer",
        "partnership": "arena.games.partnership:Partnership",
    },
    SANDBOXES: {
        "bubblewrap": "arena.sandbox.bubblewrap:BubblewrapSandbox",
        "docker": "arena.sandbox.docker:DockerSandbox",
        "none": "arena.sandbox.none:NoSandbox",
    },
    FORMATS: {
        "round_robin": "arena.formats.round_robin:RoundRobin",
        "table": "arena.formats.table:Table",
    },
    RATINGS: {"trueskill": "arena.ratings.trueskill:TrueSkillRating"},
    EXECUTORS: {
        "local": "arena.executors.local:LocalExecutor",
        "dask": "arena.executors.dask:DaskExecutor",
    },
}
"""By group, the plug-ins of the arena itself: the same as its entry points."""


@cache
def plugins(group: str) -> Mapping[str, EntryPoint]:
    """List what a group offers, by name in alphabetical order; nothing is loaded."""
    found = {entry.name: entry for entry in entry_points(group=group)}
    found |= {name: EntryPoint(name, value, group) for name, value in OWN.get(group, {}).items()}
    return MappingProxyType(dict(sorted(found.items())))


def load_plugin(group: str, name: str) -> Any:  # noqa: ANN401 - the asker knows its type
    """Load one plug-in, of whatever type its group has.

    Raises `InputError` for a name that is not on offer, and for code that cannot be loaded.
    """
    entry = plugins(group).get(name)
    if entry is None:
        remedy = did_you_mean(name, plugins(group))
        raise InputError([Problem(f"there is no {_word(group)} {name!r}", remedy=remedy)])
    return load_entry(entry)


def load_entry(entry: EntryPoint) -> Any:  # noqa: ANN401 - the asker knows its type
    """Load what an entry names. Raises `InputError` where its code cannot be loaded."""
    try:
        return entry.load()
    except (ImportError, AttributeError) as error:
        what = (
            f"the {_word(entry.group)} {entry.name!r} cannot be loaded from {entry.value}: {error}"
        )
        raise InputError([Problem(what, remedy="install what it needs")]) from error


def _word(group: str) -> str:
    """Say what a group's plug-ins are, one of them."""
    plural = group.removeprefix("arena.")
    return plural.removesuffix("es") if plural.endswith("xes") else plural.removesuffix("s")
