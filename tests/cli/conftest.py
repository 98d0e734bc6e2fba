from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli.app import run_command
from tests.cli.workspace import Workspace

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path, "ann", "bob", "cat")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace whose tournament was played; for tests that change nothing in it."""
    workspace = Workspace(tmp_path_factory.mktemp("played"), "ann", "bob", "cat")
    code, _, errors = workspace.run("run", "cup.yaml")
    assert code == 0, errors
    return workspace


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """Run the command line in this process, which is faster than to start it."""

    def run(workspace: Workspace, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.chdir(workspace.folder)
        capfd.readouterr()
        code = run_command(arguments)
        return (code, *capfd.readouterr())

    return run
