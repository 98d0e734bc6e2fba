// counter: remembers every card, deals the unseen ones in many ways that fit what it has seen,
// plays each of these deals to the end with a simple rule of thumb, and picks what did best.
//
// It keeps its memory from the `events` of the requests and draws from the seed in `hello`; the
// number of deals is fixed, so that its moves never depend on how fast the machine is.
//
// A set of cards is four masks, one for each suit: bit r of mask s is the card of rank r, suit s.
"use strict";

const RANKS = "23456789TJQKA";
const SUITS = "CDHS";
const SPADES = 3;
const QUEEN = 10;
const ATTEMPTS = 10; // at a deal in which nobody holds a suit that it has shown out of
const DEALS = { bid: 40, play: 24 }; // deals tried for each decision

const suitOf = (name) => SUITS.indexOf(name[1]);
const rankOf = (name) => RANKS.indexOf(name[0]);
const nameOf = (suit, rank) => RANKS[rank] + SUITS[suit];
const highest = (mask) => 31 - Math.clz32(mask);
const lowest = (mask) => 31 - Math.clz32(mask & -mask);
const above = (rank) => 0x1fff & -(2 << rank);

function count(mask) {
  let bits = 0;
  for (; mask; mask &= mask - 1) bits++;
  return bits;
}

function toMasks(names) {
  const masks = [0, 0, 0, 0];
  for (const name of names) masks[suitOf(name)] |= 1 << rankOf(name);
  return masks;
}

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// -- what it remembers -------------------------------------------------------------------------

class Memory {
  constructor(hello) {
    this.seat = hello.seat;
    this.seats = hello.seats;
    this.side = hello.seat % 2;
    this.partner = hello.seats === 4 ? (hello.seat + 2) % 4 : -1;
    this.rules = hello.rules;
    this.random = generator(hello.seed);
    this.startHand();
  }

  startHand() {
    this.gone = new Set(); // played, or thrown away for good
    this.away = new Set(); // seen to go in the draft; another's exchange may bring it back
    this.given = new Set(); // passed to the partner, who still holds it
    this.void = Array.from({ length: this.seats }, () => [false, false, false, false]);
    this.led = null;
  }

  /** Learn from one event; kinds that tell nothing new are passed over. */
  learn(event) {
    if (event.event === "hand_start") this.startHand();
    else if (event.event === "play") this.learnPlay(event);
    else if (event.event === "trick") this.led = null;
    else if (event.event === "draw" && event.away) this.away.add(event.away);
    else if (event.event === "exchange") this.learnExchange(event);
    else if (event.event === "pass" && event.cards) this.learnPass(event);
  }

  learnPlay({ seat, card }) {
    this.gone.add(card);
    this.given.delete(card);
    if (this.led === null) this.led = suitOf(card);
    else if (suitOf(card) !== this.led) this.void[seat][this.led] = true;
  }

  learnExchange({ seat, count: replaced, cards }) {
    if (seat === this.seat) for (const card of cards ?? []) this.gone.add(card);
    else if (replaced > 0) this.away.clear();
  }

  learnPass({ seat, to, cards }) {
    for (const card of cards) {
      if (seat === this.seat) this.given.add(card);
      else if (to === this.seat) this.given.delete(card);
    }
  }

  /** The cards that others may hold: neither in the hand nor known to be out of play. */
  unseen(hand) {
    const masks = [0, 0, 0, 0].map(() => 0x1fff);
    for (const cards of [hand, this.gone, this.away, this.given])
      for (const card of cards) masks[suitOf(card)] &= ~(1 << rankOf(card));
    return masks;
  }
}

// -- dealing what is unseen --------------------------------------------------------------------

/** Deal the unseen cards to the other seats, in a way that fits the suits they have shown out of. */
function dealUnseen(memory, view, sizes) {
  const cards = [];
  memory.unseen(view.hand).forEach((mask, suit) => {
    for (; mask; mask &= mask - 1) cards.push({ suit, rank: lowest(mask), key: 0 });
  });
  for (let attempt = 1; ; attempt++) {
    for (const card of cards) card.key = keepness(memory, card) * (1 - memory.random());
    cards.sort((one, other) => other.key - one.key);
    const hands = place(memory, view, cards, sizes, attempt < ATTEMPTS);
    if (hands) return hands;
  }
}

/** How much likelier than others a card is to have been kept: in a draft spades and top cards are. */
function keepness(memory, { suit, rank }) {
  if (memory.seats === 4) return 1;
  return suit === SPADES ? 3 : rank >= QUEEN ? 2 : 1;
}

