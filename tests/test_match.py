"""Matches between live bots: real processes, in the sandbox that an organiser gets."""

import os
from pathlib import Path

import msgspec
import pytest

from arena.bots import Bot
from arena.deals import bot_seed
from arena.match import play_match, start_game
from arena.protocol import FaultKind, TimeControl
from arena.record import (
    FaultPolicy,
    GameRecord,
    GivenBoard,
    Limits,
    MatchRecord,
    MatchSpec,
    encode_game,
)
from arena.referee import verify_game
from tests.bot_folders import make_bot

SEATS = {"two-player": 2, "partnership": 4}


def spec_of(*bots: Bot, game: str) -> MatchSpec:
    """Plan a short match between two bots."""
    refs = tuple(bot.ref for bot in bots)
    return MatchSpec(
        match=1,
        round=1,
        game=game,
        rules={"max_hands": 1},
        seed="2026",
        boards=(1, 2),
        sittings=2,
        seats=refs * (SEATS[game] // 2),
        time=TimeControl(startup=10, move=5, hand=60),
        faults=FaultPolicy(),
        sandbox="bubblewrap",
        limits=Limits(),
    )


def play(*bots: Bot, game: str = "two-player", **changes: object) -> MatchRecord:
    """Play a short match between two bots."""
    spec = msgspec.structs.replace(spec_of(*bots, game=game), **changes)
    return play_match(spec, {bot.ref.digest: bot for bot in bots})


def lines_of(record: MatchRecord) -> list[bytes]:
    """Write a match's games as an export does, without the times."""
    return [encode_game(game, times=False) for game in record.games]


def is_valid(game: GameRecord) -> bool:
    """Tell whether a record replays to itself."""
    return not verify_game(game, lambda board: start_game(game.game, game.rules, board))


@pytest.mark.parametrize("sandbox", ["bubblewrap", "none"])
@pytest.mark.parametrize("game", SEATS)
def test_a_match_plays_every_board_in_every_sitting(
    tmp_path: Path, game: str, sandbox: str
) -> None:
    bots = make_bot(tmp_path, "a"), make_bot(tmp_path, "b")
    record = play(*bots, game=game, sandbox=sandbox)
    assert [(g.board, g.sitting) for g in record.games] == [(1, 0), (1, 1), (2, 0), (2, 1)]
    assert record.sandbox == sandbox
    assert all(g.result.reason == "max_hands" for g in record.games)
    assert all(is_valid(g) for g in record.games)
    assert lines_of(play(*bots, game=game, sandbox=sandbox)) == lines_of(record)


@pytest.mark.rule("D2")
@pytest.mark.parametrize("game", SEATS)
def test_the_second_sitting_plays_the_same_decks_one_seat_on(tmp_path: Path, game: str) -> None:
    record = play(make_bot(tmp_path, "a"), make_bot(tmp_path, "b"), game=game)
    first, second = record.games[:2]
    assert [hand.deck for hand in first.hands] == [hand.deck for hand in second.hands]
    assert [ref.bot for ref in first.seats] == ["a", "b"] * (SEATS[game] // 2)
    assert [ref.bot for ref in second.seats] == ["b", "a"] * (SEATS[game] // 2)


@pytest.mark.rule("R4.1")
def test_partners_are_processes_of_their_own(tmp_path: Path) -> None:
    tell = """
        def on_hello(hello):
            print("seat", hello["seat"], "seed", hello["seed"], file=sys.stderr)
            open(os.path.join(os.environ["TMPDIR"], "mine"), "x").close()
            say({"type": "ready"})
    """
    bots = make_bot(tmp_path, "a", tell), make_bot(tmp_path, "b", tell)
    record = play(*bots, game="partnership")
    logs = {(log.sitting, log.seat): log.text for log in record.logs}
    assert len(logs) == 8
    for (sitting, seat), text in logs.items():
        assert text == f"seat {seat} seed {bot_seed('2026', 1, sitting, seat)}\n"


CRASH_AT_PLAY = """
    def answer(request):
        if request["board"] == 1 and request["decision"] == "play":
            raise RuntimeError("lost the thread")
        say({"id": request["id"], "move": first_legal(request)})
"""


def test_a_fault_costs_one_game_and_a_fresh_process_plays_the_next(tmp_path: Path) -> None:
    record = play(make_bot(tmp_path, "honest"), make_bot(tmp_path, "crash", CRASH_AT_PLAY))
    reasons = [(g.board, g.result.reason, g.result.winner) for g in record.games]
    assert reasons[:2] == [(1, "fault", 0), (1, "fault", 1)]
    assert {reason for _, reason, _ in reasons[2:]} == {"max_hands"}
    fault = record.games[0].faults[0]
    assert (fault.seat, fault.kind) == (1, FaultKind.CRASH)
    assert "exit code 1" in fault.detail
    assert "RuntimeError: lost the thread" in fault.detail
    assert all(is_valid(g) for g in record.games)
    processes = [(log.sitting, log.seat, log.board) for log in record.logs if log.bot == "crash"]
    assert sorted(processes) == [(0, 1, 1), (0, 1, 2), (1, 0, 1), (1, 0, 2)]


def test_an_honest_bot_hears_of_the_fault_and_of_the_end(tmp_path: Path) -> None:
    listens = """
        def answer(request):
            told = [e for e in request["events"] if e["event"] in ("fault", "game_end")]
            if told:
                print(json.dumps(told), file=sys.stderr)
            say({"id": request["id"], "move": first_legal(request)})
    """
    honest, crash = make_bot(tmp_path, "honest", listens), make_bot(tmp_path, "b", CRASH_AT_PLAY)
    record = play(honest, crash, sittings=1)
    log = next(log for log in record.logs if log.bot == "honest")
    assert msgspec.json.decode(log.text) == [
        {"event": "fault", "seat": 1, "kind": "crash"},
        {"event": "game_end", "scores": [0, 0], "winner": 0, "reason": "fault"},
    ]


def test_a_bot_that_never_starts_loses_every_game_by_startup(tmp_path: Path) -> None:
    record = play(make_bot(tmp_path, "honest"), make_bot(tmp_path, "silent", "sys.exit(3)\n"))
    for game in record.games:
        assert game.result.reason == "fault"
        assert [fault.kind for fault in game.faults] == [FaultKind.STARTUP]
        assert game.seats[game.faults[0].seat].bot == "silent"
        assert "exit code 3" in game.faults[0].detail
        assert is_valid(game)


def test_a_game_that_neither_side_can_start_is_void(tmp_path: Path) -> None:
    bots = (make_bot(tmp_path, name, "sys.exit(3)\n") for name in ("a", "b"))
    record = play(*bots, sittings=1, boards=(1,))
    assert [game.result.reason for game in record.games] == ["void"]
    assert record.games[0].result.winner is None


def test_a_command_that_is_not_there_is_its_bots_fault(tmp_path: Path) -> None:
    honest, lost = make_bot(tmp_path, "honest"), make_bot(tmp_path, "lost")
    manifest = msgspec.structs.replace(lost.manifest, command=("no-such-program",))
    lost = msgspec.structs.replace(lost, manifest=manifest)
    fault = play(honest, lost, sittings=1, boards=(1,)).games[0].faults[0]
    assert fault.kind is FaultKind.STARTUP
    assert "no-such-program" in fault.detail


def test_under_substitute_a_lost_process_is_replaced_at_once(tmp_path: Path) -> None:
    dies_once = """
        def answer(request):
            if request["id"] == 5:
                os._exit(9)
            say({"id": request["id"], "move": first_legal(request)})
    """
    bots = make_bot(tmp_path, "honest"), make_bot(tmp_path, "dies", dies_once)
    policy = FaultPolicy(policy="substitute")
    record = play(*bots, sittings=1, boards=(1,), faults=policy)
    game = record.games[0]
    assert game.result.reason == "max_hands"
    moves = [move for hand in game.hands for move in hand.moves if move.seat == 1]
    substituted = [index for index, move in enumerate(moves) if move.substituted]
    assert substituted == list(range(4, len(moves), 5))
    assert len(game.faults) == len(substituted)
    assert is_valid(game)


@pytest.mark.rule("D3")
def test_given_decks_are_played_before_the_seeds(tmp_path: Path) -> None:
    names = tuple(rank + suit for suit in "SHDC" for rank in "23456789TJQKA")
    given = GivenBoard(board=1, first=1, decks=(names,))
    bots = make_bot(tmp_path, "a"), make_bot(tmp_path, "b")
    record = play(*bots, given=(given,), rules={"max_hands": 2}, sittings=1)
    assert record.games[0].hands[0].deck == names
    assert record.games[0].hands[0].first == 1
    plain = play(*bots, rules={"max_hands": 2}, sittings=1)
    assert record.games[0].hands[1].deck == plain.games[0].hands[1].deck
    assert record.games[1].hands[0].deck == plain.games[1].hands[0].deck


def test_what_a_bot_says_of_itself_and_of_its_moves_is_kept(tmp_path: Path) -> None:
    talks = """
        def on_hello(hello):
            say({"type": "ready", "name": "Speaker", "version": "9", "more": 1})

        def answer(request):
            say({"id": request["id"], "move": first_legal(request), "note": "why" * 400})
    """
    record = play(make_bot(tmp_path, "a"), make_bot(tmp_path, "talks", talks), sittings=1)
    log = next(log for log in record.logs if log.bot == "talks")
    assert (log.says_name, log.says_version) == ("Speaker", "9")
    notes = {move.note for move in record.games[0].hands[0].moves if move.seat == 1}
    assert notes == {("why" * 400)[:500]}


def test_all_hear_that_it_is_over_before_any_is_waited_for(tmp_path: Path) -> None:
    """Each goes only once the other goes too: they meet at a pipe that has two ends."""
    os.mkfifo(tmp_path / "door")
    meets = f"""
        def on_end(end):
            with open({str(tmp_path / "door")!r}, MODE) as door:
                print("met", file=sys.stderr)
    """
    bots = [make_bot(tmp_path, mode, meets.replace("MODE", repr(mode))) for mode in "rw"]
    record = play(*bots, sittings=1, sandbox="none")
    assert [log.text for log in record.logs] == ["met\n", "met\n"]
