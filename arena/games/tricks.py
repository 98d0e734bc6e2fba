"""How a trick is played: which cards may be led or follow, and who takes it.

It knows hands as sets of cards and one trick at a time; it never knows bids, seats or scores.
"""

from arena.cards import FIRST_SPADE, SPADES_MASK, SUIT_LISTS, SUIT_MASKS, Card, Cards, in_order


def plays(held: Cards, led: int | None, may_lead_spades: bool) -> tuple[Card, ...]:
    """List the cards of a hand that may be played; `led` is the suit led, None for the leader.

    Rules: C3, C4.
    """
    if led is None:
        return in_order(held if may_lead_spades else held & ~SPADES_MASK or held)
    following = held & SUIT_MASKS[led]
    return SUIT_LISTS[led][following] if following else in_order(held)


def takes(card: Card, best: Card) -> bool:
    """Tell whether a card takes the trick from the best one before it. Rules: C6.

    Spades are last in deck order, so a higher card takes it in the same suit or as a spade.
    """
    return card > best and (card >= FIRST_SPADE or card // 13 == best // 13)
