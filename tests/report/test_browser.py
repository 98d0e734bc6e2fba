"""The site in a real browser, from files: what a reader does with mouse, keys and address."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from arena.cards import NAMES, parse_card
from arena.cli.serve import Follower
from arena.games.game import Decision, Game
from arena.games.views import SpadesView
from arena.match import start_game
from arena.record import GameRecord
from arena.referee.verify import recorded_board
from arena.report.server import SiteServer
from arena.report.telling import SHOWN
from arena.store import PlannedMatch, RunStore
from tests.matches import SEED, meta, planned, played
from tests.report.browsers import browser_here, missing
from tests.report.sites import HANDS, drawn, make_edge_site, make_site

ROOT = Path(__file__).parents[2]
AXE = ROOT / ".cache/node_modules/axe-core/axe.min.js"
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
PAGES = (
    "index.html", "crosstable.html", "games.html", "bots/1.html", "bots/3.html", "matches/1.html",
    "matches/4.html", "games/1-1-0.html", "games/5-2-1.html",
)  # fmt: skip
"""One page of each kind, and another with hostile names."""
PAIRS = (("anna", "bob"), ("anna", "cat"), ("bob", "cat"))
every_game = pytest.mark.parametrize("game", ["two-player", "partnership"])
every_scheme = pytest.mark.parametrize("scheme", ["light", "dark"])


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = browser_here()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


@dataclass(frozen=True)
class Site:
    """A site's folder and the games that it shows."""

    folder: Path
    games: list[GameRecord]

    def url(self, file: str) -> str:
        path, _, place = file.partition("#")
        return (self.folder / path).as_uri() + (f"#{place}" if place else "")


@pytest.fixture(scope="session")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Site]:
    root = tmp_path_factory.mktemp("sites")
    names = ("anna", "bob", "<script>alert(1)</script>", "x" * 200)
    return {
        game: Site(root / game, make_site(root / game, game, policy, names))
        for game, policy in (("two-player", "forfeit"), ("partnership", "substitute"))
    }


