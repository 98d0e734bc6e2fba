"""The page of a match: each board's sittings side by side, then hand by hand.

It knows who sat where in which sitting, and tells everything as the first entrant sees it; it
never shows how a board went that anyone has still to play. Rules: D1a, D2.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from arena.report.links import Cell, Link, game_file
from arena.report.matchup import DOUBLE_NIL, GameLine, HandLine, Matchup
from arena.report.text import NOTHING, count, integer, signed
from arena.store import GameKey, PlannedMatch


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A board: a cell for each sitting, the first entrant's mean margin, and the hands."""

    number: int
    cells: tuple[Cell, ...]
    margin: str
    hands: Markup
    is_withheld: bool


def sides_of(plan: PlannedMatch) -> tuple[str, str]:
    """Name the sides of a match as they sit in its first sitting."""
    one, other = (" + ".join(dict.fromkeys(plan.seats[side::2])) for side in (0, 1))
    return one, other


def content(
    plan: PlannedMatch,
    matchup: Matchup,
    withheld: Collection[int],
    pages: Collection[GameKey],
    bots: Mapping[str, str],
) -> dict[str, object]:
    """Give the template what it shows; `bots` are the files of the bots' pages by name."""
    sides = sides_of(plan)
    by_board: dict[int, list[GameLine]] = {}
    for game in matchup.games:
        by_board.setdefault(game.key.board, []).append(game)
    rows = [
        _row(board, games, sides, pages, is_withheld=board in withheld)
        for board, games in sorted(by_board.items())
    ]
    return {
        "bots": [Link(name, bots.get(name, "")) for name in plan.entrants],
        "round": plan.round,
        "summary": _summary(matchup, sides),
        "sides": sides,
        "sittings": range(plan.sittings),
        "rows": rows,
        "withheld": sum(row.is_withheld for row in rows),
    }


def _score(game: GameLine) -> tuple[int, int]:
    """Give the scores of a game, the first entrant's first: the sides change every sitting."""
    one, other = game.scores
    return (other, one) if game.key.sitting % 2 else (one, other)


def _winner(game: GameLine) -> int | None:
    """Tell which entrant won a game, 0 or 1, None for neither."""
    return None if game.winner is None else (game.winner + game.key.sitting) % 2


def _is_finished(game: GameLine) -> bool:
    return game.reason not in ("fault", "void")


def _summary(matchup: Matchup, sides: tuple[str, str]) -> str:
    games = matchup.games
    winners = [_winner(game) for game in games if game.reason != "void"]
    won = [winners.count(side) for side in (0, 1)]
    text = f"{count(len(games), 'game')}: {sides[0]} won {won[0]}, {sides[1]} won {won[1]}"
    for amount, what in (
        (winners.count(None), "drawn"),
        (sum(game.reason == "void" for game in games), "void"),
        (sum(game.reason == "fault" for game in games), "decided by a fault"),
    ):
        text += f", {amount} {what}" if amount else ""
    margins = [one - other for one, other in map(_score, filter(_is_finished, games))]
    if margins:
        text += f". Margin of {sides[0]}: {signed(sum(margins) / len(margins))} a finished game"
    return f"{text}."


def _row(
    board: int,
    games: list[GameLine],
    sides: tuple[str, str],
    pages: Collection[GameKey],
    *,
    is_withheld: bool,
) -> BoardRow:
    margins = [one - other for one, other in map(_score, filter(_is_finished, games))]
    return BoardRow(
        number=board,
        cells=tuple(_cell(game, sides, is_shown=game.key in pages) for game in games),
        margin=signed(sum(margins) / len(margins)) if margins else NOTHING,
        hands=Markup() if is_withheld else _hands(games),
        is_withheld=is_withheld,
    )


def _cell(game: GameLine, sides: tuple[str, str], *, is_shown: bool) -> Cell:
    scores = " : ".join(map(integer, _score(game)))
    file = game_file(game.key) if is_shown else ""
    if game.reason == "void":
        return Cell("void", ", ".join(kind for _, kind in game.faults), "pale", file)
    winner = _winner(game)
    if winner is None:
        return Cell(scores, f"drawn in {count(game.hands, 'hand')}", "", file)
    how = f"in {count(game.hands, 'hand')}"
    if game.reason == "fault":
        how = f"by {game.faults[-1][1]} in hand {game.hands}" if game.faults else "by a fault"
    return Cell(scores, f"{sides[winner]} {how}", ("up1", "down1")[winner], file)


def _hands(games: list[GameLine]) -> Markup:
    """Write a row for each hand, the sittings side by side, of numbers alone."""
    longest = max((len(game.lines) for game in games), default=0)
    rows = []
    for number in range(longest):
        cells = "".join(
            _hand_cells(game.lines[number], game.key.sitting)
            if number < len(game.lines)
            else "<td><td><td><td>"
            for game in games
        )
        rows.append(f"<tr><th scope=row>{number + 1}{cells}")
    return Markup("".join(rows))  # noqa: S704  # see above


def _hand_cells(line: HandLine, sitting: int) -> str:
    cells = []
    for side in (0, 1) if sitting % 2 == 0 else (1, 0):
        bids = "+".join(map(_bid, line.bids[side::2]))
        tricks = "+".join(map(str, line.tricks[side::2]))
        cells.append(f"<td>{bids} / {tricks}<td>{integer(line.scores[side])}")
    return "".join(cells)


def _bid(bid: int) -> str:
    return {0: "nil", DOUBLE_NIL: "2nil"}.get(bid, str(bid))


def pairs(plans: Iterable[PlannedMatch]) -> dict[tuple[str, str], list[int]]:
    """List the matches of each two entrants who sat on opposite sides, both ways round."""
    found: dict[tuple[str, str], list[int]] = {}
    for plan in plans:
        one, other = (dict.fromkeys(plan.seats[side::2]) for side in (0, 1))
        for a in one:
            for b in other:
                found.setdefault((a, b), []).append(plan.match)
                found.setdefault((b, a), []).append(plan.match)
    return found
