"use strict";
const $ = id => document.getElementById(id);
const on = (id, kind, act) => $(id).addEventListener(kind, act);
const write = (id, text) => { $(id).textContent = text; };
const game = JSON.parse($("game").textContent), { names, hands } = game, seats = names.length;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANKS = "2 3 4 5 6 7 8 9 10 J Q K A".split(" ");
const SUITS = "♣♦♥♠", ORDER = [1, 0, 2, 3];
const suit = card => card / 13 | 0;
const word = card => RANKS[card % 13] + SUITS[suit(card)];
const list = cards => cards.map(word).join(" ");
const toCard = letter => LETTERS.indexOf(letter);
const all = value => names.map(() => value);
const put = (values, seat, value) => values.map((old, s) => s === seat ? value : old);

// -- what happened: a hand's string of moves, unfolded to how the table stood after each ----------

function unfold(number) {
  const hand = hands[number], before = number ? hands[number - 1].e : [0, [0, 0], [0, 0]], states = [];
  let at = 0, toDeal = hand.d, now = {
    held: all([]), deck: seats === 2 ? 52 : 0, trick: [], won: all(0), bids: all(null), double: all(false),
    number: 0, winner: null, broken: false, bags: before[1], scores: before[2], act: "open", seat: hand.f,
  };
  const take = () => hand.m[at++];
  const cards = count => [...hand.m.slice(at, at += count)].map(toCard);
  const change = (held, seat, out, into) =>
    put(held, seat, held[seat].filter(card => !out.includes(card)).concat(into));
  const pause = next => {
    now = { ...now, ...next };
    if (toDeal && !"!.".includes(hand.m[at + 1] || " ")) {
      now.held = toDeal.map(dealt => [...dealt].map(toCard));
      toDeal = null;
    }
    states.push(now);
  };
  const waiting = [];
  pause({});
  while (at < hand.m.length) {
    const seat = +take(), sign = take();
    const clean = { seat, winner: null, trick: now.winner === null ? now.trick : [] };
    if (sign === "!" || sign === ".") {
      const is = sign === "!";
      pause({ ...clean, act: "blind", is, double: put(now.double, seat, is), bids: is ? put(now.bids, seat, 0) : now.bids });
    } else if (sign === "+" || sign === "-") {
      const [kept, gone] = cards(2), first = sign === "+";
      pause({ ...clean, act: "draft", kept, gone, first, deck: now.deck - 2, held: change(now.held, seat, [], [kept]) });
    } else if (sign === "*") {
      const count = +take(), out = cards(count), into = cards(count);
      pause({ ...clean, act: "exchange", out, into, held: change(now.held, seat, out, into) });
    } else if (sign === ">") {
      const count = +take(), out = cards(3);
      waiting.push([seat, out]);
      let held = change(now.held, seat, out, []);
      if (count) for (const [from, passed] of waiting.splice(0)) held = change(held, (from + 2) % 4, [], passed);
      pause({ ...clean, act: "pass", out, held });
    } else if (sign === "=") {
      pause({ ...clean, act: "bid", bids: put(now.bids, seat, parseInt(take(), 16)) });
    } else {
      const card = toCard(sign), trick = [...clean.trick, { seat, card }], full = trick.length === seats;
      const winner = full ? +take() : null;
      pause({
        ...clean, act: "play", card, trick, winner, broken: now.broken || suit(card) === 3,
        number: now.number + (trick.length === 1), held: change(now.held, seat, [card], []),
        won: full ? put(now.won, winner, now.won[winner] + 1) : now.won,
      });
    }
  }
  const fault = (hand.x || {})[states.length];
  const over = { trick: [], winner: null };
  if (hand.e) pause({ ...over, act: "end", points: hand.e[0], bags: hand.e[1], scores: hand.e[2] });
  else if (fault) pause({ ...over, act: "fault", seat: fault[0] });
  return states;
}

