"""A view of the partnership game as a history of OpenSpiel's game ``spades``.

It knows the protocol's view and imports no other room and no library, so that a bot's folder can
hold a copy of this file. OpenSpiel numbers cards and bids as `arena.env.encoding` does; its player
0 always bids first and leads, so a seat has another player's number in each hand.

The history begins with a deal of all 52 cards. What the seat knows of it is true; the cards that
it cannot know are dealt at random to whoever may still hold them.

Protocol: the view.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeAlias, TypedDict

SEATS = 4
BID = 52
RANKS, SUITS = "23456789TJQKA", "CDHS"

WireMove: TypeAlias = int | str


class TableCard(TypedDict):
    """A card of the trick on the table."""

    seat: int
    card: str


class View(TypedDict):
    """The fields of the partnership game's view that are read."""

    hand: Sequence[str]
    trick: Sequence[TableCard]
    played: Sequence[str]
    leaders: Sequence[int]
    bids: Sequence[int | None]
    first: int
    passed: Sequence[str]


def player_of(seat: int, view: View) -> int:
    """Give OpenSpiel's player of a seat in this hand: 0 sits after the dealer. Rules: R4.3."""
    return (seat - view["first"] - 1) % SEATS


def history(view: View, seat: int, decision: str, chance: Random) -> list[int]:
    """List OpenSpiel's actions up to a bid or a play: 52 of the deal, then bids, then cards."""
    played = _played(view)
    hands = _hands(view, seat, played, chance)
    order = [(view["first"] + 1 + place) % SEATS for place in range(SEATS)]
    deal = [hands[other][turn] for turn in range(13) for other in order]
    bidders = order[: order.index(seat)] if decision == "bid" else order
    return [*deal, *_bids(view, bidders), *(card for _, card in played)]


def move_of(action: int) -> WireMove:
    """Give a bid or a card as it is spelt on the wire."""
    return action - BID if action >= BID else RANKS[action % 13] + SUITS[action // 13]


def _card(name: str) -> int:
    return SUITS.index(name[1]) * 13 + RANKS.index(name[0])


def _played(view: View) -> list[tuple[int, int]]:
    """List who played which card, from the hand's first on."""
    done = [
        ((view["leaders"][place // SEATS] + place) % SEATS, _card(name))
        for place, name in enumerate(view["played"])
    ]
    return [*done, *((one["seat"], _card(one["card"])) for one in view["trick"])]


def _bids(view: View, bidders: Sequence[int]) -> list[int]:
    """List the bids; OpenSpiel has no side bid above 13, so a partner's second is cut to that."""
    made: dict[int, int] = {}
    for bidder in bidders:
        bid = view["bids"][bidder]
        assert bid is not None
        made[bidder] = min(bid, 13 - made.get((bidder + 2) % SEATS, 0))
    return [BID + bid for bid in made.values()]


def _hands(
    view: View, seat: int, played: Sequence[tuple[int, int]], chance: Random
) -> dict[int, list[int]]:
    """Give each seat 13 cards: what it is known to have had, then what it may have."""
    hands: dict[int, list[int]] = {other: [] for other in range(SEATS)}
    void: set[tuple[int, int]] = set()
    for place, (other, card) in enumerate(played):
        led = played[place - place % SEATS][1] // 13
        if card // 13 != led:
            void.add((other, led))
        hands[other].append(card)
    hands[seat] += map(_card, view["hand"])
    seen = {card for hand in hands.values() for card in hand}
    given = set(map(_card, view["passed"])) - seen
    hands[(seat + 2) % SEATS] += sorted(given)
    unseen = [card for card in range(52) if card not in seen | given]
    chance.shuffle(unseen)
    fixed = {other: len(hand) for other, hand in hands.items()}
    for card in unseen:
        _place(card, hands, fixed, void, chance)
    return hands


def _place(
    card: int,
    hands: dict[int, list[int]],
    fixed: dict[int, int],
    void: set[tuple[int, int]],
    chance: Random,
    asked: frozenset[int] = frozenset(),
) -> bool:
    """Give a card to a seat that may hold it, by moving others on where all those are full.

    The true deal is one way to place them all, so each card finds its place.
    """
    seats = [other for other in hands if other not in asked and (other, card // 13) not in void]
    chance.shuffle(seats)
    for other in sorted(seats, key=lambda other: len(hands[other]) == 13):
        hand = hands[other]
        if len(hand) < 13:
            hand.append(card)
            return True
        for place in range(fixed[other], 13):
            if _place(hand[place], hands, fixed, void, chance, asked | {other}):
                hand[place] = card
                return True
    return False
