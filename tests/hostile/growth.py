"""Many matches in a row in one process, between a bot that leaves things behind and an honest one.

`python -m tests.hostile.growth bubblewrap 500` plays 500 and tells what there is of processes,
descriptors, files and memory after the first tenth of them and at the end.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.bots import load_bot
from arena.match import play_match
from arena.protocol import TimeControl
from arena.record import FaultPolicy, MatchSpec
from arena.sandbox import leftovers
from arena.sandbox.groups import _parents
from tests.hostile.gauntlet import BOTS, LIMITS
from tests.sandbox.running import children_of_ours, open_descriptors

NAMES = ("leaves-a-daemon", "honest")
_PAGE = 4096


class Traces(msgspec.Struct, frozen=True):
    """What there is of this process and its bots: counts, and bytes of memory."""

    processes: int
    descriptors: int
    folders: int
    groups: int
    containers: int
    memory: int


def traces(sandbox: str) -> Traces:
    """Count what there is now; containers that are made ahead are meant to be there."""
    own = leftovers.owner()
    made = containers_of(own) if sandbox == "docker" else 0  # first, as it waits for the others
    places = set(_parents().values())
    return Traces(
        processes=len(children_of_ours()),
        descriptors=open_descriptors(),
        folders=len(list(Path(tempfile.gettempdir()).glob(f"arena-bot-{own}-*"))),
        groups=sum(1 for place in places for _ in place.glob(f"arena-bot-{own}-*")),
        containers=made,
        memory=int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE,
    )


def containers_of(own: str) -> int:
    """Count the containers of this process once those that are under way have come or gone."""
    from arena.sandbox.docker import _containers  # noqa: PLC0415 - needs an engine
    from arena.sandbox.docker.stock import Stock  # noqa: PLC0415 - the same
    from tests.docker_engine import containers  # noqa: PLC0415 - the same
    from tests.sandbox.containers import wait_for_all  # noqa: PLC0415 - the same

    stock = _containers()
    assert isinstance(stock, Stock)
    wait_for_all(stock)
    return len(containers(own))


def play(sandbox: str, matches: int) -> Iterator[Traces]:
    """Play so many matches; tell of the traces after a tenth of them, and at the end."""
    bots = [load_bot(BOTS / name) for name in NAMES]
    by_digest = {bot.ref.digest: bot for bot in bots}
    for number in range(1, matches + 1):
        spec = MatchSpec(
            match=number,
            round=1,
            game="two-player",
            rules={"max_hands": 1},
            seed="2026",
            boards=(number,),
            sittings=1,
            seats=tuple(bot.ref for bot in bots),
            time=TimeControl(startup=30, move=20, hand=60),
            faults=FaultPolicy(),
            sandbox=sandbox,
            limits=LIMITS,
        )
        (game,) = play_match(spec, by_digest).games
        assert game.result.reason == "max_hands", game.faults
        if number in (max(1, matches // 10), matches):
            yield traces(sandbox)


def main() -> None:
    """Play, and tell."""
    sandbox, matches = sys.argv[1], int(sys.argv[2])
    found = list(play(sandbox, matches))
    sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")


if __name__ == "__main__":
    main()
