"""How a trick is played: which cards may be led or follow, and who takes it.

It knows hands as sets of cards and one trick at a time; it never knows bids, seats or scores.
"""

from arena.cards import SPADES_MASK, SUIT_LISTS, SUIT_MASKS, Card, Cards, highest, in_order


def plays(held: Cards, led: int | None, may_lead_spades: bool) -> tuple[Card, ...]:
    """List the cards of a hand that may be played; `led` is the suit led, None for the leader.

    Rules: C3, C4.
    """
    if led is None:
        return in_order(held if may_lead_spades else held & ~SPADES_MASK or held)
    following = held & SUIT_MASKS[led]
    return SUIT_LISTS[led][following] if following else in_order(held)


def winning_card(cards: Cards, led: int) -> Card:
    """Find the card that takes a trick in which suit `led` was led. Rules: C6."""
    return highest(cards & SPADES_MASK or cards & SUIT_MASKS[led])
