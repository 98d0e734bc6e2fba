"""A site built from a store: complete, linked, incremental, and silent about boards to come."""

import csv
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from arena import tournament
from arena.games.game import Decision
from arena.protocol import FaultKind
from arena.record import GameRecord, MatchRecord
from arena.report import GamePages, build
from arena.report.page import SHARED
from arena.store import PlannedMatch, RunStore
from tests.matches import SEED, meta, planned, played
from tests.report.pages import HOSTILE, Reader

replace = msgspec.structs.replace
PLANS = [
    planned(1, "anna", "bob"),
    planned(2, "anna", "broken"),
    planned(3, "bob", "broken", round_number=2),
]
CARD = re.compile(r"[♠♥♦♣]|\b(?:10|[2-9TJQKA])[CDHS]\b")


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore.begin(tmp_path / "cup", meta("anna", "bob", "broken"), SEED) as store:
        store.plan(PLANS, boards_return=False)
        yield store


def write(store: RunStore, *plans: PlannedMatch) -> None:
    for plan in plans:
        store.write(played(plan, store.meta.game))


def report(store: RunStore, games: GamePages = "all", *, times: bool = True) -> dict[str, bytes]:
    table, history = tournament.standings(store), tournament.history(store)
    page = build(store, table, store.folder / "report", games, history, times=times)
    assert page == store.folder / "report" / "index.html"
    return files(page.parent)


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def inodes(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        name: ((folder / name).stat().st_ino, (folder / name).stat().st_mtime_ns)
        for name in files(folder)
    }


def test_a_finished_run_has_a_page_for_each_bot_match_and_game(run: RunStore) -> None:
    write(run, *PLANS)
    run.finish()
    names = set(report(run))
    assert {"index.html", "crosstable.html", "games.html", "leaderboard.csv"} <= names
    assert {f"bots/{n}.html" for n in (1, 2, 3)} <= names
    assert {f"matches/{n}.html" for n in (1, 2, 3)} <= names
    games = {f"games/{m}-{b}-{s}.html" for m in (1, 2, 3) for b in (1, 2) for s in (0, 1)}
    assert games <= names


def test_the_style_and_script_of_every_page_stay_within_20_kilobytes(run: RunStore) -> None:
    write(run, *PLANS)
    run.finish()
    shown = report(run)
    for name, content in shown.items():
        own = re.findall(r"<(style|script)>(.*?)</\1>", content.decode(), re.DOTALL)
        shared = re.findall(r'"\.\./(game\.(?:css|js))"', content.decode())
        is_unplayed = name.startswith("games/") and b'id="replay"' not in content
        assert len(own) + len(shared) == 2 * name.endswith(".html") - is_unplayed, name
        size = sum(len(text.encode()) for _, text in own) + sum(len(shown[file]) for file in shared)
        assert size <= 20 * 1024, name


def test_every_link_leads_to_a_file_or_a_place_on_the_page(run: RunStore) -> None:
    write(run, *PLANS)
    run.finish()
    for games in ("all", "interesting", "none"):
        shown = report(run, games)
        for name, content in shown.items():
            if name.endswith(".html"):
                page = Reader(content)
                places = {attributes.get("id") for _, attributes in page.elements}
                for link in page.tags("a"):
                    file, _, place = (link["href"] or "").partition("#")
                    target = os.path.normpath(os.path.join(os.path.dirname(name), file))  # noqa: PTH118, PTH120
                    assert not file or target in shown, (name, link)
                    assert not place or place in places, (name, link)


def test_only_games_worth_a_look_get_a_page_and_both_sittings_of_them(run: RunStore) -> None:
    write(run, *PLANS)
    run.finish()
    shown = report(run, "interesting")
    text = Reader(shown["games.html"]).text
    assert "broken: startup" in text
    for match in (1, 2, 3):
        for board in (1, 2):
            pages = [f"games/{match}-{board}-{s}.html" in shown for s in (0, 1)]
            assert len(set(pages)) == 1
    assert not any(name.startswith("games") for name in report(run, "none"))


def test_building_again_after_one_more_match_touches_only_what_changed(run: RunStore) -> None:
    write(run, PLANS[0])
    run.plan([planned(4, "anna", "bob")], boards_return=False)
    report(run)
    before = inodes(run.folder / "report")
    assert inodes_after_building(run) == before
    write(run, PLANS[1], PLANS[2])
    after = inodes_after_building(run)
    assert after["matches/1.html"] == before["matches/1.html"]
    assert after["index.html"] != before["index.html"]
    assert after["leaderboard.csv"] != before["leaderboard.csv"]


