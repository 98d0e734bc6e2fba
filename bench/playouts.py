"""Random playouts of whole partnership hands: the arena's rules against OpenSpiel's compiled ones.

Both list the legal moves before each and take one at random. OpenSpiel deals card by card as
chance moves; the arena is handed a deck, whose shuffle is timed with it.
"""

import random
from collections.abc import Sequence

import numpy as np

from arena.cards import Card
from arena.games.partnership import Partnership, PartnershipRules
from bench.timing import in_turns, verdict

HANDS = 400
TARGET = 1.0
"""Hands of ours on one of theirs, at least."""
_SHUFFLER = np.random.default_rng()
_RULES = PartnershipRules(max_hands=1, double_nil=False)


class ShuffledBoard:
    """A board of one deck, shuffled by numpy: a deck is what the arena is given."""

    number = 1

    def first(self, seats: int) -> int:
        """Let seat 0 deal."""
        return seats - seats

    def deck(self, hand: int) -> tuple[Card, ...]:
        """Shuffle a deck."""
        return tuple(_SHUFFLER.permutation(52 * hand).tolist())

    def exchange_order(self, hand: int, discards: Sequence[Card]) -> tuple[Card, ...]:
        """Refuse: nothing is exchanged in the partnership game."""
        raise NotImplementedError


def ours() -> int:
    """Play hands through `arena.games`."""
    draw = random.random
    for _ in range(HANDS):
        game = Partnership(_RULES, ShuffledBoard())
        while game.outcome is None:
            legal = game.legal()
            game.apply(legal[int(draw() * len(legal))])
    return HANDS


def theirs() -> int:
    """Play hands through OpenSpiel's Python interface."""
    import pyspiel  # noqa: PLC0415 - a dependency of this benchmark alone

    spades = pyspiel.load_game("spades")
    draw = random.random
    for _ in range(HANDS):
        state = spades.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
    return HANDS


def main() -> None:
    """Print hands a second of both, and how many of ours go on one of theirs."""
    mine, other, ratio = in_turns(ours, theirs)
    print(
        f"playouts: {1 / mine:,.0f} hands/s here, {1 / other:,.0f} with OpenSpiel: "
        f"{1 / ratio:.2f} times as many "
        f"(target: at least {TARGET:g}, {verdict(1 / ratio >= TARGET)})"
    )
