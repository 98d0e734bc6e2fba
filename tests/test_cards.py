"""Cards and sets of cards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import (
    DECK,
    NAMES,
    SUIT_MASKS,
    in_order,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
    to_set,
)

sets_of_cards = st.sets(st.integers(0, 51))


@pytest.mark.rule("C1")
def test_deck_order_runs_from_the_deuce_of_clubs_to_the_ace_of_spades() -> None:
    assert len(set(NAMES)) == 52
    assert NAMES[:2] == ("2C", "3C")
    assert NAMES[12:14] == ("AC", "2D")
    assert NAMES[-2:] == ("KS", "AS")


@pytest.mark.rule("C1")
def test_the_ace_is_high_and_the_deuce_low_in_each_suit() -> None:
    for suit, letter in enumerate("CDHS"):
        ranks = [rank_of(parse_card(rank + letter)) for rank in "23456789TJQKA"]
        assert ranks == list(range(13))
        assert {suit_of(parse_card(rank + letter)) for rank in "2TA"} == {suit}


@pytest.mark.parametrize("name", ["", "as", "10H", "AS ", "1S", "SA", "AS\n", "🂡"])
def test_only_the_exact_name_is_a_card(name: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        parse_card(name)


@given(sets_of_cards)
def test_a_set_lists_its_cards_in_deck_order(cards: set[int]) -> None:
    held = to_set(cards)
    assert in_order(held) == tuple(sorted(cards))
    assert parse_cards([NAMES[card] for card in cards]) == held


def test_the_suits_part_the_deck() -> None:
    assert sum(SUIT_MASKS) == DECK
    assert all(mask.bit_count() == 13 for mask in SUIT_MASKS)
