"""How long functions and modules are, all taken together: no linter holds that."""

from statistics import median, quantiles

from tests.house.project import Project


def function_lengths(project: Project) -> list[tuple[int, str]]:
    return sorted(
        (node.end_lineno - node.lineno + 1, f"{source.path}:{node.lineno} {node.name}")
        for source in project.arena
        for node in source.functions()
        if node.end_lineno is not None
    )


def test_half_of_the_functions_have_eight_lines_or_fewer(project: Project) -> None:
    assert median(length for length, _ in function_lengths(project)) <= 8


def test_of_twenty_functions_nineteen_have_at_most_36_lines(project: Project) -> None:
    lengths = function_lengths(project)
    assert quantiles((length for length, _ in lengths), n=20)[-1] <= 36, lengths[-10:]


def test_no_function_has_more_than_64_lines(project: Project) -> None:
    assert [place for length, place in function_lengths(project) if length > 64] == []


def test_half_of_the_modules_have_150_lines_or_fewer(project: Project) -> None:
    assert median(source.lines for source in project.arena) <= 150


def test_no_module_has_more_than_450_lines(project: Project) -> None:
    assert [source.path for source in project.arena if source.lines > 450] == []
