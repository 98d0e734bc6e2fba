"""v and w against closed forms, the package and their own definitions."""

import math

import numpy as np
import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.ledger import DRAWN, FIRST_WON, SECOND_WON, Floats
from arena.ratings.propagation import truncate
from arena.ratings.truncation import cdf, pdf, v_w_draw, v_w_win
from tests.vector_files import Vector, load

BETA = 25 / 6
VECTORS = load("trueskill")


def update(
    teams: list[list[list[float]]], outcome: int, tau: float, probability: float
) -> list[list[list[float]]]:
    """TrueSkill's closed form for two sides, with the arena's v and w."""
    strengths = np.array([mu for team in teams for mu, _ in team])
    variances = np.array([sigma**2 + tau**2 for team in teams for _, sigma in team])
    sign = np.array([1.0] * len(teams[0]) + [-1.0] * len(teams[1]))
    players = len(strengths)
    deviation = math.sqrt(variances.sum() + players * BETA**2)
    environment = trueskill.TrueSkill(beta=BETA, draw_probability=probability)
    margin = trueskill.calc_draw_margin(probability, players, environment)
    t = np.array([sign @ strengths / deviation])
    v, w = truncate(np.array([outcome]), t, np.array([margin / deviation]))
    means = strengths + sign * variances / deviation * v
    deviations = np.sqrt(variances * (1 - variances / deviation**2 * w))
    rated = [[mu, sigma] for mu, sigma in zip(means.tolist(), deviations.tolist(), strict=True)]
    return [rated[: len(teams[0])], rated[len(teams[0]) :]]


@pytest.mark.parametrize(
    "vector", VECTORS["single_updates"]["cases"], ids=lambda vector: vector["id"]
)
def test_one_game_updates_as_others_have_it(vector: Vector) -> None:
    one, other = vector["ranks"]
    outcome = DRAWN if one == other else FIRST_WON if one < other else SECOND_WON
    rated = update(vector["teams"], outcome, vector["tau"], vector["draw_probability"])
    for team, expected in zip(rated, vector["expected"], strict=True):
        for player, known in zip(team, expected, strict=True):
            # The margin comes from the package, whose own quantile is good to seven places.
            assert player == pytest.approx(known, abs=max(vector["tolerance"], 1e-6))


@given(st.floats(-5, 5), st.floats(0.01, 2))
def test_a_win_moves_as_the_package_has_it(t: float, margin: float) -> None:
    environment = trueskill.TrueSkill()
    v, w = v_w_win(np.array([t]), np.array([margin]))
    assert v[0] == pytest.approx(environment.v_win(t, margin), rel=1e-5, abs=1e-6)
    assert w[0] == pytest.approx(environment.w_win(t, margin), rel=1e-5, abs=1e-5)


@given(st.floats(-4, 4), st.floats(0.05, 2))
def test_a_draw_moves_as_the_package_has_it(t: float, margin: float) -> None:
    environment = trueskill.TrueSkill()
    v, w = v_w_draw(np.array([t]), np.array([margin]))
    assert v[0] == pytest.approx(environment.v_draw(t, margin), rel=1e-3, abs=1e-4)
    assert w[0] == pytest.approx(environment.w_draw(t, margin), rel=1e-3, abs=1e-4)


FAR = [-1e6, -1e3, -38.5, -37.0, -20.0, -12.0, -5.0, 0.0, 5.0, 12.0, 37.0, 38.5, 1e3, 1e6]


@pytest.mark.parametrize("t", FAR)
@pytest.mark.parametrize("margin", [1e-4, 0.002, 0.5, 1.9])
def test_no_upset_is_too_great(t: float, margin: float) -> None:
    for v, w in (
        v_w_win(np.array([t]), np.array([margin])),
        v_w_draw(np.array([t]), np.array([margin])),
    ):
        assert math.isfinite(v[0])
        assert 0 <= w[0] <= 1


def test_a_certain_win_says_nothing_and_an_impossible_one_moves_all_the_way() -> None:
    v, w = v_w_win(np.array([50.0, -1e4]), np.array([0.1, 0.1]))
    assert v == pytest.approx([0, 1e4 + 0.1], rel=1e-7)
    assert w == pytest.approx([0, 1], abs=1e-7)


def test_a_draw_within_a_hair_fixes_the_difference() -> None:
    v, w = v_w_draw(np.array([0.8, -0.8]), np.array([1e-4, 1e-4]))
    assert v == pytest.approx([-0.8, 0.8], abs=1e-6)
    assert w == pytest.approx([1, 1], abs=1e-6)


@given(st.floats(8, 40), st.floats(0.001, 0.1))
def test_both_ways_to_the_tail_agree_where_they_meet(t: float, margin: float) -> None:
    """The hazard of the normal distribution lies between x and x + 1/x, and rises."""
    ts = np.array([-t, -t - 1e-3])
    v, w = v_w_win(ts, np.array([margin, margin]))
    depth = margin - ts
    assert (v > depth).all()
    assert (v < depth + 1 / depth).all()
    assert v[1] > v[0]
    assert w[1] > w[0] - 1e-12


def test_the_distribution_function_is_that_of_the_density() -> None:
    x = np.linspace(-9, 4, 20001)
    areas: Floats = np.cumsum((pdf(x)[1:] + pdf(x)[:-1]) / 2 * np.diff(x))
    assert cdf(x[1:]) == pytest.approx(areas, abs=1e-7)
    assert cdf(np.array([-38.0]))[0] > 0


def test_the_shape_of_an_array_stays() -> None:
    assert cdf(np.zeros((2, 3))).shape == (2, 3)
