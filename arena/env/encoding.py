"""Views as numbers and actions as moves, from nothing but what a bot reads on the wire.

It knows the protocol's view and imports no other room and no library, so that a bot's folder can
hold a copy of this file and see at the table exactly what its policy saw in training.

An action is a number below `ACTIONS`: a card in deck order (0-51, ``2C`` first), a bid (`BID` + 0
to 13), `NO`, `YES`, or `DONE`, which ends an exchange of fewer than three cards. The cards of an
exchange or a pass are chosen one by one; the third is the last, without `DONE`.

Protocol: the view, decisions.
"""

from collections.abc import Iterable, Sequence
from typing import NotRequired, TypeAlias, TypedDict

NAMES = tuple(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")
CARDS = {name: card for card, name in enumerate(NAMES)}
DECISIONS = ("blind_nil", "draft", "bid", "exchange", "pass", "play")

BID = 52
NO, YES, DONE = 66, 67, 68
ACTIONS = 69
"""How many actions there are, in every decision of both games."""

_BOUND = 10.0

WireMove: TypeAlias = bool | int | str | list[str]


class TableCard(TypedDict):
    """A card of the trick on the table."""

    seat: int
    card: str


class View(TypedDict):
    """The fields of the protocol's view that are made numbers; the last six by game."""

    hand: Sequence[str]
    trick: Sequence[TableCard]
    played: Sequence[str]
    leader: int | None
    tricks: Sequence[int]
    spades_broken: bool
    bids: Sequence[int | None]
    double_nil: Sequence[bool | None]
    first: int
    scores: Sequence[int]
    bags: Sequence[int]
    seen: NotRequired[Sequence[str]]
    thrown: NotRequired[Sequence[str]]
    exchanged: NotRequired[Sequence[int]]
    drawn: NotRequired[str | None]
    passed: NotRequired[Sequence[str]]
    received: NotRequired[Sequence[str]]


def length(seats: int) -> int:
    """Tell how many numbers an observation has in a game of so many seats."""
    return 52 * (6 + seats) + len(DECISIONS) + 6 * seats + 5


def encode(view: View, seat: int, decision: str, chosen: Sequence[str] = ()) -> list[float]:
    """Write what a seat may know as `length` numbers from -10 to 10, seats counted from its own.

    Sets of cards, 52 numbers each: hand, chosen so far, tricks played, known to be away (seen in
    the draft, thrown or passed), received, drawn; then the trick on the table, a set a seat. Then
    the decision (6). Then by seat: bid / 13 or -1, double nil (-1 not asked, 0, 1), tricks / 13,
    leader, first, cards exchanged / 3. Then by side, its own first: score / 500, bags / 10. Last
    whether spades are broken.
    """
    seats = len(view["tricks"])
    turn = [(seat + place) % seats for place in range(seats)]
    away = [*view.get("seen", ()), *view.get("thrown", ()), *view.get("passed", ())]
    drawn = view.get("drawn")
    table = {one["seat"]: one["card"] for one in view["trick"]}
    numbers: list[float] = []
    for cards in (view["hand"], chosen, view["played"], away, view.get("received", ())):
        numbers += _set(cards)
    numbers += _set([drawn] if drawn else [])
    for other in turn:
        numbers += _set([table[other]] if other in table else [])
    numbers += [float(decision == one) for one in DECISIONS]
    numbers += _by_seat(view, turn)
    for side in (seat % 2, 1 - seat % 2):
        numbers += [_bounded(view["scores"][side] / 500), _bounded(view["bags"][side] / 10)]
    numbers.append(float(view["spades_broken"]))
    return numbers


def _by_seat(view: View, turn: Sequence[int]) -> list[float]:
    bids, doubles = view["bids"], view["double_nil"]
    exchanged = view.get("exchanged", [0] * len(turn))
    return [
        *(-1.0 if (bid := bids[seat]) is None else bid / 13 for seat in turn),
        *(-1.0 if (double := doubles[seat]) is None else float(double) for seat in turn),
        *(view["tricks"][seat] / 13 for seat in turn),
        *(float(view["leader"] == seat) for seat in turn),
        *(float(view["first"] == seat) for seat in turn),
        *(exchanged[seat] / 3 for seat in turn),
    ]


def _set(names: Iterable[str]) -> list[float]:
    cards = [0.0] * 52
    for name in names:
        cards[CARDS[name]] = 1.0
    return cards


def _bounded(number: float) -> float:
    return max(-_BOUND, min(_BOUND, number))


def actions(
    decision: str, legal: Iterable[bool | int | str], chosen: Sequence[str] = ()
) -> list[int]:
    """List the legal actions of a decision, from its legal moves and the cards chosen so far."""
    if decision == "bid":
        return [BID + int(bid) for bid in legal]
    if decision in ("blind_nil", "draft"):
        return [YES if answer else NO for answer in legal]
    cards = [CARDS[str(name)] for name in legal if name not in chosen]
    return [*cards, DONE] if decision == "exchange" else cards


def move(decision: str, action: int, chosen: Sequence[str] = ()) -> WireMove | None:
    """Give the move on the wire that an action makes, or None where more cards are to be chosen."""
    if decision == "bid":
        return action - BID
    if decision in ("blind_nil", "draft"):
        return action == YES
    if decision == "play":
        return NAMES[action]
    if action == DONE:
        return list(chosen)
    cards = [*chosen, NAMES[action]]
    return cards if len(cards) == 3 else None
