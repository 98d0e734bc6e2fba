"""What hands are worth and how games end."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.partnership import PartnershipRules
from arena.games.scoring import SpadesRules, decide, score_side
from arena.games.two_player import TwoPlayerRules
from tests.vector_files import Vector, load

RULES = load("rules")
TYPES = {"two-player": TwoPlayerRules, "partnership": PartnershipRules}
HANDS = [v for v in RULES["vectors"] if v["kind"] == "hand_score"]
SIDES = [v for v in RULES["side_vectors"] if v["kind"] == "hand_score"]
ENDS = [v for v in RULES["side_vectors"] if v["kind"] == "game_end"]


def rules_of(game: str, options: dict[str, object]) -> SpadesRules:
    """Read a vector's options as the game's own."""
    rules: SpadesRules = msgspec.convert(options, TYPES[game])
    return rules


@pytest.mark.rule("C8")
@pytest.mark.rule("C9")
@pytest.mark.rule("C10")
@pytest.mark.rule("R2.8")
@pytest.mark.rule("R4.4")
@pytest.mark.rule("R4.5")
@pytest.mark.rule("R4.6")
@pytest.mark.rule("R4.8")
@pytest.mark.rule("R4.9")
@pytest.mark.parametrize("vector", HANDS, ids=lambda v: v["id"])
def test_a_hand_scores_as_the_vector_says(vector: Vector) -> None:
    rules = rules_of(vector["game"], vector["rules"])
    scores = [
        score_side(
            rules,
            vector["bids"][side::2],
            [bool(double) for double in vector["double_nil"][side::2]],
            vector["tricks"][side::2],
            vector["bags_before"][side],
        )
        for side in (0, 1)
    ]
    assert [score.points for score in scores] == vector["points"]
    assert [score.bags for score in scores] == vector["bags_after"]


@pytest.mark.rule("C10")
@pytest.mark.parametrize("vector", SIDES, ids=lambda v: v["id"])
def test_a_side_scores_as_the_vector_says(vector: Vector) -> None:
    given, expected = vector["input"], vector["expected"]
    rules = rules_of(vector["game"], given["rules"])
    score = score_side(
        rules,
        given["bids"],
        given["double_nil"],
        given["tricks"],
        given["bags_before"],
    )
    assert score.points == expected["hand_score"]
    assert score.bags == expected["bags_after"]
    assert given["score_before"] + score.points == expected["score_after"]


@pytest.mark.rule("C11")
@pytest.mark.rule("C12")
@pytest.mark.parametrize("vector", ENDS, ids=lambda v: v["id"])
def test_a_game_ends_as_the_vector_says(vector: Vector) -> None:
    given, expected = vector["input"], vector["expected"]
    rules = rules_of(vector["game"], given["rules"])
    outcome = decide(rules, given["scores"], given["hands_played"])
    assert (outcome is not None) == expected["over"]
    assert (outcome.winner if outcome else None) == expected["winner"]


@pytest.mark.rule("C11")
def test_the_target_is_looked_at_before_the_floor() -> None:
    rules = TwoPlayerRules(floor=-200)
    outcome = decide(rules, [510, -300], 5)
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (0, "target")


@pytest.mark.rule("C12")
def test_level_scores_at_the_floor_play_on() -> None:
    assert decide(TwoPlayerRules(floor=-200), [-250, -250], 5) is None


@pytest.mark.rule("C12")
@pytest.mark.parametrize(("hands", "reason"), [(99, None), (100, "max_hands")])
def test_a_tie_above_the_target_is_a_draw_at_the_last_hand_only(
    hands: int, reason: str | None
) -> None:
    outcome = decide(TwoPlayerRules(), [510, 510], hands)
    assert (outcome.reason if outcome else None) == reason
    assert outcome is None or outcome.winner is None


@pytest.mark.rule("C12")
def test_a_game_without_an_end_is_refused() -> None:
    with pytest.raises(ValueError, match="only with a floor"):
        TwoPlayerRules(max_hands=None)
    assert TwoPlayerRules(max_hands=None, floor=-500).max_hands is None


@pytest.mark.rule("C10")
def test_a_limit_of_no_bags_means_no_penalty() -> None:
    rules = TwoPlayerRules(bag_limit=0)
    assert score_side(rules, [0 + 1], [False], [13], 30) == (22, 42)


@pytest.mark.rule("C9")
def test_nil_points_are_options() -> None:
    rules = TwoPlayerRules(nil_points=50, double_nil_points=150)
    assert score_side(rules, [0], [False], [0], 0).points == 50
    assert score_side(rules, [0], [True], [2], 0).points == -150


@pytest.mark.rule("R4.8")
def test_a_failed_nil_that_helps_makes_the_contract_and_then_bags() -> None:
    rules = PartnershipRules(failed_nil="help")
    assert score_side(rules, [4, 0], [False, False], [3, 3], 0) == (40 - 100 + 2, 2)


@given(
    st.lists(st.integers(0, 13), min_size=1, max_size=2),
    st.integers(0, 13),
    st.integers(0, 9),
    st.sampled_from(["none", "bags", "help"]),
)
def test_bags_carried_stay_below_the_limit(
    bids: list[int], won: int, bags: int, failed_nil: str
) -> None:
    rules = rules_of("partnership", {"failed_nil": failed_nil})
    tricks = [won, 0][: len(bids)]
    score = score_side(rules, bids, [False] * len(bids), tricks, bags)
    assert 0 <= score.bags < 10
