"""The environments of arena.env.table, by PettingZoo's own tests and the games themselves."""

import re
from pathlib import Path

import msgspec
import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from arena.cards import NAMES
from arena.deals import SeededBoard
from arena.env import encoding
from arena.env.table import GameName, SpadesEnv, env
from arena.games.game import Decision, IllegalMove
from tests.playing import GAMES, choose, picker

BOTH: list[GameName] = ["two-player", "partnership"]
pytestmark = pytest.mark.parametrize("game", BOTH)


def take(table: SpadesEnv, pick: np.random.Generator) -> int:
    mask = np.asarray(table.observe(table.agent_selection)["action_mask"])
    return int(pick.choice(np.flatnonzero(mask)))


@pytest.mark.filterwarnings("ignore::UserWarning")  # observations are dicts, as masks need
def test_pettingzoo_s_own_test_of_the_interface_passes(game: GameName) -> None:
    api_test(env(game), num_cycles=500)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_same_seed_gives_the_same_game(game: GameName) -> None:
    seed_test(lambda: env(game), num_cycles=100)


def test_it_is_rendered_as_text(game: GameName) -> None:
    render_test(lambda render_mode: env(game, render_mode=render_mode))


def test_every_decision_of_whole_games_goes_through_single_actions(game: GameName) -> None:
    table, pick, met = SpadesEnv(game, max_hands=40), np.random.default_rng(1), set()
    for seed in range(3):
        table.reset(seed=seed)
        while not any(table.terminations.values()):
            met.add(table._game.decision)
            assert table.observation_spaces["seat_0"].contains(table.observe("seat_0"))
            table.step(take(table, pick))
        assert sorted(set(table.rewards.values())) in ([-1.0, 1.0], [0.0])
    multiple = Decision.PASS if game == "partnership" else Decision.EXCHANGE
    assert {Decision.BLIND_NIL, Decision.BID, Decision.PLAY, multiple} <= met


def test_masks_hold_the_legal_moves_and_moves_are_those_of_the_game(game: GameName) -> None:
    table, pick = SpadesEnv(game, max_hands=10), picker("masks")
    table.reset(seed=7)
    kind = GAMES[game]
    other = kind(msgspec.convert({"max_hands": 10}, kind.rules_type), SeededBoard("7", 1))
    while other.outcome is None:
        decision, move = other.decision, choose(other, pick)
        wire = other.move_on_wire(move)
        for action in _spelt(decision, wire):
            seat = table.possible_agents[other.seat]
            assert table.agent_selection == seat
            mask = np.asarray(table.observe(seat)["action_mask"])
            assert mask[action] == 1
            if decision in (Decision.PLAY, Decision.BID, Decision.DRAFT):
                assert mask.sum() == len(other.legal())
            table.step(action)
        other.apply(move)
    assert table._game.log == other.log
    assert all(table.terminations.values())


def _spelt(decision: Decision, wire: object) -> list[int]:
    """The actions that spell a move."""
    if isinstance(wire, list):
        cards = [NAMES.index(name) for name in wire]
        return cards if len(cards) == 3 else [*cards, encoding.DONE]
    if isinstance(wire, str):
        return [NAMES.index(wire)]
    if decision is Decision.BID:
        assert isinstance(wire, int)
        return [encoding.BID + wire]
    return [encoding.YES if wire else encoding.NO]


def test_points_of_hands_are_rewards_where_they_are_asked_for(game: GameName) -> None:
    table, pick = SpadesEnv(game, rewards="hand", max_hands=3), np.random.default_rng(2)
    table.reset(seed=3)
    total = 0.0
    while not any(table.terminations.values()):
        table.step(take(table, pick))
        total += table.rewards["seat_0"]
    scores = table._game.scores
    assert total == scores[0] - scores[1] != 0


def test_nothing_but_what_a_seat_may_know_is_observed(game: GameName) -> None:
    table, pick = SpadesEnv(game), np.random.default_rng(4)
    table.reset(seed=5)
    while table._game.decision is not Decision.PLAY:
        table.step(take(table, pick))
    own, other = (msgspec.to_builtins(table._game.view(seat)) for seat in (0, 1))
    hidden = set(other["hand"])
    seen = np.asarray(table.observe("seat_0")["observation"])
    sets = seen[: 52 * (6 + len(table.agents))].reshape(-1, 52)
    known = {NAMES[card] for card in np.flatnonzero(sets.any(axis=0))}
    assert not (known - set(own.get("passed", ()))) & hidden


def test_an_illegal_action_is_refused_by_the_game_and_ends_the_wrapped_one(game: GameName) -> None:
    table = SpadesEnv(game)
    table.reset(seed=1)
    with pytest.raises(IllegalMove):
        table.step(encoding.BID)
    wrapped = env(game)
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(encoding.BID)
    assert wrapped.rewards[agent] == -1.0


def test_what_is_not_there_is_refused_by_name(game: GameName) -> None:
    with pytest.raises(ValueError, match="no_rule"):
        SpadesEnv(game, no_rule=1)
    with pytest.raises(ValueError, match="tricks"):
        SpadesEnv(game, rewards="tricks")  # type: ignore[arg-type]


def test_observations_have_the_shape_that_the_page_for_learners_names(game: GameName) -> None:
    (size,) = SpadesEnv(game).observation_spaces["seat_0"]["observation"].shape or ()
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text()
    assert f"`({size},)` in the {game} game" in page
    assert f"`Discrete({encoding.ACTIONS})`" in page


def test_the_copy_of_names_in_the_encoding_is_that_of_the_cards(game: GameName) -> None:
    assert encoding.NAMES == NAMES
    assert tuple(Decision) == encoding.DECISIONS


def test_the_example_for_learners_plays_a_game(game: GameName) -> None:
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text()
    code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0].replace("two-player", game)
    played: dict[str, SpadesEnv] = {}
    exec(code, played)
    assert all(played["table"].unwrapped.terminations.values()) or not played["table"].agents
