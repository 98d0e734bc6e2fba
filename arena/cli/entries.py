"""A titled entry of several lines, such as a fault's words or a bot's log: indented and cut.

It knows how much of a text a person wants to see; it never knows what it is about. Every line is
made safe to show where it is printed.
"""

from arena.cli.terminal import print_line
from arena.report.text import count, cut

HEAD, TAIL = 5, 15
"""Lines of a text that are printed from its beginning and its end."""
WIDEST = 500
"""Characters of a line that are printed."""


def print_entry(title: str, text: str, indent: int, width: int) -> None:
    """Print a text beside its title, which stands at the first line; nothing for no text."""
    for line in head_and_tail(text):
        print_line(f"{' ' * indent}{title:<{width}}{line}")
        title = ""


def head_and_tail(text: str) -> list[str]:
    """Give the lines of a text, each cut, and only the first and the last of many."""
    lines = [cut(line, WIDEST) for line in text.rstrip().split("\n")] if text.strip() else []
    left = len(lines) - HEAD - TAIL
    return (
        lines if left <= 0 else [*lines[:HEAD], f"… {count(left, 'line')} left out", *lines[-TAIL:]]
    )
