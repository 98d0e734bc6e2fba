"""Both games as PettingZoo environments, one agent a seat; knows no policy and no bot.

The rules are those of `arena.games`: this module only puts actions to them one at a time, keeps
the cards chosen so far, and gives rewards.
"""

from typing import ClassVar, Literal, TypeAlias

import msgspec
import numpy as np
from gymnasium import spaces
from gymnasium.utils.seeding import np_random
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from arena.deals import SeededBoard
from arena.env import encoding
from arena.env.kinds import kind_of
from arena.games.game import HandEnd, IllegalMove

GameName: TypeAlias = Literal["two-player", "partnership"]
Rewards: TypeAlias = Literal["game", "hand"]
Observation: TypeAlias = dict[str, NDArray[np.float32] | NDArray[np.int8]]


class SpadesEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game of Spades between agents ``seat_0``, ``seat_1`` … that take single actions in turn.

    An observation is ``{"observation": float32 (n,), "action_mask": int8 (69,)}`` with n of
    `arena.env.encoding.length`: 439 in the two-player game, 555 in the partnership game. The mask
    of who is not to move is all zeros.

    Rewards are zero until the game ends, then 1 for the winners, -1 for the losers, 0 for a draw;
    with ``rewards="hand"`` each hand gives its points less the other side's instead.
    """

    metadata: ClassVar[dict[str, object]] = {
        "name": "spades_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        game: GameName = "partnership",
        *,
        rewards: Rewards = "game",
        render_mode: Literal["ansi"] | None = None,
        **rules: object,
    ) -> None:
        """Choose a game and its rules, by the names and defaults of docs/rules.md.

        Raises `ValueError` for a game, a kind of reward or a rule that is not there.
        """
        super().__init__()
        self._kind = kind_of(game)
        if rewards not in ("game", "hand"):
            raise ValueError(f"{rewards!r} is no kind of reward; there are game, hand")
        self._rules = msgspec.convert(rules, self._kind.rules_type)
        self._by_hand = rewards == "hand"
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(self._kind.seats)]
        size = encoding.length(self._kind.seats)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-10.0, 10.0, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (encoding.ACTIONS,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(encoding.ACTIONS) for agent in self.possible_agents
        }
        self._seed: int | None = None
        self._board = 0

    def observation_space(self, agent: str) -> spaces.Space[object]:
        """Give the agent's space, the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[object]:
        """Give the agent's space, the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Begin a game: on board 1 of a seed, or without one on the next board. Rules: D1."""
        if seed is not None:
            self._seed, self._board = seed, 0
        elif self._seed is None:
            self._seed = np_random()[1]
        self._board += 1
        self._game = self._kind(self._rules, SeededBoard(str(self._seed), self._board))
        self._chosen: list[str] = []
        self._logged = len(self._game.log)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._game.seat]

    def observe(self, agent: str) -> Observation:
        """Show what the agent's seat may know, and which actions it may take."""
        game, seat = self._game, self.possible_agents.index(agent)
        mask = np.zeros(encoding.ACTIONS, np.int8)
        own = game.outcome is None and seat == game.seat
        chosen = self._chosen if own else []
        if own:
            mask[encoding.actions(game.decision.value, game.legal_on_wire(), chosen)] = 1
        view = msgspec.to_builtins(game.view(seat))
        numbers = encoding.encode(view, seat, game.decision.value, chosen)
        return {"observation": np.array(numbers, np.float32), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Take an action for the agent whose turn it is. Raises `IllegalMove`."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        game = self._game
        decision = game.decision.value
        if action not in encoding.actions(decision, game.legal_on_wire(), self._chosen):
            raise IllegalMove(f"{action} is no legal action of {agent} here; see its action_mask")
        move = encoding.move(decision, int(action), self._chosen)
        if move is None:
            self._chosen.append(encoding.NAMES[action])
        else:
            game.apply(game.parse_move(move))
            self._chosen = []
            self._reward()
        if game.outcome is None:
            self.agent_selection = self.agents[game.seat]
        else:
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def _reward(self) -> None:
        """Set what each agent gets for what was logged since the last move."""
        game = self._game
        ended = [event for event in game.log[self._logged :] if isinstance(event, HandEnd)]
        self._logged = len(game.log)
        if self._by_hand:
            lead = float(sum(event.points[0] - event.points[1] for event in ended))
        elif game.outcome is not None and game.outcome.winner is not None:
            lead = 1.0 - 2.0 * game.outcome.winner
        else:
            lead = 0.0
        self.rewards = {
            agent: -lead if seat % 2 else lead for seat, agent in enumerate(self.agents)
        }

    def render(self) -> str:
        """Write the hand being played: scores, each seat's cards and the cards on the table."""
        game = self._game
        views = [msgspec.to_builtins(game.view(seat)) for seat in range(game.seats)]
        lines = [f"hand {game.hand}, scores {game.scores[0]} {game.scores[1]}"]
        for seat, view in enumerate(views):
            lines.append(f"seat_{seat}: bid {view['bids'][seat]}, {' '.join(view['hand'])}")
        lines.append("table: " + " ".join(one["card"] for one in views[0]["trick"]))
        return "\n".join(lines)

    def close(self) -> None:
        """Nothing is open."""


def env(
    game: GameName = "partnership",
    *,
    rewards: Rewards = "game",
    render_mode: Literal["ansi"] | None = None,
    **rules: object,
) -> AECEnv[str, Observation, int]:
    """Make a `SpadesEnv` in PettingZoo's usual wrappers: an illegal action ends it with -1."""
    raw = SpadesEnv(game, rewards=rewards, render_mode=render_mode, **rules)
    return wrappers.OrderEnforcingWrapper(wrappers.TerminateIllegalWrapper(raw, -1.0))
