"""What a person is told of the machine's own delay."""

from pathlib import Path

import msgspec
import pytest

from arena.cli.play import _tell_delay
from arena.config import Choice, Tournament
from arena.executors.local import LocalOptions
from arena.protocol import TimeControl
from arena.record import Delay
from arena.store import Store
from tests.cli.conftest import Call
from tests.cli.workspace import CONFIG, Workspace
from tests.tournament.tables import tournament


@pytest.fixture
def cup(tmp_path: Path) -> Tournament:
    return tournament(tmp_path, "ann", "bob", time=TimeControl(move=0.1))


def told(delay: Delay, cup: Tournament, capsys: pytest.CaptureFixture[str]) -> list[str]:
    _tell_delay(delay, cup, quiet=True)
    return capsys.readouterr().err.splitlines()


def test_a_run_measures_the_delay_before_it_plays(call: Call, workspace: Workspace) -> None:
    workspace.config.write_text(CONFIG.replace("boards: 1", "boards: 10"))
    code, _, errors = call(workspace, "run", "cup.yaml", "--jobs", "1")
    assert code == 0
    assert errors.index("clock: with 1 match at a time, a bot that answers at once is ") < (
        errors.index("of 60 games")
    )
    with Store(workspace.folder / "results" / "cup") as store:
        (delay,) = store.delays()
        assert delay.jobs == 1


def test_a_machine_that_is_fast_enough_draws_no_warning(
    cup: Tournament, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(Delay(1, 1000, 50, 900, 4_000), cup, capsys) == []


@pytest.mark.parametrize("delay", [Delay(1, 1000, 50, 6_000, 6_000), Delay(1, 1000, 5, 90, 30_000)])
def test_a_machine_that_is_too_busy_draws_a_warning(
    delay: Delay, cup: Tournament, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = told(delay, cup, capsys)
    assert line.startswith("warning: this machine is too busy for 1 match at a time: up to ")
    assert line.endswith("of the 100 ms for a move may be its own delay; play fewer with --jobs")


def test_more_matches_than_cores_draw_a_warning_where_they_are_local(
    cup: Tournament, capsys: pytest.CaptureFixture[str]
) -> None:
    many = Delay(10_000, 1000, 50, 900, 4_000)
    (line,) = told(many, cup, capsys)
    assert line.startswith("warning: 10,000 matches at a time on ")
    far = msgspec.structs.replace(cup, executor=Choice("dask", LocalOptions()))
    assert told(many, far, capsys) == []
