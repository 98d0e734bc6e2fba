"""The table of a store, finished or not: the results that count, rated.

It knows who is withdrawn and what that means for the table; it never computes a rating.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from arena.errors import StoreError
from arena.formats.withdrawal import Withdrawals, counted
from arena.plugins import RATINGS, load_plugin
from arena.ratings.standing import Rating, Table
from arena.record import GameRecord, Result
from arena.store import Store


class Withdrawn(msgspec.Struct, frozen=True):
    """An entrant that made too many faults: the last match that counts, and whether it is rated.

    One with under half of its schedule played is not. Protocol: faults.
    """

    entrant: str
    last: int
    is_rated: bool


def withdrawn(store: Store) -> tuple[Withdrawn, ...]:
    """List who is withdrawn, by the order of the schedule."""
    limit = store.meta.faults.limit
    if all(faults < limit for faults in store.count_faults().values()):
        return ()  # the usual case, told without reading every result
    withdrawals = Withdrawals(limit)
    played: Counter[str] = Counter()
    last = 0
    for result in counted(store.results(), withdrawals):
        if result.match != last:
            last = result.match
            played.update({name for side in result.sides for name in side})
    return tuple(
        Withdrawn(entrant, match, 2 * played[entrant] >= store.count_planned_of(entrant))
        for entrant, match in withdrawals.last.items()
    )


def counted_results(store: Store) -> Iterator[Result]:
    """List the results that count: not those of withdrawn entrants' later matches."""
    return counted(store.results(), Withdrawals(store.meta.faults.limit))


def count_uncounted(store: Store) -> int:
    """Count the games that are stored and count for nobody: those of a bot withdrawn before."""
    if not withdrawn(store):
        return 0
    return store.counts().games_played - sum(1 for _ in counted_results(store))


def counted_games(store: Store) -> Iterator[GameRecord]:
    """List the records of the games that count, in schedule order.

    Whether others were played at all depends on which matches were faster: leave them out of what
    has to be the same for every run.
    """
    last = {one.entrant: one.last for one in withdrawn(store)}
    if not last:
        yield from store.games()
        return
    for match in store.planned():
        if all(last.get(entrant, match.match) >= match.match for entrant in match.entrants):
            yield from store.games(match.match)


def standings(store: Store) -> Table:
    """Rate the entrants by all that was played so far."""
    return _rating(store).table(_rated(store), counted_results(store))


def history(store: Store) -> Mapping[int, Table]:
    """Give the table after each round, by the round's number, on all results so far."""
    return _rating(store).history(_rated(store), counted_results(store))


def _rated(store: Store) -> list[str]:
    """Name the entrants that are rated."""
    left_out = {one.entrant for one in withdrawn(store) if not one.is_rated}
    return [ref.bot for ref in store.meta.entrants if ref.bot not in left_out]


def _rating(store: Store) -> Rating:
    """Make the rating that the stored config names."""
    options = store.setting("rating", dict[str, object])
    kind = load_plugin(RATINGS, str(options.pop("kind", None)))
    try:
        rating: Rating = kind(msgspec.convert(options, kind.options_type))
    except msgspec.ValidationError as error:
        raise StoreError(f"{store.folder}: the stored rating cannot be read: {error}") from error
    return rating
