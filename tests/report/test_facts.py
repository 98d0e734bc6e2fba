from pathlib import Path

import pytest

from arena.record import Delay
from arena.report.facts import Facts, details, gather
from arena.store import RunStore
from tests.matches import SEED, meta


@pytest.fixture
def measured(tmp_path: Path) -> RunStore:
    """A run whose machine was measured at two starts."""
    store = RunStore.begin(tmp_path / "cup", meta("anna", "bob"), SEED)
    store.note_delay(Delay(2, 1000, 50, 300, 2_100))
    store.note_delay(Delay(2, 1000, 40, 9_000, 12_000))
    return store


def clock(facts: Facts) -> list[str]:
    return [text for name, text in details(facts) if name == "Clock"]


def test_the_machine_s_own_delay_is_told_as_it_was_at_its_worst(measured: RunStore) -> None:
    with measured:
        (words,) = clock(gather(measured))
        assert words == (
            "with 2 matches at a time, a bot that answers at once is charged 0.04 ms, 9.0 ms in "
            "the slowest of 100 moves, 12 ms at most"
        )


def test_it_is_left_out_where_all_times_are(measured: RunStore) -> None:
    with measured:
        assert clock(gather(measured, times=False)) == []
