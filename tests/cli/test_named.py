"""A bot as the command line names it: by folder, archive, or name in the pool."""

import shutil
from pathlib import Path

import pytest

from arena.cli.named import complete_bot, named_bot
from arena.errors import InputError
from tests.cli.workspace import Workspace


@pytest.fixture
def pool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A pool with a bot in two versions, and one that lies there by itself."""
    workspace = Workspace(tmp_path, "ann")
    workspace.add_bot("bob", pool="sent")
    for version in ("1.9", "1.10"):
        shutil.copytree(workspace.folder / "sent/bob", workspace.folder / "bots/bob" / version)
        manifest = workspace.folder / "bots/bob" / version / "bot.yaml"
        manifest.write_text(manifest.read_text().replace("'1.0'", f"'{version}'"))
    monkeypatch.chdir(tmp_path)
    return workspace


@pytest.mark.parametrize(
    ("word", "bot", "version"),
    [
        ("ann", "ann", "1.0"),
        ("ann@1.0", "ann", "1.0"),
        ("bob", "bob", "1.10"),
        ("bob@1.9", "bob", "1.9"),
        ("sent/bob", "bob", "1.0"),
        ("bots/bob/1.9", "bob", "1.9"),
        ("bob.zip", "bob", "1.0"),
    ],
)
def test_a_bot_is_found_by_its_folder_its_archive_and_its_name(
    pool: Workspace, word: str, bot: str, version: str
) -> None:
    shutil.make_archive("bob", "zip", pool.folder / "sent/bob")
    with named_bot(Path(word)) as found:
        assert (found.ref.bot, found.ref.version) == (bot, version)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("bobb", "bobb: no such folder, and no bot of that name in bots; did you mean 'bob'?"),
        ("bobb@1", "bots: there is no bot 'bobb'; did you mean 'bob'?"),
        ("bob@1.8", "bots: bob has no version '1.8'; did you mean '1.9'?"),
        ("ann@", "bots: ann has no version ''; known here: 1.0"),
    ],
)
def test_a_name_that_is_not_there_is_refused_with_the_nearest(
    pool: Workspace, word: str, told: str
) -> None:
    with pytest.raises(InputError) as refused, named_bot(Path(word)):
        pass
    assert str(refused.value) == told


def test_a_shell_completes_bots_of_the_pool_and_here(pool: Workspace) -> None:
    shutil.copytree(pool.folder / "bots/ann", pool.folder / "anna")
    assert complete_bot("a") == ["ann", "anna"]
    assert complete_bot("b") == ["bob"]
