"""The draft, the exchange and the order of a two-player hand."""

import pytest

from arena.cards import DECK, NAMES, in_order, parse_card, parse_cards, to_set
from arena.deals import FixedBoard, SeededBoard
from arena.games.game import Decision, Draw, Exchange, Game, IllegalMove, Move
from arena.games.two_player import TwoPlayerView
from tests.playing import picker, play_out, start
from tests.vector_files import Vector, load

RULES = load("rules")
DRAFTS = [v for v in RULES["side_vectors"] if v["kind"] == "draft"]
EXCHANGES = [v for v in RULES["side_vectors"] if v["id"].startswith("X2")]


def board_of(top: list[str], first: int = 0) -> FixedBoard:
    """Give a board whose first deck starts with these cards."""
    cards = [parse_card(name) for name in top]
    rest = [card for card in range(52) if card not in cards]
    return FixedBoard(1, first, [tuple(cards + rest)], [], SeededBoard("2026", 1))


def skip_blind_nils(game: Game, *bidders: int) -> Game:
    """Answer the double nils: true for these seats."""
    while game.decision is Decision.BLIND_NIL:
        game.apply(game.seat in bidders)
    return game


def view_of(game: Game, seat: int) -> TwoPlayerView:
    """Show a seat's view, as the type it is."""
    view = game.view(seat)
    assert isinstance(view, TwoPlayerView)
    return view


@pytest.mark.rule("R2.1")
def test_first_and_second_change_every_hand() -> None:
    game = start("two-player", max_hands=4)
    firsts: dict[int, int] = {}
    play_out(game, picker("x"), lambda game: firsts.setdefault(game.hand, game.first))
    drawn = SeededBoard("2026", 1).first(2)
    assert [firsts[hand] for hand in (1, 2, 3, 4)] == [drawn, 1 - drawn, drawn, 1 - drawn]


@pytest.mark.rule("R2.2")
def test_the_second_player_is_asked_for_double_nil_first_and_before_any_card() -> None:
    game = start("two-player", board_of([], first=0))
    asked = []
    while game.decision is Decision.BLIND_NIL:
        assert view_of(game, game.seat).hand == []
        asked.append(game.seat)
        game.apply(True)
    assert asked == [1, 0]
    assert view_of(game, 0).double_nil == [True, True]
    assert view_of(game, 0).bids == [0, 0]


@pytest.mark.rule("R2.3")
@pytest.mark.parametrize("vector", DRAFTS, ids=lambda v: v["id"])
def test_a_draft_goes_as_the_vector_says(vector: Vector) -> None:
    game = skip_blind_nils(start("two-player", board_of(vector["input"]["stock"])))
    for keep in vector["input"]["decisions"]:
        assert game.decision is Decision.DRAFT
        game.apply(bool(keep))
    draws = [event for event in game.log if isinstance(event, Draw)]
    for seat in (0, 1):
        mine = [draw for draw in draws if draw.seat == seat]
        assert [draw.card for draw in mine] == vector["expected"]["hands"][seat]
        assert [draw.away for draw in mine if draw.away] == vector["expected"]["rejected"][seat]
        assert view_of(game, seat).seen == vector["expected"]["rejected"][seat]
    if vector["expected"]["next_seat"] is not None:
        assert game.seat == vector["expected"]["next_seat"]
    else:
        assert game.decision is Decision.BID


@pytest.mark.rule("R2.4")
@pytest.mark.parametrize(("peek", "away"), [(False, None), (True, "3C")])
def test_the_card_that_goes_away_after_the_first_was_kept(peek: bool, away: str | None) -> None:
    game = skip_blind_nils(start("two-player", board_of(["2C", "3C"]), peek=peek))
    game.apply(True)
    assert Draw(0, "first", "2C", away) in game.events(0)
    assert Draw(0, "first") in game.events(1)
    assert view_of(game, 0).seen == ([away] if away else [])
    assert view_of(game, 1).seen == []
    assert view_of(game, 1).kept == [["first"], []]


@pytest.mark.rule("R2.4")
def test_the_drawer_sees_her_card_and_nobody_else_does() -> None:
    game = skip_blind_nils(start("two-player", board_of(["2C", "3C"])))
    assert view_of(game, 0).drawn == "2C"
    assert view_of(game, 1).drawn is None


@pytest.mark.rule("R2.5")
@pytest.mark.rule("R2.7")
@pytest.mark.parametrize("first", [0, 1])
def test_the_second_player_bids_first_and_leads_first(first: int) -> None:
    game = skip_blind_nils(start("two-player", board_of([], first)))
    while game.decision is Decision.DRAFT:
        game.apply(True)
    assert (game.decision, game.seat) == (Decision.BID, 1 - first)
    game.apply(4)
    assert (game.decision, game.seat) == (Decision.BID, first)
    game.apply(13)
    assert (game.decision, game.seat) == (Decision.PLAY, 1 - first)


@pytest.mark.rule("C2")
def test_any_bid_from_nil_to_thirteen_is_legal_after_any_other() -> None:
    game = skip_blind_nils(start("two-player"))
    while game.decision is Decision.DRAFT:
        game.apply(True)
    assert game.legal() == tuple(range(14))
    game.apply(8)
    assert game.legal() == tuple(range(14))


