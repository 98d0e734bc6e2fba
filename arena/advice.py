"""What a bot's author should change, told from a fault's own words, the same wherever one is shown.

It knows the mistakes that beginners make and how each looks on the wire; it never knows who reads.
"""

import json
import re
from difflib import get_close_matches

from arena.errors import did_you_mean
from arena.protocol import ADVICE, FaultKind

PROGRAMS = (
    "python", "python3", "node", "java", "javac", "gcc", "g++", "cc", "make", "cargo", "rustc",
    "go", "bash", "perl", "ruby", "deno", "dotnet", "php", "julia", "lua", "pypy3", "racket",
)  # fmt: skip
"""What bots are started and built with."""
_NO_FILE = "there is no file {0} in the bot's folder: see the command in bot.yaml"
_STARTS = (
    (
        r"cannot read TypeScript",
        (
            "run npm install typescript in the bot's folder, where build.cjs looks for it; where "
            "the arena's machine has Node 22.13 or newer, nothing of the kind is needed"
        ),
    ),
    (
        r"^(\S+): \d+: (?:import|from|const|let|var|def|class|use|package): not found",
        (
            "{0} was run by the shell, which it is not written for: give it a first line such as "
            "#!/usr/bin/env python3, or write the interpreter before it in command"
        ),
    ),
    (
        r"Exec format error",
        "this is no program for this kind of machine: have a build step make it",
    ),
    (
        r"Permission denied",
        "make it executable with chmod +x, and the program that its first line names, too",
    ),
    (
        r"can't open file '(?:/bot/)?([^']+)'",
        _NO_FILE,
    ),
    (
        r"Cannot find module '/(?:bot/)?([^']+)'",
        _NO_FILE,
    ),
    (
        r"^(?:ba|da)?sh: (?:\d+: )?(?:cannot open )?(\S+): No such file",
        _NO_FILE,
    ),
    (
        r"No module named '([^']+)'",
        (
            "the sandbox has none of your own Python packages: put {0} into the bot's folder, "
            "such as with pip install --target . and its name, or do without"
        ),
    ),
    (
        r"Cannot find (?:module|package) '([^'.][^']*)'",
        (
            "the sandbox has none of your own Node packages: put {0} into the bot's folder, with "
            "npm install there, or do without"
        ),
    ),
    (
        r"Could not find or load main class (\S+)",
        "there is no {0}.class where java looks: see the build and the class path in bot.yaml",
    ),
)
"""What interpreters and shells say where they find something missing, and what to do."""
_ENDED = (
    "the program ends by itself before it has answered the hello line: mend what the end of its "
    "log names, or keep reading lines until the end message"
)
_DEBUG = (
    "this looks like a debug line: standard output is for the protocol alone, so print it to "
    "standard error, such as print(…, file=sys.stderr), console.error(…) or fprintf(stderr, …); "
    "the words that input(…) asks with go to standard output, too"
)


_PRINTED = (
    (
        r"\{\s*'|\{.*:\s*(?:True|False|None)\b",
        "this is how Python shows a dict, which is no JSON: print(json.dumps(…), flush=True)",
    ),
    (
        r"\{\s*[A-Za-z_]\w*\s*:",
        "a key of JSON stands in quotation marks: in JavaScript, write JSON.stringify(…)",
    ),
)
"""How languages show their own values, and how each writes JSON."""


def advice_on(kind: FaultKind, said: str, detail: str) -> str:
    """Say how to mend a fault: by its words where they look like a well-known mistake."""
    return _special(kind, said, detail) or ADVICE[kind]


def mistake(advice: str) -> str:
    """Give the part of an advice that names the mistake, without the words of the one case."""
    return advice.partition(": ")[0]


def start_advice(words: str) -> str | None:
    """Tell from its last words why a program could not be started or built, and what to do."""
    for pattern, advice in _STARTS:
        if found := re.search(pattern, words, re.MULTILINE):
            return advice.format(*found.groups())
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
    return None


def program_meant(program: str) -> str | None:
    """Ask whether a program that is not there is a well-known one, misspelt."""
    near = did_you_mean(program, PROGRAMS)
    return near if program not in PROGRAMS and near and near.startswith("did") else None


def _special(kind: FaultKind, said: str, detail: str) -> str | None:
    """Give the advice for a well-known mistake, where it looks like one."""
    if kind is FaultKind.STARTUP and detail.startswith("it met "):
        return ADVICE[FaultKind.RESOURCE]
    if kind is FaultKind.STARTUP and (advice := start_advice(detail)):
        return advice
    if kind is FaultKind.ILLEGAL:
        return _misspelt(said)
    if kind in (FaultKind.MALFORMED, FaultKind.STARTUP, FaultKind.UNSOLICITED):
        first = said.split("\\n", maxsplit=1)[0].strip()
        if first and (advice := _miswritten(first, detail)):
            return advice
    return _ENDED if kind is FaultKind.STARTUP and detail.startswith("it ended") else None


def _miswritten(line: str, detail: str) -> str | None:
    """Tell what is wrong with a line of words, of another language's values, or without a key."""
    if not line.startswith("{"):
        return _DEBUG
    if missing := re.fullmatch("there is no '(.*)'", detail):
        return _without_key(line, missing[1])
    if detail.startswith("not JSON"):
        return next((advice for look, advice in _PRINTED if re.match(look, line)), None)
    return None


def _without_key(line: str, missing: str) -> str:
    """Name the key that was meant, where the line has one like it."""
    keys = re.findall(r'[{,]\s*"([^"\\]*)"\s*:', line)
    near = get_close_matches(missing, [key.lower() for key in keys], n=1)
    meant = next((key for key in keys if near and key.lower() == near[0]), None)
    instead = f' and not "{meant}"' if meant else ""
    return f'a key is missing: write "{missing}"{instead}, such as {{"id":1,"move":"KH"}}'


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
