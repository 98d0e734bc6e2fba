import pytest

from arena.errors import InputError
from arena.formats.format import Pairing
from arena.formats.table import Table, TableOptions


def test_a_table_is_one_match_with_every_seat_named() -> None:
    seats = ("ann", "bob", "bob", "cat")
    assert Table(TableOptions(seats)).pairings(["ann", "bob", "cat"]) == [Pairing(1, 1, seats)]


def test_without_names_all_sit_down_as_they_were_entered() -> None:
    assert Table(TableOptions()).pairings(["bob", "ann"]) == [Pairing(1, 1, ("bob", "ann"))]


@pytest.mark.parametrize(
    ("seats", "entrants", "why"),
    [
        (("ann", "bobb"), ["ann", "bob"], "did you mean 'bob'?"),
        (None, ["a", "b", "c", "d", "e"], "a table of 5"),
        (None, ["ann"], "a table of 1"),
    ],
)
def test_a_table_that_cannot_be_laid_is_refused(
    seats: tuple[str, ...] | None, entrants: list[str], why: str
) -> None:
    with pytest.raises(InputError, match=why.replace("?", r"\?")):
        Table(TableOptions(seats)).pairings(entrants)
