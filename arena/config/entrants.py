"""The bots of a tournament: from folders and globs to entrants that can meet.

It knows where bots may lie, in folders of their own or in a pool; it never runs one.
"""

import glob
import os
from collections.abc import Iterator
from pathlib import Path

from arena.bots import Bot, load_bot, newest_version, plain_name, pool_versions, real_path
from arena.documents import Section
from arena.errors import InputError, Problem
from arena.record import Limits

MANIFEST = "bot.yaml"


def find_bots(
    root: Section, base: Path, game: str | None, problems: list[Problem]
) -> tuple[Bot, ...]:
    """Load all bots that the file names, in its order; those of a glob by path.

    A folder is taken once, however often it is named, and not looked for where `problems` tell
    already what is wrong with its name. What else is wrong goes there, too.
    """
    before = len(problems)
    refused = {one.key for one in problems if one.key and one.key.startswith("bots")}
    bots: dict[Path, Bot] = {}
    places: dict[Path, Path] = {}
    for index, pattern in root.words("bots").items():
        if f"bots[{index}]" in refused:
            continue
        try:
            folders = _folders(root, index, pattern, base, problems)
        except OSError as error:
            what = f"{show_path(Path(error.filename))} cannot be read: {error.strerror}"
            remedy = "check its permissions"
            problems.append(root.problem(what, "bots", index, remedy=remedy))
            continue
        for folder in folders:
            place = show_path(folder)
            real = real_path(folder)
            if real in places:
                continue
            places[real] = place
            try:
                bots[real] = load_bot(place)
            except InputError as error:
                problems += [placed(root, ("bots", index), place, one) for one in error.problems]
    entrants = [(places[folder], bot) for folder, bot in bots.items()]
    problems += _unfit(root, entrants, game)
    is_whole = root.holds("bots") and not refused and len(problems) == before
    if is_whole and len(entrants) < 2:
        there = f"only {entrants[0][1].ref.bot}" if entrants else "none"
        problems.append(root.problem(f"at least two bots are needed, and there is {there}", "bots"))
    return tuple(bots.values())


def placed(root: Section, way: tuple[str | int, ...], named: Path, problem: Problem) -> Problem:
    """Put a fault of a file or folder as a whole where it is named."""
    if problem.file != str(named) or problem.line is not None or problem.key is not None:
        return problem
    return root.problem(f"{named}: {problem.what}", *way, remedy=problem.remedy)


def _folders(
    root: Section, index: int, pattern: str, base: Path, problems: list[Problem]
) -> list[Path]:
    """List the bots' folders that one entry names, or note that there are none."""
    named = base / pattern
    if named.exists() or not glob.has_magic(pattern):
        return [_newest(root, index, named, problems) or named]
    found = []
    # Unlike `Path.glob`, it takes absolute patterns and passes over hidden folders.
    matches = glob.glob(pattern, root_dir=base)  # noqa: PTH207
    for match in sorted(matches, key=os.fsencode):
        folder = base / match
        if not folder.is_dir():
            continue
        bot = _newest(root, index, folder, problems)
        if bot is not None:
            found.append(bot)
    if not found:
        what = f"no bot's folder matches {pattern}"
        remedy = "paths begin at the folder of this file"
        problems.append(root.problem(what, "bots", index, remedy=remedy))
    return found


def _newest(root: Section, index: int, folder: Path, problems: list[Problem]) -> Path | None:
    """Give the folder itself if it is a bot's, or a pool's newest version of the bot, or None."""
    if os.path.lexists(folder / MANIFEST):
        return folder
    versions = pool_versions(folder)
    newest = newest_version(versions)
    if newest or not versions:
        return newest
    names = ", ".join(version.name for version in versions)
    what = f"{show_path(folder)} has versions that are not plain numbers: {names}"
    remedy = f"name one of them, such as {folder.name}/{versions[0].name}"
    problems.append(root.problem(what, "bots", index, remedy=remedy))
    return None


def _unfit(root: Section, entrants: list[tuple[Path, Bot]], game: str | None) -> list[Problem]:
    """Say which bots do not play the game, and which have another's name."""
    problems = []
    seen: dict[str, Path] = {}
    for place, bot in entrants:
        if game and game not in bot.manifest.games:
            remedy = f"it plays {', '.join(bot.manifest.games)}; leave it out of this tournament"
            what = f"{bot.ref.bot} does not play {game}"
            problems.append(Problem(what, str(place / MANIFEST), key="games", remedy=remedy))
        name = plain_name(bot.ref.bot).casefold()
        if name in seen:
            what = f"two bots are called {bot.ref.bot}: {seen[name]} and {place}"
            remedy = f"rename one in its {MANIFEST}"
            problems.append(root.problem(what, "bots", remedy=remedy))
        seen[name] = place
    return problems


def unlisted_images(bots: tuple[Bot, ...], limits: Limits) -> Iterator[Problem]:
    """Say which bots ask for a Docker image that the organiser does not offer.

    An image may hold anything of its owner's, so no bot gets one that only happens to be there.
    """
    offered = tuple(filter(None, (limits.image, *limits.images)))
    for bot in bots:
        asked = bot.manifest.image
        if asked is not None and asked not in offered:
            what = f"{bot.ref.bot} asks for the image {asked}, which this tournament does not offer"
            others = f"ask for one of {', '.join(offered)}" if offered else "leave it out"
            remedy = f"{others}, or add it to `images` of the tournament's `sandbox`"
            place = str(show_path(bot.folder) / MANIFEST)
            yield Problem(what, place, key="image", remedy=remedy)


def show_path(path: Path) -> Path:
    """Give a path that reads well and names the same: from the current folder where it is in it."""
    plain = Path(os.path.normpath(path.absolute()))
    if real_path(plain) != real_path(path):  # a link stands before a `..`
        plain = real_path(path)
    here = Path.cwd()
    return plain.relative_to(here) if plain.is_relative_to(here) else plain
