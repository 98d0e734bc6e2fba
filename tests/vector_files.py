"""Reads the vectors in `tests/vectors/`: numbers that other programs and the documents agree on."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "vectors"


Vector = dict[str, Any]
"""One case: its inputs, what is expected, and where it came from."""


def load(name: str) -> Any:  # noqa: ANN401 - what a vector holds, its tests know
    """Read one file of vectors by its name without the ending."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
