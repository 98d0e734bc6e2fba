from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.config import Choice
from arena.errors import InputError
from arena.executors.local import LocalOptions
from arena.formats.format import Pairing
from arena.protocol import TimeControl
from arena.record import GivenBoard
from arena.store import PlannedMatch
from arena.tournament import Plan, estimate, open_run, plan, run
from arena.tournament.planning import to_matches, to_spec
from tests.tournament.tables import Table, tournament


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


def test_how_long_it_takes_at_most_is_told_by_the_clocks(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob", "carl", boards=10)
    cup = replace(
        cup,
        time=TimeControl(startup=2, move=1, hand=5),
        rules={**cup.rules, "max_hands": 4},
        executor=Choice("local", LocalOptions(jobs=3)),
    )
    found = estimate(cup, plan(cup))
    assert (found.games, found.jobs, found.likely) == (60, 3, None)
    assert found.most == 20 * (2 + 4 * 2 * 5)
    assert 0 < found.least < 20
    alone = estimate(replace(cup, executor=Choice("local", LocalOptions(jobs=1))), plan(cup))
    assert alone.most == 3 * found.most
    endless = replace(cup, rules={**cup.rules, "max_hands": None})
    assert estimate(endless, plan(endless)).most is None


def test_what_was_played_tells_how_long_the_rest_takes(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob", "carl")
    with closing(open_run(cup)) as store:
        with closing(run(cup, store, Table())) as steps:
            next(step for step in steps if step.last)
        found = estimate(cup, plan(cup), store)
        assert found.games == 8
        assert found.likely is not None
        assert found.likely > 0
