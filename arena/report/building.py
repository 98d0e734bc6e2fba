"""The site of a run, built from its store: every page, or only what has changed since.

It knows which pages there are and what each needs; what they tell, their own modules say. Matches
are read once and cut down, and the cut is kept for the next build. No card of a board that anyone
has still to play gets on a page. Rules: D1a.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from arena.deals import Board
from arena.errors import StoreError
from arena.games.game import Game
from arena.match import start_again
from arena.ratings.standing import Table
from arena.record import without_times
from arena.referee import UnplayableRecord
from arena.report import bot, cache, game, traveller
from arena.report.facts import Facts, gather, summarise
from arena.report.faults import shown_faults
from arena.report.front import INTERESTING, render, site_of
from arena.report.habits import Habits, Times
from arena.report.interesting import Choice, Chooser, boards_of
from arena.report.links import Beside, Link, bot_file, game_file, match_file
from arena.report.matchup import Matchup, cut_down
from arena.report.page import Page, Site, shared_files
from arena.report.renewal import Renewal
from arena.store import GameKey, PlannedMatch, Store

GamePages: TypeAlias = Literal["all", "interesting", "none"]
"""Which games get a page of their own: all that may be shown, those worth a look, or none."""
GAME_PAGES: tuple[GamePages, ...] = ("all", "interesting", "none")


def build(
    store: Store,
    table: Table,
    folder: Path,
    games: GamePages = "interesting",
    history: Mapping[int, Table] | None = None,
    *,
    times: bool = True,
    is_live: bool = False,
) -> Path:
    """Build the site of a run into `folder`, in one step, and give its first page.

    `table` are the store's standings and `history` those after each round. Beside the folder a
    cache is left, with which the next build makes only what has changed. Without `times` the same
    games give the same bytes, however long the bots took. The pages of a live site ask their
    server what is new, and for `game_page` of each game. Raises `StoreError` where the folder holds
    something that is no report.
    """
    with Renewal(folder) as renewal:
        left = folder.with_name(f"{folder.name}.cache")
        identity = cache.identify(store.meta, games, is_live, times=times)
        old = cache.load(left, identity)
        building = _Building(store, table, renewal, old, times=times, is_live=is_live)
        building.build(games, history or {})
        cache.drop(left)
        renewal.finish()
        cache.save(left, building.new)
    return folder / "index.html"


def game_page(store: Store, key: GameKey) -> bytes | None:
    """Make a game's page of a live site; None where it is not played or may not be shown yet."""
    if key.board in store.boards_to_play() or key not in store.keys(key.match):
        return None
    plan = next(store.planned(after=key.match - 1))
    bots = {ref.bot: bot_file(n) for n, ref in enumerate(store.meta.entrants, 1)}
    site = site_of(store.meta, lists_games=True, is_live=True)
    return _render_game(store, site, plan, key, bots, times=True)


def _render_game(
    store: Store,
    site: Site,
    plan: PlannedMatch,
    key: GameKey,
    bots: Mapping[str, str],
    *,
    times: bool,
) -> bytes:
    names = " – ".join(dict.fromkeys(plan.seated(key.sitting)))
    page = Page(game_file(key), f"{names}, board {key.board}, sitting {key.sitting}")
    twins = [GameKey(key.match, key.board, n) for n in range(plan.sittings) if n != key.sitting]
    links = [
        *(Link(name, bots[name]) for name in plan.entrants),
        Link(f"match {key.match}", match_file(key.match)),
        *(Link(f"the same cards, sitting {t.sitting}", game_file(t)) for t in twins),
    ]
    content = {**_game(store, key, times=times), "links": links}
    return site.render("game.html", page, content)


def _game(store: Store, key: GameKey, *, times: bool) -> dict[str, object]:
    record = store.game(*key)
    if not times:
        record = without_times(record)

    def start(board: Board) -> Game:
        return start_again(record, board)

    try:
        return game.content(record, start)
    except UnplayableRecord as error:
        raise StoreError(f"{store.folder}: {key}: {error}; run arena verify") from error


