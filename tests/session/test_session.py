"""Bots that behave, and every way in which one can fail to: each is told apart, none is waited for.

Each bot is a real process in a real sandbox.
"""

import json
import os
import resource
import time
from pathlib import Path

import pytest

from arena.errors import HostFault
from arena.protocol import MAX_LINE, Fault, FaultKind, Ready, Reply
from arena.record import Limits
from arena.sandbox import Ending, Launch, groups, open_sandbox
from arena.session import Session
from tests.sandbox.running import SECONDS, alive, open_descriptors
from tests.session.asking import (
    LONG,
    SHORT,
    ask,
    farewell,
    fault_of,
    get_ready,
    hello,
    request,
)
from tests.session.conftest import PRELUDE, OpenBot

QUIET = "\nsys.stdin.read()\n"
"""A bot's end: it hears and says nothing more until it is sent home."""


# -- bots that behave ---------------------------------------------------------------------------


def test_a_bot_gets_ready_and_answers(open_bot: OpenBot) -> None:
    session = open_bot(
        'say(json.dumps({"type": "ready", "name": hear()["game"], "version": "2"}))\n'
        'answer("KH", note="why")\nanswer(True)' + QUIET
    )
    assert session.start(hello(), LONG) == Ready("two-player", "2")
    assert ask(session) == Reply(1, "KH", "why")
    assert ask(session) == Reply(2, True)
    log = session.close()
    assert (log.text, log.ending) == ("", Ending("still running"))
    assert session.close() == log


def test_ids_count_from_one(open_bot: OpenBot) -> None:
    session = open_bot("get_ready()\nfor _ in range(3): answer()" + QUIET)
    get_ready(session)
    assert [ask(session) for _ in range(3)] == [Reply(number, 1) for number in (1, 2, 3)]


def test_ready_may_come_ahead_of_hello(open_bot: OpenBot, kind: str) -> None:
    session = open_bot('say(\'{"type":"ready"}\')\nhear()\nanswer()' + QUIET)
    wait_for_output(session)
    get_ready(session)
    assert ask(session) == Reply(1, 1)


def wait_for_output(session: Session) -> None:
    """Wait until a bot has written something that nobody asked for."""
    channel = session._channel
    assert channel.has_more or channel._output.poll(SECONDS * 1000), "nothing came"


def test_an_answer_may_come_in_pieces(open_bot: OpenBot) -> None:
    code = """
get_ready()
hear()
for byte in '{"id":1,"move":1}':
    sys.stdout.write(byte)
    sys.stdout.flush()
say("")
"""
    session = open_bot(code + QUIET)
    get_ready(session)
    assert ask(session) == Reply(1, 1)


def test_a_bot_that_answers_and_ends_has_answered(open_bot: OpenBot) -> None:
    session = open_bot("get_ready()\nanswer()")
    get_ready(session)
    assert ask(session) == Reply(1, 1)
    assert fault_of(session).kind is FaultKind.CRASH
    assert session.close().ending == Ending("exit code 0")


def test_the_log_is_kept_and_never_read_as_an_answer(open_bot: OpenBot) -> None:
    session = open_bot(
        "log('hi\\n')\nget_ready()\nlog('{\"id\":1,\"move\":9}\\n')\nanswer()" + QUIET
    )
    get_ready(session)
    assert ask(session) == Reply(1, 1)
    assert session.close().text == 'hi\n{"id":1,"move":9}\n'


def test_a_question_may_be_longer_than_a_pipe_holds(open_bot: OpenBot) -> None:
    session = open_bot("get_ready()\nanswer()\nanswer()" + QUIET)
    get_ready(session)
    assert ask(session, padding=300_000) == Reply(1, 1)
    assert ask(session) == Reply(2, 1)


def test_the_clock_runs_from_question_to_answer(open_bot: OpenBot) -> None:
    code = """
get_ready()
request = hear()
end = time.monotonic() + 0.3
while time.monotonic() < end: pass
say('{"id":1,"move":1}')
"""
    session = open_bot(code + QUIET)
    get_ready(session)
    reply, us = session.ask(request(), LONG)
    assert reply == Reply(1, 1)
    assert 300_000 <= us < LONG * 1_000_000


def test_a_bot_goes_home_by_itself(open_bot: OpenBot) -> None:
    session = open_bot("get_ready()\nlog(hear()['type'])\nlog(repr(sys.stdin.read()))\nos._exit(7)")
    get_ready(session)
    session.farewell(farewell(), LONG)
    log = session.close(LONG)
    assert (log.text, log.ending) == ("end''", Ending("exit code 7"))