Open = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser) -> Iterator[Open]:
    """Open a page in a context of its own; nothing may go wrong in it nor leave the machine."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def look(url: str, **options: object) -> Page:
        context = browser.new_context(**options)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.on("request", lambda request: requested(request.url))
        page.goto(url)
        return page

    def requested(url: str) -> None:
        if not url.startswith(("file:", "data:", "about:")):
            wrong.append(url)

    yield look
    for context in contexts:
        context.close()
    assert wrong == []


BROKEN = """longest => {
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  const place = document.createRange(), broken = [];
  for (let text; (text = texts.nextNode());) {
    if (!text.parentElement.checkVisibility() || text.parentElement.closest(".said, pre")) continue;
    for (const word of text.data.matchAll(/[\\p{L}\\p{N}.,+−]+/gu)) {
      place.setStart(text, word.index);
      place.setEnd(text, word.index + word[0].length);
      const lines = new Set([...place.getClientRects()].map(box => Math.round(box.top)));
      if (word[0].length <= longest && lines.size > 1) broken.push(word[0]);
    }
  }
  return broken;
}"""
"""Finds the words that stand on two lines; digests and names longer than `longest` may."""


@every_game
@every_scheme
@pytest.mark.parametrize("width", [320, 800, 1000, 1200])
def test_no_page_is_wider_than_the_screen_and_no_word_is_broken(
    visit: Open, sites: dict[str, Site], game: str, scheme: str, width: int
) -> None:
    screen = {"width": width, "height": 800}
    page = visit(sites[game].url("index.html"), viewport=screen, color_scheme=scheme)
    for file in PAGES:
        page.goto(sites[game].url(file))
        assert page.evaluate("document.documentElement.scrollWidth") <= width, file
        assert page.evaluate(BROKEN, 20) == [], file


def no_game(folder: Path) -> str:
    make_edge_site(folder, ("anna", "bob"))
    return "0 games played. Note. No game is played, so that nothing is known of any bot."


def one_game(folder: Path) -> str:
    plan = PlannedMatch(1, 1, ("anna", "bob"), (1,), 1)
    make_edge_site(folder, ("anna", "bob"), plan)
    return "2 bots, 1 game played."


def only_faults(folder: Path) -> str:
    make_edge_site(folder, ("broken1", "broken2"), planned(1, "broken1", "broken2", boards=1))
    return "2 games played. 2 of them void, which count for no one."


def a_hundred_equals(folder: Path) -> str:
    names = tuple(f"bot{number:02}" for number in range(100))
    ring = zip(names, (*names[1:], names[0]), strict=True)
    plans = [planned(number, *pair, boards=1) for number, pair in enumerate(ring, 1)]
    make_edge_site(folder, names, *plans, change=drawn)
    return "1–100 bot99 1.0"


def hostile_names(folder: Path) -> str:
    names = ("w" * 10_000, "\N{PILE OF POO}" * 500, "\u202e</script><!--\u2028")
    plans = [planned(1, *names[:2], boards=1), planned(2, *names[1:], boards=1)]
    make_edge_site(folder, names, *plans)
    return "\\u202e</script><!--\\u2028"


@pytest.mark.parametrize("make", [no_game, one_game, only_faults, a_hundred_equals, hostile_names])
def test_an_odd_run_has_pages_that_say_something_true_and_keep_their_shape(
    visit: Open, tmp_path: Path, make: Callable[[Path], str]
) -> None:
    site = tmp_path / "site"
    words = make(site)
    page = visit((site / "index.html").as_uri(), viewport={"width": 320, "height": 800})
    assert words in " ".join((page.locator("main").text_content() or "").split())
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for file in [*site.glob("*.html"), *(site / "bots").glob("[12].html"), *site.glob("*/1*")]:
            page.goto(file.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= width, file
            assert not re.search(r"\b(NaN|nan|None|undefined)\b", page.inner_text("h1 ~ *")), file


@pytest.mark.parametrize(("width", "display"), [(320, "grid"), (800, "table-row")])
def test_a_bot_is_a_line_of_a_table_where_that_fits_and_a_card_on_a_phone(
    visit: Open, sites: dict[str, Site], width: int, display: str
) -> None:
    page = visit(sites["two-player"].url("index.html"), viewport={"width": width, "height": 800})
    for row in page.locator("tbody tr").all():
        assert row.evaluate("row => getComputedStyle(row).display") == display


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("file", ["crosstable.html", "matches/1.html"])
def test_a_table_wider_than_the_screen_says_that_it_scrolls(
    visit: Open, sites: dict[str, Site], file: str, scripts: bool
) -> None:
    url = sites["partnership"].url(file)
    sign = (
        "getComputedStyle(document.querySelector('.wide:has(.grid, .lines)'), '::before').content"
    )
    narrow = visit(url, viewport={"width": 320, "height": 800}, java_script_enabled=scripts)
    assert "Scrolls sideways" in narrow.evaluate(sign)
    if scripts:
        wide = visit(url, viewport={"width": 2400, "height": 800})
        expect(wide.locator(".sideways")).to_have_count(0)
        region = narrow.locator(".sideways").first
        region.evaluate("region => region.scrollTo(region.scrollWidth, 0)")
        expect(region).not_to_have_class(re.compile("more"))


@every_game
@every_scheme
def test_no_page_has_a_serious_fault_of_accessibility(
    visit: Open, sites: dict[str, Site], game: str, scheme: str
) -> None:
    if not AXE.is_file():
        missing(f"no axe-core: npm install --prefix .cache axe-core (wanted: {AXE})")
    page = visit(sites[game].url("index.html"), color_scheme=scheme, bypass_csp=True)
    for file in PAGES:
        page.goto(sites[game].url(file))
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
        page.add_script_tag(content=AXE.read_text())
        found = page.evaluate("axe.run({preload: false}).then(result => result.violations)")
        serious = [
            (one["id"], one["impact"], [node["html"][:200] for node in one["nodes"][:3]])
            for one in found
            if one["impact"] in ("serious", "critical")
        ]
        assert serious == [], file


@every_game
def test_every_page_reads_without_scripts(visit: Open, sites: dict[str, Site], game: str) -> None:
    site = sites[game]
    page = visit(site.url("index.html"), java_script_enabled=False)
    for file in PAGES:
        page.goto(site.url(file))
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("input:visible, main button:visible")).to_have_count(0)
    page.goto(site.url("games/1-1-0.html"))
    expect(page.locator("#replay")).to_be_hidden()
    for hand in site.games[0].hands:
        told = page.locator(f".told > div:has(#hand{hand.number})").inner_text()
        plays = [str(move.move) for move in hand.moves if move.decision is Decision.PLAY]
        assert all(card in told for card in plays)


# -- tables ----------------------------------------------------------------------------------------


def column(page: Page, number: int) -> list[str]:
    cells = page.locator(f"tbody tr:visible > :nth-child({number})")
    return [text.split("\n")[0] for text in cells.all_inner_texts()]


def test_rows_sort_by_a_button_in_the_head_scores_descending_first(
    visit: Open, sites: dict[str, Site]
) -> None:
    page = visit(sites["two-player"].url("index.html"))
    heads = {head: page.get_by_role("columnheader", name=head) for head in ("Rank", "Bot", "Won")}
    expect(heads["Rank"]).to_have_attribute("aria-sort", "ascending")
    ranks = dict(zip(column(page, 2), column(page, 1), strict=True))
    heads["Won"].get_by_role("button").click()
    expect(heads["Won"]).to_have_attribute("aria-sort", "descending")
    assert heads["Rank"].get_attribute("aria-sort") is None
    won = [int(text.split()[0]) for text in column(page, 9)]
    assert won == sorted(won, reverse=True)
    heads["Won"].get_by_role("button").press("Enter")
    expect(heads["Won"]).to_have_attribute("aria-sort", "ascending")
    assert [int(text.split()[0]) for text in column(page, 9)] == sorted(won)
    assert dict(zip(column(page, 2), column(page, 1), strict=True)) == ranks
    heads["Bot"].get_by_role("button").click()
    expect(heads["Bot"]).to_have_attribute("aria-sort", "ascending")
    heads["Rank"].get_by_role("button").click()
    assert list(dict(zip(column(page, 2), column(page, 1), strict=True))) == list(ranks)


def test_rows_are_filtered_by_words_and_come_back(visit: Open, sites: dict[str, Site]) -> None:
    page = visit(sites["two-player"].url("index.html"))
    field = page.get_by_role("searchbox")
    field.fill("AN")
    assert column(page, 2) == ["anna"]
    expect(page.get_by_role("status")).to_have_text("1 of 4")
    field.fill("no such bot")
    assert column(page, 2) == []
    field.fill("")
    assert len(column(page, 2)) == 4


def test_cells_of_the_crosstable_lead_to_the_match_and_on_to_the_game(
    visit: Open, sites: dict[str, Site]
) -> None:
    page = visit(sites["two-player"].url("crosstable.html"))
    page.locator("table").first.locator("td a").first.click()
    expect(page.locator("h1")).to_contain_text("Match ")
    page.locator(".traveller td a").first.click()
    expect(page.locator("#replay")).to_be_visible()
    page.get_by_role("link", name="the same cards, sitting 1").click()
    expect(page.locator("h1")).to_contain_text("sitting 1")
    page.get_by_role("link", name="match ").click()
    expect(page.locator("h1")).to_contain_text("Match ")


# -- the replay ------------------------------------------------------------------------------------

READ = """() => ({
  held: [...document.querySelectorAll(".held")].map(held => held.getAttribute("aria-label")),
  calls: [...document.querySelectorAll(".calls")].map(calls => calls.textContent),
  scores: [...document.querySelectorAll("#scores tbody tr")].map(row => row.cells[4].textContent),
  bags: [...document.querySelectorAll("#scores tbody tr")].map(row => row.cells[3].textContent),
  where: document.querySelector("#where").textContent,
  turn: document.querySelector("#turn").textContent,
  said: document.querySelector("#said").textContent,
})"""
READ_ALL = f"""() => {{
  const read = {READ}, found = [read()], on = document.querySelector("#on");
  while (on.getAttribute("aria-disabled") !== "true") {{ on.click(); found.push(read()); }}
  return found;
}}"""


def held_by(shown: str) -> set[str]:
    """The cards that a hand's label names."""
    names = {text: name for name, text in SHOWN.items()}
    cards = shown.rpartition(": ")[2].split()
    return {names[card] for card in cards if card in names}


