"""What `cautious` does in positions that a player would know the answer to."""

from collections.abc import Mapping, Sequence

import pytest

from tests.bots.reference import Json, load

BOT = load("cautious")
RULES: dict[str, object] = {
    "target": 500,
    "nil_points": 100,
    "double_nil_points": 200,
    "failed_nil": "bags",
    "bag_points": 1,
    "bag_limit": 10,
    "bag_penalty": 100,
}


def choose(
    decision: str,
    legal: Sequence[object],
    seats: int = 4,
    rules: Mapping[str, object] | None = None,
    **view: object,
) -> object:
    """Ask seat 0, in a hand of which nothing but `view` is known."""
    whole: Json = {
        "hand": legal,
        "trick": [],
        "leader": 0,
        "played": [],
        "leaders": [],
        "tricks": [0] * seats,
        "spades_broken": False,
        "bids": [3] * seats,
        "double_nil": [False] * seats,
        "first": 0,
        "scores": [0, 0],
        "bags": [0, 0],
    }
    if seats == 2:
        whole |= {"kept": [[], []], "seen": [], "exchanged": [0, 0], "thrown": []}
    else:
        whole |= {"passed": [], "received": []}
    memory = BOT.remember({"seat": 0, "seats": seats, "rules": {**RULES, **(rules or {})}})
    return BOT.choose({"decision": decision, "legal": legal, "view": whole | view}, memory)


def play(
    hand: str,
    *trick: tuple[int, str],
    legal: str = "",
    seats: int = 4,
    rules: Mapping[str, object] | None = None,
    **view: object,
) -> object:
    """Let seat 0 play from a hand, `legal` a part of it, to a trick of (seat, card)."""
    table = [{"seat": seat, "card": card} for seat, card in trick]
    return choose(
        "play", (legal or hand).split(), seats, rules, hand=hand.split(), trick=table, **view
    )


# -- nil --------------------------------------------------------------------------------------


def test_its_nil_stays_under_the_trick_with_the_highest_card_that_can() -> None:
    assert play("2H 9H KH 3C", (3, "TH"), legal="2H 9H KH", bids=[0, 3, 4, 3]) == "9H"


def test_its_nil_throws_off_its_highest_spade_under_a_higher_one() -> None:
    trick = ((1, "5D"), (2, "AS"), (3, "2D"))
    assert play("2C AC 4S QS", *trick, bids=[0, 3, 4, 3]) == "QS"


def test_its_nil_never_throws_a_spade_on_a_trick_without_one() -> None:
    assert play("4C AC 2S QS", (1, "5D"), (2, "AD"), (3, "2D"), bids=[0, 3, 4, 3]) == "AC"


def test_its_nil_wins_with_the_highest_where_it_must_win() -> None:
    trick = ((1, "3D"), (2, "2D"), (3, "4D"))
    assert play("5D AD 2C", *trick, legal="5D AD", bids=[0, 3, 4, 3]) == "AD"


def test_its_nil_leads_its_lowest() -> None:
    assert play("2H TH AH KC", bids=[0, 3, 4, 3]) == "2H"


def test_a_failed_nil_is_played_on_to_set_the_others() -> None:
    rules = {"failed_nil": "none"}
    lost = play("2D 3D KD", (1, "QD"), seats=2, rules=rules, bids=[0, 9], tricks=[2, 8])
    assert lost == "KD"


def test_it_goes_over_the_partner_s_nil_as_cheaply_as_it_can() -> None:
    trick = ((1, "4H"), (2, "9H"), (3, "5H"))
    assert play("2H JH KH", *trick, bids=[3, 3, 0, 3]) == "JH"


def test_it_plays_high_before_the_partner_s_nil() -> None:
    assert play("2H JH KH", (3, "9H"), bids=[3, 3, 0, 3]) == "KH"


def test_it_leads_high_for_the_partner_s_nil_with_its_own_bid_made() -> None:
    assert play("2C 3D AH", tricks=[4, 2, 0, 3], bids=[3, 3, 0, 3]) == "AH"


def test_it_stays_under_an_opponent_s_nil() -> None:
    trick = ((1, "5D"), (2, "2D"), (3, "4D"))
    assert play("3D KD 2C", *trick, legal="3D KD", bids=[3, 0, 3, 3]) == "3D"


def test_it_leads_low_at_an_opponent_s_nil_and_not_where_she_is_void() -> None:
    shown_out = ["AC", "KD", "5C", "6C"]
    assert play("2C 3H AS", bids=[3, 0, 3, 3], played=shown_out, leaders=[0]) == "3H"


# -- the contract -----------------------------------------------------------------------------


def test_it_wins_with_the_cheapest_card_when_last() -> None:
    assert play("2D QD AD", (1, "JD"), (2, "3D"), (3, "4D")) == "QD"


def test_it_leaves_the_trick_to_a_partner_who_has_it() -> None:
    assert play("2D QD AD", (1, "3D"), (2, "JD"), (3, "4D")) == "2D"


def test_it_ruffs_with_its_lowest_spade() -> None:
    assert play("2C 3S KS", (1, "AD"), (2, "3D"), (3, "4D")) == "3S"


def test_it_leads_a_card_that_nothing_beats() -> None:
    assert play("2C 4D AH") == "AH"


def test_with_its_contract_made_it_throws_the_highest_card_that_loses() -> None:
    trick = ((1, "3H"), (2, "KH"), (3, "4H"))
    assert play("2H QH AH 3C", *trick, legal="2H QH AH", tricks=[5, 0, 4, 0]) == "QH"


def test_with_its_contract_made_it_leads_what_is_surest_to_lose() -> None:
    assert play("2C AD AH KS", tricks=[4, 0, 5, 0], bids=[3, 1, 3, 1]) == "2C"


