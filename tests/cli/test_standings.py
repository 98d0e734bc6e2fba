import io
import re
import sys

import pytest

from arena.cli.standings import print_standings, warn_of_table
from arena.ratings.standing import Standing, Table
from arena.tournament import Withdrawn


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def standing(place: int, bot: str, tier: tuple[int, int], games: int = 2000) -> Standing:
    wins, losses, points = (games * 3 // 4, games // 4, 123.4) if games else (0, 0, None)
    return Standing(
        bot, place, *tier, 31.25, 1.0, 29.3, 33.2, 28.25, games, wins, 0, losses, points, 12.3,
        {"timeout": 3, "illegal": 1} if place > 1 else {},
    )  # fmt: skip


def table(*standings: Standing, groups: tuple[tuple[str, ...], ...] = ()) -> Table:
    return Table(standings, (), (), 1.0, 0.1, groups)


HOSTILE = "\x1b[31m[bold]mallory[/bold]\u202e" + "x" * 60
STANDINGS = (
    standing(1, "ann", (1, 1)),
    standing(2, HOSTILE, (2, 3)),
    standing(3, "cat", (2, 3), 0),
)


def test_a_terminal_of_80_columns_holds_every_line(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    print_standings(table(*STANDINGS))
    plain = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())
    assert max(map(len, plain.splitlines())) <= 80
    assert plain.isascii() is False
    assert "\u202e" not in plain
    assert "2000" in plain
    assert "1500-0-500" in plain


def test_piped_it_is_plain_and_names_stand_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    print_standings(table(*STANDINGS))
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "\\x1b[31m[bold]mallory[/bold]\\u202e" + "x" * 60 in printed
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    assert lines[2] == "1 ann 31.2 29.3–33.2 2000 1500-0-500 +123.4 ± 12.3 0"
    assert lines[-1] == "2–3 cat 31.2 29.3–33.2 0 0-0-0 – 4"


def test_who_is_withdrawn_is_marked_and_named(capsys: pytest.CaptureFixture[str]) -> None:
    out = (Withdrawn("cat", 7, is_rated=True), Withdrawn("dan", 2, is_rated=False))
    print_standings(table(*STANDINGS), out)
    assert capsys.readouterr().out.splitlines()[-1].endswith(" 4 (out)")
    warn_of_table(table(*STANDINGS), out)
    assert capsys.readouterr().err == (
        "warning: cat is withdrawn for too many faults in match 7\n"
        "warning: dan is withdrawn for too many faults in match 2, and not rated, as under half "
        "of its schedule is played\n"
    )


def test_groups_that_never_met_are_named_and_one_is_no_matter(
    capsys: pytest.CaptureFixture[str],
) -> None:
    warn_of_table(table(*STANDINGS, groups=(("ann", "cat"), ("bob",))))
    assert capsys.readouterr().err == (
        "warning: 2 groups of bots never met, and ratings do not compare across them: "
        "ann, cat; bob\n"
    )
    warn_of_table(table(*STANDINGS, groups=(("ann", "bob", "cat"),)))
    assert capsys.readouterr().err == ""
