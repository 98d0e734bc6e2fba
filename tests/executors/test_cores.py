from pathlib import Path

import pytest

from arena.executors import cores


@pytest.mark.parametrize(("count", "jobs"), [(1, 1), (2, 2), (3, 3), (4, 3), (64, 63)])
def test_every_core_has_a_match_but_one_where_there_are_many(count: int, jobs: int) -> None:
    assert cores.default_jobs(count) == jobs


@pytest.mark.parametrize(
    ("text", "most"), [("max 100000\n", 1 << 16), ("250000 100000\n", 2), ("50000 100000\n", 1)]
)
def test_a_container_s_quota_bounds_the_cores(
    text: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quota = tmp_path / "cpu.max"
    monkeypatch.setattr(cores, "_QUOTA", quota)
    free = cores.available_cores()
    quota.write_text(text)
    assert cores.available_cores() == min(free, most)
