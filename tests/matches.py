"""Whole matches in tests without any process: the referee's questions, answered from a stream.

The same spec gives the same record, times and all, so that records can be compared. A rule
``max_hands`` of 1 keeps games short.
"""

from collections.abc import Callable, Mapping

from arena.deals import SeededBoard, Stream
from arena.protocol import Fault, FaultKind, Reply, TimeControl
from arena.record import (
    BotRef,
    FaultPolicy,
    GameRecord,
    Limits,
    MatchRecord,
    MatchSpec,
    SeatLog,
)
from arena.referee import Answer, Setup, play_game, unplayed
from arena.store import Meta, PlannedMatch
from tests.playing import choose, start

SEED = "2026"


def entrant(name: str) -> BotRef:
    """An entrant whose digest is made from its name."""
    return BotRef(name, "1.0", "sha256:" + name.encode().hex().ljust(64, "0")[:64])


def meta(*names: str, game: str = "two-player") -> Meta:
    """What a run between these entrants is."""
    config: dict[str, object] = {"game": game, "rating": {"kind": "trueskill"}}
    refs = tuple(map(entrant, names))
    return Meta("cup", game, config, refs, "00" * 32, True, "0.1.0", "2026-01-01T00:00:00Z")


def planned(match: int, *names: str, boards: int = 2, round_number: int = 1) -> PlannedMatch:
    """A match over boards from 1 on, from both sides."""
    return PlannedMatch(match, round_number, names, tuple(range(1, boards + 1)), 2)


def to_spec(plan: PlannedMatch, game: str = "two-player") -> MatchSpec:
    """The spec of a planned match."""
    return MatchSpec(
        match=plan.match,
        round=plan.round,
        game=game,
        rules={"max_hands": 1},
        seed=SEED,
        boards=plan.boards,
        sittings=plan.sittings,
        seats=tuple(map(entrant, plan.seats)),
        time=TimeControl(),
        faults=FaultPolicy(),
        sandbox="none",
        limits=Limits(),
    )


def played(plan: PlannedMatch, game: str = "two-player") -> MatchRecord:
    """The record of a planned match."""
    return play(to_spec(plan, game), {})


def play(
    spec: MatchSpec, bots: Mapping[str, object], *, after_game: Callable[[], None] = lambda: None
) -> MatchRecord:
    """Play a spec. Entrants whose name begins with "broken" never start."""
    games = [
        _play(spec, board, sitting) for board in spec.boards for sitting in range(spec.sittings)
    ]
    logs = [
        SeatLog(sitting, seat, ref.bot, spec.boards[0], f"<{ref.bot}>\n" * seat, ref.bot, "1.0")
        for sitting in range(spec.sittings)
        for seat, ref in enumerate(spec.seated(sitting))
    ]
    return MatchRecord(spec.match, spec.round, tuple(games), tuple(logs), "none", spec.limits)


def _play(spec: MatchSpec, number: int, sitting: int) -> GameRecord:
    refs = spec.seated(sitting)
    game = start(spec.game, SeededBoard(spec.seed, number), **spec.rules)
    rules = dict(spec.rules)
    setup = Setup(spec.match, number, sitting, refs, rules)
    fault = Fault(FaultKind.STARTUP, '{"type":"ready"}', "Traceback", "it never starts")
    broken = [(seat, fault) for seat, ref in enumerate(refs) if ref.bot.startswith("broken")]
    if broken:
        return unplayed(setup, spec.game, broken).record
    label = f"{spec.match}/{number}/{sitting}/" + "/".join(ref.bot for ref in refs)
    pick = Stream(spec.seed, label).uniform
    asking = play_game(setup, game)
    try:
        next(asking)
        while True:
            move = game.move_on_wire(choose(game, pick))
            asking.send(Answer(Reply(1, move), pick(1000)))
    except StopIteration as end:
        record: GameRecord = end.value.record
        return record
