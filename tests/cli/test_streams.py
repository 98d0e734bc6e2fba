import os
from pathlib import Path

import pytest

from tests.cli.workspace import Workspace

PRINTING = (
    ("leaderboard", "cup"), ("export", "cup"), ("verify", "cup"), ("run", "--help"),
    ("run", "cup.yaml", "--plan"),
)  # fmt: skip


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_a_full_disk_is_one_line(played: Workspace, arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        program = played.start(*arguments, stdout=full)
        _, errors = program.communicate()
    assert program.returncode == 2
    told = [line for line in errors.splitlines() if not line.endswith(" of 6 games")]
    assert told == ["error: output: No space left on device; make room there"]


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_output_that_nobody_reads_ends_a_command_without_a_word(
    played: Workspace, arguments: tuple[str, ...]
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    program = played.start(*arguments, stdout=writer)
    os.close(writer)
    _, errors = program.communicate()
    assert program.returncode == 130
    assert [line for line in errors.splitlines() if not line.endswith(" of 6 games")] == []


def test_a_disk_so_full_that_nothing_can_be_told_is_told_by_the_exit_code(
    played: Workspace,
) -> None:
    with Path("/dev/full").open("w") as full:
        program = played.start("leaderboard", "cup", stdout=full, stderr=full)
        program.communicate()
    assert program.returncode == 2


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_what_a_terminal_has_no_letters_for_is_spelt(
    played: Workspace, arguments: tuple[str, ...]
) -> None:
    code, out, _ = played.run(*arguments, LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert code == 0
    assert out.isascii()


def test_a_table_without_letters_for_its_signs_is_still_read(played: Workspace) -> None:
    code, out, errors = played.run("leaderboard", "cup", PYTHONIOENCODING="ascii")
    assert (code, errors) == (0, "")
    assert "1-3" in out
    assert "0.0 +- 0.0" in out


def test_a_name_that_is_no_text_is_printed_byte_for_byte(played: Workspace, tmp_path: Path) -> None:
    odd = tmp_path / os.fsdecode(b"\xff")
    program = played.start("export", "cup", "--tables", str(odd), errors="surrogateescape")
    out, _ = program.communicate()
    assert program.returncode == 0
    assert str(odd / "results.csv") in out.splitlines()
