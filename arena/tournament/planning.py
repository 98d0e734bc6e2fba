"""What is to be played: pairings made into matches, and matches into specs for the workers.

It knows how a tournament's settings shape a match; it never knows which matches are played.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from arena.config import Tournament
from arena.errors import StoreError
from arena.formats.format import Format, Pairing
from arena.match import game_type
from arena.plugins import FORMATS, load_plugin
from arena.record import MatchSpec, Result
from arena.store import PlannedMatch, Store

BYTES_A_GAME = 5_000
"""About what a game takes on disk: its record, deflated, and its row among the results."""


class Plan(msgspec.Struct, frozen=True):
    """How much will be played, as far as the format can say before the first result."""

    entrants: int
    matches: int
    games: int

    @property
    def bytes(self) -> int:
        """Estimate the size of the results on disk."""
        return self.games * BYTES_A_GAME


def plan(tournament: Tournament) -> Plan:
    """Count what will be played, making nothing. Raises `InputError` for too few entrants."""
    pairings = pair(tournament, ())
    games = len(pairings) * tournament.boards * tournament.sittings
    return Plan(len(tournament.bots), len(pairings), games)


def pair(tournament: Tournament, results: Sequence[Result]) -> Sequence[Pairing]:
    """Ask the format for all pairings that can be known by these results."""
    choice = tournament.format
    opened: Format = load_plugin(FORMATS, choice.kind)(choice.options)
    return opened.pairings(names_of(tournament), results)


def names_of(tournament: Tournament) -> tuple[str, ...]:
    """Name the entrants in the order of entry."""
    return tuple(bot.ref.bot for bot in tournament.bots)


class Shape(msgspec.Struct, frozen=True):
    """What turns pairings into matches: the keys of a config that are the same for all of them."""

    game: str
    boards: int
    duplicate: bool

    def matches(self, pairings: Iterable[Pairing]) -> Iterator[PlannedMatch]:
        """Make matches of pairings: all of them on the same boards.

        The entrants of a pairing take the seats in turn, so that two of them are partners with
        themselves where there are four seats.
        """
        seats = game_type(self.game).seats
        boards = tuple(range(1, self.boards + 1))
        for pairing in pairings:
            entrants = pairing.entrants
            seated = tuple(entrants[seat % len(entrants)] for seat in range(seats))
            sittings = 2 if self.duplicate else 1
            yield PlannedMatch(pairing.match, pairing.round, seated, boards, sittings)


def to_matches(tournament: Tournament, pairings: Iterable[Pairing]) -> Iterator[PlannedMatch]:
    """Make matches of a tournament's pairings."""
    shape = Shape(tournament.game, tournament.boards, tournament.duplicate)
    return shape.matches(pairings)


def plan_again(store: Store, results: Sequence[Result]) -> Iterator[PlannedMatch]:
    """Make the schedule that the stored config and these results ask for, whatever is planned.

    Raises `StoreError` where the config is not one that this arena wrote.
    """
    try:
        shape = msgspec.convert(store.meta.config, Shape)
        settings = msgspec.convert(store.meta.config.get("format"), dict[str, object])
        kind = load_plugin(FORMATS, str(settings.pop("kind", None)))
        opened: Format = kind(msgspec.convert(settings, kind.options_type))
    except msgspec.ValidationError as error:
        raise StoreError(f"{store.folder}: the stored config cannot be read: {error}") from error
    names = [ref.bot for ref in store.meta.entrants]
    return shape.matches(opened.pairings(names, results))


def to_spec(tournament: Tournament, planned: PlannedMatch, seed: str, sandbox: str) -> MatchSpec:
    """Write down all that a worker needs to play a match."""
    refs = {bot.ref.bot: bot.ref for bot in tournament.bots}
    return MatchSpec(
        match=planned.match,
        round=planned.round,
        game=tournament.game,
        rules=tournament.rules,
        seed=seed,
        boards=planned.boards,
        sittings=planned.sittings,
        seats=tuple(refs[name] for name in planned.seats),
        time=tournament.time,
        faults=tournament.faults,
        sandbox=sandbox,
        limits=tournament.limits,
        given=tuple(given for given in tournament.given if given.board in planned.boards),
    )
