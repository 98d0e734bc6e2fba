"""The games that there are environments for, by name; needs no library."""

from arena.games.game import Game
from arena.games.partnership import Partnership
from arena.games.two_player import TwoPlayer

_GAMES: dict[str, type[Game]] = {game.name: game for game in (TwoPlayer, Partnership)}


def kind_of(game: str) -> type[Game]:
    """Give the rules of a game by its name. Raises `ValueError` for one that is not there."""
    if game not in _GAMES:
        raise ValueError(f"{game!r} is no game; there are {', '.join(_GAMES)}")
    return _GAMES[game]
