"""The page of a bot: its opponents, its way to its rating, its faults, its bids and its replies.

It knows standings, counts and faults as they are given; it never computes a rating, and shows no
fault's words of a board that anyone has still to play. Rules: D1a.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from arena.ratings.standing import Meeting, Standing, Table
from arena.record import BotRef
from arena.report import text
from arena.report.faults import ShownFaults
from arena.report.habits import DECADE, Habits, Times, until
from arena.report.leaderboard import Column
from arena.report.links import Link, match_file
from arena.report.page import lines
from arena.report.plots import bar_plot, bubble_plot, interval_plot

COLUMNS = (
    Column("Opponent", "text", heads_row=True),
    Column("W-D-L", number=True),
    Column("Games", "number", number=True),
    Column("Won, draws half", "number", number=True),
    Column("Points a board", "number", number=True),
    Column("Better", "number", number=True),
    Column("Matches"),
)
"""The columns of the opponents' table."""
HEAD, TAIL = 1500, 2500
"""Characters of a log that are shown from its beginning and from its end."""
MOST_LOGS = 10
"""Logs that stand on a page."""


@dataclass(frozen=True, slots=True)
class Known:
    """All that is known of a bot: `matches` by opponent, `faults` with equal ones as one."""

    ref: BotRef
    table: Table
    history: Mapping[int, Table]
    matches: Mapping[str, Sequence[int]]
    files: Mapping[str, str]
    faults: Sequence[ShownFaults]
    habits: Habits
    times: Times | None
    is_withheld: bool


@dataclass(frozen=True, slots=True)
class Opponent:
    """A line of the opponents' table; values to sort by stand beside the texts."""

    name: Link
    cells: tuple[tuple[str, float | None], ...]
    matches: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing with its title and the table behind it."""

    title: str
    drawing: Markup
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def shorten_log(log: str) -> str:
    """Keep a log's head and tail."""
    if len(log) <= HEAD + TAIL:
        return log
    left = len(log) - HEAD - TAIL
    return f"{log[:HEAD]}\n[{left:,} characters left out]\n{log[-TAIL:]}"


def content(known: Known) -> dict[str, object]:
    """Give the template what it shows."""
    name = known.ref.bot
    places = {standing.bot: n for n, standing in enumerate(known.table.standings)}
    place = places.get(name)
    standing = None if place is None else known.table.standings[place]
    return {
        "name": name,
        "facts": list(_facts(known, standing)),
        "columns": COLUMNS,
        "opponents": [] if place is None else list(_opponents(known, place)),
        "faults": list(_with_logs(known.faults)),
        "is_withheld": known.is_withheld,
        "plots": [plot for plot in (_history(known), _bidding(known), _replies(known)) if plot],
    }


def _with_logs(faults: Iterable[ShownFaults]) -> Iterator[tuple[ShownFaults, Markup, str]]:
    """Give each fault its process's log, once on the page, or words that say where to find it."""
    shown: set[str] = set()
    for fault in faults:
        log = shorten_log(text.printable_lines(fault.log))
        if log in shown:
            yield fault, Markup(), "above"
        elif len(shown) == MOST_LOGS:
            yield fault, Markup(), "arena faults --format json"
        else:
            shown |= {log} - {""}
            yield fault, lines(log), ""


def _facts(known: Known, standing: Standing | None) -> Iterator[tuple[str, str]]:
    ref = known.ref
    yield "Version", ref.version
    yield "Digest", ref.digest
    if standing is None:
        yield "Rating", "none: it played too little, or was withdrawn"
    elif not standing.games:
        yield "Rating", "none: no game of it counts yet"
        yield "Faults", text.faults(standing.faults)
    else:
        yield "Rank", text.span(standing.rank_low, standing.rank_high)
        low, high = text.number(standing.low, 2), text.number(standing.high, 2)
        yield "Rating", f"{text.number(standing.mu, 2)}, at 95 % between {low} and {high}"
        record = f"{standing.wins} won, {standing.draws} drawn, {standing.losses} lost"
        yield "Games", f"{standing.games:,}: {record}"
        error = f" ± {text.number(standing.points_se)}" if standing.points_se is not None else ""
        yield "Points a board", text.signed(standing.points_per_board) + error
        yield "Faults", text.faults(standing.faults)
    yield from _bidding_facts(known.habits)
    if known.times is not None and known.times.replies:
        yield "Replies", _tell_times(known.times)


