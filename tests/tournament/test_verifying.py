from pathlib import Path

import msgspec
import pytest

from arena.record import FaultPolicy, GameRecord, digest_game
from arena.store import RunStore, Store
from arena.store.tables import press_game
from arena.tournament import open_run, run, verify
from tests.tournament.tables import Table, run_all, tournament


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A finished run of three entrants, one of which never starts."""
    cup = tournament(tmp_path, "anna", "bob", "broken")
    run_all(cup, Table())
    return cup.out


def problems(folder: Path) -> list[str]:
    with Store(folder) as store:
        return [problem for checked in verify(store) for problem in checked.problems]


def tamper(folder: Path, *statements: str) -> None:
    """Change a store behind the arena's back."""
    with RunStore.resume(folder) as store:
        store._connection.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            assert store._connection.execute(statement).rowcount > 0


def put(folder: Path, record: GameRecord) -> None:
    """Write another record in a record's place, digest and all."""
    with RunStore.resume(folder) as store:
        store._connection.execute(
            "UPDATE games SET record = ?, digest = ? WHERE match = ? AND board = ? AND sitting = ?",
            (press_game(record), digest_game(record), record.match, record.board, record.sitting),
        )


def first(folder: Path) -> GameRecord:
    """A game with hands."""
    with Store(folder) as store:
        return next(game for game in store.games() if game.hands)


def place(record: GameRecord) -> str:
    return f"match {record.match}, board {record.board}, sitting {record.sitting}"


def test_a_sound_store_has_no_problems(folder: Path) -> None:
    with Store(folder) as store:
        checked = list(verify(store))
    assert [one.problems for one in checked if one.problems] == []
    assert (checked[-1].games, checked[-1].of) == (12, 12)


