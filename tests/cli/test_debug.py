"""A recorded game's questions, put to a bot once more: the same bytes as the referee sent."""

import json
from pathlib import Path

import pytest

from arena.protocol import encode_line
from arena.store import GameKey, Store
from arena.tournament import told_to
from tests.cli.conftest import Call
from tests.cli.workspace import FIRST_LEGAL, Workspace

REPEATS = FIRST_LEGAL.replace(
    "    message = json.loads(line)\n",
    "    print(line, end='', file=sys.stderr, flush=True)\n"
    "    message = json.loads(line)\n"
    "    number = message.get('id', 0)\n"
    "    if number % 41 == 40:\n"
    "        sys.exit(3)\n"
    "    if number % 29 == 28:\n"
    "        message['legal'] = [99]\n",
)
"""Writes down all that it is told, and is at fault now and then."""
CONFIG = """\
name: cup
game: {game}
bots: [bots/*]
boards: 3
rules: {{max_hands: 2}}
time: {{startup: 60, move: 60, hand: 60}}
faults: {{policy: {policy}, limit: 10000}}
sandbox: {{kind: none, log: 16MiB}}
"""


@pytest.fixture
def debugged(tmp_path: Path, call: Call, request: pytest.FixtureRequest) -> Workspace:
    """A tournament between two bots that keep what they were told."""
    game, policy = request.param
    workspace = Workspace(tmp_path)
    workspace.add_bot("ann", REPEATS)
    workspace.add_bot("bob", REPEATS)
    workspace.config.write_text(CONFIG.format(game=game, policy=policy))
    code, _, errors = call(workspace, "run", "cup.yaml", "--jobs", "1")
    assert code == 0, errors
    return workspace


ALL = [
    (game, policy) for game in ("two-player", "partnership") for policy in ("forfeit", "substitute")
]


@pytest.mark.parametrize("debugged", ALL, indirect=True)
def test_every_process_is_told_again_what_it_was_told(debugged: Workspace) -> None:
    compared = 0
    with Store(debugged.folder / "results/cup") as store:
        logs = [stored.log for stored in store.logs(1)]
        for sitting, seat in sorted({(log.sitting, log.seat) for log in logs}):
            heard = [log.text for log in logs if (log.sitting, log.seat) == (sitting, seat)]
            hello, lives = told_to(store, GameKey(1, 3, sitting), seat, can_freeze=False)
            first = encode_line(hello).decode()
            told = [
                first + "".join(encode_line(one.request).decode() for one in life) for life in lives
            ]
            for text, life in zip(heard, told, strict=True):
                end = text.removeprefix(life)
                assert end == "" or json.loads(end)["type"] == "end"
                assert end != text
                compared += life.count("\n")
    assert compared > 200


ONE = [("two-player", "substitute")]


@pytest.mark.parametrize("debugged", ONE, indirect=True)
def test_a_bot_is_asked_again_and_told_what_differs(debugged: Workspace, call: Call) -> None:
    code, out, _ = call(debugged, "debug", "cup", "1-1-0", "bots/ann", "--seat", "0")
    assert code == 0
    assert out.endswith(" asked, 0 answered otherwise\n")
    program = debugged.folder / "bots/ann/bot.py"
    program.write_text(FIRST_LEGAL.replace("legal[0]", "legal[-1]"))
    code, out, _ = call(debugged, "debug", "cup", "1-1-0", "bots/ann")
    assert code == 0
    assert ": recorded True, now False\n" in out


@pytest.mark.parametrize("debugged", ONE, indirect=True)
def test_who_never_sat_there_is_asked_with_a_warning_of_who_did(
    debugged: Workspace, call: Call
) -> None:
    assert "warning" not in call(debugged, "debug", "cup", "1-1-0", "ann")[2]
    debugged.add_bot("cat")
    code, _, errors = call(debugged, "debug", "cup", "1-1-0", "cat@1.0")
    assert code == 0
    told = "cat is asked what ann was asked; in that game sat ann in seat 0, bob in seat 1"
    assert f"warning: {told} (--seat)\n" in errors


@pytest.mark.parametrize("debugged", ONE, indirect=True)
def test_it_stops_at_a_move_until_enter(debugged: Workspace) -> None:
    where = ("--seat", "1", "--hand", "1", "--move", "3")
    program = debugged.start("debug", "cup", "1-2-1", "bots/bob", *where, stdin=-1)
    out, errors = program.communicate("\n")
    assert program.returncode == 0, errors
    assert "stopped before hand 1, question 3; process " in errors
    asked = json.loads(out.splitlines()[0])
    assert (asked["board"], asked["hand"]) == (2, 1)
    assert out.splitlines()[1].startswith("board 2, hand 1, question 3: recorded ")


@pytest.mark.parametrize("debugged", ONE, indirect=True)
def test_the_lines_can_be_had_for_a_debugger_s_own_input(debugged: Workspace, call: Call) -> None:
    code, out, _ = call(debugged, "debug", "cup", "1-1-0", "--hand", "1", "--move", "2")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [line["type"] for line in lines] == ["hello", "request", "request"]


@pytest.mark.parametrize("debugged", ONE, indirect=True)
def test_a_debugger_s_command_takes_the_place_of_the_bot_s(debugged: Workspace, call: Call) -> None:
    command = ("python3", "-u", "-X", "dev", "bot.py")
    code, out, _ = call(debugged, "debug", "cup", "1-1-0", "bots/ann", "--", *command)
    assert code == 0
    assert "0 answered otherwise" in out


@pytest.mark.parametrize("debugged", ONE, indirect=True)
def test_what_came_instead_of_an_answer_is_told(debugged: Workspace, call: Call) -> None:
    command = ("--", "python3", "-m", "pdb", "bot.py")
    _, out, _ = call(debugged, "debug", "cup", "1-1-0", "bots/ann", *command)
    assert "now the fault malformed: (Pdb)" in out or "now the fault malformed: >" in out


@pytest.mark.parametrize("debugged", ONE, indirect=True)
def test_what_cannot_be_debugged_is_refused(debugged: Workspace, call: Call) -> None:
    for arguments, why in (
        (("1-1",), "such as 12-3-0"),
        (("1-9-0",), "there is no game of match 1, board 9"),
        (("7-1-0",), "there is no game of match 7"),
        (("1-1-0", "--seat", "2"), "0 to 1"),
        (("1-1-0", "--hand", "9"), "has 0 questions"),
        (("1-1-0", "bots/an"), "did you mean 'ann'?"),
    ):
        code, _, errors = call(debugged, "debug", "cup", *arguments)
        assert (code, why in errors) == (2, True), errors
    (debugged.folder / "bots/ann/bot.py").write_text("import sys; sys.exit(1)\n")
    code, _, errors = call(debugged, "debug", "cup", "1-1-0", "bots/ann")
    assert (code, "the bot ended before it was ready" in errors) == (2, True)
