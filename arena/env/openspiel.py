"""An OpenSpiel bot as a bot's folder; knows where OpenSpiel is installed, and never imports it."""

import shutil
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

_MANIFEST = """\
name: {name}
version: "1.0.0"
games: [partnership]
command: [python3, bot.py]
protocol: 1
description: Plays as an OpenSpiel bot does.
"""
_PACKAGES = ("open_spiel", "open_spiel/python", "open_spiel/python/bots")
"""Folders whose modules are copied: the bots that need nothing but OpenSpiel's compiled part."""


def write_bot(folder: Path, source: Path, *, copy: bool = True) -> Path:
    """Write a bot that plays as an OpenSpiel bot does, named as its folder; an old one is replaced.

    ``source`` is a Python file with ``make_bot(game, player, seed)``, which gives a
    ``pyspiel.Bot`` for OpenSpiel's game ``spades``. OpenSpiel is copied into the folder's ``lib``,
    for a sandbox whose Python is of this version and has it not; with ``copy=False`` it is not.
    Raises `ModuleNotFoundError` where there is nothing to copy, `OSError` for a file that cannot
    be read or written.
    """
    program = source.read_text("utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(folder / "lib", ignore_errors=True)
    if copy:
        _copy_openspiel(folder / "lib")
    room = files("arena.env")
    bot = room.joinpath("spiel_bot.py.tmpl").read_text("utf-8").replace("{{name}}", folder.name)
    for name, text in (
        ("bot.py", bot),
        ("spiel.py", room.joinpath("spiel.py").read_text("utf-8")),
        ("player.py", program),
        ("bot.yaml", _MANIFEST.format(name=folder.name)),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _copy_openspiel(target: Path) -> None:
    compiled = find_spec("pyspiel")
    if compiled is None or compiled.origin is None:
        raise ModuleNotFoundError("OpenSpiel is not installed; pip install 'arena[openspiel]'")
    library = Path(compiled.origin)
    target.mkdir()
    shutil.copy2(library, target)
    for package in _PACKAGES:
        (target / package).mkdir()
        for module in (library.parent / package).glob("*.py"):
            if not module.stem.endswith("_test"):
                shutil.copy2(module, target / package)
    for licence in library.parent.glob("open_spiel-*.dist-info/licenses/*"):
        shutil.copy2(licence, target)
