"""A run of three entrants with two of its three matches played."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store import RunStore
from tests.matches import SEED, meta, planned, played

PLANS = [planned(1, "anna", "bob"), planned(2, "broken", "anna"), planned(3, "bob", "broken")]

FIRST_FORMAT = ("DROP TABLE delays", "DROP TABLE host_faults", "PRAGMA user_version = 1")
"""What makes a file one of an arena that measured no delay and kept no failure of the host."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cup"


@pytest.fixture
def run(folder: Path) -> Iterator[RunStore]:
    """The run as its writer has it."""
    with RunStore.begin(folder, meta("anna", "bob", "broken"), SEED) as store:
        store.plan(PLANS, boards_return=False)
        store.write(played(PLANS[1]))  # the order of arrival is not the schedule's
        store.write(played(PLANS[0]))
        yield store
