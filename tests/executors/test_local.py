import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots import Bot, Manifest
from arena.executors.executor import Failed, Finished
from arena.executors.local import LocalExecutor, LocalOptions
from arena.record import BotRef, MatchSpec
from tests.executors.plays import spec

ACT = "tests.executors.plays:act"
PATIENCE = 20.0


@pytest.fixture
def executor() -> Iterator[LocalExecutor]:
    executor = LocalExecutor(LocalOptions(jobs=2), [], ACT)
    yield executor
    executor.close()


def play(executor: LocalExecutor, *specs: MatchSpec) -> dict[int, Finished | Failed]:
    """Play all of them, and give the outcomes by match."""
    for one in specs:
        executor.submit(one)
    outcomes = [executor.next_outcome() for _ in specs]
    return {outcome.match: outcome for outcome in outcomes}


def failure(outcome: Finished | Failed) -> str:
    assert isinstance(outcome, Failed)
    return outcome.reason


def worker_of(outcome: Finished | Failed) -> int:
    assert isinstance(outcome, Finished)
    return int(outcome.record.sandbox.split()[0])


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(path: Path) -> str:
    """Give the content of a file once it is there."""
    watch = ["sh", "-c", 'until test -s "$1"; do :; done; cat "$1"', "sh", str(path)]
    return subprocess.run(
        watch, check=True, timeout=PATIENCE, capture_output=True, text=True
    ).stdout


def test_every_match_has_one_outcome(executor: LocalExecutor) -> None:
    outcomes = play(executor, *map(spec, range(1, 21)))
    assert sorted(outcomes) == list(range(1, 21))
    assert all(isinstance(outcome, Finished) for outcome in outcomes.values())


def test_a_match_that_takes_for_ever_holds_up_no_other(
    executor: LocalExecutor, tmp_path: Path
) -> None:
    executor.submit(spec(1, f"hang {tmp_path / 'slow'}"))
    for number in range(2, 12):
        executor.submit(spec(number))
        assert executor.next_outcome().match == number
    assert not (tmp_path / "slow.ended").exists()


def test_workers_play_match_after_match(executor: LocalExecutor) -> None:
    workers = {worker_of(outcome) for outcome in play(executor, *map(spec, range(9))).values()}
    assert 1 <= len(workers) <= executor.jobs
    assert os.getpid() not in workers


def test_workers_know_the_bots(tmp_path: Path) -> None:
    manifest = Manifest(
        name="anna", version="1", games=("two-player",), command=("./anna",), protocol=1
    )
    bot = Bot(BotRef("anna", "1", "sha256:1"), tmp_path, manifest)
    executor = LocalExecutor(LocalOptions(jobs=1), [bot], ACT)
    try:
        (outcome,) = play(executor, spec(1)).values()
    finally:
        executor.close()
    assert isinstance(outcome, Finished)
    assert outcome.record.sandbox.split()[1] == str(tmp_path)


def test_a_record_of_megabytes_comes_through(executor: LocalExecutor) -> None:
    for outcome in play(executor, spec(1, "large"), spec(2, "large"), spec(3, "large")).values():
        assert isinstance(outcome, Finished)
        assert len(outcome.record.sandbox) == 5_000_000


def test_games_are_told_while_their_match_goes_on(executor: LocalExecutor, tmp_path: Path) -> None:
    go = tmp_path / "go"
    executor.submit(spec(1, f"linger 3 {go}"))
    while executor.games_under_way < 3:
        assert not executor.wait(PATIENCE / 100)
    go.touch()
    assert executor.wait(PATIENCE)
    assert executor.games_under_way == 0  # of this record, which has none
    assert isinstance(executor.next_outcome(), Finished)


def test_what_was_played_is_heard_at_the_end_behind_the_games_told(tmp_path: Path) -> None:
    go = tmp_path / "go"
    executor = LocalExecutor(LocalOptions(jobs=1), [], ACT)
    executor.submit(spec(1, f"linger 3 {go}"))
    while executor.games_under_way < 1:
        executor.wait(PATIENCE / 100)
    go.touch()
    (worker,) = executor._busy.values()
    while not any(isinstance(one, Finished) for one in executor._done):
        executor._done += worker.last_outcome()
    assert [one.match for one in executor.close()] == [1]


