"""A fault as an author reads it: what was expected, what came, and how to mend it.

It knows the mistakes that beginners make and how each looks on the wire; it never asks a bot.
"""

import json
import re

import msgspec

from arena.protocol import ADVICE, Fault, FaultKind

_FLUSH = (
    "the answer was written and never sent: flush standard output after each line, "
    "such as print(…, flush=True), fflush(stdout) or a language's unbuffered output"
)
_DEBUG = (
    "this looks like a debug line: standard output is for the protocol alone, so print it to "
    "standard error, such as print(…, file=sys.stderr), console.error(…) or fprintf(stderr, …)"
)


class Finding(msgspec.Struct, frozen=True):
    """One fault: where it happened, what was expected, the exact line that came, and the fix."""

    where: str
    kind: str
    expected: str
    said: str
    detail: str
    fix: str


def finding(where: str, fault: Fault, kept_back: bool = False) -> Finding:
    """Tell a fault to its author; `kept_back`: the answer came once the input was closed."""
    fix = _FLUSH if kept_back else _special(fault) or ADVICE[fault.kind]
    return Finding(where, fault.kind.value, fault.expected, fault.said, fault.detail, fix)


def start_advice(words: str) -> str | None:
    """Tell from a shell's last words why a program could not be started, and what to do."""
    if found := re.search(r"([^\s:]+): not found", words):
        program = found[1]
        if "/" in program:
            return (
                f"{program} is not there, or its first line or its libraries are not: see that the "
                "build makes it, or bring it along"
            )
        return (
            f"{program} is not installed where bots find programs, which is /usr/local/bin, "
            "/usr/bin and /bin, or Docker's image: install it for all users or take another image"
        )
    if "Exec format error" in words:
        return (
            "this is no program for this kind of machine, or a script whose first line is not such "
            "as #!/bin/sh: build it in a build step, or write that line"
        )
    if "Permission denied" in words:
        return "make it executable with chmod +x, and the program that its first line names, too"
    return None


def _special(fault: Fault) -> str | None:
    """Give the advice for a well-known mistake, where it looks like one."""
    if fault.kind is FaultKind.STARTUP and (advice := start_advice(fault.detail)):
        return advice
    if fault.kind is FaultKind.ILLEGAL:
        return _misspelt(fault.said)
    is_line = fault.kind in (FaultKind.MALFORMED, FaultKind.STARTUP, FaultKind.UNSOLICITED)
    first = fault.said.split("\\n")[0].strip()
    return _DEBUG if is_line and first and not _is_json_object(first) else None


def _is_json_object(text: str) -> bool:
    """Tell whether it is at least meant as an object."""
    return text.startswith("{")


def _misspelt(said: str) -> str | None:
    """Tell how the move in a bot's words should have been spelt."""
    try:
        move = json.loads(said)
    except ValueError:
        return None
    words = move if isinstance(move, list) else [move]
    for word in words:
        if isinstance(word, str) and (advice := _misspelt_word(word)):
            return advice
    return None


def _misspelt_word(word: str) -> str | None:
    if re.fullmatch(r"-?\d+(\.\d+)?", word):
        return f'a number is not a text: write {word} and not "{word}"'
    if word.lower() in ("true", "false"):
        return f'true and false are no texts: write {word.lower()} and not "{word}"'
    if re.fullmatch(r"10[CDHScdhs]", word):
        return f'the ten is T: write "T{word[-1].upper()}" and not "{word}"'
    if re.fullmatch(r"[2-9TJQKAtjqka][CDHScdhs]", word) and word != word.upper():
        return f'cards are in upper case: write "{word.upper()}" and not "{word}"'
    return None