def test_an_unfinished_run_may_lack_matches(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob", "carl")
    with open_run(cup) as store:
        progress = run(cup, store, Table())
        next(progress)
        next(progress)
        progress.close()
    assert problems(cup.out) == []


def test_matches_of_a_withdrawn_bot_may_be_missing(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "broken", "carl", faults=FaultPolicy(limit=1))
    run_all(cup, Table())
    assert problems(cup.out) == []


def test_a_missing_match_is_found(folder: Path) -> None:
    tamper(folder, "UPDATE matches SET sandbox = NULL WHERE match = 2")
    (problem,) = [one for one in problems(folder) if "is missing" in one]
    assert problem.startswith("match 2 (")


def forget(*matches: int) -> list[str]:
    """Take matches out of every table, as if they had never been."""
    tables = ("results", "faults", "logs", "games", "matches_of", "matches")
    return [f"DELETE FROM {table} WHERE match = {n}" for n in matches for table in tables]


@pytest.mark.parametrize("match", [1, 2, 3])
def test_a_match_that_is_in_no_table_any_more_is_found(folder: Path, match: int) -> None:
    with RunStore.resume(folder) as store:
        for statement in forget(match):
            store._connection.execute(statement)
    (problem,) = problems(folder)
    assert problem.startswith(f"match {match} (")
    assert problem.endswith(") is missing from the schedule")


def test_a_match_that_the_format_does_not_have_is_found(folder: Path) -> None:
    tamper(folder, """UPDATE matches SET seats = '["bob","anna"]' WHERE match = 1""")
    assert "match 1 (bob - anna) is not what the format has there" in problems(folder)
    tamper(folder, "UPDATE matches SET match = 9 WHERE match = 2")
    found = problems(folder)
    assert any(one.startswith("match 9 (") and one.endswith("has there") for one in found)
    assert any(one.startswith("match 2 (") and one.endswith("the schedule") for one in found)
    assert "4 games are of no match that was played" in found


def test_an_entrant_s_list_of_matches_is_compared_with_the_schedule(folder: Path) -> None:
    tamper(folder, "DELETE FROM matches_of WHERE entrant = 'bob' AND match = 1")
    assert problems(folder) == ["bob: its list of matches is not the schedule's"]


def test_a_schedule_that_is_not_known_to_its_end_is_sound(tmp_path: Path) -> None:
    cup = tournament(tmp_path, "anna", "bob", "carl")
    with open_run(cup) as store:
        progress = run(cup, store, Table())
        next(progress)
        progress.close()
    tamper(cup.out, "DELETE FROM matches_of WHERE match = 3", "DELETE FROM matches WHERE match = 3")
    assert problems(cup.out) == []


def test_a_missing_game_is_found(folder: Path) -> None:
    tamper(folder, "DELETE FROM games WHERE match = 2 AND board = 1 AND sitting = 1")
    found = problems(folder)
    assert "match 2, board 1, sitting 1: is missing" in found
    assert "12 games are counted as played, and 11 are stored" in found


def test_a_game_too_many_is_found(folder: Path) -> None:
    tamper(folder, "UPDATE games SET board = 9 WHERE match = 2 AND board = 1 AND sitting = 1")
    found = problems(folder)
    assert "match 2, board 9, sitting 1: was never planned" in found
    assert any("match 2, board 9" in one and "the record of another game" in one for one in found)


def test_a_changed_record_is_found_by_its_digest(folder: Path) -> None:
    record = first(folder)
    tamper(folder, f"UPDATE games SET digest = 'sha256:0' WHERE match = {record.match}")
    assert f"{place(record)}: is not the record whose digest was stored" in problems(folder)


def test_a_forged_result_is_found_though_its_digest_is_right(folder: Path) -> None:
    record = first(folder)
    forged = msgspec.structs.replace(record.result, winner=None, scores=(0, 0))
    put(folder, msgspec.structs.replace(record, result=forged))
    found = problems(folder)
    assert any(one.startswith(f"{place(record)}: result: recorded") for one in found)


def test_a_forged_move_is_found(folder: Path) -> None:
    record = first(folder)
    hand = record.hands[0]
    moves = (*hand.moves[:-1], msgspec.structs.replace(hand.moves[-1], move="2C"))
    put(
        folder, msgspec.structs.replace(record, hands=(msgspec.structs.replace(hand, moves=moves),))
    )
    assert any(one.startswith(place(record)) for one in problems(folder))


@pytest.mark.rule("D1")
def test_decks_that_are_not_the_seed_s_are_found(folder: Path) -> None:
    tamper(folder, "UPDATE run SET seed = '2027'")
    found = problems(folder)
    assert "the seed is not the one whose SHA-256 was told before the first match" in found
    assert f"{place(first(folder))}: hand 1: the deck is not the seed's" in found


def test_a_forged_column_is_found(folder: Path) -> None:
    tamper(folder, "UPDATE results SET score = 1 - score WHERE match = 1 AND board = 2")
    assert "match 1, board 2, sitting 0: the result that is rated is not the record's" in problems(
        folder
    )


def test_a_forged_list_of_faults_is_found(folder: Path) -> None:
    tamper(folder, "UPDATE faults SET entrant = 'anna', kind = 'crash' WHERE board = 2")
    assert any("the faults that are listed are not the records'" in one for one in problems(folder))


def test_other_players_than_planned_are_found(folder: Path) -> None:
    record = first(folder)
    put(folder, msgspec.structs.replace(record, seats=record.seats[::-1]))
    assert f"{place(record)}: was played by others than planned" in problems(folder)


def test_other_rules_than_the_run_s_are_found(folder: Path) -> None:
    record = first(folder)
    put(folder, msgspec.structs.replace(record, rules={**record.rules, "target": 100}))
    assert f"{place(record)}: was played by other rules than the run's" in problems(folder)


def test_a_damaged_record_is_found_and_the_rest_is_checked(folder: Path) -> None:
    record = first(folder)
    tamper(
        folder,
        f"UPDATE games SET record = x'00' WHERE match = {record.match} AND board = 1",
        "UPDATE results SET margin = 7 WHERE match = 3 AND board = 2 AND sitting = 1",
    )
    found = problems(folder)
    assert any(f"damaged: table games, {place(record)}: " in one for one in found)
    assert "match 3, board 2, sitting 1: the result that is rated is not the record's" in found


def test_a_damaged_file_is_found_and_never_raised(folder: Path) -> None:
    path = folder / "arena.sqlite"
    content = bytearray(path.read_bytes())
    content[4096 * 4 : 4096 * 12] = b"\xff" * 4096 * 8
    path.write_bytes(content)
    assert any("malformed" in one or "damaged" in one or "Tree" in one for one in problems(folder))
