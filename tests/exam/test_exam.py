from pathlib import Path

import pytest

from arena.bots import load_bot
from arena.exam import Report, examine
from arena.exam.findings import finding
from arena.exam.speed import speed
from arena.protocol import ADVICE, Fault, FaultKind, TimeControl
from arena.sandbox import open_sandbox
from tests.bot_folders import make_bot

SHORT = TimeControl(0.3, 0.3, 60)
LONG = TimeControl(60, 60, 60)


def examined(folder: Path, code: str, time: TimeControl = LONG) -> Report:
    return examine(make_bot(folder, "pupil", code), open_sandbox("none"), time)


def test_a_good_bot_passes_in_each_game_it_claims(tmp_path: Path) -> None:
    report = examined(tmp_path, "")
    assert report.passed
    assert [stage.name for stage in report.stages] == [
        "manifest",
        "two-player",
        "two-player, after a double nil",
        "two-player, lines in halves",
        "partnership",
        "partnership, after a double nil",
        "partnership, lines in halves",
    ]
    assert report.speed is not None
    assert report.speed.replies > 100


def test_a_good_bot_is_asked_everything_from_each_seat(tmp_path: Path) -> None:
    tells = """
    seat = None

    def on_hello(hello):
        global seat
        seat = hello["seat"]
        say({"type": "ready"})

    def answer(request):
        view = request["view"]
        role = "a double nil" if view["double_nil"][seat] else ""
        with open(ASKED, "a") as file:
            print(seat, request["decision"], role, file=file)
        kinds = [event["event"] for event in request["events"]]
        assert request["id"] > 1 or kinds[0] == "game_start", kinds
        say({"id": request["id"], "move": first_legal(request)})
    """
    asked = tmp_path / "asked"
    assert examined(tmp_path, tells.replace("ASKED", repr(str(asked)))).passed
    lines = {line.strip() for line in asked.read_text().splitlines()}
    for seat in (0, 1):
        assert lines >= {
            f"{seat} {what}"
            for what in (
                "blind_nil", "draft", "bid", "play", "exchange a double nil", "pass a double nil",
                "pass", "play a double nil",
            )
        }  # fmt: skip


@pytest.mark.parametrize(
    ("code", "kind", "advice"),
    [
        ("def first_legal(request): print('thinking', flush=True); return 0", "malformed", "debug"),
        ("def first_legal(request): return '3'", "illegal", "write 3 and not"),
        ("def first_legal(request): return 'as'", "illegal", 'write "AS"'),
        ("def first_legal(request): return '10H'", "illegal", 'write "TH"'),
        ("def first_legal(request): return 'true'", "illegal", "write true"),
        ("def first_legal(request): return 99", "illegal", ADVICE[FaultKind.ILLEGAL]),
        ("def on_hello(hello): print('hello there', flush=True)", "startup", "debug"),
        ("def answer(request): sys.exit(3)", "crash", ADVICE[FaultKind.CRASH]),
    ],
)
def test_a_beginner_s_fault_gets_its_own_advice(
    tmp_path: Path, code: str, kind: str, advice: str
) -> None:
    report = examined(tmp_path, code)
    assert not report.passed
    found = report.stages[1].findings[0]
    assert found.kind == kind
    assert advice in found.fix


def test_a_pass_of_one_card_is_told_that_a_list_of_three_is_expected(tmp_path: Path) -> None:
    one = """
    def answer(request):
        move = request["legal"][0] if request["decision"] == "pass" else first_legal(request)
        say({"id": request["id"], "move": move})
    """
    found = [each for stage in examined(tmp_path, one).stages for each in stage.findings]
    assert found
    assert all(each.expected.startswith("a list of exactly 3 of ") for each in found)


def test_an_answer_that_was_not_flushed_is_told_from_none(tmp_path: Path) -> None:
    unflushed = "def answer(request): print(json.dumps({'id': request['id'], 'move': 0}))"
    (found,) = examined(tmp_path / "a", unflushed, TimeControl(60, 0.3, 60)).stages[1].findings
    assert (found.kind, "flush" in found.fix) == ("timeout", True)
    assert found.fix != ADVICE[FaultKind.TIMEOUT]
    silent = "def answer(request): pass"
    (found,) = examined(tmp_path / "b", silent, TimeControl(60, 0.3, 60)).stages[1].findings
    assert found.fix == ADVICE[FaultKind.TIMEOUT]


