"""The command line: parse, call, print; exit codes.

It knows commands, options and what a terminal can show; it never decides anything of a tournament.
"""

from arena.cli.app import main

__all__ = ["main"]
