"""Match-ups as contrasts: what each measures of the entrants' strengths.

It knows which entrants a match-up sets against which, and with what weight; it never knows how
the games between them went.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.ratings.ledger import Floats, Ints, Matchup, sum_by


@dataclass(frozen=True, slots=True)
class Contrasts:
    """A row a match-up: the strengths `index` times `weight` sum to first side less second.

    `players` are the seats that play. A partner of her own fills both seats of her side, so where
    the other side has two entrants she weighs twice; a single against a single weighs once.
    """

    entrants: int
    index: Ints
    weight: Floats
    players: Ints

    def __len__(self) -> int:
        """Count the match-ups."""
        return len(self.players)

    def measure(self, strengths: Floats) -> Floats:
        """Give each match-up's difference of strengths."""
        total: Floats = (self.weight * strengths[self.index]).sum(axis=1)
        return total

    def spread(self, covariance: Floats) -> Floats:
        """Give the variance of each match-up's difference."""
        blocks = covariance[self.index[:, :, None], self.index[:, None, :]]
        spread: Floats = np.einsum("kp,kpq,kq->k", self.weight, blocks, self.weight)
        return spread

    def collect(self, values: Floats) -> Floats:
        """Give each entrant the sum of its match-ups' values, by its weight in them."""
        return sum_by(self.index.ravel(), (values[:, None] * self.weight).ravel(), self.entrants)

    def information(self, values: Floats) -> Floats:
        """Give the matrix ``sum of value a a^T`` over the match-ups' contrasts a."""
        cells = self.index[:, :, None] * self.entrants + self.index[:, None, :]
        products = values[:, None, None] * self.weight[:, :, None] * self.weight[:, None, :]
        flat = sum_by(cells.ravel(), products.ravel(), self.entrants**2)
        return flat.reshape(self.entrants, self.entrants)

    def rank(self) -> int:
        """Give how many differences the match-ups measure independently of each other."""
        return int(np.linalg.matrix_rank(self.information(np.ones(len(self))), hermitian=True))

    def part(self, rows: Ints, entrants: Ints) -> "Contrasts":
        """Give some match-ups, all of whose entrants are among those given, counted anew."""
        number = np.zeros(self.entrants, np.int64)
        number[entrants] = np.arange(len(entrants))
        return Contrasts(
            len(entrants), number[self.index[rows]], self.weight[rows], self.players[rows]
        )

    def groups(self) -> list[Ints]:
        """List the groups of entrants that match-ups connect, those without a match-up left out."""
        label = np.arange(self.entrants)
        while True:
            least = label[self.index].min(axis=1, keepdims=True)
            if (label[self.index] == least).all():
                break
            np.minimum.at(label, self.index, np.broadcast_to(least, self.index.shape))
        met = np.unique(self.index)
        return [met[label[met] == one] for one in np.unique(label[met])]


def contrast(entrants: Sequence[str], matchups: Sequence[Matchup]) -> Contrasts:
    """Weigh the entrants of each match-up. Entrants on both sides cancel."""
    number = {name: i for i, name in enumerate(entrants)}
    weights = [weigh(matchup) for matchup in matchups]
    width = max(map(len, weights), default=2)
    index = np.zeros((len(matchups), width), np.int64)
    weight = np.zeros((len(matchups), width))
    for row, of_name in enumerate(weights):
        names = list(of_name)
        # Rows are filled up with entrants of their own, so that no row touches anyone else.
        index[row] = [number[name] for name in names + names[:1] * (width - len(names))]
        weight[row, : len(names)] = list(of_name.values())
    players = np.array([2 * max(map(len, matchup)) for matchup in matchups], np.int64)
    return Contrasts(len(entrants), index, weight, players)


def weigh(matchup: Matchup) -> dict[str, float]:
    """Give each entrant's seats on the first side less its seats on the second, where not even."""
    first, second = matchup
    if len(first) == len(second) == 1:
        return {first[0]: 1.0, second[0]: -1.0}
    seats = max(len(first), len(second))
    weights = Counter[str]()
    for side, sign in zip(matchup, (1, -1), strict=True):
        for name in side:
            weights[name] += sign * seats // len(side)
    return {name: float(weight) for name, weight in weights.items() if weight}
