import csv
import io
import json
import re
from collections.abc import Callable

import pytest

from arena.ratings.standing import Standing, Table
from arena.record import Limits
from arena.report import render
from arena.report.facts import Facts, details
from arena.report.links import Beside
from arena.report.tables import LEADERBOARD
from tests.report.pages import HOSTILE, Reader

Makers = tuple[Callable[..., Standing], Callable[..., Table], Callable[..., Facts]]


@pytest.fixture
def makers(
    make_standing: Callable[..., Standing],
    make_table: Callable[..., Table],
    make_facts: Callable[..., Facts],
) -> Makers:
    return make_standing, make_table, make_facts


def pages_of(makers: Makers, names: list[str], **facts: object) -> dict[str, bytes]:
    make_standing, make_table, make_facts = makers
    standings = [make_standing(place, name) for place, name in enumerate(names)]
    return dict(render(make_facts(names, **facts), make_table(standings)))


def test_the_leaderboard_shows_every_bot_with_interval_record_and_version(makers: Makers) -> None:
    page = Reader(pages_of(makers, ["ann", "bob", "cat"])["index.html"])
    for said in ("ann", "bob", "cat", "28.0 to 32.0", "25-5-10", "+12.5 ± 3.2", "1.0.0 01234567"):
        assert said in page.text


def test_a_page_reads_from_a_file_without_network_and_scripts_are_held_to_their_digest(
    makers: Makers,
) -> None:
    for name, content in pages_of(makers, ["ann", "bob"]).items():
        if name.endswith(".html"):
            page = Reader(content)
            assert not page.tags("link")
            assert not page.tags("img")
            assert page.tags("script") == [{}]
            policy = next(meta for meta in page.tags("meta") if meta.get("http-equiv"))["content"]
            assert policy
            assert policy.startswith("default-src 'none'; style-src 'sha256-")
            assert all(
                not (link["href"] or "").startswith(("http", "//", "/")) for link in page.tags("a")
            )


def test_our_own_style_and_script_stay_within_20_kilobytes(makers: Makers) -> None:
    page = pages_of(makers, ["ann", "bob"])["index.html"].decode()
    own = re.findall(r"<(style|script)>(.*?)</\1>", page, re.DOTALL)
    assert len(own) == 2
    assert sum(len(text.encode()) for _, text in own) <= 20 * 1024


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_makes_no_element_and_no_control_character(
    makers: Makers, name: str
) -> None:
    hostile = pages_of(makers, [name, "bob"])
    honest = pages_of(makers, ["ann", "bob"])
    for file in ("index.html", "crosstable.html"):
        shown, expected = Reader(hostile[file]), Reader(honest[file])
        assert [tag for tag, _ in shown.elements] == [tag for tag, _ in expected.elements]
        visible = hostile[file].decode().replace("\n", "")
        assert visible.isprintable()


def test_a_leaderboard_of_64_bots_stays_under_150_kilobytes(makers: Makers) -> None:
    page = pages_of(makers, [f"a-bot-of-some-name-{n}" for n in range(64)])["index.html"]
    assert len(page) < 150 * 1000


def test_the_same_facts_give_the_same_bytes(makers: Makers) -> None:
    assert pages_of(makers, ["ann", "bob"]) == pages_of(makers, ["ann", "bob"])


def test_rows_open_a_group_only_where_the_interval_of_ranks_changes(makers: Makers) -> None:
    make_standing, make_table, make_facts = makers
    standings = [
        make_standing(0, "ann", rank_low=1, rank_high=2),
        make_standing(1, "bob", rank_low=1, rank_high=2),
        make_standing(2, "cat"),
    ]
    page = Reader(render(make_facts(["ann", "bob", "cat"]), make_table(standings))["index.html"])
    rows = [row.get("class") for row in page.tags("tr")]
    assert rows == [None, None, None, "opens-group"]
    assert "1–2 ann" in page.text


