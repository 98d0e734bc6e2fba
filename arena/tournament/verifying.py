"""Checking a store: every record refereed again, every column compared, nothing missing.

It knows what must agree with what; it never repairs anything. Decks are compared with the seed
once that is published.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from arena.cards import NAMES
from arena.deals import Board
from arena.errors import StoreError
from arena.games.game import Game
from arena.match import lay_out, start_again
from arena.record import FORMAT, GameRecord, digest_game, to_result
from arena.referee import verify_game
from arena.store import GameKey, PlannedMatch, Store, StoredFault
from arena.tournament.counting import withdrawn
from arena.tournament.course import SettledResults
from arena.tournament.opening import digest_seed
from arena.tournament.planning import plan_again


class Checked(msgspec.Struct, frozen=True):
    """How far a check is, and what is wrong with what was just looked at, each with its place."""

    games: int
    of: int
    problems: tuple[str, ...] = ()


def verify(store: Store) -> Iterator[Checked]:
    """Check a results folder: a value for each game, and one for every match and the whole.

    What is found wrong is told and never raised. A run that is not finished may lack matches.
    """
    done = Checked(0, 0)
    try:
        for done in _Checking(store).check():
            yield done
    except StoreError as error:
        yield Checked(done.games, done.of, (str(error),))


class _Checking:
    """One pass over a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games = 0
        self._of = store.counts().games_played
        self._seed = store.seed
        self._given = {given.board: given for given in store.given()}
        self._last = {one.entrant: one.last for one in withdrawn(store)}

    def check(self) -> Iterator[Checked]:
        """Check the file, the seed and the schedule, then match by match."""
        store = self._store
        yield self._checked([f"{store.folder}: {line}" for line in store.damage()])
        yield self._checked(self._about_the_seed())
        yield self._checked(self._about_the_schedule())
        for match in store.planned():
            if store.is_played(match.match):
                yield from self._check_match(match)
            elif store.is_finished and self._counts(match):
                yield self._checked([f"match {match.match} ({_names(match)}) is missing"])
        if self._games != self._of:
            stray = f"{self._of} games are counted as played, and {self._games} are stored"
            yield self._checked([stray])
        strays = store.count_stored_games() - self._games
        if strays:
            yield self._checked([f"{strays} games are of no match that was played"])

    def _checked(self, problems: Iterable[str]) -> Checked:
        """Tell how far it is, and what was found."""
        return Checked(self._games, self._of, tuple(problems))

    def _about_the_seed(self) -> Iterator[str]:
        if self._seed is not None and digest_seed(self._seed) != self._store.meta.seed_sha256:
            yield "the seed is not the one whose SHA-256 was told before the first match"

    def _about_the_schedule(self) -> Iterator[str]:
        """Make the schedule again and compare; the end of it may be unknown while a run lasts."""
        store, last = self._store, self._store.last_planned()
        again = plan_again(store, SettledResults(store, last))
        wanted = {match.match: match for match in again}
        planned = dict.fromkeys((ref.bot for ref in store.meta.entrants), 0)
        for match in store.planned():
            planned.update({name: planned.get(name, 0) + 1 for name in match.entrants})
            if wanted.pop(match.match, None) != match:
                yield f"match {match.match} ({_names(match)}) is not what the format has there"
        for match in wanted.values():
            if store.is_finished or match.match < last:
                yield f"match {match.match} ({_names(match)}) is missing from the schedule"
        for name, matches in planned.items():
            if store.count_planned_of(name) != matches:
                yield f"{name}: its list of matches is not the schedule's"

    def _counts(self, match: PlannedMatch) -> bool:
        """Tell whether a match counts: nobody in it was withdrawn before."""
        return all(self._last.get(name, match.match) >= match.match for name in match.entrants)

    def _check_match(self, match: PlannedMatch) -> Iterator[Checked]:
        """Check each game of a match, then the columns that were derived from them."""
        store, problems = self._store, []
        keys, wanted = list(store.keys(match.match)), list(match.keys())
        problems += [f"{key}: is missing" for key in wanted if key not in keys]
        problems += [f"{key}: was never planned" for key in keys if key not in wanted]
        records: list[GameRecord] = []
        for key in keys:
            self._games += 1
            try:
                stored = store.stored_game(key)
            except StoreError as error:
                yield self._checked([str(error)])
                continue
            records.append(stored.game)
            found = self._check_game(stored.game, key, match)
            if digest_game(stored.game) != stored.digest:
                found.append("is not the record whose digest was stored")
            yield self._checked([f"{key}: {problem}" for problem in found])
        if len(records) == len(keys):
            problems += self._check_columns(match, records)
        yield self._checked(problems)

    def _check_columns(self, match: PlannedMatch, records: list[GameRecord]) -> Iterator[str]:
        """Compare results and faults, as the tables read them, with the records."""
        wanted = [to_result(record, match.round) for record in records]
        for result, column in zip(wanted, self._store.results(match=match.match), strict=False):
            if result != column:
                key = GameKey(result.match, result.board, result.sitting)
                yield f"{key}: the result that is rated is not the record's"
        if len(list(self._store.results(match=match.match))) != len(wanted):
            yield f"match {match.match}: has not one result for each game"
        faults = [
            StoredFault(
                record.match,
                match.round,
                record.board,
                record.sitting,
                record.seats[fault.seat].bot,
                fault,
            )
            for record in records
            for fault in record.faults
        ]
        if faults != list(self._store.faults(match=match.match)):
            yield f"match {match.match}: the faults that are listed are not the records'"

    def _check_game(self, record: GameRecord, key: GameKey, match: PlannedMatch) -> list[str]:
        """Check one record against the run it belongs to, then against the rules."""
        found = list(self._misplaced(record, key, match))
        if found:
            return found  # whoever plays another game has other faults, too
        board = self._board(record)
        if board is not None:
            found += _other_decks(record, board)
        dealt = board if not found else None
        return found + verify_game(record, _starter(record, dealt))

    def _misplaced(self, record: GameRecord, key: GameKey, match: PlannedMatch) -> Iterator[str]:
        """Say where a record contradicts the run."""
        meta = self._store.meta
        refs = {ref.bot: ref for ref in meta.entrants}
        if (record.match, record.board, record.sitting) != key:
            there = GameKey(record.match, record.board, record.sitting)
            yield f"holds the record of another game ({there})"
        if record.format != FORMAT:
            yield f"has a record of format {record.format}"
        if record.game != meta.game or record.rules != meta.config.get("rules"):
            yield "was played by other rules than the run's"
        if tuple(refs.get(name) for name in match.seated(key.sitting)) != record.seats:
            yield "was played by others than planned"

    def _board(self, record: GameRecord) -> Board | None:
        """Lay out the board as the seed has it; None while the seed is secret. Rules: D1a."""
        if self._seed is None:
            return None
        return lay_out(self._seed, record.board, self._given.get(record.board))


def _names(match: PlannedMatch) -> str:
    return " - ".join(match.entrants)


def _other_decks(record: GameRecord, board: Board) -> Iterator[str]:
    """Name the hands whose deck is not the seed's. Rules: D1, D3."""
    for hand in record.hands:
        if hand.deck != tuple(NAMES[card] for card in board.deck(hand.number)):
            yield f"hand {hand.number}: the deck is not the seed's"


def _starter(record: GameRecord, dealt: Board | None) -> Callable[[Board], Game]:
    """Start the record's game on the seed's board, or on the record's own decks."""
    return lambda board: start_again(record, dealt or board)
