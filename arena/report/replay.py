"""A game's steps written as small as a page's script can read them.

It knows the few signs of the script's alphabet; it never knows a rule: who took a trick and what
a hand was worth are the steps' own words. A card is one letter, `A` to `z` in deck order.

A hand's moves are one string. Each begins with the seat's digit; then

=====  ==========================================================================================
`!`    a double nil is bid; `.` none is
`+`    the first card drawn is kept, `-` the second: the card kept, then the card gone
`*`    an exchange: the digit of how many, the cards thrown, the cards drawn
`>`    three cards passed: the digit of how many passes are handed over by it, then the cards
`=`    a bid, as a hexadecimal digit
A–z    a card played; after the last of a trick comes the digit of the seat that takes it
=====  ==========================================================================================
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from string import ascii_letters
from typing import NamedTuple

from arena.cards import NAMES
from arena.games.game import (
    Bid,
    BlindNil,
    Deal,
    Decision,
    Draw,
    Event,
    Exchange,
    HandEnd,
    HandStart,
    Pass,
    Play,
    Trick,
)
from arena.record import FaultRecord, GameRecord, MoveRecord
from arena.referee import Step
from arena.report.text import cut, printable_lines

LONGEST_NOTE, LONGEST_DETAIL = 500, 2000
"""Characters of a bot's own words that a page shows, and of what is known of a fault."""
WORDS_OF_A_GAME, SHORTEST = 40_000, 60
"""Characters of all notes of a game, or of all its faults, above which each is cut; how far."""
TENTH = 100
"""Microseconds in a tenth of a millisecond, the script's unit of time."""
_CODES = dict(zip(NAMES, ascii_letters[26:] + ascii_letters[:26], strict=True))


def code(names: Iterable[str]) -> str:
    """Write cards by name as letters."""
    return "".join(_CODES[name] for name in names)


def by_hand(steps: Iterable[Step]) -> list[tuple[Step, ...]]:
    """Part a game's steps into hands."""
    return [tuple(found) for _, found in groupby(steps, key=attrgetter("hand"))]


class Longest(NamedTuple):
    """The characters that a note and the words of a fault may take, so that a page holds them."""

    note: int
    fault: int


def longest_of(record: GameRecord) -> Longest:
    """Give how much of each note and fault of a game is shown."""
    notes = [move.note for hand in record.hands for move in hand.moves if move.note]
    faults = [fault_words(fault) for fault in record.faults]
    return Longest(_share(notes, LONGEST_NOTE), _share(faults, LONGEST_DETAIL))


def _share(texts: Sequence[str], each: int) -> int:
    if sum(min(len(text), each) for text in texts) <= WORDS_OF_A_GAME:
        return each
    return max(SHORTEST, WORDS_OF_A_GAME // len(texts))


def shown_note(move: MoveRecord, longest: int) -> str:
    """Write a bot's note as it is shown."""
    return cut(printable_lines(move.note), longest)


def encode_hand(steps: Sequence[Step], deck: Sequence[str], longest: Longest) -> dict[str, object]:
    """Write a hand: moves, times, notes and faults, and how it ended; what is empty is left out.

    Notes, faults and moves made in a bot's place are by the number of the step in the hand.
    """
    events = [event for step in steps for event in step.events]
    drawn = iter(zip(deck[0::2], deck[1::2], strict=True))
    hand: dict[str, object] = {
        "f": next(event.first for event in events if isinstance(event, HandStart)),
        "m": "".join(_encode_move(step, drawn) for step in steps),
        "t": [_tenths(step.move.us) for step in steps if step.move],
    }
    noted = ((n, step.move) for n, step in enumerate(steps) if step.move and step.move.note)
    notes = {n: shown_note(move, longest.note) for n, move in noted}
    faults = {
        n: encode_fault(step.fault, longest.fault) for n, step in enumerate(steps) if step.fault
    }
    substituted = [n for n, step in enumerate(steps) if step.move and step.move.substituted]
    deals = [code(event.cards) for event in events if isinstance(event, Deal)]
    ends = [_encode_end(event) for event in events if isinstance(event, HandEnd)]
    seldom = {"n": notes, "x": faults, "s": substituted, "d": deals, "e": ends[0] if ends else ()}
    return hand | {key: value for key, value in seldom.items() if value}


def kind_words(fault: FaultRecord) -> str:
    """Name what equal faults share: the kind, and when it was made."""
    asked = f"when asked for {fault.decision.value}" if fault.decision else "at the start"
    return f"{fault.kind.value} {asked}"


def fault_words(fault: FaultRecord) -> str:
    """Put in words what was expected, and what came."""
    said = f"; it said {cut(fault.said, LONGEST_NOTE)}" if fault.said else ""
    detail = f" ({cut(fault.detail, LONGEST_DETAIL)})" if fault.detail else ""
    return f"expected {cut(fault.expected, LONGEST_NOTE)}{said}{detail}"


def encode_fault(fault: FaultRecord, longest: int) -> list[object]:
    """Write a fault: the seat, the kind, and what is said of it."""
    return [fault.seat, kind_words(fault), cut(printable_lines(fault_words(fault)), longest)]


def _tenths(us: int | None) -> int:
    return -1 if us is None else round(us / TENTH)


def _encode_end(end: HandEnd) -> list[tuple[int, ...]]:
    return [end.points, end.bags, end.scores]


def _encode_move(step: Step, drawn: Iterable[tuple[str, str]]) -> str:
    move = step.move
    if move is None:
        return ""
    if move.decision is Decision.PASS:
        return _encode_pass(move, sum(isinstance(event, Pass) for event in step.events))
    return "".join(_encode_event(event, drawn) for event in step.events)


def _encode_pass(move: MoveRecord, handed_over: int) -> str:
    """Write a pass from the move itself: it may lie on the table before it is handed over."""
    assert isinstance(move.move, list)
    return f"{move.seat}>{handed_over}{code(move.move)}"


def _encode_event(event: Event, drawn: Iterable[tuple[str, str]]) -> str:
    match event:
        case BlindNil(seat=seat, bid=bid):
            return f"{seat}{'!' if bid else '.'}"
        case Draw(seat=seat, kept=kept):
            pair = next(iter(drawn))
            return f"{seat}+{code(pair)}" if kept == "first" else f"{seat}-{code(pair[::-1])}"
        case Exchange(seat=seat, count=count, cards=cards, drawn=new):
            return f"{seat}*{count}{code(cards)}{code(new)}"
        case Bid(seat=seat, bid=bid):
            return f"{seat}={bid:x}"
        case Play(seat=seat, card=card):
            return f"{seat}{_CODES[card]}"
        case Trick(seat=seat):
            return str(seat)
    return ""