def test_what_the_host_could_not_do_is_told(executor: LocalExecutor) -> None:
    outcomes = play(executor, spec(1, "fault"), spec(2, "mistake"), spec(3))
    assert failure(outcomes[1]) == "there is no memory left"
    assert "ZeroDivisionError" in failure(outcomes[2])
    assert isinstance(outcomes[3], Finished)


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("exit", "a worker died with exit code 7"),
        ("kill", "a worker died by SIGKILL"),
        ("babble", "a worker said what cannot be read"),
    ],
)
def test_a_worker_that_dies_costs_its_own_match_alone(
    executor: LocalExecutor, does: str, reason: str
) -> None:
    specs = [spec(1), spec(2, does), *map(spec, range(3, 9)), spec(9, does), spec(10)]
    outcomes = play(executor, *specs)
    assert failure(outcomes[2]).startswith(reason)
    assert failure(outcomes[9]).startswith(reason)
    assert sum(isinstance(outcome, Finished) for outcome in outcomes.values()) == 8


def test_a_worker_that_dies_idle_costs_one_match_that_can_be_played_again(
    executor: LocalExecutor,
) -> None:
    (outcome,) = play(executor, spec(1)).values()
    os.kill(worker_of(outcome), signal.SIGKILL)
    (outcome,) = play(executor, spec(2)).values()
    assert isinstance(outcome, Failed)
    (outcome,) = play(executor, spec(2)).values()
    assert isinstance(outcome, Finished)


def test_bots_inherit_nothing_of_a_worker(executor: LocalExecutor) -> None:
    (outcome,) = play(executor, spec(1, "descriptors")).values()
    assert isinstance(outcome, Finished)
    assert outcome.record.sandbox == ""


def test_closing_ends_what_is_being_played_in_order(tmp_path: Path) -> None:
    executor = LocalExecutor(LocalOptions(jobs=2), [], ACT)
    files = [tmp_path / "one", tmp_path / "two"]
    for match, file in enumerate(files):
        executor.submit(spec(match, f"hang {file}"))
    workers = [int(wait_for(file)) for file in files]
    assert executor.close() == []
    assert not any(map(exists, workers))
    assert all(file.with_suffix(".ended").exists() for file in files)


def test_closing_ends_a_worker_that_does_not_listen(tmp_path: Path) -> None:
    executor = LocalExecutor(LocalOptions(jobs=1), [], ACT, grace=0.1)
    executor.submit(spec(1, f"stick {tmp_path / 'pid'}"))
    worker = int(wait_for(tmp_path / "pid"))
    executor.close()
    assert not exists(worker)


def test_closing_gives_what_was_played_but_not_asked_for(executor: LocalExecutor) -> None:
    for match in (1, 2, 3, 4):
        executor.submit(spec(match))
    asked_for = {executor.next_outcome().match, executor.next_outcome().match}
    pipes = [worker.pipe for worker in executor._busy.values()]
    assert all(pipe.poll(PATIENCE) for pipe in pipes)
    kept = executor.close()
    assert {one.match for one in kept} == {1, 2, 3, 4} - asked_for
    assert executor.close() == []


def test_nothing_runs_before_there_is_a_match() -> None:
    executor = LocalExecutor(LocalOptions(), [], ACT)
    assert executor.jobs >= 1
    assert executor.capacity > executor.jobs
    with pytest.raises(ValueError, match="no match is submitted"):
        executor.next_outcome()
    assert executor.close() == []


PARENT = """
import sys
from arena.executors.local import LocalExecutor, LocalOptions
from tests.executors.plays import spec
executor = LocalExecutor(LocalOptions(jobs=1), [], "tests.executors.plays:act")
executor.submit(spec(1, "hang " + sys.argv[1]))
executor.next_outcome()
"""


def test_a_worker_ends_in_order_when_its_parent_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    with subprocess.Popen([sys.executable, "-c", PARENT, str(file)]) as parent:
        worker = int(wait_for(file))
        parent.kill()
    gone = ["sh", "-c", 'while kill -0 "$1" 2>/dev/null; do :; done', "sh", str(worker)]
    subprocess.run(gone, check=True, timeout=PATIENCE)
    assert file.with_suffix(".ended").exists()


def test_ctrl_c_in_the_terminal_is_not_for_the_workers(tmp_path: Path) -> None:
    executor = LocalExecutor(LocalOptions(jobs=1), [], ACT)
    executor.submit(spec(1, f"hang {tmp_path / 'pid'}"))
    try:
        worker = int(wait_for(tmp_path / "pid"))
        assert os.getpgid(worker) != os.getpgid(0)
        os.kill(worker, signal.SIGINT)
        assert exists(worker)
    finally:
        executor.close()
