"""A table in words: what happened, what a seat holds, and a person's move as it is typed.

It knows views, events and how people write cards; it never knows who reads it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from arena.cards import NAMES
from arena.games.game import (
    Bid,
    BlindNil,
    Decision,
    Draw,
    Event,
    Exchange,
    FaultSeen,
    GameEnd,
    HandEnd,
    HandStart,
    Pass,
    Play,
    Trick,
)
from arena.games.two_player import TwoPlayerView
from arena.games.views import SpadesView, TrickCard
from arena.report.telling import SHOWN, SUITS, show_cards
from arena.report.text import cut, integer, signed

YOU = "you"
"""The person's name at the table."""
LABEL = 12
"""Columns of what a line of the table begins with."""
QUESTIONS = {
    Decision.BLIND_NIL: "bid double nil, before you see a card? yes or no",
    Decision.DRAFT: "keep the card? yes, or no for the next one, unseen",
    Decision.BID: "how many tricks? 0 is nil",
    Decision.EXCHANGE: "which cards to throw away? up to 3, or none",
    Decision.PASS: "which 3 cards for your partner?",
    Decision.PLAY: "which card?",
}
_YES = {"yes": True, "y": True, "no": False, "n": False}
_SIGNS = str.maketrans({sign: letter for letter, sign in SUITS.items()})


def by_suit(names: Iterable[str]) -> str:
    """Write cards suit by suit, spades first, high cards first."""
    held = sorted(names, key=NAMES.index, reverse=True)
    suits = []
    for suit in "SHDC":
        ranks = [SHOWN[name][:-1] for name in held if name[1] == suit]
        suits.append(f"{SUITS[suit]} {' '.join(ranks) or '–'}")
    return "   ".join(suits)


def tell(events: Iterable[Event], names: Sequence[str], me: int | None) -> Iterator[str]:
    """Tell what happened, a line each; `names` by seat.

    `me` is the seat of who reads it; None is an onlooker, who is told every move, and not who won.
    """
    for event in events:
        line = _line(event, names, me)
        if line:
            yield line


_REASONS = {
    "target": "the target is reached",
    "floor": "the floor is reached",
    "max_hands": "that was the last hand",
}


def _line(event: Event, names: Sequence[str], me: int | None) -> str | None:  # noqa: C901  # a table
    match event:
        case HandStart(hand=hand, first=first):
            does = "draw" if len(names) == 2 else "deal"
            order = " first" if len(names) == 2 else ""
            return f"-- hand {hand}: {_does(names[first], does)}{order} --"
        case BlindNil(seat=seat, bid=bid) if bid or me is None:
            return f"{_does(names[seat], 'bid')} {'' if bid else 'no '}double nil"
        case Draw(seat=seat, kept=kept, card=card, away=away) if me in (seat, None):
            other = f", not {SHOWN[away]}" if away and me is None else ""
            what = SHOWN[card] if card else f"the {kept} card"
            return f"{_does(names[seat], 'keep')} {what}{other}"
        case Bid(seat=seat, bid=bid):
            return f"{_does(names[seat], 'bid')} {bid or 'nil'}"
        case Exchange(seat=seat, count=count, drawn=drawn):
            return f"{_does(names[seat], 'exchange')} {count}{_got(drawn)}"
        case Pass(seat=seat, to=to, cards=cards):
            given = show_cards(cards) or "three cards"
            return f"{_does(names[seat], 'hand')} {given} to {names[to]}"
        case Play(seat=seat, card=card) if seat != me:
            return f"{_does(names[seat], 'play')} {SHOWN[card]}"
        case Trick(seat=seat):
            return f"{_does(names[seat], 'take')} the trick"
        case FaultSeen(seat=seat, kind=kind):
            return f"at fault: {names[seat]} ({kind})"
        case HandEnd(points=points, scores=scores):
            return _scored(points, scores, names, me)
        case GameEnd(winner=winner, reason=reason) if me is not None:
            won = "nobody wins" if winner is None else "you lose" if winner != me % 2 else "you win"
            return f"-- {won}: {_REASONS.get(reason, reason)} --"
        case _:
            return None


