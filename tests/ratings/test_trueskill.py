"""The rating from results to table."""

from itertools import combinations
from random import Random

import msgspec
import numpy as np
import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol import FaultKind
from arena.ratings.ledger import Ints
from arena.ratings.standing import Meeting, Rating, Standing, Table
from arena.ratings.trueskill import TrueSkillOptions, TrueSkillRating, draw_probability
from arena.record import Result
from tests.ratings.fields import boards, environment, game, games, number
from tests.vector_files import Vector, load

VECTORS = load("trueskill")
RATING = TrueSkillRating()
ONLINE = TrueSkillRating(TrueSkillOptions(mode="online"))


def by_name(table: Table) -> dict[str, Standing]:
    return {standing.bot: standing for standing in table.standings}


def numbers(table: Table) -> list[float]:
    return [
        value
        for one in table.standings
        for value in (one.mu, one.sigma, one.points_per_board or 0, one.points_se or 0)
    ] + [value or 0 for row in table.better for value in row]


# The whole path.


def test_it_is_a_rating() -> None:
    rating: Rating = RATING
    assert rating.options_type is TrueSkillOptions


def test_a_batch_comes_out_centred_with_the_probability_of_every_order() -> None:
    vector: Vector = VECTORS["batches"]["cases"][1]
    table = RATING.table("ABCD", games(vector["wins"], vector["draws"]))
    # 2 draws in 26 games are taken for 3 in 28; the vector has 1 in 20, which moves little.
    assert table.draw_probability == pytest.approx(3 / 28)
    standings = by_name(table)
    means = [standings[name].mu for name in "ABCD"]
    assert means == pytest.approx(list(vector["full"]["mu_centred"].values()), abs=0.3)
    assert np.mean(means) == pytest.approx(25)
    assert [one.bot for one in table.standings] == list("ABCD")
    for i, row in enumerate(vector["full"]["p_row_better"]):
        assert table.better[i][i] is None
        for j, known in enumerate(row):
            assert table.better[i][j] == (None if known is None else pytest.approx(known, abs=0.02))


def test_one_game_is_the_packages_update() -> None:
    table = RATING.table("ab", [game("a", "b")])
    package = environment(table.draw_probability)
    start = package.create_rating()
    winner, loser = trueskill.rate_1vs1(start, start, env=package)
    assert [one.mu for one in table.standings] == pytest.approx([winner.mu, loser.mu], abs=1e-6)


def test_the_interval_is_that_of_95_percent_and_the_conservative_score_three_below() -> None:
    for one in RATING.table("abc", games({"a>b": 3, "b>c": 2, "c>a": 1}, {})).standings:
        assert one.high - one.mu == pytest.approx(1.959964 * one.sigma)
        assert one.mu - one.low == pytest.approx(1.959964 * one.sigma)
        assert one.conservative == pytest.approx(one.mu - 3 * one.sigma)


def test_games_are_counted_by_how_they_ended_and_faults_by_kind() -> None:
    faults = (("b", FaultKind.TIMEOUT), ("b", FaultKind.TIMEOUT), ("b", FaultKind.CRASH))
    results = [
        game("a", "b", faults=faults),
        game("b", "a", 0.5),
        game("b", "a"),
        game("b", "a", 0.0),
        game("a", "b", None, faults=(("a", FaultKind.STARTUP),)),
    ]
    standings = by_name(RATING.table("ab", results))
    one, other = standings["a"], standings["b"]
    assert (one.games, one.wins, one.draws, one.losses) == (4, 2, 1, 1)
    assert (other.games, other.wins, other.draws, other.losses) == (4, 1, 1, 2)
    assert one.faults == {"startup": 1}
    assert other.faults == {"crash": 1, "timeout": 2}
    assert one.score == 5 / 8


def test_the_crosstable_is_in_the_order_of_the_standings() -> None:
    results = [
        game("b", "a", margin=60),
        game("a", "b", 0.0, margin=-20, sitting=1),
        game("b", "c", 0.5, match=2),
    ]
    table = RATING.table("abc", results)
    assert [one.bot for one in table.standings] == ["b", "c", "a"]
    assert table.crosstable[0] == (Meeting(), Meeting(1, 0, 1, 0), Meeting(2, 2, 0, 0, 40.0))
    assert table.crosstable[2] == (Meeting(2, 0, 0, 2, -40.0), Meeting(), Meeting())
    assert table.crosstable[0][2].score == 1
    assert table.crosstable[0][0].score is None


