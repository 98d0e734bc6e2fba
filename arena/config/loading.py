"""From a tournament's file and the command line's words to a `Tournament`.

It knows how the parts are put together; which options there are, each room says itself.
"""

from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec

from arena.bots import check_name, plain_name
from arena.config.decks import read_decks
from arena.config.entrants import find_bots, placed, show_path, unlisted_images
from arena.config.tournament import (
    MAX_BOARDS,
    Choice,
    Overrides,
    Tournament,
    TournamentFile,
    check_seed,
)
from arena.documents import MAX_BYTES, Section, by_line, open_document
from arena.errors import InputError, Problem, did_you_mean, in_words
from arena.executors.cores import MANY_JOBS, MAX_JOBS
from arena.games.game import Game
from arena.plugins import EXECUTORS, FORMATS, GAMES, RATINGS, SANDBOXES, load_plugin, plugins
from arena.record import GivenBoard, Limits

AUTO, DOCKER = "auto", "docker"
RESULTS = Path("results")
GROUPS = {
    "format": (FORMATS, "round_robin"),
    "rating": (RATINGS, "trueskill"),
    "executor": (EXECUTORS, "local"),
}
"""By key, the group of plug-ins that it chooses from, and the kind that is taken by default."""
BY_KIND = (*GROUPS, "rules", "sandbox")
_NO_OVERRIDES = Overrides()


def load(path: Path, overrides: Overrides = _NO_OVERRIDES) -> Tournament:
    """Read a tournament's file and load its bots; what the command line says goes first.

    Raises `InputError` with all that is wrong, in the file, the command line or the bots.
    """
    return _Loading(path, overrides).tournament()


