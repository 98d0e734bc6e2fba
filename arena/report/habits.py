"""How a bot bids and how long it thinks, as counts that add up over games.

It knows records and what may be counted in them; it never knows how a page shows it. A bid that
the referee made in a bot's place is not the bot's.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from arena.games.game import Decision
from arena.games.scoring import SpadesRules, score_side
from arena.record import GameRecord, HandRecord

DECADE = 40
"""Steps of the scale of times in each power of ten: a step is 6 % wide."""
COUNT_AT = 100_000
"""Times that are gathered before they are counted: one pass over many is the fastest."""


def until(step: int) -> float:
    """Give the end of a step of the scale of times, in microseconds."""
    return float(10 ** ((step + 1) / DECADE))


class Times(msgspec.Struct, array_like=True):
    """Reply times in microseconds: how many, their sum, the longest, and counts by step."""

    replies: int = 0
    total: int = 0
    longest: int = 0
    steps: dict[int, int] = {}

    @classmethod
    def of(cls, times: Sequence[int]) -> "Times":
        """Count replies."""
        if not times:
            return cls()
        steps = np.log10(np.maximum(times, 1)) * DECADE
        counts = enumerate(np.bincount(steps.astype(np.int64)).tolist())
        return cls(len(times), sum(times), max(times), {step: n for step, n in counts if n})

    def add(self, other: "Times") -> None:
        """Count others in."""
        self.replies += other.replies
        self.total += other.total
        self.longest = max(self.longest, other.longest)
        _add(self.steps, other.steps)

    @property
    def mean(self) -> float | None:
        """Give the mean in microseconds; None without a reply."""
        return self.total / self.replies if self.replies else None

    def within(self, share: float) -> float | None:
        """Give the time in which this share of the replies came, to the end of its step."""
        left = share * self.replies
        for step, count in sorted(self.steps.items()):
            left -= count
            if left <= 0:
                return min(float(self.longest), until(step))
        return None


class Habits(msgspec.Struct, array_like=True):
    """What one bot bid in finished hands, and what came of it.

    `bids` counts, by bid and tricks won, the bids that are no nil: ``14 * bid + tricks``.
    `contracts` and `bags` are of its sides, which played `sides` hands.
    """

    sides: int = 0
    bids: dict[int, int] = {}
    nils: int = 0
    nils_made: int = 0
    doubles: int = 0
    doubles_made: int = 0
    contracts: int = 0
    contracts_made: int = 0
    bags: int = 0

    def add(self, other: "Habits") -> None:
        """Count others in."""
        self.sides += other.sides
        _add(self.bids, other.bids)
        self.nils += other.nils
        self.nils_made += other.nils_made
        self.doubles += other.doubles
        self.doubles_made += other.doubles_made
        self.contracts += other.contracts
        self.contracts_made += other.contracts_made
        self.bags += other.bags

    @property
    def mean_bid(self) -> float | None:
        """Give the mean of the bids that are no nil; None without one."""
        amount = sum(self.bids.values())
        total = sum(pair // 14 * count for pair, count in self.bids.items())
        return total / amount if amount else None

    def count_hand(self, hand: "FinishedHand", seats: Iterable[int], rules: SpadesRules) -> None:
        """Count a finished hand in, for the bot at these seats; `rules` without a bag limit."""
        for side in {seat % 2 for seat in seats}:
            bids, doubles = hand.bids[side::2], hand.doubles[side::2]
            self._count_side(bids, doubles, hand.tricks[side::2], rules)
        for seat in seats:
            if hand.is_own[seat]:
                self._count_seat(hand.bids[seat], hand.doubles[seat], hand.tricks[seat])

    def _count_side(
        self, bids: list[int], doubles: list[bool], won: tuple[int, ...], rules: SpadesRules
    ) -> None:
        self.sides += 1
        score = score_side(rules, bids, doubles, won, 0)
        self.bags += score.bags
        if any(bids):
            nils = zip(bids, won, strict=True)
            helping = sum(w for bid, w in nils if bid or rules.failed_nil == "help")
            self.contracts += 1
            self.contracts_made += helping >= sum(bids)

    def _count_seat(self, bid: int, is_double: bool, won: int) -> None:
        if bid:
            self.bids[14 * bid + won] = self.bids.get(14 * bid + won, 0) + 1
        elif is_double:
            self.doubles += 1
            self.doubles_made += won == 0
        else:
            self.nils += 1
            self.nils_made += won == 0


def _add(counts: dict[int, int], more: Mapping[int, int]) -> None:
    for key, count in more.items():
        counts[key] = counts.get(key, 0) + count


class FinishedHand(NamedTuple):
    """A finished hand's bids and tricks by seat; `is_own` where the bot itself bid."""

    bids: list[int]
    doubles: list[bool]
    is_own: list[bool]
    tricks: tuple[int, ...]


def finished(hand: HandRecord) -> FinishedHand | None:
    """Read the bids of a hand; None where it was cut short."""
    if hand.tricks is None:
        return None
    seats = len(hand.tricks)
    bids, doubles, is_own = [0] * seats, [False] * seats, [True] * seats
    for move in hand.moves:
        if move.decision is Decision.DRAFT:
            continue
        if move.decision is Decision.BID:
            bids[move.seat] = move.move if isinstance(move.move, int) else 0
            is_own[move.seat] = not move.substituted
        elif move.decision is Decision.BLIND_NIL:
            doubles[move.seat] = move.move is True
        elif move.decision is Decision.PLAY:
            break
    return FinishedHand(bids, doubles, is_own, hand.tricks)


def seats_of(record: GameRecord) -> dict[str, list[int]]:
    """Give the seats of each bot."""
    found: dict[str, list[int]] = {}
    for seat, ref in enumerate(record.seats):
        found.setdefault(ref.bot, []).append(seat)
    return found


class Stopwatch:
    """Gathers the reply times of bots, game by game; what it gathered is counted now and then."""

    def __init__(self) -> None:
        """Begin without a time."""
        self._taken: dict[str, list[int]] = {}
        self._times: dict[str, Times] = {}

    def gather(self, game: GameRecord) -> None:
        """Take a game's times."""
        by_seat = [self._taken.setdefault(ref.bot, []) for ref in game.seats]
        for hand in game.hands:
            for move in hand.moves:
                if move.us is not None:
                    by_seat[move.seat].append(move.us)
        if max(map(len, by_seat)) > COUNT_AT:
            self.count()

    def count(self) -> dict[str, Times]:
        """Give the times of each bot so far."""
        for bot, taken in self._taken.items():
            self._times.setdefault(bot, Times()).add(Times.of(taken))
            taken.clear()
        return self._times


def habits_of(
    record: GameRecord, hands: Iterable[FinishedHand], rules: SpadesRules
) -> dict[str, Habits]:
    """Count what each bot bid in the finished hands of a game."""
    plain = msgspec.structs.replace(rules, bag_limit=0)
    found: dict[str, Habits] = {ref.bot: Habits() for ref in record.seats}
    seats = seats_of(record)
    for hand in hands:
        for bot, habits in found.items():
            habits.count_hand(hand, seats[bot], plain)
    return found
