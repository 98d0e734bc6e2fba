"""The referee: plays one game as questions and answers, and judges a record again.

It knows games only as `arena.games.game.Game`; it never knows a process, a clock or a file.
"""

from arena.referee.play import (
    Answer,
    Ask,
    Asking,
    Played,
    Setup,
    expected_moves,
    move_words,
    play_game,
    unplayed,
)
from arena.referee.retelling import Life, Retold, retell
from arena.referee.steps import Step, follow, step_through
from arena.referee.verify import UnplayableRecord, replay, verify_game

__all__ = [
    "Answer",
    "Ask",
    "Asking",
    "Life",
    "Played",
    "Retold",
    "Setup",
    "Step",
    "UnplayableRecord",
    "expected_moves",
    "follow",
    "move_words",
    "play_game",
    "replay",
    "retell",
    "step_through",
    "unplayed",
    "verify_game",
]