/** Put each card where it fits, `minding` who is void, or give null where that does not come out. */
function place(memory, view, cards, sizes, minding) {
  const hands = Array.from({ length: memory.seats }, () => [0, 0, 0, 0]);
  const room = sizes.slice();
  hands[memory.seat] = toMasks(view.hand);
  room[memory.seat] = 0;
  if (memory.partner >= 0) {
    hands[memory.partner] = toMasks(memory.given);
    room[memory.partner] -= memory.given.size;
  }
  for (const { suit, rank } of cards) {
    let best = -1;
    for (let seat = 0; seat < memory.seats; seat++) {
      if (room[seat] <= 0 || (minding && memory.void[seat][suit])) continue;
      if (best < 0 || room[seat] * memory.random() > room[best] * memory.random()) best = seat;
    }
    if (best >= 0) {
      hands[best][suit] |= 1 << rank;
      room[best]--;
    }
  }
  return minding && room.some((left) => left > 0) ? null : hands;
}

// -- playing a deal to its end -----------------------------------------------------------------

/** One deal being played out by a rule of thumb. */
class Playout {
  constructor(memory, view, bids, hands) {
    this.rules = memory.rules;
    this.seats = memory.seats;
    this.bids = bids;
    this.double = view.double_nil;
    this.bags = view.bags;
    this.tricks = view.tricks.slice();
    this.hands = hands.map((masks) => masks.slice());
    this.left = 13 - view.leaders.length;
    this.broken = view.spades_broken || memory.rules.lead_spades === "anytime";
    this.turn = view.leader ?? (view.first + 1) % memory.seats;
    this.table = 0; // cards of the trick on the table
    this.live = [0, 0, 0, 0];
    for (const masks of hands) masks.forEach((mask, suit) => (this.live[suit] |= mask));
    for (const { seat, card } of view.trick) {
      this.turn = seat;
      this.put(suitOf(card), rankOf(card));
    }
  }

  /** Put the card of the seat whose turn it is on the table. */
  put(suit, rank) {
    const seat = this.turn;
    this.hands[seat][suit] &= ~(1 << rank);
    if (suit === SPADES) this.broken = true;
    if (this.table === 0) this.led = suit;
    if (this.table === 0 || (suit === this.suit ? rank > this.rank : suit === SPADES)) {
      this.winner = seat;
      this.suit = suit;
      this.rank = rank;
    }
    this.live[suit] &= ~(1 << rank);
    this.turn = (seat + 1) % this.seats;
    if (++this.table < this.seats) return;
    this.table = 0;
    this.tricks[this.winner]++;
    this.left--;
    this.turn = this.winner;
  }

  finish() {
    while (this.left > 0) {
      if (this.table === 0) this.lead();
      else this.follow();
    }
    return this;
  }

  isNil(seat) {
    return this.bids[seat] === 0 && this.tricks[seat] === 0;
  }

  needs(side) {
    let needed = 0;
    for (let seat = side; seat < this.seats; seat += 2)
      if (this.bids[seat] > 0 || this.rules.failed_nil === "help")
        needed += this.bids[seat] - this.tricks[seat];
    return needed;
  }

  wants(seat) {
    if (this.needs(seat % 2) > 0 || this.rules.bag_limit === 0) return true;
    const theirs = this.needs(1 - (seat % 2));
    return theirs > 0 && this.left - theirs < 2;
  }

  isTop(suit, rank, mine) {
    return (this.live[suit] & ~mine & above(rank)) === 0;
  }

  opponentNil(seat) {
    const other = 1 - (seat % 2);
    return this.isNil(other) || (this.seats === 4 && this.isNil(other + 2));
  }

  lead() {
    const seat = this.turn;
    const hand = this.hands[seat];
    const last = this.broken || !(hand[0] | hand[1] | hand[2]) ? SPADES : SPADES - 1;
    const partnerNil = this.seats === 4 && this.isNil((seat + 2) % 4);
    const attacks = !partnerNil && this.opponentNil(seat);
    if (!this.isNil(seat) && !attacks && (partnerNil || this.wants(seat))) {
      for (let suit = 0; suit <= last; suit++) {
        const mine = hand[suit];
        if (mine && this.isTop(suit, highest(mine), mine)) return this.put(suit, highest(mine));
      }
    }
    let best = -1;
    for (let suit = 0; suit <= last; suit++) {
      if (!hand[suit]) continue;
      if (best < 0 || lowest(hand[suit]) < lowest(hand[best])) best = suit;
    }
    return this.put(best, lowest(hand[best]));
  }

