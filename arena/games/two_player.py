"""Two-player Spades: the draft, and the exchange of a double-nil bidder.

It knows how cards come to two hands without a deal; what follows is in `arena.games.spades`.
"""

from bisect import insort
from typing import ClassVar, Literal

from arena.cards import BITS, NAMES, Card, to_set
from arena.games.game import (
    BLIND_NIL,
    DRAFT,
    EXCHANGE,
    Decision,
    Draw,
    Exchange,
    IllegalMove,
    Rules,
    View,
)
from arena.games.scoring import SpadesRules
from arena.games.spades import SpadesGame
from arena.games.views import SpadesView


class TwoPlayerRules(SpadesRules, frozen=True):
    """The options of the two-player game. Rules: R2.4, R2.8."""

    failed_nil: Literal["none", "bags"] = "none"
    peek: bool = False


class TwoPlayerView(SpadesView, frozen=True):
    """What a seat may know in the two-player game.

    `kept` by seat, draw by draw, "first" or "second"; `seen` the cards that this seat saw go to
    the discards in the draft, `thrown` those it threw away in its exchange; `exchanged` counts by
    seat; `drawn` the card being decided on.
    """

    kept: list[list[str]]
    seen: list[str]
    exchanged: list[int]
    thrown: list[str]
    drawn: str | None = None


class TwoPlayer(SpadesGame[TwoPlayerRules]):
    """A two-player game in progress. Rules: R2.1-R2.8."""

    name: ClassVar[str] = "two-player"
    seats: ClassVar[int] = 2
    rules_type: ClassVar[type[Rules]] = TwoPlayerRules
    view_type: ClassVar[type[View]] = TwoPlayerView
    phases = ("plan_blind_nil", "plan_draft", "plan_exchange", "plan_bids")
    __slots__ = ("_discards", "_exchanged", "_kept", "_pile", "_seen", "_thrown", "_top")

    def plan_draft(self) -> list[tuple[int, Decision]]:
        """Let the seats draw in turns, the first player first, until the deck is gone.

        Rules: R2.3.
        """
        self._top = 0
        self._discards: list[Card] = []
        self._kept: list[list[str]] = [[], []]
        self._seen: list[list[str]] = [[], []]
        self._thrown: list[list[str]] = [[], []]
        self._exchanged = [0, 0]
        return [((self.first + turn) % 2, DRAFT) for turn in range(26)]

    def draft(self, keep: bool) -> None:
        """Keep the card drawn, or the next; the other goes to the discards. Rules: R2.3, R2.4."""
        seat = self.seat
        one, two = self.deck[self._top : self._top + 2]
        self._top += 2
        card, away = (one, two) if keep else (two, one)
        kept = "first" if keep else "second"
        self._held[seat] |= BITS[card]
        insort(self._cards[seat], card)
        self._discards.append(away)
        self._kept[seat].append(kept)
        saw_it = not keep or self.rules.peek
        if saw_it:
            self._seen[seat].append(NAMES[away])
        self.log.append(Draw(seat, kept, NAMES[card], NAMES[away] if saw_it else None))

    def plan_exchange(self) -> list[tuple[int, Decision]]:
        """Let each double-nil bidder exchange, the second player first. Rules: R2.6."""
        bidders = [seat for seat in self.order if self.double_nil[seat]]
        if bidders:
            self._pile = list(self.board.exchange_order(self.hand, self._discards))
        return [(seat, EXCHANGE) for seat in bidders]

    def choose_cards(self, cards: tuple[Card, ...]) -> None:
        """Throw up to three cards away and draw as many of the draft's discards. Rules: R2.6.

        What is thrown away is never drawn again. Raises `IllegalMove`.
        """
        seat = self.seat
        thrown = to_set(cards)
        if len(cards) > 3 or thrown.bit_count() < len(cards) or thrown & ~self._held[seat]:
            raise IllegalMove(f"{cards} cannot be exchanged")
        drawn = self._pile[: len(cards)]
        del self._pile[: len(cards)]
        self._hold(seat, self._held[seat] & ~thrown | to_set(drawn))
        names = tuple(NAMES[card] for card in cards)
        self._thrown[seat].extend(names)
        self._exchanged[seat] = len(cards)
        self.log.append(Exchange(seat, len(cards), names, tuple(NAMES[card] for card in drawn)))

    def view(self, seat: int) -> TwoPlayerView:
        """Show what this seat may know."""
        if self.decision is BLIND_NIL:
            return TwoPlayerView(*self.common_fields([]), [[], []], [], [0, 0], [])
        drawing = self.decision is DRAFT and seat == self.seat
        kept, others = self._kept
        return TwoPlayerView(
            *self.common_fields(self._cards[seat]),
            [kept[:], others[:]],
            self._seen[seat][:],
            self._exchanged[:],
            self._thrown[seat][:],
            NAMES[self.deck[self._top]] if drawing else None,
        )
