"""What one build of a report leaves for the next: matches cut down, and what each page was made of.

It knows bytes by number and name, and never what they hold. Stored matches never change, so that
what was cut down once stays right for as long as run and program are the same; a cache of others
is as good as none. It is its owner's alone, as it holds bids of boards that are still to be
played. Rules: D1a.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import msgspec

from arena.store import Meta


class Cache(msgspec.Struct):
    """The matches cut down by number, and by file the digest of what a page was made of."""

    identity: str
    matchups: dict[int, bytes] = {}
    pages: dict[str, str] = {}


def identify(meta: Meta, *options: object, times: bool) -> str:
    """Give the digest of the run, of this program's own files, and of the options chosen."""
    digest = hashlib.sha256(msgspec.json.encode([meta, options, times]))
    for path in sorted(Path(__file__).parent.rglob("*")):
        if path.suffix in (".py", ".html", ".css", ".js"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def load(path: Path, identity: str) -> Cache:
    """Read what the last build left; nothing where it was of another run or program."""
    with suppress(OSError, msgspec.DecodeError):
        found = msgspec.msgpack.decode(path.read_bytes(), type=Cache)
        if found.identity == identity:
            return found
    return Cache(identity)


def drop(path: Path) -> None:
    """Forget a cache before the pages change under it."""
    path.unlink(missing_ok=True)


def save(path: Path, cache: Cache) -> None:
    """Leave a cache for the next build; where that cannot be, the next build is only slower."""
    work = path.with_name(f".{path.name}.{os.getpid()}")
    with suppress(OSError):
        descriptor = os.open(work, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(msgspec.msgpack.encode(cache))
        work.replace(path)


def digest_of(*parts: object) -> str:
    """Give the digest of what a page is made of."""
    return hashlib.sha256(msgspec.msgpack.encode(parts)).hexdigest()[:20]