def test_a_bot_that_talks_on_its_way_home_is_let_go(open_bot: OpenBot) -> None:
    code = "get_ready()\nhear()\nlog('x' * 200_000)\nsay('y' * 200_000)\nos._exit(0)"
    session = open_bot(code, log=1_000)
    get_ready(session)
    session.farewell(farewell(), LONG)
    log = session.close(LONG)
    assert log.ending == Ending("exit code 0")
    assert "bytes left out" in log.text


def test_a_bot_that_does_not_go_home_is_killed(open_bot: OpenBot) -> None:
    code = "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nget_ready()\nwhile True: signal.pause()"
    session = open_bot(code)
    get_ready(session)
    session.farewell(farewell(), LONG)
    assert session.close(SHORT).ending == Ending("still running")


# -- silence and pace ---------------------------------------------------------------------------

SILENT = {
    "never answers": "hear()",
    "sends a byte now and then": """hear()
while True:
    sys.stdout.write(" ")
    sys.stdout.flush()
    time.sleep(0.001)
""",
    "stops itself": "hear()\nos.kill(os.getpid(), signal.SIGSTOP)",
    "writes half a line": "hear()\nsys.stdout.write('{\"id\":1,')\nsys.stdout.flush()",
    "floods its log": "hear()\nwhile True: log('x' * 1000)",
    "floods its log with lines": "hear()\nwhile True: log('x\\n' * 1000)",
    "thinks for ever": "hear()\nwhile True: pass",
    "ignores SIGTERM": "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nhear()",
}


@pytest.mark.parametrize("name", SILENT)
def test_silence_is_a_timeout_however_it_is_kept(open_bot: OpenBot, name: str) -> None:
    session = open_bot("get_ready()\n" + SILENT[name] + "\nwhile True: signal.pause()", log=2_000)
    get_ready(session)
    answer, us = session.ask(request(), SHORT)
    assert isinstance(answer, Fault)
    assert answer.kind is FaultKind.TIMEOUT
    assert us == round(SHORT * 1_000_000)
    assert answer.expected == "an answer to request 1 within 0.050 s"
    log = session.close()
    assert log.ending == Ending("still running")
    assert len(log.text.encode()) <= 2_000


def test_after_a_timeout_nothing_more_is_asked(open_bot: OpenBot) -> None:
    session = open_bot("get_ready()\nhear()\n" + QUIET)
    get_ready(session)
    fault = fault_of(session, SHORT)
    assert session.ask(request(), LONG) == (fault, 0)


def test_a_bot_that_never_reads_holds_nobody_up(open_bot: OpenBot) -> None:
    session = open_bot('say(\'{"type":"ready"}\')\nwhile True: signal.pause()')
    get_ready(session)
    fault = fault_of(session, SHORT, padding=300_000)
    assert (fault.kind, fault.detail) == (FaultKind.TIMEOUT, "it does not read its input")


def test_no_time_left_is_no_time(open_bot: OpenBot) -> None:
    session = open_bot("get_ready()\nhear()" + QUIET)  # an answer might be there at once
    get_ready(session)
    assert fault_of(session, 0.0).kind is FaultKind.TIMEOUT


def test_answers_ahead_of_their_question_are_unsolicited(open_bot: OpenBot) -> None:
    code = "get_ready()\nanswer()\nsay('{\"id\":2,\"move\":1}')\nlog('done')" + QUIET
    session = open_bot(code)
    get_ready(session)
    assert ask(session) == Reply(1, 1)
    wait_for_output(session)
    fault = fault_of(session)
    assert fault.kind is FaultKind.UNSOLICITED
    assert fault.said == '{"id":2,"move":1}'


def test_a_second_answer_in_the_same_breath_is_unsolicited_at_the_next(open_bot: OpenBot) -> None:
    both = '{"id":1,"move":1}\\n{"id":1,"move":0}'
    session = open_bot(f"get_ready()\nhear()\nsay('{both}')" + QUIET)
    get_ready(session)
    assert ask(session) == Reply(1, 1)
    assert fault_of(session).kind is FaultKind.UNSOLICITED


EXTRAS = {
    "a second answer": ('{"id":1,"move":0}', FaultKind.UNSOLICITED),
    "a word": ("thinking", FaultKind.MALFORMED),
    "a line too long": ("x" * (MAX_LINE + 1), FaultKind.OVERSIZE),
    "an id that was never asked": ('{"id":9,"move":0}', FaultKind.MISMATCH),
}


