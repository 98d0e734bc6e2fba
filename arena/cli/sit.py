"""The command by which a person sits down at a table of bots: `play`.

It knows who sits where and where the game is kept, which is a tournament of one game; how a person
is asked, the person's module says.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import count as numbers
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import msgspec
import typer

from arena import tournament
from arena.bots import Bot, Manifest
from arena.builds import ready_bot
from arena.cli.exam import SandboxName
from arena.cli.locate import RESULTS
from arena.cli.named import complete_bot, named_bot
from arena.cli.options import one_of
from arena.cli.person import Person, TakeBack
from arena.cli.scene import YOU
from arena.cli.terminal import print_path, say, warn
from arena.config import Choice, Tournament
from arena.errors import InputError, Problem
from arena.formats.table import TableOptions
from arena.match import game_type, play_match
from arena.plugins import EXECUTORS, GAMES, RATINGS, load_plugin, plugins
from arena.protocol import TimeControl
from arena.record import BotRef, FaultPolicy, Limits, MatchRecord
from arena.sandbox import Launch, Sandbox, open_sandbox
from arena.session import Session
from arena.store import PlannedMatch
from arena.tournament.opening import draw_seed
from arena.tournament.planning import to_spec

_NOTHING = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
"""The digest of an empty folder, which is what a person has."""

Bots = Annotated[
    list[Path],
    typer.Argument(
        metavar="BOT…",
        help="The folder of each bot, or its name in ./bots, such as ann or ann@1.2; they take the "
        "seats after yours in turn.",
        autocompletion=complete_bot,
        show_default=False,
    ),
]
GameName = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="|".join(plugins(GAMES)),
        callback=lambda value: value if value is None else one_of(plugins(GAMES))(value),
        autocompletion=lambda: list(plugins(GAMES)),
        show_default="the first that the bot plays",
        help="What to play.",
    ),
]


def play(  # noqa: PLR0913, PLR0917  # one for each option
    bots: Bots,
    game: GameName = None,
    seat: Annotated[int, typer.Option(min=0, max=3, help="Where you sit.")] = 0,
    hands: Annotated[int | None, typer.Option(min=1, help="Hands to play at most.")] = None,
    hints: Annotated[
        bool, typer.Option("--hints", help="Show what the first bot would do in your seat.")
    ] = False,
    undo: Annotated[
        bool, typer.Option("--undo", help="Let u take your last move back, as often as you like.")
    ] = False,
    seed: Annotated[str | None, typer.Option("--seed", help="Play these cards again.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="The results folder.", show_default="results/play-BOT"
        ),
    ] = None,
    sandbox: SandboxName = "auto",
) -> None:
    """Sit at the table against bots, here in the terminal.

    In partnership, two bots sit so that the second is your partner. The game is kept as any other:
    look at it with `arena report`, and check it with `arena verify`. One that you leave is not.
    """
    with ExitStack() as opened, TemporaryDirectory(prefix="arena-play-") as shelf:
        loaded = [opened.enter_context(named_bot(bot)) for bot in bots]
        chosen = game or loaded[0].manifest.games[0]
        _refuse_unfit(loaded, chosen, seat)
        folder = out or _free_folder(loaded[0].ref.bot)
        held = open_sandbox(sandbox)
        ready = [ready_bot(bot, Path(shelf), held) for bot in loaded]
        for bot in ready:
            if bot.unbuilt is not None:
                raise InputError([Problem(f"cannot be built: {bot.unbuilt[1]}", bot.ref.bot)])
        seats = _seats([bot.ref.bot for bot in ready], game_type(chosen).seats, seat)
        table = _lay((_you(chosen), *ready), seats, hands, folder, seed)
        adviser = ready[0] if hints else None
        planned = PlannedMatch(1, 1, seats, (1,), 1)
        record = _play(table, planned, seat, held, adviser, may_take_back=undo)
    print_path(folder)
    _say_what_next(record, folder)


def _refuse_unfit(bots: Sequence[Bot], game: str, seat: int) -> None:
    problems = [
        Problem(f"{bot.ref.bot} does not play {game}", str(bot.folder))
        for bot in bots
        if game not in bot.manifest.games
    ]
    if any(bot.ref.bot.casefold() == YOU for bot in bots):
        problems.append(Problem(f"a bot is called {YOU}", remedy="rename it in its bot.yaml"))
    refs = {bot.ref.bot: bot.ref for bot in bots}
    if any(refs[bot.ref.bot] != bot.ref for bot in bots):
        problems.append(Problem("two bots have one name", remedy="rename one in its bot.yaml"))
    seats = game_type(game).seats
    if seat >= seats:
        problems.append(
            Problem(f"there is no seat {seat}", key="--seat", remedy=f"0 to {seats - 1}")
        )
    if len(bots) >= seats:
        remedy = f"name at most {seats - 1}"
        problems.append(Problem(f"{len(bots)} bots have no room beside you", remedy=remedy))
    if problems:
        raise InputError(problems)


def _seats(bots: Sequence[str], seats: int, mine: int) -> tuple[str, ...]:
    """Name who sits where: after the person's seat, the bots in turn."""
    return tuple(
        YOU if seat == mine else bots[((seat - mine) % seats - 1) % len(bots)]
        for seat in range(seats)
    )


