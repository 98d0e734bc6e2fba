"""The command line: parse, call, print; exit codes.

It knows commands, options and what a terminal can show; it never decides anything of a tournament.
"""

from arena.cli.stopping import end_silently


def main() -> None:
    """Run the command line and leave with its exit code; Ctrl-C while it is loaded just ends it."""
    end_silently()
    from arena.cli.app import main as run  # noqa: PLC0415 - takes long enough to be interrupted in

    run()


__all__ = ["main"]
