"""A results folder: the one truth of a run, in SQLite, a match a transaction."""

from arena.store.reading import Store
from arena.store.values import (
    Meta,
    PlannedMatch,
    PlayedMatch,
    StoredFault,
    StoredGame,
    StoredLog,
)

__all__ = [
    "Meta",
    "PlannedMatch",
    "PlayedMatch",
    "Store",
    "StoredFault",
    "StoredGame",
    "StoredLog",
]
