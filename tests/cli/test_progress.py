import pytest

from arena.cli.progress import Watch


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def told(steps: list[tuple[float, int]], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Show so many games of a thousand at each time, and give the lines told."""
    clock = Clock()
    with Watch("games", clock=clock) as watch:
        for clock.now, done in steps:
            watch.show(done, 1000, 2.0, (1000 - done) / 2)
    return capsys.readouterr().err.splitlines()


def test_without_a_terminal_a_line_comes_every_few_seconds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines = told([(second, 2 * second) for second in range(31)], capsys)
    assert lines[0] == "10 of 1,000 games, 2.0 a second, 8 min 15 s left"
    assert [line.split()[0] for line in lines] == ["10", "20", "30", "40", "50", "60"]


def test_a_long_run_is_told_every_minute(capsys: pytest.CaptureFixture[str]) -> None:
    hours = [(3600.0 + second, second // 40) for second in range(3600)]
    assert 55 <= len(told(hours, capsys)) <= 70


def test_what_has_not_changed_is_not_told_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(told([(second, 1) for second in range(100)], capsys)) == 1


def test_every_tenth_is_told_however_fast(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(told([(0.0, done) for done in range(1001)], capsys)) == 10
