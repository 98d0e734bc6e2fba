"""A recorded game in the terminal, by keys and as text."""

import re

import pytest

import tests.matches
from arena.games.game import Decision
from arena.record import GameRecord
from arena.report.game import outcome
from arena.report.telling import SHOWN
from arena.store import RunStore, Store
from tests.cli.conftest import Call
from tests.cli.workspace import FIRST_LEGAL, Workspace
from tests.matches import meta, planned

TALKS = FIRST_LEGAL.replace(
    '"move": move}', '"move": move, "note": "\\x1b[2J\\n\\u202ea%d" % message["id"]}'
).replace(
    "    message = json.loads(line)\n",
    '    message = json.loads(line)\n'
    '    if message.get("id", 0) % 23 == 22:\n'
    '        message["legal"] = ["9X"]\n',
)  # fmt: skip
"""Writes a note that would clear the screen beside every move, and is at fault now and then."""
CONFIG = """\
name: {game}
game: {game}
bots: [bots/*]
boards: 1
rules: {{max_hands: 3}}
time: {{startup: 60, move: 60, hand: 60}}
faults: {{policy: substitute, limit: 10000}}
sandbox: {{kind: none}}
"""
both = pytest.mark.parametrize("game", ["two-player", "partnership"])


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A tournament of each game between one who talks and one who does not."""
    workspace = Workspace(tmp_path_factory.mktemp("seen"), "bob")
    workspace.add_bot("ann", TALKS)
    for game in ("two-player", "partnership"):
        workspace.config.write_text(CONFIG.format(game=game))
        code, _, errors = workspace.run("run", "cup.yaml", "--seed", "7")
        assert code == 0, errors
    return workspace


def record_of(workspace: Workspace, game: str) -> GameRecord:
    with Store(workspace.folder / "results" / game) as store:
        return store.game(1, 1, 0)


def screens(written: str) -> list[str]:
    """Part what was written to a terminal into screens, without colours and blank ends."""
    plain = (re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", one) for one in written.split("\x1b[H")[2:])
    return ["\n".join(line.rstrip() for line in one.splitlines()) for one in plain]


@both
def test_piped_a_game_is_told_as_a_whole_with_times_notes_and_faults(
    call: Call, seen: Workspace, game: str
) -> None:
    code, out, errors = call(seen, "show", game, "1-1-0")
    assert (code, errors) == (0, "")
    record = record_of(seen, game)
    lines, moves = out.splitlines(), [move for hand in record.hands for move in hand.moves]
    assert len([line for line in lines if line.startswith("-- hand ")]) == 3
    assert len([line for line in lines if line.startswith("points: ")]) == 3
    plays = [line.split()[-3] for line in lines if " plays " in line]
    assert plays == [SHOWN[str(move.move)] for move in moves if move.decision is Decision.PLAY]
    timed = [line for line in lines if line.endswith((" µs", " ms", " s"))]
    assert len(timed) == len(moves)
    notes = [line for line in lines if line.startswith("  note: ")]
    assert len(notes) == len([move for move in moves if move.note]) > 0
    assert all(line.startswith("  note: \\x1b[2J\\n\\u202ea") for line in notes)
    faults = [line for line in lines if line.startswith("  fault of ann")]
    assert len(faults) == len(record.faults) == out.count("  the referee moved in its place") > 0
    assert lines[-1] == outcome(record)
    assert "\x1b" not in out


@both
def test_the_cards_of_every_hand_are_shown_once_all_have_them(
    call: Call, seen: Workspace, game: str
) -> None:
    record = record_of(seen, game)
    seats = len(record.seats)
    out = call(seen, "show", game, "1-1-0", "--hand", "3")[1]
    shown = [line for line in out.splitlines() if "♠ " in line and "♣ " in line]
    assert len(shown) == seats
    cards = [len(re.findall(r"10|[2-9AKQJ]", line.partition("♠")[2])) for line in shown]
    assert cards == [13] * seats
    assert "-- hand 3: " in out
    assert "-- hand 2: " not in out


@both
def test_one_seat_s_view_names_no_card_that_it_did_not_see(
    call: Call, seen: Workspace, game: str
) -> None:
    out = call(seen, "show", game, "1-1-0", "--seat", "1")[1]
    is_bob = record_of(seen, game).seats[1].bot == "bob"
    shown = [line for line in out.splitlines() if "♠ " in line and "♣ " in line]
    assert len(shown) == 3
    assert len({line.partition("♠")[0] for line in shown}) == 1
    assert ("  note: " in out) != is_bob
    if game == "two-player":
        kept = re.findall(r"^ann keeps (.*?)   ", out, re.MULTILINE)
        assert set(kept) <= {"the first card", "the second card"}


@both
def test_a_game_is_stepped_through_by_keys(seen: Workspace, game: str) -> None:
    keys = [
        (" step 1 of", "\x1b[C"), (" step 2 of", "nn"), (" step 4 of", "\x1b[D"),
        (" step 3 of", "\x1b[B"), ("hand 2 of 3, step 1 of", "N"), ("hand 3 of 3, step 1", "n"),
        ("hand 3 of 3, step 2", "P"), ("hand 3 of 3, step 1", "\x1b[A"),
        ("hand 2 of 3, step 1", "G"), ("hand 3 of 3, step ", "n1"), (" saw it", "o"),
        ("all cards open", "g"), ("hand 1 of 3, step 1", "p?x9"), ("hand 1 of 3, step 1", "q"),
    ]  # fmt: skip
    written = seen.on_terminal("show", game, "1-1-0", keys=keys)
    shown = screens(written)
    assert shown[0].splitlines()[0].startswith("game 1-1-0, hand 1 of 3, step 1 of ")
    assert "right/left step" in shown[0].splitlines()[1]
    told = outcome(record_of(seen, game))
    assert any(told in " ".join(one.split()) for one in shown)
    assert any(" saw it" in one.splitlines()[0] for one in shown)
    assert max(len(line) for one in shown for line in one.splitlines()) <= 80
    assert written.count("\x1b[?1049h") == written.count("\x1b[?1049l") == 1


def test_the_first_step_and_the_view_can_be_chosen(seen: Workspace) -> None:
    keys = [("hand 2 of 3, step 1 of", "q")]
    where = ("--hand", "2", "--seat", "0")
    written = seen.on_terminal("show", "two-player", "1-1-0", *where, keys=keys)
    assert " saw it" in screens(written)[0]


def test_a_terminal_gets_the_whole_as_text_where_it_asks_for_it_or_moves_no_cursor(
    call: Call, seen: Workspace
) -> None:
    piped = call(seen, "show", "two-player", "1-1-0")[1].splitlines()
    for arguments, terminal in ((["--all"], "xterm"), ([], "dumb")):
        written = seen.on_terminal("show", "two-player", "1-1-0", *arguments, TERM=terminal)
        assert written.splitlines() == piped


def test_without_its_signs_a_terminal_gets_letters(seen: Workspace) -> None:
    code, out, _ = seen.run("show", "two-player", "1-1-0", PYTHONIOENCODING="ascii")
    assert code == 0
    assert re.search(r"^bob plays (10|[2-9AKQJ])[SHDC]   ", out, re.MULTILINE)


def test_a_game_is_named_as_elsewhere(call: Call, seen: Workspace) -> None:
    told = call(seen, "show", "two-player", "1-1-1")
    assert told[0] == 0
    for name in ("games/1-1-1.html#h=2&t=7", "match 1, board 1, sitting 1"):
        assert call(seen, "show", "two-player", name) == told


def test_what_is_not_there_is_refused_with_what_there_is(call: Call, seen: Workspace) -> None:
    for arguments, why in (
        (("two-player",), "two-player: no game is named; the first one is 1-1-0"),
        (("two-player", "first"), "such as 12-3-0"),
        (("two-player", "1-1-7"), "did you mean '1-1-"),
        (("two-player", "9-1-0"), "the first one is 1-1-0"),
        (("two-player", "1-1-0", "--hand", "4"), "--hand: there is no hand 4; 1 to 3"),
        (("two-player", "1-1-0", "--seat", "2"), "--seat: there is no seat 2; 0 to 1"),
        (("two-playr", "1-1-0"), "did you mean 'two-player'?"),
    ):
        code, out, errors = call(seen, "show", *arguments)
        assert (code, out, why in errors) == (2, "", True), errors


@pytest.mark.rule("D1a")
def test_no_game_is_shown_while_someone_has_still_to_play_on_its_board(
    call: Call, workspace: Workspace
) -> None:
    with RunStore.begin(workspace.folder / "results" / "open", meta("ann", "bob"), "seed") as store:
        first, later = planned(1, "ann", "bob"), planned(2, "ann", "bob")
        store.plan([first, later], boards_return=False)
        store.write(tests.matches.played(first))
        code, out, errors = call(workspace, "show", "open", "1-1-0")
        assert (code, out) == (2, "")
        assert "board 1 is held back: someone has still to play on it" in errors


def test_a_game_that_never_began_tells_why(call: Call, workspace: Workspace) -> None:
    workspace.add_bot("dud", "raise SystemExit('no such model')", "duds")
    workspace.config.write_text(
        workspace.config.read_text().replace("bots/*", "bots/ann, duds/dud")
    )
    assert call(workspace, "run", "cup.yaml", "--quiet")[0] == 0
    code, out, _ = call(workspace, "show", "cup", "1-1-0")
    assert code == 0
    assert "  fault of dud: startup at the start: " in out
    assert "won by a fault of dud" in out.splitlines()[-1]


def test_a_shell_completes_the_games_of_the_run(seen: Workspace) -> None:
    for typed, names in (("two-player 1-1", ["1-1-0", "1-1-1"]), ("none 1", [])):
        program = seen.start(
            through=(*("env", "_ARENA_COMPLETE=complete_bash", "COMP_CWORD=3"),
                     f"COMP_WORDS=arena show {typed}"),
        )  # fmt: skip
        assert program.communicate()[0].split() == names
