import io
import re
import sys

import pytest
from msgspec.structs import replace

from arena.cli.standings import print_standings, warn_of_table
from arena.cli.streams import prepare_streams
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


def on_a_terminal_of(
    columns: int, shown: Table, monkeypatch: pytest.MonkeyPatch, encoding: str = "utf-8"
) -> list[str]:
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    with monkeypatch.context() as patch:
        patch.setattr(stream, "isatty", lambda: True, raising=False)
        patch.setattr(sys, "stdout", stream)
        patch.setenv("COLUMNS", str(columns))
        patch.setenv("TERM", "xterm")
        patch.setenv("NO_COLOR", "1")
        prepare_streams()
        print_standings(shown)
    stream.seek(0)
    return stream.read().splitlines()


def rated(bot: str, low: float, mu: float, high: float, games: int = 2000) -> Standing:
    return replace(standing(1, bot, (1, 1), games), low=low, mu=mu, high=high)


APART = table(
    rated("ann", 20.0, 25.0, 30.0), rated("bob", 10.0, 12.0, 20.0), rated("cat", 10, 10, 10)
)


def test_a_terminal_gets_each_interval_drawn_on_one_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    head, _, *rows = on_a_terminal_of(120, APART, monkeypatch)
    start, end = head.index("10.0"), head.index("30.0") + 3
    ann, bob, cat = (row[start : end + 1] for row in rows)
    assert end - start + 1 == 32
    assert ann.index("├") == bob.index("┤")
    assert (ann.index("┤"), bob.index("├"), cat.strip()) == (31, 0, "●")
    assert ann.index("●") - ann.index("├") in (7, 8)
    assert all("–" in row for row in rows)


@pytest.mark.parametrize("columns", [*range(40, 121), 200])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_line_never_is_longer_than_the_terminal_is_wide(
    columns: int, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for shown in (table(*STANDINGS), APART, table()):
        lines = on_a_terminal_of(columns, shown, monkeypatch, encoding)
        assert max(map(len, lines)) <= columns
        assert "".join(lines).isascii() or encoding == "utf-8"
        assert not shown.standings or "ann"[: columns // 25] in "".join(lines)


def test_where_both_have_no_room_bars_take_the_place_of_the_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = on_a_terminal_of(80, table(*STANDINGS), monkeypatch)
    assert "95 %" not in lines[0]
    assert "├" in lines[2]
    assert "[" in on_a_terminal_of(80, table(*STANDINGS), monkeypatch, "ascii")[2]
    assert "95 %" in on_a_terminal_of(56, table(*STANDINGS[:1]), monkeypatch)[0]


def test_piped_it_is_plain_and_names_stand_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    print_standings(table(*STANDINGS))
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "\\x1b[31m[bold]mallory[/bold]\\u202e" + "x" * 60 in printed
    lines = [" ".join(line.split()) for line in printed.splitlines()]
    assert lines[2] == "1 ann 31.2 29.3–33.2 2000 1500-0-500 +123.4 ± 12.3 0"
    assert lines[-1] == "– cat – – 0 0-0-0 – 4"


def test_piped_no_name_is_too_long_for_the_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    print_standings(table(standing(1, "n" * 10_000, (1, 12)), *STANDINGS))
    head, _, first, *_ = capsys.readouterr().out.splitlines()
    assert " ".join(head.split()) == "Rank Bot Rating 95 % Games W-D-L Pts/board Faults"
    assert first.split()[:2] == ["1–12", "n" * 10_000]


@pytest.mark.parametrize("columns", range(36, 80, 4))
def test_no_number_is_cut_and_what_has_no_room_is_named(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    head, _, *rows = on_a_terminal_of(columns, table(*STANDINGS), monkeypatch)
    titles = ("Rank", "Bot", "Rating", "Games", "W-D-L", "Pts/board", "Faults")
    missing = [title for title in titles if title not in head]
    told = capsys.readouterr().err
    assert all(title in told for title in missing)
    assert bool(told) == bool(missing)
    assert all("…" not in row.replace("…", "", 1) for row in rows)  # of mallory's name alone
    assert ["…" in row for row in rows] == [False, True, False]
    numbers = ("1", "ann", "31.2", "2000", "1500-0-500", "+123.4", "0")
    shown = dict(zip(titles, numbers, strict=True))
    assert all(shown[title] in rows[0] for title in shown if title not in missing)


def test_who_has_no_game_is_not_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    row = on_a_terminal_of(120, table(*STANDINGS), monkeypatch)[-1]
    assert row.split()[:4] == ["–", "cat", "–", "–"]
    assert "●" not in row


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
