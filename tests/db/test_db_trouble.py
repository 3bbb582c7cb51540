"""Trouble with the file: full, read-only, damaged, locked, older, newer. Nothing is lost, and it is said."""

from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError

from core.errors import UnavailableError
from db import engine as engine_module
from db.cli.files import backup
from db.engine import make_engine, migrate, read_session, write_session
from db.models import Base
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, get_campaign, history, items_of, progress, save_rating
from db.queries.evaluation import rating_table

VERSIONS = Path(__file__).parents[1] / "fixtures" / "db" / "versions"
NUMBERS = sorted(file.name[:4] for file in (engine_module.MIGRATIONS / "versions").glob("[0-9]*.py"))


@pytest.fixture
def rater(engine, campaign) -> int:
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    return rater


@pytest.fixture
def items(engine, campaign, rater) -> list[int]:
    return [item.id for item in items_of(engine, campaign, rater)]


def rows(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def must_be_sound(file: Path) -> None:
    assert rows(file, "PRAGMA integrity_check") == [("ok",)]


def test_a_full_disk_is_said_and_what_was_saved_stays(engine, url, tmp_path, rater, items):
    file = tmp_path / "test.sqlite"
    engine.dispose()
    limit = rows(file, "PRAGMA page_count")[0][0] + 20
    full = make_engine(url)
    event.listen(full, "connect", lambda connection, _: connection.execute(f"PRAGMA max_page_count={limit}"))
    told = []

    def save_until_full() -> None:
        for item in items:
            save_rating(full, item_id=item, rater_id=rater, score=7, comment="あ" * 3000)
            told.append(item)

    with pytest.raises(UnavailableError, match=r"^The database cannot be written now \(.*full\), so nothing"):
        save_until_full()
    assert 0 < len(told) < len(items)
    full.dispose()
    must_be_sound(file)
    assert rows(file, "SELECT item_id FROM rating ORDER BY id") == [(item,) for item in told]
    roomy = make_engine(url)  # somebody has made room
    assert save_rating(roomy, item_id=items[len(told)], rater_id=rater, score=7).revision == 1


def test_a_read_only_file_can_be_read_and_says_that_it_cannot_be_written(
    engine, tmp_path, campaign, rater, items
):
    save_rating(engine, item_id=items[0], rater_id=rater, score=7)
    engine.dispose()
    only_read = make_engine(f"sqlite:///file:{tmp_path / 'test.sqlite'}?mode=ro&uri=true")
    migrate(only_read)
    assert progress(only_read, campaign, rater).done == 1
    with pytest.raises(
        UnavailableError, match=r"^The database cannot be written now \(.*readonly database\)"
    ):
        save_rating(only_read, item_id=items[1], rater_id=rater, score=7)
    only_read.dispose()
    assert rows(tmp_path / "test.sqlite", "SELECT item_id, score FROM rating") == [(items[0], 7.0)]


def test_a_damaged_file_is_said_and_not_written_to(engine, url, tmp_path, campaign, rater, items):
    save_rating(engine, item_id=items[0], rater_id=rater, score=7)
    with read_session(engine) as session:
        page = session.scalar(text("SELECT rootpage FROM sqlite_master WHERE name = 'item'"))
        size = session.scalar(text("PRAGMA page_size"))
    engine.dispose()
    file = tmp_path / "test.sqlite"
    data = bytearray(file.read_bytes())
    data[(page - 1) * size : page * size] = b"\xff" * size
    file.write_bytes(data)
    with pytest.raises(UnavailableError, match=r"^The database cannot be read now \(.*malformed\)"):
        items_of(make_engine(url), campaign, rater)
    with pytest.raises(UnavailableError, match="malformed"):
        save_rating(make_engine(url), item_id=items[0], rater_id=rater, score=9)
    assert rows(file, "SELECT score FROM rating") == [(7.0,)]


def test_a_database_of_a_newer_program_is_left_as_it_is(engine, url, tmp_path, rater, items):
    save_rating(engine, item_id=items[0], rater_id=rater, score=7)
    with write_session(engine) as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    before = (tmp_path / "test.sqlite").read_bytes()
    with pytest.raises(UnavailableError, match="is from a newer Yomikurabe"):
        migrate(make_engine(url))
    assert (tmp_path / "test.sqlite").read_bytes() == before


def old_database(version: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((VERSIONS / f"{version}.sql").read_text("utf-8"))


RATINGS = "SELECT id, item_id, revision, score, skipped_reason, comment, seconds, created_at FROM rating"


@pytest.mark.parametrize("version", sorted(file.stem for file in VERSIONS.glob("*.sql")))
def test_a_database_of_an_older_program_keeps_every_row_and_its_raters_go_on(version, url, tmp_path):
    file = tmp_path / "test.sqlite"
    old_database(version, file)
    before = rows(file, RATINGS)
    assert [row[3] for row in before] == [40.0, 45.5, None, 0.0]
    tables = [name for (name,) in rows(file, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    counts = {name: rows(file, f"SELECT count(*) FROM {name}") for name in tables}
    engine = make_engine(url)
    migrate(engine)
    assert rows(file, RATINGS) == before
    assert {name: rows(file, f"SELECT count(*) FROM {name}") for name in tables} == counts
    marked = [spans is not None for (spans,) in rows(file, "SELECT spans FROM rating")]
    assert marked == [False, version >= "0003", False, False]
    assert rows(file, "SELECT version_num FROM alembic_version") == [(NUMBERS[-1],)]
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    aki = enter_rater(engine, "AKI")
    assert (aki.id, ensure_items(engine, 1, aki.id)) == (1, 0)
    assert [(one.score, one.skipped) for one in items_of(engine, 1, 1)] == [
        (45.5, None), (None, "unsure"), (None, None),
    ]  # fmt: skip
    save_rating(engine, item_id=3, rater_id=1, score=88)
    assert save_rating(engine, item_id=1, rater_id=1, score=50).revision == 3
    assert [one.comment for one in history(engine, 1, 1)] == ["", "船、\nthe ferry", ""]
    assert [(row.rater, row.score) for row in rating_table(engine, OPERATOR, 1)] == [
        ("Aki", 50.0), ("Aki", 88.0), ("paper-1", 0.0),
    ]  # fmt: skip
    with pytest.raises(IntegrityError, match="only ever added"), write_session(engine) as session:
        session.execute(text("DELETE FROM rating"))


def test_there_is_a_dump_of_every_earlier_version():
    dumped = {file.stem for file in VERSIONS.glob("*.sql")}
    assert set(NUMBERS[:-1]) <= dumped <= set(NUMBERS)


def test_a_backup_holds_everything_saved_before_it_began_while_a_writer_goes_on(
    engine, tmp_path, campaign, rater, items
):
    told: list[int] = []
    done = threading.Event()

    def save_on() -> None:
        for number in range(100_000):
            if done.is_set():
                return
            item = items[number % len(items)]
            save_rating(engine, item_id=item, rater_id=rater, score=number % 101, comment=f"{number}")
            told.append(number)

    writer = threading.Thread(target=save_on)
    writer.start()
    try:
        for number in range(5):
            time.sleep(0.1)
            before = list(told)
            copy = tmp_path / f"copy{number}.sqlite"
            backup(engine, copy)
            must_be_sound(copy)
            held = {int(row[0]) for row in rows(copy, "SELECT comment FROM rating")}
            assert before
            assert set(before) <= held
    finally:
        done.set()
        writer.join(20)
    assert len(told) > len(before), "the writer did not go on"


def stopped_writer(url: str, rater: int) -> int:
    """A process that has begun to write, changed a name, and stands still; it commits when it may go on."""
    reader, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with write_session(make_engine(url)) as session:
                session.execute(text("UPDATE rater SET level = 'N1' WHERE id = :id"), {"id": rater})
                os.write(told, b".")
                os.kill(os.getpid(), signal.SIGSTOP)
            os._exit(0)
        finally:
            os._exit(9)
    assert os.read(reader, 1) == b"."
    os.waitpid(child, os.WUNTRACED)  # it has stopped
    return child


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot stop a process")
def test_a_writer_that_stands_still_makes_others_fail_and_not_hang(
    engine, url, tmp_path, rater, items, monkeypatch
):
    engine.dispose()
    child = stopped_writer(url, rater)
    try:
        monkeypatch.setattr(engine_module, "BUSY_SECONDS", 1)
        others = make_engine(url)
        refused: list[str] = []

        def save(item: int) -> None:
            try:
                save_rating(others, item_id=item, rater_id=rater, score=7)
            except UnavailableError as error:
                refused.append(error.message)

        threads = [threading.Thread(target=save, args=(item,)) for item in items[:5]]
        started = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert (
            time.monotonic() - started < 15
        )  # one second for the queue and one for SQLite, on a busy machine
        assert len(refused) == 5
        assert all(said.endswith("so nothing was changed; try again.") for said in refused)
    finally:
        os.kill(child, signal.SIGCONT)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert save_rating(others, item_id=items[0], rater_id=rater, score=7).revision == 1
    assert rows(tmp_path / "test.sqlite", f"SELECT level FROM rater WHERE id = {rater}") == [("N1",)]
    assert rows(tmp_path / "test.sqlite", "SELECT count(*) FROM rating") == [(1,)]


GONE = r"^The database file was deleted or exchanged while it was open, so nothing was stored"


@pytest.mark.parametrize("exchanged", [False, True])
def test_a_file_that_was_deleted_or_exchanged_takes_no_rating_that_would_be_lost(
    engine, url, tmp_path, rater, items, empty_database, exchanged
):
    file, other = tmp_path / "test.sqlite", tmp_path / "other.sqlite"
    save_rating(engine, item_id=items[0], rater_id=rater, score=1)
    backup(engine, other)
    if exchanged:
        os.replace(other, file)
    else:
        file.unlink()
    for _ in range(2):
        with pytest.raises(UnavailableError, match=GONE):
            save_rating(engine, item_id=items[1], rater_id=rater, score=2)
        with pytest.raises(UnavailableError, match=GONE):
            enter_rater(engine, "Ben")
    assert file.exists() is exchanged  # no new, empty file in its place
    if exchanged:
        assert rows(file, "SELECT score FROM rating") == [(1,)]


def test_a_file_that_is_exchanged_within_a_transaction_is_noticed_before_it_is_committed(
    engine, tmp_path, campaign
):
    def exchange() -> None:
        with write_session(engine) as session:
            session.execute(text("UPDATE campaign SET name = 'lost'"))
            (tmp_path / "test.sqlite").rename(tmp_path / "elsewhere.sqlite")

    with pytest.raises(UnavailableError, match=GONE):
        exchange()
    (tmp_path / "elsewhere.sqlite").rename(tmp_path / "test.sqlite")
    assert get_campaign(engine, campaign).name == "Small"


def test_another_file_may_come_when_all_connections_are_closed(engine, tmp_path, rater, items):
    copy = tmp_path / "copy.sqlite"
    backup(engine, copy)
    engine.dispose()
    os.replace(copy, tmp_path / "test.sqlite")
    assert save_rating(engine, item_id=items[0], rater_id=rater, score=2).score == 2


def test_a_database_what_lies_beside_it_and_a_backup_are_for_their_owner_alone(tmp_path):
    file = tmp_path / "new.sqlite"
    engine = make_engine(f"sqlite:///{file}")
    migrate(engine)
    enter_rater(engine, "Aki")
    backup(engine, tmp_path / "copy.sqlite")
    rights = {one.name: one.stat().st_mode & 0o777 for one in tmp_path.iterdir()}
    assert {"new.sqlite", "new.sqlite-wal", "new.sqlite-queue", "copy.sqlite"} <= set(rights)
    assert set(rights.values()) == {0o600}
