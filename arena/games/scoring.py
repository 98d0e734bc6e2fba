"""What a hand is worth and when a game is over.

It knows bids, tricks, bags and scores of sides; it never knows a card.
"""

from collections.abc import Sequence
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta

from arena.games.game import Outcome, Rules

Points: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]


class SpadesRules(Rules, frozen=True):
    """The options that both games know; their defaults are what a tournament gets. Rules: C8-C12.

    Raises `ValueError` where `max_hands` is None without a `floor`, as a game might never end.
    """

    target: Annotated[int, Meta(ge=1, le=1_000_000)] = 500
    max_hands: Annotated[int, Meta(ge=1, le=10_000)] | None = 100
    floor: Annotated[int, Meta(ge=-1_000_000, le=-1)] | None = None
    nil_points: Points = 100
    double_nil_points: Points = 200
    double_nil: bool = True
    double_nil_deficit: Points = 0
    failed_nil: Literal["none", "bags", "help"] = "bags"
    bag_points: Annotated[int, Meta(ge=0, le=10)] = 1
    bag_limit: Annotated[int, Meta(ge=0, le=1_000)] = 10
    bag_penalty: Points = 100
    lead_spades: Literal["broken", "anytime"] = "broken"

    def __post_init__(self) -> None:
        """Refuse a game without an end. Rules: C12."""
        if self.max_hands is None and self.floor is None:
            raise ValueError("max_hands may be null only with a floor, else a game may never end")


class SideScore(NamedTuple):
    """What a hand gave a side: its points, bag penalties taken off, and the bags it carries on."""

    points: int
    bags: int


def score_side(
    rules: SpadesRules,
    bids: Sequence[int],
    double_nil: Sequence[bool],
    tricks: Sequence[int],
    bags: int,
) -> SideScore:
    """Score a hand for one side; the sequences are by its players, `bags` what it carried.

    Rules: C8, C9, C10, R2.8, R4.4, R4.5, R4.6, R4.8.
    """
    contract, contract_tricks = sum(bids), sum(tricks)
    overtricks = points = 0
    nils = zip(bids, double_nil, tricks, strict=True) if 0 in bids else ()
    for bid, is_double, won in nils:
        if bid > 0:
            continue
        worth = rules.double_nil_points if is_double else rules.nil_points
        points += -worth if won else worth
        if rules.failed_nil != "help":
            contract_tricks -= won
        if rules.failed_nil == "bags":
            overtricks += won
    if contract_tricks >= contract:
        points += 10 * contract
        overtricks += contract_tricks - contract
    else:
        points -= 10 * contract
    return _with_bags(rules, points, bags, overtricks)


def _with_bags(rules: SpadesRules, points: int, bags: int, new: int) -> SideScore:
    """Add a hand's new bags, and a penalty each time the limit is crossed. Rules: C10, R4.9."""
    points += rules.bag_points * new
    bags += new
    if rules.bag_limit:
        crossed, bags = divmod(bags, rules.bag_limit)
        points -= crossed * rules.bag_penalty
    return SideScore(points, bags)


def decide(rules: SpadesRules, scores: Sequence[int], hands: int) -> Outcome | None:
    """Tell how the game ended after `hands` hands, or None where another is played.

    Level scores end a game only at `max_hands`, as a draw. Rules: C11, C12.
    """
    standing = tuple(scores)
    is_level = standing[0] == standing[1]
    winner = None if is_level else standing.index(max(standing))
    if max(standing) >= rules.target and not is_level:
        return Outcome(standing, winner, "target")
    if rules.floor is not None and min(standing) <= rules.floor and not is_level:
        return Outcome(standing, winner, "floor")
    if rules.max_hands is not None and hands >= rules.max_hands:
        return Outcome(standing, winner, "max_hands")
    return None
