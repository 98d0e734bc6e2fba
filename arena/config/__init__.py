"""A tournament's file, read into one checked value.

It knows the file's keys and asks each room for the options that it declares; it never plays, and
makes nothing on disk.
"""

from arena.config.loading import load
from arena.config.resolving import changes, resolved
from arena.config.schema import schema
from arena.config.tournament import Choice, Overrides, Tournament

__all__ = ["Choice", "Overrides", "Tournament", "changes", "load", "resolved", "schema"]
