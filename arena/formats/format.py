"""What every format is to the rest of the arena: a source of pairings.

It knows entrants by name and results as they come in; it never knows a board, a bot or a store.
"""

from collections.abc import Sequence
from typing import ClassVar, Protocol

import msgspec

from arena.record import Result


class Pairing(msgspec.Struct, frozen=True):
    """One match to be played: `match` counts from 1 in the order of the schedule, `round` from 1.

    `entrants` are by side, as they sit in the first sitting.
    """

    match: int
    round: int
    entrants: tuple[str, ...]


class Format(Protocol):
    """A way to pair, built by ``TheFormat(options)`` with options of its `options_type`.

    The same entrants and results give the same pairings, in whatever order the results came: what
    was issued once stays, so that a run that is resumed goes on where it stopped.
    """

    options_type: ClassVar[type[msgspec.Struct]]

    def pairings(self, entrants: Sequence[str], results: Sequence[Result]) -> Sequence[Pairing]:
        """List all pairings that can be known now, those issued before included.

        Raises `InputError` for entrants that cannot be paired, with keys of a tournament's file.
        """
        ...
