import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.errors import StoreError
from arena.record import MatchRecord
from arena.store import HostFailure, RunStore, Store, holds_run
from arena.store.files import FILE, LOCK
from tests.matches import SEED, meta, planned, played
from tests.store.conftest import PLANS

WRITER = """
import sys
from pathlib import Path
from arena.store import RunStore
from tests.matches import SEED, meta, planned, played

folder, matches = Path(sys.argv[1]), int(sys.argv[2])
plans = [planned(match, "anna", "bob", boards=8) for match in range(1, matches + 1)]
with RunStore.begin(folder, meta("anna", "bob"), SEED) as store:
    store.plan(plans, boards_return=False)
    for plan in plans:
        store.write(played(plan))
        print(plan.match, flush=True)
"""


def writer(folder: Path, matches: int, *before: str) -> list[str]:
    """A program that plans so many matches and writes one after the other, telling each."""
    return [*before, sys.executable, "-c", WRITER, str(folder), str(matches)]


def changed(record: MatchRecord, **values: object) -> MatchRecord:
    return msgspec.structs.replace(record, **values)


def test_a_run_is_resumed_where_it_stopped(run: RunStore, folder: Path) -> None:
    run.close()
    with RunStore.resume(folder) as again:
        assert again.meta == meta("anna", "bob", "broken")
        assert again.secret_seed == SEED
        assert list(again.to_play()) == PLANS[2:]
        again.write(played(PLANS[2]))
        assert again.match(3) == played(PLANS[2])


def test_a_folder_with_a_run_in_it_begins_no_other(run: RunStore, folder: Path) -> None:
    run.close()
    with pytest.raises(StoreError, match="holds a run already"):
        RunStore.begin(folder, meta("anna"), "other")
    assert holds_run(folder)


def test_a_folder_without_a_run_is_not_resumed(folder: Path) -> None:
    with pytest.raises(StoreError, match="no run has begun here"):
        RunStore.resume(folder)
    assert not folder.exists()


def test_a_match_is_stored_once(run: RunStore) -> None:
    with pytest.raises(ValueError, match="match 1 is stored already"):
        run.write(played(PLANS[0]))
    assert run.match(1) == played(PLANS[0])


def test_a_match_that_is_not_planned_is_refused(run: RunStore) -> None:
    with pytest.raises(ValueError, match="match 7 is not planned"):
        run.write(played(planned(7, "anna", "bob")))


def test_half_of_a_match_is_refused(run: RunStore) -> None:
    record = played(PLANS[2])
    for games in (record.games[:-1], record.games[1:] * 2, (*record.games, record.games[0])):
        with pytest.raises(ValueError, match="match 3 has other games than planned"):
            run.write(changed(record, games=games))
    assert not run.is_played(3)


def test_a_match_of_others_is_refused(run: RunStore) -> None:
    others = played(planned(3, "broken", "bob"))
    with pytest.raises(ValueError, match="match 3 was played by others than planned"):
        run.write(others)


def test_a_match_of_another_version_of_a_bot_is_refused(run: RunStore) -> None:
    record = played(PLANS[2])
    newer = [changed_seats(game) for game in record.games]
    with pytest.raises(ValueError, match="played by bots that are not entered"):
        run.write(changed(record, games=tuple(newer)))


def changed_seats(game: object) -> object:
    seats = tuple(msgspec.structs.replace(ref, version="2.0") for ref in game.seats)  # type: ignore[attr-defined]
    return msgspec.structs.replace(game, seats=seats)  # type: ignore[type-var]


def test_the_same_schedule_may_be_planned_again(run: RunStore) -> None:
    run.plan([*PLANS, planned(4, "anna", "bob")], boards_return=False)
    assert run.counts().matches == 4


def test_a_match_planned_otherwise_is_refused_with_all_the_rest(run: RunStore) -> None:
    with pytest.raises(StoreError, match="match 2 was planned otherwise before"):
        run.plan([planned(9, "anna", "bob"), planned(2, "anna", "bob")], boards_return=False)
    assert run.counts().matches == 3


def test_a_config_that_changes_no_record_is_kept(run: RunStore, folder: Path) -> None:
    run.set_config({"rating": {"kind": "other"}})
    with Store(folder) as store:
        assert store.meta.config == {"rating": {"kind": "other"}} == run.meta.config


def test_only_the_owner_may_read_seed_and_decks(run: RunStore, folder: Path) -> None:
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_a_second_run_on_the_folder_is_refused(run: RunStore, folder: Path) -> None:
    with pytest.raises(StoreError, match=rf"another run is at work here \(process {os.getpid()}\)"):
        RunStore.resume(folder)
    run.close()
    RunStore.resume(folder).close()


def test_a_finished_run_is_one_file(run: RunStore, folder: Path) -> None:
    run.write(played(PLANS[2]))
    run.finish()
    run.close()
    assert {path.name for path in folder.iterdir()} == {FILE, LOCK}
    RunStore.resume(folder).close()
    with Store(folder) as store:
        assert store.counts().matches_played == 3


def test_a_run_is_finished_while_someone_reads(run: RunStore, folder: Path) -> None:
    with Store(folder) as store:
        rows = store.results()
        next(rows)
        run.finish()
        assert store.seed is None
        assert len(list(rows)) == 7
    with Store(folder) as store:
        assert store.seed == SEED


def test_killed_at_any_instant_it_holds_whole_matches(tmp_path: Path) -> None:
    for told in range(0, 12, 3):
        folder = tmp_path / str(told)
        with subprocess.Popen(writer(folder, 40), stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(told):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        if not holds_run(folder):
            assert told == 0
            continue
        with RunStore.resume(folder) as store:
            matches = [match.plan.match for match in store.played()]
            assert told <= len(matches) < 40
            assert matches == list(range(1, len(matches) + 1))
            for match in matches:
                assert store.match(match) == played(planned(match, "anna", "bob", boards=8))
            assert store.damage() == []


def test_a_file_that_was_never_begun_is_begun(folder: Path) -> None:
    folder.mkdir()
    sqlite3.connect(folder / FILE).close()
    assert not holds_run(folder)
    with pytest.raises(StoreError, match="no run has begun here"):
        Store(folder)
    with RunStore.begin(folder, meta("anna"), SEED) as store:
        assert store.counts().matches == 0


def test_an_interrupted_write_leaves_nothing(
    run: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def interrupted(game: object) -> str:
        calls.append(game)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return "sha256:"

    with monkeypatch.context() as patch:
        patch.setattr("arena.store.writing.digest_game", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.write(played(PLANS[2]))
    assert not run.is_played(3)
    assert len(list(run.keys())) == 8
    run.write(played(PLANS[2]))
    assert run.match(3) == played(PLANS[2])


def test_what_the_host_failed_at_is_kept_beside_the_records(run: RunStore) -> None:
    run.note_host_failure(3, "a worker died")
    run.note_host_failure(1, "no memory")
    run.note_host_failure(3, "a worker died")
    assert list(run.host_failures()) == [
        HostFailure(3, "a worker died"),
        HostFailure(1, "no memory"),
        HostFailure(3, "a worker died"),
    ]
    assert not run.is_played(3)
