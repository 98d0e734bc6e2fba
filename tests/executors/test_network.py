"""A run across machines, as far as the network can tell: workers in namespaces of their own."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.bot_folders import make_bot
from tests.executors.clusters import ROOT, Cluster, Network, wait_until
from tests.executors.test_dask import SLOW, seated_at
from tests.kills import ARENA, export, games_played

CUP = "game: two-player\nbots: [bots/*]\nboards: 2\nrules: {max_hands: 2}\nexecutor: "


@pytest.fixture
def network() -> Iterator[Network]:
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("nsenter"):
        pytest.skip("only root makes networks, and with iproute2")
    if subprocess.run(["unshare", "--net", "true"], check=False).returncode:
        pytest.skip("this machine lets nobody make a network")
    with closing(Network()) as opened:
        yield opened


def run_in(file: Path, executor: str, out: Path, *before: str) -> subprocess.Popen[bytes]:
    """Begin the tournament, with this executor in its file."""
    file.write_text(CUP + executor + "\n")
    command = [*before, *ARENA, "run", str(file), "--seed", "2026", "--quiet", "--out", str(out)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def test_a_machine_that_dies_in_mid_match_changes_no_byte(network: Network, tmp_path: Path) -> None:
    for name in ("anna", "bob", "carl", "dora"):
        make_bot(tmp_path / "bots", name, SLOW)
    home = tmp_path / "cluster"
    home.mkdir()
    far, near = tmp_path / "far", tmp_path / "near"
    with closing(Cluster(home, network)) as there:
        for name in ("one", "two", "three"):
            there.add(name)
        for name in ("one", "two", "three"):
            there.wait_for(name)
        cluster = f"{{kind: dask, scheduler: '{there.address}'}}"
        with run_in(tmp_path / "far.yaml", cluster, far, *network.within("hub")) as run:
            lost = seated_at(there.workers["one"].pid)
            assert games_played(far) < 24
            there.kill("one")
            _, errors = run.communicate(timeout=120)
        assert run.returncode == 0, errors
        wait_until('! kill -0 "$@" 2>/dev/null', *lost)
    with run_in(tmp_path / "near.yaml", "{jobs: 2}", near) as run:
        _, errors = run.communicate(timeout=120)
    assert run.returncode == 0, errors
    assert games_played(far) == 24
    assert export(far) == export(near)
