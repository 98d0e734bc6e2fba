"""The leaderboard page: what stands in each cell, and the words around the table.

It knows the standings and the facts of the run; it never computes a rating.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.ratings.standing import Standing, Table
from arena.record import BotRef
from arena.report import text
from arena.report.facts import Facts, details, summarise
from arena.report.habits import Times
from arena.report.links import NOTHING_BESIDE, Beside, Link

BAR_WIDTH, BAR_MARGIN = 200, 8


@dataclass(frozen=True, slots=True)
class Column:
    """A column's title, how its values sort (`rank`, `text`, `number`), and how it is set."""

    title: str
    sort: str = ""
    number: bool = False
    heads_row: bool = False


COLUMNS = (
    Column("Rank", "rank", number=True),
    Column("Bot", "text", heads_row=True),
    Column("Version", "text"),
    Column("Rating", "number", number=True),
    Column("95 % interval"),
    Column("Conservative", "number", number=True),
    Column("Games", "number", number=True),
    Column("W-D-L", number=True),
    Column("Won", "number", number=True),
    Column("Points a board", "number", number=True),
    Column("Faults", "number"),
    Column("Reply", "number", number=True),
)


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval drawn to the scale that all rows share, in units of the drawing."""

    low: float
    mean: float
    width: float
    centre: float | None


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell says, and the value it sorts by; None sorts last either way."""

    text: str
    value: str | float | None = None
    small: str = ""
    bar: Bar | None = None
    file: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A bot's cells; `opens_group`: the ratings tell it from the row above."""

    cells: tuple[Cell, ...]
    opens_group: bool


class _Scale:
    """Maps ratings to the drawing's width."""

    def __init__(self, table: Table) -> None:
        rated = [standing for standing in table.standings if standing.games]
        self._low = min((standing.low for standing in rated), default=0.0)
        high = max((standing.high for standing in rated), default=1.0)
        self._range = high - self._low or 1.0

    def place(self, rating: float) -> float:
        """Give the place of a rating, to a tenth."""
        share = (rating - self._low) / self._range
        return round(BAR_MARGIN + share * (BAR_WIDTH - 2 * BAR_MARGIN), 1)

    def bar(self, standing: Standing, centre: float) -> Bar:
        """Draw one bot's interval."""
        low, high = self.place(standing.low), self.place(standing.high)
        middle = self.place(centre)
        inside = 0 <= middle <= BAR_WIDTH
        width = round(high - low, 1)
        return Bar(low, self.place(standing.mu), width, middle if inside else None)


def _rows(table: Table, entrants: Mapping[str, BotRef], beside: Beside) -> Iterator[Row]:
    scale = _Scale(table)
    rated = [standing.mu for standing in table.standings if standing.games]
    centre = sum(rated) / len(rated) if rated else 0.0
    for number, tier in enumerate(table.tiers()):
        for standing in tier:
            bot = Cell(standing.bot, standing.bot, file=beside.bots.get(standing.bot, ""))
            version = _version(entrants.get(standing.bot))
            rank, *rating = _rating(standing, scale.bar(standing, centre))
            reply = _reply(beside.times.get(standing.bot))
            row = (rank, bot, version, *rating, *_record(standing), reply)
            yield Row(row, opens_group=number > 0 and standing is tier[0])


def _version(ref: BotRef | None) -> Cell:
    return Cell(ref.version, ref.version, text.short_digest(ref.digest)) if ref else Cell("")


def _rating(standing: Standing, bar: Bar) -> tuple[Cell, ...]:
    """Tell rank, rating, interval and conservative score; nothing of a bot without games."""
    if not standing.games:
        return (Cell(text.NOTHING),) * 4
    return (
        Cell(text.span(standing.rank_low, standing.rank_high), standing.rank),
        Cell(text.number(standing.mu, 2), standing.mu),
        Cell(f"{text.number(standing.low)} to {text.number(standing.high)}", bar=bar),
        Cell(text.number(standing.conservative, 2), standing.conservative),
    )


def _record(standing: Standing) -> tuple[Cell, ...]:
    record = f"{standing.wins}-{standing.draws}-{standing.losses}"
    won = standing.wins / standing.games if standing.games else None
    points = text.signed(standing.points_per_board)
    is_known = None not in (standing.points_per_board, standing.points_se)
    error = f"± {text.number(standing.points_se)}" if is_known else ""
    return (
        Cell(f"{standing.games:,}", standing.games),
        Cell(record),
        Cell(text.percent(won), won),
        Cell(points, standing.points_per_board, error),
        Cell(text.faults(standing.faults), sum(standing.faults.values())),
    )