def test_where_bags_cost_nothing_it_goes_on_winning() -> None:
    trick = ((1, "3H"), (2, "6H"), (3, "KH"))
    free = {"bag_limit": 0}
    assert play("2H QH AH", *trick, rules=free, tricks=[5, 0, 5, 0]) == "AH"
    assert play("2H QH AH", *trick, tricks=[5, 0, 5, 0]) == "QH"


def test_it_takes_the_trick_that_sets_the_others() -> None:
    trick = ((1, "3H"), (2, "6H"), (3, "KH"))
    assert play("2H AH", *trick, tricks=[4, 3, 2, 2], bids=[3, 3, 3, 4]) == "AH"


# -- before play ------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "kept"), [("2S", True), ("KH", True), ("TD", False)])
def test_it_drafts_spades_and_top_cards(card: str, kept: bool) -> None:
    assert choose("draft", [True, False], seats=2, hand=[], drawn=card) is kept


@pytest.mark.parametrize(("card", "kept"), [("2S", False), ("KH", False), ("4D", True)])
def test_it_drafts_low_after_a_double_nil(card: str, kept: bool) -> None:
    nil = [True, False]
    assert choose("draft", [True, False], seats=2, hand=[], drawn=card, double_nil=nil) is kept


STRONG = ["2C", "KC", "AC", "3D", "KD", "AD", "2H", "AH", "2S", "9S", "QS", "KS", "AS"]
FAIR = ["2C", "KC", "3D", "6D", "9D", "KD", "2H", "7H", "JH", "QH", "2S", "9S", "QS"]
WEAK = ["2C", "4C", "6C", "8C", "2D", "3D", "5D", "9D", "2H", "4H", "7H", "3S", "5S"]


def test_it_bids_more_on_more() -> None:
    strong = choose("bid", list(range(14)), hand=STRONG, bids=[None] * 4)
    fair = choose("bid", list(range(14)), hand=FAIR, bids=[None] * 4)
    assert isinstance(strong, int)
    assert isinstance(fair, int)
    assert strong >= 7
    assert 1 <= fair <= 4


def test_it_bids_nil_on_a_hand_of_low_cards() -> None:
    assert choose("bid", list(range(14)), hand=WEAK, bids=[None] * 4) == 0


@pytest.mark.parametrize("spade", ["KS", "AS"])
def test_it_bids_no_nil_with_a_spade_that_may_have_to_win(spade: str) -> None:
    assert choose("bid", list(range(14)), hand=[*WEAK[:-1], spade], bids=[None] * 4) != 0


def test_it_bids_no_nil_beside_the_partner_s() -> None:
    assert choose("bid", list(range(14)), hand=WEAK, bids=[None, None, 0, 4]) == 1


def test_it_bids_no_nil_that_is_worth_nothing() -> None:
    worthless = {"nil_points": 0}
    assert choose("bid", list(range(14)), rules=worthless, hand=WEAK, bids=[None] * 4) == 1


def test_it_keeps_to_a_capped_bid() -> None:
    assert choose("bid", [0, 1, 2], hand=STRONG, bids=[None, None, 11, None]) == 2
    assert choose("bid", [0], hand=STRONG, bids=[None, None, 13, None]) == 0


@pytest.mark.parametrize(
    ("scores", "partner", "bid"),
    [
        ([0, 99], None, False),
        ([0, 100], None, True),
        ([100, 0], None, False),
        ([0, 300], True, False),
        ([0, 300], False, True),
    ],
)
def test_it_bids_double_nil_from_far_behind_and_not_beside_the_partner_s(
    scores: list[int], partner: bool | None, bid: bool
) -> None:
    double_nil = [None, False, partner, False]
    answer = choose("blind_nil", [False, True], hand=[], double_nil=double_nil, scores=scores)
    assert answer is bid


@pytest.mark.parametrize(("scores", "bid"), [([100, 400], False), ([100, 460], True)])
def test_with_two_players_it_bids_double_nil_only_when_all_but_lost(
    scores: list[int], bid: bool
) -> None:
    nils = [None, None]
    answer = choose("blind_nil", [False, True], seats=2, hand=[], double_nil=nils, scores=scores)
    assert answer is bid


def test_after_its_double_nil_it_passes_what_would_win() -> None:
    assert choose("pass", STRONG, double_nil=[True, False, False, False]) == ["QS", "KS", "AS"]


def test_to_the_partner_s_double_nil_it_passes_what_would_not() -> None:
    assert choose("pass", STRONG, double_nil=[False, False, True, False]) == ["2C", "2H", "3D"]


def test_it_exchanges_what_endangers_its_double_nil() -> None:
    assert choose("exchange", STRONG, seats=2, double_nil=[True, False]) == ["QS", "KS", "AS"]


# -- what it takes from a view ----------------------------------------------------------------


LOW_BUT_ONE = "2C 3C 4C 5C 6C 2D 3D 4D 5D 6D 2H 3H JH"
HIGHER = ["QH", "KH", "AH"]


def test_a_card_it_saw_discarded_beats_nothing() -> None:
    assert play(LOW_BUT_ONE, seats=2) != "JH"
    assert play(LOW_BUT_ONE, seats=2, seen=HIGHER) == "JH"


def test_an_opponent_s_exchange_may_bring_a_discarded_card_back() -> None:
    assert play(LOW_BUT_ONE, seats=2, seen=HIGHER, exchanged=[0, 3]) != "JH"
    assert play(LOW_BUT_ONE, seats=2, thrown=HIGHER, exchanged=[3, 3]) == "JH"