def test_mixed_partners_are_rated_each_for_herself() -> None:
    strengths = {"a": 3, "b": 2, "c": 1, "d": 0}
    results = [
        game(one, other, float(sum(strengths[n] for n in one) > sum(strengths[n] for n in other)))
        for one, other in ((("a", "b"), ("c", "d")), (("a", "c"), ("b", "d")))
        for _ in range(5)
    ] + [game(("a", "d"), ("b", "c"), 0.5) for _ in range(5)]
    table = RATING.table("abcd", results)
    assert [one.bot for one in table.standings] == ["a", "b", "c", "d"]
    assert all(one.games == 15 for one in table.standings)
    met = table.crosstable[0][3]
    assert (met.games, met.wins) == (10, 10)
    assert len(table.groups) == 1


def test_a_partner_of_herself_against_two_is_rated_too() -> None:
    table = RATING.table("abc", [game(("a", "b"), "c", 1.0) for _ in range(5)])
    assert [one.bot for one in table.standings] == ["a", "b", "c"]
    assert table.standings[0].mu == pytest.approx(table.standings[1].mu)


# Entrants without games, ties, groups.


def test_an_entrant_without_games_sorts_last_with_what_was_believed_beforehand() -> None:
    without = RATING.table("abc", [game("a", "b"), game("b", "c"), game("a", "c")])
    table = RATING.table(
        ["idle", "a", "b", "c", "also idle"], [game("a", "b"), game("b", "c"), game("a", "c")]
    )
    assert [one.bot for one in table.standings] == ["a", "b", "c", "also idle", "idle"]
    assert table.standings[:3] == without.standings
    last = table.standings[4]
    assert (last.rank, last.rank_low, last.rank_high, last.games) == (5, 4, 5, 0)
    assert last.mu == 25
    assert last.sigma == pytest.approx(25 / 3)
    assert last.points_per_board is None
    assert last.points_se is None
    assert last.score is None
    assert table.better[4] == (None,) * 5
    assert table.crosstable[4] == (Meeting(),) * 5
    assert table.groups == (("a", "b", "c"),)


@pytest.mark.parametrize("rating", [RATING, ONLINE])
def test_who_does_not_play_does_not_drift(rating: TrueSkillRating) -> None:
    before = games({"A>B": 6, "B>A": 3, "C>D": 3, "D>C": 3}, {})
    void = [game("C", "D", None, round_number=round_number) for round_number in range(2, 100)]
    played = games({"C>D": 30, "D>C": 10}, {})
    first, after_void, after_games = (
        by_name(rating.table("ABCD", number(results)))["A"]
        for results in (before, before + void, before + played)
    )
    assert (after_void.mu, after_void.sigma) == (first.mu, first.sigma)
    assert after_games.mu == pytest.approx(first.mu, abs=0.1)  # a draw has become less likely


@pytest.mark.parametrize("entrants", ["", "a", "ab"])
def test_a_table_without_results_is_a_table(entrants: str) -> None:
    table = RATING.table(entrants, [])
    assert [one.bot for one in table.standings] == list(entrants)
    assert table.is_connected
    assert table.phi == 1


def test_a_circle_is_level_and_goes_by_name() -> None:
    for wins in ({"b>a": 1, "a>x": 1, "x>b": 1}, {"b>a": 1, "a>x": 1, "x>y": 1, "y>b": 1}):
        entrants = sorted({name for pair in wins for name in pair.split(">")})
        table = RATING.table(entrants, games(wins, {}))
        assert len({round(one.mu, 6) for one in table.standings}) == 1
        assert [one.bot for one in table.standings] == entrants
        assert [one.rank for one in table.standings] == list(range(1, len(entrants) + 1))


def test_points_decide_where_heads_do_not() -> None:
    results = [
        game("a", "x", margin=10, match=1),
        game("b", "x", margin=90, match=2),
        game("c", "x", match=3),
    ]
    assert [one.bot for one in RATING.table("abcx", results).standings] == ["b", "a", "c", "x"]


def test_names_decide_last_of_all() -> None:
    results = [game("b", "x"), game("a", "x")]
    assert [one.bot for one in RATING.table("bax", results).standings] == ["a", "b", "x"]


def test_groups_that_never_met_are_told() -> None:
    table = RATING.table("abcde", games({"a>b": 1, "c>d": 9}, {}))
    assert table.groups == (("c", "d"), ("a", "b"))
    assert not table.is_connected


def test_void_games_connect_no_one() -> None:
    table = RATING.table("abc", [game("a", "b"), game("b", "c", None)])
    assert table.groups == (("a", "b"),)
    assert table.standings[2].bot == "c"


# Ranks are intervals.


