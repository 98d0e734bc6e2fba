"""Playing games in tests: any game to its end, by a rule for choosing that the test gives."""

from collections.abc import Callable, Mapping

import msgspec

from arena.deals import Board, SeededBoard, Stream
from arena.games.game import Decision, Game, Move
from arena.games.partnership import Partnership
from arena.games.two_player import TwoPlayer

GAMES: dict[str, type[Game]] = {"two-player": TwoPlayer, "partnership": Partnership}

Pick = Callable[[int], int]
"""Picks a number below n: the only thing that a playthrough leaves to chance."""


def start(name: str, board: Board | None = None, **rules: object) -> Game:
    """Start a game by name on a board (board 1 of seed "2026" unless given)."""
    game = GAMES[name]
    return game(msgspec.convert(rules, game.rules_type), board or SeededBoard("2026", 1))


def choose(game: Game, pick: Pick) -> Move:
    """Choose a legal move: bids stay low so that games move on, card choices are distinct."""
    legal = game.legal()
    if game.decision is Decision.EXCHANGE:
        return _distinct(legal, pick(4), pick)
    if game.decision is Decision.PASS:
        return _distinct(legal, 3, pick)
    if game.decision is Decision.BID:
        return legal[pick(min(6, len(legal)))]
    return legal[pick(len(legal))]


def _distinct(cards: tuple[int, ...], count: int, pick: Pick) -> tuple[int, ...]:
    left = list(cards)
    return tuple(left.pop(pick(len(left))) for _ in range(count))


def play_out(game: Game, pick: Pick, each: Callable[[Game], object] = lambda _: None) -> Game:
    """Play a game to its end; `each` looks at it before every move."""
    while game.outcome is None:
        each(game)
        game.apply(choose(game, pick))
    return game


def play_cards(game: Game, answers: Mapping[Decision, Move]) -> Game:
    """Answer everything before play: as `answers` say, else as the referee's substitute would."""
    while game.decision is not Decision.PLAY:
        game.apply(answers.get(game.decision, game.substitute()))
    return game


def picker(label: str) -> Pick:
    """Pick from a stream, the same on every machine."""
    return Stream("playthrough", label).uniform
