import io
import sys

import pytest
from rich.text import Text

from arena.cli.terminal import complain, console, is_plain, say, shown, write_bytes
from arena.errors import ArenaError, InputError, Problem

HOSTILE = "\x1b[2J[red]x[/red]:smile:\u202e"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def colours_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_text_from_a_bot_neither_moves_the_cursor_nor_sets_a_style(
    capsys: pytest.CaptureFixture[str],
) -> None:
    say(HOSTILE)
    assert capsys.readouterr().err == "\\x1b[2J[red]x[/red]:smile:\\u202e\n"


def test_a_stream_that_is_no_terminal_gets_no_colour_and_full_width() -> None:
    stream = io.StringIO()
    console(stream).print(Text("x" * 300, "red"))
    assert stream.getvalue() == "x" * 300 + "\n"


def test_a_terminal_gets_colour_unless_it_is_unwanted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_plain(Terminal())
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            stream = Terminal()
            assert is_plain(stream)
            console(stream).print(shown("x", "bold red"))
            assert stream.getvalue() == "x\n"


def test_each_problem_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    complain(InputError([Problem("wrong\nlines", file="cup.yaml", line=3), Problem("more")]))
    complain(ArenaError("a\nb"))
    assert capsys.readouterr().err == ("error: cup.yaml:3: wrong lines\nerror: more\nerror: a\nb\n")


def test_bytes_for_a_program_come_after_what_was_printed_before(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    sys.stdout.write("first\n")
    write_bytes(b"\xff\n")
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == b"first\n\xff\n"
