"""The project's own files, read and parsed, for the tests that hold how they are written."""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
Named = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Source:
    """One Python file."""

    path: str
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        """How long the file is."""
        return self.text.count("\n")

    @property
    def room(self) -> str:
        """The room of `arena/` or of `tests/` that the file belongs to."""
        return self.path.split("/")[1].removesuffix(".py").removeprefix("test_")

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Every function and method, also those inside others."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node

    def public_names(self) -> Iterator[tuple[str, Named]]:
        """The module itself, and its public classes, functions and methods with their place."""
        yield self.path, self.tree
        yield from _public(self.path, self.tree)

    def docstrings(self) -> Iterator[str]:
        """Every docstring, those of constants and fields included."""
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
                continue
            if isinstance(node.value.value, str):
                yield node.value.value


def _public(place: str, node: ast.Module | ast.ClassDef) -> Iterator[tuple[str, Named]]:
    for child in node.body:
        if not isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if child.name.startswith("_"):
            continue
        yield f"{place}:{child.lineno} {child.name}", child
        if isinstance(child, ast.ClassDef):
            yield from _public(place, child)


@dataclass(frozen=True)
class Project:
    """The project's folder and what stands in it."""

    root: Path

    @cached_property
    def arena(self) -> list[Source]:
        """The files of the package."""
        return self._sources("arena")

    @cached_property
    def tests(self) -> list[Source]:
        """The files of the tests."""
        return self._sources("tests")

    @cached_property
    def settings(self) -> dict[str, dict[str, dict[str, list[dict[str, object]]]]]:
        """`pyproject.toml`, of which the tests want the contracts of import-linter."""
        return tomllib.loads((self.root / "pyproject.toml").read_text())

    @cached_property
    def documents(self) -> list[Path]:
        """The Markdown that people read."""
        return [*sorted(self.root.glob("*.md")), *sorted(self.root.glob("docs/**/*.md"))]

    def written(self) -> Iterator[tuple[str, str]]:
        """Every text file that someone wrote, with its path."""
        for top in ("arena", "bench", "bots", "configs", "docs", "tests"):
            for path in sorted(self.root.glob(f"{top}/**/*")):
                is_made = "__pycache__" in path.parts or path.suffix in (".pyc", ".png")
                if path.is_file() and not is_made:
                    yield str(path.relative_to(self.root)), path.read_text(errors="replace")
        for name in ("Makefile", "pyproject.toml", ".ci/run", ".gitignore"):
            yield name, (self.root / name).read_text()
        for path in self.root.glob("*.md"):
            yield path.name, path.read_text()

    def _sources(self, top: str) -> list[Source]:
        found = []
        for path in sorted((self.root / top).glob("**/*.py")):
            text = path.read_text()
            found.append(Source(str(path.relative_to(self.root)), text, ast.parse(text)))
        return found
