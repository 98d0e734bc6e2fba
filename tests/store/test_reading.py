from collections.abc import Generator
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.protocol import FaultKind
from arena.record import GivenBoard, to_result
from arena.store import Counts, GameKey, RunStore, Store
from tests.matches import SEED, meta, planned, played
from tests.store.conftest import PLANS


def test_a_match_is_read_as_it_was_written(run: RunStore, folder: Path) -> None:
    with Store(folder) as store:
        assert store.match(1) == played(PLANS[0])
        assert store.match(2) == played(PLANS[1])


def test_a_match_that_is_not_stored_is_not_there(run: RunStore) -> None:
    with pytest.raises(KeyError):
        run.match(3)
    with pytest.raises(KeyError):
        run.game(3, 1, 0)
    assert [run.is_played(match) for match in (1, 2, 3, 4)] == [True, True, False, False]


def test_games_come_in_schedule_order_whatever_came_first(run: RunStore) -> None:
    keys = [GameKey(match, board, sitting) for match in (1, 2) for board in (1, 2)
            for sitting in (0, 1)]  # fmt: skip
    assert list(run.keys()) == keys
    assert [GameKey(game.match, game.board, game.sitting) for game in run.games()] == keys
    assert list(run.games(match=2)) == list(played(PLANS[1]).games)
    assert run.game(1, 2, 1) == played(PLANS[0]).games[3]


def test_results_are_those_of_the_records(run: RunStore) -> None:
    wanted = [to_result(game, 1) for game in run.games()]
    assert list(run.results()) == wanted
    assert list(run.results(match=2)) == wanted[4:]
    assert list(run.results(entrant="bob")) == wanted[:4]
    assert list(run.results(entrant="anna")) == wanted
    assert list(run.results(entrant="nobody")) == []


def test_results_of_partners_have_both_by_side(folder: Path) -> None:
    plan = planned(1, "anna", "bob", "carl", "dora")
    with RunStore.begin(folder, meta(*plan.seats, game="partnership"), SEED) as store:
        store.plan([plan], boards_return=False)
        record = played(plan, "partnership")
        store.write(record)
        assert list(store.results()) == [to_result(game, 1) for game in record.games]
        assert next(store.results()).sides == (("anna", "carl"), ("bob", "dora"))


def test_faults_are_listed_with_game_and_entrant(run: RunStore) -> None:
    faults = list(run.faults())
    assert [(fault.match, fault.board, fault.sitting) for fault in faults] == [
        (2, 1, 0), (2, 1, 1), (2, 2, 0), (2, 2, 1),
    ]  # fmt: skip
    assert {fault.entrant for fault in faults} == {"broken"}
    assert [fault.fault for fault in faults] == [
        fault for game in played(PLANS[1]).games for fault in game.faults
    ]
    assert faults[0].fault.kind is FaultKind.STARTUP
    assert list(run.faults(entrant="broken", match=2)) == faults
    assert list(run.faults(entrant="anna")) == []
    assert run.at_fault(2) == ("broken",) * 4


def test_logs_are_those_of_the_match(run: RunStore) -> None:
    assert [stored.log for stored in run.logs(match=1)] == list(played(PLANS[0]).logs)
    assert [stored.match for stored in run.logs()] == [1] * 4 + [2] * 4


def test_what_is_planned_played_and_to_play_is_told(run: RunStore) -> None:
    assert list(run.planned()) == PLANS
    assert [match.plan for match in run.played()] == PLANS[:2]
    assert {match.sandbox for match in run.played()} == {"none"}
    assert list(run.to_play()) == PLANS[2:]
    assert run.counts() == Counts(matches=3, matches_played=2, games=12, games_played=8)
    assert run.count_planned_of("anna") == 2


def test_a_schedule_longer_than_a_page_is_read_whole(folder: Path) -> None:
    plans = [planned(match, "anna", "bob", boards=1) for match in range(1, 1202)]
    with RunStore.begin(folder, meta("anna", "bob"), SEED) as store:
        store.plan(plans, boards_return=False)
        assert list(store.planned()) == plans
        upcoming = store.to_play()
        first = next(upcoming)
        store.write(played(first))
        assert list(upcoming) == plans[1:]


@pytest.mark.rule("D1a")
def test_the_seed_is_told_only_when_the_run_is_finished(run: RunStore, folder: Path) -> None:
    with Store(folder) as store:
        assert store.seed is None
        assert not store.is_finished
    assert run.secret_seed == SEED
    run.finish()
    with Store(folder) as store:
        assert store.seed == SEED
        assert store.is_finished


@pytest.mark.rule("D1a")
def test_boards_that_anyone_has_still_to_play_are_named(run: RunStore) -> None:
    assert run.boards_to_play() == {1, 2}
    run.write(played(PLANS[2]))
    assert run.boards_to_play() == set()


@pytest.mark.rule("D1a")
def test_boards_that_may_be_planned_again_are_named_until_the_end(folder: Path) -> None:
    with RunStore.begin(folder, meta("anna", "bob"), SEED) as store:
        store.plan([planned(1, "anna", "bob")], boards_return=True)
        store.write(played(planned(1, "anna", "bob")))
        assert store.boards_to_play() == {1, 2}
        store.finish()
        assert store.boards_to_play() == set()


@pytest.mark.rule("D3")
def test_given_decks_are_kept(folder: Path) -> None:
    given = (
        GivenBoard(1, 0, (("AS", "KS"),), ()),
        GivenBoard(2, 1, (("2C",), ("3C",)), (("4C",),)),
    )
    with RunStore.begin(folder, meta("anna", "bob"), SEED, given) as store:
        assert store.given() == given


def test_what_the_run_is_is_kept(run: RunStore, folder: Path) -> None:
    with Store(folder) as store:
        assert store.meta == meta("anna", "bob", "broken")


def test_a_reader_sees_the_folder_as_it_was_when_opened(run: RunStore, folder: Path) -> None:
    with Store(folder) as before:
        run.write(played(PLANS[2]))
        assert before.counts().matches_played == 2
        with Store(folder) as after:
            assert after.counts().matches_played == 3


def test_a_reader_holds_up_no_writer(run: RunStore, folder: Path) -> None:
    with Store(folder) as store:
        results = store.results()
        next(results)
        run.write(played(PLANS[2]))
        assert len(list(results)) == 7


def test_what_is_read_half_may_be_let_go_after_closing(run: RunStore, folder: Path) -> None:
    store = Store(folder)
    results = store.results()
    assert isinstance(results, Generator)
    next(results)
    store.close()
    results.close()
    assert list(results) == []


def test_damage_to_the_file_is_told(run: RunStore) -> None:
    assert run.damage() == []


def test_a_damaged_record_is_named(run: RunStore) -> None:
    run._connection.execute("UPDATE games SET record = x'00' WHERE match = 2 AND board = 1")
    with pytest.raises(StoreError, match="damaged: table games, match 2, board 1, sitting 0: "):
        run.game(2, 1, 0)
    run._connection.execute("UPDATE games SET record = x'789c030000000001' WHERE match = 2")
    with pytest.raises(StoreError, match="damaged: table games, match 2, board 1, sitting 0: "):
        list(run.games())
    assert run.game(1, 1, 0) == played(PLANS[0]).games[0]
