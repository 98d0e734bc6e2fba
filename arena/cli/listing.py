"""The command that lists the pool: `bots`.

It knows what a person wants to see of each version, and in which tournaments it played; by their
digests, so that games of other content under the same name are not counted.
"""

import shlex
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec
import typer
from rich.text import Text

from arena.bots import bot_folders, load_bot, pool_names, submitted, withdrawn_names
from arena.cli.columns import as_spelt, in_columns, print_columns, with_room
from arena.cli.locate import POOL, RESULTS, complete_run, find_run, known_runs
from arena.cli.pool import Pool
from arena.cli.terminal import say, shown, warn, write_json
from arena.errors import InputError, Problem, StoreError, did_you_mean
from arena.report.text import NOTHING, count, short_digest
from arena.store import Store
from arena.tournament import counted_results

_TITLES = ("Bot", "Version", "Digest", "Submitted", "Command", "Games", "Last result")
_LEAST = {"Bot": 8, "Version": 7, "Command": 8}
"""Columns that texts have at least."""
_EXPENDABLE = ("Command", "Digest", "Submitted")
"""What a narrow terminal does without, the first of it first."""


class Played(msgspec.Struct, frozen=True):
    """How a version did in one tournament, by the games that count; `run` is its folder's name."""

    run: str
    begun: str
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """Count the games."""
        return self.wins + self.draws + self.losses


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A version in the pool; `played` counts its games, and `last` is its last tournament."""

    name: str
    version: str
    digest: str
    submitted: datetime
    plays: tuple[str, ...]
    command: tuple[str, ...]
    folder: str
    played: int
    last: Played | None


ByDigest: TypeAlias = dict[str, list[Played]]
"""What each version played, in the order in which tournaments began."""


def bots(
    pool: Pool = POOL,
    run: Annotated[
        str | None,
        typer.Option(
            "--run",
            metavar="RUN",
            autocompletion=complete_run,
            help="Count only this tournament's games, not those of all under ./results.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """List the bots of the pool, each version with its last result.

    That is its wins, draws and losses in the latest of its tournaments.
    """
    if not pool.is_dir():
        near = did_you_mean(
            pool.name, (one.parent.parent.name for one in pool.parent.glob("*/*/bot.yaml"))
        )
        way = "name another with --pool, or take a bot in with: arena submit BOT"
        remedy = f"{near} {way}" if near and near.startswith("did") else way
        raise InputError([Problem("no such folder", str(pool), remedy=remedy)])
    listed = list(_list_pool(pool, run))
    if as_json:
        write_json(listed)
    else:
        _print_table(listed)
    names = {one.name for one in listed}
    say(f"{count(len(names), 'bot')} in {count(len(listed), 'version')}")
    if withdrawn := withdrawn_names(pool):
        say(f"withdrawn: {', '.join(withdrawn)}")


def _list_pool(pool: Path, run: str | None) -> Iterator[Listed]:
    """List what can be loaded, by name and date; warn of the rest, which no run would take."""
    found = []
    for name in pool_names(pool):
        for folder in sorted(bot_folders(pool / name), key=submitted):
            try:
                found.append((folder, load_bot(folder)))
            except InputError as error:
                for problem in error.problems:
                    warn(" ".join(str(problem).split()))
    played = _all_played(run, {bot.ref.digest for _, bot in found})
    for folder, bot in found:
        results = played.get(bot.ref.digest, [])
        yield Listed(
            name=bot.ref.bot,
            version=bot.ref.version,
            digest=bot.ref.digest,
            submitted=submitted(folder),
            plays=bot.manifest.games,
            command=bot.command,
            folder=str(folder),
            played=sum(one.games for one in results),
            last=results[-1] if results else None,
        )


def _all_played(run: str | None, digests: Collection[str]) -> ByDigest:
    """Count the games of one run, or of all under ./results that can be read."""
    folders = [find_run(run)] if run is not None else [RESULTS / name for name in known_runs()]
    found: ByDigest = {}
    for folder in folders:
        try:
            with Store(folder) as store:
                for digest, played in _played(store, digests):
                    found.setdefault(digest, []).append(played)
        except StoreError as error:
            if run is not None:
                raise
            warn(f"its games are not counted: {error}")
    for results in found.values():
        results.sort(key=lambda one: (one.begun, one.run))
    return found


def _played(store: Store, digests: Collection[str]) -> Iterator[tuple[str, Played]]:
    """Count the games in a run of each of some versions that played in it."""
    entered = {ref.bot: ref.digest for ref in store.meta.entrants if ref.digest in digests}
    scores: Counter[tuple[str, float]] = Counter()
    for result in counted_results(store) if entered else ():
        if result.score is not None:
            for side, score in zip(result.sides, (result.score, 1 - result.score), strict=True):
                scores.update((name, score) for name in side)
    for name, digest in entered.items():
        played = Played(
            store.folder.name, store.meta.created, *(scores[name, score] for score in (1, 0.5, 0))
        )
        if played.games:
            yield digest, played


def _print_table(listed: list[Listed]) -> None:
    rows = [
        (
            shown(one.name, "bold"),
            shown(one.version),
            Text(short_digest(one.digest)),
            Text(f"{one.submitted:%Y-%m-%d}"),
            shown(shlex.join(one.command)),
            Text(f"{one.played:,}"),
            shown(_result(one.last)),
        )
        for one in listed
    ]
    if rows:
        columns = as_spelt(in_columns(_TITLES, rows))
        scores = max(len(_score(one.last)) for one in listed)
        least = {**_LEAST, "Last result": max(len("Last result"), scores)}
        print_columns(with_room(columns, least, _EXPENDABLE), least, ("Games",))


def _result(last: Played | None) -> str:
    """Write the figures first, as a long name is cut."""
    return f"{_score(last)} {last.run}" if last else NOTHING


def _score(last: Played | None) -> str:
    return f"{last.wins}-{last.draws}-{last.losses}" if last else NOTHING
