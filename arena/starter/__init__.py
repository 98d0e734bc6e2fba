"""A new bot's folder, in one of some languages, that already plays.

It knows the templates that lie beside this file; it never runs what it writes.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from arena.bots import check_name, plain_name
from arena.errors import InputError, Problem, did_you_mean, in_words
from arena.starter.languages import LANGUAGES, OTHER_NAMES, Language

__all__ = ["LANGUAGES", "Language", "new_bot"]

_README = "README.md.tmpl"
_SUFFIX = ".tmpl"
_EXECUTABLE = (".sh",)


def new_bot(name: str, language: str, place: Path) -> Path:
    """Write a bot's folder into `place`, under its name, and give it.

    Raises `InputError` for a name that no bot may have, a folder that is there, a language that
    is not known.
    """
    problems = [problem for problem in (_bad_name(name), _bad_language(language)) if problem]
    if problems:
        raise InputError(problems)
    name = plain_name(name)
    folder = place / name
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        remedy = "take another name, or remove it first"
        raise InputError([Problem("is there already", str(folder), remedy=remedy)]) from None
    except OSError as error:
        raise InputError([Problem(f"cannot be made: {in_words(error)}", str(folder))]) from error
    templates = files("arena.starter")
    words = {**LANGUAGES[language]._asdict(), "name": name}
    for template in (templates.joinpath(_README), *templates.joinpath(language).iterdir()):
        if template.name.endswith(_SUFFIX):
            _write(template, folder / template.name.removesuffix(_SUFFIX), words)
    return folder


def _write(template: Traversable, path: Path, words: dict[str, object]) -> None:
    """Fill a template in: each word stands in it as ``{{word}}``."""
    text = template.read_text("utf-8")
    for word, value in words.items():
        text = text.replace(f"{{{{{word}}}}}", str(value))
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755 if path.suffix in _EXECUTABLE else 0o644)


def _bad_name(name: str) -> Problem | None:
    fault = check_name(name)
    return None if fault is None else Problem(f"the name {fault[0]}", remedy=fault[1])


def _bad_language(language: str) -> Problem | None:
    if language in LANGUAGES:
        return None
    what = f"there is no template for {language[:40]!r}"
    meant = OTHER_NAMES.get(language.lower(), language[:40].lower())
    return Problem(what, remedy=did_you_mean(meant, LANGUAGES))
