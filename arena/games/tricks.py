"""How a trick is played: which cards may be led, and who takes it.

It knows hands as sets of cards and one trick at a time; it never knows bids, seats or scores.
"""

from collections.abc import Sequence

from arena.cards import DECK, FIRST_SPADE, SPADES_MASK, Card, Cards, suit_of

_OTHER_SUITS = DECK ^ SPADES_MASK


def leads(held: Cards, cards: Sequence[Card], may_lead_spades: bool) -> tuple[Card, ...]:
    """List the cards of a hand that may be led.

    `cards` are those held, in deck order, in which spades are last. Rules: C4.
    """
    others = held & _OTHER_SUITS
    return tuple(cards if may_lead_spades or not others else cards[: others.bit_count()])


TAKES: tuple[tuple[bool, ...], ...] = tuple(
    tuple(
        card > best and (card >= FIRST_SPADE or suit_of(card) == suit_of(best))
        for card in range(52)
    )
    for best in range(52)
)
"""Whether a card takes the trick from the best one before it: ``TAKES[best][card]``. Rules: C6.

Spades are last in deck order, so a higher card takes it in the same suit or as a spade.
"""
