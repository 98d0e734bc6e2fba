"""Matches on a Dask cluster: real schedulers and workers, killed by their process ids."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from shutil import copytree

import msgspec
import pytest

from arena.bots import load_bot
from arena.config import Tournament, load
from arena.errors import ArenaError
from arena.executors.dask import DaskExecutor, DaskOptions, check_address
from arena.executors.executor import Failed, Finished, Outcome
from arena.executors.local import LocalExecutor, LocalOptions
from arena.executors.roster import ClusterError
from arena.record import MatchSpec
from arena.tournament import open_run, ready_bots, run
from tests.bot_folders import make_bot
from tests.executors import plays
from tests.executors.clusters import ROOT, Cluster, cluster, wait_until
from tests.processes import descendants
from tests.tournament.tables import exported, tournament

ACT = "tests.executors.plays:act"


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster of two workers that no test harms."""
    with cluster(tmp_path_factory.mktemp("two"), "one", "two") as opened:
        yield opened


def spec(match: int, does: str = "play") -> MatchSpec:
    """A match that makes its worker do something, for a sandbox that is there."""
    return msgspec.structs.replace(plays.spec(match, does), sandbox="none")


def executor_on(there: Cluster) -> DaskExecutor:
    """An executor whose workers have all been let in."""
    executor = DaskExecutor(DaskOptions(there.address), [], ACT)
    executor.submit(spec(0))
    while len(executor._roster.welcome()) < len(there.workers):
        executor._listen()
    executor.next_outcome()
    return executor


def play(executor: DaskExecutor, *specs: MatchSpec) -> dict[int, Outcome]:
    """Play all of them, and give the outcomes by match."""
    for one in specs:
        executor.submit(one)
    outcomes = [executor.next_outcome() for _ in specs]
    return {outcome.match: outcome for outcome in outcomes}


def said(outcome: Outcome) -> str:
    """What the function that played a match put into its record."""
    assert isinstance(outcome, Finished)
    return outcome.record.sandbox


def test_every_match_has_one_outcome(two: Cluster) -> None:
    with closing(executor_on(two)) as executor:
        assert (executor.jobs, executor.capacity) == (2, 4)
        outcomes = play(executor, *map(spec, range(1, 13)))
        assert sorted(outcomes) == list(range(1, 13))
        processes = {int(said(outcome).split()[0]) for outcome in outcomes.values()}
        assert len(processes) == 2
        workers = {worker.pid for worker in two.workers.values()}
        assert {child for pid in workers for child in descendants(pid)} == processes
    assert not any(descendants(pid) for pid in workers)


def test_what_failed_is_told_with_its_worker_and_played_on_another(two: Cluster) -> None:
    with closing(executor_on(two)) as executor:
        outcomes = play(executor, spec(1, "fault"), spec(2, "kill"), spec(3))
        failed = [outcomes[1], outcomes[2]]
        assert all(isinstance(outcome, Failed) for outcome in failed)
        reasons = [outcome.reason for outcome in failed if isinstance(outcome, Failed)]
        assert reasons[0].startswith("there is no memory left (worker tcp://127.0.0.1:")
        assert reasons[1].startswith("a worker died by SIGKILL (worker tcp://127.0.0.1:")
        assert isinstance(outcomes[3], Finished)
        (again,) = play(executor, spec(1, "fault")).values()
        assert isinstance(again, Failed)
        assert again.reason != reasons[0]


def test_closing_ends_what_is_being_played_in_order(two: Cluster, tmp_path: Path) -> None:
    executor = executor_on(two)
    files = [tmp_path / "one", tmp_path / "two"]
    for match, file in enumerate(files, 1):
        executor.submit(spec(match, f"hang {file}"))
    for file in files:
        wait_until('[ -s "$1" ]', file)
    assert executor.close() == []
    assert all(file.with_suffix(".ended").exists() for file in files)
    assert not any(descendants(worker.pid) for worker in two.workers.values())


def test_the_games_of_a_match_that_goes_on_are_told(two: Cluster, tmp_path: Path) -> None:
    with closing(executor_on(two)) as executor:
        until = tmp_path / "until"
        executor.submit(spec(1, f"linger 3 {until}"))
        while executor.games_under_way < 3:
            assert not executor.wait(1.0)
        until.touch()
        executor.next_outcome()
        assert executor.games_under_way == 0


LOST = """
import sys
from arena.executors.dask import DaskExecutor, DaskOptions
from tests.executors.test_dask import ACT, spec
executor = DaskExecutor(DaskOptions(sys.argv[1]), [], ACT)
executor.submit(spec(1, "hang " + sys.argv[2]))
executor.next_outcome()
"""


def test_a_run_that_is_killed_leaves_no_match_behind(two: Cluster, tmp_path: Path) -> None:
    file = tmp_path / "pid"
    command = [sys.executable, "-c", LOST, two.address, str(file)]
    with subprocess.Popen(command, cwd=ROOT) as lost:
        wait_until('[ -s "$1" ]', file)
        lost.kill()
    wait_until('[ -e "$1" ]', file.with_suffix(".ended"))


def test_closing_gives_what_was_played_but_not_asked_for(two: Cluster) -> None:
    executor = executor_on(two)
    for match in (1, 2, 3):
        executor.submit(spec(match))
    asked_for = executor.next_outcome().match
    for sent in executor._sent.values():
        sent.answer.result(20)
    assert {one.match for one in executor.close()} == {1, 2, 3} - {asked_for}


