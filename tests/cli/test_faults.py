import json

import pytest
from msgspec.structs import replace

import tests.matches
from arena.store import RunStore
from tests.cli.conftest import Call
from tests.cli.workspace import Workspace
from tests.matches import meta, planned

LOUD = """\
import sys
for number in range(40):
    print(f"line {number}", file=sys.stderr)
print("\\033[2Jgone", file=sys.stderr, flush=True)
sys.stdin.readline()
print('{"type":"ready"}', flush=True)
sys.stdin.readline()
print("thinking \\033]0;title\\007 hard", flush=True)
sys.stdin.read()
"""


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A tournament in which one bot prints what it thinks, and never gets further."""
    workspace = Workspace(tmp_path_factory.mktemp("faulty"), "ann")
    workspace.add_bot("loud", LOUD)
    code, _, errors = workspace.run("run", "cup.yaml")
    assert code == 0, errors
    return workspace


def test_faults_of_one_cause_are_told_once_with_all_that_their_author_needs(
    call: Call, faulty: Workspace
) -> None:
    code, out, errors = call(faulty, "faults", "cup")
    assert (code, errors) == (0, "2 faults of 1 bot\n")
    (first,) = out.split("loud 1.0: malformed, 2 times\n")[1:]
    assert "where     match 1, board 1, sitting 0, seat " in first
    assert "also      match 1, board 1, sitting 1, seat " in first
    assert "at        blind_nil of hand 1\n" in first
    assert "came      thinking \\x1b]0;title\\x07 hard\n" in first
    assert "fix       this looks like a debug line" in first
    before, log_begins, rest = first.partition("  log       line 0\n")
    assert (before[-1], log_begins) == ("\n", "  log       line 0\n")
    log = ["line 0", *(line[12:] for line in rest.splitlines())]
    assert log[:2] == ["line 0", "line 1"]
    assert log[5] == "… 21 lines left out"
    assert log[-2:] == ["line 39", "?[2Jgone"]
    assert "\x1b" not in out


PRINTS = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "request":
        print("thinking about", message["decision"], message["id"], flush=True)
"""


def test_a_debug_line_is_one_cause_however_it_differs_and_has_the_exam_s_advice(
    call: Call, workspace: Workspace
) -> None:
    workspace.add_bot("loud", PRINTS)
    workspace.config.write_text(workspace.config.read_text() + "faults: {policy: substitute}\n")
    assert workspace.run("run", "cup.yaml")[0] == 0
    out = call(workspace, "faults", "cup", "--bot", "loud")[1]
    (fix,) = [line.strip() for line in out.splitlines() if line.startswith("  fix")]
    examined = call(workspace, "check", "bots/loud", "--sandbox", "none")[1]
    assert fix in map(str.strip, examined.splitlines())
    assert "more" in out


CRASHES = """\
import sys
sys.stdin.readline()
print('{"type":"ready"}', flush=True)
print("\\033[2Jcards", "x" * 1_000, file=sys.stderr)
int(sys.stdin.readline())
"""


def test_the_log_of_a_crash_is_told_line_by_line(call: Call, workspace: Workspace) -> None:
    workspace.add_bot("crash", CRASHES)
    assert workspace.run("run", "cup.yaml")[0] == 0
    for command in (("faults", "cup"), ("check", "bots/crash", "--sandbox", "none")):
        out = call(workspace, *command)[1]
        assert "\\n" not in out
        assert "\x1b" not in out
        assert "it ended: exit code 1; its log ends:\n" in out
        assert max(map(len, out.splitlines())) < 600
        (*_, last) = [line for line in out.splitlines() if "invalid literal for int" in line]
        assert last.startswith("  ")


def test_programs_get_all_of_it(call: Call, faulty: Workspace) -> None:
    code, out, errors = call(faulty, "faults", "cup", "--format", "json")
    assert (code, errors) == (0, "")
    told = json.loads(out)
    assert [(one["match"], one["board"], one["sitting"]) for one in told] == [(1, 1, 0), (1, 1, 1)]
    (one, _) = told
    assert (one["bot"], one["version"], one["kind"]) == ("loud", "1.0", "malformed")
    assert (one["decision"], one["hand"]) == ("blind_nil", 1)
    assert one["expected"] == '{"id":1,"move":…}'
    assert "debug line" in one["advice"]
    assert one["log"].endswith("line 39\n?[2Jgone\n")


def test_the_faults_of_one_bot_are_asked_for_by_its_name(call: Call, faulty: Workspace) -> None:
    assert call(faulty, "faults", "cup", "--bot", "ann") == (0, "", "no faults\n")
    assert call(faulty, "faults", "cup", "--bot", "loud") == call(faulty, "faults", "cup")
    assert call(faulty, "faults", "cup", "--bot", "ann", "--format", "json") == (0, "[]\n", "")
    code, out, errors = call(faulty, "faults", "cup", "--bot", "lout")
    assert (code, out) == (2, "")
    assert errors == "error: there is no bot 'lout' in cup; did you mean 'loud'?\n"


def test_a_run_without_faults_has_none(call: Call, played: Workspace) -> None:
    assert call(played, "faults", "cup") == (0, "", "no faults\n")


@pytest.mark.rule("D1a")
def test_words_and_logs_of_boards_that_are_still_to_be_played_are_held_back(
    call: Call, workspace: Workspace
) -> None:
    names = ("broken", "ann", "bob")
    with RunStore.begin(workspace.folder / "results" / "open", meta(*names), "seed") as store:
        first, later = planned(1, "broken", "ann"), planned(2, "broken", "bob")
        store.plan([first, later], boards_return=False)
        record = tests.matches.played(first)
        logs = tuple(replace(log, text="\x1b[2J\u202eAS\n" * 3) for log in record.logs)
        store.write(replace(record, logs=logs))
        code, out, errors = call(workspace, "faults", "open")
        assert (code, errors) == (0, "4 faults of 1 bot\n")
        assert out.count("held back: someone has still to play on this board") == 1
        assert "Traceback" not in out
        assert "AS" not in out
        (told, *_) = json.loads(call(workspace, "faults", "open", "--format", "json")[1])
        assert [key for key, value in told.items() if value is None] == [
            "decision", "expected", "said", "detail", "log",
        ]  # fmt: skip
        store.write(tests.matches.played(later))
        out = call(workspace, "faults", "open")[1]
        assert "came      Traceback" in out
        assert "log       \\x1b[2J\\u202eAS\n" in out
        store.note_host_failure(2, "Traceback\n  deep\nHostFault: no \x1b[2Jmemory\n")
        _, more, errors = call(workspace, "faults", "open")
        assert more.startswith(
            out + "the host: match 2\n  fault     HostFault: no \\x1b[2Jmemory\n"
        )
        assert errors == "8 faults of 1 bot, 1 failure of the host\n"
        (*_, last) = json.loads(call(workspace, "faults", "open", "--format", "json")[1])
        assert (last["kind"], last["match"], last["bot"]) == ("host", 2, None)
        assert last["detail"].startswith("Traceback")
        assert out.startswith("broken 1.0: startup, 8 times\n")