def test_columns_that_sort_say_so_and_the_first_is_sorted(makers: Makers) -> None:
    heads = Reader(pages_of(makers, ["ann", "bob"])["index.html"]).tags("th")
    columns = [head for head in heads if head.get("scope") == "col"]
    assert columns[0]["aria-sort"] == "ascending"
    assert [head.get("data-sort") for head in columns][:4] == ["rank", "text", "text", "number"]


@pytest.mark.rule("D1a")
def test_the_seed_is_shown_only_once_it_is_published(makers: Makers) -> None:
    finished = Reader(pages_of(makers, ["ann", "bob"])["index.html"]).text
    assert "77, drawn by the run" in finished
    going_on = pages_of(makers, ["ann", "bob"], seed=None, is_finished=False, played=3)
    text = Reader(going_on["index.html"]).text
    assert "secret until the end" in text
    assert "ab" * 32 in text
    assert "3 games of 40 played" in text
    assert "the table so far" in text


def test_a_run_without_a_game_says_so_and_shows_no_nan(makers: Makers) -> None:
    make_standing, make_table, make_facts = makers
    standings = [
        make_standing(place, name, games=0, rank=1, rank_low=1, rank_high=2)
        for place, name in enumerate(["ann", "bob"])
    ]
    files = render(
        make_facts(["ann", "bob"], played=0, is_finished=False, seed=None, sandboxes=()),
        make_table(standings, groups=()),
    )
    page = Reader(files["index.html"])
    assert "No game is played" in page.text
    assert "0-0-0" in page.text
    for content in files.values():
        assert b"nan" not in content.lower()
        assert b"inf" not in content.lower().replace(b"information", b"")


def test_only_faults_are_shown_by_kind(makers: Makers) -> None:
    make_standing, make_table, make_facts = makers
    standings = [
        make_standing(0, "ann", points_per_board=None, points_se=None),
        make_standing(1, "bob", points_per_board=None, points_se=None,
                      faults={"timeout": 12, "illegal": 3}),
    ]  # fmt: skip
    files = render(make_facts(["ann", "bob"]), make_table(standings))
    assert "illegal 3, timeout 12" in Reader(files["index.html"]).text
    rows = list(csv.DictReader(io.StringIO(files["leaderboard.csv"].decode())))
    assert [row["faults"] for row in rows] == ["0", "illegal:3 timeout:12"]


def test_warnings_tell_of_a_missing_sandbox_groups_that_never_met_and_withdrawals(
    makers: Makers,
) -> None:
    make_standing, make_table, make_facts = makers
    standings = [make_standing(place, name) for place, name in enumerate(["ann", "bob"])]
    table = make_table(standings, phi=2.25, groups=(("ann",), ("bob",)))
    page = Reader(
        render(make_facts(["ann", "bob", "cat"], sandboxes=("none",), withdrawn={"cat": 3}), table)[
            "index.html"
        ]
    )
    for said in (
        "without a sandbox",
        "rock-paper-scissors",
        "never met",
        "not rated: cat",
        "cat was withdrawn",
    ):
        assert said in page.text


def test_bots_that_are_out_of_the_table_are_led_to_by_the_notes(makers: Makers) -> None:
    make_standing, make_table, make_facts = makers
    facts = make_facts(["ann", "<b>", "cat"], withdrawn={"<b>": 3})
    beside = Beside({"ann": "bots/1.html", "<b>": "bots/2.html", "cat": "bots/3.html"})
    page = Reader(render(facts, make_table([make_standing(0, "ann")]), beside)["index.html"])
    leads = [link.get("href") for link in page.tags("a")]
    assert leads.count("bots/2.html") == 2
    assert leads.count("bots/3.html") == 1
    assert "not rated: <b> , cat ." in page.text


