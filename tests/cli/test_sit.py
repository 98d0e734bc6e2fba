"""A person at the table: the program itself, played over its terminal's lines."""

import pytest

from arena.cli.scene import read_move, tell
from arena.games.game import Decision, HandStart
from tests.cli.conftest import Call
from tests.cli.workspace import Workspace

ANSWERS = {
    "bid double nil": "no",
    "keep the card": "y",
    "how many tricks": "nil",
    "which card?": "?",
    "which 3 cards": "?",
}


def play(workspace: Workspace, *arguments: str) -> tuple[int, str, str]:
    """Sit down, and play the first legal card that the program names when it is asked."""
    program = workspace.start("play", *arguments, "--sandbox", "none", stdin=-1)
    assert program.stdin is not None
    assert program.stdout is not None
    told = []
    for line in program.stdout:
        told.append(line)
        answer = next((said for asked, said in ANSWERS.items() if line.startswith(asked)), None)
        if line.startswith("write one of"):
            answer = line.split()[-1]
        if answer is not None:
            program.stdin.write(f"{answer}\n")
            program.stdin.flush()
    _, errors = program.communicate()
    return program.returncode, "".join(told), errors


@pytest.mark.parametrize(
    ("game", "arguments"),
    [
        ("two-player", ("bots/ann", "--hints", "--out", "mine")),
        ("partnership", ("bots/ann", "--out", "mine")),
        ("partnership", ("bots/ann", "bots/bob", "--seat", "3", "--out", "mine")),
    ],
)
def test_a_game_at_the_table_is_kept_as_any_other(
    call: Call, workspace: Workspace, game: str, arguments: tuple[str, ...]
) -> None:
    code, out, errors = play(workspace, *arguments, "--game", game, "--hands", "1")
    assert code == 0, errors
    assert "-- hand 1: " in out
    assert "points: you " in out
    assert ("hint: " in out) == ("--hints" in arguments)
    assert out.splitlines()[-1] == "mine"
    assert call(workspace, "verify", "mine")[:2] == (0, "1 game verified: all is well\n")
    assert call(workspace, "report", "mine")[0] == 0
    assert "you" in call(workspace, "leaderboard", "mine")[1]


def test_a_game_that_is_left_is_not_kept(workspace: Workspace) -> None:
    program = workspace.start("play", "bots/ann", "--sandbox", "none", stdin=-1)
    out, _ = program.communicate("no\nq\n")
    assert program.returncode == 130
    assert "keep the card?" in out
    assert not (workspace.folder / "results").exists()


def test_a_move_is_taken_back_where_that_was_asked_for(workspace: Workspace) -> None:
    seed = ("--seed", "7", "--sandbox", "none")
    program = workspace.start("play", "bots/ann", "--undo", *seed, stdin=-1)
    out, _ = program.communicate("no\nno\nu\nyes\nu\nu\nq\n")
    assert program.returncode == 130
    asked = [line.split()[0] for line in out.splitlines() if line.endswith(("unseen", "no"))]
    assert asked[:4] == ["bid", "keep", "keep", "keep"]
    assert asked[-1] == "bid"
    assert "you keep" in out
    drawn = [line for line in out.splitlines() if line.startswith("drawn")]
    assert drawn[0] == drawn[2] != drawn[1]


def test_help_and_taking_back_are_answered_at_the_first_question(workspace: Workspace) -> None:
    seed = ("--seed", "7", "--sandbox", "none")
    program = workspace.start("play", "bots/ann", "--undo", *seed, stdin=-1)
    out, _ = program.communicate("u\n?\nq\n")
    asked, *answers = out.splitlines()[-6:]
    assert asked.startswith("bid double nil")
    assert answers[0] == "there is no move of yours to take back yet"
    assert answers[1] == answers[4] == asked
    assert answers[2] == "write yes or no"
    assert answers[3].endswith("u takes a move back")
    program = workspace.start("play", "bots/ann", *seed, stdin=-1)
    out, _ = program.communicate("no\nu\nq\n")
    assert out.splitlines()[-2] == "a move is taken back only in a game begun with --undo"


def test_who_cannot_sit_is_refused(call: Call, workspace: Workspace) -> None:
    for arguments, why in (
        (("bots/ann", "--seat", "2"), "there is no seat 2"),
        (("bots/ann", "bots/bob"), "have no room"),
        (("bots/ann", "--game", "whist"), "whist"),
        (("bots/an",), "did you mean 'ann'?"),
    ):
        code, _, errors = call(workspace, "play", *arguments)
        assert (code, why in errors) == (2, True), errors


@pytest.mark.parametrize(
    ("typed", "decision", "legal", "move"),
    [
        ("Yes", Decision.DRAFT, [True, False], True),
        ("n", Decision.BLIND_NIL, [False, True], False),
        ("nil", Decision.BID, [0, 1, 2], 0),
        ("2", Decision.BID, [0, 1, 2], 2),
        ("10h", Decision.PLAY, ["TH", "KH"], "TH"),
        ("♥10", Decision.PLAY, ["TH", "KH"], "TH"),
        ("k", Decision.PLAY, ["TH", "KH"], "KH"),
        ("none", Decision.EXCHANGE, ["TH", "KH"], []),
        ("th, kh  2s", Decision.PASS, ["TH", "KH", "2S"], ["TH", "KH", "2S"]),
    ],
)
def test_a_move_is_read_as_people_write_it(
    typed: str, decision: Decision, legal: list[object], move: object
) -> None:
    assert read_move(typed, decision, legal) == move


@pytest.mark.parametrize(
    ("typed", "decision", "legal"),
    [
        ("", Decision.PLAY, ["TH", "KH"]),
        ("9H", Decision.PLAY, ["TH", "KH"]),
        ("T", Decision.PLAY, ["TH", "TS"]),
        ("14", Decision.BID, [0, 1]),
        ("-1", Decision.BID, [0, 1]),
        ("maybe", Decision.DRAFT, [True, False]),
        ("TH TH KH", Decision.PASS, ["TH", "KH", "2S"]),
        ("TH KH", Decision.PASS, ["TH", "KH", "2S"]),
    ],
)
def test_what_is_no_legal_move_is_refused_in_words(
    typed: str, decision: Decision, legal: list[object]
) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_move(typed, decision, legal)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("ann", "bob"), "-- hand 2: bob draws first --"),
        (("ann", "you"), "-- hand 2: you draw first --"),
        (("ann", "bob", "cat", "dan"), "-- hand 2: bob deals --"),
        (("ann", "you", "cat", "dan"), "-- hand 2: you deal --"),
    ],
)
def test_a_hand_begins_with_who_draws_first_or_who_deals(names: tuple[str, ...], told: str) -> None:
    assert list(tell([HandStart(2, 1)], names, 0)) == [told]
