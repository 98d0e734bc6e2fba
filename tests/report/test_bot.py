"""A bot's page by itself: what it does not show twice, and what it leaves to the terminal."""

from collections.abc import Callable

from arena.ratings.standing import Standing, Table
from arena.report import bot
from arena.report.facts import Facts
from arena.report.faults import ShownFaults
from arena.report.habits import Habits
from arena.report.links import Link
from arena.report.page import Page, Site, lines
from tests.report.pages import Reader


def test_few_logs_stand_on_a_page_and_each_is_cut_as_it_is_shown(
    make_standing: Callable[..., Standing],
    make_table: Callable[..., Table],
    make_facts: Callable[..., Facts],
) -> None:
    faults = [
        ShownFaults("crash", Link("match 1"), lines("it said"), "", f"{n}: " + "\x1b" * 99_999, ())
        for n in range(30)
    ]
    known = bot.Known(
        ref=make_facts(["anna"]).meta.entrants[0],
        table=make_table([make_standing(0, "anna")]),
        history={},
        matches={},
        files={},
        faults=faults,
        habits=Habits(),
        times=None,
        is_withheld=False,
    )
    content = Site("cup", ()).render("bot.html", Page("bots/1.html", "anna"), bot.content(known))
    page = Reader(content)
    assert len(page.tags("pre")) == bot.MOST_LOGS
    assert page.text.count("The log of its process: arena faults --format json.") == 20
    assert len(content) < 100_000
