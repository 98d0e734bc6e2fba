"""Standings and facts by hand, so that a page can be read without a tournament."""

from collections.abc import Callable

import pytest

from arena.ratings.standing import Meeting, Standing, Table
from arena.record import BotRef, FaultPolicy, Limits
from arena.report.facts import Facts
from arena.store import Meta

Entrants = list[tuple[str, str]]


def standing(place: int, bot: str, games: int = 40, **given: object) -> Standing:
    mu = 30.0 - 5 * place
    values: dict[str, object] = {
        "bot": bot, "rank": place + 1, "rank_low": place + 1, "rank_high": place + 1,
        "mu": mu, "sigma": 1.0, "low": mu - 1.96, "high": mu + 1.96, "conservative": mu - 3,
        "games": games, "wins": 25 if games else 0, "draws": 5 if games else 0,
        "losses": 10 if games else 0, "points_per_board": 12.5 if games else None,
        "points_se": 3.25 if games else None, "faults": {},
    }  # fmt: skip
    return Standing(**{**values, **given})  # type: ignore[arg-type]


@pytest.fixture
def make_standing() -> Callable[..., Standing]:
    return standing


def table_of(standings: list[Standing], **given: object) -> Table:
    count = len(standings)
    met = Meeting(20, 15, 0, 5, 30.0)
    lost = Meeting(20, 5, 0, 15, -30.0)
    nothing = Meeting()
    played = [one.games > 0 for one in standings]
    values: dict[str, object] = {
        "standings": tuple(standings),
        "better": tuple(
            tuple(
                None if i == j or not (played[i] and played[j]) else (0.99 if i < j else 0.01)
                for j in range(count)
            )
            for i in range(count)
        ),
        "crosstable": tuple(
            tuple(
                nothing if i == j or not (played[i] and played[j]) else (met if i < j else lost)
                for j in range(count)
            )
            for i in range(count)
        ),
        "phi": 1.0,
        "draw_probability": 0.05,
        "groups": (tuple(one.bot for one in standings if one.games),),
    }
    return Table(**{**values, **given})  # type: ignore[arg-type]


@pytest.fixture
def make_table() -> Callable[..., Table]:
    return table_of


def facts_of(names: list[str], **given: object) -> Facts:
    config: dict[str, object] = {
        "format": {"kind": "round_robin"}, "boards": 20, "duplicate": True,
        "time": {"startup": 10.0, "move": 1.0, "hand": 5.0},
        "rating": {
            "kind": "trueskill", "mode": "batch", "mu": 25.0, "sigma": 25 / 3, "beta": 25 / 6,
            "tau": 0.0,
        },
        "rules": {"target": 500, "floor": None, "peek": False},
    }  # fmt: skip
    refs = tuple(BotRef(name, "1.0.0", "sha256:" + "0123456789abcdef" * 4) for name in names)
    meta = Meta(
        name="cup",
        game="two-player",
        config=config,
        entrants=refs,
        faults=FaultPolicy(),
        seed_sha256="ab" * 32,
        is_secret=True,
        arena="0.1.0",
        created="2026-01-01",
    )
    values: dict[str, object] = {
        "meta": meta, "seed": "77", "is_finished": True, "planned": 40, "played": 40, "void": 0,
        "sandboxes": ("bubblewrap",), "limits": (Limits(),), "withdrawn": {},
    }  # fmt: skip
    return Facts(**{**values, **given})  # type: ignore[arg-type]


@pytest.fixture
def make_facts() -> Callable[..., Facts]:
    return facts_of
