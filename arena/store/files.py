"""The files of a results folder: opened, told apart, locked and set aside.

It knows SQLite's ways of failing and says each in words that a person can act on; it never knows
what a run is.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from arena.errors import StoreError, in_words

FILE = "arena.sqlite"
LOCK = "arena.lock"

APPLICATION_ID = int.from_bytes(b"Spad", "big")
"""What `file` and SQLite read in the header to know whose file this is."""
FORMAT = 2
"""The version of the tables, kept as SQLite's `user_version`: 1 had no `delays`, `host_faults`."""
OLDEST = 1
"""The oldest version that is still read."""

BUSY_SECONDS = 10.0
"""How long one program waits for another that is in the middle of a transaction."""


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite or the system says about `path` into a `StoreError` with its remedy."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise  # a mistake of the program, for which a person has no remedy
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path}: {_in_words(error)}") from error
    except OSError as error:
        raise StoreError(f"{path}: {in_words(error)}") from error


def _in_words(error: sqlite3.DatabaseError) -> str:
    said = str(error)
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte; the rest is detail
    match code:
        case sqlite3.SQLITE_FULL:
            return "the disk is full; make room and run again, what was stored is whole"
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_FORMAT:
            return f"damaged, or not an arena's results ({said}); put a copy back or use --fresh"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return f"may not be written ({said}); check the permissions of file and folder"
        case sqlite3.SQLITE_CANTOPEN:
            return f"cannot be opened ({said}); check the permissions of file and folder"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"another program holds it ({said}); try again when it is done"
        case sqlite3.SQLITE_IOERR:
            return f"the disk cannot be read or written ({said}); what was stored is whole"
        case _ if said.startswith("no such "):
            return f"damaged: {said}; put a copy back or use --fresh"
    return said


def _refuse_other_kinds(path: Path) -> None:
    """Refuse what stands in a file's place and is none: a folder, a FIFO, a device."""
    if path.exists() and not path.is_file():
        raise StoreError(f"{path}: is no file; move it away, or name another folder of results")


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open the file of a run, changing nothing; a run may be writing to it.

    A finished file on a medium that cannot be written has no use for SQLite's side files, and is
    read without them.
    """
    if not path.exists():
        raise StoreError(f"{path.parent}: there are no results here; is the name right?")
    _refuse_other_kinds(path)
    uri = path.absolute().as_uri()
    with clear_errors(path):
        connection = _connect(f"{uri}?mode=ro")
        try:
            is_begun = has_run(connection, path)
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_CANTOPEN or _has_wal(path):
                raise
            connection = _connect(f"{uri}?mode=ro&immutable=1")
            is_begun = has_run(connection, path)
        except BaseException:
            connection.close()
            raise
    if not is_begun:
        connection.close()
        raise StoreError(f"{path.parent}: no run has begun here")
    return connection


def _has_wal(path: Path) -> bool:
    wal = path.with_name(path.name + "-wal")
    return wal.exists() and wal.stat().st_size > 0


def open_to_write(path: Path) -> sqlite3.Connection:
    """Open or make the file of a run for its one writer; only its owner may read it."""
    _refuse_other_kinds(path)
    with clear_errors(path):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        _sync_folder(path.parent)
        connection = _connect(f"{path.absolute().as_uri()}?mode=rw")
        try:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
    return connection


def _connect(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS)
    connection.row_factory = sqlite3.Row
    return connection


def _sync_folder(folder: Path) -> None:
    """Make a new or renamed name in a folder outlast a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def has_run(connection: sqlite3.Connection, path: Path) -> bool:
    """Tell whether a run was ever begun in this file. Raises `StoreError` for any but our own."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application == 0 and tables == 0:
        return False
    if application != APPLICATION_ID:
        raise StoreError(f"{path}: another program's SQLite file, not an arena's results")
    version = format_of(connection)
    if not OLDEST <= version <= FORMAT:
        raise StoreError(
            f"{path}: written by {'a newer' if version > FORMAT else 'another'} arena "
            f"(format {version}, this one reads {OLDEST} to {FORMAT}); use that version"
        )
    return True


def format_of(connection: sqlite3.Connection) -> int:
    """Read the version of the tables; 0 where there are none."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


class FolderLock:
    """The right to write to a results folder, held by one process and gone with it.

    It is `flock` on a file beside the results, never on the results' own file, whose locks belong
    to SQLite. The system lets go of it however the process ends.
    """

    def __init__(self, folder: Path) -> None:
        """Take the lock. Raises `StoreError` where another run holds it."""
        path = folder / LOCK
        with clear_errors(path):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.read(self._descriptor, 40).decode("ascii", "replace").strip()
                os.close(self._descriptor)
                raise StoreError(
                    f"{folder}: another run is at work here (process {holder or 'unknown'}); "
                    "wait for it, or give this one a folder of its own with --out"
                ) from None
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let the next run have the folder; the lock's file stays."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def make_folder(folder: Path) -> None:
    """Make a results folder with what leads to it.

    Raises `StoreError` for one that holds other things, which a run would put its own between.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = "is no folder" if folder.exists() else f"cannot be made: {in_words(error)}"
        raise StoreError(f"{folder}: {what}; name another one with --out") from error
    with clear_errors(folder):
        names = sorted(path.name for path in folder.iterdir())
    strangers = [name for name in names if not name.startswith((FILE, LOCK))]
    if strangers:
        raise StoreError(
            f"{folder}: holds {strangers[0]} and is no results folder; "
            "name a new or an empty one with --out"
        )


def set_aside(folder: Path) -> Path | None:
    """Rename a folder of results to a dated name beside it, deleting nothing.

    Gives the new name, or None where there are no results to set aside. Raises `StoreError`
    while a run is at work in it.
    """
    if not (folder / FILE).exists():
        return None
    lock = FolderLock(folder)
    try:
        with clear_errors(folder):
            if folder.name in ("", ".."):  # no name to change
                folder = folder.resolve()
            day = datetime.now().astimezone().date().isoformat()
            aside = folder.with_name(f"{folder.name}.{day}")
            number = 1
            while aside.exists():
                number += 1
                aside = folder.with_name(f"{folder.name}.{day}-{number}")
            folder.rename(aside)
            _sync_folder(aside.parent)
    finally:
        lock.release()
    return aside