Shown = tuple[list[set[str]], list[int]]
"""The cards by seat and the scores by side."""


def cards_of(game: Game, seats: int) -> list[set[str]]:
    views = [game.view(seat) for seat in range(seats)]
    assert all(isinstance(view, SpadesView) for view in views)
    return [set(view.hand) if isinstance(view, SpadesView) else set() for view in views]


def replayed(record: GameRecord) -> Iterator[Shown]:
    """What stood on the table after each step, by the game itself."""
    game = start_game(record.game, record.rules, recorded_board(record))
    seats = len(record.seats)
    for hand in record.hands:
        scores = list(game.scores)
        held = cards_of(game, seats)
        yield held, scores
        for move in hand.moves:
            game.apply(game.parse_move(move.move))
            is_over = game.hand != hand.number or game.outcome is not None
            held = [set() for _ in held] if is_over else cards_of(game, seats)
            yield held, scores
        if hand.scores is not None or hand is record.hands[-1]:
            yield held, list(hand.scores or scores)


@every_game
def test_the_replay_shows_the_cards_and_scores_of_every_step(
    visit: Open, sites: dict[str, Site], game: str
) -> None:
    site = sites[game]
    for record in site.games[:2]:
        page = visit(site.url(f"games/{record.match}-{record.board}-{record.sitting}.html"))
        shown = page.evaluate(READ_ALL)
        expected = list(replayed(record))
        assert len(shown) == len(expected)
        for step, (seen, (held, scores)) in enumerate(zip(shown, expected, strict=True)):
            assert [held_by(label) for label in seen["held"]] == held, step
            assert [int(text.replace("−", "-")) for text in seen["scores"]] == scores, step


