"""What is to be played: pairings made into matches, and matches into specs for the workers.

It knows how a tournament's settings shape a match; it never knows which matches are played.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import msgspec

from arena.config import Tournament
from arena.errors import StoreError
from arena.executors.local import LocalOptions
from arena.formats.format import Format, Pairing
from arena.match import game_type
from arena.plugins import FORMATS, load_plugin
from arena.record import MatchSpec, Result
from arena.store import PlannedMatch, Store

BYTES_A_GAME = 20_000
"""About what a game of one or two dozen hands takes on disk: its record, deflated, with the logs of
its bots, and as much again for its part of the report."""
_HANDS, _MOVES = 12, 60
"""About how many hands a game to 500 takes, and how many moves a hand."""
_SECONDS_A_MOVE, _SECONDS_A_SITTING = 1e-4, 0.2
"""About what pipes, sandbox and referee cost beside the bots' own time; see `bench.match`."""
_SAMPLE = 100
"""Games by which it is reckoned how long the others take."""


class Plan(msgspec.Struct, frozen=True):
    """How much will be played, as far as the format can say before the first result."""

    entrants: int
    matches: int
    games: int

    @property
    def bytes(self) -> int:
        """Estimate the size of the results on disk."""
        return self.games * BYTES_A_GAME


class Estimate(msgspec.Struct, frozen=True):
    """How long the games that are left take, with so many matches at a time, in seconds.

    `least` is with bots that answer at once, `most` with bots that use all the time that they have,
    None where a game may last for ever, and `likely` goes by games that were played, if any were.
    """

    games: int
    jobs: int
    least: float
    most: float | None
    likely: float | None = None


def plan(tournament: Tournament) -> Plan:
    """Count what will be played, making nothing. Raises `InputError` for too few entrants."""
    pairings = pair(tournament, ())
    games = len(pairings) * tournament.boards * tournament.sittings
    return Plan(len(tournament.bots), len(pairings), games)


def estimate(tournament: Tournament, planned: Plan, store: Store | None = None) -> Estimate:
    """Reckon how long it takes to play what is planned and not stored.

    What a cluster plays at a time is not known before it is asked: it counts as one.
    """
    options = tournament.executor.options
    jobs = options.count_jobs() if isinstance(options, LocalOptions) else 1
    played = store.counts().games_played if store is not None else 0
    games = max(0, planned.games - played)
    turns = games / max(1, min(jobs, planned.matches))
    start = _SECONDS_A_SITTING / tournament.boards
    likely = start + _seconds_a_game(store) if store is not None and played else None
    least, most = _bounds(tournament)
    return Estimate(
        games=games,
        jobs=jobs,
        least=turns * least,
        most=None if most is None else turns * most,
        likely=None if likely is None else turns * likely,
    )


def _bounds(tournament: Tournament) -> tuple[float, float | None]:
    """Give the seconds of a game whose bots answer at once, and of one whose bots take their time.

    A bot that was at fault is started again for the next game.
    """
    longest, clock = tournament.rules.get("max_hands"), tournament.time
    hands = min(_HANDS, longest) if isinstance(longest, int) else _HANDS
    least = hands * _MOVES * _SECONDS_A_MOVE + _SECONDS_A_SITTING / tournament.boards
    if not isinstance(longest, int):
        return least, None
    return least, clock.startup + longest * game_type(tournament.game).seats * clock.hand


def _seconds_a_game(store: Store) -> float:
    """Reckon the seconds of a game by the first that are stored."""
    games = list(islice(store.games(), _SAMPLE))
    hands = chain.from_iterable(game.hands for game in games)
    moves = list(chain.from_iterable(hand.moves for hand in hands))
    charged = sum(move.us or 0 for move in moves) / 1_000_000
    return (charged + len(moves) * _SECONDS_A_MOVE) / len(games)


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
