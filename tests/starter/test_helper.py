"""The Python helper of a new bot, which speaks the game's words."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from arena.cards import NAMES
from arena.starter import new_bot


@pytest.fixture(scope="module")
def spades(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = new_bot("eve", "python", tmp_path_factory.mktemp("helper"))
    spec = importlib.util.spec_from_file_location("spades_of_eve", folder / "spades.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table(spades: ModuleType, *trick: tuple[int, str], game: str = "partnership") -> object:
    played = [{"seat": seat, "card": card} for seat, card in trick]
    view = {"trick": played, "hand": ["2C"], "bids": [None, 3, 0, 2], "tricks": [0, 1, 2, 3]}
    request = {"decision": "play", "legal": ["2C"], "view": view, "time_left": 5.0}
    return spades.Table(game, 3, request)


def test_its_pack_is_the_arena_s_in_its_order(spades: ModuleType) -> None:
    assert list(spades.CARDS) == list(NAMES)
    ten = spades.Card("TD")
    assert (ten, ten.rank, ten.suit, ten.is_spade) == ("TD", 10, "D", False)
    assert json.dumps(ten) == '"TD"'
    assert spades.Card("AS").is_spade


@pytest.mark.rule("C6")
def test_it_tells_who_takes_the_trick(spades: ModuleType) -> None:
    for trick, led, winner in (
        ((), None, None),
        (((0, "TD"),), "D", 0),
        (((0, "TD"), (1, "KD"), (2, "AC")), "D", 1),
        (((0, "TD"), (1, "2S"), (2, "AD")), "D", 1),
    ):
        seen = table(spades, *trick)
        assert seen.led == led  # type: ignore[attr-defined]
        winning = seen.winning  # type: ignore[attr-defined]
        assert (winning.seat if winning else None) == winner


def test_it_knows_partner_bid_and_tricks(spades: ModuleType) -> None:
    seen = table(spades)
    assert (seen.partner, seen.bid, seen.tricks) == (1, 2, 3)  # type: ignore[attr-defined]
    assert table(spades, game="two-player").partner is None  # type: ignore[attr-defined]


def test_it_is_typed_throughout(tmp_path: Path) -> None:
    folder = new_bot("eve", "python", tmp_path)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "spades.py", "bot.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
