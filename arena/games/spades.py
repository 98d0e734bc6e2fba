"""The body that both games of Spades share: a hand from the first question to its score.

It knows the order of a hand (double nils, cards, bids, tricks, score) and leaves to each game how
the cards come to the seats; it never knows who decides a move or why.

A hand is a list of phases, each a method that plans its steps (seat and decision) when its turn
comes. A game is plain values throughout, so that it can be copied in the middle.
"""

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from arena.cards import (
    BITS,
    FIRST_SPADE,
    NAMES,
    SUIT_LISTS,
    SUIT_MASKS,
    Card,
    Cards,
    in_order,
    parse_card,
    suit_of,
)
from arena.deals import Board
from arena.games.game import (
    BID,
    BLIND_NIL,
    DRAFT,
    EXCHANGE,
    PASS,
    PLAY,
    Bid,
    BlindNil,
    Decision,
    Event,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    IllegalMove,
    Move,
    Outcome,
    Play,
    Trick,
    WireMove,
)
from arena.games.scoring import SpadesRules, decide, score_side
from arena.games.tricks import TAKES, leads
from arena.games.views import CommonFields, TrickCard

# Made once: a game logs 52 plays a hand, and events never change.
_PLAYS = tuple(tuple(Play(seat, name) for name in NAMES) for seat in range(4))
_ON_TABLE = {name: tuple(TrickCard(seat, name) for seat in range(4)) for name in NAMES}
_TRICKS = tuple(Trick(seat) for seat in range(4))
_CHOOSE_CARDS = (EXCHANGE, PASS)
_NO_YES = (False, True)
_YES_NO = (True, False)
_BIDS = tuple(range(14))


RulesT = TypeVar("RulesT", bound=SpadesRules)