def _tell_times(times: Times) -> str:
    most, longest = text.duration(times.within(0.99)), text.duration(times.longest)
    return f"{text.duration(times.mean)} in the mean, 99 % within {most}, the longest {longest}"


def _bidding_facts(habits: Habits) -> Iterator[tuple[str, str]]:
    if not habits.sides:
        return
    yield "Mean bid", f"{text.number(habits.mean_bid, 2)}, nils left out"
    made = _share(habits.contracts_made, habits.contracts)
    yield "Contracts made", f"{made} of {habits.contracts:,}"
    yield "Nils made", _made(habits.nils_made, habits.nils)
    yield "Double nils made", _made(habits.doubles_made, habits.doubles)
    yield "Bags a hand", text.number(habits.bags / habits.sides, 2)


def _share(part: int, whole: int) -> str:
    return text.percent(part / whole) if whole else text.NOTHING


def _made(made: int, tried: int) -> str:
    return f"{made:,} of {tried:,} tried ({_share(made, tried)})" if tried else "none tried"


def _opponents(known: Known, place: int) -> Iterator[Opponent]:
    for column, standing in enumerate(known.table.standings):
        meeting = known.table.crosstable[place][column]
        if column != place and meeting.games:
            better = known.table.better[place][column]
            yield _opponent(known, standing.bot, meeting, better)


def _opponent(known: Known, name: str, meeting: Meeting, better: float | None) -> Opponent:
    return Opponent(
        name=Link(name, known.files.get(name, "")),
        cells=(
            (f"{meeting.wins}-{meeting.draws}-{meeting.losses}", None),
            (f"{meeting.games:,}", meeting.games),
            (text.percent(meeting.score), meeting.score),
            (text.signed(meeting.points), meeting.points),
            (text.chance(better), better),
        ),
        matches=tuple(Link(str(n), match_file(n)) for n in known.matches.get(name, ())),
    )


def _history(known: Known) -> Plot | None:
    points = []
    rows = []
    for number, table in known.history.items():
        for standing in table.standings:
            if standing.bot == known.ref.bot and standing.games:
                points.append((number, standing.mu, standing.low, standing.high))
                ranks = text.span(standing.rank_low, standing.rank_high)
                values = (standing.mu, standing.low, standing.high)
                rows.append((str(number), *(text.number(v, 2) for v in values), ranks))
    if not points:
        return None
    drawing = interval_plot(points, "The rating after each round, with its interval at 95 %")
    columns = ("Round", "Rating", "from", "to", "Rank")
    return Plot("Rating after each round", drawing, columns, tuple(rows))


def _bidding(known: Known) -> Plot | None:
    if not known.habits.bids:
        return None
    counts = [(*divmod(pair, 14), n) for pair, n in sorted(known.habits.bids.items())]
    drawing = bubble_plot(
        [(bid, won, n) for bid, won, n in counts],
        ("Bid", "Tricks won"),
        "How many tricks were won for each bid; larger discs are more hands",
    )
    rows = tuple((str(bid), str(won), f"{n:,}") for bid, won, n in counts)
    return Plot("Bids against tricks", drawing, ("Bid", "Won", "Hands"), rows)


def _replies(known: Known) -> Plot | None:
    times = known.times
    if times is None or not times.replies:
        return None
    coarse = DECADE // 5
    steps: dict[int, int] = {}
    for step, n in times.steps.items():
        steps[step // coarse] = steps.get(step // coarse, 0) + n
    first, last = min(steps), max(steps)
    ends = [text.duration(until((step + 1) * coarse - 1)) for step in range(first, last + 1)]
    counts = [steps.get(step, 0) for step in range(first, last + 1)]
    every = -(-len(ends) // 6)
    bars = [
        (end if n % every == 0 else "", c)
        for n, (end, c) in enumerate(zip(ends, counts, strict=True))
    ]
    drawing = bar_plot(bars, ("Reply within", "Replies"), "How many replies took how long")
    rows = tuple((end, f"{n:,}") for end, n in zip(ends, counts, strict=True))
    return Plot("Reply times", drawing, ("Within", "Replies"), rows)
