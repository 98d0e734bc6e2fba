"""The deal, the passing and the order of a partnership hand."""

import pytest

from arena.cards import NAMES, parse_card, parse_cards
from arena.deals import FixedBoard, SeededBoard
from arena.games.game import Bid, Deal, Decision, Game, HandEnd, IllegalMove, Pass
from arena.games.partnership import PartnershipView
from tests.playing import picker, play_cards, play_out, start
from tests.vector_files import Vector, load

EXCHANGES = [v for v in load("rules")["side_vectors"] if v["id"].startswith("X4")]


def deal_to(hands: dict[str, list[str]]) -> FixedBoard:
    """Give a board, seat 3 dealing, whose first deal gives these seats these hands."""
    mine = {int(seat): [parse_card(name) for name in names] for seat, names in hands.items()}
    rest = [card for card in range(52) if not any(card in hand for hand in mine.values())]
    for seat in set(range(4)) - set(mine):
        mine[seat] = [rest.pop() for _ in range(13)]
    deck = tuple(mine[place % 4][place // 4] for place in range(52))
    return FixedBoard(1, 3, [deck], [], SeededBoard("2026", 1))


def answer_blind_nils(game: Game, *bidders: int) -> list[int]:
    """Answer the double nils, true for these seats; give the seats in the order asked."""
    asked = []
    while game.decision is Decision.BLIND_NIL:
        asked.append(game.seat)
        game.apply(game.seat in bidders)
    return asked


def view_of(game: Game, seat: int) -> PartnershipView:
    """Show a seat's view, as the type it is."""
    view = game.view(seat)
    assert isinstance(view, PartnershipView)
    return view


@pytest.mark.rule("R4.1")
@pytest.mark.rule("R4.2")
def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    game = start("partnership")
    answer_blind_nils(game)
    left = (game.first + 1) % 4
    for place in range(4):
        names = {NAMES[card] for card in game.deck[place::4]}
        assert set(view_of(game, (left + place) % 4).hand) == names


@pytest.mark.rule("R4.2")
def test_the_deal_goes_to_the_left_after_each_hand() -> None:
    dealers: dict[int, int] = {}
    game = start("partnership", max_hands=5)
    play_out(game, picker("x"), lambda game: dealers.setdefault(game.hand, game.first))
    assert [dealers[hand + 1] for hand in range(1, 5)] == [
        (dealers[hand] + 1) % 4 for hand in range(1, 5)
    ]


@pytest.mark.rule("R4.3")
@pytest.mark.rule("C2")
def test_the_dealers_left_bids_and_leads_first() -> None:
    game = start("partnership", double_nil=False)
    left = (game.first + 1) % 4
    bids = []
    while game.decision is Decision.BID:
        bids.append(game.seat)
        game.apply(3)
    assert bids == [(left + place) % 4 for place in range(4)]
    assert game.seat == left


@pytest.mark.rule("R4.4")
def test_the_contract_is_the_sum_of_the_partners_bids() -> None:
    game = start("partnership", double_nil=False, max_hands=1)
    for bid in (1, 2, 1, 2):
        game.apply(bid)
    play_out(game, picker("contract"))
    end = game.ended_hand
    assert isinstance(end, HandEnd)
    bids = {event.seat: event.bid for event in game.log if isinstance(event, Bid)}
    for side in (0, 1):
        contract = bids[side] + bids[side + 2]
        won = end.tricks[side] + end.tricks[side + 2]
        made = 10 * contract + won - contract if won >= contract else -10 * contract
        assert end.points[side] == made


@pytest.mark.rule("R4.7")
def test_everyone_is_asked_for_double_nil_before_any_card_is_shown() -> None:
    game = start("partnership")
    left = (game.first + 1) % 4
    while game.decision is Decision.BLIND_NIL:
        assert view_of(game, game.seat).hand == []
        assert not any(isinstance(event, Deal) for event in game.log)
        game.apply(False)
    assert answer_blind_nils(start("partnership")) == [(left + place) % 4 for place in range(4)]


@pytest.mark.rule("R4.7")
def test_a_seat_is_shown_its_own_cards_alone() -> None:
    game = start("partnership")
    answer_blind_nils(game)
    for seat in range(4):
        deals = [event for event in game.events(seat) if isinstance(event, Deal)]
        assert [deal.seat for deal in deals] == [seat]
        assert list(deals[0].cards) == view_of(game, seat).hand


@pytest.mark.rule("R4.7")
@pytest.mark.parametrize("vector", EXCHANGES, ids=lambda v: v["id"])
def test_passing_goes_as_the_vector_says(vector: Vector) -> None:
    given = vector["input"]
    board = deal_to(given["hands"])
    game = start("partnership", board, **given["rules"])
    doubles = given["double_nil"]
    answer_blind_nils(game, *(seat for seat in range(4) if doubles[seat]))
    passes = given["passes"]

    def pass_all() -> None:
        while game.decision is Decision.PASS:
            game.apply(game.parse_move(passes[str(game.seat)]))

    if not vector["expected"]["legal"]:
        with pytest.raises(IllegalMove):
            pass_all()
        return
    pass_all()
    hands = vector["expected"]["hands"]
    for seat, names in hands.items():
        assert set(view_of(game, int(seat)).hand) == set(names)


@pytest.mark.rule("R4.7")
def test_the_partner_sees_what_comes_before_passing_back() -> None:
    game = start("partnership", SeededBoard("2026", 3))
    bidder = (game.first + 1) % 4
    answer_blind_nils(game, bidder)
    assert (game.decision, game.seat) == (Decision.PASS, bidder)
    came = [str(name) for name in game.legal_on_wire()[:3]]
    game.apply(game.parse_move(came))
    partner = (bidder + 2) % 4
    assert game.seat == partner
    assert view_of(game, partner).received == came
    assert set(came) <= set(view_of(game, partner).hand)
    assert Pass(bidder, partner, 3, tuple(came)) in game.events(partner)
    assert Pass(bidder, partner, 3) in game.events((bidder + 1) % 4)
    game.apply(game.parse_move(came))
    assert set(came) <= set(view_of(game, bidder).hand), "what came may go back"
    assert view_of(game, bidder).passed == view_of(game, bidder).received == came


@pytest.mark.rule("R4.7")
def test_a_blind_pass_back_is_chosen_before_what_comes_is_seen() -> None:
    game = start("partnership", SeededBoard("2026", 3), pass_back_blind=True)
    bidder = (game.first + 1) % 4
    partner = (bidder + 2) % 4
    answer_blind_nils(game, bidder)
    came = [str(name) for name in game.legal_on_wire()[:3]]
    game.apply(game.parse_move(came))
    assert game.seat == partner
    assert view_of(game, partner).received == []
    assert not set(came) & set(map(str, game.legal_on_wire()))
    assert not any(isinstance(event, Pass) for event in game.events(partner))
    game.apply(game.parse_move([str(name) for name in game.legal_on_wire()[:3]]))
    assert view_of(game, partner).received == came
    assert len([event for event in game.events(partner) if isinstance(event, Pass)]) == 2


@pytest.mark.rule("R4.7")
def test_each_pair_passes_in_full_in_bidding_order() -> None:
    game = start("partnership")
    left = (game.first + 1) % 4
    bidders = (left, (left + 3) % 4)
    answer_blind_nils(game, *bidders)
    passing = []
    while game.decision is Decision.PASS:
        passing.append(game.seat)
        game.apply(game.substitute())
    assert passing == [left, (left + 2) % 4, (left + 3) % 4, (left + 1) % 4]


@pytest.mark.rule("C2")
def test_a_capped_side_bids_no_more_than_the_cap_together() -> None:
    game = start("partnership", double_nil=False, max_side_bid=6)
    game.apply(5)
    game.apply(9)
    assert game.legal() == (0, 1)
    game.apply(1)
    assert game.legal() == (0,), "nil is always left"


@pytest.mark.rule("R4.7")
def test_a_double_nil_bidder_is_asked_for_no_bid() -> None:
    game = start("partnership")
    bidder = (game.first + 1) % 4
    answer_blind_nils(game, bidder)
    play_cards(game, {Decision.BID: 2})
    bids = {event.seat for event in game.log if isinstance(event, Bid)}
    assert bids == set(range(4)) - {bidder}
    assert parse_cards(view_of(game, bidder).hand).bit_count() == 13


@pytest.mark.rule("R4.7")
def test_a_pass_of_anything_but_three_cards_of_the_hand_is_refused() -> None:
    game = start("partnership")
    answer_blind_nils(game, 0)
    assert game.decision is Decision.PASS
    held = [parse_card(name) for name in view_of(game, game.seat).hand]
    other = next(card for card in range(52) if card not in held)
    one, two = held[:2]
    for cards in ((one, two), (one, two, two), (one, two, other), tuple(held[:4])):
        with pytest.raises(IllegalMove, match="cannot be passed"):
            game.apply(cards)