class SpadesGame(Generic[RulesT]):
    """A game of Spades in progress; see `arena.games.game.Game` for what it offers.

    Rules: C2, C5, C7, R2.5, R2.7, R4.3.
    """

    seats: ClassVar[int]
    phases: ClassVar[tuple[str, ...]]
    """The names of the methods that plan a hand's steps before play, in order."""

    # A game has more attributes than CPython looks up fast in a dictionary.
    __slots__ = (
        *("rules", "board", "scores", "bags", "hand", "first", "outcome", "ended_hand", "log"),
        *("deck", "hand_start", "order", "bids", "double_nil", "tricks", "leaders"),
        *("spades_broken", "leader", "seat", "decision", "_next_seat", "_may_lead_spades"),
        *("_held", "_cards", "_played", "_best", "_taker", "_led", "_last", "_legal"),
        *("_phase", "_steps", "_play_start"),
    )

    def __init__(self, rules: RulesT, board: Board) -> None:
        """Start a game on a board: its first hand begins at once."""
        self.rules = rules
        self.board = board
        self._next_seat = (*range(1, self.seats), 0)
        self.scores = [0, 0]
        self.bags = [0, 0]
        self.hand = 0
        self.first = board.first(self.seats)
        self.outcome: Outcome | None = None
        self.ended_hand: HandEnd | None = None
        self.log: list[Event] = [GameStart(board.number, (0, 0))]
        self._start_hand()

    def _start_hand(self) -> None:
        """Begin the next hand; first player and deal move on one seat. Rules: R2.1, R4.2."""
        self.hand += 1
        if self.hand > 1:
            self.first = (self.first + 1) % self.seats
        self.deck = self.board.deck(self.hand)
        self.hand_start = len(self.log)
        self.log.append(HandStart(self.hand, self.first))
        self.order: tuple[int, ...] = (*range(self.first + 1, self.seats), *range(self.first + 1))
        self.bids: list[int | None] = [None] * self.seats
        self.double_nil: list[bool | None] = [None] * self.seats
        self.tricks = [0] * self.seats
        self._played: list[str] = []
        self.leaders: list[int] = []
        self.spades_broken = False
        self._may_lead_spades = self.rules.lead_spades == "anytime"
        self.leader: int | None = None
        self._held: list[Cards] = [0] * self.seats
        self._cards: list[list[Card]] = [[] for _ in range(self.seats)]
        self._best: Card = 0
        self._taker = 0
        self._led: int | None = None
        self._last = 0
        self._legal: tuple[int, ...] | None = None
        self._phase = 0
        self._steps: list[tuple[int, Decision]] = []
        self._next_step()

    def _next_step(self) -> None:
        """Go to the next planned step, or plan the next phase, or lead to the first trick."""
        while not self._steps:
            if self._phase == len(self.phases):
                self._begin_play()
                return
            steps: list[tuple[int, Decision]] = getattr(self, self.phases[self._phase])()
            self._phase += 1
            self._steps = steps
        self.seat, self.decision = self._steps.pop(0)

    def _begin_play(self) -> None:
        """Let the first seat in order lead to the first trick. Rules: C5, R2.7, R4.3."""
        self.decision = PLAY
        self._play_start = len(self.log)
        self._lead(self.order[0])

    def _lead(self, seat: int) -> None:
        """Let a seat lead to the next trick, which ends with the one before it."""
        self.leader = self.seat = seat
        self._led = None
        self._last = self._next_seat[seat - 2]

    def plan_blind_nil(self) -> list[tuple[int, Decision]]:
        """Ask for double nils in bidding order. Rules: R2.2, R4.7, option double_nil_deficit."""
        if not self.rules.double_nil:
            self.double_nil = [False] * self.seats
            return []
        steps = []
        deficit = self.rules.double_nil_deficit
        for seat in self.order:
            behind = self.scores[1 - seat % 2] - self.scores[seat % 2]
            if deficit == 0 or behind >= deficit:
                steps.append((seat, BLIND_NIL))
            else:
                self.double_nil[seat] = False
        return steps

    def plan_bids(self) -> list[tuple[int, Decision]]:
        """Ask each seat once for a bid, but who bid double nil. Rules: C2, R2.5, R4.3."""
        return [(seat, BID) for seat in self.order if self.bids[seat] is None]

    def _hold(self, seat: int, held: Cards) -> None:
        """Let a seat hold other cards than before."""
        self._held[seat] = held
        self._cards[seat] = list(in_order(held))

    # -- choices ------------------------------------------------------------------------------

    def legal(self) -> tuple[int, ...]:
        """List the legal moves; for an exchange or a pass, the cards to choose from.

        Rules: C3, C4.
        """
        legal = self._legal
        if legal is None:
            if self.decision is PLAY:
                seat, led = self.seat, self._led
                held, cards = self._held[seat], self._cards[seat]
                if led is None:
                    legal = leads(held, cards, self._may_lead_spades)
                else:
                    legal = SUIT_LISTS[led][held & SUIT_MASKS[led]] or tuple(cards)
            else:
                legal = self._choices()
            self._legal = legal
        return legal

    def _choices(self) -> tuple[int, ...]:
        if self.decision is BLIND_NIL:
            return _NO_YES
        if self.decision is DRAFT:
            return _YES_NO
        if self.decision is BID:
            return _BIDS[: self.highest_bid() + 1]
        return tuple(self._cards[self.seat])

    def highest_bid(self) -> int:
        """Give the highest bid that `seat` may make. Rules: C2."""
        return 13

    def legal_on_wire(self) -> list[bool] | list[int] | list[str]:
        """List what `legal` lists, as bots read it."""
        legal = self._legal or self.legal()
        if self.decision is PLAY or self.decision in _CHOOSE_CARDS:
            return [NAMES[card] for card in legal]
        return list(legal) if self.decision is BID else [bool(move) for move in legal]

    def parse_move(self, move: object) -> Move:
        """Read a bot's answer to the decision at hand, exact types only. Raises `IllegalMove`."""
        if self.decision is PLAY:
            card = _card(move)
            if card not in self.legal():
                raise IllegalMove(f"{NAMES[card]} {self._why_not(card)}")
            return card
        if self.decision in _CHOOSE_CARDS:
            return self._parse_cards(move)
        if self.decision is BID:
            if type(move) is not int:
                raise IllegalMove(_not_a_bid(move))
            if move not in self.legal():
                raise IllegalMove(f"a bid here is 0 to {self.highest_bid()}")
            return move
        if type(move) is not bool:
            raise IllegalMove("this answer is true or false, without quotation marks")
        return move

    def _parse_cards(self, move: object) -> tuple[Card, ...]:
        wanted = "exactly 3" if self.decision is PASS else "0 to 3"
        if not isinstance(move, list):
            raise IllegalMove(f"this answer is a list of {wanted} cards of the hand")
        cards = tuple(map(_card, move))
        if len(cards) > 3 or (self.decision is PASS and len(cards) < 3):
            raise IllegalMove(f"{len(cards)} cards are named, {wanted} are wanted")
        if len(set(cards)) < len(cards):
            raise IllegalMove("the same card is named twice")
        for card in cards:
            if card not in self.legal():
                raise IllegalMove(f"{NAMES[card]} cannot be chosen; it is not in the legal list")
        return cards

    def _why_not(self, card: Card) -> str:
        """Say which rule forbids a card."""
        if not self._held[self.seat] >> card & 1:
            return "is not in the hand"
        if self._led is not None:
            return "does not follow the suit led, which the hand holds"
        return "cannot be led: spades are not broken and the hand holds other suits"

    def move_on_wire(self, move: Move) -> WireMove:
        """Write a legal move for the decision at hand as bots and records have it."""
        if isinstance(move, tuple):
            return [NAMES[card] for card in move]
        return NAMES[move] if self.decision is PLAY else move

    def substitute(self) -> Move:
        """Give the move that stands in for a faulting bot's. Protocol: faults."""
        if self.decision is BID:
            return min(1, self.highest_bid())
        if self.decision is EXCHANGE:
            return ()
        if self.decision is PASS:
            return self.legal()[:3]
        return self.legal()[0]

    # -- moves --------------------------------------------------------------------------------

    def apply(self, move: Move) -> None:
        """Make a move for `seat` and go on to the next decision. Raises `IllegalMove`.

        A card comes to the table; spades are broken by the first one played. A spade can be played
        only by one who cannot follow, by one with nothing but spades, or after one of these, or
        under `lead_spades: anytime`, where the break changes nothing. Rules: C5.
        """
        if self.decision is not PLAY:
            self._decide(move)
            return
        if move not in (self._legal or self.legal()):
            raise IllegalMove(f"{move} is no legal play")
        card, seat = move, self.seat
        self.log.append(_PLAYS[seat][card])
        self._played.append(NAMES[card])
        self._held[seat] ^= BITS[card]
        self._cards[seat].remove(card)
        self._legal = None
        if card >= FIRST_SPADE:
            self.spades_broken = self._may_lead_spades = True
        if self._led is None:
            self._led = suit_of(card)
            self._best, self._taker = card, seat
        elif TAKES[self._best][card]:
            self._best, self._taker = card, seat
        if seat == self._last:
            self._end_trick()
        else:
            self.seat = self._next_seat[seat]

    def _decide(self, move: Move) -> None:
        """Take an answer that comes before play. Raises `IllegalMove`."""
        if isinstance(move, tuple):
            if self.decision not in _CHOOSE_CARDS:
                raise IllegalMove(f"{move} is no {self.decision.value}")
            self.choose_cards(move)
        elif move not in (self._legal or self.legal()):
            raise IllegalMove(f"{move} is no legal {self.decision.value}")
        else:
            self._answer(move)
        self._legal = None
        self._next_step()

    def _answer(self, move: int) -> None:
        """Take a bid, or a yes or no."""
        seat = self.seat
        if self.decision is BID:
            self.bids[seat] = move
            self.log.append(Bid(seat, move))
        elif self.decision is BLIND_NIL:
            self.double_nil[seat] = bool(move)
            if move:
                self.bids[seat] = 0
            self.log.append(BlindNil(seat, bool(move)))
        elif self.decision is DRAFT:
            self.draft(bool(move))
        else:
            raise IllegalMove(f"{move} is no {self.decision.value}, which is a tuple of cards")

    def draft(self, keep: bool) -> None:
        """Keep the card drawn or not; only the two-player game asks."""
        raise NotImplementedError

    def choose_cards(self, cards: tuple[Card, ...]) -> None:
        """Take the cards of an exchange or a pass."""
        raise NotImplementedError

    def _end_trick(self) -> None:
        """Give the trick to its winner, who leads the next; the last one ends the hand.

        Rules: C6, C7.
        """
        assert self.leader is not None
        winner = self._taker
        self.tricks[winner] += 1
        self.leaders.append(self.leader)
        self.log.append(_TRICKS[winner])
        self._lead(winner)
        if len(self.leaders) == 13:
            self._end_hand()

    def _end_hand(self) -> None:
        """Score the hand by side, then end the game or begin the next hand. Rules: C11."""
        points = []
        for side in (0, 1):
            bids = [bid or 0 for bid in self.bids[side::2]]
            doubles = [bool(double) for double in self.double_nil[side::2]]
            won = self.tricks[side::2]
            score = score_side(self.rules, bids, doubles, won, self.bags[side])
            points.append(score.points)
            self.scores[side] += score.points
            self.bags[side] = score.bags
        self.ended_hand = HandEnd(
            tuple(self.tricks), tuple(points), tuple(self.scores), tuple(self.bags)
        )
        self.log.append(self.ended_hand)
        self.outcome = decide(self.rules, self.scores, self.hand)
        if self.outcome is None:
            self._start_hand()
        else:
            self.log.append(GameEnd(self.outcome.scores, self.outcome.winner, self.outcome.reason))

    # -- what a seat may know -------------------------------------------------------------------

    def events(self, seat: int, start: int = 0) -> list[Event]:
        """List what this seat may know of the log from index `start` on.

        From the first lead of a hand to its end that is all that happens.
        """
        happened = self.log[start:]
        if self.decision is PLAY and start >= self._play_start:
            return happened
        return [shown for event in happened if (shown := event.seen_by(seat)) is not None]

    def common_fields(self, cards: Sequence[Card]) -> CommonFields:
        """Give what any seat may know, and the cards of the one that looks."""
        return (
            [NAMES[card] for card in cards],
            self._table(),
            self.leader,
            self._played[: self.seats * len(self.leaders)],
            self.leaders[:],
            self.tricks[:],
            self.spades_broken,
            self.bids[:],
            self.double_nil[:],
            self.first,
            self.scores[:],
            self.bags[:],
        )

    def _table(self) -> list[TrickCard]:
        """List the cards of the trick on the table, the leader's first."""
        table: list[TrickCard] = []
        seat = self.leader
        if seat is None or self._led is None:
            return table
        for name in self._played[self.seats * len(self.leaders) :]:
            table.append(_ON_TABLE[name][seat])
            seat = self._next_seat[seat]
        return table


def _card(move: object) -> Card:
    """Read a card's name from a bot. Raises `IllegalMove` with the beginner's faults told apart."""
    if not isinstance(move, str):
        raise IllegalMove("a card is a string such as 'KH'")
    try:
        return parse_card(move)
    except ValueError as error:
        fixed = move.upper().replace("10", "T")
        if fixed in NAMES:
            hint = "a ten is T" if "10" in move else "cards are upper case"
            raise IllegalMove(f"{move!r} is no card; {hint}: {fixed!r}") from None
        raise IllegalMove(str(error)[:200]) from None


def _not_a_bid(move: object) -> str:
    if isinstance(move, str) and move.isdecimal() and len(move) <= 2:
        return f"a bid is a whole number without quotation marks: {int(move)}, not {move!r}"
    return "a bid is a whole number such as 4"
