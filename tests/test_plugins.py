"""Plug-ins are found by name, and nothing is loaded before it is asked for."""

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.games.two_player import TwoPlayer
from arena.plugins import FORMATS, GAMES, OWN, SANDBOXES, load_entry, load_plugin, plugins

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def test_the_arena_s_own_are_those_of_its_metadata() -> None:
    written = tomllib.loads(PROJECT.read_text())["project"]["entry-points"]
    assert {group: dict(kinds) for group, kinds in OWN.items()} == written


def test_every_plug_in_has_an_entry_that_is_not_loaded() -> None:
    found = plugins(GAMES)
    assert list(found) == sorted(found)
    assert {"two-player", "partnership"} <= set(found)
    assert all(isinstance(entry, EntryPoint) for entry in found.values())


def test_a_plug_in_is_loaded_by_its_name() -> None:
    assert load_plugin(GAMES, "two-player") is TwoPlayer


@pytest.mark.parametrize(
    ("group", "name", "message"),
    [
        (GAMES, "two_player", "there is no game 'two_player'; did you mean 'two-player'?"),
        (FORMATS, "roundrobin", "there is no format 'roundrobin'; did you mean 'round_robin'?"),
        (SANDBOXES, "nine", "there is no sandbox 'nine'; did you mean 'none'?"),
        ("arena.unknown", "x", "there is no unknown 'x'"),
    ],
)
def test_a_name_that_is_not_on_offer_is_refused(group: str, name: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        load_plugin(group, name)
    assert str(refused.value) == message


def test_a_plug_in_that_cannot_be_loaded_says_why() -> None:
    entry = EntryPoint("broken", "arena.games.nowhere:Game", GAMES)
    with pytest.raises(InputError) as refused:
        load_entry(entry)
    assert str(refused.value) == (
        "the game 'broken' cannot be loaded from arena.games.nowhere:Game: "
        "No module named 'arena.games.nowhere'; install what it needs"
    )
