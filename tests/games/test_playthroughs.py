"""The golden playthroughs still play as they are written."""

import pytest

from tests.golden import CASES, FOLDER, render


@pytest.mark.parametrize("name", CASES)
def test_a_playthrough_is_as_written(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert render(name) == written, "python -m tests.golden writes them anew"


def test_every_written_playthrough_has_a_case() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(CASES)
