"""From a tournament's seed to decks and boards; knows the streams of D1 and no game.

Everything random in a tournament comes from its seed through labelled streams, so that anyone can
repeat it in another language. Rules: D1, D2, D3.
"""

import hashlib
import struct
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from arena.cards import Card

Item = TypeVar("Item")
_EIGHT_WORDS = struct.Struct(">8I")


class Stream:
    """Random words of a seed and a label: the SHA-256 of ``seed/label/counter`` in turn.

    Each digest is read as eight big-endian 32-bit words; the counter starts at 0. Rules: D1.
    """

    def __init__(self, seed: str, label: str) -> None:
        """Name the stream; nothing is computed before a word is wanted."""
        self._words = _words(f"{seed}/{label}/")

    def uniform(self, n: int) -> int:
        """Draw a whole number below `n` (at most 2**32), each equally likely."""
        limit = (1 << 32) - (1 << 32) % n
        for word in self._words:
            if word < limit:
                return word % n
        raise AssertionError("the stream of words has no end")

    def shuffle(self, items: Sequence[Item]) -> tuple[Item, ...]:
        """Shuffle: for i from the last index down to 1, swap i with ``uniform(i + 1)``."""
        shuffled = list(items)
        for i in range(len(shuffled) - 1, 0, -1):
            j = self.uniform(i + 1)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return tuple(shuffled)


def _words(prefix: str) -> Iterator[int]:
    counter = 0
    while True:
        digest = hashlib.sha256(f"{prefix}{counter}".encode()).digest()
        yield from _EIGHT_WORDS.unpack(digest)
        counter += 1


class Board(Protocol):
    """A sequence of decks that can be replayed, hand for hand. Rules: D2."""

    @property
    def number(self) -> int:
        """The board's number, from 1."""

    def first(self, seats: int) -> int:
        """Tell who draws first (two-player) or deals (partnership) in hand 1."""

    def deck(self, hand: int) -> tuple[Card, ...]:
        """Give the deck of a hand, counted from 1; index 0 is the top card."""

    def exchange_order(self, hand: int, discards: Sequence[Card]) -> tuple[Card, ...]:
        """Order the draft's discards as an exchange draws them. Rules: R2.6."""


class SeededBoard:
    """A board whose every card comes from the seed. Rules: D1."""

    def __init__(self, seed: str, number: int) -> None:
        """Name the board; decks are made when asked for."""
        self._seed = seed
        self.number = number

    def first(self, seats: int) -> int:
        """Draw who is first (or deals) in hand 1 from the stream ``board/first``."""
        return Stream(self._seed, f"{self.number}/first").uniform(seats)

    def deck(self, hand: int) -> tuple[Card, ...]:
        """Shuffle the deck of a hand from the stream ``board/hand/deck``."""
        return Stream(self._seed, f"{self.number}/{hand}/deck").shuffle(range(52))

    def exchange_order(self, hand: int, discards: Sequence[Card]) -> tuple[Card, ...]:
        """Shuffle the discards, as they lie, from the stream ``board/hand/exchange``."""
        return Stream(self._seed, f"{self.number}/{hand}/exchange").shuffle(discards)


class FixedBoard:
    """A board of given decks; after the last of them another board takes over. Rules: D3.

    A given exchange order may name any cards: those among the discards are drawn in its order,
    the other discards after them as they lie, since what is discarded is for the players to say.
    """

    def __init__(
        self,
        number: int,
        first: int,
        decks: Sequence[tuple[Card, ...]],
        exchange: Sequence[tuple[Card, ...]],
        after: Board | None,
    ) -> None:
        """Keep the decks by hand; `after` None means that no further hand may be asked for."""
        self.number = number
        self._first = first
        self._decks = decks
        self._exchange = exchange
        self._after = after

    def first(self, seats: int) -> int:
        """Give the seat that the file names."""
        return self._first

    def deck(self, hand: int) -> tuple[Card, ...]:
        """Give the hand's deck. Raises `IndexError` beyond the last where no board follows."""
        if hand <= len(self._decks):
            return self._decks[hand - 1]
        if self._after is None:
            raise IndexError(f"no deck is given for hand {hand}")
        return self._after.deck(hand)

    def exchange_order(self, hand: int, discards: Sequence[Card]) -> tuple[Card, ...]:
        """Order the discards by the hand's given order, or as the board after this one does."""
        if hand <= len(self._exchange):
            wanted = [card for card in self._exchange[hand - 1] if card in discards]
            return (*wanted, *(card for card in discards if card not in wanted))
        return self._after.exchange_order(hand, discards) if self._after else tuple(discards)


def bot_seed(seed: str, board: int, sitting: int, seat: int) -> int:
    """Draw a bot's own seed, below 2**31; `board` is the sitting's first. Rules: D1."""
    return Stream(seed, f"{board}/{sitting}/{seat}/bot").uniform(1 << 31)
