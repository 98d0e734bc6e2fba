from pathlib import Path

import pytest

from arena.errors import InputError
from arena.formats.format import Pairing
from arena.record import GivenBoard
from arena.store import PlannedMatch
from arena.tournament import Plan, plan
from arena.tournament.planning import to_matches, to_spec
from tests.tournament.tables import tournament


def test_the_count_of_games_is_known_before_anything_is_made(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob", "carl", "dora", boards=20)
    assert plan(cup) == Plan(entrants=4, matches=6, games=6 * 20 * 2)
    assert plan(tournament(tmp_path, "anna", "bob", duplicate=False)).games == 2
    assert not cup.out.exists()


def test_one_entrant_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        plan(tournament(tmp_path, "anna"))


def test_two_hundred_entrants_are_planned(tmp_path: Path) -> None:
    names = [f"bot{number}" for number in range(200)]
    assert plan(tournament(tmp_path, *names)).matches == 200 * 199 // 2


@pytest.mark.parametrize(
    ("game", "seats"),
    [("two-player", ("bob", "anna")), ("partnership", ("bob", "anna", "bob", "anna"))],
)
def test_a_pairing_takes_all_seats_in_turn(
    game: str, seats: tuple[str, ...], tmp_path: Path
) -> None:
    cup = tournament(tmp_path, "anna", "bob", game=game, boards=3)
    (match,) = to_matches(cup, [Pairing(7, 2, ("bob", "anna"))])
    assert match == PlannedMatch(7, 2, seats, (1, 2, 3), 2)


def test_a_spec_holds_all_that_a_worker_needs(tmp_path: Path) -> None:
    given = (GivenBoard(1, 0, (("AS",),)), GivenBoard(5, 0, (("KS",),)))
    cup = tournament(tmp_path, "anna", "bob", given=given)
    match = PlannedMatch(7, 2, ("bob", "anna"), (1, 2), 2)
    spec = to_spec(cup, match, "secret", "bubblewrap")
    assert (spec.match, spec.round, spec.seed, spec.sandbox) == (7, 2, "secret", "bubblewrap")
    assert [ref.bot for ref in spec.seats] == ["bob", "anna"]
    assert spec.seats[1] == cup.bots[0].ref
    assert spec.given == given[:1]
    assert (spec.rules, spec.time, spec.limits) == (cup.rules, cup.time, cup.limits)