@pytest.mark.parametrize("name", EXTRAS)
def test_what_comes_behind_an_answer_is_the_same_fault_whenever_it_comes(
    open_bot: OpenBot, name: str
) -> None:
    extra, kind_of_fault = EXTRAS[name]
    in_one_breath = '{"id":1,"move":1}\n' + extra
    faults = []
    for code in (f"hear()\nsay({in_one_breath!r})", f"answer()\nhear()\nsay({extra!r})"):
        session = open_bot(f"get_ready()\n{code}" + QUIET)
        get_ready(session)
        assert ask(session) == Reply(1, 1)
        faults.append(fault_of(session))
    assert faults[0] == faults[1]
    assert faults[0].kind is kind_of_fault


def test_more_than_ready_is_the_answer_to_the_first_question(open_bot: OpenBot) -> None:
    session = open_bot('hear()\nsay(\'{"type":"ready"}\\nI am ready\')' + QUIET)
    get_ready(session)
    fault = fault_of(session)
    assert (fault.kind, fault.said) == (FaultKind.MALFORMED, "I am ready")


def test_an_old_id_is_unsolicited(open_bot: OpenBot) -> None:
    session = open_bot('get_ready()\nanswer()\nhear()\nsay(\'{"id":1,"move":1}\')' + QUIET)
    get_ready(session)
    assert ask(session) == Reply(1, 1)
    fault = fault_of(session)
    assert fault.kind is FaultKind.UNSOLICITED
    assert "request 1 was answered before" in fault.detail


def test_bytes_that_come_while_a_question_is_written_are_unsolicited(open_bot: OpenBot) -> None:
    code = 'get_ready()\nsys.stdin.read(1)\nsay(\'{"id":1,"move":1}\')\nwhile True: signal.pause()'
    session = open_bot(code)
    get_ready(session)
    assert fault_of(session, padding=300_000).kind is FaultKind.UNSOLICITED


@pytest.mark.parametrize(
    ("line", "kind_of_fault"),
    [
        ("KH", FaultKind.MALFORMED),
        ("", FaultKind.MALFORMED),
        ("[" * 60_000, FaultKind.MALFORMED),
        ('{"id":1,"move":' + "9" * 50_000 + "}", FaultKind.MALFORMED),
        ('{"id":1,"move":NaN}', FaultKind.MALFORMED),
        ('{"id":1,"id":1,"move":1}', FaultKind.MALFORMED),
        ('{"id":9,"move":1}', FaultKind.MISMATCH),
        ('{"id":"1","move":1}', FaultKind.MISMATCH),
    ],
)
def test_a_wrong_line_is_a_fault_and_the_bot_stays_in_step(
    open_bot: OpenBot, line: str, kind_of_fault: FaultKind
) -> None:
    session = open_bot(f"get_ready()\nhear()\nsay({line!r})\nanswer()" + QUIET)
    get_ready(session)
    fault = fault_of(session)
    assert fault.kind is kind_of_fault
    assert len(fault.said) <= 201
    assert ask(session) == Reply(2, 1)


def test_bytes_that_are_no_text_are_malformed(open_bot: OpenBot) -> None:
    session = open_bot("get_ready()\nhear()\nos.write(1, b'\\xff\\xfe\\n')" + QUIET)
    get_ready(session)
    assert fault_of(session).kind is FaultKind.MALFORMED


# -- ends ---------------------------------------------------------------------------------------

ENDS = {
    "os._exit(0)": "exit code 0",
    "os._exit(3)": "exit code 3",
    "os.kill(os.getpid(), signal.SIGSEGV)": "killed by SIGSEGV",
    "os.kill(os.getpid(), signal.SIGKILL)": "killed by SIGKILL",
}


@pytest.mark.parametrize("code", ENDS)
def test_an_end_in_mid_game_is_a_crash_that_says_how(open_bot: OpenBot, code: str) -> None:
    session = open_bot(f"get_ready()\nhear()\nlog('my last words')\n{code}")
    get_ready(session)
    fault = fault_of(session)
    assert fault.kind is FaultKind.CRASH
    assert ENDS[code] in fault.detail
    assert fault.detail.endswith("; its log ends:\nmy last words")
    assert session.close().ending == Ending(ENDS[code])


def test_an_end_between_questions_is_a_crash_at_the_next(open_bot: OpenBot) -> None:
    session = open_bot("get_ready()\nos._exit(4)")
    get_ready(session)
    fault = fault_of(session)
    assert fault.kind is FaultKind.CRASH
    assert "exit code 4" in fault.detail