@pytest.fixture
def table(visit: Open, sites: dict[str, Site]) -> Page:
    return visit(sites["partnership"].url("games/1-1-0.html"))


def where(page: Page) -> str:
    return page.locator("#where").inner_text().split(" · spades")[0]


def address(page: Page) -> str:
    found: str = page.evaluate("location.hash.slice(1)")
    return found


def test_buttons_go_by_steps_tricks_and_hands(table: Page) -> None:
    page = table
    for button, place in (
        ("Next", f"Hand 1 of {HANDS}"),
        ("Trick ›", f"Hand 1 of {HANDS}"),
        ("Trick ›", f"Hand 1 of {HANDS} · trick 1"),
        ("Trick ›", f"Hand 1 of {HANDS} · trick 2"),
        ("Next", f"Hand 1 of {HANDS} · trick 3"),
        ("‹ Trick", f"Hand 1 of {HANDS} · trick 2"),
        ("Previous", f"Hand 1 of {HANDS} · trick 2"),
        ("Hand ›", f"Hand 2 of {HANDS}"),
        ("‹ Trick", f"Hand 1 of {HANDS} · trick 13"),
        ("‹ Hand", f"Hand 1 of {HANDS}"),
        ("Last", f"Hand {HANDS} of {HANDS} · trick 13"),
        ("‹ Hand", f"Hand {HANDS} of {HANDS}"),
        ("First", f"Hand 1 of {HANDS}"),
    ):
        page.get_by_role("button", name=button, exact=True).click()
        assert where(page) == place, button
    for button in ("First", "Previous", "‹ Trick", "‹ Hand"):
        found = page.get_by_role("button", name=button, exact=True)
        expect(found).to_have_attribute("aria-disabled", "true")


def test_keys_go_the_same_ways(table: Page) -> None:
    page = table
    page.keyboard.press("ArrowRight")
    assert address(page) == "h=1&m=1"
    page.keyboard.press("ArrowLeft")
    assert address(page) == "h=1"
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert address(page) == "h=1&t=1"
    page.keyboard.press("Shift+ArrowLeft")
    assert where(page) == f"Hand 1 of {HANDS}"
    page.keyboard.press("End")
    assert where(page).startswith(f"Hand {HANDS} of {HANDS}")
    page.keyboard.press("Home")
    assert address(page) == "h=1"
    page.locator("#felt").focus()
    page.keyboard.press("ArrowDown")
    assert address(page) == "h=2"
    page.keyboard.press("ArrowUp")
    assert address(page) == "h=1"
    page.keyboard.press("Control+ArrowRight")
    assert address(page) == "h=1"


