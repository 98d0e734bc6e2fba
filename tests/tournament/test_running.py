import gc
import tracemalloc
from collections import Counter
from contextlib import closing
from copy import deepcopy
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.errors import SandboxError, StoreError
from arena.executors.executor import Finished, Outcome
from arena.executors.local import LocalExecutor, LocalOptions
from arena.record import FaultPolicy, Limits, MatchRecord, MatchSpec
from arena.store import RunStore, Store
from arena.tournament import HostFailed, count_uncounted, open_run, run, standings, withdrawn
from tests.tournament.tables import Table, exported, honestly, run_all, tournament

FIVE = ("anna", "bob", "carl", "dora", "emil")


def played(folder: Path) -> list[int]:
    with Store(folder) as store:
        return [match.plan.match for match in store.played()]


def test_a_round_robin_is_played_to_its_end(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob", "carl")
    progress = run_all(cup, Table())
    assert [one.counts.matches_played for one in progress] == [0, 1, 2, 3, 3]
    assert [one.is_finished for one in progress] == [False] * 4 + [True]
    assert [one.last.match for one in progress if one.last] == [1, 2, 3]
    assert progress[-1].games_left == 0
    with Store(cup.out) as store:
        assert store.is_finished
        assert store.counts().games_played == 3 * 2 * 2
        assert {one.bot for one in standings(store).standings} == {"anna", "bob", "carl"}


def test_games_of_matches_that_go_on_are_counted_and_kept_only_with_their_match(
    tmp_path: Path,
) -> None:
    class Slow(Table):
        """Has nothing to tell at first but that three games are played."""

        def wait(self, seconds: float) -> bool:
            is_first, self.games_under_way = self.games_under_way == 0, 3
            return not is_first

        def next_outcome(self) -> Outcome:
            self.games_under_way = 0
            return super().next_outcome()

    cup = tournament(tmp_path, "anna", "bob")
    progress = run_all(cup, Slow())
    assert [one.games_under_way for one in progress] == [0, 3, 0, 0]
    assert [one.counts.games_played for one in progress] == [0, 0, 4, 4]
    assert [one.games_left for one in progress] == [4, 1, 0, 0]
    assert progress[1].seconds_left is not None


def test_all_pairings_have_the_same_decks(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob", "carl")
    run_all(cup, Table())
    decks: dict[tuple[int, int], set[tuple[int, tuple[str, ...]]]] = {}
    with Store(cup.out) as store:
        for game in store.games():
            for hand in game.hands:
                decks.setdefault((game.board, hand.number), set()).add((hand.first, hand.deck))
    assert {board for board, _ in decks} == {1, 2}
    assert all(len(same) == 1 for same in decks.values())
    assert len(set.union(*decks.values())) == len(decks)


def test_partners_are_the_same_bot_twice(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob", game="partnership")
    run_all(cup, Table())
    with Store(cup.out) as store:
        game = store.game(1, 1, 0)
        assert [ref.bot for ref in game.seats] in (["anna", "bob"] * 2, ["bob", "anna"] * 2)


@pytest.mark.parametrize("capacity", [1, 2, 7])
@pytest.mark.parametrize("last_first", [False, True])
def test_the_records_do_not_depend_on_what_ends_first(
    capacity: int, last_first: bool, tmp_path: Path
) -> None:
    plain = tournament(tmp_path, *FIVE, out=tmp_path / "plain")
    other = tournament(tmp_path, *FIVE, out=tmp_path / "other")
    run_all(plain, Table())
    run_all(other, Table(capacity, last_first=last_first))
    assert exported(plain.out) == exported(other.out)


@pytest.mark.parametrize("stop_after", [0, 1, 4, 9, 10])
def test_a_stopped_run_goes_on_where_it_stopped(stop_after: int, tmp_path: Path) -> None:
    plain = tournament(tmp_path, *FIVE, out=tmp_path / "plain")
    run_all(plain, Table())
    cup = tournament(tmp_path, *FIVE)
    with open_run(cup) as store:
        progress = run(cup, store, first := Table(2, last_first=True))
        for _ in range(stop_after + 1):
            next(progress)
        progress.close()
    assert first.is_closed
    assert len(first.played) == len(played(cup.out)) == stop_after
    resumed = run_all(cup, second := Table(3))
    assert sorted(first.played + second.played) == list(range(1, 11))
    assert resumed[0].counts.matches_played == stop_after
    assert exported(cup.out) == exported(plain.out)


def test_a_finished_run_is_run_again_without_playing(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    run_all(cup, Table())
    progress = run_all(cup, table := Table())
    assert table.played == []
    assert progress[-1].is_finished


def test_a_match_that_the_host_failed_is_played_again(tmp_path: Path) -> None:
    tries: list[int] = []

    def unsteady(spec: MatchSpec) -> MatchRecord:
        tries.append(spec.match)
        if tries.count(spec.match) <= 3:
            raise RuntimeError("out of memory")
        return honestly(spec)

    cup = tournament(tmp_path, "anna", "bob", "carl")
    progress = run_all(cup, Table(2, unsteady))
    assert [one.replayed for one in progress].count("out of memory") == 9
    assert progress[-1].is_finished
    assert played(cup.out) == [1, 2, 3]
    with Store(cup.out) as store:
        assert Counter(one.match for one in store.host_failures()) == {1: 3, 2: 3, 3: 3}


def test_a_match_that_fails_for_ever_ends_the_run_and_loses_nothing(tmp_path: Path) -> None:
    def unsteady(spec: MatchSpec) -> MatchRecord:
        if spec.match == 2:
            raise RuntimeError("out of memory")
        return honestly(spec)

    cup = tournament(tmp_path, "anna", "bob", "carl")
    with pytest.raises(HostFailed, match=r"match 2 \(.*\) failed 4 times .*: out of memory"):
        run_all(cup, table := Table(2, unsteady))
    assert table.is_closed
    assert 1 in played(cup.out)
    run_all(cup, again := Table())
    assert played(cup.out) == [1, 2, 3]
    assert 1 not in again.played


def test_a_record_that_is_not_the_match_s_is_a_fault_of_the_host(tmp_path: Path) -> None:
    tries: list[int] = []

    def careless(spec: MatchSpec) -> MatchRecord:
        tries.append(spec.match)
        record = honestly(spec)
        if len(tries) == 1:
            return MatchRecord(spec.match, spec.round, record.games[1:], (), "none", spec.limits)
        return record

    cup = tournament(tmp_path, "anna", "bob")
    progress = run_all(cup, Table(1, careless))
    assert [one.replayed for one in progress] == [
        None, "match 1 has other games than planned", None, None
    ]  # fmt: skip
    assert tries == [1, 1]


def test_what_was_played_when_a_run_is_stopped_is_kept(tmp_path: Path) -> None:
    class Late(Table):
        def close(self) -> list[Finished]:
            return [Finished(honestly(spec), 0.0) for spec in self._specs]

    cup = tournament(tmp_path, *FIVE)
    with open_run(cup) as store:
        progress = run(cup, store, Late(3))
        next(progress)
        next(progress)
        progress.close()
    assert played(cup.out) == [1, 2, 3]


def test_a_match_is_kept_when_its_storing_was_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = RunStore.write
    cup = tournament(tmp_path, *FIVE)
    with open_run(cup) as store:
        progress = run(cup, store, Table())
        next(progress)
        with monkeypatch.context() as patch:
            patch.setattr(RunStore, "write", interrupted_once(write))
            with pytest.raises(KeyboardInterrupt):
                next(progress)
    assert played(cup.out) == [1]


def interrupted_once(write: object) -> object:
    calls: list[MatchRecord] = []

    def interrupted(store: RunStore, record: MatchRecord) -> None:
        calls.append(record)
        if len(calls) == 1:
            raise KeyboardInterrupt
        write(store, record)  # type: ignore[operator]

    return interrupted


def test_a_sandbox_that_is_not_there_is_told_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(kind: str, limits: Limits) -> None:
        raise SandboxError(f"no {kind} here")

    monkeypatch.setattr("arena.tournament.running.open_sandbox", refuse)
    cup = tournament(tmp_path, "anna", "bob")
    with open_run(cup) as store, pytest.raises(SandboxError, match="no none here"):
        next(run(cup, store, Table()))


LIMIT = FaultPolicy(limit=6)


def test_a_bot_with_too_many_faults_is_withdrawn_in_schedule_order(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "broken", "carl", "dora", "emil", faults=LIMIT)
    progress = run_all(cup, Table())
    with Store(cup.out) as store:
        mine = [match.match for match in store.planned() if "broken" in match.entrants]
        (out,) = withdrawn(store)
        assert (out.entrant, out.last) == ("broken", mine[1])
        assert out.is_rated  # half of its four matches count
        assert [match for match in mine if store.is_played(match)] == mine[:2]
    assert progress[-1].withdrawn == ("broken",)
    assert progress[-1].matches_skipped == 2
    assert progress[-1].games_left == 0


@pytest.mark.parametrize("capacity", [2, 5, 20])
@pytest.mark.parametrize("last_first", [False, True])
def test_what_counts_beside_a_withdrawn_bot_does_not_depend_on_what_ends_first(
    capacity: int, last_first: bool, tmp_path: Path
) -> None:
    names = ("anna", "broken", "carl", "broken-too", "emil", "fred")
    plain = tournament(tmp_path, *names, out=tmp_path / "plain", faults=LIMIT)
    other = tournament(tmp_path, *names, out=tmp_path / "other", faults=LIMIT)
    run_all(plain, Table())
    run_all(other, table := Table(capacity, last_first=last_first))
    assert exported(plain.out) == exported(other.out)
    with Store(plain.out) as one, Store(other.out) as two:
        assert withdrawn(one) == withdrawn(two)
        assert standings(one) == standings(two)
        assert len(table.played) >= one.counts().matches_played


def test_what_was_played_of_a_withdrawn_bot_beyond_its_last_match_is_counted_apart(
    tmp_path: Path,
) -> None:
    names = ("anna", "broken", "carl", "dora", "emil")
    in_turn = tournament(tmp_path, *names, out=tmp_path / "in_turn", faults=LIMIT)
    at_once = tournament(tmp_path, *names, out=tmp_path / "at_once", faults=LIMIT)
    run_all(in_turn, Table())
    run_all(at_once, Table(20))
    with Store(in_turn.out) as one, Store(at_once.out) as two:
        assert count_uncounted(one) == 0
        beyond = two.counts().games_played - one.counts().games_played
        assert count_uncounted(two) == beyond == 8


def test_a_withdrawn_bot_with_under_half_its_schedule_is_not_rated(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "broken", *FIVE, faults=FaultPolicy(limit=1))
    run_all(cup, Table(4))
    with Store(cup.out) as store:
        assert [one.is_rated for one in withdrawn(store)] == [False]
        assert {one.bot for one in standings(store).standings} == set(FIVE)


def test_workers_play_the_same_as_this_process(tmp_path: Path) -> None:
    plain = tournament(tmp_path, *FIVE, out=tmp_path / "plain")
    other = tournament(tmp_path, *FIVE, out=tmp_path / "other")
    run_all(plain, Table())
    executor = LocalExecutor(LocalOptions(jobs=2), plain.bots, "tests.matches:play")
    with open_run(other) as store:
        assert list(run(other, store, executor))[-1].is_finished
    assert exported(plain.out) == exported(other.out)


def test_two_runs_at_once_on_one_folder_are_refused(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    with open_run(cup), pytest.raises(StoreError, match="another run is at work here"):
        open_run(cup)


def test_a_run_does_not_grow_with_its_games(tmp_path: Path) -> None:
    """Copies of one match come back, as playing in this process fills the tables of cards."""
    cup = tournament(tmp_path, *(f"bot{number}" for number in range(16)))
    known: list[MatchRecord] = []

    def copied(spec: MatchSpec) -> MatchRecord:
        known[:] = known or [honestly(spec)]
        games = [
            replace(deepcopy(game), match=spec.match, seats=spec.seated(game.sitting))
            for game in known[0].games
        ]
        return replace(known[0], match=spec.match, round=spec.round, games=tuple(games))

    held = []
    tracemalloc.start()
    try:
        with open_run(cup) as store, closing(run(cup, store, Table(play=copied))) as steps:
            for step in steps:
                if step.counts.matches_played in (20, 110) and step.last is not None:
                    gc.collect()
                    held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    early, late = held
    assert late - early < 50_000  # 360 games lie between them, of 10 kB each
