"""Reading a results folder, also while a run writes to it."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from arena.record import GameRecord, GivenBoard, MatchRecord, Result
from arena.store.values import Meta, PlannedMatch, PlayedMatch, StoredFault, StoredGame, StoredLog


class Store:
    """One results folder as it stood when it was opened; close and open again to see more.

    All iterators are lazy, in schedule order (match, board, sitting). Everything here raises
    `StoreError` for a folder that is foreign, newer, corrupt or not there.
    """

    meta: Meta

    def __init__(self, folder: Path) -> None:
        """Open `folder` for reading; nothing in it is changed."""
        raise NotImplementedError

    def __enter__(self) -> "Store":
        """Use the store as a context that closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        raise NotImplementedError

    @property
    def is_finished(self) -> bool:
        """Tell whether the tournament is over; only then is its seed published."""
        raise NotImplementedError

    @property
    def seed(self) -> str | None:
        """Give the seed once the run is finished; None while it lasts. Rules: D1a."""
        raise NotImplementedError

    def boards_to_play(self) -> frozenset[int]:
        """Name the boards that anyone has still to play: show no card of them. Rules: D1a."""
        raise NotImplementedError

    def given(self) -> tuple[GivenBoard, ...]:
        """Give the decks that came from a file. Rules: D3."""
        raise NotImplementedError

    def count_planned(self) -> int:
        """Count the matches of the schedule, as far as it is known."""
        raise NotImplementedError

    def count_played(self) -> int:
        """Count the matches that are stored."""
        raise NotImplementedError

    def planned(self) -> Iterator[PlannedMatch]:
        """List the schedule, played or not."""
        raise NotImplementedError

    def played(self) -> Iterator[PlayedMatch]:
        """List the matches that are stored, without their games."""
        raise NotImplementedError

    def match(self, match: int) -> MatchRecord:
        """Give a match as it was written. Raises `KeyError` where it is not stored."""
        raise NotImplementedError

    def game(self, match: int, board: int, sitting: int) -> GameRecord:
        """Give one game. Raises `KeyError` where it is not stored."""
        raise NotImplementedError

    def games(self, match: int | None = None) -> Iterator[GameRecord]:
        """List the game records, of one match or of all."""
        raise NotImplementedError

    def stored_games(self) -> Iterator[StoredGame]:
        """List the game records with the digests that were stored with them."""
        raise NotImplementedError

    def results(self, entrant: str | None = None) -> Iterator[Result]:
        """List outcomes for the ratings, of one entrant or of all; no record is read for it."""
        raise NotImplementedError

    def faults(self, entrant: str | None = None) -> Iterator[StoredFault]:
        """List the faults, of one entrant or of all."""
        raise NotImplementedError

    def logs(self, match: int | None = None) -> Iterator[StoredLog]:
        """List what processes wrote to standard error, of one match or of all."""
        raise NotImplementedError