const counts = hands.map(hand => hand.t.length + 1 + (hand.e || (hand.x || {})[hand.t.length + 1] ? 1 : 0));
const starts = counts.map((_, number) => counts.slice(0, number).reduce((sum, count) => sum + count, 0));
const last = starts.at(-1) + counts.at(-1) - 1;
const unfolded = [];
const statesOf = number => unfolded[number] ??= unfold(number);
const handAt = step => starts.findLastIndex(start => start <= step);

// -- in words -------------------------------------------------------------------------------------

let at = 0, viewer = -1;
const sees = seat => viewer < 0 || viewer === seat;
const seesGone = state => sees(state.seat) && (!state.first || game.peek || viewer < 0);
const place = seat => (seat - Math.max(viewer, 0) + seats) % seats * (seats === 2 ? 2 : 1);
const bidWord = (bid, double) => bid === null ? "" : bid ? `${bid}` : double ? "double nil" : "nil";
const signed = n => (n > 0 ? "+" : "") + minus(n);
const minus = n => `${n}`.replace("-", "−");
const sideName = side => seats === 2 ? names[side] : `${names[side]} and ${names[side + 2]}`;

function short(state) {
  const { seat, act } = state, shown = sees(seat);
  if (act === "open") return seats === 2 ? "draws first" : "deals";
  if (act === "blind") return state.is ? "double nil" : "no double nil";
  if (act === "draft") {
    if (!shown) return `keeps the ${state.first ? "first" : "second"} card`;
    const gone = seesGone(state) ? `not ${word(state.gone)}` : "";
    return state.first ? `keeps ${word(state.kept)}${gone && `, ${gone}`}` : `${gone}, takes ${word(state.kept)}`;
  }
  if (act === "exchange") {
    if (!state.out.length) return "exchanges nothing";
    return shown ? `exchanges ${list(state.out)} for ${list(state.into)}` : `exchanges ${state.out.length}`;
  }
  if (act === "pass") return shown || viewer === (seat + 2) % 4 ? `passes ${list(state.out)}` : "passes three cards";
  if (act === "bid") return `bids ${bidWord(state.bids[seat])}`;
  if (act === "play") return `${state.trick.length === 1 ? "leads" : "plays"} ${word(state.card)}`;
  if (act === "fault") return "is at fault, which ends the game";
  return "";
}

function sentence(state) {
  if (state.act === "end")
    return `The hand is over: ${[0, 1].map(side => `${sideName(side)} ${signed(state.points[side])}`).join(", ")}.`;
  const taken = state.winner === null ? "" : state.winner === state.seat ? " and takes the trick" : `; ${names[state.winner]} takes the trick`;
  return `${names[state.seat]} ${short(state)}${taken}.`;
}

function time(tenths) {
  if (tenths === undefined) return "";
  if (tenths < 0) return "no time left";
  return tenths < 1 ? "< 0.1 ms" : tenths < 10000 ? `${(tenths / 10).toFixed(1)} ms` : `${(tenths / 10000).toFixed(2)} s`;
}

// -- on the page: only text and attributes are set, so that no name or note can become markup -----

function make(tag, kind, text) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  if (text !== undefined) element.textContent = text;
  return element;
}

function draw(card, kind = "") {
  if (card === null) return make("span", `card back ${kind}`);
  const element = make("span", `card ${"cdhs"[suit(card)]} ${kind}`), space = "http://www.w3.org/2000/svg";
  const pip = document.createElementNS(space, "svg"), use = document.createElementNS(space, "use");
  use.setAttribute("href", `#suit${suit(card)}`);
  pip.setAttribute("viewBox", "0 0 10 10");
  pip.append(use);
  element.append(make("b", "", RANKS[card % 13]), pip);
  return element;
}

function picture(element, label, children) {
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", label);
  element.replaceChildren(...children);
  return element;
}

