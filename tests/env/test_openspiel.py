"""OpenSpiel's own bots at the arena's table, and what they are shown there."""

import csv
import io
import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pyspiel
import pytest

from arena.deals import SeededBoard
from arena.env import spiel
from arena.env.openspiel import write_bot
from arena.games.game import Decision
from arena.games.partnership import Partnership, PartnershipRules
from tests.env.commands import arena

ROOT = Path(__file__).parents[2]
UNIFORM = """\
from random import Random

from open_spiel.python.bots.uniform_random import UniformRandomBot


def make_bot(game, player, seed):
    return UniformRandomBot(player, Random(seed + player))
"""
STUBBORN = """\
import pyspiel


class Stubborn(pyspiel.Bot):
    def __init__(self):
        pyspiel.Bot.__init__(self)
        self.lines = []

    def restart(self):
        self.lines = []

    def provides_force_action(self):
        return True

    def force_action(self, state, action):
        self.lines.append(f"forced {action}")

    def inform_action(self, state, player, action):
        mover = state.current_player()
        self.lines.append(f"{mover}{player} {state.action_to_string(player, action)}")

    def step(self, state):
        print("a line of its own:", ", ".join(self.lines))
        return 65 if state.current_phase() == 1 else pyspiel.INVALID_ACTION


def make_bot(game, player, seed):
    assert game.get_parameters()["win_threshold"] == 200
    return Stubborn()
"""


def play(folder: Path, **settings: object) -> dict[str, dict[str, str]]:
    """Play the folder's bots in the sandbox, and give the leaderboard by name."""
    cup = {
        "name": "cup",
        "game": "partnership",
        "bots": ["bots/*"],
        "boards": 1,
        "seed": "spiel",
        "rules": {"max_hands": 3},
        "time": {"startup": 60, "move": 60, "hand": 60},
        **settings,
    }
    (folder / "cup.yaml").write_text(json.dumps(cup))
    arena(folder, "run", "cup.yaml", "--out", "results/cup")
    text = arena(folder, "leaderboard", "results/cup", "--format", "csv")
    return {row["bot"]: row for row in csv.DictReader(io.StringIO(text))}


def written(folder: Path, name: str, program: str) -> Path:
    source = folder / f"{name}.py"
    source.write_text(program)
    return write_bot(folder / "bots" / name, source)


def test_a_search_of_openspiel_s_wins_as_the_page_says(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "learning.md").read_text().split("## Bots of OpenSpiel")[1]
    searcher, program = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "searcher.py").write_text(searcher)
    (tmp_path / "bots").mkdir()
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    written(tmp_path, "uniform", UNIFORM)
    table = play(tmp_path)
    assert [row["faults"] for row in table.values()] == ["0", "0"]
    assert table["searcher"]["wins"] == table["searcher"]["games"] == "2", table


def test_a_bot_of_openspiel_s_plays_with_every_rule_that_openspiel_has_not(tmp_path: Path) -> None:
    written(tmp_path, "uniform", UNIFORM)
    shutil.copytree(ROOT / "bots" / "random", tmp_path / "bots" / "random")
    rules = {
        "max_hands": 2,
        "floor": -250,
        "lead_spades": "anytime",
        "max_side_bid": 4,
        "failed_nil": "help",
    }
    table = play(tmp_path, rules=rules, boards=3)
    assert [row["faults"] for row in table.values()] == ["0", "0"]


def test_an_action_that_is_not_legal_is_replaced_and_noted(tmp_path: Path) -> None:
    written(tmp_path, "stubborn", STUBBORN)
    shutil.copytree(ROOT / "bots" / "random", tmp_path / "bots" / "random")
    rules = {"max_hands": 1, "target": 200, "max_side_bid": 7, "double_nil": False}
    table = play(tmp_path, rules=rules)
    assert [row["faults"] for row in table.values()] == ["0", "0"]
    lines = arena(tmp_path, "export", "results/cup").splitlines()
    notes = [note for line in lines for note in re.findall(r'"note":"([^"]*)"', line)]
    assert "the bot's action 65 is not legal here" in notes  # 13 beside a partner's bid
    assert "the bot's action -1 is not legal here" in notes


