"""Streams, boards and given decks."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cards import NAMES, parse_card
from arena.deals import FixedBoard, SeededBoard, Stream, bot_seed
from tests.vector_files import Vector, load

VECTORS = load("deals")


@pytest.mark.rule("D1")
@pytest.mark.parametrize("vector", VECTORS["decks"])
def test_the_published_decks_come_from_the_published_seed(vector: Vector) -> None:
    board, hand = vector["board"], vector["hand"]
    assert isinstance(board, int)
    assert isinstance(hand, int)
    deck = SeededBoard(VECTORS["seed"], board).deck(hand)
    assert [NAMES[card] for card in deck] == vector["deck"]


@pytest.mark.rule("D1")
@pytest.mark.parametrize("vector", VECTORS["first"])
def test_the_published_first_seats_come_from_the_published_seed(vector: Vector) -> None:
    assert SeededBoard(VECTORS["seed"], vector["board"]).first(vector["seats"]) == vector["first"]


@pytest.mark.rule("D1")
def test_a_stream_is_its_digests_read_as_big_endian_words() -> None:
    digests = b"".join(hashlib.sha256(f"s/label/{i}".encode()).digest() for i in range(2))
    words = [int.from_bytes(digests[i : i + 4], "big") for i in range(0, 64, 4)]
    stream = Stream("s", "label")
    assert [stream.uniform(1 << 32) for _ in range(16)] == words


@pytest.mark.rule("D1")
@given(st.text(max_size=8), st.integers(1, 1000))
def test_uniform_stays_below_its_bound(seed: str, n: int) -> None:
    assert 0 <= Stream(seed, "x").uniform(n) < n


def test_uniform_skips_words_that_would_favour_low_numbers() -> None:
    n = (1 << 31) + 1
    words = Stream("s", "label")
    first_below = next(word for word in (words.uniform(1 << 32) for _ in range(99)) if word < n)
    assert Stream("s", "label").uniform(n) == first_below


@pytest.mark.rule("D2")
@given(st.integers(1, 10**6), st.integers(1, 50))
def test_a_board_gives_the_same_deck_each_time(number: int, hand: int) -> None:
    deck = SeededBoard("2026", number).deck(hand)
    assert sorted(deck) == list(range(52))
    assert deck == SeededBoard("2026", number).deck(hand)


@pytest.mark.rule("R2.6")
def test_the_exchange_order_is_a_shuffle_of_the_discards_as_they_lie() -> None:
    discards = list(range(26))
    board = SeededBoard("2026", 1)
    order = board.exchange_order(1, discards)
    assert sorted(order) == discards
    assert order == Stream("2026", "1/1/exchange").shuffle(discards)
    assert order != board.exchange_order(2, discards)


@pytest.mark.rule("D1")
def test_a_bots_seed_is_its_own_and_below_two_to_the_31() -> None:
    seeds = {bot_seed("2026", 1, sitting, seat) for sitting in (0, 1) for seat in range(4)}
    assert len(seeds) == 8
    assert all(0 <= seed < 1 << 31 for seed in seeds)


@pytest.mark.rule("D3")
def test_given_decks_come_first_and_the_seed_takes_over() -> None:
    deck = tuple(range(52))
    after = SeededBoard("2026", 1)
    board = FixedBoard(1, 0, [deck], [], after)
    assert board.first(2) == 0
    assert board.deck(1) == deck
    assert board.deck(2) == after.deck(2)
    assert board.exchange_order(1, [3, 4]) == after.exchange_order(1, [3, 4])


@pytest.mark.rule("D3")
def test_a_given_exchange_order_ranks_the_discards_that_there_are() -> None:
    order = tuple(map(parse_card, ("AS", "2C", "KD")))
    board = FixedBoard(1, 0, [tuple(range(52))], [order], None)
    discards = [parse_card(name) for name in ("9H", "2C", "AS")]
    drawn = board.exchange_order(1, discards)
    assert [NAMES[card] for card in drawn] == ["AS", "2C", "9H"]
    assert board.exchange_order(2, discards) == tuple(discards)


def test_a_board_of_given_decks_alone_ends_with_them() -> None:
    with pytest.raises(IndexError, match="hand 1"):
        FixedBoard(1, 0, [], [], None).deck(1)


@pytest.mark.rule("D1")
def test_words_that_would_make_small_numbers_likelier_are_passed_over() -> None:
    n = (1 << 31) + 1
    stream, words = Stream("s", "label"), Stream("s", "label")
    taken = [word for word in (words.uniform(1 << 32) for _ in range(64)) if word < n]
    assert len(taken) < 64
    assert [stream.uniform(n) for _ in taken] == taken
