"""How far something is, for the person watching: a bar on a terminal, else a line now and then.

It knows amounts, rates and times left; it never knows what is being counted. All of it goes to
standard error.
"""

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.progress import BarColumn, Progress, TaskID, TextColumn

from arena.cli.terminal import console, is_plain, say, shown

LINES = 10
"""Lines that a whole count is told in at least where there is no bar."""
SOONEST, LATEST, SHARE = 5.0, 60.0, 0.05
"""Seconds from one line to the next: a share of the time so far, within bounds."""


def timespan(seconds: float) -> str:
    """Write a time in its two largest units."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours < 48 else f"{hours // 24:,} d {hours % 24} h"


def pace(rate: float, left: float | None) -> str:
    """Write what follows a count: the rate a second, and the seconds left where they are known."""
    words = f", {rate:.1f} a second" if rate else ""
    return words if left is None else f"{words}, {timespan(left)} left"


class Watch:
    """Shows a count that grows, and lines that come up meanwhile.

    A quiet one shows neither bar nor counts, but still the lines.
    """

    def __init__(
        self, what: str, *, quiet: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Name what is counted, such as ``games``; `clock` gives seconds."""
        self._what = what
        self._quiet = quiet
        self._bar = None if quiet or is_plain(sys.stderr) else self._make_bar()
        self._task: TaskID | None = None
        self._told = ""
        self._tenths = 0
        self._clock = clock
        self._began = self._told_at = clock()

    def _make_bar(self) -> Progress:
        return Progress(
            BarColumn(bar_width=24),
            TextColumn("{task.fields[words]}", markup=False),
            console=console(sys.stderr),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )

    def __enter__(self) -> Self:
        """Start showing."""
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: int, of: int, rate: float = 0.0, left: float | None = None) -> None:
        """Tell how many are done, at which rate a second, and the seconds left."""
        if self._quiet:
            return
        words = f"{done:,} of {of:,} {self._what}{pace(rate, left if done < of else None)}"
        if self._bar is not None:
            if self._task is None:
                self._task = self._bar.add_task("", words="")
            self._bar.update(self._task, completed=done, total=of, words=words)
        elif self._is_time(done, of) and f"{done} of {of}" != self._told:
            self._told, self._told_at = f"{done} of {of}", self._clock()
            say(words)

    def _is_time(self, done: int, of: int) -> bool:
        """Tell whether a line is due: a tenth is done, or the last line was a while ago."""
        tenths = done * LINES // of if of else 0
        is_further, self._tenths = tenths > self._tenths, max(tenths, self._tenths)
        now = self._clock()
        pause = min(LATEST, max(SOONEST, SHARE * (now - self._began)))
        return is_further or now - self._told_at >= pause

    def say(self, text: str, style: str = "") -> None:
        """Tell one line, above the bar where there is one."""
        if self._bar is not None:
            self._bar.console.print(shown(text, style), soft_wrap=True)
        else:
            say(text, style)
