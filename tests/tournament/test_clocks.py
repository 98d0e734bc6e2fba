"""A wall clock that is set back, again and again, under a whole run: nothing may depend on it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.executors.clusters import ROOT
from tests.kills import ARENA, call, export, start, write_cup

BACKWARDS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

static long steps;

int clock_gettime(clockid_t id, struct timespec *at) {
    int (*real)(clockid_t, struct timespec *) = dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(id, at);
    if (id == CLOCK_REALTIME) at->tv_sec -= 60 * ++steps;
    return failed;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return at ? *at = now.tv_sec : now.tv_sec;
}

int gettimeofday(struct timeval *at, void *zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *at = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
"""
"""Sets the clock back by a minute each time that it is read."""


def test_a_clock_that_is_set_back_changes_nothing(tmp_path: Path) -> None:
    compiler = shutil.which("cc") or pytest.skip("needs a C compiler")
    source, library = tmp_path / "backwards.c", tmp_path / "backwards.so"
    source.write_text(BACKWARDS)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    file = write_cup(tmp_path, bots=4, boards=2)
    there = {**os.environ, "LD_PRELOAD": str(library)}
    clock = "import time; assert time.time() > time.time() + 30"
    subprocess.run([ARENA[0], "-c", clock], env=there, check=True)
    back, forth = tmp_path / "back", tmp_path / "forth"
    command = [*ARENA, "run", str(file), "--seed", "2026", "--quiet", "--out", str(back)]
    done = subprocess.run(command, cwd=ROOT, env=there, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert start(file, forth).wait() == 0
    assert export(back) == export(forth)
    assert call("verify", str(back)).returncode == 0
