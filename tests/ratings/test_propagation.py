"""The batch solution against oracles that know nothing of it."""

from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from arena.ratings.contrasts import contrast
from arena.ratings.ledger import FIRST_WON, Ints, Matchup
from arena.ratings.propagation import Belief, Model, open_sites, solve, truncate
from tests.ratings.fields import environment
from tests.vector_files import Vector, load

VECTORS = load("trueskill")
NAMES = "ABCD"
SIGMA, BETA = 25 / 3, 25 / 6


def margin_of(probability: float, players: int = 2) -> float:
    return float(trueskill.calc_draw_margin(probability, players, environment(probability)))


def pairs(names: Sequence[str]) -> list[Matchup]:
    return [Matchup((a,), (b,)) for a, b in combinations(names, 2)]


def believe(matchups: Sequence[Matchup], counts: Ints, margin: float = 0.0) -> Belief:
    names = sorted({name for sides in matchups for side in sides for name in side})
    model = Model(SIGMA, BETA, np.full(len(matchups), margin))
    belief, _ = solve(contrast(names, matchups), model, open_sites(counts))
    return belief


def counts_of(vector: Vector) -> Ints:
    wins, draws = vector["wins"], vector["draws"]
    return np.array(
        [
            [wins.get(f"{a}>{b}", 0), draws.get(f"{a}={b}", 0), wins.get(f"{b}>{a}", 0)]
            for a, b in combinations(NAMES, 2)
        ]
    )


@pytest.mark.parametrize("vector", VECTORS["batches"]["cases"], ids=["no draws", "draws"])
def test_a_batch_is_solved_as_an_independent_program_does(vector: Vector) -> None:
    margin = margin_of(vector["draw_probability"]) if vector["draw_probability"] else 0.0
    belief = believe(pairs(NAMES), counts_of(vector), margin)
    centre = np.eye(4) - 1 / 4
    mean, full = 25 + centre @ belief.mean, vector["full"]
    marginal = np.diag(belief.covariance)
    centred = np.sqrt(np.diag(centre @ belief.covariance @ centre))
    assert mean == pytest.approx([full["mu_centred"][n] for n in NAMES], abs=2e-6)
    assert centred == pytest.approx([full["sigma_centred"][n] for n in NAMES], abs=2e-6)
    assert np.sqrt(marginal) == pytest.approx([full["sigma_marginal"][n] for n in NAMES], abs=2e-6)
    assert mean == pytest.approx(vector["exact"]["mu_centred"], abs=0.02)
    assert centred == pytest.approx(vector["exact"]["sigma_centred"], abs=0.06)


@pytest.mark.parametrize("probability", [0.001, 0.1, 1 / 3, 0.95])
@pytest.mark.parametrize("kind", [0, 1])
def test_one_result_from_the_start_is_the_packages_update(probability: float, kind: int) -> None:
    package = environment(probability)
    start = package.create_rating()
    rated = trueskill.rate_1vs1(start, start, drawn=kind == 1, env=package)
    counts = np.eye(3, dtype=np.int64)[kind : kind + 1]
    belief = believe(pairs("ab"), counts, margin_of(probability))
    assert 25 + belief.mean == pytest.approx([one.mu for one in rated], abs=1e-6)
    deviations = np.sqrt(np.diag(belief.covariance))
    assert deviations == pytest.approx([one.sigma for one in rated], abs=1e-6)


def test_one_game_of_mixed_partners_is_the_packages_update() -> None:
    package = environment(0.1)
    start = package.create_rating()
    rated = package.rate([(start, start), (start, start)])
    belief = believe(
        [Matchup(("a", "b"), ("c", "d"))], np.array([[1, 0, 0]]), margin_of(0.1, players=4)
    )
    expected = [one.mu for team in rated for one in team]
    assert 25 + belief.mean == pytest.approx(expected, abs=1e-6)
    deviations = np.sqrt(np.diag(belief.covariance))
    assert deviations == pytest.approx([one.sigma for team in rated for one in team], abs=1e-6)


