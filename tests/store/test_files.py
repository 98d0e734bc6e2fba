import os
import shlex
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.store import RunStore, Store, holds_run, set_aside
from arena.store.files import FILE, FORMAT, OLDEST
from tests.matches import SEED, meta, played
from tests.store.conftest import FIRST_FORMAT, PLANS
from tests.store.test_writing import writer


def test_a_folder_without_results_is_told_apart(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there are no results here"):
        Store(tmp_path / "nowhere")
    with pytest.raises(StoreError, match="there are no results here"):
        Store(tmp_path)


def test_a_foreign_file_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / FILE
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.close()
    before = path.read_bytes()
    for attempt in (Store, RunStore.resume, holds_run):
        with pytest.raises(StoreError, match="another program's SQLite file"):
            attempt(tmp_path)
    with pytest.raises(StoreError, match="another program's SQLite file"):
        RunStore.begin(tmp_path, meta("anna"), SEED)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / FILE
    path.write_bytes(b"these are not results\n" * 100)
    for attempt in (Store, RunStore.resume, holds_run):
        with pytest.raises(StoreError, match="damaged, or not an arena's results"):
            attempt(tmp_path)
    assert path.read_bytes() == b"these are not results\n" * 100


@pytest.mark.parametrize(("version", "whose"), [(FORMAT + 1, "a newer"), (OLDEST - 1, "another")])
def test_a_file_of_a_format_that_is_not_known_is_refused(
    run: RunStore, folder: Path, version: int, whose: str
) -> None:
    run._connection.execute(f"PRAGMA user_version = {version}")
    run.close()
    said = f"written by {whose} arena .format {version}, this one reads {OLDEST} to {FORMAT}"
    for attempt in (Store, RunStore.resume):
        with pytest.raises(StoreError, match=said):
            attempt(folder)


def test_a_file_of_the_first_format_is_read_unchanged(run: RunStore, folder: Path) -> None:
    for statement in FIRST_FORMAT:
        run._connection.execute(statement)
    run.close()
    before = (folder / FILE).read_bytes()
    with Store(folder) as store:
        assert store.match(1) == played(PLANS[0])
        assert (list(store.delays()), list(store.host_failures())) == ([], [])
    assert (folder / FILE).read_bytes() == before


def test_a_truncated_file_is_refused(run: RunStore, folder: Path) -> None:
    run.finish()
    run.close()
    path = folder / FILE
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])
    with pytest.raises(StoreError, match="damaged"), Store(folder) as store:
        list(store.games())


def test_old_results_are_set_aside_and_never_deleted(run: RunStore, folder: Path) -> None:
    run.close()
    (folder / "report").mkdir()
    first = set_aside(folder)
    assert first is not None
    assert first.name.startswith("cup.20")
    assert not folder.exists()
    RunStore.begin(folder, meta("anna", "bob"), SEED).close()
    second = set_aside(folder)
    assert second == first.with_name(first.name + "-2")
    assert (first / "report").is_dir()
    with Store(first) as store:
        assert store.match(1) == played(PLANS[0])


def test_the_current_folder_is_set_aside_under_its_name(
    run: RunStore, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.close()
    monkeypatch.chdir(folder)
    aside = set_aside(Path())
    assert aside is not None
    assert aside.parent == folder.parent
    assert aside.name.startswith("cup.20")


def test_no_run_begins_between_other_things(folder: Path) -> None:
    folder.mkdir()
    (folder / "notes.txt").touch()
    with pytest.raises(StoreError, match=r"cup: holds notes.txt and is no results folder; name a"):
        RunStore.begin(folder, meta("anna"), SEED)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("make", [Path.touch, os.mkfifo])
def test_what_is_no_folder_is_no_place_for_a_run(
    folder: Path, make: Callable[[Path], None]
) -> None:
    make(folder)
    for place, why in ((folder, "is no folder"), (folder / "cup", "cannot be made: Not a dir")):
        with pytest.raises(StoreError, match=f"{place}: {why}.*; name another one with --out"):
            RunStore.begin(place, meta("anna"), SEED)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_holds_no_run(folder: Path, make: Callable[[Path], None]) -> None:
    folder.mkdir()
    make(folder / FILE)
    for opened in (Store, RunStore.resume, lambda at: RunStore.begin(at, meta("anna"), SEED)):
        with pytest.raises(StoreError, match=f"{FILE}: is no file; move it away"):
            opened(folder)


def test_a_table_that_is_gone_is_damage(run: RunStore, folder: Path) -> None:
    run._connection.execute("DROP TABLE results")
    with Store(folder) as store, pytest.raises(StoreError, match="damaged: no such table: resu"):
        list(store.results())


def test_results_of_a_run_at_work_are_not_set_aside(run: RunStore, folder: Path) -> None:
    with pytest.raises(StoreError, match="another run is at work here"):
        set_aside(folder)
    assert folder.exists()


def test_a_folder_without_results_is_not_set_aside(tmp_path: Path) -> None:
    assert set_aside(tmp_path) is None
    assert set_aside(tmp_path / "nowhere") is None
    assert tmp_path.exists()


READER = """
import sys
from collections.abc import Callable
from pathlib import Path
from arena.store import RunStore, Store
from tests.matches import planned, played

folder = Path(sys.argv[1])
with Store(folder) as store:
    matches = [match.plan.match for match in store.played()]
    for match in matches:
        assert store.match(match) == played(planned(match, "anna", "bob", boards=8))
    assert store.damage() == []
    print("whole:", len(matches))
if "resume" in sys.argv:
    with RunStore.resume(folder) as store:
        plan = next(store.to_play())
        store.write(played(plan))
        print("stored:", plan.match)
"""


def mounted(script: str, folder: Path, matches: int = 40) -> subprocess.CompletedProcess[str]:
    """Run a shell script where it may mount file systems that nobody else sees.

    `write` and `read` are programs of ours that work on ``$1``, the folder.
    """
    folder.mkdir()
    functions = (
        f"write() {{ {shlex.join(writer(folder, matches))}; }}\n"
        f"read() {{ {shlex.join([sys.executable, '-c', READER, str(folder)])} $1; }}\n"
    )
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "-r"]
    if subprocess.run([*alone, "true"], check=False).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    command = [*alone, "sh", "-ec", functions + script, "sh", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_full_disk_is_a_clear_error_and_what_was_stored_stays_whole(tmp_path: Path) -> None:
    script = """
        mount -t tmpfs -o size=400k none "$1"
        write && exit 9
        read
        mount -o remount,size=4m "$1"
        read resume
    """
    done = mounted(script, tmp_path / "disk")
    assert done.returncode == 0, done.stderr
    assert "StoreError" in done.stderr
    assert "the disk is full; make room and run again, what was stored is whole" in done.stderr
    *written, first, second, stored = done.stdout.splitlines()
    assert 3 <= len(written) < 40
    assert first == second == f"whole: {len(written)}"
    assert stored == f"stored: {len(written) + 1}"


def test_results_on_a_medium_that_cannot_be_written_are_read(tmp_path: Path) -> None:
    script = """
        mount -t tmpfs none "$1"
        write >/dev/null
        mount -o remount,ro "$1"
        read
        read resume
    """
    done = mounted(script, tmp_path / "disk", matches=5)
    assert done.stdout.splitlines() == ["whole: 5"] * 2
    assert done.returncode == 1
    assert "StoreError" in done.stderr
    assert "Read-only file system" in done.stderr
