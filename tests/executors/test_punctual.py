"""Honest bots are not late, on every core at once; the figures need a machine of its own.

`python -m tests.punctual` has them answer a hundred thousand times within 50 ms.
"""

import pytest

from tests import punctual


@pytest.mark.parametrize("sandbox", ["bubblewrap", "none"])
def test_no_honest_bot_is_late(sandbox: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert punctual.main("--moves", "400", "--limit", "10", "--sandbox", sandbox) == 0
    assert capsys.readouterr().out.startswith("0 of ")