  follow() {
    const seat = this.turn;
    const hand = this.hands[seat];
    const suit = hand[this.led] ? this.led : SPADES;
    const mine = hand[suit];
    const over = suit === this.suit ? mine & above(this.rank) : suit === SPADES ? mine : 0;
    const under = mine & ~over;
    if (suit !== this.led && !this.shouldWin(seat, over, true)) return this.discard(hand, under, seat);
    if (this.shouldWin(seat, over, suit !== this.led)) {
      const cheap = this.table === this.seats - 1 || suit !== this.led || this.coversAfter(seat);
      return this.put(suit, cheap ? lowest(over) : highest(over));
    }
    if (!this.isNil(seat) && this.wants(seat)) return this.put(suit, lowest(mine));
    if (under) return this.put(suit, highest(under));
    return this.put(suit, this.table === this.seats - 1 ? highest(over) : lowest(over));
  }

  /** The partner's nil is about to take the trick. */
  coversAfter(seat) {
    return this.seats === 4 && this.winner === (seat + 2) % 4 && this.isNil(this.winner);
  }

  shouldWin(seat, over, ruffs) {
    if (!over || this.isNil(seat)) return false;
    const partner = this.seats === 4 ? (seat + 2) % 4 : -1;
    if (partner >= 0 && this.isNil(partner)) {
      if (this.table < 2) return true;
      if (this.winner === partner) return true;
    } else if (this.isNil(this.winner)) return false; // an opponent's nil: let it have the trick
    if (!this.wants(seat)) return false;
    const isLast = this.table === this.seats - 1;
    if (this.winner === partner)
      return !isLast && !ruffs && this.table === 2 && !this.isTop(this.suit, this.rank, over);
    if (isLast || ruffs || this.table === 2) return true;
    return this.isTop(this.led, highest(over), over);
  }

  /** Throw a card of another suit: a high one to be rid of it, else a low one. */
  discard(hand, spadesUnder, seat) {
    const high = this.isNil(seat) || !this.wants(seat);
    if (high && spadesUnder && this.suit === SPADES && this.led !== SPADES)
      return this.put(SPADES, highest(spadesUnder));
    let best = -1;
    for (let suit = 0; suit < SPADES; suit++) {
      if (!hand[suit]) continue;
      const [one, other] = [hand[suit], best < 0 ? 0 : hand[best]];
      if (!other || (high ? highest(one) > highest(other) : lowest(one) < lowest(other))) best = suit;
    }
    if (best >= 0) return this.put(best, high ? highest(hand[best]) : lowest(hand[best]));
    return this.put(SPADES, lowest(hand[SPADES]));
  }

  /** The points of a side less those of the other, a bag at its share of the penalty. */
  margin(side) {
    return this.points(side) - this.points(1 - side);
  }

  points(side) {
    const rules = this.rules;
    let contract = 0;
    let won = 0;
    let bags = 0;
    let points = 0;
    for (let seat = side; seat < this.seats; seat += 2) {
      const tricks = this.tricks[seat];
      if (this.bids[seat] > 0) {
        contract += this.bids[seat];
        won += tricks;
        continue;
      }
      const worth = this.double[seat] ? rules.double_nil_points : rules.nil_points;
      points += tricks ? -worth : worth;
      if (rules.failed_nil === "help") won += tricks;
      else if (rules.failed_nil === "bags") bags += tricks;
    }
    if (won < contract) points -= 10 * contract;
    else {
      points += 10 * contract;
      bags += won - contract;
    }
    const penalty = rules.bag_limit ? rules.bag_penalty / rules.bag_limit : 0;
    return points + bags * (rules.bag_points - penalty);
  }
}

// -- decisions ---------------------------------------------------------------------------------

const MARGIN = { 2: 0.5, 4: 0 }; // tricks left out of the bid
const USUAL = { 2: 6, 4: 3 }; // what others are taken to bid until they do

function chooseBlindNil(memory, view) {
  if (memory.partner < 0 || view.double_nil[memory.partner]) return false;
  return view.scores[1 - memory.side] - view.scores[memory.side] >= 100;
}

