from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from arena.bots import Bot
from arena.executors.local import PLAY, LocalExecutor, LocalOptions
from arena.executors.probe import ROUNDS, measure, null_bot
from arena.record import MatchSpec
from tests.executors import plays
from tests.matches import planned, to_spec


def spec_of(game: str, rules: Mapping[str, int]) -> MatchSpec:
    names = ("anna", "bob") * (1 if game == "two-player" else 2)
    return msgspec.structs.replace(to_spec(planned(1, *names), game), rules=dict(rules))


def executor_for(bot: Bot, jobs: int, play: str = PLAY) -> LocalExecutor:
    return LocalExecutor(LocalOptions(jobs=jobs), [bot], play)


@pytest.mark.parametrize(("game", "jobs"), [("two-player", 2), ("partnership", 1)])
def test_what_a_bot_that_answers_at_once_is_charged_is_measured_on_every_job(
    game: str, jobs: int, tmp_path: Path
) -> None:
    bot = null_bot(tmp_path / "null", game)
    executor = executor_for(bot, jobs)
    try:
        delay = measure(executor, spec_of(game, {"max_hands": 100}), bot)
    finally:
        executor.close()
    assert delay is not None
    assert delay.jobs == jobs
    assert delay.moves >= ROUNDS * jobs * 8 * 52
    assert 0 < delay.p50 <= delay.p99 <= delay.most


def test_what_cannot_be_played_is_not_measured(tmp_path: Path) -> None:
    bot = null_bot(tmp_path / "null", "two-player")
    executor = executor_for(bot, 1, "tests.executors.plays:act")
    spec = msgspec.structs.replace(plays.spec(1, "fault"), boards=(1,), seats=(bot.ref, bot.ref))
    try:
        assert measure(executor, spec, bot) is None
    finally:
        executor.close()


def test_the_bot_is_the_same_wherever_it_is_made(tmp_path: Path) -> None:
    one, other = (null_bot(tmp_path / name, "two-player") for name in ("one", "other"))
    assert one.ref == other.ref
    assert null_bot(tmp_path / "one", "two-player") == one
