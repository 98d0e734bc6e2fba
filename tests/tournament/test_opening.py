import hashlib
from pathlib import Path

import msgspec
import pytest

from arena import __version__
from arena.config import Choice, Tournament
from arena.errors import StoreError
from arena.ratings.trueskill import TrueSkillOptions
from arena.record import BotRef, GivenBoard
from arena.sandbox import open_sandbox
from arena.store import RunStore, Store, set_aside
from arena.tournament import open_run
from tests.store.conftest import FIRST_FORMAT
from tests.tournament.tables import Table, bot, exported, run_all, tournament


def refusal(settings: Tournament) -> str:
    with pytest.raises(StoreError) as refused:
        open_run(settings)
    return str(refused.value)


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()[1:-1]]


@pytest.mark.rule("D1a")
def test_a_run_without_a_seed_draws_one_and_tells_its_digest(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob", seed=None)
    other = tournament(tmp_path, "anna", "bob", seed=None, out=tmp_path / "other")
    with open_run(cup) as store, open_run(other) as another:
        assert store.meta.is_secret
        assert len(store.secret_seed) == 32
        assert store.meta.seed_sha256 == hashlib.sha256(store.secret_seed.encode()).hexdigest()
        assert store.secret_seed != another.secret_seed


@pytest.mark.rule("D1a")
def test_a_secret_seed_is_kept_when_a_run_is_resumed_and_published_at_the_end(
    tmp_path: Path,
) -> None:
    cup = tournament(tmp_path, "anna", "bob", seed=None)
    with open_run(cup) as store:
        seed = store.secret_seed
    with open_run(cup) as store:
        assert store.secret_seed == seed
    with Store(cup.out) as reader:
        assert reader.seed is None
    run_all(cup, Table())
    with Store(cup.out) as reader:
        assert reader.seed == seed


@pytest.mark.rule("D1a")
def test_no_file_that_others_may_read_holds_the_seed(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob", seed=None)
    with open_run(cup) as store:
        seed = store.secret_seed.encode()
        holding = [path for path in tmp_path.rglob("*") if path.is_file()
                   and seed in path.read_bytes()]  # fmt: skip
        assert holding
        assert all(path.stat().st_mode & 0o077 == 0 for path in holding)


def test_a_run_is_what_the_config_says(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    with open_run(cup) as store:
        meta = store.meta
        assert (meta.name, meta.game, meta.is_secret) == ("cup", "two-player", False)
        assert [ref.bot for ref in meta.entrants] == ["anna", "bob"]
        assert meta.faults == cup.faults
        assert meta.config["boards"] == 2
        assert "2026" not in str(meta.config)


def test_every_changed_setting_is_named(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    open_run(cup).close()
    changed = msgspec.structs.replace(
        cup, rules={**cup.rules, "target": 300}, boards=3, time=type(cup.time)(move=2.0)
    )
    text = refusal(changed)
    assert text.startswith(f"{cup.out}: holds a run of other settings or bots:")
    assert text.endswith("--fresh")
    assert lines(text) == [
        "boards: 2, now 3", "rules.target: 500, now 300", "time.move: 1.0, now 2.0"
    ]  # fmt: skip


def test_a_run_keeps_to_the_sandbox_that_auto_was_when_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no-engine")  # else it may come and go
    cup = tournament(tmp_path, "anna", "bob", sandbox="auto")
    open_run(cup).close()
    kind = open_sandbox("auto").name
    for same in ("auto", kind):
        open_run(msgspec.structs.replace(cup, sandbox=same)).close()
    other = msgspec.structs.replace(cup, sandbox="none")
    assert lines(refusal(other)) == [f"sandbox.kind: {kind}, now none"]


def test_every_changed_bot_is_named(tmp_path: Path) -> None:
    open_run(tournament(tmp_path, "anna", "bob", "carl")).close()
    newer = bot("bob")
    ref = BotRef("bob", "1.1", "sha256:" + "7" * 64)
    newer = msgspec.structs.replace(newer, ref=ref)
    changed = tournament(tmp_path, bots=(bot("dora"), newer, bot("anna")))
    found = lines(refusal(changed))
    assert found[0].startswith("bot bob: its folder has changed (version 1.0, sha256:")
    assert "now version 1.1, sha256:7777777" in found[0]
    assert found[1:] == ["bot carl: is gone", "bot dora: is new"]


def test_another_order_of_bots_is_another_schedule(tmp_path: Path) -> None:
    open_run(tournament(tmp_path, "anna", "bob")).close()
    text = refusal(tournament(tmp_path, "bob", "anna"))
    assert lines(text) == ["bots: in the order anna, bob, now bob, anna"]


@pytest.mark.parametrize(
    ("before", "now", "change"),
    [
        ("1", "2", "seed: another one"),
        (None, "1", "seed: another one"),
        ("1", None, "seed: given, now left out"),
    ],
)
def test_another_seed_is_refused_and_not_told(
    before: str | None, now: str | None, change: str, tmp_path: Path
) -> None:
    open_run(tournament(tmp_path, "anna", "bob", seed=before)).close()
    assert lines(refusal(tournament(tmp_path, "anna", "bob", seed=now))) == [change]


@pytest.mark.rule("D3")
def test_other_given_decks_are_refused(tmp_path: Path) -> None:
    given = (GivenBoard(1, 0, (("AS",),)),)
    open_run(tournament(tmp_path, "anna", "bob", given=given)).close()
    other = tournament(tmp_path, "anna", "bob", given=(GivenBoard(1, 1, (("AS",),)),))
    (change,) = lines(refusal(other))
    assert change.startswith("deals: sha256:")


def test_a_refused_run_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    run_all(cup, Table())
    before = exported(cup.out)
    refusal(tournament(tmp_path, "anna", "carl"))
    assert exported(cup.out) == before
    open_run(cup).close()


def begun_by(settings: Tournament, version: str) -> None:
    """Have a run look as if another arena had begun it."""
    with RunStore.resume(settings.out) as store:
        store._connection.execute("UPDATE run SET arena = ?", (version,))


def test_a_run_of_another_arena_is_not_gone_on_with_but_read(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    open_run(cup).close()
    begun_by(cup, "0.0.7")
    told = refusal(cup)
    assert lines(told) == [f"arena: version 0.0.7, now {__version__}"]
    assert "--fresh" in told
    with Store(cup.out) as store:
        assert store.meta.arena == "0.0.7"


def test_a_finished_run_of_another_arena_is_opened_as_nothing_is_left_to_play(
    tmp_path: Path,
) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    run_all(cup, Table())
    begun_by(cup, "0.0.7")
    open_run(cup).close()


def test_a_run_in_a_file_of_the_first_format_goes_on(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    with open_run(cup) as store:
        for statement in FIRST_FORMAT:
            store._connection.execute(statement)
    run_all(cup, Table())
    with Store(cup.out) as reader:
        assert (list(reader.delays()), list(reader.host_failures())) == ([], [])
        assert reader.is_finished


def test_another_rating_is_taken_over_as_no_record_depends_on_it(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    open_run(cup).close()
    options = TrueSkillOptions()
    open_run(msgspec.structs.replace(cup, rating=Choice("another", options))).close()
    with Store(cup.out) as store:
        rating = store.meta.config["rating"]
        assert isinstance(rating, dict)
        assert rating["kind"] == "another"


def test_a_fresh_run_begins_anew_beside_the_old_one(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    run_all(cup, Table())
    old = set_aside(cup.out)
    assert old is not None
    run_all(tournament(tmp_path, "anna", "carl"), Table())
    with Store(old) as store:
        assert [ref.bot for ref in store.meta.entrants] == ["anna", "bob"]


def test_begun_but_never_planned_it_is_planned_when_resumed(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob")
    with open_run(cup) as store:
        assert isinstance(store, RunStore)
        assert store.counts().matches == 0
    assert run_all(cup, Table())[-1].counts.matches_played == 1
