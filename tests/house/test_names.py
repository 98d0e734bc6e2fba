"""Every public name says what it is, and no word of the house is used for two things."""

import ast
import re

from tests.house.project import Project

VAGUE = re.compile(r"(?i)(manager|helper|util)s?$")


def test_every_public_name_has_a_docstring(project: Project) -> None:
    bare = [
        place
        for source in project.arena
        for place, node in source.public_names()
        if not ast.get_docstring(node)
    ]
    assert bare == []


def test_no_module_class_or_function_has_a_vague_name(project: Project) -> None:
    named = [
        place.removesuffix(".py") for source in project.arena for place, _ in source.public_names()
    ]
    assert [place for place in named if VAGUE.search(place)] == []