def _names(seats: Sequence[str], mine: int) -> list[str]:
    """Tell one bot in several seats apart."""
    partner = (mine + 2) % 4 if len(seats) == 4 else mine
    names = []
    for seat, bot in enumerate(seats):
        again = f"{bot} ({seat})" if seats.count(bot) > 1 else bot
        names.append(f"{bot} (partner)" if seat == partner != mine else again)
    return names


def _you(game: str) -> Bot:
    manifest = Manifest(YOU, "1", (game,), (YOU,), 1)
    return Bot(BotRef(YOU, "1", _NOTHING), Path(), manifest)


def _free_folder(bot: str) -> Path:
    """Name a folder that is not there yet."""
    names: Iterator[str] = (f"play-{bot}{f'-{one}' if one > 1 else ''}" for one in numbers(1))
    return next(RESULTS / name for name in names if not (RESULTS / name).exists())


def _lay(
    bots: tuple[Bot, ...], seats: tuple[str, ...], hands: int | None, folder: Path, seed: str | None
) -> Tournament:
    """Lay the table: a tournament of one match, which is written down when it is over."""
    (game,) = bots[0].manifest.games
    rules = msgspec.to_builtins(game_type(game).rules_type())
    rating, executor = load_plugin(RATINGS, "trueskill"), load_plugin(EXECUTORS, "local")
    return Tournament(
        file=Path(),
        name=folder.name,
        game=game,
        seed=seed or draw_seed(),
        bots=bots,
        boards=1,
        duplicate=False,
        partners="same",
        given=(),
        rules={**rules, "max_hands": hands or rules["max_hands"]},
        time=TimeControl(),
        faults=FaultPolicy("substitute"),
        sandbox="auto",
        limits=Limits(),
        format=Choice("table", TableOptions(seats)),
        rating=Choice("trueskill", rating.options_type()),
        executor=Choice("local", executor.options_type()),
        out=folder,
    )


def _play(
    table: Tournament,
    planned: PlannedMatch,
    seat: int,
    held: Sandbox,
    adviser: Bot | None,
    *,
    may_take_back: bool,
) -> MatchRecord:
    """Play the match, and write it down when it is over.

    To take a move back, all sit down again and the person's moves but the last are made once more:
    bots that draw their randomness from their seed answer as they did.
    """
    assert table.seed is not None
    spec = to_spec(table, planned, table.seed, held.name)
    bots = {bot.ref.digest: bot for bot in table.bots}
    names, given = _names(planned.seats, seat), list[object]()
    record = None
    while record is None:
        advisor = _advisor(adviser, held, table.limits)
        person = Person(names, advisor, given, may_take_back=may_take_back)
        try:
            record = play_match(spec, bots, held, {seat: person})
        except TakeBack:
            given = person.made[:-1]
            say("your last move is taken back")
    with closing(tournament.open_run(table)) as store:
        store.plan([planned], boards_return=False)
        store.write(record)
        store.finish()
    return record


def _advisor(adviser: Bot | None, held: Sandbox, limits: Limits) -> Session | None:
    if adviser is None:
        return None
    return Session(held.launch(Launch(adviser.command, adviser.folder, limits)), limits.log)


def _say_what_next(record: MatchRecord, folder: Path) -> None:
    for fault in (fault for game in record.games for fault in game.faults):
        warn(f"seat {fault.seat} was at fault: {fault.kind.value} {fault.detail}")
    say(f"kept; look at it with: arena report {folder}")
