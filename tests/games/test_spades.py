"""What holds in every game, whatever is played: found by playing at random."""

from collections.abc import Collection
from copy import deepcopy

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.cards import NAMES
from arena.deals import SeededBoard
from arena.games.game import Decision, Event, Game, HandEnd, IllegalMove, Play, Trick
from arena.games.views import SpadesView
from tests.playing import GAMES, Pick, choose, picker, play_cards, play_out, start

GAME_NAMES = sorted(GAMES)
picks = st.randoms(use_true_random=False).map(lambda chance: chance.randrange)
option_sets = st.fixed_dictionaries(
    {"max_hands": st.integers(1, 3)},
    optional={
        "target": st.integers(1, 200),
        "floor": st.integers(-200, -1),
        "lead_spades": st.sampled_from(["broken", "anytime"]),
        "double_nil_deficit": st.sampled_from([0, 40]),
        "bag_limit": st.integers(0, 10),
        "failed_nil": st.sampled_from(["none", "bags"]),
    },
)
whatever = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
every_game = pytest.mark.parametrize("name", GAME_NAMES)


def random_game(name: str, seed: int, rules: dict[str, object]) -> Game:
    """Start a game on a board of its own."""
    return start(name, SeededBoard(str(seed), 1), **rules)


def spades_view(game: Game, seat: int) -> SpadesView:
    """Show a seat's view, as the type both games share."""
    view = game.view(seat)
    assert isinstance(view, SpadesView)
    return view


@every_game
@whatever
@given(st.integers(0, 10**6), option_sets, picks)
def test_each_seat_has_thirteen_cards_held_or_played(
    name: str, seed: int, rules: dict[str, object], pick: Pick
) -> None:
    def each(game: Game) -> None:
        if game.decision is not Decision.PLAY:
            return
        plays = [event for event in game.log[game.hand_start :] if isinstance(event, Play)]
        for seat in range(game.seats):
            played = [play.card for play in plays if play.seat == seat]
            held = spades_view(game, seat).hand
            assert len({*played, *held}) == len(played) + len(held) == 13

    play_out(random_game(name, seed, rules), pick, each)


@every_game
@whatever
@given(st.integers(0, 10**6), option_sets, picks)
def test_there_is_always_a_legal_move_and_every_listed_move_is_taken(
    name: str, seed: int, rules: dict[str, object], pick: Pick
) -> None:
    def each(game: Game) -> None:
        legal = game.legal()
        assert legal
        assert len(set(legal)) == len(legal) == len(game.legal_on_wire())
        assert game.parse_move(game.move_on_wire(game.substitute())) == game.substitute()
        if game.decision not in (Decision.EXCHANGE, Decision.PASS):
            for wire, move in zip(game.legal_on_wire(), legal, strict=True):
                assert game.parse_move(wire) == move

    play_out(random_game(name, seed, rules), pick, each)


@every_game
@pytest.mark.rule("C7")
@whatever
@given(st.integers(0, 10**6), option_sets, picks)
def test_thirteen_tricks_a_hand_and_the_winner_of_each_leads_the_next(
    name: str, seed: int, rules: dict[str, object], pick: Pick
) -> None:
    game = play_out(random_game(name, seed, rules), pick)
    winner = None
    for event in game.log:
        if isinstance(event, HandEnd):
            assert sum(event.tricks) == 13
            winner = None
        elif isinstance(event, Play) and winner is not None:
            assert event.seat == winner
            winner = None
        elif isinstance(event, Trick):
            winner = event.seat


@every_game
@pytest.mark.rule("C5")
@whatever
@given(st.integers(0, 10**6), option_sets, picks)
def test_spades_are_broken_exactly_when_one_was_played(
    name: str, seed: int, rules: dict[str, object], pick: Pick
) -> None:
    def each(game: Game) -> None:
        if game.decision is Decision.PLAY:
            plays = [event for event in game.log[game.hand_start :] if isinstance(event, Play)]
            broken = any(play.card[1] == "S" for play in plays)
            assert spades_view(game, game.seat).spades_broken == broken

    play_out(random_game(name, seed, rules), pick, each)


@every_game
@whatever
@given(st.integers(0, 10**6), option_sets, picks)
def test_scores_add_up_and_the_end_is_the_first_that_there_could_be(
    name: str, seed: int, rules: dict[str, object], pick: Pick
) -> None:
    game = play_out(random_game(name, seed, rules), pick)
    ends = [event for event in game.log if isinstance(event, HandEnd)]
    for side in (0, 1):
        assert ends[-1].scores[side] == sum(end.points[side] for end in ends)
    assert game.outcome is not None
    assert game.outcome.scores == ends[-1].scores
    assert len(ends) == game.hand


