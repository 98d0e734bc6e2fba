"""The crosstable page: who beat whom, and how sure the ratings are of each pair.

It knows meetings and probabilities; it never computes a rating. A cell is pale where its number
may well be luck, and its number stands in it, so that colour is never alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import erfc, sqrt

from arena.ratings.ranking import SURE
from arena.ratings.standing import Meeting, Table
from arena.report import text
from arena.report.facts import Facts, summarise
from arena.report.links import NOTHING_BESIDE, Beside, Cell, Link

LEVEL = 0.05
"""The sign test's level: above it a meeting is pale."""
EXACT_UP_TO = 1000
"""Decided games up to which the sign test counts exactly."""

COLUMNS = ("bot", "opponent", "games", "wins", "draws", "losses", "score", "points", "better")
"""The columns of the crosstable as CSV, a row for each ordered pair."""


@dataclass(frozen=True, slots=True)
class Row:
    """A bot's cells, one for each column's bot."""

    name: Link
    cells: tuple[Cell, ...]


def sign_test(wins: int, losses: int) -> float:
    """Give the chance that two equal bots part at least so far, draws left out; two-sided."""
    games, fewer = wins + losses, min(wins, losses)
    if games > EXACT_UP_TO:
        return _sign_test_of_many(games, fewer)
    ways = total = 1
    for k in range(fewer):
        ways = ways * (games - k) // (k + 1)
        total += ways
    return min(1.0, total / (1 << games >> 1)) if games else 1.0


def _sign_test_of_many(games: int, fewer: int) -> float:
    distance = max(0.0, games / 2 - fewer - 0.5) / (sqrt(games) / 2)
    return erfc(distance / sqrt(2))


def shade_of(score: float) -> str:
    """Name the shade of a share of points: up for the row's bot, down for the column's."""
    side = "up" if score > 0.5 else "down"
    distance = abs(score - 0.5)
    return f"{side}{1 + (distance >= 0.1) + (distance >= 0.25)}"


def _meeting(meeting: Meeting) -> Cell:
    if meeting.score is None:
        return Cell(text.NOTHING, shade="pale")
    record = f"{meeting.wins}-{meeting.draws}-{meeting.losses}"
    is_clear = meeting.wins != meeting.losses and sign_test(meeting.wins, meeting.losses) <= LEVEL
    return Cell(
        text.percent(meeting.score), record, shade_of(meeting.score) if is_clear else "pale"
    )


def _chance(probability: float | None) -> Cell:
    if probability is None:
        return Cell(text.NOTHING, shade="pale")
    is_clear = not 1 - SURE < probability < SURE
    shade = "up2" if probability > 0.5 else "down2"
    return Cell(text.chance(probability), shade=shade if is_clear else "pale")


def _grid(table: Table, beside: Beside) -> Iterator[tuple[Row, Row]]:
    names = [standing.bot for standing in table.standings]
    for place, name in enumerate(names):
        met = [
            replace(_meeting(meeting), file=beside.pairs.get((name, other), ""))
            for other, meeting in zip(names, table.crosstable[place], strict=True)
        ]
        chances = [_chance(probability) for probability in table.better[place]]
        met[place] = chances[place] = Cell("")
        link = Link(name, beside.bots.get(name, ""))
        yield Row(link, tuple(met)), Row(link, tuple(chances))


def crosstable_rows(table: Table) -> Iterator[dict[str, object]]:
    """Give the crosstable as plain values, a row for each ordered pair that met."""
    names = [standing.bot for standing in table.standings]
    for i, bot in enumerate(names):
        for j, opponent in enumerate(names):
            meeting = table.crosstable[i][j]
            if i != j and meeting.games:
                better = table.better[i][j]
                values = (
                    bot, opponent, meeting.games, meeting.wins, meeting.draws, meeting.losses,
                    meeting.score, meeting.points, better,
                )  # fmt: skip
                yield dict(zip(COLUMNS, values, strict=True))


def content(table: Table, facts: Facts, beside: Beside = NOTHING_BESIDE) -> dict[str, object]:
    """Give the template what it shows."""
    rows = list(_grid(table, beside))
    return {
        "summary": summarise(facts),
        "names": [scores.name for scores, _ in rows],
        "scores": [scores for scores, _ in rows],
        "chances": [chances for _, chances in rows],
    }
