"""The round robin: everyone once, evenly."""

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.errors import InputError
from arena.formats.format import Format, Pairing
from arena.formats.round_robin import RoundRobin, RoundRobinOptions
from arena.record import Result

FORMAT = RoundRobin(RoundRobinOptions())


def schedule(count: int) -> list[Pairing]:
    return FORMAT.pairings([f"bot {i}" for i in range(count)])


def result_of(pairing: Pairing) -> Result:
    one, other = pairing.entrants
    return Result(pairing.match, pairing.round, 1, 0, ((one,), (other,)), 1.0, None)


def test_it_is_a_format_without_options() -> None:
    form: Format = FORMAT
    assert form.options_type is RoundRobinOptions


@given(st.integers(2, 200))
@example(2)
@example(200)
def test_everyone_meets_everyone_exactly_once(count: int) -> None:
    met = Counter(frozenset(pairing.entrants) for pairing in schedule(count))
    assert met == Counter(map(frozenset, combinations([f"bot {i}" for i in range(count)], 2)))


@given(st.integers(2, 200))
def test_nobody_plays_twice_in_a_round_and_with_an_odd_number_one_sits_out(count: int) -> None:
    rounds: dict[int, list[str]] = {}
    for pairing in schedule(count):
        rounds.setdefault(pairing.round, []).extend(pairing.entrants)
    assert list(rounds) == list(range(1, count + count % 2))
    for names in rounds.values():
        assert len(names) == len(set(names)) == count - count % 2


@given(st.integers(2, 200))
def test_everyone_sits_on_either_side_equally_often(count: int) -> None:
    first = Counter(pairing.entrants[0] for pairing in schedule(count))
    for i in range(count):
        assert abs(2 * first[f"bot {i}"] - (count - 1)) <= 1


@given(st.integers(2, 200))
def test_matches_are_numbered_in_the_order_of_the_schedule(count: int) -> None:
    pairings = schedule(count)
    assert [pairing.match for pairing in pairings] == list(range(1, len(pairings) + 1))
    assert all(one.round <= other.round for one, other in pairwise(pairings))


@given(st.integers(3, 200))
def test_nobody_waits_for_long_or_plays_without_a_pause(count: int) -> None:
    """With an even number the next match is a round away, give or take one."""
    played: dict[str, list[int]] = {}
    for pairing in schedule(count):
        for name in pairing.entrants:
            played.setdefault(name, []).append(pairing.match)
    tables = count // 2
    longest = tables + 1 if count % 2 == 0 else 2 * tables
    for matches in played.values():
        gaps = [later - earlier for earlier, later in pairwise(matches)]
        assert min(gaps) >= tables - 1
        assert max(gaps) <= longest


@given(st.integers(2, 200), st.data())
def test_at_any_time_all_have_played_about_equally_often(count: int, data: st.DataObject) -> None:
    pairings = schedule(count)
    until = data.draw(st.integers(0, len(pairings)))
    played = Counter(name for pairing in pairings[:until] for name in pairing.entrants)
    counts = [played[f"bot {i}"] for i in range(count)]
    assert max(counts) - min(counts) <= 1 + count % 2


def test_the_schedule_is_that_of_the_order_in_the_config() -> None:
    names = ["zoe", "ann", "max"]
    pairings = FORMAT.pairings(names)
    assert pairings == FORMAT.pairings(names, [result_of(pairings[0])])
    renamed = dict(zip(names, ["one", "two", "three"], strict=True))
    assert FORMAT.pairings(["one", "two", "three"]) == [
        Pairing(one.match, one.round, tuple(renamed[name] for name in one.entrants))
        for one in pairings
    ]


@pytest.mark.parametrize("count", [0, 1])
def test_it_takes_two(count: int) -> None:
    with pytest.raises(InputError, match="at least two"):
        schedule(count)
