"""The command that lists what went wrong: `faults`.

It knows how a fault is told to an organiser and a bot's author; what one means, the protocol says.
No words of a board that anyone has still to play are shown: they may name its cards. Rules: D1a.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated

import msgspec
import typer

from arena.advice import advice_on, mistake
from arena.cli.entries import print_entry
from arena.cli.locate import find_run, known_runs
from arena.cli.options import Run, one_of
from arena.cli.terminal import print_line, say, write_json
from arena.errors import ArenaError, InputError, Problem, did_you_mean
from arena.protocol import ADVICE, FaultKind
from arena.report.faults import Logs
from arena.report.text import count, times
from arena.store import Store, StoredFault

TEXT, JSON = SHAPES = ("text", "json")
"""How faults are printed."""
INDENT, TITLE = 2, 10
"""Columns before the entries of a fault, and of their titles. JSON has more of a log."""
MOST_PLACES = 3
"""Places of further faults with one cause that are named."""
_ENDS = (FaultKind.CRASH.value, FaultKind.STARTUP.value)
"""The kinds that a log's last words tell apart."""
HOST = "host"
"""The kind of what is no bot's fault."""
HOST_ADVICE = (
    "nothing is lost, the match is played again; where it comes often, free memory, play fewer "
    "matches at a time, and look at: arena doctor"
)


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A fault as it is told; words and log are None where they are held back.

    `sitting` and `seat` count from 0, as in records; `decision` None is the start of a process.
    One of the host has a match, a detail and nothing else.
    """

    match: int
    round: int | None = None
    board: int | None = None
    sitting: int | None = None
    seat: int | None = None
    bot: str | None = None
    version: str | None = None
    kind: str
    hand: int | None = None
    decision: str | None = None
    expected: str | None = None
    said: str | None = None
    detail: str | None = None
    advice: str
    log: str | None = None


def complete_entrant(ctx: typer.Context, incomplete: str) -> list[str]:
    """Complete the name of a bot in a shell: of all runs where none is known of.

    The parser of a line that ends with an option drops the arguments before it.
    """
    run = ctx.params.get("run")
    names: set[str] = set()
    for word in known_runs() if run is None else [run]:
        with suppress(ArenaError), Store(find_run(word)) as store:
            names.update(ref.bot for ref in store.meta.entrants)
    return sorted(name for name in names if name.startswith(incomplete))


def faults(
    run: Run,
    bot: Annotated[
        str | None,
        typer.Option(
            "--bot",
            metavar="NAME",
            autocompletion=complete_entrant,
            help="Only those of one bot.",
        ),
    ] = None,
    shape: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="|".join(SHAPES),
            callback=one_of(SHAPES),
            autocompletion=lambda: list(SHAPES),
            help="For people, or everything for programs.",
        ),
    ] = TEXT,
) -> None:
    """List faults, those of one cause once: what the bot wrote, what to change, and its log.

    What the host failed at comes last; it is nobody's loss.

    While a run lasts, words about boards that anyone has still to play are held back.
    """
    with Store(find_run(run)) as store:
        if bot is not None:
            _check_entrant(store, bot)
        if shape == JSON:
            write_json(told_faults(store, bot))
        else:
            _print_all(told_faults(store, bot))


def _check_entrant(store: Store, bot: str) -> None:
    names = [ref.bot for ref in store.meta.entrants]
    if bot not in names:
        what = f"there is no bot {bot!r} in {store.meta.name}"
        raise InputError([Problem(what, remedy=did_you_mean(bot, names))])


def told_faults(store: Store, bot: str | None = None) -> Iterator[Told]:
    """Tell the faults of one bot, or of all and of the host, in the order of the schedule."""
    versions = {ref.bot: ref.version for ref in store.meta.entrants}
    withheld = store.boards_to_play()
    logs = Logs(store, withheld)
    for found in store.faults(bot):
        is_open = found.board not in withheld
        yield _tell(found, versions[found.entrant], logs.of(found), is_open=is_open)
    if bot is None:
        for failure in store.host_failures():
            yield Told(
                match=failure.match, kind=HOST, detail=failure.reason.strip(), advice=HOST_ADVICE
            )


def _tell(found: StoredFault, version: str, log: str | None, *, is_open: bool) -> Told:
    fault = found.fault
    return Told(
        match=found.match,
        round=found.round,
        board=found.board,
        sitting=found.sitting,
        seat=fault.seat,
        bot=found.entrant,
        version=version,
        kind=fault.kind.value,
        hand=fault.hand,
        decision=fault.decision.value if fault.decision else None,
        expected=fault.expected if is_open else None,
        said=fault.said if is_open else None,
        detail=fault.detail if is_open else None,
        advice=advice_on(fault.kind, fault.said, fault.detail) if is_open else ADVICE[fault.kind],
        log=log,
    )


@dataclass(slots=True)
class _Alike:
    """Faults of one bot with one cause: the first whose board may be shown stands for all."""

    shown: Told
    count: int = 0
    places: list[str] = field(default_factory=list)

    def add(self, one: Told) -> None:
        """Count one more."""
        self.count += 1
        if len(self.places) <= MOST_PLACES:
            self.places.append(_place(one))
        if self.shown.expected is None and one.expected is not None:
            self.shown = one


def _cause(told: Told) -> tuple[object, ...]:
    """Tell what faults with one cause share; the words of each may differ, as a debug line's do.

    What ended a process is told by the last line of its log, but for the figures in it.
    """
    last = (told.detail or "").splitlines()[-1:] if told.kind in _ENDS else []
    ending = [re.sub(r"\d+|['\"].*", "", line) for line in last]
    asked = told.decision if told.kind == FaultKind.ILLEGAL.value else None
    return told.bot, told.kind, mistake(told.advice), asked, *ending


def _print_all(told: Iterator[Told]) -> None:
    bots: Counter[str] = Counter()
    alike: dict[tuple[object, ...], _Alike] = {}
    failures = []
    for one in told:
        if one.bot is None:
            failures.append(one)
        else:
            bots[one.bot] += 1
            alike.setdefault(_cause(one), _Alike(one)).add(one)
    logs: set[tuple[object, ...]] = set()
    for group in alike.values():
        shown = group.shown
        process = shown.match, shown.sitting, shown.seat, shown.log  # it may live on after a fault
        _print(group, is_log_known=process in logs)
        logs.add(process)
    for failure in failures:
        _print_failure(failure)
    found = [f"{count(bots.total(), 'fault')} of {count(len(bots), 'bot')}"] if bots else []
    found += [f"{count(len(failures), 'failure')} of the host"] if failures else []
    say(", ".join(found) or "no faults")


def _print_failure(told: Told) -> None:
    """Print what the host failed at: its last line, as the rest is for programmers."""
    print_line(f"the host: match {told.match}", "bold")
    last = (told.detail or "").splitlines()[-1:] or ["no reason given"]
    print_line(f"  fault     {last[0]}")
    print_line(f"  fix       {told.advice}")


def _place(told: Told) -> str:
    return f"match {told.match}, board {told.board}, sitting {told.sitting}, seat {told.seat}"


def _print(alike: _Alike, *, is_log_known: bool) -> None:
    told = alike.shown
    often = f", {times(alike.count)}" if alike.count > 1 else ""
    print_line(f"{told.bot} {told.version}: {told.kind}{often}", "bold")
    others = [place for place in alike.places if place != _place(told)][:MOST_PLACES]
    left = alike.count - 1 - len(others)
    for title, text in (
        ("where", _place(told)),
        ("at", f"{told.decision} of hand {told.hand}" if told.decision else "its start"),
        ("fault", told.detail),
        ("expected", told.expected),
        ("came", told.said),
        ("fix", told.advice),
        ("also", "\n".join([*others, *([f"and {left:,} more"] if left > 0 else [])])),
    ):
        print_entry(title, text or "", INDENT, TITLE)
    if told.expected is None or told.log is None:
        print_line("  held back: someone has still to play on this board")
    elif is_log_known and told.log:
        print_line("  log       as before")
    else:
        print_entry("log", told.log, INDENT, TITLE)
