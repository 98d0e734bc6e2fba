import csv
import io
import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Call
from tests.cli.workspace import Workspace
from tests.report.browsers import browser_here

COLUMNS = [
    "bot", "version", "rank", "rank_low", "rank_high", "mu", "sigma", "low", "high",
    "conservative", "games", "wins", "draws", "losses", "points_per_board", "points_se", "faults",
]  # fmt: skip


def test_the_leaderboard_for_programs_has_the_documented_columns(
    call: Call, played: Workspace
) -> None:
    code, out, errors = call(played, "leaderboard", "cup", "--format", "json")
    assert (code, errors) == (0, "")
    rows = json.loads(out)
    assert [list(row) for row in rows] == [COLUMNS] * 3
    code, out, _ = call(played, "leaderboard", "results/cup", "--format", "csv")
    table = list(csv.DictReader(io.StringIO(out)))
    assert list(table[0]) == COLUMNS
    assert [row["bot"] for row in table] == [row["bot"] for row in rows]
    assert {row["version"] for row in table} == {"1.0"}


def test_the_report_is_built_again_to_the_same_bytes(call: Call, played: Workspace) -> None:
    page = played.folder / "results/cup/report/index.html"
    before = page.read_bytes()
    assert call(played, "report", "cup") == (0, "results/cup/report/index.html\n", "")
    assert page.read_bytes() == before


def test_the_report_is_printed_where_a_browser_is_and_gone_from_the_next(
    call: Call, workspace: Workspace
) -> None:
    browser_here()
    assert call(workspace, "run", "cup.yaml")[0] == 0
    folder = workspace.folder / "results/cup/report"
    names = ["index.html", "leaderboard.pdf", "crosstable.pdf"]
    lines = "".join(f"results/cup/report/{name}\n" for name in names)
    assert call(workspace, "report", "cup", "--pdf") == (0, lines, "")
    assert len(list(folder.glob("*.pdf"))) == 2
    assert call(workspace, "report", "cup")[0] == 0
    assert list(folder.glob("*.pdf")) == []


def test_a_report_that_no_browser_can_print_is_refused_before_it_is_built(
    call: Call, played: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(played.folder))
    code, out, errors = call(played, "report", "cup", "--pdf")
    assert (code, out) == (2, "")
    assert "install chromium" in errors


def test_records_come_in_the_order_of_the_schedule_with_or_without_times(
    call: Call, played: Workspace
) -> None:
    code, out, errors = call(played, "export", "cup")
    assert (code, errors) == (0, "")
    games = [json.loads(line) for line in out.splitlines()]
    places = [(game["match"], game["board"], game["sitting"]) for game in games]
    assert places == [(match, 1, sitting) for match in (1, 2, 3) for sitting in (0, 1)]
    assert '"us":' in out
    assert '"us":' not in call(played, "export", "cup", "--no-us")[1]


def test_tables_are_written_and_rated_to_the_same_standings(
    call: Call, played: Workspace, tmp_path: Path
) -> None:
    code, out, _ = call(played, "export", "cup", "--tables", str(tmp_path / "t"))
    assert code == 0
    assert sorted(Path(line).name for line in out.splitlines()) == [
        "crosstable.csv",
        "entrants.csv",
        "faults.csv",
        "leaderboard.csv",
        "results.csv",
    ]
    rated = call(played, "rate", str(tmp_path / "t/results.csv"))
    assert rated == call(played, "leaderboard", "cup")


def test_a_list_of_results_is_rated_and_a_wrong_one_refused_by_line(
    call: Call, workspace: Workspace
) -> None:
    path = workspace.folder / "list.csv"
    path.write_text("a,b,score\nann,bob,1\nann,bob,0.5\nbob,ann,0\n")
    code, out, errors = call(workspace, "rate", "list.csv")
    assert (code, errors) == (0, "")
    assert out.splitlines()[2].split()[1] == "ann"
    path.write_text("a,b,score\nann,bob,win\n")
    code, out, errors = call(workspace, "rate", "list.csv")
    assert (code, out) == (2, "")
    assert errors.startswith("error: list.csv:2: score: 'win' is no score; ")
    assert call(workspace, "rate", "no.csv")[0] == 2
    path.write_bytes(b"a,b,score\n\xff,bob,1\n")
    assert "not UTF-8" in call(workspace, "rate", "list.csv")[2]


def test_a_list_may_come_from_standard_input(workspace: Workspace) -> None:
    program = workspace.start("rate", "-", stdin=subprocess.PIPE)
    out, errors = program.communicate("a,b,score\nann,bob,1\nann,bob,void\n")
    assert (program.returncode, errors) == (0, "")
    assert out.splitlines()[2].split()[1] == "ann"
    program = workspace.start("rate", "-", stdin=subprocess.PIPE)
    out, errors = program.communicate("a,b,score\nann,bob,2\n")
    assert (program.returncode, out) == (2, "")
    assert errors.startswith("error: standard input:2: score: ")


@pytest.mark.parametrize("shape", ["table", "json"])
def test_groups_that_never_met_draw_a_warning(call: Call, workspace: Workspace, shape: str) -> None:
    path = workspace.folder / "list.csv"
    path.write_text("a,b,score\nann,bob,1\ncat,dan,1\n")
    code, _, errors = call(workspace, "rate", "list.csv", "--format", shape)
    assert code == 0
    assert errors.startswith("warning: 2 groups of bots never met")


@pytest.mark.parametrize("command", ["leaderboard", "report", "export", "verify"])
def test_an_unknown_run_is_answered_with_the_nearest(
    call: Call, played: Workspace, command: str
) -> None:
    code, out, errors = call(played, command, "cupp")
    assert (code, out) == (2, "")
    assert errors.endswith("did you mean 'cup'?\n")


def test_an_export_that_nobody_reads_to_the_end_is_no_traceback(played: Workspace) -> None:
    program = played.start("export", "cup")
    assert program.stdout
    program.stdout.close()
    assert program.stderr
    assert program.stderr.read() == ""
    program.stderr.close()
    assert program.wait() in (0, 130)
