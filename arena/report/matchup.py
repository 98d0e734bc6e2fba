"""A match cut down to what the pages tell of it: results, bids and tricks by hand, habits, times.

It knows records, and how little of each is enough; it never knows a page. What it keeps is small
enough to be kept for every match of a long tournament.
"""

from collections.abc import Iterable

import msgspec

from arena.games.scoring import SpadesRules
from arena.match import game_type
from arena.record import GameRecord, HandRecord
from arena.report.habits import (
    FinishedHand,
    Habits,
    Stopwatch,
    Times,
    finished,
    habits_of,
)
from arena.store import GameKey

DOUBLE_NIL = -1
"""Stands for a bid of double nil, where 0 is nil."""


class HandLine(msgspec.Struct, frozen=True, array_like=True):
    """A finished hand: bids and tricks by seat, points and scores by side."""

    bids: tuple[int, ...]
    tricks: tuple[int, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...]


class GameLine(msgspec.Struct, frozen=True, array_like=True):
    """A game: its result, its faults as (seat, kind), and its finished hands.

    `hands` counts them all, also one that was cut short.
    """

    key: GameKey
    scores: tuple[int, ...]
    winner: int | None
    reason: str
    hands: int
    faults: tuple[tuple[int, str], ...]
    lines: tuple[HandLine, ...]


class Matchup(msgspec.Struct, frozen=True, array_like=True):
    """A match: its games in order; what each bot did in the games that may be told of.

    `habits` and `times` are by board and bot, as a board that is still to be played is held back.
    """

    games: tuple[GameLine, ...]
    habits: dict[int, dict[str, Habits]]
    times: dict[str, Times]


def cut_down(games: Iterable[GameRecord]) -> Matchup:
    """Cut the games of a match down, reading each once."""
    lines: list[GameLine] = []
    habits: dict[int, dict[str, Habits]] = {}
    watch = Stopwatch()
    for game in games:
        watch.gather(game)
        hands = [(hand, done) for hand in game.hands if (done := finished(hand))]
        lines.append(_game_line(game, tuple(_hand_line(*pair) for pair in hands)))
        rules = msgspec.convert(game.rules, game_type(game.game).rules_type)
        if isinstance(rules, SpadesRules):
            by_bot = habits.setdefault(game.board, {})
            for bot, found in habits_of(game, (done for _, done in hands), rules).items():
                by_bot.setdefault(bot, Habits()).add(found)
    return Matchup(tuple(lines), habits, watch.count())


def _game_line(game: GameRecord, lines: tuple[HandLine, ...]) -> GameLine:
    return GameLine(
        key=GameKey(game.match, game.board, game.sitting),
        scores=game.result.scores,
        winner=game.result.winner,
        reason=game.result.reason,
        hands=len(game.hands),
        faults=tuple((fault.seat, fault.kind.value) for fault in game.faults),
        lines=lines,
    )


def _hand_line(hand: HandRecord, done: FinishedHand) -> HandLine:
    pairs = zip(done.bids, done.doubles, strict=True)
    bids = tuple(DOUBLE_NIL if double else bid for bid, double in pairs)
    return HandLine(bids, done.tricks, hand.points or (), hand.scores or ())
