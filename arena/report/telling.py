"""A hand told without a script: sentences, and a row for each draw and trick.

It knows how moves are put in words; it never knows a rule: all is read off the steps that the
referee gives.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from markupsafe import Markup

from arena.cards import NAMES, in_order, parse_cards
from arena.games.game import (
    Bid,
    BlindNil,
    Deal,
    Draw,
    Event,
    Exchange,
    HandStart,
    Pass,
    Play,
    Trick,
)
from arena.record import FaultRecord, GameRecord, HandRecord
from arena.referee import Step
from arena.report.page import lines
from arena.report.replay import LONGEST_NOTE, fault_words
from arena.report.text import cut, integer, signed

SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
SHOWN = {name: name[0].replace("T", "10") + SUITS[name[1]] for name in NAMES}
"""Each card as people write it."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A bot's own words or its fault, with where in the game they stand."""

    place: str
    who: str
    text: Markup


@dataclass(frozen=True, slots=True)
class HandTable:
    """A hand in words and rows: `opening` before the first trick, `closing` how it was scored."""

    number: int
    opening: tuple[str, ...]
    rows: Markup
    closing: str
    notes: tuple[Remark, ...]
    faults: tuple[Remark, ...]


def show_cards(names: Sequence[str]) -> str:
    """Write cards by name as people do."""
    return " ".join(SHOWN[name] for name in names)


def seat_names(record: GameRecord) -> tuple[str, ...]:
    """Name each seat: its bot, and the seat's number where a bot sits twice."""
    bots = [ref.bot for ref in record.seats]
    twice = len(set(bots)) < len(bots)
    return tuple(f"{bot} ({seat})" if twice else bot for seat, bot in enumerate(bots))


def side_names(record: GameRecord) -> tuple[str, str]:
    """Name both sides by their bots."""
    bots = [ref.bot for ref in record.seats]
    one, other = (" + ".join(dict.fromkeys(bots[side::2])) for side in (0, 1))
    return one, other


def tell_fault(names: Sequence[str], fault: FaultRecord) -> Remark:
    """Tell a fault with its place and its seat."""
    text = lines(f"{fault.kind.value} {fault_words(fault)}")
    return Remark(f"hand {fault.hand}" if fault.hand else "", names[fault.seat], text)


def tell_hand(record: GameRecord, hand: HandRecord, steps: Sequence[Step]) -> HandTable:
    """Tell a hand."""
    names = seat_names(record)
    events = [event for step in steps for event in step.events]
    return HandTable(
        number=hand.number,
        opening=tuple(_opening(names, events)),
        rows=_rows(len(names), hand, events),
        closing=_closing(record, hand),
        notes=tuple(_notes(names, steps)),
        faults=tuple(tell_fault(names, step.fault) for step in steps if step.fault),
    )


def _opening(names: Sequence[str], events: Sequence[Event]) -> Iterator[str]:
    """Tell all that happens before the first trick, but the draws."""
    verb = "draws first" if len(names) == 2 else "deals"
    bids = []
    for event in events:
        match event:
            case HandStart(first=first):
                yield f"{names[first]} {verb}."
            case BlindNil(seat=seat, bid=True):
                yield f"{names[seat]} bids a double nil."
            case Deal(seat=seat, cards=cards):
                yield f"{names[seat]} holds {_by_suit(cards)}."
            case Exchange(seat=seat, cards=cards, drawn=drawn):
                change = f"{show_cards(cards)} for {show_cards(drawn)}" if cards else "nothing"
                yield f"{names[seat]} exchanges {change}."
            case Pass(seat=seat, to=to, cards=cards):
                yield f"{names[seat]} passes {show_cards(cards)} to {names[to]}."
            case Bid(seat=seat, bid=bid):
                bids.append(f"{names[seat]} {bid or 'nil'}")
    if bids:
        yield f"Bids: {', '.join(bids)}."


def _by_suit(cards: Sequence[str]) -> str:
    """Write a hand suit by suit, spades first, high cards first."""
    names = [NAMES[card] for card in reversed(in_order(parse_cards(cards)))]
    suits = []
    for suit in "SHDC":
        ranks = [SHOWN[name][:-1] for name in names if name[1] == suit]
        suits.append(f"{SUITS[suit]} {' '.join(ranks) or '–'}")
    return ", ".join(suits)


def _rows(seats: int, hand: HandRecord, events: Sequence[Event]) -> Markup:
    """Write a row for each draw and trick; end tags are left out, as HTML allows.

    Nothing in them is a stranger's: a bot's move is here a card of the pack.
    """
    draws = _draw_cells(hand, events) if seats == 2 else []
    tricks = _trick_cells(seats, events)
    empty = ["<td>"] * seats
    rows = [
        f"<tr><th>{number}" + "".join((drawn or empty if draws else []) + (played or empty))
        for number, (drawn, played) in enumerate(zip_longest(draws, tricks), 1)
    ]
    return Markup("".join(rows))  # noqa: S704  # see above


def _draw_cells(hand: HandRecord, events: Sequence[Event]) -> list[list[str]]:
    """Write each draw's two cards in the order drawn, the one kept in bold."""
    rows: list[list[str]] = []
    pairs = iter(zip(hand.deck[0::2], hand.deck[1::2], strict=True))
    for number, event in enumerate(event for event in events if isinstance(event, Draw)):
        one, two = (SHOWN[name] for name in next(pairs))
        if number % 2 == 0:
            rows.append(["<td>", "<td>"])
        kept_first = event.kept == "first"
        rows[-1][event.seat] = (
            f"<td><b>{one}</b> {two}" if kept_first else f"<td>{one} <b>{two}</b>"
        )
    return rows


def _trick_cells(seats: int, events: Sequence[Event]) -> list[list[str]]:
    """Write each trick's cards by seat, the one that took it in bold and ticked."""
    rows: list[list[str]] = []
    played = 0
    for event in events:
        if isinstance(event, Play):
            if played % seats == 0:
                rows.append(["<td>"] * seats)
            played += 1
            rows[-1][event.seat] = f"<td>{SHOWN[event.card]}"
        elif isinstance(event, Trick):
            card = rows[-1][event.seat].removeprefix("<td>")
            rows[-1][event.seat] = f"<td><b>{card}✓</b>"
    return rows


def _closing(record: GameRecord, hand: HandRecord) -> str:
    if hand.points is None or hand.scores is None:
        return "The hand was cut short."
    sides = zip(side_names(record), hand.points, hand.scores, strict=True)
    told = [f"{side} {signed(points, 0)}, now {integer(score)}" for side, points, score in sides]
    return f"Points: {'; '.join(told)}."


def _notes(names: Sequence[str], steps: Sequence[Step]) -> Iterator[Remark]:
    """List the bots' notes with the moves they stand beside."""
    for step in steps:
        if step.move and step.move.note:
            where = f"{step.move.decision.value} {_short(step)}".strip()
            note = lines(cut(step.move.note, LONGEST_NOTE))
            yield Remark(where, names[step.move.seat], note)


def _short(step: Step) -> str:
    for event in step.events:
        match event:
            case Play(card=card) | Draw(card=str(card)):
                return SHOWN[card]
            case Bid(bid=bid):
                return str(bid or "nil")
    return ""
