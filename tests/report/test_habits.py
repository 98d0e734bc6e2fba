import pytest

from arena.games.game import Decision
from arena.games.partnership import PartnershipRules
from arena.games.scoring import SpadesRules
from arena.games.two_player import TwoPlayerRules
from arena.record import BotRef, GameRecord, GameResult, HandRecord, MoveRecord
from arena.report import habits
from arena.report.habits import Habits, Stopwatch, Times, finished, until


def hand(bids: list[int | bool], tricks: tuple[int, ...], us: int = 100) -> HandRecord:
    """A hand with these bids; True is a double nil."""
    moves = []
    for seat, bid in enumerate(bids):
        moves.append(MoveRecord(seat, Decision.BLIND_NIL, bid is True, us))
        if bid is not True:
            moves.append(MoveRecord(seat, Decision.BID, bid, us))
    moves += [MoveRecord(0, Decision.PLAY, "2C", us), MoveRecord(0, Decision.BID, 13, us)]
    return HandRecord(1, 0, (), tuple(moves), tricks, (0, 0), (0, 0), (0, 0))


def game(*hands: HandRecord, bots: str = "ab") -> GameRecord:
    seats = tuple(BotRef(bot, "1", "sha256:0") for bot in bots)
    return GameRecord(
        1, "two-player", {}, 1, 1, 0, seats, hands, GameResult((0, 0), 0, "target"), ()
    )


def habits_of(record: GameRecord, rules: SpadesRules) -> dict[str, Habits]:
    hands = [done for hand in record.hands if (done := finished(hand))]
    return habits.habits_of(record, hands, rules)


def test_bids_are_counted_with_the_tricks_they_brought() -> None:
    found = habits_of(game(hand([4, 5], (6, 7)), hand([4, 8], (6, 7))), TwoPlayerRules())
    assert found["a"].bids == {14 * 4 + 6: 2}
    assert found["b"].bids == {14 * 5 + 7: 1, 14 * 8 + 7: 1}
    assert found["b"].mean_bid == 6.5
    assert (found["a"].contracts_made, found["a"].contracts, found["a"].bags) == (2, 2, 4)
    assert (found["b"].contracts_made, found["b"].contracts, found["b"].bags) == (1, 2, 2)


def test_nils_and_double_nils_are_counted_apart_and_are_no_contracts() -> None:
    found = habits_of(game(hand([0, True], (0, 13)), hand([0, True], (13, 0))), TwoPlayerRules())
    a, b = found["a"], found["b"]
    assert (a.nils, a.nils_made, a.doubles, a.contracts) == (2, 1, 0, 0)
    assert (b.doubles, b.doubles_made, b.nils, b.bids) == (2, 1, 0, {})
    assert b.mean_bid is None


def test_a_side_s_contract_is_counted_once_for_a_bot_in_both_partner_seats() -> None:
    found = habits_of(game(hand([3, 2, 0, 4], (4, 3, 1, 5)), bots="abab"), PartnershipRules())
    assert (found["a"].sides, found["a"].contracts, found["a"].contracts_made) == (1, 1, 1)
    assert (found["a"].nils, found["a"].nils_made) == (1, 0)
    assert found["a"].bags == 2, "one above the contract, one of the failed nil"
    assert found["b"].bids == {14 * 2 + 3: 1, 14 * 4 + 5: 1}


@pytest.mark.rule("R4.8")
def test_the_tricks_of_a_failed_nil_help_a_contract_only_where_the_rules_say_so() -> None:
    record = game(hand([3, 6, 0, 4], (2, 6, 1, 4)), bots="abab")
    for failed_nil, made in (("bags", 0), ("none", 0), ("help", 1)):
        rules = PartnershipRules(failed_nil=failed_nil)  # type: ignore[arg-type]
        assert habits_of(record, rules)["a"].contracts_made == made


def test_a_bid_made_in_a_bot_s_place_and_a_hand_cut_short_are_not_its_own() -> None:
    short = HandRecord(2, 0, (), (MoveRecord(0, Decision.BID, 5, 1),))
    substituted = MoveRecord(1, Decision.BID, 1, None, substituted=True)
    whole = hand([4], (6, 7))
    moves = (*whole.moves[:2], substituted, *whole.moves[2:])
    record = game(HandRecord(1, 0, (), moves, (6, 7), (0, 0), (0, 0), (0, 0)), short)
    found = habits_of(record, TwoPlayerRules())
    assert found["a"].bids == {14 * 4 + 6: 1}
    assert (found["b"].bids, found["b"].sides) == ({}, 1)


def test_counts_add_up() -> None:
    record = game(hand([0, 5], (0, 13)), hand([4, True], (6, 7)))
    twice = Habits()
    for _ in range(2):
        twice.add(habits_of(record, TwoPlayerRules())["a"])
    once = habits_of(record, TwoPlayerRules())["a"]
    assert twice.bids == {pair: 2 * n for pair, n in once.bids.items()}
    assert (twice.sides, twice.nils_made, twice.bags) == (4, 2, 2 * once.bags)


def test_times_keep_their_mean_and_their_percentiles_within_a_step() -> None:
    times = Times.of([100] * 98 + [5_000, 900_000])
    assert times.mean == pytest.approx((9_800 + 905_000) / 100)
    median, most = times.within(0.5), times.within(0.99)
    assert median is not None
    assert 100 <= median <= 106
    assert most is not None
    assert 5_000 <= most <= 5_300
    assert times.within(1.0) == 900_000


def test_times_of_nobody_are_unknown_and_zero_is_a_time() -> None:
    assert (Times.of([]).mean, Times.of([]).within(0.99)) == (None, None)
    assert Times.of([0, 0]).within(0.99) == 0


def test_each_bot_has_the_times_of_its_own_seats() -> None:
    watch = Stopwatch()
    watch.gather(game(hand([4, 5], (6, 7), us=250), bots="ab"))
    found = watch.count()
    assert watch.count() is found, "what was counted is not counted again"
    assert (found["a"].replies, found["a"].total) == (4, 1000)
    assert found["b"].replies == 2
    both = Times()
    both.add(found["a"])
    both.add(found["b"])
    assert (both.replies, both.longest) == (6, 250)
    (step,) = both.steps
    assert until(step - 1) <= 250 < until(step)