def test_a_bot_is_told_each_action_of_others_once(tmp_path: Path) -> None:
    folder = written(tmp_path, "stubborn", STUBBORN)
    game = Partnership(PartnershipRules(target=200, max_hands=1), SeededBoard("told", 1))
    seat, plays = 2, list[str]()
    requests: list[dict[str, object]] = []
    while game.outcome is None:
        decision, legal = game.decision, game.legal_on_wire()
        move = {Decision.BLIND_NIL: False, Decision.BID: 2}.get(decision, legal[0])
        if game.seat == seat:
            view = json.loads(msgspec.json.encode(game.view(seat)))
            one = {"board": 1, "hand": 1, "decision": decision.value, "view": view, "legal": legal}
            requests.append({"type": "request", "id": len(requests) + 1, **one})
        elif decision is Decision.PLAY:
            plays.append(str(move)[::-1])
        game.apply(game.parse_move(move))
    rules = msgspec.to_builtins(PartnershipRules(target=200))
    hello = {"type": "hello", "rules": rules, "seat": seat, "seed": 7}
    lines = [json.dumps(one) for one in (hello, *requests, {"type": "end"})]
    done = subprocess.run(
        [sys.executable, "bot.py"],
        cwd=folder,
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(done.stdout.splitlines()) == 1 + len(requests)
    told = done.stderr.splitlines()[-1].split(": ")[1].split(", ")
    others = [one.split() for one in told if not one.startswith("forced")]
    assert all(mover[0] == mover[1] for mover, _ in others)
    cards = [action for _, action in others if len(action) == 2]
    assert cards == plays[: len(cards)]
    assert len(cards) >= 36
    # Each answer was replaced: the bid and the cards before the last question.
    assert len(told) - len(others) == 13


@pytest.mark.parametrize("seed", range(8))
def test_a_state_agrees_with_all_that_a_seat_knows(seed: int) -> None:
    draw = random.Random(seed)
    rules = PartnershipRules(max_hands=2)
    game = Partnership(rules, SeededBoard(str(seed), 1))
    table = pyspiel.load_game("spades")
    while game.outcome is None:
        seat, decision, legal = game.seat, game.decision, game.legal_on_wire()
        view = json.loads(msgspec.json.encode(game.view(seat)))
        if decision in (Decision.BID, Decision.PLAY):
            state = table.new_initial_state()
            for action in spiel.history(view, seat, decision.value, draw):
                if state.move_number() >= 56:
                    assert_follows(state, action)
                state.apply_action(action)
            player = spiel.player_of(seat, view)
            assert state.current_player() == player
            held = [
                card for card, has in enumerate(state.private_observation_tensor(player)) if has
            ]
            assert [spiel.move_of(card) for card in held] == view["hand"]
            if decision is Decision.PLAY:
                partner = state.private_observation_tensor((player + 2) % 4)
                gone = {*view["played"], *(one["card"] for one in view["trick"]), *view["hand"]}
                for name in set(view["passed"]) - gone:
                    assert partner[spiel._card(name)]
            assert {spiel.move_of(action) for action in state.legal_actions()} <= set(legal)
        if decision is Decision.BID:
            move: object = draw.choice(legal[:6])
        elif decision is Decision.PASS:
            move = draw.sample(legal, 3)
        else:
            move = draw.choice(legal)
        game.apply(game.parse_move(move))


def assert_follows(state: pyspiel.State, action: int) -> None:
    """OpenSpiel finds an action legal, but for the lead of a spade."""
    if action not in state.legal_actions():
        assert action >= 39
        assert (state.move_number() - 56) % 4 == 0


def test_a_side_s_bid_above_13_is_shown_as_13() -> None:
    view: spiel.View = {
        "hand": [spiel.move_of(card) for card in range(13)],  # type: ignore[misc]
        "trick": [],
        "played": [],
        "leaders": [],
        "bids": [9, 4, 9, 3],
        "first": 3,
        "passed": [],
    }
    bids = spiel.history(view, 0, "play", random.Random(1))[52:]
    assert [spiel.move_of(bid) for bid in bids] == [9, 4, 4, 3]


def test_without_openspiel_there_is_nothing_to_copy(tmp_path: Path) -> None:
    (tmp_path / "player.py").write_text(UNIFORM)
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from pathlib import Path\n"
        "from arena.env.openspiel import write_bot\n"
        "write_bot(Path('bot'), Path('player.py'), copy=False)\n"
        "write_bot(Path('bot'), Path('player.py'))\n"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.endswith("pip install 'arena[openspiel]'\n")
    left = subprocess.run(
        [sys.executable, "-S", "bot.py"],
        cwd=tmp_path / "bot",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "OpenSpiel cannot be imported by Python" in left.stderr
