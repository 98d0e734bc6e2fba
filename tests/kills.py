"""Kills a real tournament over and over at random instants, and compares it with an unbroken one.

    python -m tests.kills --times 200

Each time `arena run` is started, and after a random while killed with SIGKILL: the run alone, the
run with all of its workers and bots, or one worker of it. Then it is started again. In the end
every game must be there once, with the bytes of the run that nobody broke.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from arena.record import GameRecord, decode_game
from arena.store import Store, holds_run
from tests.bot_folders import make_bot
from tests.executors.clusters import ROOT
from tests.processes import children, descendants

ARENA = (sys.executable, "-m", "arena")
KINDS = {"the run": 5, "the run with all its processes": 3, "a worker": 2}
"""What is killed, by how often."""
GAVE_UP = 1
"""How a run ends when one match lost its worker too often; it can be resumed."""
BOOT = 1.0
"""Seconds within which a start is killed, if it is killed at once."""


@dataclass
class Toll:
    """What the kills did to a tournament."""

    kills: Counter[str] = field(default_factory=Counter)
    games_then: list[int] = field(default_factory=list)
    """How many games were stored at each kill."""
    games: int = 0
    lost: int = 0
    doubled: int = 0
    changed: int = 0
    is_same: bool = False
    is_sound: bool = False

    @property
    def is_clean(self) -> bool:
        """Whether no kill left a trace."""
        harm = self.lost + self.doubled + self.changed
        return harm == 0 and self.is_same and self.is_sound

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {count} times" for kind, count in self.kills.items())
        return (
            f"{self.kills.total()} kills ({kinds}), with {min(self.games_then)} to "
            f"{max(self.games_then)} games stored; of {self.games} games {self.lost} lost, "
            f"{self.doubled} duplicated, {self.changed} changed; "
            f"exports {'equal' if self.is_same else 'DIFFER'}, "
            f"verify {'finds nothing' if self.is_sound else 'FAILS'}"
        )


def write_cup(folder: Path, bots: int, boards: int) -> Path:
    """Make a tournament between small bots that answer with the first or the last legal move."""
    for number in range(bots):
        make_bot(folder / "bots", f"bot{number}", LAST if number % 2 else "")
    file = folder / "cup.yaml"
    file.write_text(
        f"game: two-player\nbots: [bots/*]\nboards: {boards}\nrules: {{max_hands: 2}}\n"
        "executor: {jobs: 2}\n"
    )
    return file


LAST = """
def answer(request):
    legal = request["legal"]
    last = [] if request["decision"] == "exchange" else legal[-1]
    say({"id": request["id"], "move": min(last, 4) if request["decision"] == "bid" else last})
"""


def start(file: Path, out: Path) -> subprocess.Popen[bytes]:
    """Begin or resume the tournament."""
    command = [*ARENA, "run", str(file), "--seed", "2026", "--quiet", "--out", str(out)]
    return subprocess.Popen(
        command, cwd=ROOT, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def call(*words: str) -> subprocess.CompletedProcess[bytes]:
    """Let another command of the arena do its work."""
    return subprocess.run([*ARENA, *words], cwd=ROOT, capture_output=True, check=False)


def games_played(out: Path) -> int:
    """Count what is stored."""
    if not holds_run(out):
        return 0
    with Store(out) as store:
        return store.counts().games_played


def strike(run: subprocess.Popen[bytes], kind: str, chance: random.Random) -> None:
    """Kill in cold blood."""
    if kind == "a worker":
        victims = [chance.choice(children(run.pid) or [run.pid])]
    elif kind == "the run":
        victims = [run.pid]
    else:
        victims = [run.pid, *descendants(run.pid)]
        chance.shuffle(victims)
    for victim in victims:
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)


@dataclass
class Pace:
    """When to kill next, so that the kills are spread over the whole tournament."""

    chance: random.Random
    seconds: float
    """What the unbroken run took."""
    games: int

    def wait(self, run: subprocess.Popen[bytes], out: Path, kills: int) -> None:
        """Let a run live until the next of so many kills, or to its end.

        A third of the kills comes within the time of a start: while files are read, the store is
        opened, the schedule planned. The others come at any instant between two matches, after
        some were played.
        """
        if self.chance.random() < 1 / 3:
            self._live(run, self.chance.uniform(0, BOOT))
            return
        played = games_played(out)
        share = 2 * (self.games - played) / kills
        goal = min(played + self.chance.uniform(0, share), self.games - 1)
        while run.poll() is None and games_played(out) < goal:
            self._live(run, 0.02)
        self._live(run, self.chance.uniform(0, 4 * self.seconds / self.games))

    def _live(self, run: subprocess.Popen[bytes], seconds: float) -> None:
        with suppress(subprocess.TimeoutExpired):
            run.wait(seconds)


def kill_often(folder: Path, times: int, *, bots: int, boards: int, seed: int = 0) -> Toll:
    """Play one tournament unbroken and one under `times` kills, and compare them."""
    file = write_cup(folder, bots, boards)
    whole, broken = folder / "whole", folder / "broken"
    began = time.monotonic()
    assert start(file, whole).wait() == 0
    pace = Pace(random.Random(seed), time.monotonic() - began, games_played(whole))
    toll = Toll(games=pace.games)
    run = start(file, broken)
    while (left := times - toll.kills.total()) > 0:
        pace.wait(run, broken, left)
        kind = pace.chance.choices(list(KINDS), list(KINDS.values()))[0]
        if run.poll() is None:
            strike(run, kind, pace.chance)
            toll.kills[kind] += 1
            toll.games_then.append(games_played(broken))
        if kind != "a worker" or run.poll() is not None:
            assert run.wait() in (0, GAVE_UP, -signal.SIGKILL)
            run = start(file, broken)
    run.wait()
    assert start(file, broken).wait() == 0
    compare(whole, broken, toll)
    return toll


def export(out: Path) -> bytes:
    """All records of a finished run, without times."""
    return call("export", str(out), "--no-us").stdout


def by_place(lines: bytes) -> tuple[dict[tuple[int, int, int], GameRecord], int]:
    """Games by their place in the schedule, and how many stand there more than once."""
    games = [decode_game(line) for line in lines.splitlines()]
    found = {(game.match, game.board, game.sitting): game for game in games}
    return found, len(games) - len(found)


def compare(whole: Path, broken: Path, toll: Toll) -> None:
    """Count what differs between the two."""
    expected, got = export(whole), export(broken)
    games, _ = by_place(expected)
    found, toll.doubled = by_place(got)
    toll.lost = len(games.keys() - found.keys())
    toll.changed = sum(found[key] != game for key, game in games.items() if key in found)
    toll.is_same = len(games) == toll.games and expected == got
    toll.is_sound = call("verify", str(broken)).returncode == 0


def main() -> None:
    """Run it from a shell."""
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description=__doc__)
    parser.add_argument("--times", type=int, default=200, help="how many kills (200)")
    parser.add_argument("--bots", type=int, default=12, help="how many bots (12)")
    parser.add_argument("--boards", type=int, default=2, help="boards a pairing (2)")
    parser.add_argument("--seed", type=int, default=0, help="for the instants (0)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        toll = kill_often(
            Path(folder), given.times, bots=given.bots, boards=given.boards, seed=given.seed
        )
    sys.stdout.write(f"{toll}\n")
    sys.exit(0 if toll.is_clean else 1)


if __name__ == "__main__":
    main()