def test_an_end_right_after_ready_is_told_the_same_each_time(open_bot: OpenBot) -> None:
    faults = []
    for sees_the_end in (False, True) * 3:
        session = open_bot("get_ready()\nos._exit(4)")
        get_ready(session)
        if sees_the_end:
            session._channel.await_end(time.monotonic() + SECONDS)
        faults.append(fault_of(session))
    assert {fault.detail for fault in faults} == {"it ended: exit code 4"}
    assert set(faults) == {faults[0]}


def test_a_crash_shows_the_end_of_the_traceback(open_bot: OpenBot) -> None:
    session = open_bot("get_ready()\nlog('x' * 100_000)\nhear()\nint('four of clubs')")
    get_ready(session)
    fault = fault_of(session)
    assert fault.kind is FaultKind.CRASH
    assert fault.detail.endswith(
        "ValueError: invalid literal for int() with base 10: 'four of clubs'"
    )
    assert len(fault.detail) < 1_000
    assert session.close().text.endswith("'four of clubs'\n")


def test_a_fault_says_the_same_each_time(open_bot: OpenBot) -> None:
    faults = []
    for _ in range(2):
        session = open_bot("get_ready()\nhear()\nraise SystemExit('no idea')")
        get_ready(session)
        faults.append(fault_of(session))
    assert faults[0] == faults[1]


def test_a_bot_that_closes_its_output_and_lives_on_has_crashed(open_bot: OpenBot) -> None:
    session = open_bot("get_ready()\nhear()\nos.close(1)\nwhile True: signal.pause()")
    get_ready(session)
    fault = fault_of(session)
    assert fault.kind is FaultKind.CRASH
    assert fault.detail == "it closed its output: still running"


@pytest.mark.parametrize(
    "code",
    [
        'hear()\nos.close(0)\nsay(\'{"type":"ready"}\')\nwhile True: signal.pause()',
        "get_ready()\nhear()\nos.close(0)\nwhile True: signal.pause()",
    ],
)
def test_when_a_bot_closes_its_input_makes_no_difference(open_bot: OpenBot, code: str) -> None:
    session = open_bot(code)
    get_ready(session)
    fault = fault_of(session, SHORT)
    assert (fault.kind, fault.detail) == (FaultKind.TIMEOUT, "nothing came")


def test_a_child_that_holds_the_output_does_not_hide_an_end(open_bot: OpenBot, token: str) -> None:
    code = f"get_ready()\nhear()\nif os.fork(): os._exit(5)\nsignal.pause()  # {token}"
    session = open_bot(code)
    get_ready(session)
    fault = fault_of(session)
    assert fault.kind is FaultKind.CRASH
    assert "exit code 5" in fault.detail
    session.close()
    assert alive(token) == []


def test_an_end_for_want_of_memory_is_told_apart(folder: Path) -> None:
    if groups._parents().keys().isdisjoint(("memory", "memory2")):
        pytest.skip("no group of memory may be made here")
    (folder / "bot.py").write_text(f"{PRELUDE}get_ready()\nhear()\nwaste = b'x' * 10**9")
    launch = Launch(("python3", "bot.py"), folder, Limits(memory=64 * 1024**2))
    session = Session(open_sandbox("bubblewrap").launch(launch), 1_000)
    get_ready(session)
    fault = fault_of(session)
    assert fault.kind is FaultKind.RESOURCE
    assert fault.detail == "it met the memory limit of 64 MiB"
    assert session.close().ending.text == "killed by SIGKILL"


# -- floods -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        "say('x' * 1_000_000)",
        "say('x' * (65_536 + 1))",
        "while True: os.write(1, b'x' * 4096)",
        f"say(json.dumps({{'id': 1, 'move': 1, 'note': 'x' * {MAX_LINE}}}))",
    ],
)
def test_a_line_without_end_is_oversize(open_bot: OpenBot, code: str) -> None:
    session = open_bot(f"get_ready()\nhear()\n{code}" + QUIET)
    get_ready(session)
    fault = fault_of(session)
    assert fault.kind is FaultKind.OVERSIZE
    assert len(fault.said) <= 201
    assert len(session._channel._lines._buffer) <= 2 * MAX_LINE


def test_a_line_of_just_the_size_that_is_allowed_is_read(open_bot: OpenBot) -> None:
    empty = len(json.dumps({"id": 1, "move": ""}))
    session = open_bot(f"get_ready()\nanswer('x' * ({MAX_LINE} - {empty}))\nanswer()" + QUIET)
    get_ready(session)
    assert isinstance(ask(session), Reply)
    assert ask(session) == Reply(2, 1)