def test_space_plays_at_the_speed_chosen_and_stops_again(
    visit: Open, sites: dict[str, Site]
) -> None:
    url = sites["partnership"].url("games/1-1-0.html")
    page = visit("about:blank")
    page.clock.install(time=0)
    page.goto(url)
    page.clock.pause_at(1000)  # from here on time goes by `run_for` alone
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_text("Pause")
    page.clock.run_for(3000)
    expect(page).to_have_url(f"{url}#h=1&m=3")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_text("Play")
    page.clock.run_for(3000)
    expect(page).to_have_url(f"{url}#h=1&m=3")
    page.get_by_label("Speed").and_(page.locator("select")).select_option("8")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#play")).to_have_text("Pause")
    page.clock.run_for(500)
    expect(page).to_have_url(f"{url}#h=1&m=7")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#play")).to_have_text("Play")
    expect(page).to_have_url(f"{url}#h=1&m=6")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    page.clock.run_for(500)
    expect(page.locator("#play")).to_have_text("Play")


def test_the_slider_goes_to_any_step(table: Page) -> None:
    page = table
    slider = page.get_by_role("slider")
    slider.fill("5")
    assert address(page) == "h=1&m=5"
    slider.press("ArrowRight")
    assert address(page) == "h=1&m=6"
    slider.press("End")
    assert where(page).startswith(f"Hand {HANDS} of {HANDS}")
    assert "hand 3, step" in (slider.get_attribute("aria-valuetext") or "")


def test_an_address_leads_to_its_step_and_follows_every_step(
    visit: Open, sites: dict[str, Site]
) -> None:
    site = sites["two-player"]
    page = visit(site.url("games/1-2-0.html#h=2&t=3"))
    assert where(page) == f"Hand 2 of {HANDS} · trick 3"
    expect(page.locator("#said")).to_contain_text("takes the trick")
    page.keyboard.press("ArrowLeft")
    assert address(page) == "h=2&t=3&c=1"
    page.reload()
    assert address(page) == "h=2&t=3&c=1"
    assert page.locator("#middle .card").count() == 1
    page.evaluate("location.hash = '#h=1&t=13'")
    expect(page.locator("#where")).to_contain_text(f"Hand 1 of {HANDS} · trick 13")
    for nonsense in ("h=99&t=99", "h=x", "h=1&m=-5", "t=4", "h=1&t=x&c=y", "h=1&m=1e9", "%"):
        page.evaluate(f"location.hash = '#{nonsense}'")
        expect(page.locator("#replay")).to_be_visible()
    page.keyboard.press("Home")
    assert where(page) == f"Hand 1 of {HANDS} · 52 in the deck"


@every_game
def test_one_seat_s_view_hides_what_it_may_not_see(
    visit: Open, sites: dict[str, Site], game: str
) -> None:
    page = visit(sites[game].url("games/1-1-0.html"))
    page.get_by_label("View", exact=False).and_(page.locator("select")).select_option("1")
    for shown in page.evaluate(READ_ALL):
        others = [label for seat, label in enumerate(shown["held"]) if seat != 1]
        assert all(label.endswith(("face down", "no cards")) for label in others)
    page.get_by_role("button", name="First", exact=True).click()
    own = page.locator(".seat.at0 b")
    expect(own).to_contain_text("bob")
    texts = page.locator("#moves button").all_inner_texts()
    hidden = [text for text in texts if text.startswith("anna") and "keeps" in text]
    assert not any(re.search("[♠♥♦♣]", text) for text in hidden)
    assert page.locator("#moves li:has-text('anna'):has(q)").count() == 0


def test_notes_times_and_faults_stand_beside_their_moves(table: Page) -> None:
    page = table
    notes = faults = 0
    for _ in range(HANDS):
        texts = page.locator("#moves li").all_inner_texts()
        assert all("ms" in text for text in texts[1:-1])
        notes += page.locator("#moves q").count()
        faults += page.locator("#moves em:has-text('it said <i>KD</i>')").count()
        page.get_by_role("button", name="Hand ›").click()
    assert notes
    assert faults
    assert "\\u202ebackwards" in page.locator("#moves").inner_text()


OVERLAPS = """() => {
  const boxes = name =>
    [...document.querySelectorAll(name)].map(card => card.getBoundingClientRect());
  const held = boxes(".held .card");
  return boxes("#middle .card").filter(a => held.some(b =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)).length;
}"""