def inodes_after_building(run: RunStore) -> dict[str, tuple[int, int]]:
    report(run)
    return inodes(run.folder / "report")


def test_an_incremental_build_gives_the_bytes_of_a_fresh_one(run: RunStore) -> None:
    for plan in PLANS:
        write(run, plan)
        report(run)
    run.finish()
    step_by_step = report(run)
    (run.folder / "report.cache").unlink()
    assert report(run) == step_by_step


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x93\xa1x\x80\x80"])
def test_a_cache_that_is_damaged_or_of_another_run_is_as_good_as_none(
    run: RunStore, damage: bytes
) -> None:
    write(run, *PLANS)
    run.finish()
    whole = report(run)
    (run.folder / "report.cache").write_bytes(damage)
    assert report(run) == whole


def test_a_page_that_was_deleted_is_made_again(run: RunStore) -> None:
    write(run, *PLANS)
    run.finish()
    whole = report(run)
    (run.folder / "report/matches/2.html").unlink()
    assert report(run) == whole


@pytest.mark.rule("D1a")
def test_no_card_of_a_board_that_is_still_to_be_played_is_on_a_page(run: RunStore) -> None:
    fault = played(PLANS[1]).games[0].faults[0]
    telling = replace(fault, hand=1, decision=Decision.PLAY, said="KH", expected="one of AS")
    with_cards = fault_in(played(PLANS[1]), telling)
    write(run, PLANS[0])
    run.write(with_cards)
    shown = report(run)
    assert not any(name.startswith("games/") for name in shown)
    for name, content in shown.items():
        if name not in SHARED:
            said = Reader(content).text if name.endswith(".html") else content.decode()
            assert not CARD.search(said)
    assert "Nothing can be shown yet." in Reader(shown["matches/1.html"]).text
    write(run, PLANS[2])
    run.finish()
    shown = report(run)
    assert CARD.search(Reader(shown["games/1-1-0.html"]).text)
    assert "it said KH" in Reader(shown["bots/3.html"]).text


def fault_in(record: MatchRecord, fault: object) -> MatchRecord:
    first, *others = record.games
    return replace(record, games=(replace(first, faults=(fault,)), *others))


@pytest.mark.rule("D1a")
def test_boards_that_nobody_has_still_to_play_are_shown_while_a_run_lasts(run: RunStore) -> None:
    later = PlannedMatch(4, 3, ("anna", "bob"), (2, 3), 2)
    run.plan([later], boards_return=False)
    write(run, *PLANS)
    shown = report(run)
    assert "games/1-1-0.html" in shown
    assert "games/1-2-0.html" not in shown
    match = Reader(shown["matches/1.html"])
    assert "held back: 1." in match.text
    assert [one.get("id") for one in match.tags("div") if one.get("id")] == ["board1"]
    assert "held back" in Reader(shown["bots/1.html"]).text


def test_every_page_shows_the_same_rating(run: RunStore) -> None:
    write(run, *PLANS)
    run.finish()
    shown = report(run)
    front = Reader(shown["index.html"]).text
    rows = list(csv.DictReader(shown["leaderboard.csv"].decode().splitlines()))
    for number, name in enumerate(("anna", "bob", "broken"), 1):
        (rating,) = re.findall(r"Rating (\S+), at 95 %", Reader(shown[f"bots/{number}.html"]).text)
        assert re.search(rf"{name} 1\.0 (\S+ )?{re.escape(rating)} ", front)
        (row,) = [row for row in rows if row["bot"] == name]
        assert f"{float(row['mu']):.2f}" == rating


def test_what_a_fault_and_its_log_say_stands_on_the_bot_s_page(run: RunStore) -> None:
    write(run, *PLANS)
    run.finish()
    shown = report(run)
    page = Reader(shown["bots/3.html"])
    assert "startup at the start, 8 times First in match 2, board 1, sitting 0" in page.text
    assert "Also in match 2, board 1, sitting 1 ; match 2, board 2" in page.text
    assert 'expected {"type":"ready"}; it said Traceback (it never starts)' in page.text
    assert "What to change: this looks like a debug line" in page.text
    assert "<broken>" in page.text
    assert "None." in Reader(shown["bots/1.html"]).text.split("Faults")[-1]


