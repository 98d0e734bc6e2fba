"""A hand told without a script: sentences, and a line of plain text for each draw and trick.

It knows how moves are put in words; it never knows a rule: all is read off the steps that the
referee gives. Most of a game's page is made here, so that every byte counts: cards stand as they
do in records, two letters each.
"""

from collections.abc import Iterable, Iterator, Sequence
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
from arena.report.replay import fault_words, kind_words, shown_note
from arena.report.text import times

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
    """A hand: `opening` tells what came before the first trick, `rows` its draws and tricks."""

    number: int
    opening: tuple[str, ...]
    rows: Markup
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


def tell_faults(names: Sequence[str], faults: Iterable[FaultRecord]) -> list[Remark]:
    """Tell faults by seat, of equal ones the first and how many there were."""
    equal: dict[tuple[int, str], list[FaultRecord]] = {}
    for fault in faults:
        equal.setdefault((fault.seat, kind_words(fault)), []).append(fault)
    return [_tell_equal(names[seat], kind, found) for (seat, kind), found in equal.items()]


def _tell_equal(name: str, kind: str, faults: Sequence[FaultRecord]) -> Remark:
    first = faults[0]
    where = f" in hand {first.hand}" if first.hand else ""
    if len(faults) > 1:
        where = f", {times(len(faults))}, first{where}"
    return Remark(f"{kind}{where}", name, lines(fault_words(first)))


def tell_hand(
    names: Sequence[str], hand: HandRecord, steps: Sequence[Step], longest: int
) -> HandTable:
    """Tell a hand, with the `names` of its seats; no note is longer than `longest`."""
    events = [event for step in steps for event in step.events]
    opening = list(_opening(names, events))
    if hand.scores is None:
        opening.append("The hand was cut short.")
    return HandTable(
        number=hand.number,
        opening=tuple(opening),
        rows=_rows(len(names), hand, events),
        notes=tuple(_notes(names, steps, longest)),
        faults=tuple(tell_faults(names, (step.fault for step in steps if step.fault))),
    )


def _opening(names: Sequence[str], events: Sequence[Event]) -> Iterator[str]:
    """Tell all that happens before the first trick, but the draws."""
    verb = "draws first" if len(names) == 2 else "deals"
    dealt = [by_suit(event.cards) for event in events if isinstance(event, Deal)]
    bids = []
    for event in events:
        match event:
            case HandStart(first=first):
                yield f"{names[first]} {verb}."
            case BlindNil(seat=seat, bid=True):
                yield f"{names[seat]} bids a double nil."
            case Deal(seat=0):
                yield f"Dealt: {'; '.join(dealt)}."
            case Exchange(seat=seat, cards=cards, drawn=drawn):
                change = f"{show_cards(cards)} for {show_cards(drawn)}" if cards else "nothing"
                yield f"{names[seat]} exchanges {change}."
            case Pass(seat=seat, to=to, cards=cards):
                yield f"{names[seat]} passes {show_cards(cards)} to {names[to]}."
            case Bid(seat=seat, bid=bid):
                bids.append(f"{names[seat]} {bid or 'nil'}")
    if bids:
        yield f"Bids: {', '.join(bids)}."


def by_suit(cards: Sequence[str]) -> str:
    """Write a hand suit by suit, spades first, high cards first; suits without a card left out."""
    names = [NAMES[card] for card in reversed(in_order(parse_cards(cards)))]
    ranks = {suit: "".join(name[0] for name in names if name[1] == suit) for suit in "SHDC"}
    return " ".join(f"{SUITS[suit]}{found}" for suit, found in ranks.items() if found)


def _rows(seats: int, hand: HandRecord, events: Sequence[Event]) -> Markup:
    """Write a line for each two draws and each trick, all columns as wide as their cards."""
    draws = _draw_cells(hand, events) if seats == 2 else []
    tricks = _trick_cells(seats, events)
    rows = (
        " ".join([*(drawn or ()), *(played or ())]) for drawn, played in zip_longest(draws, tricks)
    )
    return lines("\n".join(row.rstrip() for row in rows))


def _draw_cells(hand: HandRecord, events: Sequence[Event]) -> list[list[str]]:
    """Write each draw's two cards in the order drawn, the one not kept in small letters."""
    rows: list[list[str]] = []
    pairs = iter(zip(hand.deck[0::2], hand.deck[1::2], strict=True))
    for number, event in enumerate(event for event in events if isinstance(event, Draw)):
        one, two = next(pairs)
        if number % 2 == 0:
            rows.append(["     "] * 2)
        rows[-1][event.seat] = (
            f"{one} {two.lower()}" if event.kept == "first" else f"{one.lower()} {two}"
        )
    return rows


def _trick_cells(seats: int, events: Sequence[Event]) -> list[list[str]]:
    """Write each trick's cards by seat, the one that took it with a star."""
    rows: list[list[str]] = []
    played = 0
    for event in events:
        if isinstance(event, Play):
            if played % seats == 0:
                rows.append(["   "] * seats)
            played += 1
            rows[-1][event.seat] = f"{event.card} "
        elif isinstance(event, Trick):
            rows[-1][event.seat] = f"{rows[-1][event.seat].rstrip()}*"
    return rows


def _notes(names: Sequence[str], steps: Sequence[Step], longest: int) -> Iterator[Remark]:
    """List the bots' notes with the moves they stand beside."""
    for step in steps:
        if step.move and step.move.note:
            where = f"{step.move.decision.value} {_short(step)}".strip()
            note = lines(shown_note(step.move, longest))
            yield Remark(where, names[step.move.seat], note)


def _short(step: Step) -> str:
    for event in step.events:
        match event:
            case Play(card=card) | Draw(card=str(card)):
                return SHOWN[card]
            case Bid(bid=bid):
                return str(bid or "nil")
    return ""