@pytest.mark.parametrize("width", [320, 800, 1280])
def test_no_card_of_a_trick_lies_on_a_hand_and_no_name_is_broken_by_long_bids(
    visit: Open, sites: dict[str, Site], width: int
) -> None:
    url = sites["partnership"].url("games/1-1-0.html#h=2&t=5")
    page = visit(url, viewport={"width": width, "height": 800})
    expect(page.locator("#middle .card")).to_have_count(4)
    assert page.evaluate(OVERLAPS) == 0
    assert page.evaluate(BROKEN, 20) == []


def test_a_move_of_the_list_is_gone_to_by_a_click(table: Page) -> None:
    page = table
    page.locator("#moves button").nth(7).click()
    assert address(page) == "h=1&m=7"
    expect(page.locator("#moves [aria-current]")).to_have_count(1)


def test_four_colours_part_the_suits(table: Page) -> None:
    page = table
    page.keyboard.press("Shift+ArrowRight")
    colour = "getComputedStyle(document.querySelector(`.card.${suit}`)).color"
    colours = f"['c', 'd', 'h', 's'].map(suit => {colour})"
    assert len(set(page.evaluate(colours))) == 2
    page.get_by_label("four colours").check()
    assert len(set(page.evaluate(colours))) == 4


def test_all_fifty_two_cards_are_drawn_once(table: Page) -> None:
    page = table
    page.keyboard.press("Shift+ArrowRight")
    labels = page.evaluate(READ)["held"]
    held = [held_by(label) for label in labels]
    assert sorted(parse_card(name) for cards in held for name in cards) == list(range(len(NAMES)))
    assert page.locator("#felt .held .card").count() == 52


def test_a_page_is_one_file_and_a_game_s_has_two_beside_it(
    visit: Open, sites: dict[str, Site]
) -> None:
    page = visit(sites["two-player"].url("index.html"))
    parts = "[...document.querySelectorAll('link, script[src], img')]"
    names = f"{parts}.map(part => (part.href || part.src).split('/').at(-1))"
    for file in PAGES:
        page.goto(sites["two-player"].url(file))
        beside = ["game.css", "game.js"] if file.startswith("games/") else []
        assert page.evaluate(names) == beside


# -- a site that follows its run -------------------------------------------------------------------


@pytest.fixture
def live(tmp_path: Path) -> Iterator[tuple[RunStore, Follower, SiteServer]]:
    """A run of which nothing is played yet, followed by a server."""
    plans = [planned(n, *pair) for n, pair in enumerate(PAIRS, 1)]
    with RunStore.begin(tmp_path / "cup", meta("anna", "bob", "cat"), SEED) as store:
        store.plan(plans, boards_return=False)
        follower = Follower(store.folder, tmp_path / "site")
        follower.look()
        address = ("127.0.0.1", 0)
        with SiteServer(address, follower.site, follower.game, follower.progress) as server:
            thread = Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            yield store, follower, server
            server.shutdown()
            thread.join()


def test_a_page_follows_the_run_and_keeps_what_the_reader_chose(
    browser: Browser, live: tuple[RunStore, Follower, SiteServer]
) -> None:
    store, follower, server = live
    page = browser.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(server.url)
    expect(page.locator("#live")).to_have_text("0 of 12 games")
    page.get_by_role("searchbox").fill("a")
    page.get_by_role("columnheader", name="Won").get_by_role("button").click()
    for plan in store.planned():
        store.write(played(plan, store.meta.game))
    store.finish()
    follower._rests_until = 0.0
    follower.look()
    expect(page.locator("#live")).to_have_text("finished: 12 games", timeout=60_000)
    expect(page.locator("main > p").first).to_contain_text("12 games played", timeout=60_000)
    expect(page.get_by_role("searchbox")).to_have_value("a")
    expect(page.get_by_role("columnheader", name="Won")).to_have_attribute(
        "aria-sort", "descending"
    )
    assert sorted(column(page, 2)) == ["anna", "cat"]
    page.goto(f"{server.url}games/1-1-0.html")
    expect(page.locator("#replay")).to_be_visible()
    expect(page.locator("#live")).to_have_text("finished: 12 games")
    assert wrong == []
    page.close()