def _warnings(table: Table, facts: Facts, beside: Beside) -> Iterator[tuple[Link, ...]]:
    """Warn of what the table does not show; the pages of bots that are not in it are led to."""
    yield from ((Link(said),) for said in _cautions(table, facts))
    for name, last in facts.withdrawn.items():
        why = f" was withdrawn for too many faults in match {last}; later ones do not count."
        yield Link(name, beside.bots.get(name, "")), Link(why)
    rated = {standing.bot for standing in table.standings}
    missing = [name for name in facts.entrants if name not in rated]
    if missing:
        yield (
            Link("Under half of the schedule played, and so not rated: "),
            *_listed(missing, beside),
        )


def _listed(names: Sequence[str], beside: Beside) -> Iterator[Link]:
    """Lead to each bot's page, with what stands between and after."""
    for place, name in enumerate(names, 1):
        yield Link(name, beside.bots.get(name, ""))
        yield Link("." if place == len(names) else ", ")


def _cautions(table: Table, facts: Facts) -> Iterator[str]:
    if not facts.is_finished:
        yield "The tournament is not finished; this is the table so far."
    if facts.played == 0:
        yield "No game is played, so that nothing is known of any bot."
    if not table.is_connected:
        groups = "; ".join(", ".join(group) for group in table.groups)
        yield f"These groups never met, so that ratings do not compare across them: {groups}."
    if "none" in facts.sandboxes:
        yield "Bots ran without a sandbox: they could read and change whatever the organiser can."
    if table.is_intransitive:
        yield (
            f"A rock-paper-scissors field (φ = {text.number(table.phi, 2)}): "
            "one number a bot does not say who beats whom, read the crosstable."
        )


def _how_rated(settings: object, table: Table) -> Iterator[str]:
    """Say how the ratings came about, by the run's own settings."""
    known = settings if isinstance(settings, dict) else {}
    if known.get("kind") != "trueskill":
        yield f"Ratings are of the kind {known.get('kind', 'that the run names')}."
        return
    set_to = {name: known[name] for name in ("mu", "sigma", "beta", "tau") if name in known}
    values = ", ".join(f"{name} {value:.4g}" for name, value in set_to.items())
    draws = f"draw probability {text.percent(table.draw_probability, 1)}"
    model = f"Ratings are TrueSkill's model ({'; '.join(filter(None, (values, draws)))})"
    if known.get("mode") == "online":
        yield f"{model}, changed game by game in the order of the schedule."
        return
    yield (
        f"{model}, solved over all results at once, so that their order does not matter, "
        "and centred on the mean of the field."
    )
    yield (
        "The interval holds a bot's true rating 95 times in 100. It is widened by the root of φ "
        f"where φ is above 1; here φ is {text.number(table.phi, 2)}. φ compares the "
        "results of each match-up with what the ratings expect: 1 is as expected."
    )


def _explained(table: Table, facts: Facts) -> Iterator[str]:
    yield from _how_rated(facts.meta.config.get("rating"), table)
    yield (
        "A rank is an interval too: a bot cannot be above those who are better at 95 %, nor below "
        "those who are worse. Bots with the same interval are one group, told apart by a heavier "
        "line. Within it, the order is by rating and means little."
    )
    if facts.luck is not None:
        yield _luck_explained(facts.luck)
    yield (
        "Conservative is the rating less three deviations. Points a board is the side's margin in "
        "finished games, against the same opponents, with its standard error; it is no part of the "
        "rating, and large where an opponent sinks without end. A game lost by a fault counts as "
        "lost; a void game counts for no one."
    )


def _luck_explained(luck: float) -> str:
    return (
        "Deal luck compares the two sittings of each board, where the sides hold each other's "
        f"cards: what their margins have in common is the cards'. Here that is {text.percent(luck)}"
        "; playing every board from both sides takes it out of the comparison."
    )


def _reply(times: Times | None) -> Cell:
    if times is None or times.mean is None:
        return Cell(text.NOTHING)
    return Cell(text.duration(times.mean), times.mean, f"99 %: {text.duration(times.within(0.99))}")


def content(table: Table, facts: Facts, beside: Beside = NOTHING_BESIDE) -> dict[str, object]:
    """Give the template what it shows."""
    return {
        "summary": summarise(facts),
        "warnings": tuple(_warnings(table, facts, beside)),
        "caption": "Best first. The bars share one scale; the dashed line is the field's mean.",
        "columns": COLUMNS,
        "rows": tuple(_rows(table, facts.entrants, beside)),
        "details": [{"what": what, "text": said} for what, said in details(facts)],
        "explained": tuple(_explained(table, facts)),
    }
