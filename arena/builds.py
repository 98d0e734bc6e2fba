"""A bot's build step: run once in the sandbox, under limits of its own, and kept by digest.

It knows the folder a build leaves behind, and whose fault it is that there is none; it never plays
a match.

A build works in a copy of the bot's folder that is inside the sandbox and of a bounded size, and
is sent out as a tar once it is done. That is taken as a stranger's archive: the same may be in it
as in a folder that is handed in. So nothing that a build does reaches this machine's disk but
plain files that were judged.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from msgspec.structs import replace

from arena.advice import program_meant
from arena.bots import Bot, shelve, shelved_folder, unpack_built, workplace
from arena.bots.archive import MAX_PACKED
from arena.bots.folder import MAX_BYTES
from arena.errors import InputError
from arena.record import Limits
from arena.sandbox import Launch, Sandbox
from arena.session import run_to_end

SECONDS = 120.0
"""How long a build may take."""
LIMITS = Limits(memory=1024**3, processes=128, scratch=256 * 1024**2, freeze=False)
"""What a build may use: a compiler needs more than the bot it makes."""
ROOM = 256 * 1024**2
"""Bytes of the folder while it is built; of what is left in it, no more than a bot may have."""
_SUCCESS = "exit code 0"
_BUILT = "-built"
_SCRIPT = """
"$@" </dev/null >&2
code=$?
chmod -R u+rwX "$PWD" 2>/dev/null
tar -cf - . || [ $code != 0 ] || { echo "the folder cannot be read when it is built" >&2; exit 1; }
exit $code
"""
"""Run the build with its output as the log, and send what it left; closed files are opened."""
_LOOK = 'for word; do command -v "$word" >/dev/null || printf "%s\\n" "$word"; done'
PROGRAM_PACKAGES = {
    "c++": "g++", "cargo": "cargo", "cc": "gcc", "g++": "g++", "gcc": "gcc", "go": "golang-go",
    "java": "default-jre-headless", "javac": "default-jdk-headless", "make": "make",
    "node": "nodejs", "npm": "npm", "perl": "perl", "python3": "python3", "rustc": "rustc",
}  # fmt: skip
"""Debian's packages of the programs that bots are likely to call."""


def ready_bot(
    bot: Bot,
    shelf: Path,
    sandbox: Sandbox,
    limits: Limits = Limits(),
    begin: Callable[[Bot], None] = lambda _bot: None,
) -> Bot:
    """Give a bot as it can be started: a copy on the shelf, built where it has a build step.

    It is built in the image and by the runtime that `limits` name for playing, once for each
    shelf and content; `begin` is told before. A bot whose build fails is given back `unbuilt`, as
    that is its own fault. Raises `HostFault` where this machine fails, `InputError` where the
    bot's folder is not what was loaded, and `OSError` where the shelf cannot be written.
    """
    kept = shelve(bot, shelf)
    if bot.manifest.build is None:
        return kept
    target = built_folder(kept.folder)
    if not target.exists():
        begin(bot)
        fault = _build(kept, target, sandbox, limits)
        if fault is not None:
            return replace(kept, unbuilt=fault)
    return replace(kept, folder=target)


def built_folder(folder: Path) -> Path:
    """Give the place of what a bot is built into, from the place of its copy on a shelf."""
    return folder.with_name(folder.name + _BUILT)


def _build(bot: Bot, target: Path, sandbox: Sandbox, limits: Limits) -> tuple[str, str] | None:
    """Build a bot into a new folder; or say what went wrong, and what the build wrote."""
    assert bot.manifest.build is not None
    command = ("/bin/sh", "-c", _SCRIPT, "arena", *bot.manifest.build)
    within = bot.within(limits)
    build_limits = replace(LIMITS, image=within.image, runtime=within.runtime)
    launch = Launch(command, bot.folder, build_limits, writable=ROOM)
    with workplace(target.parent) as work, (work / "bot.tar").open("x+b") as tar:

        def take(chunk: bytes) -> bool:
            tar.write(chunk)
            return tar.tell() <= MAX_PACKED

        output, ending = run_to_end(sandbox.launch(launch), SECONDS, LIMITS.log, take)
        if tar.tell() > MAX_PACKED:
            return f"it left more than {MAX_BYTES // 1024**2} MiB in its folder", output
        if ending.text != _SUCCESS:
            late = f"no end after {SECONDS:g} s, {ending.text}"
            how = late if ending.text == "still running" else ending.text
            return ending.resource or how, output
        tar.seek(0)
        try:
            unpack_built(tar, work / "bot")
        except InputError as error:
            return f"what it left cannot be played: {error}", output
        (work / "bot").rename(target)
    return None


def missing_programs(
    bots: Sequence[Bot], shelf: Path, sandbox: Sandbox, limits: Limits = Limits()
) -> dict[str, tuple[str, ...]]:
    """Tell which programs bots call that the sandbox has not, by the name of the bot.

    A build that is on the shelf is not run again, and calls nothing. Raises `HostFault` where this
    machine fails.
    """
    called = {bot.ref.bot: tuple(_programs(bot, shelf)) for bot in bots}
    words = sorted(set(chain.from_iterable(called.values())))
    if not words:
        return {}
    said = bytearray()

    def take(chunk: bytes) -> bool:
        said.extend(chunk)
        return True

    command = ("/bin/sh", "-c", _LOOK, "arena", *words)
    launch = Launch(command, bots[0].folder, limits, is_alone=True)
    run_to_end(sandbox.launch(launch), SECONDS, 0, take)
    missing = set(said.decode("utf-8", "surrogateescape").splitlines())
    lacking = ((name, tuple(w for w in words if w in missing)) for name, words in called.items())
    return {name: words for name, words in lacking if words}


def _programs(bot: Bot, shelf: Path) -> Iterator[str]:
    """List the first words of a bot's commands that are looked up on the PATH."""
    build = bot.manifest.build or ()
    if build and built_folder(shelved_folder(bot, shelf)).exists():
        build = ()
    for word in (*build[:1], bot.command[0]):
        if "/" not in word:
            yield word


def advice_on(program: str, sandbox: Sandbox) -> str:
    """Say what brings a program into a sandbox that lacks it."""
    package = PROGRAM_PACKAGES.get(program)
    install = f"install it (apt-get install {package})" if package else "install it"
    if sandbox.name == "docker":
        install += " and run `arena image` again, or name an image that has it"
    meant = program_meant(program)
    return f"{meant} otherwise {install}" if meant else install


def source_of(bot: Bot) -> Path:
    """Give the folder with the author's files of a bot that is ready, for another machine."""
    if bot.manifest.build is None:
        return bot.folder
    return bot.folder.with_name(bot.folder.name.removesuffix(_BUILT))
