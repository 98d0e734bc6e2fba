"""A trained policy as a bot's folder; knows what a linear policy is and not how it was trained."""

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from arena.env import encoding
from arena.env.kinds import kind_of

_MANIFEST = """\
name: {name}
version: "1.0.0"
games: [{game}]
command: [python3, bot.py]
protocol: 1
description: Plays the action that a trained linear policy rates highest.
"""


def write_bot(folder: Path, game: str, weights: Sequence[Sequence[float]]) -> Path:
    """Write a bot that plays a linear policy, named as its folder; one that is there is replaced.

    ``weights[action]`` has a weight for each number of an observation, then a bias. The bot needs
    nothing but Python. Raises `ValueError` for weights of another shape or a game that is not
    there.
    """
    width = encoding.length(kind_of(game).seats) + 1
    if len(weights) != encoding.ACTIONS or any(len(row) != width for row in weights):
        raise ValueError(f"weights for {game} have the shape ({encoding.ACTIONS}, {width})")
    folder.mkdir(parents=True, exist_ok=True)
    room = files("arena.env")
    program = room.joinpath("bot.py.tmpl").read_text("utf-8").replace("{{name}}", folder.name)
    copied = room.joinpath("encoding.py").read_text("utf-8")
    rounded = [[round(float(weight), 5) for weight in row] for row in weights]
    for name, text in (
        ("bot.py", program),
        ("encoding.py", copied),
        ("policy.json", json.dumps(rounded)),
        ("bot.yaml", _MANIFEST.format(name=folder.name, game=game)),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return folder