def test_a_bot_without_games_has_no_rank_no_rating_and_no_part_in_the_scale(
    makers: Makers,
) -> None:
    make_standing, make_table, make_facts = makers
    played = [make_standing(place, name) for place, name in enumerate(["ann", "bob"])]
    idle = make_standing(2, "cat", games=0, low=-1000.0, high=1000.0)
    names = ["ann", "bob", "cat"]
    page = render(make_facts(names), make_table([*played, idle]))["index.html"].decode()
    rows = re.findall(r"<tr role=\"row\".*?</tr>", page, re.DOTALL)[1:]
    cells = re.findall(r"<t[dh].*?</t[dh]>", rows[-1], re.DOTALL)
    assert [Reader(cell.encode()).text for cell in cells] == [
        "–", "cat", "1.0.0 01234567", "–", "–", "–", "0", "0-0-0", "–", "–", "none", "–",
    ]  # fmt: skip
    assert all("data-value" not in cells[place] for place in (0, 3, 5))
    alone = render(make_facts(names), make_table(played))["index.html"].decode()
    assert re.findall("<rect.*?/>", page) == re.findall("<rect.*?/>", alone)


def test_what_a_fault_costs_what_bots_may_use_and_deal_luck_are_told(makers: Makers) -> None:
    limits = (Limits(cpus=1.5, freeze=False, image="bots:1"),)
    page = Reader(pages_of(makers, ["ann", "bob"], limits=limits, luck=0.25)["index.html"]).text
    for said in (
        "A fault loses the game; after 10 faults it is withdrawn",
        "256 MiB of memory, 1.50 cores, 32 processes, 16 MiB of files, 64 KiB of log",
        "it may go on thinking while it is not asked; image bots:1",
        "Deal luck 25 % of the scatter of margins comes with the cards",
        "Here that is 25 %",
    ):
        assert said in page
    assert (
        "stands still while it is not asked"
        in Reader(pages_of(makers, ["ann", "bob"])["index.html"]).text
    )


def test_settings_are_written_for_people(makers: Makers) -> None:
    facts = makers[2](["ann", "bob"])
    facts.meta.config["rules"] = {"floor": -500, "peek": False, "failed_nil": "bags"}
    facts.meta.config["time"] = {"startup": 10.0, "move": 0.25}
    said = dict(details(facts))
    assert said["Rules"] == "floor −500, peek no, failed_nil bags"
    assert said["Seconds"] == "startup 10, move 0.25"


def test_csv_and_json_have_the_documented_columns_and_the_same_values(makers: Makers) -> None:
    files = pages_of(makers, ["ann", "bob"])
    rows = json.loads(files["leaderboard.json"])
    assert [tuple(row) for row in rows] == [LEADERBOARD] * 2
    table = list(csv.DictReader(io.StringIO(files["leaderboard.csv"].decode())))
    assert [float(row["mu"]) for row in table] == [row["mu"] for row in rows]
    assert rows[0]["points_se"] == 3.25


def test_the_crosstable_shows_each_meeting_twice_and_nothing_against_oneself(
    makers: Makers,
) -> None:
    files = pages_of(makers, ["ann", "bob"])
    page = Reader(files["crosstable.html"])
    assert "1 ann 75 % 15-0-5 2 bob 25 % 5-0-15" in page.text
    shades = [cell["class"] for cell in page.tags("td")]
    assert [(shade or "").removeprefix("number ") for shade in shades] == [
        *("", "up3", "down3", ""),
        *("", "up2", "down2", ""),
    ]
    rows = list(csv.DictReader(io.StringIO(files["crosstable.csv"].decode())))
    assert [(row["bot"], row["opponent"], row["wins"]) for row in rows] == [
        ("ann", "bob", "15"),
        ("bob", "ann", "5"),
    ]


def test_the_page_explains_the_rating_that_the_run_names(makers: Makers) -> None:
    make_standing, make_table, make_facts = makers
    table = make_table([make_standing(0, "ann"), make_standing(1, "bob")])
    facts = make_facts(["ann", "bob"])
    rating = facts.meta.config["rating"]
    assert isinstance(rating, dict)
    said = []
    for settings in (rating, {**rating, "mode": "online"}, {"kind": "elo"}):
        facts.meta.config["rating"] = settings
        said.append(Reader(render(facts, table)["index.html"]).text)
    assert "(mu 25, sigma 8.333, beta 4.167, tau 0; draw probability 5.0 %), solved over" in said[0]
    assert "game by game" in said[1]
    assert "of the kind elo" in said[2]
