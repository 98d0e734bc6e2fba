"""What a fault's words are taken for, and what is left to the general advice."""

import pytest

from arena.advice import advice_on, start_advice
from arena.protocol import ADVICE, FaultKind


@pytest.mark.parametrize(
    ("kind", "said", "detail", "expected"),
    [
        (
            FaultKind.STARTUP,
            "",
            "it ended: exit code 127; gone: not found",
            "gone is not installed",
        ),
        (FaultKind.STARTUP, "", "exec: pyton: not found", "did you mean 'python'?"),
        (FaultKind.STARTUP, "", "exec: ./bot: not found", "its first line or its libraries"),
        (FaultKind.STARTUP, "", "exec: ./bot: Permission denied", "chmod +x"),
        (FaultKind.STARTUP, "", "it ended: exit code 0", "before it has answered the hello line"),
        (FaultKind.STARTUP, "", "it met the memory limit of 1 MiB", ADVICE[FaultKind.RESOURCE]),
        (FaultKind.STARTUP, "hi", "it is no JSON", "this looks like a debug line"),
        (FaultKind.STARTUP, "{", "it is no JSON", ADVICE[FaultKind.STARTUP]),
        (FaultKind.MALFORMED, "hi", "it is no JSON", "this looks like a debug line"),
        (FaultKind.MALFORMED, "", "it is no JSON", ADVICE[FaultKind.MALFORMED]),
        (FaultKind.MALFORMED, '{"mvoe":"KH","id":1}', "there is no 'move'", 'and not "mvoe"'),
        (FaultKind.MALFORMED, '{"ID":1,"move":"KH"}', "there is no 'id'", 'and not "ID"'),
        (FaultKind.MALFORMED, '{"id":1}', "there is no 'move'", 'missing: write "move", such'),
        (FaultKind.MALFORMED, "{'id': 1, 'move': 'KH'}", "not JSON: …", "json.dumps"),
        (FaultKind.MALFORMED, '{"id": 1, "move": True}', "not JSON: …", "json.dumps"),
        (FaultKind.MALFORMED, "{ id: 1, move: 'KH' }", "not JSON: …", "JSON.stringify"),
        (FaultKind.MALFORMED, '{"id":1,', "not JSON: …", ADVICE[FaultKind.MALFORMED]),
        (FaultKind.STARTUP, "{'type': 'ready'}", "not JSON: …", "json.dumps"),
        (FaultKind.UNSOLICITED, "hi", "", "this looks like a debug line"),
        (FaultKind.ILLEGAL, "nonsense", "", ADVICE[FaultKind.ILLEGAL]),
        (FaultKind.ILLEGAL, '["2C","10d","3C"]', "", 'write "TD"'),
        (FaultKind.ILLEGAL, '["2C"]', "", ADVICE[FaultKind.ILLEGAL]),
        (FaultKind.ILLEGAL, '"4"', "", 'write 4 and not "4"'),
        (FaultKind.ILLEGAL, '"True"', "", "write true and not"),
        (FaultKind.ILLEGAL, '"kh"', "", 'write "KH"'),
        (FaultKind.ILLEGAL, "5", "", ADVICE[FaultKind.ILLEGAL]),
        (FaultKind.CRASH, "", "exit code 1", ADVICE[FaultKind.CRASH]),
    ],
)
def test_a_fault_is_advised_on_by_its_own_words(
    kind: FaultKind, said: str, detail: str, expected: str
) -> None:
    assert expected in advice_on(kind, said, detail)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Node v20.20.2 cannot read TypeScript: run", "run npm install typescript"),
        ("./b.py: 1: import: not found", "./b.py was run by the shell"),
        ("./b.sh: 3: jq: not found", "jq is not installed"),
        ("exec: ./bot: Exec format error", "no program for this kind of machine"),
        ("can't open file '/bot/lib/b.py': [Errno 2]", "no file lib/b.py"),
        ("Error: Cannot find module '/bot/b.js'", "no file b.js"),
        ("Error: Cannot find module 'ws'", "put ws into"),
        ("bash: b.sh: No such file or directory", "no file b.sh"),
        ("sh: 0: cannot open b.sh: No such file", "no file b.sh"),
        ("No module named 'numpy'", "put numpy into"),
        ("Could not find or load main class MyBot", "no MyBot.class"),
    ],
)
def test_what_interpreters_say_is_known(words: str, expected: str) -> None:
    assert expected in str(start_advice(words))


def test_other_words_are_nobody_s() -> None:
    assert start_advice("all is well") is None