function showSeat(state, seat, turn) {
  const box = $(`seat${seat}`), part = name => box.querySelector(name), bid = state.bids[seat], won = state.won[seat];
  box.className = `seat at${place(seat)}${turn === seat ? " turn" : ""}`;
  part(".calls").textContent =
    bid === null ? (won ? `won ${won}` : "") : `bid ${bidWord(bid, state.double[seat])}, won ${won}`;
  const pips = [...Array(Math.max(bid || 0, won)).keys()].map(n =>
    make("i", n < won ? (n < (bid || 0) ? "made" : "over") : ""));
  part(".pips").replaceChildren(...pips);
  const held = [...state.held[seat]].sort((a, b) => ORDER[suit(b)] - ORDER[suit(a)] || b - a);
  const isOpen = sees(seat);
  const label = !held.length ? "no cards" : isOpen ? list(held) : `${held.length} cards, face down`;
  picture(part(".held"), `${names[seat]}: ${label}`, held.map(card => {
    const slot = make("span", "slot");
    slot.append(draw(isOpen ? card : null));
    return slot;
  }));
}

function showMiddle(state) {
  let label = sentence(state), children = [];
  if (state.act === "draft") {
    children = [draw(sees(state.seat) ? state.kept : null, "kept"), draw(seesGone(state) ? state.gone : null, "gone")];
    if (!state.first) children.reverse();
  } else if (state.trick.length) {
    children = state.trick.map(({ seat, card }) =>
      draw(card, `from${place(seat)}${seat === state.winner ? " best" : ""}`));
    label = state.trick.map(({ seat, card }) => `${names[seat]} ${word(card)}`).join(", ");
  } else {
    children = state.act === "end"
      ? [0, 1].map(side => make("span", "call", `${sideName(side)} ${signed(state.points[side])}`))
      : [make("span", "call", `${names[state.seat]} ${short(state)}`)];
  }
  $("middle").className = state.trick.length ? "trick" : "";
  picture($("middle"), label, children);
}

function showScores(state) {
  const both = (values, side) => values.filter((_, seat) => seat % 2 === side).join(" + ");
  const bids = state.bids.map((bid, seat) => bidWord(bid, state.double[seat]) || "–");
  [0, 1].forEach(side => {
    const cells = [both(bids, side), both(state.won, side), state.bags[side], minus(state.scores[side])];
    cells.forEach((text, n) => { $("scores").tBodies[0].rows[side].cells[n + 1].textContent = text; });
  });
}

function entry(number, state, n) {
  const hand = hands[number], fault = (hand.x || {})[n], note = (hand.n || {})[n];
  const item = make("li", state.winner === null ? "" : "closes"), button = make("button");
  const what = state.act === "end" ? "score" : `${names[state.seat]} ${short(state)}`;
  button.append(make("span", "", what), make("small", "", n ? time(hand.t[n - 1]) : ""));
  if (note && sees(state.seat)) button.append(make("q", "", note));
  if (fault) button.append(make("em", "", `Fault of ${names[fault[0]]}: ${fault[1]}: ${fault[2]}`));
  if ((hand.s || []).includes(n)) button.append(make("em", "", "The referee moved in its place."));
  button.addEventListener("click", () => jump(starts[number] + n));
  item.append(button);
  return item;
}

let listed = "";
function showMoves(number, states, step) {
  const moves = $("moves");
  if (listed !== `${number}/${viewer}`) {
    listed = `${number}/${viewer}`;
    moves.replaceChildren(...states.map((state, n) => entry(number, state, n)));
  }
  [...moves.children].forEach((item, n) => item.firstChild.toggleAttribute("aria-current", n === step));
  const now = moves.children[step];
  moves.scrollTop = now.offsetTop - (moves.clientHeight - now.offsetHeight) / 2;
}

function show() {
  const number = handAt(at), step = at - starts[number], states = statesOf(number), state = states[step];
  const next = states[step + 1], turn = next && next.act !== "end" ? next.seat : -1;
  names.forEach((_, seat) => showSeat(state, seat, turn));
  showMiddle(state);
  showScores(state);
  showMoves(number, states, step);
  const trick = state.number ? ` · trick ${state.number}` : state.deck && seats === 2 ? ` · ${state.deck} in the deck` : "";
  write("where", `Hand ${number + 1} of ${hands.length}${trick} · spades ${state.broken ? "broken" : "not broken"}`);
  write("turn", turn < 0 ? "" : `${names[turn]} to move`);
  write("said", sentence(state));
  $("slider").value = at;
  $("slider").setAttribute("aria-valuetext", `hand ${number + 1}, step ${step}: ${sentence(state)}`);
  for (const name in targets) $(name).setAttribute("aria-disabled", targets[name]() === at);
}