def cards_told(shown: object, own: Collection[str]) -> set[str]:
    """Find every card name in what a seat is shown, but those of its own hand."""
    words: set[str] = set()

    def walk(value: object) -> None:
        if isinstance(value, str) and value in NAMES:
            words.add(value)
        elif isinstance(value, dict):
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(msgspec.to_builtins(shown))
    return words - set(own)


@every_game
@whatever
@given(st.integers(0, 10**6), option_sets, picks)
def test_neither_view_nor_events_ever_hold_a_card_that_the_seat_may_not_see(
    name: str, seed: int, rules: dict[str, object], pick: Pick
) -> None:
    def each(game: Game) -> None:
        for seat in range(game.seats):
            view = spades_view(game, seat)
            told: list[Event] = game.events(seat, game.hand_start)
            hidden = set()
            for other in range(game.seats):
                if other != seat:
                    hidden |= set(spades_view(game, other).hand)
            known = cards_told([view, told], view.hand)
            # What a seat threw away or passed on may be in another hand, and it knows that.
            given_away = cards_told([getattr(view, "seen", []), getattr(view, "passed", [])], ())
            own = {card for event in told for card in getattr(event, "cards", ())}
            assert not (known & hidden) - given_away - own

    play_out(random_game(name, seed, rules), pick, each)


@every_game
def test_a_seat_is_told_nothing_of_the_cards_that_others_draw_pass_or_are_dealt(name: str) -> None:
    game = play_out(start(name, max_hands=3), picker("told"))
    for seat in range(game.seats):
        for event in game.events(seat):
            if type(event).__name__ in ("Draw", "Exchange", "Deal"):
                private = [getattr(event, field, None) for field in ("card", "away", "drawn")]
                assert getattr(event, "seat") == seat or not any(private)  # noqa: B009


@every_game
@whatever
@given(st.integers(0, 10**6), picks, picks)
def test_a_copied_game_goes_its_own_way(name: str, seed: int, one: Pick, other: Pick) -> None:
    game = random_game(name, seed, {"max_hands": 1})
    for _ in range(20):
        game.apply(choose(game, one))
    twin = deepcopy(game)
    play_out(twin, other)
    again = play_out(deepcopy(game), one)
    assert game.outcome is None
    assert again.outcome is not None


BAD_MOVES: list[object] = [
    None,
    1.0,
    3.5,
    "as",
    "10H",
    "4",
    "",
    "🂡",
    "\ud800",
    [],
    ["2C"],
    ["2C", "2C", "2C"],
    [1, 2, 3],
    {},
    {"move": 1},
    -1,
    14,
    10**40,
]


@every_game
@pytest.mark.parametrize("move", BAD_MOVES, ids=repr)
def test_no_value_that_a_bot_can_write_is_taken_for_another(name: str, move: object) -> None:
    def each(game: Game) -> None:
        try:
            parsed = game.parse_move(move)
        except IllegalMove:
            return
        assert game.move_on_wire(parsed) == move
        assert game.decision is Decision.EXCHANGE or move in ([], *game.legal_on_wire())

    play_out(start(name, max_hands=1), picker("bad moves"), each)


@every_game
def test_true_is_no_bid_and_one_is_no_double_nil(name: str) -> None:
    game = start(name)
    with pytest.raises(IllegalMove, match="true or false"):
        game.parse_move(1)
    while game.decision is not Decision.BID:
        game.apply(game.substitute())
    for wrong in (True, 3.0, "3"):
        with pytest.raises(IllegalMove, match="a bid is a whole number"):
            game.parse_move(wrong)


@every_game
@pytest.mark.parametrize(
    ("written", "advice"),
    [("lower", "cards are upper case"), ("ten", "a ten is T"), ("absent", "is not in the hand")],
)
def test_the_beginners_card_faults_are_told_apart(name: str, written: str, advice: str) -> None:
    game = play_cards(start(name), {Decision.BID: 3})
    held = spades_view(game, game.seat).hand
    absent = next(card for card in NAMES if card not in held)
    move = {"lower": held[0].lower(), "ten": "10H", "absent": absent}[written]
    with pytest.raises(IllegalMove, match=advice):
        game.parse_move(move)


@every_game
@pytest.mark.rule("C3")
@pytest.mark.rule("C4")
def test_a_refused_card_says_which_rule_it_breaks(name: str) -> None:
    reasons = set()

    def each(game: Game) -> None:
        if game.decision is not Decision.PLAY:
            return
        for card in set(spades_view(game, game.seat).hand) - set(game.legal_on_wire()):
            with pytest.raises(IllegalMove) as refusal:
                game.parse_move(card)
            reasons.add(str(refusal.value)[3:])

    play_out(start(name, max_hands=2), picker("refused"), each)
    assert reasons == {
        "does not follow the suit led, which the hand holds",
        "cannot be led: spades are not broken and the hand holds other suits",
    }
