"""A workspace of an organiser: small bots, a config, and the program itself."""

import os
import pty
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]

FIRST_LEGAL = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "request":
        legal = message["legal"]
        move = {"exchange": [], "pass": legal[:3]}.get(message["decision"], legal[0])
        print(json.dumps({"id": message["id"], "move": move}), flush=True)
"""
ORDINARY = ("setpriv", "--bounding-set=-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
"""What starts a program that may read no more than permissions say, also where we are root."""
SILENCE = 120
"""Seconds after which a program on a terminal is taken to wait for ever."""
NEVER_ANSWERS = """\
import sys
sys.stdin.readline()
print('{"type":"ready"}', flush=True)
sys.stdin.read()
"""
CONFIG = """\
name: cup
game: two-player
bots: [bots/*]
boards: 1
rules: {max_hands: 1}
time: {startup: 60, move: 60, hand: 60}
sandbox: {kind: none}
"""


class Workspace:
    """A folder with bots and a config, and the program run in it."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.folder = folder
        for name in names:
            self.add_bot(name)
        self.config = folder / "cup.yaml"
        self.config.write_text(CONFIG)

    def add_bot(self, name: str, program: str = FIRST_LEGAL, pool: str = "bots") -> Path:
        folder = self.folder / pool / name
        folder.mkdir(parents=True)
        (folder / "bot.py").write_text(program)
        (folder / "bot.yaml").write_text(
            f"name: {name}\nversion: '1.0'\ngames: [two-player, partnership]\n"
            "command: [python3, bot.py]\nprotocol: 1\n"
        )
        return folder

    def start(
        self,
        *arguments: str,
        variables: dict[str, str] | None = None,
        through: Sequence[str] = (),
        **options: object,
    ) -> subprocess.Popen[str]:
        """Start the program, its output in pipes unless the options say otherwise."""
        hidden = (
            "NO_COLOR", "FORCE_COLOR", "TERM", "COLUMNS", "PYTHONIOENCODING", "PYTHONUNBUFFERED"
        )  # fmt: skip
        plain = {name: value for name, value in os.environ.items() if name not in hidden}
        settings: dict[str, object] = {
            "cwd": self.folder,
            "env": {**plain, "PYTHONPATH": str(ROOT), "TERM": "xterm", **(variables or {})},
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
        }
        command = [*through, sys.executable, "-m", "arena", *arguments]
        return subprocess.Popen(command, **{**settings, **options})  # type: ignore[call-overload,no-any-return]

    def run(self, *arguments: str, **variables: str) -> tuple[int, str, str]:
        """Run the program to its end, and give its exit code, output and errors."""
        program = self.start(*arguments, variables=variables)
        out, errors = program.communicate()
        assert "Traceback" not in errors, errors
        return program.returncode, out, errors

    @staticmethod
    def _next(terminal: int, written: bytes) -> bytes:
        """Read what is written next; a program that waits for other keys fails the test."""
        assert select.select([terminal], [], [], SILENCE)[0], written
        return os.read(terminal, 65536)

    def on_terminal(
        self, *arguments: str, keys: Sequence[tuple[str, str]] = (), **variables: str
    ) -> str:
        """Run the program on a terminal of 80 columns and give all that it wrote.

        Each of `keys` is what must have been written, since the last, before the next is typed.
        """
        ours, theirs = pty.openpty()
        asked = {"COLUMNS": "80", "LINES": "24", **variables}
        program = self.start(
            *arguments,
            variables=asked,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        written, seen, left = b"", 0, list(keys)
        try:
            while chunk := self._next(ours, written):
                written += chunk
                if left and left[0][0].encode() in written[seen:]:
                    seen = len(written)
                    os.write(ours, left.pop(0)[1].encode())
        except OSError:  # the other end was closed
            pass
        finally:
            os.close(ours)  # which also ends a program that waits for keys
        assert program.wait() == 0, written
        assert left == []
        return written.decode()
