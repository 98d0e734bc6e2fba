"""Bots that come packed: ``.zip`` and ``.tar.gz`` archives, unpacked as if a stranger made them.

It knows both formats and their traps; what may be in a bot's folder, the judge says. Neither
format's own unpacking is used: each entry is judged by its name, kind and true size, and written
by `_Unpacking`, which opens nothing that is there already and makes links last, so that nothing
is put through one.
"""

import gzip
import io
import lzma
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import BinaryIO, Literal, Protocol

from arena.bots.bot import Bot, load_bot
from arena.bots.judge import MAX_BYTES, MAX_FILES, Entry, Judge
from arena.bots.manifest import FILE
from arena.errors import InputError, Problem, in_words
from arena.sandbox import leftovers

MAX_ENTRIES = 4 * MAX_FILES
"""Entries of an archive, with those that are no part of the bot."""
MAX_PACKED = MAX_BYTES + MAX_ENTRIES * 3 * 1024
"""Bytes of an archive, and of a tar that is not compressed: contents, and the names in headers."""
_DIRECTORY_ENTRY = 256
"""Bytes of a zip's directory to each entry, on average, at most: its name and more."""
_LONGEST_TARGET = 4096
_CHUNK = 1 << 16
_ZIP, _EMPTY_ZIP, _GZIP = b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b"
_TAIL, _LOCATOR = b"PK\x05\x06", b"PK\x06\x07"
_TAIL_SIZE, _LOCATOR_SIZE, _LONGEST_COMMENT = 22, 20, 65_535
_BROKEN = (
    EOFError, NotImplementedError, OverflowError, RuntimeError, ValueError, gzip.BadGzipFile,
    lzma.LZMAError, struct.error, tarfile.TarError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What the readers of both formats raise for an archive that is damaged."""


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


@contextmanager
def opened_bot(place: Path) -> Iterator[Bot]:
    """Load a bot from its folder, or from an archive of it that is unpacked meanwhile.

    Raises `InputError` with all that is wrong; places begin as `place`.
    """
    if not place.is_file():
        yield load_bot(place)
        return
    folder = leftovers.new_folder()
    try:
        yield _load(place, folder / "bot")
    finally:
        leftovers.remove(folder)


def _load(place: Path, folder: Path) -> Bot:
    """Unpack and load a bot, and name the archive where anything is wrong with it."""
    try:
        unpack(place, folder)
    except OSError as error:
        raise _refused(place, "", f"cannot be unpacked: {in_words(error)}", None) from error
    top = _top(folder)
    try:
        return load_bot(top)
    except InputError as error:
        raise InputError(
            Problem(one.what, _renamed(one.file, top, place), one.line, one.key, one.remedy)
            for one in error.problems
        ) from error


def _renamed(file: str | None, folder: Path, place: Path) -> str | None:
    return file and str(place) + file.removeprefix(str(folder))


def _top(folder: Path) -> Path:
    """Find the bot's folder: what was unpacked, or the one folder in it."""
    inside = list(folder.iterdir())
    is_nested = len(inside) == 1 and inside[0].is_dir() and not inside[0].is_symlink()
    return inside[0] if is_nested and not (folder / FILE).exists() else folder


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a ``.zip`` or ``.tar.gz`` into a new folder. Raises `InputError`, `OSError`."""
    with archive.open("rb") as file:
        start = file.read(4)
        if archive.stat().st_size > MAX_PACKED:
            raise _refused(archive, "", f"is larger than {MAX_PACKED // 1024**2} MiB", None)
        file.seek(0)
        unpacking = _Unpacking(str(archive), folder, Judge())
        if start in (_ZIP, _EMPTY_ZIP):
            _unpack_zip(file, unpacking)
        elif start.startswith(_GZIP):
            with gzip.GzipFile(fileobj=file) as plain:
                unpacking.take_tar(plain)
        else:
            remedy = f"write the folder that holds {FILE}, or an archive of it"
            what = "is neither a folder nor a .zip or .tar.gz archive"
            raise _refused(archive, "", what, remedy)


def unpack_built(tar: BinaryIO, folder: Path) -> None:
    """Unpack the folder that a build left, from an uncompressed tar. Raises `InputError`."""
    _Unpacking("", folder, Judge(is_built=True)).take_tar(tar)


def _refused(archive: str | Path, entry: str, what: str, remedy: str | None) -> InputError:
    place = ": ".join(part for part in (str(archive), entry) if part)
    return InputError([Problem(what, place, remedy=remedy)])


class _Unpacking:
    """The folder that an archive is unpacked into, entry by entry."""

    def __init__(self, archive: str, folder: Path, judge: Judge) -> None:
        """Make the folder; `archive` is what the archive is called."""
        self._archive = archive
        self._folder = folder
        self._judge = judge
        self._links: list[Entry] = []
        self._entries = 0
        folder.mkdir(mode=0o755)

    def refuse(self, entry: str, what: str, remedy: str | None = None) -> InputError:
        """Make the error that names an entry of the archive."""
        return _refused(self._archive, entry, what, remedy)

    @contextmanager
    def naming(self, entry: str) -> Iterator[None]:
        """Tell that the archive is damaged, and where, for whatever its reader raises."""
        try:
            yield
        except _BROKEN as error:
            how = " ".join(str(error).split())[:200] or type(error).__name__
            raise self.refuse(entry, f"is damaged ({how})", "pack it again") from error

    def belongs(self, path: PurePosixPath) -> bool:
        """Tell whether an entry is part of the bot. Raises `InputError` where they are too many."""
        self._entries += 1
        if self._entries > MAX_ENTRIES or self._judge.is_full:
            raise self.refuse("", *self._judge.too_many())
        return bool(path.parts) and not self._judge.passes_over(path)

    def put(self, entry: Entry, content: _Readable | None) -> None:
        """Write an entry into the folder. Raises `InputError` for one that may not be there."""
        fault = self._judge.fault(entry)
        if fault is not None:
            raise self.refuse(entry.path, *fault)
        if self._judge.is_full:
            raise self.refuse("", *self._judge.too_many())
        target = self._folder / entry.path
        if entry.kind == "folder":
            target.mkdir(mode=0o755, parents=True, exist_ok=True)
            return
        target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        if entry.kind == "link":
            self._links.append(entry)
        elif content is not None:
            self._copy(entry, content, target)

    def _copy(self, entry: Entry, content: _Readable, target: Path) -> None:
        """Write a file as far as there is room, whatever size the archive says it has."""
        with target.open("xb") as file:
            while chunk := content.read(_CHUNK):
                if len(chunk) > self._judge.room:
                    what = f"makes it more than {MAX_BYTES // 1024**2} MiB in all"
                    raise self.refuse(entry.path, what, "leave out what is not played")
                self._judge.weigh(entry, len(chunk))
                file.write(chunk)
        target.chmod(0o755 if entry.kind == "exec" else 0o644)

    def finish(self) -> None:
        """Make the links."""
        for link in self._links:
            (self._folder / link.path).symlink_to(link.target)

    def take_tar(self, plain: _Readable) -> None:
        """Unpack a tar, and read what holds it to its end, as its checksum stands there."""
        bounded = _Bounded(plain, self)
        with self.naming(""), tarfile.open(fileobj=bounded, mode="r|", encoding="utf-8") as tar:
            for member in tar:
                path = PurePosixPath(member.name)
                if self.belongs(path):
                    with self.naming(member.name):
                        self._take_member(tar, member, str(path))
        with self.naming(""):
            while bounded.read(_CHUNK):
                pass
        self.finish()

    def _take_member(self, tar: tarfile.TarFile, member: tarfile.TarInfo, path: str) -> None:
        if member.issparse():
            raise self.refuse(path, "is stored with holes", "pack it without --sparse")
        if member.islnk():
            self._take_hard_link(member, path)
            return
        kind = _kind_of_mode(member.mode) if member.isreg() else _KINDS.get(member.type, "other")
        content = tar.extractfile(member) if member.isreg() else None
        self.put(Entry(path, kind, member.size, member.linkname), content)

    def _take_hard_link(self, member: tarfile.TarInfo, path: str) -> None:
        """Copy the file that the other name of it was written to before."""
        other = str(PurePosixPath(member.linkname))
        before = self._folder / other
        if not self._judge.has_file(other) or before.is_symlink() or not before.is_file():
            what = f"is another name of {member.linkname}, which is no file before it"
            raise self.refuse(path, what, "pack it with --hard-dereference")
        with before.open("rb") as content:
            self.put(Entry(path, _kind_of_mode(before.stat().st_mode)), content)


class _Bounded(io.BufferedIOBase):
    """What holds a tar, read to a bound: headers of any size are read into memory."""

    def __init__(self, plain: _Readable, unpacking: _Unpacking) -> None:
        """Begin to count."""
        self._plain, self._unpacking, self._left = plain, unpacking, MAX_PACKED

    def read(self, size: int | None = -1, /) -> bytes:
        """Read on. Raises `InputError` at the bound."""
        chunk = self._plain.read(_CHUNK if size is None or size < 0 else size)
        self._left -= len(chunk)
        if self._left < 0:
            what = f"holds more than {MAX_BYTES // 1024**2} MiB when it is unpacked"
            raise self._unpacking.refuse("", what, "leave out what is not played")
        return chunk


_Kind = Literal["file", "exec", "link", "folder", "other"]
_KINDS: dict[bytes, _Kind] = {tarfile.DIRTYPE: "folder", tarfile.SYMTYPE: "link"}


def _kind_of_mode(mode: int) -> _Kind:
    return "exec" if mode & 0o111 else "file"


def _unpack_zip(file: BinaryIO, unpacking: _Unpacking) -> None:
    _check_directory(file, unpacking)
    with unpacking.naming(""), zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            path = PurePosixPath(member.filename)
            if unpacking.belongs(path):
                with unpacking.naming(member.filename):
                    _take_zipped(archive, member, str(path), unpacking)
    unpacking.finish()


def _take_zipped(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: str, unpacking: _Unpacking
) -> None:
    if member.flag_bits & 0x1:
        raise unpacking.refuse(path, "is encrypted", "pack it without a password")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise unpacking.refuse(path, "is compressed in a rare way", "pack it with deflate")
    kind = _kind_of_zipped(member)
    if kind not in ("file", "exec", "link"):
        unpacking.put(Entry(path, kind), None)
        return
    with archive.open(member) as content:
        target = content.read(_LONGEST_TARGET) if kind == "link" else b""
        unpacking.put(Entry(path, kind, 0, target.decode("utf-8", "surrogateescape")), content)


def _kind_of_zipped(member: zipfile.ZipInfo) -> _Kind:
    """Tell the kind by the mode, which only some systems write, and by the name."""
    mode = member.external_attr >> 16
    if member.is_dir() or stat.S_ISDIR(mode):
        return "folder"
    if stat.S_ISLNK(mode):
        return "link"
    return _kind_of_mode(mode) if stat.S_IFMT(mode) in (0, stat.S_IFREG) else "other"


def _check_directory(file: BinaryIO, unpacking: _Unpacking) -> None:
    """Look at a zip's last bytes, which say how large its directory is: that is read as a whole.

    Source: APPNOTE.TXT 4.3.16 and 4.3.15. A bot needs no ZIP64, which would say it elsewhere.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - _TAIL_SIZE - _LOCATOR_SIZE - _LONGEST_COMMENT))
    end = file.read()
    at = len(end) - _TAIL_SIZE
    if end[at : at + 4] != _TAIL or end[-2:] != b"\0\0":
        at = end.rfind(_TAIL)
    if at < 0 or len(end) - at < _TAIL_SIZE:
        raise unpacking.refuse("", "is damaged (its end is missing)", "pack it again")
    count, directory = struct.unpack("<HL", end[at + 10 : at + 16])
    if end[max(0, at - _LOCATOR_SIZE) : at].startswith(_LOCATOR):
        raise unpacking.refuse("", "is a ZIP64 archive", "pack it without, which a bot fits in")
    if count > MAX_ENTRIES or directory > MAX_ENTRIES * _DIRECTORY_ENTRY:
        raise unpacking.refuse("", f"holds more than {MAX_ENTRIES} entries", "pack less")
    file.seek(0)