def test_few_games_leave_ranks_open_and_many_close_them() -> None:
    few = RATING.table("abc", games({"a>b": 1, "b>c": 1, "a>c": 1}, {}))
    assert [(one.rank_low, one.rank_high) for one in few.standings][1] == (1, 3)
    wins = {"a>b": 60, "b>a": 20, "b>c": 60, "c>b": 20, "a>c": 70, "c>a": 10}
    many = RATING.table("abc", games(wins, {}))
    assert [(one.rank_low, one.rank_high) for one in many.standings] == [(1, 1), (2, 2), (3, 3)]
    assert [len(tier) for tier in many.tiers()] == [1, 1, 1]


def test_those_with_the_same_interval_share_a_tier() -> None:
    wins = {"a>b": 2, "b>a": 2, "a>c": 40, "b>c": 40, "c>a": 2, "c>b": 2}
    table = RATING.table("abc", games(wins, {}))
    assert [[one.bot for one in tier] for tier in table.tiers()] == [["a", "b"], ["c"]]


def test_intervals_hold_the_truth_about_95_times_in_100() -> None:
    chance = np.random.default_rng(2026)
    names = "abcdefgh"
    held: list[bool] = []
    for _ in range(40):
        strengths = dict(zip(names, chance.normal(0, 4, 8).tolist(), strict=True))
        centre = np.mean(list(strengths.values()))
        wins: dict[str, int] = {}
        for a, b in combinations(names, 2):
            noise = chance.normal(0, 2**0.5 * 25 / 6, 20)
            won = int((strengths[a] - strengths[b] + noise > 0).sum())
            wins |= {f"{a}>{b}": won, f"{b}>{a}": 20 - won}
        held += [
            one.low < 25 + strengths[one.bot] - centre < one.high
            for one in RATING.table(names, games(wins, {})).standings
        ]
    assert 0.92 <= np.mean(held) <= 0.99


# Order never matters.

NAMES = ["a", "b", "c", "d", "e"]
RESULT = st.builds(
    game,
    st.sampled_from([*NAMES, ("a", "b"), ("c", "d")]),
    st.sampled_from([*NAMES, ("a", "c"), ("d", "e"), ("b", "e")]),
    st.sampled_from([1.0, 0.5, 0.0, None]),
    margin=st.none() | st.integers(-500, 500),
    match=st.integers(1, 5),
    board=st.integers(1, 3),
    sitting=st.integers(0, 1),
    round_number=st.integers(1, 3),
    faults=st.sampled_from([(), (("a", FaultKind.CRASH),), (("b", FaultKind.ILLEGAL),)]),
)


@given(st.lists(RESULT, max_size=30), st.integers(0, 2**32), st.sampled_from([RATING, ONLINE]))
def test_the_order_of_results_and_entrants_changes_nothing(
    results: list[Result], seed: int, rating: TrueSkillRating
) -> None:
    table = rating.table(NAMES, results)
    shuffled, names = results[:], NAMES[:]
    Random(seed).shuffle(shuffled)
    Random(seed).shuffle(names)
    again = rating.table(names, shuffled)
    assert [one.bot for one in again.standings] == [one.bot for one in table.standings]
    assert numbers(again) == pytest.approx(numbers(table), abs=1e-12, rel=0)
    assert again == table
    assert np.isfinite(numbers(table)).all()


@given(st.lists(RESULT, max_size=30))
def test_turning_the_table_round_changes_nothing(results: list[Result]) -> None:
    """Side 0 and side 1 are names for seats and no advantage."""
    turned = [
        msgspec.structs.replace(
            one,
            sides=one.sides[::-1],
            score=None if one.score is None else 1 - one.score,
            margin=None if one.margin is None else -one.margin,
        )
        for one in results
    ]
    assert RATING.table(NAMES, turned) == RATING.table(NAMES, results)


@given(st.lists(RESULT, max_size=30))
def test_a_table_is_consistent_with_itself(results: list[Result]) -> None:
    table = RATING.table(NAMES, results)
    rated = [one for one in table.standings if one.games]
    assert [one.rank for one in table.standings] == [1, 2, 3, 4, 5]
    assert all(one.rank_low <= one.rank <= one.rank_high for one in table.standings)
    assert all(one.games == one.wins + one.draws + one.losses for one in table.standings)
    assert sorted(name for group in table.groups for name in group) == sorted(
        one.bot for one in rated
    )
    for i in range(len(rated)):
        for j in range(len(rated)):
            if i != j:
                assert (table.better[i][j] or 0) + (table.better[j][i] or 0) == pytest.approx(1)
                assert table.crosstable[i][j].wins == table.crosstable[j][i].losses


# History, modes, options.


