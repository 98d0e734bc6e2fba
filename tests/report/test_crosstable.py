import pytest

from arena.report.crosstable import _sign_test_of_many, shade_of, sign_test


@pytest.mark.parametrize(
    ("wins", "losses", "chance"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 0, 0.0625), (6, 0, 0.03125), (9, 1, 0.021484375), (8, 8, 1.0)],
)
def test_the_sign_test_counts_exactly(wins: int, losses: int, chance: float) -> None:
    assert sign_test(wins, losses) == chance
    assert sign_test(losses, wins) == chance


def test_the_sign_test_of_many_games_goes_on_where_the_exact_one_ends() -> None:
    assert _sign_test_of_many(1000, 470) == pytest.approx(sign_test(470, 530), abs=1e-4)
    assert sign_test(5000, 5000) == 1.0
    assert sign_test(4800, 5200) < 1e-4


def test_shades_deepen_with_the_distance_from_even() -> None:
    assert [shade_of(score) for score in (0.55, 0.65, 0.9)] == ["up1", "up2", "up3"]
    assert [shade_of(score) for score in (0.45, 0.35, 0.1)] == ["down1", "down2", "down3"]
