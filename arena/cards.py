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

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SUIT_MASKS: tuple[Cards, ...] = tuple(0x1FFF << 13 * suit for suit in range(4))
"""All thirteen cards of each suit, by suit."""

SPADES_MASK: Cards = SUIT_MASKS[SPADES]
DECK: Cards = (1 << 52) - 1
"""All 52 cards."""

_CARDS = {name: card for card, name in enumerate(NAMES)}
_SUIT_LISTS: tuple[dict[Cards, tuple[Card, ...]], ...] = ({}, {}, {}, {})


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
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def parse_cards(names: Iterable[str]) -> Cards:
    """Read names into a set. Raises `ValueError` for a name that is no card."""
    return to_set(map(parse_card, names))


def in_suit(cards: Cards, suit: int) -> tuple[Card, ...]:
    """List the cards of one suit in deck order; remembered, as there are only 8,192 a suit."""
    held = cards & SUIT_MASKS[suit]
    lists = _SUIT_LISTS[suit]
    found = lists.get(held)
    if found is None:
        found = tuple(card for card in range(13 * suit, 13 * suit + 13) if held >> card & 1)
        lists[held] = found
    return found


def in_order(cards: Cards) -> tuple[Card, ...]:
    """List a set's cards in deck order."""
    return (
        in_suit(cards, CLUBS)
        + in_suit(cards, DIAMONDS)
        + in_suit(cards, HEARTS)
        + in_suit(cards, SPADES)
    )


def names_of(cards: Cards) -> list[str]:
    """Name a set's cards in deck order."""
    return [NAMES[card] for card in in_order(cards)]


def highest(cards: Cards) -> Card:
    """Find the last card in deck order: within one suit, the highest. The set is not empty."""
    return cards.bit_length() - 1
