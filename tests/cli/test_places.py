"""What the system refuses is told with its place and what to do, in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.workspace import Workspace


def test_a_working_folder_that_is_gone_is_named(workspace: Workspace) -> None:
    here = workspace.folder / "here"
    here.mkdir()
    program = [sys.executable, "-m", "arena", "run", "cup.yaml"]
    gone = subprocess.run(
        ["sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh", *program],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    told = "error: the working folder is gone; change to one that is there\n"
    assert (gone.returncode, gone.stderr) == (2, told)


@pytest.mark.parametrize(
    ("words", "place"),
    [(("report", "DISK"), "DISK/report/"), (("export", "DISK", "--tables", "DISK"), "DISK/")],
    ids=["report", "export"],
)
def test_a_full_disk_is_named_by_the_file_that_it_has_no_room_for(
    played: Workspace, tmp_path: Path, words: tuple[str, ...], place: str
) -> None:
    results = played.folder / "results" / "cup" / "arena.sqlite"
    size = results.stat().st_size + 4096
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "-r"]
    if subprocess.run([*alone, "true"], check=False).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    script = f'mount -t tmpfs -o size={size} none "$0" && cp "$1" "$0" && shift && exec "$@"'
    program = [sys.executable, "-m", "arena", *(w.replace("DISK", str(tmp_path)) for w in words)]
    done = subprocess.run(
        [*alone, "sh", "-c", script, tmp_path, results, *program],
        cwd=played.folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    *_, told = done.stderr.splitlines()
    assert done.returncode == 2
    assert told.startswith(f"error: {place.replace('DISK', str(tmp_path))}")
    assert told.endswith(": No space left on device; make room there")
