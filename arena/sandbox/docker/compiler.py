"""This machine's C and C++ compilers as part of an image, with the files that they use.

It knows how to have a compiler tell what it reads; it never knows where a system keeps that. So
it compiles and links small programs, and asks for the list.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from arena.sandbox.docker.layer import Layer
from arena.sandbox.toolchain import SYSTEM_PATH

TOOLS = ("cc", "gcc", "c++", "g++", "make", "as", "ld", "ar", "ranlib", "strip")
"""The programs that a build step may call."""

_PARTS = ("cc1", "cc1plus", "collect2", "lto-wrapper")
_PLUGIN = "liblto_plugin.so"
_C_HEADERS = """
aio arpa/inet assert complex ctype dirent dlfcn endian errno fcntl fenv float fnmatch ftw getopt
glob immintrin inttypes iso646 langinfo libgen limits linux/futex linux/limits locale malloc math
memory netdb netinet/in netinet/tcp nmmintrin poll pthread pwd regex sched semaphore setjmp signal
stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings
sys/epoll sys/eventfd sys/file sys/ioctl sys/mman sys/param sys/poll sys/prctl sys/random
sys/resource sys/select sys/sendfile sys/signal sys/socket sys/stat sys/syscall sys/sysinfo
sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syscall termios tgmath threads
time uchar ucontext unistd utime wchar wctype x86intrin
"""
_CPP_HEADERS = """
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono
cinttypes climits clocale cmath codecvt compare complex concepts condition_variable coroutine
csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque
exception execution expected filesystem forward_list fstream functional future initializer_list
iomanip ios iosfwd iostream istream iterator latch limits list locale map memory memory_resource
mutex new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator
semaphore set shared_mutex source_location span sstream stack stdexcept stop_token streambuf
string string_view syncstream system_error thread tuple type_traits typeindex typeinfo
unordered_map unordered_set utility valarray variant vector version ext/pb_ds/assoc_container.hpp
ext/pb_ds/tree_policy.hpp bits/stdc++.h
"""
_LANGUAGES = {
    "cc": (".c", [f"{name}.h" for name in _C_HEADERS.split()], ["-O2"]),
    "c++": (".cpp", _CPP_HEADERS.split(), ["-O2", "-std=c++20"]),
}
_LINKS = ((), ("-no-pie",), ("-static",))
_LINKED_WITH = ("-lm", "-lpthread", "-ldl", "-lrt")
_PATH = re.compile(r"/[^\s\\)]+")


def add_compilers(layer: Layer, work: Path) -> tuple[str, ...]:
    """Add the compilers that there are, and name them; `work` is a folder to be made."""
    found = [name for name in _LANGUAGES if shutil.which(name, path=SYSTEM_PATH)]
    if not found:
        return ()
    work.mkdir()
    for tool in TOOLS:
        program = shutil.which(tool, path=SYSTEM_PATH)
        if program is not None:
            layer.add_program(Path(program))
    for name in found:
        for part in _PARTS:
            program = shutil.which(_said(name, f"-print-prog-name={part}"), path=SYSTEM_PATH)
            if program is not None:
                layer.add_program(Path(program))
        layer.add_library(Path(_said(name, f"-print-file-name={_PLUGIN}")))
        for file in sorted(set(_read_by(name, work))):
            layer.add_library(file)
    return tuple(found)


def _read_by(compiler: str, work: Path) -> Iterator[Path]:
    """List the files that a compiler reads for a program that includes every header."""
    suffix, headers, options = _LANGUAGES[compiler]
    many, small = work / f"many{suffix}", work / f"small{suffix}"
    lines = [f"#if __has_include(<{one}>)\n#include <{one}>\n#endif\n" for one in headers]
    many.write_text("".join(lines))
    small.write_text("int main(void) { return 0; }\n")
    said = [_said(compiler, *options, "-M", many)]
    for link in _LINKS:
        linking = (*link, small, "-o", work / "linked", *_LINKED_WITH, "-Wl,--trace")
        said.append(_said(compiler, *options, *linking))
    for path in map(Path, _PATH.findall(" ".join(said))):
        if path.is_file() and not path.is_relative_to(work) and not _is_passing(path):
            yield path


def _is_passing(path: Path) -> bool:
    """Tell whether a file is one that the compiler made for itself on the way."""
    return path.is_relative_to("/tmp") or path.is_relative_to("/var/tmp")


def _said(compiler: str, *options: str | Path) -> str:
    """Run a compiler and give what it says; what it cannot do, it need not be able to there."""
    done = subprocess.run(
        [compiler, *map(str, options)],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": SYSTEM_PATH, "LC_ALL": "C"},
    )
    return done.stdout.strip()