def test_history_is_solved_again_after_each_round() -> None:
    results = [
        game("a", "b", round_number=1),
        game("b", "c", match=2, round_number=2),
        game("c", "a", match=3, round_number=4),
    ]
    history = RATING.history("abc", reversed(results))
    assert list(history) == [1, 2, 4]
    assert history[1] == RATING.table("abc", results[:1])
    assert history[4] == RATING.table("abc", results)
    assert RATING.history("abc", []) == {}


def test_online_goes_from_game_to_game_as_the_package_does() -> None:
    rating = TrueSkillRating(TrueSkillOptions(mode="online", tau=0.5))
    results = number([*boards({"a": 30.0, "b": 0.0, "c": -30.0}, 3, seed=4), game("a", "b", 0.5)])
    table = rating.table("abc", [*results, game("a", "b", None, match=99)])
    package = environment(table.draw_probability, tau=0.5)
    ratings = {name: package.create_rating() for name in "abc"}
    for one in results:
        (a,), (b,) = one.sides if one.score else one.sides[::-1]
        drawn = one.score == 0.5
        ratings[a], ratings[b] = trueskill.rate_1vs1(
            ratings[a], ratings[b], drawn=drawn, env=package
        )
    for standing in table.standings:
        assert standing.mu == pytest.approx(ratings[standing.bot].mu, abs=1e-6)
        assert standing.sigma == pytest.approx(ratings[standing.bot].sigma, abs=1e-6)


def test_online_rates_partners_as_the_package_does() -> None:
    table = ONLINE.table("abcd", [game(("a", "b"), ("c", "d"))])
    package = environment(table.draw_probability)
    start = package.create_rating()
    (winner, _), _ = package.rate([(start, start), (start, start)])
    assert table.standings[0].mu == pytest.approx(winner.mu, abs=1e-6)
    assert table.standings[0].sigma == pytest.approx(winner.sigma, abs=1e-6)


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ([[0, 0, 0]], 0.5),
        ([[1, 0, 0]], 1 / 3),
        ([[8, 1, 0]], 2 / 11),
        ([[10**6, 0, 0]], 0.001),
        ([[0, 1000, 0]], 0.95),
    ],
)
def test_the_draw_probability_is_never_nought_nor_one(
    counts: list[list[int]], expected: float
) -> None:
    table: Ints = np.array(counts)
    assert draw_probability(table) == pytest.approx(expected)


@pytest.mark.parametrize(("probability", "margin"), VECTORS["draw_margins"]["cases"])
def test_the_draw_margin_is_the_models(probability: float, margin: float) -> None:
    assert RATING._margins(probability, np.array([2]))[0] == pytest.approx(margin, abs=1e-6)
    partners = RATING._margins(probability, np.array([4, 2]))
    assert partners.tolist() == pytest.approx([margin * 2**0.5, margin], abs=1e-6)


def test_a_rating_has_the_centre_and_scale_of_its_options() -> None:
    options = TrueSkillOptions(mu=1500, sigma=500, beta=250)
    table = TrueSkillRating(options).table("abc", games({"a>b": 3, "b>c": 1}, {}))
    plain = RATING.table("abc", games({"a>b": 3, "b>c": 1}, {}))
    for one, other in zip(table.standings, plain.standings, strict=True):
        assert (one.mu - 1500) / 60 == pytest.approx(other.mu - 25)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"mode": "offline"}, "mode"),
        ({"sigma": 0}, "sigma"),
        ({"beta": -1}, "beta"),
        ({"sigma": 1e9}, "sigma"),
        ({"beta": 0.01, "sigma": 10}, "within 100 times"),
        ({"tau": 0.1}, "tau is for mode: online"),
        ({"mode": "online", "tau": 9}, "not be more than sigma"),
        ({"mu": float("nan")}, "mu"),
        ({"sigma": float("inf")}, "sigma"),
        ({"tow": 0.1}, "tow"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, object], said: str) -> None:
    with pytest.raises(msgspec.ValidationError, match=said):
        msgspec.convert(options, TrueSkillOptions)


@pytest.mark.parametrize(
    "options",
    [
        TrueSkillOptions(sigma=1000, beta=10),
        TrueSkillOptions(sigma=10, beta=1000),
        TrueSkillOptions(mode="online", sigma=1000, beta=10, tau=1000),
    ],
)
def test_odd_scales_and_one_sided_fields_give_numbers(options: TrueSkillOptions) -> None:
    wins = {"a>b": 300, "b>c": 300, "c>a": 1, "c>d": 300}
    table = TrueSkillRating(options).table("abcd", games(wins, {"a=d": 1}))
    assert np.isfinite(numbers(table)).all()