def at_exchange(*bidders: int) -> Game:
    """Draft a game whose seat 0 keeps every first card, up to its exchange."""
    game = skip_blind_nils(start("two-player", SeededBoard("2026", 2)), *bidders)
    while game.decision is Decision.DRAFT:
        game.apply(True)
    return game


@pytest.mark.rule("R2.6")
def test_an_exchange_draws_the_next_cards_of_the_exchange_order() -> None:
    game = at_exchange(0, 1)
    discards = [game.deck[i] for i in range(1, 52, 2)]
    order = SeededBoard("2026", 2).exchange_order(1, discards)
    assert game.seat == 1
    thrown = game.legal()[:3]
    game.apply(thrown)
    assert game.seat == 0
    game.apply(game.legal()[:1])
    events = [event for event in game.log if isinstance(event, Exchange)]
    drawn = [parse_card(name) for event in events for name in event.drawn]
    assert drawn == list(order[:4])
    assert parse_cards(events[0].cards) & to_set(order) == 0


@pytest.mark.rule("R2.6")
def test_an_exchange_shows_others_its_count_alone() -> None:
    game = at_exchange(1)
    card = game.legal()[0]
    game.apply((card,))
    assert Exchange(1, 1) in game.events(0)
    assert view_of(game, 0).exchanged == [0, 1]
    assert view_of(game, 0).thrown == []
    assert view_of(game, 1).thrown == [NAMES[card]]


@pytest.mark.rule("R2.6")
def test_the_exchange_comes_after_the_draft_and_before_bidding() -> None:
    game = at_exchange(0)
    assert (game.decision, game.seat) == (Decision.EXCHANGE, 0)
    game.apply(())
    assert (game.decision, game.seat) == (Decision.BID, 1)
    game.apply(3)
    assert game.decision is Decision.PLAY, "a double-nil bidder is not asked for a bid"


@pytest.mark.rule("R2.6")
@pytest.mark.parametrize("vector", EXCHANGES, ids=lambda v: v["id"])
def test_an_exchange_is_legal_as_the_vector_says(vector: Vector) -> None:
    hand = vector["input"]["hand"]
    pool = [name for name in NAMES if name not in hand]
    # Seat 0 keeps each first card, seat 1 whatever is left, until seat 0 holds the vector's hand.
    mine, theirs = list(hand), pool[:13]
    away = pool[13:]
    stock: list[str] = []
    for card, other in zip(mine, theirs, strict=True):
        stock += [card, away.pop(), other, away.pop()]
    game = skip_blind_nils(start("two-player", board_of(stock)), 0)
    while game.decision is Decision.DRAFT:
        game.apply(True)
    throw = vector["input"]["throw"]
    if vector["expected"]["legal"]:
        move = game.parse_move(throw)
        game.apply(move)
        assert set(view_of(game, 0).thrown) == set(throw)
        assert len(view_of(game, 0).hand) == 13
        assert not set(view_of(game, 0).hand) & set(throw)
    else:
        with pytest.raises(IllegalMove):
            game.parse_move(throw)


@pytest.mark.rule("C9")
def test_nobody_is_asked_where_double_nil_is_off() -> None:
    game = start("two-player", double_nil=False)
    assert game.decision is Decision.DRAFT
    assert view_of(game, 0).double_nil == [False, False]


@pytest.mark.rule("R2.2")
def test_a_deficit_lets_only_the_side_behind_bid_double_nil() -> None:
    game = start("two-player", double_nil_deficit=50, max_hands=2)
    assert view_of(game, 0).double_nil == [False, False], "nobody is behind at the start"
    while game.decision is Decision.DRAFT:
        game.apply(True)
    game.apply(13)
    game.apply(1)
    while game.hand == 1:
        game.apply(game.legal()[0])
    behind = game.scores.index(min(game.scores))
    assert max(game.scores) - min(game.scores) >= 50
    assert (game.decision, game.seat) == (Decision.BLIND_NIL, behind)


def test_the_whole_deck_goes_through_the_draft() -> None:
    game = at_exchange(0)
    held = parse_cards(view_of(game, 0).hand) | parse_cards(view_of(game, 1).hand)
    assert held.bit_count() == 26
    assert held & ~DECK == 0


@pytest.mark.parametrize(
    ("decision", "move"),
    [(Decision.DRAFT, (1,)), (Decision.BID, 14), (Decision.EXCHANGE, 3), (Decision.PLAY, (3,))],
)
def test_a_move_of_the_wrong_kind_is_refused(decision: Decision, move: Move) -> None:
    game = skip_blind_nils(start("two-player"), 0, 1)
    if decision is Decision.BID:
        game = skip_blind_nils(start("two-player"))
    while game.decision is not decision:
        game.apply(game.substitute())
    with pytest.raises(IllegalMove):
        game.apply(move)


@pytest.mark.rule("R2.6")
def test_an_exchange_of_cards_that_are_not_in_the_hand_is_refused() -> None:
    game = skip_blind_nils(start("two-player", board_of([], first=0)), 0)
    while game.decision is Decision.DRAFT:
        game.apply(True)
    assert game.decision is Decision.EXCHANGE
    held, away = parse_cards(view_of(game, 0).hand), parse_cards(view_of(game, 1).hand)
    own, other = in_order(held)[0], in_order(away)[0]
    for cards in ((own, own), (other,), in_order(held)[:4]):
        with pytest.raises(IllegalMove, match="cannot be exchanged"):
            game.apply(cards)
