"""What differs between two versions of a bot's folder."""

from pathlib import Path

import pytest

from arena.bots import Bot, FileChange, file_changes, key_changes, load_bot
from arena.bots.changes import MAX_TEXT


def make_bot(folder: Path, more: str = "", **files: bytes) -> Bot:
    folder.mkdir()
    (folder / "bot.yaml").write_text(
        f"name: anna\nversion: {folder.name}\ngames: [two-player]\ncommand: [python3, bot.py]\n"
        f"protocol: 1\n{more}"
    )
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return load_bot(folder)


def told(changes: list[FileChange]) -> list[tuple[str, tuple[int, int] | None]]:
    return [(change.path, change.lines) for change in changes]


def test_files_that_came_went_or_are_others_are_listed_with_their_lines(tmp_path: Path) -> None:
    old = make_bot(tmp_path / "1", same=b"a\n", gone=b"a\nb", other=b"a\nb\nc\n")
    new = make_bot(tmp_path / "2", same=b"a\n", came=b"a\nb\nc\n", other=b"a\nx\nc\ny\n")
    assert told(file_changes(old, new)) == [("came", (3, 0)), ("gone", (0, 2)), ("other", (2, 1))]
    assert file_changes(old, old) == []


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        (b"", b"a", (1, 0)),
        (b"a\nb\n", b"b\na\n", (0, 0)),
        (b"a\n", b"a\r\n", (1, 1)),
        (b"a", b"a\0", None),
        (b"a" * (MAX_TEXT + 1), b"a", None),
        (b"a\n" * 9, b"a\n" * 4, (0, 5)),
    ],
)
def test_lines_are_counted_where_there_are_any(
    tmp_path: Path, before: bytes, after: bytes, lines: tuple[int, int] | None
) -> None:
    old, new = (make_bot(tmp_path / name, x=text) for name, text in (("1", before), ("2", after)))
    assert told(file_changes(old, new)) == [("x", lines)]


def test_a_file_that_becomes_a_program_or_a_link_is_another(tmp_path: Path) -> None:
    old, new = (make_bot(tmp_path / name, x=b"y", y=b"y") for name in ("1", "2"))
    (new.folder / "y").chmod(0o755)
    (new.folder / "x").unlink()
    (new.folder / "x").symlink_to("y")
    kinds = [
        (one.path, one.before and one.before.kind, one.after and one.after.kind)
        for one in file_changes(old, new)
    ]
    assert kinds == [("x", "file", "link"), ("y", "file", "exec")]


def test_keys_that_say_otherwise_are_listed_but_for_the_version(tmp_path: Path) -> None:
    old = make_bot(tmp_path / "1")
    new = make_bot(tmp_path / "2", "description: x\nbuild: [sh, make.sh]\n")
    changes = [(one.key, one.before, one.after) for one in key_changes(old, new)]
    assert changes == [("build", None, ("sh", "make.sh")), ("description", "", "x")]
    assert file_changes(old, new) == []
