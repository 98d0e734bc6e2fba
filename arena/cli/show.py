"""Commands that show what was played: `leaderboard`, `report`, `export`, `rate`.

It knows where each output goes; it never changes a result.
"""

import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from arena import report as site
from arena.cli.locate import find_run
from arena.cli.options import Run, folder_of, one_of
from arena.cli.standings import print_standings, warn_of_table
from arena.cli.terminal import print_path, say, write_bytes
from arena.errors import InputError, Problem, did_you_mean, naming
from arena.plugins import RATINGS, load_plugin
from arena.ratings.results_list import parse_results
from arena.ratings.standing import Rating, Table
from arena.record import BotRef, encode_game
from arena.report.export import export_tables
from arena.report.printing import find_browser, print_pages
from arena.report.tables import leaderboard_csv, leaderboard_json
from arena.report.text import count, printable_json
from arena.store import Store
from arena.tournament import Withdrawn, counted_games, history, standings, withdrawn

TABLE, JSON, CSV = SHAPES = ("table", "json", "csv")
"""How a leaderboard is printed."""
_STANDARD_INPUT = Path("-")
_PAGES: dict[str, site.GamePages] = {
    "all": "all", "interesting": "interesting", "none": "none",
}  # fmt: skip

Format = Annotated[
    str,
    typer.Option(
        "--format",
        metavar="|".join(SHAPES),
        callback=one_of(SHAPES),
        autocompletion=lambda: list(SHAPES),
        help="A table for people, or every column for programs.",
    ),
]


Times = Annotated[
    bool, typer.Option("--us/--no-us", help="With the bots' microseconds, or without.")
]


def leaderboard(run: Run, shape: Format = TABLE) -> None:
    """Print the leaderboard of a tournament, finished or not."""
    with Store(find_run(run)) as store:
        entrants = {ref.bot: ref for ref in store.meta.entrants}
        print_table(standings(store), shape, entrants, withdrawn(store))
        say_how_far(store)


def print_table(
    table: Table,
    shape: str,
    entrants: Mapping[str, BotRef],
    out: Sequence[Withdrawn] = (),
) -> None:
    """Print standings on standard output in the shape asked for, and warn of what they hide."""
    if shape == JSON:
        write_bytes(leaderboard_json(table, entrants))
    elif shape == CSV:
        write_bytes(leaderboard_csv(table, entrants))
    else:
        print_standings(table, out)
    warn_of_table(table, out)


def say_how_far(store: Store) -> None:
    """Tell the person watching that a table is not the last one."""
    if not store.is_finished:
        counts = store.counts()
        how_far = f"{counts.games_played:,} of {count(counts.games, 'game')} played"
        say(f"unfinished: {how_far if counts.games else 'no game is scheduled yet'}")


def report(
    run: Run,
    games: Annotated[
        str,
        typer.Option(
            "--games",
            metavar="|".join(_PAGES),
            callback=one_of(_PAGES),
            autocompletion=lambda: list(_PAGES),
            help="Which games get a page of their own.",
        ),
    ] = "interesting",
    us: Times = True,
    pdf: Annotated[
        bool,
        typer.Option("--pdf", help="Print leaderboard and crosstable as PDF, with Chromium."),
    ] = False,
) -> None:
    """Build the report of a tournament again, and tell where it is.

    Interesting games are the closest, the longest, upsets, and those with faults.
    """
    folder = find_run(run)
    browser = find_browser() if pdf else None
    with Store(folder) as store:
        table, rounds = standings(store), history(store)
        page = site.build(store, table, folder / "report", _PAGES[games], rounds, times=us)
        papers = print_pages(page.parent, browser, store.meta.created) if browser else []
        say_how_far(store)
    for path in (page, *papers):
        print_path(path)


def rate(
    results: Annotated[
        Path,
        typer.Argument(
            metavar="RESULTS.csv",
            help="A line a game: columns a, b and score, which is 1, 0.5 or 0 for a, or void; - "
            "reads standard input.",
            show_default=False,
        ),
    ],
    shape: Format = TABLE,
) -> None:
    """Rate a list of results from anywhere: the same table as a tournament's."""
    listed = parse_results(_read(results), _called(results))
    names = sorted({name for result in listed for side in result.sides for name in side})
    kind = load_plugin(RATINGS, "trueskill")
    rating: Rating = kind(kind.options_type())
    print_table(rating.table(names, listed), shape, {})


def _read(path: Path) -> str:
    """Read a list's text. Raises `InputError` where there is none, `OSError` as the system does."""
    is_piped = path == _STANDARD_INPUT
    try:
        raw = sys.stdin.buffer.read() if is_piped else path.read_bytes()
    except FileNotFoundError:
        near = did_you_mean(path.name, (one.name for one in path.parent.glob("*.csv")))
        raise InputError([Problem("no such file", str(path), remedy=near)]) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"not UTF-8: {error.reason} at byte {error.start}"
        raise InputError([Problem(what, _called(path), remedy="save it as UTF-8")]) from None


def _called(path: Path) -> str:
    return "standard input" if path == _STANDARD_INPUT else str(path)


def export(
    run: Run,
    us: Times = True,
    tables: Annotated[
        Path | None,
        typer.Option(
            "--tables",
            metavar="DIR",
            parser=folder_of,
            help="Write CSV files into this folder instead of records.",
        ),
    ] = None,
) -> None:
    """Print game records as JSON Lines, in the order of the schedule.

    While a run lasts, boards that anyone has still to play are held back.
    """
    with Store(find_run(run)) as store:
        withheld = store.boards_to_play()
        if tables is None:
            held_back = _print_games(store, withheld, us)
            if held_back:
                games = count(held_back, "game")
                say(f"{games} held back: someone has still to play on their boards")
        else:
            _write_tables(store, tables, withheld)


def _print_games(store: Store, withheld: frozenset[int], times: bool) -> int:
    """Print the games of all boards but these, and count those held back."""
    is_terminal = sys.stdout.isatty()
    held_back = 0
    for game in counted_games(store):
        if game.board in withheld:
            held_back += 1
            continue
        line = encode_game(game, times)
        write_bytes((printable_json(line.decode()).encode() if is_terminal else line) + b"\n")
    return held_back


def _write_tables(store: Store, folder: Path, withheld: Collection[int]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in export_tables(store, standings(store), withheld).items():
        path = folder / name
        with naming(path):
            path.write_bytes(content)
        print_path(path)
