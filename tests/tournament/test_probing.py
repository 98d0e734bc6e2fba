from pathlib import Path

import pytest

from arena.executors.executor import Outcome
from arena.record import MOST, Delay
from arena.store import Store
from arena.tournament import measure_delay, null_bot, open_run
from tests.tournament.tables import Table, tournament


def test_the_machine_s_own_delay_is_measured_and_kept(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob", boards=30)
    with open_run(cup) as store:
        delay = measure_delay(cup, store, table := Table(2), null_bot(cup, store))
        again = measure_delay(cup, store, Table(2), null_bot(cup, store))
        assert sorted(table.played) == [MOST - 3, MOST - 2, MOST - 1, MOST]
        assert not table.is_closed
    assert isinstance(delay, Delay)
    assert delay.jobs == 2
    with Store(cup.out) as reader:
        assert list(reader.delays()) == [delay, again]


def test_nothing_is_measured_for_a_few_games(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    with open_run(cup) as store:
        assert measure_delay(cup, store, table := Table(), null_bot(cup, store)) is None
        assert table.played == []
        assert list(store.delays()) == []


def test_an_interrupted_measurement_ends_its_bots(tmp_path: Path) -> None:
    class Stopped(Table):
        def next_outcome(self) -> Outcome:
            raise KeyboardInterrupt

    cup = tournament(tmp_path, "anna", "bob", boards=30)
    with open_run(cup) as store:
        with pytest.raises(KeyboardInterrupt):
            measure_delay(cup, store, table := Stopped(2), null_bot(cup, store))
        assert table.is_closed
        assert list(store.delays()) == []
