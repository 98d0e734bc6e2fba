"""The project is read once for all the tests of this folder."""

import pytest

from tests.house.project import ROOT, Project


@pytest.fixture(scope="session")
def project() -> Project:
    """The project that these tests stand in."""
    return Project(ROOT)