@pytest.mark.parametrize("vector", VECTORS["histories"]["cases"], ids=["cycle", "partners"])
def test_the_factorised_form_gives_what_others_converge_to(vector: Vector) -> None:
    rated = factorise(vector)
    for name, expected in vector["expected"].items():
        assert rated[name] == pytest.approx(expected, abs=vector["tolerance"])


def factorise(vector: Vector) -> dict[str, tuple[float, float]]:
    """Propagate without covariances, a message from each game to each of its players."""
    names = sorted({name for sides in vector["games"] for side in sides for name in side})
    contrasts = contrast(names, [Matchup(tuple(w), tuple(lost)) for w, lost in vector["games"]])
    shape = (len(contrasts), len(names))
    precisions, shifts = np.zeros(shape), np.zeros(shape)
    beforehand = vector["sigma"] ** -2
    for game in list(range(len(contrasts))) * 100:
        who, weight = contrasts.index[game], contrasts.weight[game]
        variance = 1 / (beforehand + precisions.sum(0) - precisions[game])[who]
        mean = variance * (shifts.sum(0) - shifts[game])[who]
        deviation = np.sqrt(variance.sum() + len(who) * vector["beta"] ** 2)
        t = np.array([weight @ mean / deviation])
        v, w = truncate(np.array([FIRST_WON]), t, np.zeros(1))
        after = variance * (1 - variance / deviation**2 * w)
        moved = mean + weight * variance / deviation * v
        precisions[game, who] = 1 / after - 1 / variance
        shifts[game, who] = moved / after - mean / variance
    variance = 1 / (beforehand + precisions.sum(0))
    means = vector["mu"] + variance * shifts.sum(0)
    return {name: (means[i], variance[i] ** 0.5) for i, name in enumerate(names)}


@pytest.mark.parametrize("vector", VECTORS["batches"]["cases"], ids=["no draws", "draws"])
def test_without_covariances_a_batch_would_come_out_wider(vector: Vector) -> None:
    belief = believe(pairs(NAMES), counts_of(vector), margin_of(vector["draw_probability"] or 0.5))
    centre = np.eye(4) - 1 / 4
    centred = np.sqrt(np.diag(centre @ belief.covariance @ centre))
    assert (centred < vector["factorised"]["sigma"]).all()


@given(
    st.lists(
        st.tuples(*[st.integers(0, 10**6) | st.integers(0, 3)] * 3).filter(any),
        min_size=10,
        max_size=10,
    )
)
def test_any_counts_lead_to_finite_beliefs(counts: list[tuple[int, int, int]]) -> None:
    belief = believe(pairs("abcde"), np.array(counts), margin_of(0.1))
    assert np.isfinite(belief.mean).all()
    assert (np.linalg.eigvalsh(belief.covariance) > 0).all()


def test_a_million_wins_without_a_loss_still_come_to_rest() -> None:
    belief = believe(pairs("ab"), np.array([[10**6, 0, 0]]), margin_of(0.001))
    assert 10 < belief.mean[0] < 30
    assert belief.mean[0] == pytest.approx(-belief.mean[1])


def test_the_greatest_upset_at_the_ends_of_a_chain_is_borne() -> None:
    names = [f"{i:02}" for i in range(30)]
    chain = [Matchup((a,), (b,)) for a, b in pairwise(names)]
    counts = [[5000, 0, 0]] * len(chain) + [[0, 0, 1]]
    belief = believe([*chain, Matchup((names[0],), (names[-1],))], np.array(counts), 0.01)
    assert belief.mean[0] - belief.mean[-1] > 200
    assert (np.diff(belief.mean) < 0).all()


def test_where_rounding_lets_nothing_rest_the_sweeps_end_all_the_same() -> None:
    """Performances so alike that a million wins are all but certain: sites flicker for ever."""
    model = Model(SIGMA, SIGMA / 100, np.zeros(1))
    counts = np.array([[10**6, 0, 0]])
    belief, _ = solve(contrast("ab", pairs("ab")), model, open_sites(counts))
    assert 5 < belief.mean[0] < 7
    assert belief.mean[1] == pytest.approx(-belief.mean[0])