def _does(who: str, verb: str) -> str:
    return f"{who} {verb}" if who == YOU else f"{who} {verb}s"


def _got(drawn: Sequence[str]) -> str:
    return f", for {show_cards(drawn)}" if drawn else ""


def _scored(
    points: Sequence[int], scores: Sequence[int], names: Sequence[str], me: int | None
) -> str:
    if me is None:
        told = (f"{' + '.join(names[side::2])} {signed(points[side], 0)}" for side in (0, 1))
        return f"points: {', '.join(told)}; score {integer(scores[0])} to {integer(scores[1])}"
    side = me % 2
    mine, theirs = signed(points[side], 0), signed(points[1 - side], 0)
    return f"points: you {mine}, they {theirs}; score {scores[side]} to {scores[1 - side]}"


def draw_table(view: SpadesView, names: Sequence[str]) -> Iterator[str]:
    """Draw what a seat sees before it decides, a line each."""
    yield from draw_hand("your cards", view)
    yield from draw_course(view, view.trick, names)


def draw_hand(whose: str, view: SpadesView) -> Iterator[str]:
    """Draw the cards of a seat, and the one that it decides on."""
    if view.hand:
        yield f"{cut(whose, LABEL):<{LABEL}} {by_suit(view.hand)}"
    if isinstance(view, TwoPlayerView) and view.drawn:
        yield f"{'drawn':<{LABEL}} {SHOWN[view.drawn]}"


def draw_course(
    view: SpadesView, trick: Sequence[TrickCard | Play], names: Sequence[str]
) -> Iterator[str]:
    """Draw what all see: tricks and bids by seat, and the cards of a trick."""
    if view.leader is not None:
        seats = zip(names, view.bids, view.tricks, strict=True)
        told = ", ".join(f"{name} {tricks} of {bid or 'nil'}" for name, bid, tricks in seats)
        yield f"{'tricks':<{LABEL}} {told}"
    if trick:
        shown = "  ".join(f"{SHOWN[one.card]} {names[one.seat]}" for one in trick)
        yield f"{'on the table':<{LABEL}} {shown}"


def show_move(move: object) -> str:
    """Write a bot's answer as a person would type it."""
    if isinstance(move, bool):
        return "yes" if move else "no"
    if isinstance(move, list):
        return " ".join(map(show_move, move)) or "none"
    return SHOWN.get(str(move), str(move))


def read_move(text: str, decision: Decision, legal: Sequence[object]) -> object:
    """Read what a person typed as the move a bot would answer. Raises `ValueError`, in words."""
    words = re.split(r"[\s,]+", text.strip().translate(_SIGNS))
    if decision in (Decision.EXCHANGE, Decision.PASS):
        listed = [] if words in ([""], ["none"]) else [_card(word, legal) for word in words]
        wrong = len(listed) != 3 if decision is Decision.PASS else len(listed) > 3
        if wrong or len(set(listed)) < len(listed):
            raise ValueError("three cards" if decision is Decision.PASS else "at most three cards")
        return listed
    (word,) = words if len(words) == 1 else ("",)
    if decision in (Decision.BLIND_NIL, Decision.DRAFT):
        if word.lower() not in _YES:
            raise ValueError("yes or no")
        return _YES[word.lower()]
    if decision is Decision.BID:
        bid = 0 if word.lower() == "nil" else int(word) if word.isdecimal() else None
        if bid is None or bid not in legal:
            raise ValueError(f"a number from {legal[0]} to {legal[-1]}")
        return bid
    return _card(word, legal)


def _card(word: str, legal: Sequence[object]) -> str:
    """Find a card by its name in either case, the ten as 10 too, or by its rank if that will do."""
    name = word.upper().replace("10", "T")
    found = [str(card) for card in legal if name and str(card) in (name, name[1:] + name[:1])]
    if not found and len(name) == 1:
        found = [str(card) for card in legal if str(card)[0] == name]
    if len(found) != 1:
        raise ValueError(f"one of {show_cards([str(card) for card in legal])}, such as {legal[0]}")
    return found[0]
