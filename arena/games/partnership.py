"""Partnership Spades: the deal, and the passing between a double-nil bidder and the partner.

It knows how cards come to four hands; what follows is in `arena.games.spades`.
"""

from typing import Annotated, ClassVar

from msgspec import Meta

from arena.cards import NAMES, Card, to_set
from arena.games.game import BLIND_NIL, PASS, Deal, Decision, IllegalMove, Pass, Rules, View
from arena.games.scoring import SpadesRules
from arena.games.spades import SpadesGame
from arena.games.views import SpadesView


class PartnershipRules(SpadesRules, frozen=True):
    """The options of the partnership game. Rules: R4.7, R4.8."""

    pass_back_blind: bool = False
    max_side_bid: Annotated[int, Meta(ge=1, le=26)] | None = None


class PartnershipView(SpadesView, frozen=True):
    """What a seat may know in the partnership game: `passed` and `received` are its own."""

    passed: list[str]
    received: list[str]


class Partnership(SpadesGame[PartnershipRules]):
    """A partnership game in progress. Rules: R4.1-R4.9."""

    name: ClassVar[str] = "partnership"
    seats: ClassVar[int] = 4
    rules_type: ClassVar[type[Rules]] = PartnershipRules
    view_type: ClassVar[type[View]] = PartnershipView
    phases = ("plan_blind_nil", "plan_passes", "plan_bids")
    __slots__ = ("_passed", "_received")

    def plan_passes(self) -> list[tuple[int, Decision]]:
        """Deal, one card at a time from the dealer's left, then let double-nil pairs pass.

        Each pair in full, the bidder first; nobody passes where both partners bid it.
        Rules: R4.1, R4.2, R4.7, D3.
        """
        for place, seat in enumerate(self.order):
            cards = self._cards[seat] = sorted(self.deck[place::4])
            self._held[seat] = to_set(cards)
        self.log += [
            Deal(seat, tuple([NAMES[card] for card in cards]))
            for seat, cards in enumerate(self._cards)
        ]
        self._passed: list[tuple[Card, ...]] = [(), (), (), ()]
        self._received: list[tuple[Card, ...]] = [(), (), (), ()]
        steps = []
        for seat in self.order:
            if self.double_nil[seat] and not self.double_nil[partner := (seat + 2) % 4]:
                steps += [(seat, PASS), (partner, PASS)]
        return steps

    def choose_cards(self, cards: tuple[Card, ...]) -> None:
        """Pass three cards; under `pass_back_blind` the bidder's wait for the partner's.

        Rules: R4.7. Raises `IllegalMove`.
        """
        seat, partner = self.seat, (self.seat + 2) % 4
        passed = to_set(cards)
        if len(cards) != 3 or passed.bit_count() < 3 or passed & ~self._held[seat]:
            raise IllegalMove(f"{cards} cannot be passed")
        self._hold(seat, self._held[seat] & ~passed)
        self._passed[seat] = cards
        if self.double_nil[seat] and self.rules.pass_back_blind:
            return
        if self.rules.pass_back_blind:
            self._hand_over(partner, seat)
        self._hand_over(seat, partner)

    def _hand_over(self, seat: int, to: int) -> None:
        cards = self._passed[seat]
        self._received[to] = cards
        self._hold(to, self._held[to] | to_set(cards))
        self.log.append(Pass(seat, to, 3, tuple(NAMES[card] for card in cards)))

    def highest_bid(self) -> int:
        """Cap the second partner's bid under `max_side_bid`. Rules: C2, option max_side_bid."""
        partner_bid = self.bids[(self.seat + 2) % 4]
        if self.rules.max_side_bid is None or partner_bid is None:
            return 13
        return max(0, min(13, self.rules.max_side_bid - partner_bid))

    def view(self, seat: int) -> PartnershipView:
        """Show what this seat may know."""
        if self.decision is BLIND_NIL:
            return PartnershipView(*self.common_fields([]), [], [])
        return PartnershipView(
            *self.common_fields(self._cards[seat]),
            [NAMES[card] for card in self._passed[seat]],
            [NAMES[card] for card in self._received[seat]],
        )
