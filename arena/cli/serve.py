"""The command that shows a tournament while it is played: `serve`.

It knows when to look at the results and when to build the site again; it never holds them open
between two looks, so that it may be left running for days. Rules: D1a.
"""

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Annotated

import msgspec
import typer

from arena import report, tournament
from arena.cli.locate import find_run
from arena.cli.options import Run
from arena.cli.progress import pace
from arena.cli.terminal import print_line, say, warn
from arena.errors import InputError, Problem, StoreError
from arena.report.links import game_of
from arena.report.server import SiteServer, is_loopback
from arena.report.text import count
from arena.store import Counts, Store

_LOOK_EVERY = 1.0
"""Seconds between two looks at the results."""
_REST = 4
"""Times as long as a build took before the next: bots need the cores more."""
_WINDOW = 60
"""Looks that the speed is measured over."""

Clock = Callable[[], float]


def serve(
    run: Run,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Where to listen; 0: any free one.")
    ] = 8765,
    host: Annotated[
        str,
        typer.Option("--host", help="Another address than this machine's own, for others to read."),
    ] = "127.0.0.1",
) -> None:
    """Show the report of a tournament in a browser, and follow it while it is played.

    Standings and results come at once; cards of a board once nobody has still to play it. Ctrl-C
    ends it.
    """
    folder = find_run(run)
    with TemporaryDirectory(prefix="arena-serve-") as scratch:
        follower = Follower(folder, Path(scratch, "site"))
        with _listen(host, port, follower) as server:
            if not is_loopback(host):
                warn("everyone who reaches this machine can read the results, without a password")
            try:
                _follow(follower, server)
            except KeyboardInterrupt:
                say("ended")


def _follow(follower: "Follower", server: SiteServer) -> None:
    """Look and serve until told to stop; the thread that answers ends with the program."""
    follower.look()
    Thread(target=server.serve_forever, daemon=True).start()
    print_line(server.url)
    while True:
        time.sleep(_LOOK_EVERY)
        follower.look()


def _listen(host: str, port: int, follower: "Follower") -> SiteServer:
    try:
        return SiteServer((host, port), follower.site, follower.game, follower.progress)
    except OSError as error:
        what = f"cannot listen at {host}, port {port}: {error.strerror or error}"
        raise InputError([Problem(what, remedy="name another with --port or --host")]) from None


class Follower:
    """Builds a run's site again when more is played, and rests between builds.

    `progress` and `game` may be called from any thread.
    """

    def __init__(self, run: Path, site: Path, clock: Clock = time.monotonic) -> None:
        """Follow the results folder `run`; its site is built into `site`."""
        self.site = site
        self._run = run
        self._clock = clock
        self._shown: tuple[Counts, bool] | None = None
        self._rests_until = 0.0
        self._version = 0
        self._words = ""
        self._seen: deque[tuple[float, int]] = deque(maxlen=_WINDOW)

    def look(self) -> None:
        """Look at the results once; where they cannot be read, keep what is shown, and say so.

        Raises `StoreError` where they could never be read.
        """
        try:
            with Store(self._run) as store:
                counts = store.counts()
                self._words = self._tell(counts, is_finished=store.is_finished)
                state = counts, store.is_finished
                if state != self._shown and self._clock() >= self._rests_until:
                    self._build(store)
                    self._shown = state
        except StoreError as error:
            if self._shown is None:
                raise
            self._words = f"What is shown is old: {error}"

    def _build(self, store: Store) -> None:
        begun = self._clock()
        table, rounds = tournament.standings(store), tournament.history(store)
        report.build(store, table, self.site, "all", rounds, is_live=True)
        self._version += 1
        now = self._clock()
        self._rests_until = now + _REST * (now - begun)

    def _tell(self, counts: Counts, *, is_finished: bool) -> str:
        """Say how far the run is, how fast, and how long it may still take."""
        played, games = counts.games_played, counts.games
        if is_finished:
            return f"finished: {count(played, 'game')}"
        self._seen.append((self._clock(), played))
        (since, before), (now, _) = self._seen[0], self._seen[-1]
        words = f"{played:,} of {count(games, 'game')}"
        if played > before and now > since:
            rate = (played - before) / (now - since)
            words += pace(rate, (games - played) / rate)
        return words

    def progress(self) -> bytes:
        """Tell a page how far the run is, and which version of the site is shown."""
        return msgspec.json.encode({"words": self._words, "version": self._version})

    def game(self, file: str) -> bytes | None:
        """Make the page of a game; None where it is no game's, or may not be shown."""
        key = game_of(file)
        if key is None:
            return None
        with Store(self._run) as store:
            return report.game_page(store, key)
