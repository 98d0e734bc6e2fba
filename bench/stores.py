"""Makes large stores: a round robin run in the normal way, whose matches are copied and not played.

Everything is the arena's own (the schedule, the run, the store) but for the bots' time: a few games
of one hand are played, and every match gets copies of them under its own numbers and entrants.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copytree

from msgspec.structs import replace

from arena.config import Overrides, Tournament, load
from arena.executors.executor import Finished
from arena.executors.local import LocalOptions
from arena.match import play_match
from arena.record import GameRecord, MatchRecord, MatchSpec
from arena.tournament import Progress, open_run, run

FIRST = Path(__file__).parent / "bots" / "first"
TEMPLATES = 16
"""Boards of games that are played, and then copied."""


def write_cup(folder: Path, bots: int, boards: int, hands: int = 1) -> Tournament:
    """Make a tournament between copies of one bot, two-player games of so many hands at most."""
    for number in range(1, bots + 1):
        home = copytree(FIRST, folder / "bots" / f"bot{number:02}", dirs_exist_ok=True)
        manifest = (FIRST / "bot.yaml").read_text()
        (home / "bot.yaml").write_text(manifest.replace("name: first", f"name: bot{number:02}"))
    file = folder / "cup.yaml"
    file.write_text(
        f"game: two-player\nbots: [bots/*]\nboards: {boards}\nseed: 2026\n"
        f"rules: {{max_hands: {hands}}}\nsandbox: {{kind: none}}\n"
    )
    return load(file, Overrides(out=folder / "results"))


class Copyist:
    """An executor that gives each match copies of the games that it played of the first one."""

    options_type = LocalOptions
    jobs = 1
    capacity = 2
    games_under_way = 0

    def __init__(self, tournament: Tournament) -> None:
        self._bots = {bot.ref.digest: bot for bot in tournament.bots}
        self._waiting: deque[MatchSpec] = deque()
        self._games: dict[int, list[GameRecord]] = {}

    def submit(self, spec: MatchSpec) -> None:
        if not self._games:
            self._play(spec)
        self._waiting.append(spec)

    def _play(self, spec: MatchSpec) -> None:
        """Play the first boards of a match."""
        record = play_match(replace(spec, boards=spec.boards[:TEMPLATES]), self._bots)
        for game in record.games:
            self._games.setdefault(game.sitting, []).append(game)

    def wait(self, seconds: float) -> bool:
        return bool(self._waiting)

    def next_outcome(self) -> Finished:
        spec = self._waiting.popleft()
        games = tuple(
            self._copy(spec, board, sitting)
            for board in spec.boards
            for sitting in range(spec.sittings)
        )
        record = MatchRecord(spec.match, spec.round, games, (), spec.sandbox, spec.limits)
        return Finished(record, 0.0)

    def _copy(self, spec: MatchSpec, board: int, sitting: int) -> GameRecord:
        """Copy a game under another name; which one differs from match to match."""
        known = self._games[sitting]
        game = known[(31 * spec.match + board) % len(known)]
        seats = spec.seated(sitting)
        return replace(game, match=spec.match, board=board, sitting=sitting, seats=seats)

    def close(self) -> list[Finished]:
        return []


def fill(tournament: Tournament, matches: int | None = None) -> Iterator[Progress]:
    """Run or resume a tournament of copies, stopping after so many matches; None: to its end."""
    with (
        closing(open_run(tournament)) as store,
        closing(run(tournament, store, Copyist(tournament))) as steps,
    ):
        for number, step in enumerate(steps):
            yield step
            if number == matches:
                return