// -- where to: steps, tricks, hands, and the address of each --------------------------------------

const marksOf = number => statesOf(number).flatMap((state, n, states) =>
  n === 0 || state.winner !== null || state.act === "end" || state.act === "fault"
  || (states[n + 1] && states[n + 1].act === "play" && state.act !== "play") ? [starts[number] + n] : []);

const targets = {
  first: () => 0,
  hand_back: () => starts[Math.max(0, handAt(at) - (at === starts[handAt(at)] ? 1 : 0))],
  trick_back: () => {
    const number = handAt(at);
    return marksOf(number).filter(mark => mark < at).at(-1) ?? (number ? marksOf(number - 1).at(-1) : 0);
  },
  back: () => Math.max(0, at - 1),
  on: () => Math.min(last, at + 1),
  trick_on: () => marksOf(handAt(at)).find(mark => mark > at) ?? Math.min(last, starts[handAt(at) + 1] ?? last),
  hand_on: () => starts[handAt(at) + 1] ?? last,
  last: () => last,
};

function address() {
  const number = handAt(at), step = at - starts[number], state = statesOf(number)[step], hand = `#h=${number + 1}`;
  if (state.act !== "play") return step ? `${hand}&m=${step}` : hand;
  return `${hand}&t=${state.number}${state.winner === null ? `&c=${state.trick.length}` : ""}`;
}

function fromAddress() {
  const parts = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (!/^\d+$/.test(parts.h)) return null;
  const number = Math.min(Math.max(parts.h, 1), hands.length) - 1, states = statesOf(number);
  let step = Math.min(Math.max(parts.m | 0, 0), states.length - 1);
  if (parts.t) {
    const found = states.findLastIndex(state =>
      state.act === "play" && state.number <= parts.t && !(state.number == parts.t && state.trick.length > parts.c));
    step = Math.max(found, 0);
  }
  return starts[number] + step;
}

function go(step) {
  at = step;
  show();
  const hash = address();
  if (location.hash !== hash) history.replaceState(null, "", hash);
}

let timer = null;
function stop() {
  clearTimeout(timer);
  timer = null;
  write("play", "Play");
  $("said").setAttribute("aria-live", "polite");
}

function tick() {
  timer = setTimeout(() => {
    go(targets.on());
    if (at === last) stop();
    else tick();
  }, 1000 / $("speed").value);
}

function play() {
  if (timer !== null) return stop();
  if (at === last) go(0);
  write("play", "Pause");
  $("said").setAttribute("aria-live", "off");
  tick();
}

function jump(step) {
  stop();
  go(step);
}

for (const name in targets) on(name, "click", () => jump(targets[name]()));
on("play", "click", play);
$("slider").max = last;
on("slider", "input", event => jump(+event.target.value));
on("view", "change", event => { viewer = +event.target.value; show(); });
on("four", "change", event => $("replay").classList.toggle("four", event.target.checked));
addEventListener("hashchange", () => jump(fromAddress() ?? at));
addEventListener("keydown", event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select")) return;
  const keys = event.shiftKey
    ? { ArrowLeft: "trick_back", ArrowRight: "trick_on" }
    : { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  if (event.target.closest("#felt")) Object.assign(keys, { ArrowUp: "hand_back", ArrowDown: "hand_on" });
  if (event.key === " " && !event.target.closest("button, a, summary")) play();
  else if (keys[event.key]) jump(targets[keys[event.key]]());
  else return;
  event.preventDefault();
});

$("replay").hidden = false;
at = fromAddress() ?? 0;
show();