def test_a_process_s_log_stands_once_on_the_page_of_its_bot(run: RunStore) -> None:
    record = played(PLANS[1])
    fault = record.games[0].faults[0]
    kinds = [replace(fault, kind=kind, decision=d) for kind in FaultKind for d in Decision]
    many = replace(record, games=tuple(replace(game, faults=kinds) for game in record.games))
    write(run, PLANS[0], PLANS[2])
    run.write(many)
    run.finish()
    content = report(run)["bots/3.html"]
    page = Reader(content)
    assert len(page.tags("section")) == len(kinds)
    assert len(page.tags("pre")) == 1
    assert "The log of its process: above." in page.text
    assert len(content) < 150_000


def test_bids_and_replies_are_summed_up_on_the_bot_s_page(run: RunStore) -> None:
    write(run, *PLANS)
    run.finish()
    page = Reader(report(run)["bots/1.html"])
    for said in ("Mean bid", "Contracts made", "Bags a hand", "Replies", "99 % within"):
        assert said in page.text
    assert len([svg for svg in page.tags("svg") if svg.get("class") == "plot"]) == 3


def test_without_times_the_same_games_give_the_same_pages(run: RunStore, tmp_path: Path) -> None:
    write(run, *PLANS)
    run.finish()
    with RunStore.begin(tmp_path / "other", meta("anna", "bob", "broken"), SEED) as other:
        other.plan(PLANS, boards_return=False)
        for plan in reversed(PLANS):
            other.write(slower(played(plan)))
        other.finish()
        assert report(other, times=False) == report(run, times=False)
        assert report(other) != report(run)


def slower(record: MatchRecord) -> MatchRecord:
    def slow(game: GameRecord) -> GameRecord:
        hands = (
            replace(
                hand, moves=tuple(replace(move, us=(move.us or 0) * 7 + 3) for move in hand.moves)
            )
            for hand in game.hands
        )
        return replace(game, hands=tuple(hands))

    return replace(record, games=tuple(map(slow, record.games)))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_breaks_no_page_of_the_site(
    tmp_path: Path, name: str, shape: Callable[[dict[str, bytes]], dict[str, list[str]]]
) -> None:
    sites: list[dict[str, bytes]] = []
    for first in ("anna", name):
        with RunStore.begin(tmp_path / f"{len(sites)}", meta(first, "bob"), SEED) as store:
            plan = planned(1, first, "bob", boards=1)
            store.plan([plan], boards_return=False)
            record = played(planned(1, "anna", "bob", boards=1))
            store.write(renamed(record, "anna", store.meta.entrants[0]))
            store.finish()
            sites.append(report(store))
    assert shape(sites[0]) == shape(sites[1])
    for content in sites[1].values():
        assert content.decode().replace("\n", "").isprintable()


@pytest.fixture
def shape() -> Callable[[dict[str, bytes]], dict[str, list[str]]]:
    """Gives the elements of each page, in order."""
    return lambda site: {
        name: [tag for tag, _ in Reader(content).elements]
        for name, content in site.items()
        if name.endswith(".html")
    }


def renamed(record: MatchRecord, old: str, new: object) -> MatchRecord:
    games = tuple(
        replace(game, seats=tuple(new if ref.bot == old else ref for ref in game.seats))
        for game in record.games
    )
    return replace(record, games=games)


def test_a_run_without_a_game_has_pages_that_say_so(run: RunStore) -> None:
    shown = report(run)
    assert "No game is played" in Reader(shown["index.html"]).text
    assert "It has met nobody yet." in Reader(shown["bots/1.html"]).text
    assert "None." in Reader(shown["games.html"]).text


def test_only_faults_give_pages_that_say_so(tmp_path: Path) -> None:
    with RunStore.begin(tmp_path / "cup", meta("broken1", "broken2"), SEED) as store:
        plan = planned(1, "broken1", "broken2", boards=1)
        store.plan([plan], boards_return=False)
        write(store, plan)
        store.finish()
        shown = report(store)
    assert "Void: both sides failed" in Reader(shown["games/1-1-0.html"]).text
    assert "2 void" in Reader(shown["matches/1.html"]).text
    assert FaultKind.STARTUP.value in Reader(shown["bots/1.html"]).text


def test_a_partnership_run_has_its_pages_too(tmp_path: Path) -> None:
    with RunStore.begin(tmp_path / "cup", meta("anna", "bob", game="partnership"), SEED) as store:
        plan = planned(1, "anna", "bob", "anna", "bob", boards=1)
        store.plan([plan], boards_return=False)
        write(store, plan)
        store.finish()
        shown = report(store)
    assert "Dealt: ♠" in Reader(shown["games/1-1-0.html"]).text
    assert "Match 1: anna – bob" in Reader(shown["matches/1.html"]).text
