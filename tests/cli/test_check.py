import shutil
import sqlite3
from pathlib import Path

import pytest

from arena.cli import check
from arena.record import FaultPolicy
from arena.sandbox import groups
from tests.cli.conftest import Call
from tests.cli.workspace import Workspace
from tests.tournament.tables import Table, run_all, tournament


def test_a_run_is_verified_game_by_game(call: Call, played: Workspace) -> None:
    code, out, errors = call(played, "verify", "cup")
    assert (code, out) == (0, "6 games verified: all is well\n")
    assert "6 of 6 games" in errors


def test_games_that_count_for_nobody_are_told(
    call: Call, workspace: Workspace, tmp_path: Path
) -> None:
    cup = tournament(tmp_path, "anna", "broken", "carl", "dora", faults=FaultPolicy(limit=1))
    run_all(cup, Table(20))
    code, out, _ = call(workspace, "verify", str(cup.out))
    assert (code, out) == (0, "24 games verified, 8 of which count for nobody: all is well\n")


def test_a_changed_result_is_found_and_is_exit_code_1(
    call: Call, played: Workspace, tmp_path: Path
) -> None:
    shutil.copytree(played.folder / "results/cup", tmp_path / "forged")
    with sqlite3.connect(tmp_path / "forged/arena.sqlite") as connection:
        connection.execute("UPDATE results SET margin = margin + 1 WHERE match = 2 AND sitting = 0")
    connection.close()
    code, out, _ = call(played, "verify", str(tmp_path / "forged"))
    assert code == 1
    assert out.splitlines()[0].startswith("match 2, board 1, sitting 0: ")
    assert out.splitlines()[-1] == "6 games verified: 1 problem"


def test_the_doctor_tells_what_there_is(call: Call, workspace: Workspace) -> None:
    code, out, errors = call(workspace, "doctor")
    assert (code, errors) == (0, "")
    told = {line[:20].strip(): line[20:] for line in out.splitlines()}
    for what in ("arena", "Python", "cores", "user namespaces", "control groups"):
        assert told[what]
    assert told["sandbox bubblewrap"] == "works"
    assert "no protection" in told["sandbox none"]


def test_the_doctor_says_which_limits_do_not_hold_and_what_to_do(
    call: Call, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "_parents", dict)
    _, out, _ = call(workspace, "doctor")
    told = {line[:20].strip(): line[20:] for line in out.splitlines()}
    assert "scratch" in told["limits that hold"]
    for limit in ("memory", "cpus", "freeze"):
        assert "Delegate=yes" in told[f"not {limit}"]


def test_the_doctor_says_why_there_is_no_sandbox(
    call: Call, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "plugins", lambda _: ["gone"])
    monkeypatch.setattr(check, "_problem", lambda _: "missing: install it")
    code, out, _ = call(workspace, "doctor")
    assert code == 1
    assert out.splitlines()[-1].split(maxsplit=2) == ["sandbox", "gone", "missing: install it"]
