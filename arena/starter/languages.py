"""The languages that a new bot can be written in: what its files are called and what they need.

It knows names only; what is in the files, the templates say.
"""

from typing import NamedTuple


class Language(NamedTuple):
    """One language: `strategy` is the author's file, `helper` the one that talks to the arena.

    `test` is the command of the bot's own test, for a shell in the bot's folder; `needs` are the
    programs that build and run the bot; `note` is a line for its README, or nothing.
    """

    strategy: str
    helper: str
    test: str
    needs: tuple[str, ...]
    note: str = ""


LANGUAGES = {
    "python": Language("bot.py", "spades.py", "python3 -m unittest", ("python3",)),
    "javascript": Language("bot.js", "spades.js", "node test_bot.js", ("node",)),
    "typescript": Language(
        "bot.mts",
        "spades.mts",
        "node build.cjs && node bot.test.mjs",
        ("node",),
        "\n`build.cjs` makes JavaScript of it, with Node 22.13 or newer, or with an older one and "
        "`npm install typescript` in this folder; it leaves types unchecked.",
    ),
    "c": Language(
        "bot.c", "spades.h", "cc -o /tmp/{{name}}-test test_bot.c && /tmp/{{name}}-test", ("cc",)
    ),
    "cpp": Language(
        "bot.cpp",
        "spades.hpp",
        "c++ -std=c++17 -o /tmp/{{name}}-test test_bot.cpp && /tmp/{{name}}-test",
        ("c++",),
    ),
    "rust": Language(
        "bot.rs",
        "spades.rs",
        "rustc --edition=2021 --test -o /tmp/{{name}}-test bot.rs && /tmp/{{name}}-test",
        ("rustc", "cc"),
        "\nA build has no network, and so no Cargo: a crate's source may lie in the folder.",
    ),
    "go": Language(
        "bot.go",
        "spades.go",
        "go test",
        ("go",),
        "\nA build has no network: `go mod vendor` brings modules along.",
    ),
    "java": Language(
        "MyBot.java",
        "Spades.java",
        "javac -d /tmp/{{name}}-test *.java && java -cp /tmp/{{name}}-test TestBot",
        ("javac", "java"),
        "\nThe options in `bot.yaml` keep Java within a bot's memory and processes.",
    ),
    "bash": Language("strategy.sh", "bot.sh", "./test_bot.sh", ("bash",)),
}
"""By what `--lang` takes."""

OTHER_NAMES = {
    "py": "python", "python3": "python", "js": "javascript", "node": "javascript",
    "ts": "typescript", "c++": "cpp", "cxx": "cpp", "cc": "cpp", "rs": "rust", "golang": "go",
    "sh": "bash", "shell": "bash",
}  # fmt: skip
"""What people call these languages besides: told in the remedy, as a word means one thing."""
