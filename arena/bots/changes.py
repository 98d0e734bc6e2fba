"""What differs between two versions of a bot: keys of the manifest, and files with their lines.

It knows how much has changed, and never judges it. Files are a stranger's: what is read of them
and what is made of it is bounded, whatever they hold.
"""

import os
from collections import Counter
from pathlib import Path

import msgspec

from arena.bots.bot import Bot
from arena.bots.folder import Entry, list_folder, open_file
from arena.bots.manifest import FILE, Manifest

MAX_TEXT = 1 << 20
"""Bytes of a file whose lines are counted."""


class KeyChange(msgspec.Struct, frozen=True):
    """A key of the manifest with its value before and after."""

    key: str
    before: object
    after: object


class FileChange(msgspec.Struct, frozen=True):
    """A file as it was and is, None where it was or is not there.

    `lines` are how many came and how many went, whatever their order; None where either is no
    text, or too long for one.
    """

    path: str
    before: Entry | None
    after: Entry | None
    lines: tuple[int, int] | None


def key_changes(old: Bot, new: Bot) -> list[KeyChange]:
    """List what the manifest says otherwise, but for the name and the version."""
    pairs = (
        KeyChange(key, getattr(old.manifest, key), getattr(new.manifest, key))
        for key in Manifest.__struct_fields__
        if key not in ("name", "version")
    )
    return [one for one in pairs if one.before != one.after]


def file_changes(old: Bot, new: Bot) -> list[FileChange]:
    """List the files that came, went or are others, by path; the manifest is told by its keys."""
    before, after = ({one.path: one for one in list_folder(bot.folder)} for bot in (old, new))
    changes = []
    for path in sorted({*before, *after} - {FILE}):
        was, is_now = before.get(path), after.get(path)
        contents = _content(old.folder, was), _content(new.folder, is_now)
        if was is None or is_now is None or was.kind != is_now.kind or contents[0] != contents[1]:
            changes.append(FileChange(path, was, is_now, _lines(*contents)))
    return changes


def _content(folder: Path, entry: Entry | None) -> bytes:
    if entry is None or entry.kind == "link":
        return os.fsencode(entry.target) if entry else b""
    with open_file(folder / entry.path) as file:
        return file.read()


def _lines(before: bytes, after: bytes) -> tuple[int, int] | None:
    """Count lines that came and went: linear in their number, where a shortest script is not."""
    if max(len(before), len(after)) > MAX_TEXT or b"\0" in before or b"\0" in after:
        return None
    old, new = (Counter(text.splitlines(keepends=True)) for text in (before, after))
    return (new - old).total(), (old - new).total()
