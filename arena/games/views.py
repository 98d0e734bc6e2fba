"""What a seat may know, as both games of Spades show it.

It knows the fields and what each means; how they come about is in `arena.games.spades`.
"""

from typing import TypeAlias

import msgspec

from arena.games.game import View


class TrickCard(msgspec.Struct, frozen=True):
    """A card of the trick on the table and the seat that played it."""

    seat: int
    card: str


class SpadesView(View, frozen=True, omit_defaults=True):
    """What a seat may know in either game. Protocol: from the referee.

    `hand` in deck order; `played` the finished tricks' cards as played, `leaders` who led each;
    `tricks`, `bids` and `double_nil` by seat, the last two null until asked; `scores` and `bags`
    by side; `leader` who led (or leads) the trick on the table, null before play.
    """

    hand: list[str]
    trick: list[TrickCard]
    leader: int | None
    played: list[str]
    leaders: list[int]
    tricks: list[int]
    spades_broken: bool
    bids: list[int | None]
    double_nil: list[bool | None]
    first: int
    scores: list[int]
    bags: list[int]


CommonFields: TypeAlias = tuple[
    list[str],
    list[TrickCard],
    int | None,
    list[str],
    list[int],
    list[int],
    bool,
    list[int | None],
    list[bool | None],
    int,
    list[int],
    list[int],
]
"""The fields of `SpadesView` in their order, for the games to begin their own views with.

A view is built for every decision, and from names it takes half as long again.
"""