class _Building:
    """One build, from the matches to the pages."""

    def __init__(
        self,
        store: Store,
        table: Table,
        renewal: Renewal,
        old: cache.Cache,
        *,
        times: bool,
        is_live: bool,
    ) -> None:
        self._store = store
        self._table = table
        self._renewal = renewal
        self._old = old
        self.new = cache.Cache(old.identity)
        self._has_times = times
        self._is_live = is_live
        self._facts: Facts = gather(store, times=times)
        self._withheld = store.boards_to_play()
        self._bots = {name: bot_file(n) for n, name in enumerate(self._facts.entrants, 1)}
        self._habits = {name: Habits() for name in self._bots}
        self._times = {name: Times() for name in self._bots}
        self._pairs = traveller.pairs(self._facts.matches)
        self._shown: set[GameKey] = set()

    def build(self, games: GamePages, history: Mapping[int, Table]) -> None:
        """Make every page that has changed, and keep the others."""
        self._site = site_of(self._facts.meta, lists_games=games != "none", is_live=self._is_live)
        chooser = Chooser(self._table)
        for plan in self._facts.matches:
            self._count_in(plan, chooser)
        choices = chooser.choose()
        chosen = set(boards_of(choices.values()))
        for plan in self._facts.matches:
            self._tell_match(plan, self._keys(plan, games, chosen))
        if games != "none":
            self._tell_choices(choices)
            for file, shared in shared_files(is_live=self._is_live).items():
                self._renewal.write(file, shared)
        for name in self._bots:
            self._tell_bot(name, history)
        beside = Beside(self._bots, self._leads(), self._times if self._has_times else {})
        for file, content in render(self._facts, self._table, beside, self._site).items():
            self._renewal.write(file, content)

    def _count_in(self, plan: PlannedMatch, chooser: Chooser) -> None:
        """Read a match, cut it down, and count what its bots did."""
        cut = self._old.matchups.get(plan.match)
        if cut is None:
            cut = msgspec.msgpack.encode(self._cut_down(plan.match))
        self.new.matchups[plan.match] = cut
        matchup = self._matchup(plan)
        for board, by_bot in matchup.habits.items():
            if board not in self._withheld:
                for name, habits in by_bot.items():
                    self._habits[name].add(habits)
        for name, times in matchup.times.items():
            self._times[name].add(times)
        results = list(self._store.results(match=plan.match))
        keys = [GameKey(one.match, one.board, one.sitting) for one in results]
        if keys != [line.key for line in matchup.games] or keys != list(plan.keys()):
            what = f"match {plan.match}: its games and results are not those that were planned"
            raise StoreError(f"{self._store.folder}: {what}; run arena verify")
        for game_line, result in zip(matchup.games, results, strict=True):
            chooser.look_at(result, game_line.hands)

    def _cut_down(self, match: int) -> Matchup:
        try:
            return cut_down(self._store.games(match))
        except (UnplayableRecord, msgspec.ValidationError) as error:
            what = f"match {match}: a record makes no sense: {error}"
            raise StoreError(f"{self._store.folder}: {what}; run arena verify") from error

    def _matchup(self, plan: PlannedMatch) -> Matchup:
        return msgspec.msgpack.decode(self.new.matchups[plan.match], type=Matchup)

    def _keys(
        self, plan: PlannedMatch, games: GamePages, chosen: Collection[tuple[int, int]]
    ) -> list[GameKey]:
        """Name the games of a match that get a page."""
        if games == "none":
            return []
        may_be_shown = [key for key in list(plan.keys()) if key.board not in self._withheld]
        if games == "all":
            return may_be_shown
        return [key for key in may_be_shown if (key.match, key.board) in chosen]

    def _tell_match(self, plan: PlannedMatch, keys: list[GameKey]) -> None:
        """Make the page of a match, and those of its games that get one."""
        self._shown.update(keys)
        withheld = sorted(self._withheld.intersection(plan.boards))
        page = Page(match_file(plan.match), f"Match {plan.match}: {' – '.join(plan.entrants)}")

        def render_match() -> bytes:
            told = traveller.content(plan, self._matchup(plan), withheld, keys, self._bots)
            return self._site.render("match.html", page, told)

        self._renew(page.file, (withheld, keys), render_match)
        for key in () if self._is_live else keys:
            self._tell_game(plan, key)

    def _tell_game(self, plan: PlannedMatch, key: GameKey) -> None:
        def render_game() -> bytes:
            times = self._has_times
            return _render_game(self._store, self._site, plan, key, self._bots, times=times)

        self._renew(game_file(key), (), render_game)

    def _tell_choices(self, choices: Mapping[str, Sequence[Choice]]) -> None:
        shown = [
            (
                kind,
                [
                    (choice, game_file(choice.key) if choice.key in self._shown else "")
                    for choice in found
                ],
            )
            for kind, found in choices.items()
        ]
        content = {
            "summary": summarise(self._facts),
            "kinds": shown,
            "withheld": len(self._withheld),
        }
        self._renewal.write(INTERESTING.file, self._site.render("games.html", INTERESTING, content))

    def _tell_bot(self, name: str, history: Mapping[int, Table]) -> None:
        counted = {plan.match for plan in self._facts.matches}
        known = bot.Known(
            ref=self._facts.entrants[name],
            table=self._table,
            history=history,
            matches={other: found for (one, other), found in self._pairs.items() if one == name},
            files=self._bots,
            faults=shown_faults(self._store, name, counted, self._withheld, self._shown),
            habits=self._habits[name],
            times=self._times[name] if self._has_times else None,
            is_withheld=bool(self._withheld),
        )
        page = Page(self._bots[name], name)
        self._renewal.write(page.file, self._site.render("bot.html", page, bot.content(known)))

    def _leads(self) -> dict[tuple[str, str], str]:
        """Say where each two bots' meeting is told: their match, or one's page where more are."""
        return {
            (one, other): match_file(found[0]) if len(found) == 1 else self._bots[one]
            for (one, other), found in self._pairs.items()
        }

    def _renew(self, file: str, made_of: object, make: Callable[[], bytes]) -> None:
        """Keep a page that was made of the same things, or make it again."""
        digest = cache.digest_of(made_of)
        if self._old.pages.get(file) != digest or not self._renewal.keep(file):
            self._renewal.write(file, make())
        self.new.pages[file] = digest
