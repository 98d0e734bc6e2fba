"""What a bot's author should change, told from a fault's own words, the same wherever one is shown.

It knows the mistakes that beginners make and how each looks on the wire; it never knows who reads.
"""

import json
import re

from arena.errors import did_you_mean
from arena.protocol import ADVICE, FaultKind

PROGRAMS = (
    "python", "python3", "node", "java", "javac", "gcc", "g++", "cc", "make", "cargo", "rustc",
    "go", "bash", "perl", "ruby", "deno", "dotnet", "php", "julia", "lua", "pypy3", "racket",
)  # fmt: skip
"""What bots are started and built with."""
_DEBUG = (
    "this looks like a debug line: standard output is for the protocol alone, so print it to "
    "standard error, such as print(…, file=sys.stderr), console.error(…) or fprintf(stderr, …)"
)


def advice_on(kind: FaultKind, said: str, detail: str) -> str:
    """Say how to mend a fault: by its words where they look like a well-known mistake."""
    return _special(kind, said, detail) or ADVICE[kind]


def start_advice(words: str) -> str | None:
    """Tell from a shell's last words why a program could not be started, and what to do."""
    if found := re.search(r"([^\s:]+): not found", words):
        program = found[1]
        if "/" in program:
            return (
                f"{program} is not there, or its first line or its libraries are not: see that the "
                "build makes it, or bring it along"
            )
        meant = program_meant(program)
        question = f"{meant} " if meant else ""
        return (
            f"{question}{program} is not installed where bots find programs, which is "
            "/usr/local/bin, /usr/bin and /bin, or Docker's image: install it for all users or "
            "take another image"
        )
    if "Exec format error" in words:
        return (
            "this is no program for this kind of machine, or a script whose first line is not such "
            "as #!/bin/sh: build it in a build step, or write that line"
        )
    if "Permission denied" in words:
        return "make it executable with chmod +x, and the program that its first line names, too"
    return None


def program_meant(program: str) -> str | None:
    """Ask whether a program that is not there is a well-known one, misspelt."""
    near = did_you_mean(program, PROGRAMS)
    return near if program not in PROGRAMS and near and near.startswith("did") else None


def _special(kind: FaultKind, said: str, detail: str) -> str | None:
    """Give the advice for a well-known mistake, where it looks like one."""
    if kind is FaultKind.STARTUP and (advice := start_advice(detail)):
        return advice
    if kind is FaultKind.ILLEGAL:
        return _misspelt(said)
    is_line = kind in (FaultKind.MALFORMED, FaultKind.STARTUP, FaultKind.UNSOLICITED)
    first = said.split("\\n", maxsplit=1)[0].strip()
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