def test_lines_without_end_are_unsolicited(open_bot: OpenBot) -> None:
    code = (
        'get_ready()\nhear()\nline = b\'{"id":1,"move":1}\\n\'\nwhile True: os.write(1, line * 99)'
    )
    session = open_bot(code)
    get_ready(session)
    assert ask(session) == Reply(1, 1)
    assert fault_of(session).kind is FaultKind.UNSOLICITED
    assert len(session._channel._lines._buffer) <= 2 * MAX_LINE


def test_a_flooded_log_keeps_no_memory_and_no_answer_back(open_bot: OpenBot) -> None:
    flood = "get_ready()\nrequest = hear()\nfor _ in range(2_000): log('x' * 10_000)\n"
    session = open_bot(flood + 'say(\'{"id":1,"move":1}\')' + QUIET, log=4_096)
    get_ready(session)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert ask(session) == Reply(1, 1)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4_096
    text = session.close().text
    assert len(text.encode()) <= 4_096
    assert "bytes left out" in text


# -- starting up --------------------------------------------------------------------------------

STARTS = {
    "": "it ended: exit code 0",
    "hear()\nimport nowhere": "No module named 'nowhere'",
    "hear()\nsay('hello!')": "not JSON",
    "hear()\nsay('{}')": "no ready",
    "say('loading...')\nhear()": "not JSON",
    "hear()\nsay('x' * 100_000)": "more than 65536 bytes",
}


@pytest.mark.parametrize("code", STARTS)
def test_whatever_is_no_ready_is_a_startup_fault(open_bot: OpenBot, code: str) -> None:
    session = open_bot(code + ("" if "import" in code or not code else QUIET))
    fault = session.start(hello(), LONG)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.STARTUP
    assert STARTS[code] in fault.detail
    assert session.ask(request(), LONG) == (fault, 0)


def test_a_bot_that_never_gets_ready_is_not_waited_for(open_bot: OpenBot) -> None:
    fault = open_bot("while True: signal.pause()").start(hello(), SHORT)
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.detail) == (FaultKind.STARTUP, "nothing came")
    assert fault.expected == '{"type":"ready"} within 0.05 s'


DRIPS = """
hear()
for letter in '{"type":"ready"' + " " * 1_000_000:
    sys.stdout.write(letter)
    sys.stdout.flush()
    time.sleep(0.001)
"""


def test_a_ready_that_drips_is_cut_at_the_deadline(open_bot: OpenBot) -> None:
    began = time.monotonic()
    fault = open_bot(DRIPS).start(hello(), 1.0)
    assert 1.0 <= time.monotonic() - began < SECONDS
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.detail) == (FaultKind.STARTUP, "only part of a line came")
    assert fault.expected == '{"type":"ready"} within 1 s'


def test_a_command_that_is_not_there_is_a_startup_fault(kind: str, folder: Path) -> None:
    launch = Launch(("./bot.exe",), folder, Limits())
    session = Session(open_sandbox(kind).launch(launch), 1_000)
    fault = session.start(hello(), LONG)
    assert isinstance(fault, Fault)
    assert fault.kind is FaultKind.STARTUP
    assert "exit code 127" in fault.detail
    assert "./bot.exe: not found" in fault.detail
    assert "./bot.exe: not found" in session.close().text


def test_a_sandbox_that_fails_is_nobody_s_fault_and_closes_once() -> None:
    class Broken:
        stdin, stdout, stderr, exited = -1, -1, -1, -1
        can_freeze = False

    read, write = os.pipe()
    os.set_blocking(read, False)
    closings = []

    class Failing(Broken):
        def freeze(self) -> None: ...
        def thaw(self) -> None: ...
        def close_input(self) -> None: ...
        def close(self) -> Ending:
            closings.append(1)
            raise HostFault("no room for a namespace")

    process = Failing()
    process.stdin, process.stdout, process.stderr, process.exited = write, read, read, read
    session = Session(process, 100)
    with pytest.raises(HostFault, match="no room"):
        session.close()
    assert session.close().ending == Ending("it never ran")
    assert closings == [1]
    os.close(read)
    os.close(write)


# -- what is left -------------------------------------------------------------------------------


def test_fifty_bots_in_a_row_leave_nothing(open_bot: OpenBot, token: str) -> None:
    code = f"if os.fork() == 0: signal.pause()\nget_ready()\nanswer()\nhear()\n# {token}"
    open_bot(code).close()
    before = open_descriptors()
    for turn in range(50):
        session = open_bot(code)
        if turn % 5 == 0:
            get_ready(session)
            assert ask(session) == Reply(1, 1)
            session.farewell(farewell(), LONG)
            session.close(LONG)
        session.close()
    assert open_descriptors() == before
    assert alive(token) == []
