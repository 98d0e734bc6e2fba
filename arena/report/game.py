"""The page of a game: the replay's data, and every hand as text that needs no script.

It knows what stands on the page; how a hand is told is in `telling`, and what the script reads in
`replay`. It never knows a rule.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec
from markupsafe import Markup

from arena.deals import Board
from arena.games.game import Decision, Game
from arena.record import GameRecord, HandRecord
from arena.referee import Step, step_through
from arena.report.replay import Longest, by_hand, encode_hand, longest_of
from arena.report.telling import seat_names, side_names, tell_faults, tell_hand
from arena.report.text import integer, printable, signed

HOW = {
    "target": "reaching the target in hand {}",
    "floor": "at the floor in hand {}",
    "max_hands": "in hand {}, the last",
}
"""How a finished game ended, in words."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A line of the score sheet: by side bids, tricks, points, bags and score, as text."""

    number: int
    sides: tuple[tuple[str, ...], ...]


def outcome(record: GameRecord) -> str:
    """Say in a sentence how a game ended."""
    result, sides = record.result, side_names(record)
    scores = " to ".join(map(integer, result.scores))
    if result.reason == "void":
        return "Void: both sides failed, and the game counts for no one."
    how = HOW.get(result.reason, "").format(len(record.hands))
    if result.winner is None:
        return f"A draw, {scores}, {how}."
    winner, loser = sides[result.winner], sides[1 - result.winner]
    if result.reason == "fault":
        return f"{winner} won by a fault of {loser}, at {scores}."
    best_first = scores if result.winner == 0 else " to ".join(map(integer, result.scores[::-1]))
    return f"{winner} won, {best_first}, {how}."


def content(record: GameRecord, start: Callable[[Board], Game]) -> dict[str, object]:
    """Give the template what it shows; `start` builds the record's game on a board."""
    hands = by_hand(step_through(record, start))
    names, longest = seat_names(record), longest_of(record)
    return {
        "outcome": outcome(record),
        "names": names,
        "sides": side_names(record),
        "sheet": [_sheet_row(hand) for hand in record.hands],
        "hands": [
            tell_hand(names, hand, steps, longest.note)
            for hand, steps in zip(record.hands, hands, strict=True)
        ],
        "faults": tell_faults(names, record.faults),
        "replay": embed(_replay(record, hands, longest)) if hands else None,
    }


def embed(value: object) -> Markup:
    """Write a value as JSON that cannot end the script element it stands in.

    The strangers' words in it have passed `printable`.
    """
    return Markup(msgspec.json.encode(value).decode().replace("<", "\\u003c"))  # noqa: S704


def _replay(
    record: GameRecord, hands: Sequence[Sequence[Step]], longest: Longest
) -> dict[str, object]:
    encoded = [
        encode_hand(steps, hand.deck, longest)
        for hand, steps in zip(record.hands, hands, strict=True)
    ]
    names = [printable(name) for name in seat_names(record)]
    return {"names": names, "peek": record.rules.get("peek") is True, "hands": encoded}


def _sheet_row(hand: HandRecord) -> SheetRow:
    return SheetRow(hand.number, (_sheet_side(hand, 0), _sheet_side(hand, 1)))


def _sheet_side(hand: HandRecord, side: int) -> tuple[str, ...]:
    bid = "+".join(_bids(hand)[side::2])
    if hand.tricks is None or hand.points is None or hand.bags is None or hand.scores is None:
        return (bid, "", "", "", "")
    tricks = "+".join(map(str, hand.tricks[side::2]))
    points, score = signed(hand.points[side], 0), integer(hand.scores[side])
    return (bid, tricks, points, str(hand.bags[side]), score)


def _bids(hand: HandRecord) -> list[str]:
    """Give each seat's bid as text."""
    bids = [""] * (1 + max((move.seat for move in hand.moves), default=1))
    for move in hand.moves:
        if move.decision is Decision.BLIND_NIL and move.move is True:
            bids[move.seat] = "2nil"
        elif move.decision is Decision.BID:
            bids[move.seat] = str(move.move or "nil")
    return bids
