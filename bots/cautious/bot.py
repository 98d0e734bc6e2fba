"""cautious: bids what it is nearly sure of, makes its bid, and then stays out of the way.

It keeps nothing between requests, as `view` holds all it needs, and it leaves nothing to chance.
Cards are numbers in deck order, `13 * suit + rank`, and a set of cards is an integer with one bit
for each. The weights below were fitted to some thousand hands that it played against itself.
"""

import json
import sys
from math import exp

NAMES = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
CARDS = {name: card for card, name in enumerate(NAMES)}
BITS = {name: 1 << card for name, card in CARDS.items()}
SUIT = [card // 13 for card in range(52)]
RANK = [card % 13 for card in range(52)]
SUIT_CARDS = [0x1FFF << 13 * suit for suit in range(4)]
HIGHER = [SUIT_CARDS[card // 13] & ~((2 << card) - 1) for card in range(52)]
DECK = (1 << 52) - 1
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SIX, JACK, QUEEN, KING, ACE = 4, 9, 10, 11, 12

# Two-player: tricks that a card is worth by its rank, a spade first, then one of another suit.
SPADE_WORTH = [0.7] * 5 + [0.86] * 4 + [1.31, 1.49, 1.49, 1.63]
SIDE_WORTH = [-0.07] * 5 + [-0.04] * 3 + [0.04, 0.15, 0.4, 0.69, 0.81]
# Partnership: what a spade honour adds, and a side suit of no, one or two cards beside spades.
HONOUR_WORTH = {JACK: 0.47, QUEEN: 0.64, KING: 0.8, ACE: 0.61}
SHORT_SUIT_WORTH = [0.73, 0.47, 0.15]

# Tricks left out of the bid: a missed contract costs more than a bag.
MARGIN = {2: 1.0, 4: -0.1}
# How many points a side must be behind before it bids double nil.
DOUBLE_NIL_BEHIND = {2: 200, 4: 100}


def choose(request: dict, memory: dict) -> object:
    """Answer a request; `memory` is what `remember` made of the hello."""
    decision, view = request["decision"], request["view"]
    if decision == "blind_nil":
        return choose_blind_nil(view, memory)
    if decision == "draft":
        return choose_draft(view, memory)
    if decision == "bid":
        return choose_bid(view, request["legal"], memory)
    legal = [CARDS[name] for name in request["legal"]]
    if decision in ("exchange", "pass"):
        return [NAMES[card] for card in choose_cards(view, legal, memory)]
    if len(legal) == 1:
        return request["legal"][0]
    return NAMES[choose_play(Table(view, memory), legal)]


def remember(hello: dict) -> dict:
    """Keep what never changes in a sitting: the seat, how many there are, the rules."""
    return {"seat": hello["seat"], "seats": hello["seats"], "rules": hello["rules"]}


def to_set(names: list[str]) -> int:
    """Gather cards by name into a set."""
    cards = 0
    for name in names:
        cards |= BITS[name]
    return cards


def cost(card: int) -> tuple[bool, int]:
    """Order cards from those that are cheapest to part with: spades last, then by rank."""
    return SUIT[card] == SPADES, RANK[card]


# -- before play ------------------------------------------------------------------------------


def choose_blind_nil(view: dict, memory: dict) -> bool:
    """Bid double nil from far behind, but never beside a partner who has.

    Without a partner to pass to it seldom works, so there it is the last resort of a lost game.
    """
    side, rules = memory["seat"] % 2, memory["rules"]
    ours, theirs = view["scores"][side], view["scores"][1 - side]
    if True in view["double_nil"][side::2] or rules["double_nil_points"] < 100:
        return False
    if memory["seats"] == 2 and theirs < rules["target"] - 60:
        return False
    return theirs - ours >= DOUBLE_NIL_BEHIND[memory["seats"]]


def choose_draft(view: dict, memory: dict) -> bool:
    """Keep spades, aces and kings; after a double nil, low cards of the other suits."""
    card = CARDS[view["drawn"]]
    if view["double_nil"][memory["seat"]]:
        return SUIT[card] != SPADES and RANK[card] <= SIX
    return SUIT[card] == SPADES or RANK[card] >= KING


def choose_cards(view: dict, legal: list[int], memory: dict) -> list[int]:
    """Give up the three most dangerous cards for a nil, or give the partner's nil the safest."""
    by_danger = sorted(legal, key=cost)
    return by_danger[-3:] if view["double_nil"][memory["seat"]] else by_danger[:3]


def choose_bid(view: dict, legal: list[int], memory: dict) -> int:
    """Bid the tricks expected less a margin, or nil where that is worth more."""
    seat, seats, bids = memory["seat"], memory["seats"], view["bids"]
    hand = to_set(view["hand"])
    if seats == 2:
        tricks = two_player_tricks(hand)
        usual, weight = 5.5, 0.3
    else:
        tricks = partnership_tricks(hand)
        usual, weight = 2.6, 0.1
        if bids[(seat + 2) % 4] != 0 and is_nil_better(hand, tricks, memory["rules"]):
            return 0
    for bid in bids[1 - seat % 2 :: 2]:
        if bid is not None:
            tricks -= weight * (bid - usual)  # who bids high holds what would win here
    return min(max(1, int(tricks - MARGIN[seats])), legal[-1])


def two_player_tricks(hand: int) -> float:
    """Expect so many tricks from a drafted hand: spades and short suits above all."""
    tricks = 0.0
    for card in range(52):
        if hand >> card & 1:
            tricks += SPADE_WORTH[RANK[card]] if SUIT[card] == SPADES else SIDE_WORTH[RANK[card]]
    lengths = [(hand & SUIT_CARDS[suit]).bit_count() for suit in (CLUBS, DIAMONDS, HEARTS)]
    return tricks + 0.92 * lengths.count(0) + 0.24 * lengths.count(1) - 0.14 * max(lengths)


def partnership_tricks(hand: int) -> float:
    """Expect so many tricks from a dealt hand; two partners' expectations add up."""
    spades = hand >> 39
    count = spades.bit_count()
    tricks = -0.77 + 0.48 * count + 0.24 * max(0, count - 3)
    tricks += sum(worth for rank, worth in HONOUR_WORTH.items() if spades >> rank & 1)
    for suit in (CLUBS, DIAMONDS, HEARTS):
        held = hand >> 13 * suit & 0x1FFF
        length = held.bit_count()
        if held >> ACE & 1:
            tricks += 0.98
        if held >> KING & 1:
            tricks += 0.77 if length >= 2 else 0.21
        if held >> QUEEN & 1 and length >= 3:
            tricks += 0.23
        if count and length < 3:
            tricks += SHORT_SUIT_WORTH[length]
    return tricks


def is_nil_better(hand: int, tricks: float, rules: dict) -> bool:
    """Weigh a nil's points and its chance against the contract's."""
    if hand >> 39 >> KING:
        return False
    chance = 1 / (1 + exp(-nil_safety(hand)))
    return rules["nil_points"] * (2 * chance - 1) > 10 * max(tricks, 1) + 12


def nil_safety(hand: int) -> float:
    """Rate a hand for nil, as the logarithm of the odds: what counts is the lowest of each suit."""
    safety = 3.6
    for suit in (CLUBS, DIAMONDS, HEARTS):
        ranks = [rank for rank in range(13) if hand >> 13 * suit + rank & 1]
        for rank, allowed, weight in zip(ranks, (0, 1, 3), (0.107, 0.107, 0.057), strict=False):
            safety -= weight * max(0, rank - allowed)
    return safety - sum(0.1 + 0.07 * rank for rank in range(13) if hand >> 39 + rank & 1)


# -- play -------------------------------------------------------------------------------------


class Table:
    """What a view says, worked out: the cards unseen, who is void, who needs how many tricks."""

    def __init__(self, view: dict, memory: dict) -> None:
        self.rules, self.seat, self.seats = memory["rules"], memory["seat"], memory["seats"]
        self.partner = (self.seat + 2) % 4 if self.seats == 4 else None
        self.opponents = range(1 - self.seat % 2, self.seats, 2)
        self.bids, self.tricks = view["bids"], view["tricks"]
        self.hand = to_set(view["hand"])
        self.left = len(view["hand"])
        self.trick = [(card["seat"], CARDS[card["card"]]) for card in view["trick"]]
        self.is_last = len(self.trick) == self.seats - 1
        self.unseen = DECK & ~self.hand & ~to_set(view["played"])
        for _, card in self.trick:
            self.unseen &= ~(1 << card)
        if self.seats == 2:
            self.forget_discards(view)
        self.voids = self.find_voids(view["played"], view["leaders"])
        self.led = SUIT[self.trick[0][1]] if self.trick else None
        self.best_seat, self.best = self.find_best()

    def forget_discards(self, view: dict) -> None:
        """Take out what this seat saw go; an opponent's exchange may bring draft discards back."""
        self.unseen &= ~to_set(view.get("thrown", []))
        if not view["exchanged"][1 - self.seat]:
            self.unseen &= ~to_set(view["seen"])

    def find_voids(self, played: list[str], leaders: list[int]) -> list[int]:
        """Tell by seat the suits it has shown out of, as bits."""
        seats = self.seats
        voids = [0] * seats
        for number, leader in enumerate(leaders):
            led = played[number * seats]
            for place in range(1, seats):
                if played[number * seats + place][1] != led[1]:
                    voids[(leader + place) % seats] |= 1 << SUIT[CARDS[led]]
        for seat, card in self.trick:
            led_suit = SUIT[self.trick[0][1]]
            if SUIT[card] != led_suit:
                voids[seat] |= 1 << led_suit
        return voids

    def find_best(self) -> tuple[int | None, int]:
        """Find who is winning the trick on the table, and with which card."""
        best_seat, best = None, -1
        for seat, card in self.trick:
            if best_seat is None or self.beats(card, best):
                best_seat, best = seat, card
        return best_seat, best

    def beats(self, card: int, other: int) -> bool:
        """Tell whether a card played after another beats it."""
        return card > other if SUIT[card] == SUIT[other] else SUIT[card] == SPADES

    def needs(self, side: int) -> int:
        """Count the tricks that a side still needs for its contract; below zero are bags."""
        needed = 0
        for seat in range(side, self.seats, 2):
            if self.bids[seat] or self.rules["failed_nil"] == "help":
                needed += self.bids[seat] - self.tricks[seat]
        return needed

    def is_nil(self, seat: int | None) -> bool:
        """Tell whether a seat has a nil that has not failed."""
        return seat is not None and self.bids[seat] == 0 and self.tricks[seat] == 0

    def wants_trick(self) -> bool:
        """Tell whether this side should win tricks: to make its bid, or to set the other's."""
        if self.needs(self.seat % 2) > 0 or not self.minds_bags():
            return True
        theirs = self.needs(1 - self.seat % 2)
        to_set_them = self.left - theirs + 1
        return 0 < theirs <= self.left and to_set_them <= 2 + self.sure_spades()

    def minds_bags(self) -> bool:
        """Tell whether a trick too many can cost anything."""
        if self.bids[self.seat] == 0 and self.rules["failed_nil"] == "none":
            return False
        limit, penalty = self.rules["bag_limit"], self.rules["bag_penalty"]
        return limit > 0 and penalty > limit * self.rules["bag_points"]

    def sure_spades(self) -> int:
        """Count the spades held that no unseen card beats."""
        return (self.hand >> 39 >> (self.unseen >> 39).bit_length()).bit_count()

    def above(self, card: int) -> int:
        """Count the unseen cards of its suit that beat a card."""
        return (self.unseen & HIGHER[card]).bit_count()

    def below(self, card: int) -> int:
        """Count the unseen cards of its suit that a card beats."""
        return (self.unseen & SUIT_CARDS[SUIT[card]] & ~HIGHER[card]).bit_count()

    def length(self, card: int) -> int:
        """Count the cards held in a card's suit."""
        return (self.hand & SUIT_CARDS[SUIT[card]]).bit_count()

    def holds(self, card: int) -> float:
        """Give the chance that a card led is beaten by no opponent, as unseen cards may lie."""
        suit = SUIT[card]
        others = 1 - self.left / max(self.unseen.bit_count(), 1)  # a card is not an opponent's
        beaten = 1 - others ** self.above(card)
        void = others ** (self.unseen & SUIT_CARDS[suit]).bit_count()
        can_ruff = 1 - others ** (self.unseen >> 39).bit_count()
        chance = 1.0
        for seat in self.opponents:
            is_void = self.voids[seat] >> suit & 1
            lost = 0.0 if is_void else beaten
            if suit != SPADES and not self.voids[seat] >> SPADES & 1:
                lost += can_ruff * (1.0 if is_void else void)
            chance *= max(0.0, 1 - lost)
        return chance


def choose_play(table: Table, legal: list[int]) -> int:
    """Play a card by what matters most: one's own nil, a partner's, an opponent's, the bid."""
    if table.is_nil(table.seat):
        return play_nil(table, legal)
    wanted = table.wants_trick()
    if table.is_nil(table.partner):
        return cover_nil(table, legal, wanted)
    if any(table.is_nil(seat) for seat in table.opponents):
        return attack_nil(table, legal, wanted)
    return follow(table, legal, wanted) if table.trick else lead(table, legal, wanted)


def play_nil(table: Table, legal: list[int]) -> int:
    """Stay under the trick with the highest card that can; lead what is surest to be beaten."""
    if not table.trick:
        return min(legal, key=lambda card: (table.holds(card), RANK[card]))
    under = [card for card in legal if not table.beats(card, table.best)]
    if under:
        return max(under, key=cost)
    return max(legal, key=cost) if table.is_last else min(legal, key=cost)


def cover_nil(table: Table, legal: list[int], wanted: bool) -> int:
    """Win what the partner might have to win: lead high, play high before, go over after."""
    if not table.trick:
        return max(legal, key=lambda card: (table.holds(card), RANK[card]))
    over = [card for card in legal if table.beats(card, table.best)]
    partner_has_played = len(table.trick) >= 2
    if over and partner_has_played and table.best_seat == table.partner:
        return min(over, key=cost)
    if over and not partner_has_played:
        if SUIT[over[0]] == table.led:
            return max(over)
        if table.above(table.best) >= 2:
            return min(over, key=cost)
    return follow(table, legal, wanted)


def attack_nil(table: Table, legal: list[int], wanted: bool) -> int:
    """Make an opponent's nil take a trick: lead low where she is not void, stay under her card."""
    nils = [seat for seat in table.opponents if table.is_nil(seat)]
    if not table.trick:

        def hopeless(card: int) -> tuple[bool, float, int]:
            is_void = all(table.voids[seat] >> SUIT[card] & 1 for seat in nils)
            return is_void, table.below(card) - table.above(card) / 2, RANK[card]

        return min(legal, key=hopeless)
    under = [card for card in legal if not table.beats(card, table.best)]
    if table.best_seat in nils and under:
        return max(under) if SUIT[under[0]] == table.led else discard(table, under, wanted)
    return follow(table, legal, wanted)


def lead(table: Table, legal: list[int], wanted: bool) -> int:
    """Lead winners while tricks are wanted, else what others are surest to beat."""
    if not wanted:
        return min(legal, key=lambda card: (table.holds(card), -RANK[card]))
    spades = [card for card in legal if SUIT[card] == SPADES]
    if spades and table.sure_spades() and draws_spades(table):
        return max(spades)

    def promise(card: int) -> tuple[bool, bool, float, int]:
        chance = table.holds(card)
        wins = chance > 0.4
        return wins, SUIT[card] != SPADES, chance if wins else -RANK[card], RANK[card]

    return max(legal, key=promise)


def draws_spades(table: Table) -> bool:
    """Tell whether the hand has more spades than the others are likely to have together."""
    share = min(1.0, table.left * (table.seats - 1) / max(table.unseen.bit_count(), 1))
    return (table.hand >> 39).bit_count() > (table.unseen >> 39).bit_count() * share


def follow(table: Table, legal: list[int], wanted: bool) -> int:
    """Win cheaply while tricks are wanted, else get rid of the highest card that loses."""
    over = [card for card in legal if table.beats(card, table.best)]
    under = [card for card in legal if not table.beats(card, table.best)]
    if wanted:
        winner = winning_card(table, over)
        return low(table, under or over) if winner is None else winner
    if under:
        return high(table, under)
    return max(over, key=cost) if table.is_last else min(over, key=cost)


def winning_card(table: Table, over: list[int]) -> int | None:
    """Choose among the cards that would be winning, or None to let the trick go."""
    partner_wins = table.partner is not None and table.best_seat == table.partner
    if not over or (partner_wins and (table.is_last or table.above(table.best) <= 1)):
        return None
    if table.is_last or SUIT[over[0]] != table.led:
        return min(over, key=cost)
    masters = [card for card in over if not table.above(card)]
    if masters:
        return min(masters)
    return max(over) if len(table.trick) == 2 else None  # second hand low, third hand high


def low(table: Table, cards: list[int]) -> int:
    """Part with the card that is least likely to win a trick later."""
    if SUIT[cards[0]] == table.led:
        return min(cards, key=cost)
    return discard(table, cards, wanted=True)


def high(table: Table, cards: list[int]) -> int:
    """Part with the card that is most likely to win a trick later."""
    if SUIT[cards[0]] == table.led:
        return max(cards)
    return discard(table, cards, wanted=False)


def discard(table: Table, cards: list[int], wanted: bool) -> int:
    """Throw a card of another suit: a useless one while tricks are wanted, else a dangerous one."""
    if not wanted:
        return max(cards, key=lambda card: (SUIT[card] == SPADES, table.holds(card), RANK[card]))

    def use(card: int) -> tuple[bool, bool, bool, int, int]:
        above, length = table.above(card), table.length(card)
        is_guarded = above < min(length, 3)
        return SUIT[card] == SPADES, above == 0, is_guarded, length, RANK[card]

    return min(cards, key=use)


# -- the protocol -----------------------------------------------------------------------------


def answer(message: dict) -> None:
    """Write one line, and flush it: the referee waits for it."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Answer each line until the referee says `end` or closes the input."""
    memory: dict = {}
    for line in sys.stdin:
        message = json.loads(line)
        kind = message.get("type")
        if kind == "hello":
            memory = remember(message)
            answer({"type": "ready"})
        elif kind == "request":
            answer({"id": message["id"], "move": choose(message, memory)})
        elif kind == "end":
            return


if __name__ == "__main__":
    main()