def test_a_bot_that_answers_half_a_line_is_found(tmp_path: Path) -> None:
    code = """
    os.set_blocking(0, False)
    import select
    number = 0
    while True:
        select.select([0], [], [])
        chunk = os.read(0, 1 << 20)
        if not chunk:
            sys.exit()
        number += 1
        say({"type": "ready"} if number == 1 else {"id": number - 1, "move": False})
    """
    report = examined(tmp_path, code)
    assert not report.passed


def test_a_failed_build_is_told_with_its_output(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "pupil")
    manifest = bot.folder / "bot.yaml"
    manifest.write_text(manifest.read_text() + "build: [python3, -c, 'print(17); exit(3)']\n")
    report = examine(load_bot(bot.folder), open_sandbox("none"), LONG)
    (found,) = report.stages[-1].findings
    assert (found.said, found.detail) == ("17", "exit code 3")


def test_words_that_are_no_json_are_left_to_the_general_advice() -> None:
    fault = Fault(FaultKind.MALFORMED, "a line", '{"id":1,', "not JSON: Expecting property name")
    assert finding("hand 1", fault).fix == ADVICE[FaultKind.MALFORMED]


@pytest.mark.parametrize("code", ["sys.stdin.read()", "sys.stdin.readlines()"])
def test_a_bot_that_reads_to_the_end_before_it_answers_is_told_so(
    tmp_path: Path, code: str
) -> None:
    waits = f"import io\nlines = {code}\n"
    waits += "sys.stdin = io.StringIO(lines if isinstance(lines, str) else ''.join(lines))\n"
    (found,) = examined(tmp_path, waits, SHORT).stages[1].findings
    assert "read line by line and answer each at once" in found.fix
    assert "flush" in found.fix


def test_an_answer_that_never_came_has_no_reply_time(tmp_path: Path) -> None:
    code = """
    def answer(request):
        if request["id"] <= 2:
            say({"id": request["id"], "move": first_legal(request)})
    """
    report = examined(tmp_path, code, TimeControl(60, 0.5, 60))
    assert report.late == 2  # once in each game
    assert report.speed is not None
    assert report.speed.replies == 4


def test_quick_bots_are_not_expected_to_be_late_and_slow_ones_are() -> None:
    quick = speed([50] * 90 + [9_000, 30_000] * 5, 4, 1.0)
    slow = speed([900_000] * 90 + [1_000_000] * 10, 4, 1.0)
    assert quick is not None
    assert slow is not None
    assert quick.forfeit_rate < 0.1
    assert slow.forfeit_rate > 99
    assert speed([], 1, 1.0) is None


def test_the_answer_behind_a_debug_line_is_no_second_fault(tmp_path: Path) -> None:
    code = """
    def first_legal(request):
        print("thinking", flush=True)
        return request["legal"][0]
    """
    assert len(examined(tmp_path, code).stages[1].findings) == 1


ANOTHER_MACHINE_S = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xff\x00\x01" + bytes(47)


@pytest.mark.parametrize(
    ("lines", "program", "advice"),
    [
        ("command: [no-such-language, bot.py]", b"", "no-such-language is not installed where"),
        ("command: [pyhton3, bot.py]", b"", "did you mean 'python3'? pyhton3 is not installed"),
        ("command: [./bot]", ANOTHER_MACHINE_S, "no program for this kind of machine"),
        ("command: [./bot]", b"#!/usr/bin/no-such-language\n", "its first line or its libraries"),
        ("command: [./made]\nbuild: [echo, done]", b"", "see that the build makes it"),
        ("command: [./made]\nbuild: [no-such-compiler]", b"", "no-such-compiler is not installed"),
        ("command: [./made]\nbuild: [sh, -c, exit 4]", b"", "run the build of bot.yaml by hand"),
    ],
)
@pytest.mark.parametrize("sandbox", ["bubblewrap", "none"])
def test_what_keeps_a_program_from_starting_is_told_apart(
    tmp_path: Path, sandbox: str, lines: str, program: bytes, advice: str
) -> None:
    (tmp_path / "bot.yaml").write_text(
        f"name: pupil\nversion: '1'\ngames: [two-player]\nprotocol: 1\n{lines}\n"
    )
    (tmp_path / "bot").write_bytes(program)
    (tmp_path / "bot").chmod(0o755)
    report = examine(load_bot(tmp_path), open_sandbox(sandbox), LONG)
    (found,) = report.stages[-1].findings
    assert advice in found.fix
