"""What a seat's processes were sent in a stored game, from their first line on.

It knows how a run's settings shape a sitting; it never knows who listens to it now.
"""

from arena.errors import InputError, Problem, StoreError
from arena.match import game_type, hello_to, start_again
from arena.protocol import Hello, TimeControl
from arena.record import MatchSpec
from arena.referee import Life, UnplayableRecord, retell
from arena.store import GameKey, PlayedMatch, Store


def told_to(store: Store, key: GameKey, seat: int, *, can_freeze: bool) -> tuple[Hello, list[Life]]:
    """Give the first line and the requests of each process of a seat, up to the end of a game.

    `can_freeze`: whether the processes could be frozen, which no record says. Raises `InputError`
    for a game that is not there and for a run whose seed is still a secret, `StoreError` for
    records that make no sense.
    """
    if not store.is_finished or store.seed is None:
        remedy = "let it finish first; until then the seeds of its bots are secret"
        raise InputError([Problem("is not finished", str(store.folder), remedy=remedy)])
    match = store.played_match(key.match)
    seats = game_type(store.meta.game).seats
    stored = set(store.keys(key.match))
    if match is None or key not in stored:
        raise InputError([Problem(f"there is no game of {key}", str(store.folder))])
    if seat not in range(seats):
        remedy = f"0 to {seats - 1}"
        raise InputError([Problem(f"there is no seat {seat}", key="--seat", remedy=remedy)])
    spec = _spec(store, match, store.seed)
    if key.board not in spec.boards:
        raise StoreError(f"{store.folder}: {key} was never planned; run arena verify")
    boards = spec.boards[: spec.boards.index(key.board) + 1]
    places = [GameKey(key.match, board, key.sitting) for board in boards]
    for place in places:
        if place not in stored:
            raise StoreError(f"{store.folder}: {place} is missing; run arena verify")
    records = [store.game(*place) for place in places]
    try:
        lives = retell(
            records,
            seat,
            spec.time,
            spec.faults,
            start_again,
        )
    except UnplayableRecord as error:
        raise StoreError(f"{store.folder}: {key}: {error}") from error
    return hello_to(spec, key.sitting, seat, can_freeze=can_freeze), lives


def _spec(store: Store, match: PlayedMatch, seed: str) -> MatchSpec:
    """Write a stored match down again as it was handed to a worker."""
    refs = {ref.bot: ref for ref in store.meta.entrants}
    plan = match.plan
    return MatchSpec(
        match=plan.match,
        round=plan.round,
        game=store.meta.game,
        rules=store.setting("rules", dict[str, bool | int | str | None]),
        seed=seed,
        boards=plan.boards,
        sittings=plan.sittings,
        seats=tuple(refs[name] for name in plan.seats),
        time=store.setting("time", TimeControl),
        faults=store.meta.faults,
        sandbox=match.sandbox,
        limits=match.limits,
    )
