"""One table: a single match, with every seat named.

It knows who is to sit where; it never looks at who won. A person's game against bots is one.
"""

from collections.abc import Sequence
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from arena.errors import InputError, Problem, did_you_mean
from arena.formats.format import Pairing
from arena.record import Result


class TableOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The bots by seat, by name; None: the entrants in their order."""

    seats: Annotated[tuple[str, ...], Meta(min_length=2, max_length=4)] | None = None


class Table:
    """A single match; where there are more seats than names, they are taken in turn."""

    options_type: ClassVar[type[msgspec.Struct]] = TableOptions

    def __init__(self, options: TableOptions) -> None:
        """Take the options."""
        self._seats = options.seats

    def pairings(self, entrants: Sequence[str], results: Sequence[Result] = ()) -> list[Pairing]:
        """Give the match, whatever the results. Raises `InputError` for a name that none has."""
        problems = [
            Problem(
                f"there is no bot {name!r}", key="format.seats", remedy=did_you_mean(name, entrants)
            )
            for name in self._seats or ()
            if name not in entrants
        ]
        seated = self._seats or tuple(entrants)
        if not 2 <= len(seated) <= 4:
            what = f"a table of {len(seated)}"
            problems.append(Problem(what, key="format.seats", remedy="name two to four"))
        if problems:
            raise InputError(problems)
        return [Pairing(1, 1, seated)]
