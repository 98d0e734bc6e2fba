"""Tournaments of bots that are never run, and an executor that plays them in this process."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import msgspec

from arena.bots import Bot, Manifest
from arena.config import Choice, Tournament
from arena.executors.executor import Failed, Finished, Outcome
from arena.executors.local import LocalOptions
from arena.formats.round_robin import RoundRobinOptions
from arena.games.partnership import PartnershipRules
from arena.games.two_player import TwoPlayerRules
from arena.protocol import TimeControl
from arena.ratings.trueskill import TrueSkillOptions
from arena.record import FaultPolicy, Limits, MatchRecord, MatchSpec, encode_game
from arena.store import Store
from arena.tournament import Progress, counted_games, open_run, run
from tests.matches import entrant, play

Play = Callable[[MatchSpec], MatchRecord]


def bot(name: str) -> Bot:
    """An entrant of that name whose folder is nowhere."""
    manifest = Manifest(
        name=name, version="1.0", games=("two-player",), command=("./bot",), protocol=1
    )
    return Bot(entrant(name), Path("/nowhere") / name, manifest)


def tournament(folder: Path, *names: str, **given: object) -> Tournament:
    """A round robin over two boards, both sittings, games of one hand."""
    game = str(given.get("game", "two-player"))
    rules = TwoPlayerRules(max_hands=1) if game == "two-player" else PartnershipRules(max_hands=1)
    values: dict[str, object] = {
        "file": folder / "cup.yaml", "name": "cup", "game": game, "seed": "2026",
        "bots": tuple(map(bot, names)), "boards": 2, "duplicate": True, "partners": "same",
        "given": (), "rules": msgspec.to_builtins(rules), "time": TimeControl(),
        "faults": FaultPolicy(), "sandbox": "none", "limits": Limits(),
        "format": Choice("round_robin", RoundRobinOptions()),
        "rating": Choice("trueskill", TrueSkillOptions()),
        "executor": Choice("local", LocalOptions(jobs=1)), "out": folder / "results",
    }  # fmt: skip
    return Tournament(**{**values, **given})  # type: ignore[arg-type]


def honestly(spec: MatchSpec) -> MatchRecord:
    """Play a spec in this process."""
    return play(spec, {})


class Table:
    """An executor that plays at the moment of asking: the first submitted first, or the last."""

    options_type: ClassVar[type[msgspec.Struct]] = LocalOptions

    def __init__(
        self, capacity: int = 1, play: Play = honestly, *, last_first: bool = False
    ) -> None:
        self.jobs = self.capacity = capacity
        self.games_under_way = 0
        self.played: list[int] = []
        self.is_closed = False
        self._play = play
        self._take = -1 if last_first else 0
        self._specs: list[MatchSpec] = []

    def submit(self, spec: MatchSpec) -> None:
        self._specs.append(spec)
        assert len(self._specs) <= self.capacity

    def wait(self, seconds: float) -> bool:
        return True

    def next_outcome(self) -> Outcome:
        spec = self._specs.pop(self._take)
        try:
            record = self._play(spec)
        except RuntimeError as error:
            return Failed(spec.match, str(error))
        self.played.append(spec.match)
        return Finished(record, 0.0)

    def close(self) -> list[Finished]:
        self.is_closed = True
        return []


def run_all(settings: Tournament, executor: Table) -> list[Progress]:
    """Run or resume a tournament to its end."""
    with open_run(settings) as store:
        return list(run(settings, store, executor))


def exported(folder: Path) -> list[bytes]:
    """The records that count, without times."""
    with Store(folder) as store:
        return [encode_game(game, times=False) for game in counted_games(store)]
