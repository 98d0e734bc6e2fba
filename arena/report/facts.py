"""What a report says about its tournament, read from the store; it never knows how pages look.

Nothing here depends on when or how fast the tournament was played, so that a resumed run has the
report of an unbroken one; but for `delays`, which are left out with the bots' times. Rules: D1a.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from arena.formats.withdrawal import Withdrawals, counted
from arena.ratings.luck import deal_luck
from arena.record import BotRef, Delay, FaultPolicy, Limits
from arena.report.text import count, duration, integer, number, percent, size
from arena.store import Meta, PlannedMatch, Store


@dataclass(frozen=True, slots=True)
class Facts:
    """A tournament as far as it is played; `seed` None: it is not published yet.

    `played` and `void` are games that count, which are the same however fast they were played;
    `withdrawn` gives the last match that counts of each entrant who is out.
    """

    meta: Meta
    seed: str | None
    is_finished: bool
    planned: int
    """Games of the schedule, as far as it is known."""
    played: int
    void: int
    sandboxes: tuple[str, ...]
    limits: tuple[Limits, ...]
    """What a bot could use, each set of limits that matches were played under."""
    withdrawn: Mapping[str, int]
    matches: tuple[PlannedMatch, ...] = ()
    """The matches that are played and count."""
    delays: tuple[Delay, ...] = ()
    """The machine's own delay, each time that it was measured."""
    luck: float | None = None
    """The share of the scatter of margins that is the deal's, where it can be told."""

    @property
    def entrants(self) -> dict[str, BotRef]:
        """Give the bots by name."""
        return {ref.bot: ref for ref in self.meta.entrants}


def gather(store: Store, *, times: bool = True) -> Facts:
    """Read what the pages tell, with what clocks measured or without."""
    withdrawals = Withdrawals(store.meta.faults.limit)
    scores: list[float | None] = []
    matches: set[int] = set()
    for result in counted(store.results(), withdrawals):
        scores.append(result.score)
        matches.add(result.match)
    played = list(store.played())
    return Facts(
        meta=store.meta,
        seed=store.seed,
        is_finished=store.is_finished,
        planned=store.counts().games,
        played=len(scores),
        void=scores.count(None),
        sandboxes=tuple(sorted({match.sandbox for match in played})),
        limits=tuple(dict.fromkeys(match.limits for match in played)),
        withdrawn=dict(withdrawals.last),
        delays=tuple(store.delays()) if times else (),
        luck=deal_luck(counted(store.results(), Withdrawals(store.meta.faults.limit))),
        matches=tuple(match.plan for match in played if match.plan.match in matches),
    )


def summarise(facts: Facts) -> str:
    """Say in a sentence or two how far the tournament is."""
    bots = count(len(facts.meta.entrants), "bot")
    games = count(facts.played, "game")
    if facts.is_finished:
        text = f"{facts.meta.game.capitalize()} Spades: {bots}, {games} played."
    else:
        text = (
            f"{facts.meta.game.capitalize()} Spades: {bots}, {games} of "
            f"{facts.planned:,} played. Unfinished: standings and results so far."
        )
    if facts.void:
        text += f" {facts.void:,} of them void, which count for no one."
    return text


def seed_words(facts: Facts) -> str:
    """Tell the seed once it is published, and until then its digest."""
    digest = f"SHA-256 {facts.meta.seed_sha256}"
    if facts.seed is not None:
        origin = "drawn by the run" if facts.meta.is_secret else "given in the configuration"
        return f"{facts.seed}, {origin}; {digest}"
    if facts.meta.is_secret:
        return f"secret until the end; {digest}, told before the first match"
    return f"given in the configuration; {digest}"


def clock_words(delay: Delay) -> str:
    """Tell what the machine itself charges bots for."""
    return (
        f"with {count(delay.jobs, 'match', 'matches')} at a time, a bot that answers at once is "
        f"charged {duration(delay.p50)}, {duration(delay.p99)} in the slowest of 100 moves, "
        f"{duration(delay.most)} at most"
    )


def fault_policy_words(faults: FaultPolicy) -> str:
    """Tell what a fault costs. Protocol: faults."""
    costs = {
        "forfeit": "loses the game",
        "substitute": "has the referee move in the bot's place, and the game goes on",
    }
    return f"{costs[faults.policy]}; after {count(faults.limit, 'fault')} it is withdrawn"


def limit_words(limits: Limits) -> str:
    """Tell what a bot may use, and whether it may think while others do."""
    cores = count(int(limits.cpus), "core") if limits.cpus == int(limits.cpus) else ""
    while_others = "stands still" if limits.freeze else "may go on thinking"
    text = (
        f"{size(limits.memory)} of memory, {cores or f'{number(limits.cpus, 2)} cores'}, "
        f"{count(limits.processes, 'process', 'processes')}, {size(limits.scratch)} of files, "
        f"{size(limits.log)} of log; it {while_others} while it is not asked"
    )
    named = (("image", limits.image), ("runtime", limits.runtime))
    return "; ".join([text, *(f"{name} {value}" for name, value in named if value)])


def details(facts: Facts) -> list[tuple[str, str]]:
    """List what was set, by name."""
    config = facts.meta.config
    found = [("Game", facts.meta.game), ("Format", _kind(config.get("format")).replace("_", " "))]
    boards = config.get("boards")
    if isinstance(boards, int):
        both = config.get("duplicate") is True
        found.append(("Boards", f"{boards} a pairing{', each from both sides' if both else ''}"))
    found.append(("Seed", seed_words(facts)))
    if facts.luck is not None:
        luck = f"{percent(facts.luck)} of the scatter of margins comes with the cards"
        found.append(("Deal luck", luck))
    found.append(("A fault", fault_policy_words(facts.meta.faults)))
    if facts.sandboxes:
        found.append(("Sandbox", ", ".join(facts.sandboxes)))
    found += [("Each bot has", limit_words(limits)) for limits in facts.limits]
    if facts.delays:
        worst = max(facts.delays, key=lambda delay: delay.p99)
        found.append(("Clock", clock_words(worst)))
    rules = config.get("rules")
    if isinstance(rules, dict) and rules:
        found.append(("Rules", _settings(rules)))
    time = config.get("time")
    if isinstance(time, dict) and time:
        found.append(("Seconds", _settings(time)))
    found.append(("Begun with", f"arena {facts.meta.arena}"))
    return found


def _kind(value: object) -> str:
    return str(value["kind"]) if isinstance(value, dict) and "kind" in value else str(value)


def _settings(values: dict[object, object]) -> str:
    return ", ".join(f"{key} {_spelled(value)}" for key, value in values.items())


def _spelled(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return integer(int(value)) if value == int(value) else number(value, 3).rstrip("0")
    return "none" if value is None else str(value)
