"""Cards and sets of cards; knows ranks and suits and nothing of any game.

A card is a number from 0 to 51 in *deck order*: ``2C 3C … AC 2D … AD 2H … AH 2S … AS``. A set of
cards is an integer whose bit ``1 << card`` is set for each card in it, so that sets are joined,
met and compared by the integer operators. People and bots see the two-character names.

Rules: C1. Protocol: cards.
"""

from collections.abc import Iterable
from typing import TypeAlias

Card: TypeAlias = int
"""A card's place in deck order, 0 to 51: ``13 * suit + rank``."""

Cards: TypeAlias = int
"""A set of cards as 52 bits: bit ``1 << card``."""

RANKS = "23456789TJQKA"
SUITS = "CDHS"
NAMES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The name of each card, by card: ``NAMES[0] == "2C"``, ``NAMES[51] == "AS"``."""

BITS: tuple[Cards, ...] = tuple(1 << card for card in range(52))
"""The set that holds each card alone, by card."""

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SUIT_MASKS: tuple[Cards, ...] = tuple(0x1FFF << 13 * suit for suit in range(4))
"""All thirteen cards of each suit, by suit."""

FIRST_SPADE: Card = 39
"""The deuce of spades: every card from here on is a spade."""

SPADES_MASK: Cards = SUIT_MASKS[SPADES]
DECK: Cards = (1 << 52) - 1
"""All 52 cards."""

_CARDS = {name: card for card, name in enumerate(NAMES)}


class _Lists(dict[Cards, tuple[Card, ...]]):
    """The cards of sets of one suit's cards, in deck order: there are only 8,192 such sets.

    Each is listed once, when first asked for, by adding its highest card to the rest.
    """

    def __missing__(self, held: Cards) -> tuple[Card, ...]:
        highest = held.bit_length() - 1
        found = self[held] = (*self[held ^ BITS[highest]], highest) if held else ()
        return found


SUIT_LISTS = tuple(_Lists() for _ in SUITS)
"""By suit, the cards in deck order of any set of that suit's cards."""


def parse_card(name: str) -> Card:
    """Read a card's name.

    Raises `ValueError` for anything but the exact two characters of the protocol.
    """
    try:
        return _CARDS[name]
    except (KeyError, TypeError):
        raise ValueError(f"{name!r} is no card; cards are rank then suit, such as 'TD'") from None


def suit_of(card: Card) -> int:
    """Tell the suit, 0 (clubs) to 3 (spades)."""
    return card // 13


def rank_of(card: Card) -> int:
    """Tell the rank, 0 (deuce) to 12 (ace)."""
    return card % 13


def to_set(cards: Iterable[Card]) -> Cards:
    """Gather cards into a set."""
    held = 0
    for card in cards:
        held |= BITS[card]
    return held


def parse_cards(names: Iterable[str]) -> Cards:
    """Read names into a set. Raises `ValueError` for a name that is no card."""
    return to_set(map(parse_card, names))


def in_order(cards: Cards) -> tuple[Card, ...]:
    """List a set's cards in deck order."""
    return tuple(card for card in range(52) if cards & BITS[card])
