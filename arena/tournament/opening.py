"""Opening a tournament's results folder: begun with a seed of its own, or resumed unchanged.

It knows what must not change while a run lasts; it never plays a match.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterator
from datetime import UTC, datetime

from msgspec.structs import replace

from arena import __version__, builds
from arena.bots import Bot
from arena.config import Tournament, changes, resolved
from arena.errors import StoreError, in_words
from arena.record import BotRef
from arena.sandbox import open_sandbox
from arena.store import Meta, RunStore, Store, holds_run

SHELF = "bots"
"""Where the results folder keeps the bots that are played."""
_FREE = ("rating",)
"""Settings that no record depends on, and that may change when a run is resumed."""


def open_run(tournament: Tournament) -> RunStore:
    """Open the tournament's results folder for playing: a new run, or the one that was begun there.

    Raises `StoreError` where another run is at work, and where the config or a bot has changed
    since, naming each change.
    """
    if holds_run(tournament.out):
        return _resume(tournament)
    seed = draw_seed() if tournament.seed is None else tournament.seed
    meta = Meta(
        name=tournament.name,
        game=tournament.game,
        config=_in_force(tournament),
        entrants=tuple(bot.ref for bot in tournament.bots),
        seed_sha256=digest_seed(seed),
        is_secret=tournament.seed is None,
        arena=__version__,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        faults=tournament.faults,
    )
    return RunStore.begin(tournament.out, meta, seed, tournament.given)


def missing_programs(tournament: Tournament, store: RunStore) -> Iterator[tuple[str, str, str]]:
    """Tell of each bot that calls a program which is not there: its name, which, and the remedy.

    Raises `HostFault` where this machine cannot look.
    """
    sandbox = open_sandbox(tournament.sandbox, tournament.limits)
    shelf = store.folder / SHELF
    found = builds.missing_programs(tournament.bots, shelf, sandbox, tournament.limits)
    for bot, programs in found.items():
        yield bot, programs[0], builds.advice_on(programs[0], sandbox)


def ready_bots(
    tournament: Tournament, store: RunStore, begin: Callable[[Bot], None] = lambda _bot: None
) -> tuple[Bot, ...]:
    """Give the bots as they were entered: built copies in the results folder, out of reach.

    `begin` is told of each bot before it is built. Raises `StoreError` where they cannot be
    written, `InputError` where one is not what it was, `HostFault` where this machine cannot run a
    build.
    """
    sandbox = open_sandbox(tournament.sandbox, tournament.limits)
    try:
        shelf, limits = store.folder / SHELF, tournament.limits
        return tuple(
            builds.ready_bot(bot, shelf, sandbox, limits, begin) for bot in tournament.bots
        )
    except OSError as error:
        raise StoreError(f"{store.folder}: cannot keep the bots: {in_words(error)}") from error


def draw_seed() -> str:
    """Draw 128 random bits, which no bot can try out. Rules: D1a."""
    return secrets.token_hex(16)


def digest_seed(seed: str) -> str:
    """Give the SHA-256 of a seed's text, which binds the run to it. Rules: D1a."""
    return hashlib.sha256(seed.encode()).hexdigest()


def _in_force(tournament: Tournament) -> dict[str, object]:
    """Write the settings down, with the sandbox that `auto` is on this machine.

    So a run is not played half in one sandbox and half in another, and may be gone on with by that
    one's name. Raises `SandboxError` where there is none.
    """
    kind = open_sandbox(tournament.sandbox, tournament.limits).name
    return resolved(replace(tournament, sandbox=kind))


def _resume(tournament: Tournament) -> RunStore:
    store = RunStore.resume(tournament.out)
    try:
        config = _in_force(tournament)
        _refuse_changes(store, tournament, config)
        store.upgrade()
        if config != store.meta.config:
            store.set_config(config)
    except BaseException:
        store.close()
        raise
    return store


def refuse_changes(tournament: Tournament) -> None:
    """Refuse to go on with a run of other settings or bots, changing nothing.

    Raises `StoreError` naming each change, `SandboxError` where the settings' own is not there.
    """
    if holds_run(tournament.out):
        with Store(tournament.out) as store:
            _refuse_changes(store, tournament, _in_force(tournament))


def _refuse_changes(store: Store, tournament: Tournament, config: dict[str, object]) -> None:
    found = list(_changes(store, tournament, config))
    if found:
        lines = "\n".join(f"  {change}" for change in found)
        raise StoreError(
            f"{tournament.out}: holds a run of other settings or bots:\n{lines}\n"
            "undo the changes to go on with it, or set it aside and begin anew with --fresh"
        )


def _changes(store: Store, tournament: Tournament, config: dict[str, object]) -> Iterator[str]:
    """Name everything that has changed since the run was begun and would change its results."""
    if store.meta.arena != __version__ and not store.is_finished:
        yield f"arena: version {store.meta.arena}, now {__version__}"
    before = {key: value for key, value in store.meta.config.items() if key not in _FREE}
    now = {key: value for key, value in config.items() if key not in _FREE}
    yield from changes(before, now)
    if tournament.seed is None and not store.meta.is_secret:
        yield "seed: given, now left out"
    elif tournament.seed is not None and digest_seed(tournament.seed) != store.meta.seed_sha256:
        yield "seed: another one"
    entered = tuple(bot.ref for bot in tournament.bots)
    yield from _changed_bots(store.meta.entrants, entered)


def _changed_bots(before: tuple[BotRef, ...], now: tuple[BotRef, ...]) -> Iterator[str]:
    old = {ref.bot: ref for ref in before}
    new = {ref.bot: ref for ref in now}
    for name, ref in old.items():
        if name not in new:
            yield f"bot {name}: is gone"
        elif new[name] != ref:
            yield f"bot {name}: its folder has changed ({_spell(ref)}, now {_spell(new[name])})"
    for name in new:
        if name not in old:
            yield f"bot {name}: is new"
    if old.keys() == new.keys() and list(old) != list(new):
        yield f"bots: in the order {', '.join(old)}, now {', '.join(new)}"


def _spell(ref: BotRef) -> str:
    return f"version {ref.version}, {ref.digest[:15]}"
