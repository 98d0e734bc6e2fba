"""Sites of small runs with all that a page can show: notes, faults, exchanges, passes, logs."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from arena import tournament
from arena.deals import SeededBoard, Stream
from arena.protocol import Fault, FaultKind, Reply
from arena.record import FaultPolicy, GameRecord, MatchRecord, SeatLog
from arena.referee import Answer, Setup, play_game
from arena.report import build
from arena.store import GameKey, PlannedMatch, RunStore
from tests.matches import SEED, meta, planned, played, to_spec
from tests.playing import choose, start

NOTES = (
    "keep the ace for later",
    "<b>bold</b> & \u202ebackwards \x1b[31m",
    "\N{BLACK SPADE SUIT}\N{PLAYING CARD ACE OF SPADES} \N{SLIGHTLY SMILING FACE}",
    "</script><!--<script>\u2028alert(1)",
    "long " * 200,
)
HANDS = 3


def play_key(plan: PlannedMatch, key: GameKey, game_name: str, policy: str) -> GameRecord:
    """Play a game of a few hands whose bots write notes and are seldom at fault."""
    spec = to_spec(plan, game_name)
    rules: dict[str, bool | int | str | None] = {"max_hands": HANDS}
    setup = Setup(key.match, key.board, key.sitting, spec.seated(key.sitting), rules, policy=policy)
    game = start(game_name, SeededBoard(SEED, key.board), max_hands=HANDS)
    pick = Stream(SEED, f"{key}/{game_name}").uniform
    asking = play_game(setup, game)
    try:
        next(asking)
        while True:
            note = NOTES[pick(len(NOTES))] if pick(5) == 0 else ""
            move = game.move_on_wire(choose(game, pick))
            fault = Fault(FaultKind.ILLEGAL, "one of KH", "<i>KD</i>", "it is not\nin the hand")
            is_fault = pick(100) == 0
            asking.send(Answer(fault if is_fault else Reply(1, move, note), 40 + pick(3000)))
    except StopIteration as end:
        record: GameRecord = end.value.record
        return record


def play_match(plan: PlannedMatch, game: str, policy: str) -> MatchRecord:
    """Play a match."""
    spec = to_spec(plan, game)
    games = tuple(play_key(plan, key, game, policy) for key in list(plan.keys()))
    logs = tuple(
        SeatLog(sitting, seat, ref.bot, 1, f"<b>{ref.bot}</b> \x1b[2J\n" * 400)
        for sitting in range(plan.sittings)
        for seat, ref in enumerate(spec.seated(sitting))
    )
    return MatchRecord(plan.match, plan.round, games, logs, "none", spec.limits)


def make_edge_site(
    folder: Path,
    names: tuple[str, ...],
    *plans: PlannedMatch,
    change: Callable[[MatchRecord], MatchRecord] = lambda record: record,
) -> None:
    """Build the site of a finished run of games of one hand, however odd, into `folder`."""
    with RunStore.begin(folder.with_suffix(".run"), meta(*names), SEED) as store:
        store.plan(plans, boards_return=False)
        for plan in plans:
            store.write(change(played(plan)))
        store.finish()
        table, history = tournament.standings(store), tournament.history(store)
        build(store, table, folder, "all", history)


def drawn(record: MatchRecord) -> MatchRecord:
    """Make a draw of every game."""
    games = (
        replace(game, result=replace(game.result, winner=None, scores=(7, 7)))
        for game in record.games
    )
    return replace(record, games=tuple(games))


def make_site(folder: Path, game: str, policy: str, names: tuple[str, ...]) -> list[GameRecord]:
    """Build a run's site with every game into `folder`, and give its games."""
    width = 1 if game == "two-player" else 2
    pairs = [(a, b) for n, a in enumerate(names) for b in names[n + 1 :]]
    plans = [
        planned(number, *pair * width, boards=2, round_number=number)
        for number, pair in enumerate(pairs, 1)
    ]
    patient = replace(meta(*names, game=game), faults=FaultPolicy(limit=1000))
    with RunStore.begin(folder.with_suffix(".run"), patient, SEED) as store:
        store.plan(plans, boards_return=False)
        for plan in plans:
            store.write(play_match(plan, game, policy))
        store.finish()
        table, history = tournament.standings(store), tournament.history(store)
        build(store, table, folder, "all", history)
        return list(store.games())