class _Loading:
    """Reads one file part by part, and gathers what is wrong with any of them."""

    def __init__(self, path: Path, overrides: Overrides) -> None:
        self._path = path
        self._base = path.absolute().parent
        self._overrides = overrides
        self._problems: list[Problem] = []
        self._root = open_document(_read(path), str(path), self._problems)

    def tournament(self) -> Tournament:
        """Read everything, so that all faults are told, then put it together."""
        root = self._root
        file = self._file()
        game = self._game()
        rules = root.part("rules").read(game.rules_type, self._problems) if game else None
        sandbox, limits = self._sandbox()
        plan = self._choose("format")
        rating = self._choose("rating")
        executor = self._with_jobs(self._choose("executor"))
        given = self._given(game)
        seed, name = self._seed(file), self._name()
        asked = root.word("game") if game else None
        bots = find_bots(root, self._base, asked, self._problems)
        if limits is not None and sandbox in (AUTO, DOCKER):
            self._problems += unlisted_images(bots, limits)
        if plan is not None and game is not None and not self._problems:
            self._pair(plan, [bot.ref.bot for bot in bots], game)
        if self._problems or not (file and rules and limits and plan and rating and executor):
            raise InputError(by_line(self._problems))
        return Tournament(
            file=self._path,
            name=name,
            game=file.game,
            seed=seed,
            bots=bots,
            boards=file.boards if root.holds("boards") or not given else given[-1].board,
            duplicate=file.duplicate,
            partners=file.partners,
            given=given,
            rules=msgspec.to_builtins(rules),
            time=file.time,
            faults=file.faults,
            sandbox=sandbox,
            limits=limits,
            format=plan,
            rating=rating,
            executor=executor,
            out=self._overrides.out or RESULTS / name,
        )

    def _file(self) -> TournamentFile | None:
        """Read the keys that do not depend on a kind."""
        if self._root.holds("teams"):
            remedy = "remove it; each bot plays both seats of its side"
            problem = self._root.problem("teams are not played yet", "teams", remedy=remedy)
            self._problems.append(problem)
            return self._root.read(TournamentFile, self._problems, (*BY_KIND, "teams"))
        return self._root.read(TournamentFile, self._problems, BY_KIND)

    def _game(self) -> type[Game] | None:
        """Find the game; that there is none of its name, the file's keys tell."""
        name = self._root.word("game")
        if name is None or name not in plugins(GAMES):
            return None
        game: type[Game] = load_plugin(GAMES, name)
        return game

    def _kind(self, part: Section, word: str, default: str, known: Collection[str]) -> str | None:
        """Look which kind a part chooses, or note that there is no such kind."""
        if not part.is_group:
            guess = part.word() if part.word() in known else default
            problem = part.problem("a group of keys is expected", remedy=f"write {{kind: {guess}}}")
            self._problems.append(problem)
            return None
        kind = part.word("kind") if part.holds("kind") else default
        if kind is not None and kind in known:
            return kind
        what = f"there is no {word} {kind!r}" if kind is not None else "one word is expected"
        near = did_you_mean((kind or "")[:60], known)
        self._problems.append(part.problem(what, "kind", remedy=near))
        return None

    def _choose(self, key: str) -> Choice | None:
        """Read a part whose options depend on its kind."""
        group, default = GROUPS[key]
        part = self._root.part(key)
        kind = self._kind(part, key, default, plugins(group))
        if kind is None:
            return None
        try:
            options_type = load_plugin(group, kind).options_type
        except InputError as error:
            self._problems += [part.problem(one.what, "kind") for one in error.problems]
            return None
        options = part.read(options_type, self._problems, ("kind",))
        return Choice(kind, options) if isinstance(options, msgspec.Struct) else None

    def _pair(self, plan: Choice, names: Sequence[str], game: type[Game]) -> None:
        """Have the format pair the bots, so that what it cannot is told where it is written."""
        try:
            pairings = load_plugin(FORMATS, plan.kind)(plan.options).pairings(names, ())
        except InputError as error:
            self._problems += [
                self._root.problem(one.what, *(one.key or "format").split("."), remedy=one.remedy)
                for one in error.problems
            ]
            return
        most = max((len(pairing.entrants) for pairing in pairings), default=0)
        if most > game.seats:
            what = f"{most} bots at one table, and {game.name} has {game.seats} seats"
            remedy = f"seat at most {game.seats}"
            self._problems.append(self._root.problem(what, "format", remedy=remedy))

    def _sandbox(self) -> tuple[str, Limits | None]:
        """Tell the sandbox's kind, which the command line may replace, and its limits."""
        known = (AUTO, *plugins(SANDBOXES))
        word = self._overrides.sandbox
        if word is not None and word not in known:
            near = did_you_mean(word[:60], known)
            self._override_problem("--sandbox", f"there is no sandbox {word!r}", near)
        part = self._root.part("sandbox")
        kind = self._kind(part, "sandbox", AUTO, known)
        limits = part.read(Limits, self._problems, ("kind",)) if part.is_group else None
        for key in ("image", "images", "runtime"):
            if kind in ("bubblewrap", "none") and part.holds(key):
                what = f"{kind} has no {key}, only docker has"
                self._problems.append(part.problem(what, key, remedy="remove it"))
        return word or kind or AUTO, limits

    def _override_problem(self, option: str, what: str, remedy: str | None) -> None:
        self._problems.append(Problem(what, key=option, remedy=remedy))

    def _with_jobs(self, executor: Choice | None) -> Choice | None:
        """Have the command line's number of jobs replace the file's."""
        jobs = self._overrides.jobs
        if jobs is None or executor is None:
            return executor
        if not 1 <= jobs <= MAX_JOBS:
            self._override_problem("--jobs", f"{jobs} is not from 1 to {MAX_JOBS}", MANY_JOBS)
        elif "jobs" not in executor.options.__struct_fields__:
            self._override_problem("--jobs", f"the executor {executor.kind} has no jobs", None)
        else:
            options = msgspec.structs.replace(executor.options, jobs=jobs)
            return Choice(executor.kind, options)
        return executor

    def _given(self, game: type[Game] | None) -> tuple[GivenBoard, ...]:
        """Read the file of given decks, where there is one. Rules: D3."""
        word = self._root.word("deals")
        boards = self._root.word("boards") or ""
        is_refused = any(one.key == "deals" for one in self._problems)
        if word is None or game is None or is_refused:
            return ()
        most = int(boards) if boards.isdecimal() and len(boards) < 7 else MAX_BOARDS
        path = self._base / word
        try:
            return read_decks(path, str(show_path(path)), game.seats, most)
        except InputError as error:
            shown = show_path(path)
            self._problems += [placed(self._root, ("deals",), shown, one) for one in error.problems]
            return ()

    def _seed(self, file: TournamentFile | None) -> str | None:
        """Take the seed as text, from the command line or the file. Rules: D1, D1a."""
        word = self._overrides.seed
        if word is None:
            return None if file is None or file.seed is None else str(file.seed)
        fault = check_seed(word)
        if fault:
            self._override_problem("--seed", *fault)
        return word

    def _name(self) -> str:
        """Give the name: the command line's, the file's key, or what the file is called."""
        word = self._overrides.name
        if word is not None:
            fault = check_name(word)
            if fault:
                self._override_problem("--name", *fault)
            return plain_name(word)
        word = self._root.word("name")
        if word is not None:
            return plain_name(word)
        fault = check_name(self._path.stem)
        if fault:
            what = f"is missing, and the file's own name {fault[0]}"
            self._problems.append(self._root.problem(what, "name", remedy=fault[1]))
        return plain_name(self._path.stem)


def _read(path: Path) -> bytes:
    """Read a file. Raises `InputError` with the nearest name there is."""
    try:
        if not path.exists():
            beside = path.parent.glob("*.y*ml") if path.parent.is_dir() else ()
            folder = str(path).removesuffix(path.name)
            near = did_you_mean(path.name, [one.name for one in beside], folder)
            raise InputError([Problem("no such file", str(path), remedy=near)])
        if not path.is_file():
            what = "is a folder" if path.is_dir() else "is no file"
            raise InputError([Problem(what, str(path), remedy="name a tournament's YAML file")])
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError([Problem(f"cannot be read: {in_words(error)}", str(path))]) from error
