import hashlib
import os
import re
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.sandbox import groups, open_sandbox
from arena.store import Store
from tests.cli.conftest import Call
from tests.cli.workspace import CONFIG, FIRST_LEGAL, NEVER_ANSWERS, Workspace
from tests.sandbox.running import alive


def files(folder: Path) -> list[str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(str(path.relative_to(folder)) for path in found)


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


@pytest.mark.rule("D1a")
def test_a_run_says_first_how_much_and_the_seeds_digest_and_ends_with_table_and_seed(
    workspace: Workspace,
) -> None:
    code, out, errors = workspace.run("run", "cup.yaml")
    assert code == 0
    told = lines(errors)
    assert told[0].startswith("cup: two-player, round_robin, 3 bots, ")
    assert "3 matches of 1 board, each from both sides: 6 games" in errors
    assert told[-1] == "report: results/cup/report/index.html"
    assert "6 of 6 games" in errors
    assert lines(out)[0] == "Rank Bot Rating 95 % Games W-D-L Pts/board Faults"
    assert {line.split()[1] for line in lines(out)[2:]} == {"ann", "bob", "cat"}
    assert (workspace.folder / "results/cup/report/crosstable.html").is_file()
    digest, seed = re.findall(r"^seed: (?:SHA-256 )?([0-9a-f]+)$", errors, re.MULTILINE)
    assert hashlib.sha256(seed.encode()).hexdigest() == digest
    assert errors.index(digest) < errors.index("of 6 games")
    assert len(seed) == 32


@pytest.mark.rule("D1a")
def test_a_given_seed_draws_one_line_of_warning(call: Call, workspace: Workspace) -> None:
    _, _, errors = call(workspace, "run", "cup.yaml", "--seed", "2026", "--quiet")
    assert [line for line in errors.splitlines() if "seed" in line] == [
        "warning: the seed is given, and bots might know it: for trials and repeats only"
    ]


def test_every_run_without_a_sandbox_warns_also_a_quiet_one(
    call: Call, workspace: Workspace
) -> None:
    for fresh in ((), ("--fresh",)):
        code, out, errors = call(workspace, "run", "cup.yaml", "--quiet", *fresh)
        assert code == 0
        assert errors.splitlines() == [
            "warning: no sandbox: bots can read and change whatever you can; run only your own so"
        ]
        assert "ann" in out


def test_what_bots_write_to_their_logs_is_not_on_the_referee_s_terminal(
    workspace: Workspace,
) -> None:
    says = 'print(\'{"id":1,"move":9} \\x1b[2Jspilt\', file=sys.stderr, flush=True)'
    chatty = FIRST_LEGAL.replace("import json, sys", f"import json, sys\n{says}")
    workspace.add_bot("chatty", chatty)
    workspace.add_bot("crash", f"{chatty}    raise SystemExit('spilt as well')\n")
    code, out, errors = workspace.run("run", "cup.yaml")
    assert code == 0, errors
    assert next(line for line in lines(out) if " crash " in line).endswith("0-0-8 – 8")
    assert next(line for line in lines(out) if " chatty " in line).endswith(" 0")
    assert "spilt" not in out + errors
    assert "spilt as well" in workspace.run("faults", "cup")[1]


def test_the_sandbox_of_the_command_line_goes_before_the_files(
    call: Call, workspace: Workspace
) -> None:
    code, _, errors = call(workspace, "run", "cup.yaml", "--sandbox", "bubblewrap")
    assert code == 0, errors
    assert "sandbox: bubblewrap" in errors
    assert "warning" not in errors


def test_a_plan_is_told_and_nothing_is_made(call: Call, workspace: Workspace) -> None:
    before = files(workspace.folder)
    code, out, errors = call(workspace, "run", "cup.yaml", "--plan", "--jobs", "2")
    assert (code, errors) == (0, "")
    assert out == (
        "cup: two-player, round_robin, 3 bots, "
        "3 matches of 1 board, each from both sides: 6 games\n"
        "time: at least 1 s, for bots that answer at once, at most 9 min 0 s by the bots' clocks; "
        "2 matches at a time\n"
        "disk: about 120.0 kB\n"
    )
    assert files(workspace.folder) == before


def test_a_plan_warns_of_what_could_not_be_played(
    call: Call, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"tcp://127.0.0.1:{listening.getsockname()[1]}"
        executor = f"executor: {{kind: dask, scheduler: '{address}'}}\n"
        workspace.config.write_text(CONFIG + executor)
        assert call(workspace, "run", "cup.yaml", "--plan")[::2] == (0, "")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{workspace.folder}/nobody.sock")
    code, out, errors = call(workspace, "run", "cup.yaml", "--plan", "--sandbox", "docker")
    assert (code, "6 games" in out) == (0, True)
    docker, dask = errors.splitlines()
    assert docker.startswith("warning: it could not be played now: no sandbox can be used here: ")
    assert f"no Dask scheduler answers at {address}" in dask


def test_a_run_begins_with_its_plan_and_a_later_one_goes_by_what_was_played(
    call: Call, workspace: Workspace
) -> None:
    _, plan, _ = call(workspace, "run", "cup.yaml", "--plan")
    _, _, errors = call(workspace, "run", "cup.yaml", "--seed", "1")
    assert errors.startswith(plan)
    again = ("run", "cup.yaml", "--plan", "--seed", "1")
    assert "time: all is played already\n" in call(workspace, *again)[1]
    code, out, errors = call(workspace, "run", "cup.yaml", "--plan", "--seed", "2")
    assert (code, out) == (2, "")
    assert "holds a run of other settings or bots:\n  seed: another one\n" in errors
    assert call(workspace, "run", "cup.yaml", "--plan", "--fresh")[1] == plan


def test_a_finished_run_is_shown_again_and_fresh_sets_it_aside(
    call: Call, workspace: Workspace
) -> None:
    _, first, _ = call(workspace, "run", "cup.yaml", "--seed", "1")
    code, again, errors = call(workspace, "run", "cup.yaml", "--seed", "1")
    assert (code, again) == (0, first)
    assert "all is played already, 6 games; --fresh begins anew" in errors
    assert "going on" not in errors
    code, _, errors = call(workspace, "run", "cup.yaml", "--seed", "2", "--fresh")
    assert code == 0
    assert "earlier results: set aside as results/cup." in errors
    assert len(list((workspace.folder / "results").iterdir())) == 2


def test_limits_that_do_not_hold_here_are_told_in_one_line_before_the_run(
    call: Call, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(groups, "_parents", dict)  # as for a user who may make none
    open_sandbox.cache_clear()
    code, _, errors = call(workspace, "run", "cup.yaml", "--sandbox", "bubblewrap")
    open_sandbox.cache_clear()
    assert code == 0
    (told,) = [line for line in errors.splitlines() if line.startswith("warning: not held here")]
    assert "memory, cpus, freeze" in told
    assert errors.index(told) < errors.index("6 of 6 games")


def test_any_number_of_jobs_gives_the_same_bytes(call: Call, workspace: Workspace) -> None:
    exports = []
    for jobs in ("1", "2"):
        arguments = ("--jobs", jobs, "--seed", "77", "--out", f"results/by-{jobs}")
        assert call(workspace, "run", "cup.yaml", *arguments)[0] == 0
        assert call(workspace, "report", f"by-{jobs}", "--games", "all", "--no-us")[0] == 0
        exports.append(call(workspace, "export", f"by-{jobs}", "--no-us")[1])
    assert exports[0] == exports[1]
    assert len(exports[0].splitlines()) == 6
    one, two = (workspace.folder / f"results/by-{jobs}/report" for jobs in "12")
    assert files(one) == files(two)
    for name in files(one):
        assert (one / name).read_bytes() == (two / name).read_bytes()


def wait_for_a_match(workspace: Workspace, program: "subprocess.Popen[str]") -> None:
    """Wait until the program has stored a match; games are told before their match is."""
    folder = workspace.folder / "results/cup"
    while not matches_played(folder):
        assert program.poll() is None


def matches_played(folder: Path) -> int:
    try:
        with Store(folder) as store:
            return store.counts().matches_played
    except StoreError:
        return 0


def marked(workspace: Workspace) -> str:
    """Put a word into the command line of every bot, by which its processes are found."""
    mark = f"bot-of-{workspace.folder}-"
    for manifest in workspace.folder.glob("bots/*/bot.yaml"):
        manifest.write_text(manifest.read_text().replace("bot.py]", f"bot.py, '{mark}']"))
    return mark


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_being_told_to_stop_keeps_what_is_finished_and_waits_for_no_thinker(
    workspace: Workspace, number: signal.Signals
) -> None:
    workspace.add_bot("dan", NEVER_ANSWERS)
    mark = marked(workspace)
    program = workspace.start("run", "cup.yaml", "--jobs", "2", "--seed", "5")
    wait_for_a_match(workspace, program)
    assert alive(mark) != []
    program.send_signal(number)
    out, errors = program.communicate(timeout=50)  # a move may take 60 seconds
    assert program.returncode == 130
    assert alive(mark) == []
    assert re.search(r"^stopped: [246] of 12 games kept", errors, re.MULTILINE)
    assert "Traceback" not in errors
    assert "Rank" in out
    assert "ann" in out
    code, out, errors = workspace.run("export", "cup")
    assert (code, out) == (0, "")
    assert re.search("^[246] games held back", errors)
    code, out, errors = workspace.run("leaderboard", "cup")
    assert code == 0
    assert errors.startswith("unfinished: ")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("then", ["", "stopped: "])
def test_being_told_twice_ends_it_with_nothing_lost(
    workspace: Workspace, number: signal.Signals, then: str
) -> None:
    workspace.config.write_text(CONFIG.replace("boards: 1", "boards: 8"))
    program = workspace.start("run", "cup.yaml", "--jobs", "2", "--seed", "5")
    wait_for_a_match(workspace, program)
    program.send_signal(number)
    assert program.stderr
    errors = next((line for line in program.stderr if line.startswith(then)), "")
    program.send_signal(number)
    errors += program.communicate(timeout=50)[1]
    assert program.returncode in (130, -number)
    assert "Traceback" not in errors
    code, _, errors = workspace.run("run", "cup.yaml", "--seed", "5")
    assert code == 0, errors
    code, _, errors = workspace.run("verify", "cup")
    assert code == 0, errors


def test_nobody_reading_ends_a_run_with_nothing_lost(workspace: Workspace) -> None:
    workspace.config.write_text(CONFIG.replace("boards: 1", "boards: 20"))
    mark = marked(workspace)
    program = workspace.start("run", "cup.yaml", "--jobs", "2", "--seed", "5")
    wait_for_a_match(workspace, program)
    assert program.stdout
    program.stdout.close()
    program.stdout = None
    _, errors = program.communicate(timeout=50)
    assert program.returncode == 130
    assert alive(mark) == []
    assert "Traceback" not in errors
    assert 1 <= matches_played(workspace.folder / "results/cup") < 3


def test_being_told_to_stop_while_bots_are_built_is_told_truly(workspace: Workspace) -> None:
    bot = workspace.add_bot("slow")
    begun = workspace.folder / "begun"
    manifest = bot / "bot.yaml"
    build = f"[sh, -c, 'touch {begun}; while :; do :; done']"
    manifest.write_text(manifest.read_text() + f"build: {build}\n")
    program = workspace.start("run", "cup.yaml")
    while not begun.exists():
        assert program.poll() is None
    program.terminate()
    _, errors = program.communicate(timeout=50)
    assert program.returncode == 130
    assert "stopped: 0 of 12 games kept" in errors
    code, _, errors = workspace.run("leaderboard", "cup")
    assert (code, errors) == (0, "unfinished: no game is scheduled yet\n")


def test_a_killed_run_goes_on_to_the_same_bytes(workspace: Workspace) -> None:
    for name in ("dan", "eve"):
        workspace.add_bot(name)
    arguments = ("run", "cup.yaml", "--seed", "5")
    program = workspace.start(*arguments)
    wait_for_a_match(workspace, program)
    program.kill()
    program.communicate()
    code, broken, errors = workspace.run(*arguments)
    assert code == 0
    assert "going on after" in errors
    code, unbroken, _ = workspace.run(*arguments, "--out", "results/whole")
    assert unbroken == broken
    exports = [workspace.run("export", name, "--no-us")[1] for name in ("cup", "whole")]
    assert exports[0] == exports[1]
    assert len(exports[0].splitlines()) == 20
    for name in ("cup", "whole"):
        assert workspace.run("report", name, "--games", "all", "--no-us")[0] == 0
    reports = [workspace.folder / f"results/{name}/report" for name in ("cup", "whole")]
    assert files(reports[0]) == files(reports[1])
    for name in files(reports[0]):
        assert (reports[0] / name).read_bytes() == (reports[1] / name).read_bytes()


def test_a_second_run_on_the_same_results_is_refused_and_the_first_goes_on(
    workspace: Workspace,
) -> None:
    workspace.add_bot("dan", NEVER_ANSWERS)
    program = workspace.start("run", "cup.yaml", "--jobs", "2", "--seed", "5")
    wait_for_a_match(workspace, program)
    for fresh in ((), ("--fresh",)):
        code, out, errors = workspace.run("run", "cup.yaml", "--seed", "5", *fresh)
        assert (code, out) == (2, "")
        assert f"another run is at work here (process {program.pid})" in errors
    assert program.poll() is None
    program.terminate()
    _, errors = program.communicate(timeout=50)
    assert "stopped: " in errors
    assert [path.name for path in (workspace.folder / "results").iterdir()] == ["cup"]
    assert matches_played(workspace.folder / "results/cup") >= 1


def test_a_run_whose_output_nobody_reads_is_stopped(workspace: Workspace) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    program = workspace.start("run", "cup.yaml", stdout=writer)
    os.close(writer)
    _, errors = program.communicate()
    assert program.returncode == 130
    assert "stopped: 0 of 6 games kept" in errors
    assert "Traceback" not in errors


def test_a_terminal_gets_a_bar_and_colour_within_80_columns(workspace: Workspace) -> None:
    written = workspace.on_terminal("run", "cup.yaml")
    assert "\x1b[" in written
    assert "━" in written
    table = written[written.index("Rank") :]
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", table).splitlines()
    assert max(map(len, plain)) <= 80
    assert any("●" in line for line in plain)


def test_no_color_gets_neither_bar_nor_colour_on_a_terminal(workspace: Workspace) -> None:
    written = workspace.on_terminal("run", "cup.yaml", NO_COLOR="1")
    assert "\x1b" not in written
    assert "6 of 6 games" in written


def test_a_bot_that_cannot_start_loses_and_the_tournament_goes_on(
    call: Call, workspace: Workspace
) -> None:
    workspace.add_bot("dud", "raise SystemExit('\\x1b[2Jno such model')")
    code, out, errors = call(workspace, "run", "cup.yaml")
    assert code == 0
    assert "\x1b" not in out + errors
    dud = next(line for line in lines(out) if " dud " in line)
    assert dud.endswith("0-0-6 – 6")
    page = (workspace.folder / "results/cup/report/index.html").read_text()
    assert "startup 6" in page
    assert "nan" not in page.lower()


def test_a_bot_that_hangs_at_its_start_loses_and_the_tournament_goes_on(
    call: Call, workspace: Workspace
) -> None:
    workspace.add_bot("dud", "import sys; sys.stdin.read()")
    mark = marked(workspace)
    config = CONFIG.replace("startup: 60", "startup: 5") + "duplicate: false\n"
    workspace.config.write_text(config)
    code, out, errors = call(workspace, "run", "cup.yaml", "--jobs", "2")
    assert code == 0, errors
    assert alive(mark) == []
    assert "6 of 6 games" in errors
    table = {line.split()[1]: line for line in lines(out)[2:]}
    assert sorted(table) == ["ann", "bob", "cat", "dud"]
    assert table["dud"].endswith("0-0-3 – 3")
    assert all(table[name].endswith(" 0") for name in ("ann", "bob", "cat"))
    faults = call(workspace, "faults", "cup")[1]
    assert "startup" in faults
    assert "timeout" not in faults


def test_a_build_that_fails_is_told_with_its_own_words_line_by_line(
    call: Call, workspace: Workspace
) -> None:
    bot = workspace.add_bot("raw")
    (bot / "build.py").write_text("print('one\\ntwo \\x1b[31m', flush=True); raise SystemExit(3)")
    manifest = bot / "bot.yaml"
    manifest.write_text(manifest.read_text() + "build: [python3, build.py]\n")
    code, out, errors = call(workspace, "run", "cup.yaml", "--quiet")
    assert code == 0
    assert "warning: raw cannot be built (exit code 3) and loses every game" in errors
    assert "\n  one\n  two " in errors
    assert "\x1b" not in errors
    assert next(line for line in lines(out) if " raw " in line).endswith("0-0-6 – 6")


def test_a_build_and_a_program_that_is_missing_are_told_before_play(workspace: Workspace) -> None:
    built = workspace.add_bot("dee") / "bot.yaml"
    built.write_text(built.read_text() + "build: [touch, made]\n")
    lost = workspace.add_bot("eve") / "bot.yaml"
    lost.write_text(lost.read_text().replace("python3, bot.py", "no-such-program"))
    code, _, errors = workspace.run("run", "cup.yaml")
    assert code == 0
    told = lines(errors)
    warning = (
        "warning: eve needs no-such-program, which is not there, and loses every game without it; "
        "install it"
    )
    assert told.index(warning) < told.index("building dee…")
    assert "building dee…" not in workspace.run("run", "cup.yaml")[2]
