"""Every rule of docs/rules.md is named where it is implemented and where it is tested."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.project import Project, Source

NUMBER = r"(?:C|R2\.|R4\.|D)\d+a?"


@pytest.fixture(scope="module")
def rules(project: Project) -> set[str]:
    """The numbers of all rules, as the page for players has them."""
    page = (project.root / "docs" / "rules.md").read_text()
    return set(re.findall(rf"^- \*\*({NUMBER})\*\*", page, re.MULTILINE))


def cited(source: Source) -> set[str]:
    """The rules that a file's docstrings name."""
    return set(re.findall(rf"\b{NUMBER}\b", " ".join(source.docstrings())))


def marks(source: Source) -> Iterator[str]:
    """The rules that `pytest.mark.rule` names in a file."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
            for argument in node.args:
                assert isinstance(argument, ast.Constant), f"{source.path}:{node.lineno}"
                yield str(argument.value)


def in_order(rules: set[str]) -> list[str]:
    return sorted(
        rules,
        key=lambda rule: [
            int(part) if part.isdigit() else part for part in re.findall(r"\d+|\D+", rule)
        ],
    )


def test_every_rule_is_named_by_a_docstring(project: Project, rules: set[str]) -> None:
    assert len(rules) >= 12 + 8 + 9 + 4
    assert in_order(rules - set().union(*map(cited, project.arena))) == []


def test_every_rule_is_held_by_a_test_that_names_it(project: Project, rules: set[str]) -> None:
    held = {rule for source in project.tests for rule in marks(source)}
    assert in_order(rules - held) == []


def test_no_docstring_or_test_names_a_rule_that_is_not_there(
    project: Project, rules: set[str]
) -> None:
    named = {(source.path, rule) for source in project.arena for rule in cited(source)}
    named |= {(source.path, rule) for source in project.tests for rule in marks(source)}
    assert sorted(one for one in named if one[1] not in rules) == []
