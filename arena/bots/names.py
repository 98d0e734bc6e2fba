"""The names that bots, versions and tournaments may have.

A name goes into tables, pages, file names and terminals; it knows which characters break none of
them, and never knows what is named.
"""

import unicodedata

LONGEST_NAME = 40
LONGEST_VERSION = 20
_SIGNS = "._+-"
# Letters to Unicode, and blank on every screen.
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0"
_RULE = "use letters, digits and ._+-, a letter or digit first"


def plain_name(text: str) -> str:
    """Give the one spelling of a name that looks the same: Unicode's NFC."""
    return unicodedata.normalize("NFC", text)


def check_name(text: str, longest: int = LONGEST_NAME) -> tuple[str, str] | None:
    """Say what is wrong with a name and what to write, or None where it is a good one."""
    what = _fault(plain_name(text), longest)
    if what is None:
        return None
    cleaned = _clean(text, longest)
    return what, f"write {cleaned}" if cleaned else _RULE


def check_version(text: str) -> tuple[str, str] | None:
    """Say the same of a version."""
    return check_name(text, LONGEST_VERSION)


def _fault(name: str, longest: int) -> str | None:
    if not name:
        return "is empty"
    odd = next((char for char in name if not (_is_letter(char) or char in _SIGNS)), None)
    if odd is not None:
        if odd in _BLANK_LETTERS or not odd.isprintable():
            return f"holds the invisible character U+{ord(odd):04X}"
        return f"holds the character {odd!r}"
    if not _is_letter(name[0]):
        return f"begins with {name[0]!r}"
    if len(name) > longest:
        return f"has {len(name)} characters, and at most {longest} are allowed"
    return None


def _is_letter(char: str) -> bool:
    """Tell whether it is a letter or a digit of any script, and seen."""
    is_letter = char.isalpha() and char not in _BLANK_LETTERS
    return is_letter or unicodedata.category(char) == "Nd"


def _clean(text: str, longest: int) -> str:
    """Suggest a good name that is near."""
    plain = unicodedata.normalize("NFKC", text[: 4 * longest])
    kept = "".join(char if _is_letter(char) or char in _SIGNS else " " for char in plain)
    joined = "-".join(kept.split()).lstrip(_SIGNS)
    return joined[:longest].rstrip(_SIGNS)