/** Keep a card that is worth more than the unseen ones are on average. */
function chooseDraft(memory, view) {
  const worth = (suit, rank) => (suit === SPADES ? 0.7 + rank / 16 : [0.4, 0.7, 0.8][rank - QUEEN] ?? 0);
  const unseen = memory.unseen([...view.hand, view.drawn]);
  let total = 0;
  let cards = 0;
  unseen.forEach((mask, suit) => {
    for (; mask; mask &= mask - 1, cards++) total += worth(suit, lowest(mask));
  });
  return worth(suitOf(view.drawn), rankOf(view.drawn)) * cards >= total;
}

function chooseBid(memory, view, legal) {
  const bids = view.bids.map((bid) => bid ?? USUAL[memory.seats]);
  const all = bids.map((bid) => (bid === 0 ? 0 : 13)); // everyone wants every trick
  const nil = bids.slice();
  nil[memory.seat] = 0;
  const sizes = bids.map(() => 13);
  let tricks = 0;
  let nils = 0;
  for (let deal = 0; deal < DEALS.bid; deal++) {
    const hands = dealUnseen(memory, view, sizes);
    tricks += new Playout(memory, view, all, hands).finish().tricks[memory.seat];
    nils += new Playout(memory, view, nil, hands).finish().tricks[memory.seat] === 0;
  }
  const expected = tricks / DEALS.bid;
  const chance = nils / DEALS.bid;
  const last = legal[legal.length - 1];
  const partnerIsNil = memory.partner >= 0 && view.bids[memory.partner] === 0;
  if (!partnerIsNil && memory.rules.nil_points * (2 * chance - 1) > 10 * expected + 25) return 0;
  return Math.min(Math.max(1, Math.floor(expected - MARGIN[memory.seats])), last);
}

/** Give up what endangers a nil, or give the partner's nil what does not. */
function chooseCards(memory, view, legal) {
  const danger = (name) => rankOf(name) + (suitOf(name) === SPADES ? 4 : 0);
  const sorted = legal.slice().sort((one, other) => danger(other) - danger(one));
  return view.double_nil[memory.seat] ? sorted.slice(0, 3) : sorted.slice(-3);
}

function choosePlay(memory, view, legal) {
  const choices = distinct(memory, view, legal);
  if (choices.length === 1) return choices[0];
  const sizes = Array.from({ length: memory.seats }, () => view.hand.length);
  for (const { seat } of view.trick) sizes[seat]--;
  const totals = choices.map(() => 0);
  for (let deal = 0; deal < DEALS.play; deal++) {
    const hands = dealUnseen(memory, view, sizes);
    choices.forEach((name, choice) => {
      const playout = new Playout(memory, view, view.bids, hands);
      playout.turn = memory.seat;
      playout.put(suitOf(name), rankOf(name));
      totals[choice] += playout.finish().margin(memory.side);
    });
  }
  return choices[totals.indexOf(Math.max(...totals))];
}

/** Leave out cards that are as good as another: the next ones down with none unseen between. */
function distinct(memory, view, legal) {
  const others = memory.unseen(view.hand);
  for (const { card } of view.trick) others[suitOf(card)] |= 1 << rankOf(card);
  return legal.filter((name, place) => {
    const lower = legal[place - 1];
    if (!lower || lower[1] !== name[1]) return true;
    const between = above(rankOf(lower)) & ~above(rankOf(name));
    return (others[suitOf(name)] & between) !== 0;
  });
}

/** Answer a request; `memory` is a `Memory` of the sitting. */
function choose(request, memory) {
  const { decision, view, legal } = request;
  for (const event of request.events) memory.learn(event);
  if (decision === "blind_nil") return chooseBlindNil(memory, view);
  if (decision === "draft") return chooseDraft(memory, view);
  if (decision === "bid") return chooseBid(memory, view, legal);
  if (decision === "exchange" || decision === "pass") return chooseCards(memory, view, legal);
  return legal.length === 1 ? legal[0] : choosePlay(memory, view, legal);
}

// -- the protocol ------------------------------------------------------------------------------

function main() {
  let memory = null;
  let waiting = "";
  const answer = (message) => process.stdout.write(JSON.stringify(message) + "\n");
  const take = (message) => {
    if (message.type === "hello") {
      memory = new Memory(message);
      answer({ type: "ready" });
    } else if (message.type === "request") {
      answer({ id: message.id, move: choose(message, memory) });
    } else if (message.type === "end") {
      process.exit(0);
    }
  };
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = (waiting + chunk).split("\n");
    waiting = lines.pop();
    for (const line of lines) take(JSON.parse(line));
  });
}

if (require.main === module) main();
module.exports = { Memory, Playout, choose };
