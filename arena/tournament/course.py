"""Where a run stands in its schedule: what is to be played next, and who is withdrawn by now.

It knows that an entrant is withdrawn by the order of the schedule alone, so that it makes no
difference which matches end first; it never plays one. Protocol: faults.
"""

from collections.abc import Container, Iterator, Sequence
from itertools import takewhile
from typing import overload

from arena.config import Tournament
from arena.formats.withdrawal import Withdrawals, counted
from arena.record import Result
from arena.store import PlannedMatch, RunStore, Store
from arena.tournament.planning import pair, to_matches


class Course:
    """Hands out the matches of a schedule that are not stored, each once, in order.

    The *settled* part is the longest beginning of the schedule in which every match is stored or
    does not count. Withdrawals follow it and nothing else: a match beyond it may turn out not to
    count. Nor does the format see results beyond it, so that what it pairs next does not depend on
    which matches were faster.
    """

    def __init__(self, tournament: Tournament, store: RunStore) -> None:
        """Stand at the beginning of the schedule, which is planned here if it is not yet."""
        self._tournament = tournament
        self._store = store
        self.settled = 0
        """The last match of the settled part."""
        self.withdrawals = self._begin()
        self.planned_to = store.last_planned()
        """The last match of the schedule, as far as it is known."""
        self._ahead = store.planned(after=self.settled)
        self._next_ahead: PlannedMatch | None = None
        self._upcoming = store.to_play(after=self.settled)
        self._handed_out = self.settled
        self._plan_more()

    def _begin(self) -> Withdrawals:
        """Settle what is stored from the beginning on at once, if nobody is withdrawn in it."""
        limit, first = self._tournament.faults.limit, self._store.first_to_play()
        faults = self._store.count_faults(before=first)
        if any(count >= limit for count in faults.values()):
            return Withdrawals(limit)
        self.settled = first - 1
        return Withdrawals(limit, faults)

    def next_match(self) -> PlannedMatch | None:
        """Give the next match to play; None while there is none, or when the run is over.

        A format may know more pairings once what was handed out is stored.
        """
        self._settle()
        while True:
            for match in self._upcoming:
                self._handed_out = match.match
                if self.withdrawals.counts(match.entrants):
                    return match
            if not self._plan_more():
                return None
            self._upcoming = self._store.to_play(after=self._handed_out)

    def to_skip(self, under_way: Container[int]) -> Iterator[PlannedMatch]:
        """List the matches that will not be played, as far as it is known by now."""
        for match in self._store.to_play():
            if match.match not in under_way and not self.withdrawals.counts(match.entrants):
                yield match

    def _settle(self) -> None:
        """Let the settled part grow over what was stored meanwhile."""
        while (match := self._peek()) is not None:
            if self.withdrawals.counts(match.entrants):
                if not self._store.is_played(match.match):
                    return
                self.withdrawals.follow(match.match, self._store.at_fault(match.match))
            self.settled = match.match
            self._next_ahead = None

    def _peek(self) -> PlannedMatch | None:
        """Look at the first match beyond the settled part."""
        if self._next_ahead is None:
            self._next_ahead = next(self._ahead, None)
        if self._next_ahead is None and self.settled < self.planned_to:
            self._ahead = self._store.planned(after=self.settled)
            self._next_ahead = next(self._ahead, None)
        return self._next_ahead

    def _plan_more(self) -> bool:
        """Ask the format for pairings that are not planned yet; tell whether there were any."""
        pairings = pair(self._tournament, SettledResults(self._store, self.settled))
        new = [pairing for pairing in pairings if pairing.match > self.planned_to]
        if not new:
            return False
        # A format may pair again on the same boards, as far as anyone can tell from outside.
        self._store.plan(to_matches(self._tournament, new), boards_return=True)
        self.planned_to = new[-1].match
        return True


class SettledResults(Sequence[Result]):
    """The results of a schedule's settled part that count, read from the store as they are wanted.

    A list of them would grow with the tournament.
    """

    def __init__(self, store: Store, settled: int) -> None:
        """Stand for the results up to match `settled`."""
        self._store = store
        self._settled = settled

    def __iter__(self) -> Iterator[Result]:
        """Read them in the order of the schedule."""
        results = counted(self._store.results(), Withdrawals(self._store.meta.faults.limit))
        return takewhile(lambda result: result.match <= self._settled, results)

    def __len__(self) -> int:
        """Count them."""
        return sum(1 for _ in self)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> list[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | list[Result]:
        """Give some of them, by their place."""
        return list(self)[index]