SLOW = """
def answer(request):
    time.sleep(0.001)
    say({"id": request["id"], "move": first_legal(request)})
"""


@pytest.fixture
def cup(tmp_path: Path) -> Tournament:
    """Four entrants whose matches take a while, one with a build step, in a true sandbox."""
    bots = [make_bot(tmp_path / "bots", name, SLOW) for name in ("anna", "bob", "carl", "dora")]
    home = bots[-1].folder
    (home / "bot.py").rename(home / "source")
    with (home / "bot.yaml").open("a") as file:
        file.write("build: [cp, source, bot.py]\n")
    bots[-1] = load_bot(home)
    return tournament(tmp_path, bots=tuple(bots), boards=2, sandbox="bubblewrap")


def seated_at(worker: int) -> list[int]:
    """Wait until a worker's match is under way, and give the processes of all who sit there."""
    while len(found := descendants(worker)) < 3:
        assert Path(f"/proc/{worker}").exists()
    return found


def another_arena(folder: Path) -> Path:
    """A place where this arena's code lies with one comment more."""
    copytree(ROOT / "arena", folder / "arena", ignore=lambda _, names: {"__pycache__"} & {*names})
    with (folder / "arena" / "deals.py").open("a") as file:
        file.write("# another one\n")
    return folder


def test_workers_that_die_or_come_late_or_are_refused_change_no_byte(
    cup: Tournament, tmp_path: Path
) -> None:
    home = tmp_path / "cluster"
    home.mkdir()
    with cluster(home, "one", "two") as there:
        with ExitStack() as stack:
            store = stack.enter_context(closing(open_run(cup)))
            executor = DaskExecutor(DaskOptions(there.address), ready_bots(cup, store))
            progress = stack.enter_context(closing(run(cup, store, executor)))
            steps = (step for step in progress if step.last)
            next(steps)
            lost = seated_at(there.workers["one"].pid)
            there.kill("one")
            next(steps)
            lost += seated_at(there.workers["two"].pid)
            there.kill("two")
            for name, path in (("three", ROOT), ("other", another_arena(tmp_path / "other"))):
                there.add(name, path=path)
                there.wait_for(name)
            left = list(steps)
        assert left[-1].counts.matches_played == 6
        assert all(step.replayed is None for step in left)
        wait_until('! kill -0 "$@" 2>/dev/null', *lost)
    alone = msgspec.structs.replace(cup, out=tmp_path / "alone")
    with closing(open_run(alone)) as store:
        list(run(alone, store, LocalExecutor(LocalOptions(jobs=2), ready_bots(alone, store))))
    assert exported(cup.out) == exported(alone.out)


def test_workers_of_another_version_are_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty" / "arena"
    empty.mkdir(parents=True)
    (empty / "__init__.py").touch()
    home = tmp_path / "cluster"
    home.mkdir()
    with cluster(home, "good") as there:
        there.add("other", path=another_arena(tmp_path / "other"))
        there.wait_for("other")
        with pytest.raises(ClusterError) as refused:
            DaskExecutor(DaskOptions(there.address), [])
        place, _, reason = str(refused.value).partition(": has arena ")
        assert place.startswith("worker tcp://127.0.0.1:")
        assert reason.endswith("install the same")
        there.kill("other")
        there.kill("good")
        there.add("empty", path=empty.parent)
        there.wait_for("empty")
        with pytest.raises(ClusterError, match=r"has no arena that fits this one, .*No module"):
            DaskExecutor(DaskOptions(there.address), [])
        there.kill("empty")
        with pytest.raises(ClusterError, match=r"no worker of tcp.* answers; start one with: dask"):
            DaskExecutor(DaskOptions(there.address), [], ACT, patience=1.0)


def test_no_scheduler_is_told_with_what_to_do() -> None:
    with pytest.raises(
        ClusterError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9 .*start"
    ):
        DaskExecutor(DaskOptions("tcp://127.0.0.1:9"), [], patience=0.5)


@pytest.mark.parametrize(
    ("address", "remedy"),
    [
        ("tcp://10.0.0.1:8786", None),
        ("tls://cards.example:8786", None),
        ("10.0.0.1", "write tcp://10.0.0.1:8786"),
        ("tcp://cards", "write tcp://cards:8786"),
        ("http://cards:80", "write tcp://cards:8786"),
        ("", "write tcp://HOST:8786"),
    ],
)
def test_an_address_is_checked_when_the_file_is_read(address: str, remedy: str | None) -> None:
    fault = check_address(address)
    assert (fault and fault[1]) == remedy


READ = """
import sys
from pathlib import Path
from arena.config import load
load(Path(sys.argv[1]))
assert not {"dask", "distributed"} & set(sys.modules)
"""


def test_dask_is_not_loaded_for_another_executor(cup: Tournament, tmp_path: Path) -> None:
    file = tmp_path / "cup.yaml"
    file.write_text("game: two-player\nbots: [bots/*]\nexecutor: {kind: local}\n")
    subprocess.run([sys.executable, "-c", READ, str(file)], cwd=ROOT, check=True)
    file.write_text("game: two-player\nbots: [bots/*]\nexecutor: {kind: dask, scheduler: here}\n")
    with pytest.raises(
        ArenaError, match="no address of a scheduler: 'here'; write tcp://here:8786"
    ):
        load(file)
