"""Following, leading and taking a trick."""

from collections.abc import Collection
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import NAMES, SPADES, Card, parse_card, suit_of, to_set
from arena.deals import SeededBoard
from arena.games.partnership import Partnership, PartnershipRules
from arena.games.tricks import TAKES
from tests.vector_files import Vector, load

RULES = load("rules")
LEGAL = [v for v in RULES["vectors"] if v["kind"] == "legal_moves"] + [
    {**v["input"], "legal": v["expected"]["legal"], "id": v["id"]}
    for v in RULES["side_vectors"]
    if v["kind"] == "legal_moves" and v["input"]["phase"] == "play"
]
WINNERS = [v for v in RULES["vectors"] if v["kind"] == "trick_winner"] + [
    {
        "id": v["id"],
        "trick": v["input"]["cards"],
        "winner_index": (v["expected"]["winner"] - v["input"]["leader"]) % len(v["input"]["cards"]),
    }
    for v in RULES["side_vectors"]
    if v["kind"] == "trick_winner"
]


def plays_of(cards: Collection[Card], led: int | None, free: bool) -> tuple[Card, ...]:
    """List the plays of a hand that a seat is given in place of its own."""
    game = Partnership(PartnershipRules(double_nil=False), SeededBoard("plays", 1))
    for bid in range(4):
        game.apply(bid)
    game._held[game.seat], game._cards[game.seat] = to_set(cards), sorted(cards)
    game._led, game._may_lead_spades = led, free
    return game.legal()


hands = st.sets(st.integers(0, 51), min_size=1, max_size=13)


@pytest.mark.rule("C3")
@pytest.mark.rule("C4")
@pytest.mark.parametrize("vector", LEGAL, ids=lambda v: v["id"])
def test_the_legal_plays_are_those_of_the_vector(vector: Vector) -> None:
    led = suit_of(parse_card(vector["trick"][0])) if vector["trick"] else None
    free = vector["spades_broken"] or vector.get("rules", {}).get("lead_spades") == "anytime"
    found = plays_of([parse_card(name) for name in vector["hand"]], led, free)
    assert [NAMES[card] for card in found] == vector["legal"]


@pytest.mark.rule("C6")
@pytest.mark.parametrize("vector", WINNERS, ids=lambda v: v["id"])
def test_the_trick_goes_to_the_card_of_the_vector(vector: Vector) -> None:
    trick = [parse_card(name) for name in vector["trick"]]
    winner = reduce(lambda best, card: card if TAKES[best][card] else best, trick)
    assert trick.index(winner) == vector["winner_index"]


@given(hands, st.one_of(st.none(), st.integers(0, 3)), st.booleans())
def test_there_is_always_a_play_and_it_is_held(
    cards: set[int], led: int | None, free: bool
) -> None:
    found = plays_of(cards, led, free)
    assert found
    assert set(found) <= cards


@pytest.mark.rule("C3")
@given(hands, st.integers(0, 3))
def test_who_can_follow_must_and_who_cannot_is_free(cards: set[int], led: int) -> None:
    following = {card for card in cards if suit_of(card) == led}
    assert set(plays_of(cards, led, False)) == (following or cards)


@pytest.mark.rule("C4")
@given(hands)
def test_an_unbroken_spade_is_led_from_spades_alone(cards: set[int]) -> None:
    others = {card for card in cards if suit_of(card) != SPADES}
    assert set(plays_of(cards, None, False)) == (others or cards)
    assert set(plays_of(cards, None, True)) == cards
