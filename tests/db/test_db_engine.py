from __future__ import annotations

import os
import subprocess
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, inspect, text
from sqlalchemy.exc import IntegrityError

from core.assets import ROOT
from core.errors import InputError, UnavailableError
from db import engine as engine_module
from db.engine import database_url, make_engine, migrate, read_session, write_session
from db.models import Base
from db.queries import ensure_items, enter_rater, history, items_of, save_rating


def schema(engine: Engine) -> dict[str, dict[str, object]]:
    """Each table's columns, keys, constraints and indexes."""
    found = inspect(engine)
    return {
        table: {
            "columns": {one["name"]: (str(one["type"]), one["nullable"]) for one in found.get_columns(table)},
            "key": found.get_pk_constraint(table),
            "pointers": sorted(map(str, found.get_foreign_keys(table))),
            "unique": sorted(map(str, found.get_unique_constraints(table))),
            "checks": sorted(map(str, found.get_check_constraints(table))),
            "indexes": sorted(map(str, found.get_indexes(table))),
        }
        for table in found.get_table_names()
        if table != "alembic_version"
    }


def test_the_migrations_make_the_tables_that_the_models_describe(engine, tmp_path):
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    direct = make_engine(f"sqlite:///{tmp_path / 'direct.sqlite'}")
    Base.metadata.create_all(direct)
    assert schema(engine) == schema(direct)


def test_migrating_twice_changes_nothing(engine):
    before = schema(engine)
    migrate(engine)
    assert schema(engine) == before


def test_a_database_of_a_newer_program_is_refused_in_one_sentence(engine):
    with write_session(engine) as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(UnavailableError, match=r"^The database is from a newer Yomikurabe .*update[^.]*\.$"):
        migrate(engine)


def test_a_file_that_is_no_database_is_refused_in_one_sentence(tmp_path):
    file = tmp_path / "letter.sqlite"
    file.write_text("Dear Mina, the ferry left at dawn. " * 100, encoding="utf-8")
    with pytest.raises(UnavailableError, match="cannot be opened"):
        migrate(make_engine(f"sqlite:///{file}"))


def test_a_folder_that_does_not_exist_is_named_as_the_trouble(tmp_path):
    with pytest.raises(UnavailableError, match="check YOMIKURABE_DB"):
        migrate(make_engine(f"sqlite:///{tmp_path / 'nowhere' / 'x.sqlite'}"))


@pytest.mark.parametrize("url", ["not a url", "nosuchdialect://x", "sqlite:/one/slash"])
def test_a_url_that_makes_no_sense_is_an_input_error(url):
    with pytest.raises(InputError, match="YOMIKURABE_DB"):
        make_engine(url)


def test_the_database_is_where_the_environment_says(monkeypatch):
    monkeypatch.setenv("YOMIKURABE_DB", "sqlite:////somewhere/x.sqlite")
    assert database_url() == "sqlite:////somewhere/x.sqlite"


def test_without_a_setting_the_database_is_a_file_in_the_users_data_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("YOMIKURABE_DB", raising=False)
    folder = tmp_path / "data" / "yomikurabe"
    monkeypatch.setattr(engine_module.platformdirs, "user_data_path", lambda name: folder)
    assert database_url() == f"sqlite:///{folder / 'yomikurabe.sqlite'}"
    assert folder.is_dir()


@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10_000)],
)
def test_every_connection_is_durable_and_patient(monkeypatch, tmp_path, pragma, value):
    shipped = engine_module._configure_sqlite.__wrapped__  # other tests do not wait for the disk
    monkeypatch.setattr(engine_module, "_configure_sqlite", shipped)
    with make_engine(f"sqlite:///{tmp_path / 'durable.sqlite'}").connect() as connection:
        assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar() == value


@pytest.mark.parametrize("statement", ["UPDATE rating SET score = 1", "DELETE FROM rating"])
def test_a_stored_rating_can_be_neither_changed_nor_deleted(engine, campaign, statement):
    rater = enter_rater(engine, "Aki")
    ensure_items(engine, campaign, rater.id)
    item = items_of(engine, campaign, rater.id)[0]
    save_rating(engine, item_id=item.id, rater_id=rater.id, score=50)
    with pytest.raises(IntegrityError, match="only ever added"), write_session(engine) as session:
        session.execute(text(statement))
    assert [event.score for event in history(engine, item.id, rater.id)] == [50]


@pytest.mark.parametrize("values", ["101, NULL", "-1, NULL", "NULL, NULL", "5, 'why'", "'abc', NULL"])
def test_the_database_itself_refuses_an_impossible_rating(engine, campaign, values):
    rater = enter_rater(engine, "Aki")
    ensure_items(engine, campaign, rater.id)
    item = items_of(engine, campaign, rater.id)[0]
    insert = (
        "INSERT INTO rating (item_id, revision, score, skipped_reason, comment, created_at) "
        f"VALUES ({item.id}, 1, {values}, '', '2026-01-01')"
    )
    with pytest.raises(IntegrityError), write_session(engine) as session:
        session.execute(text(insert))


def test_a_block_that_fails_leaves_nothing_behind(engine):
    def fail_midway() -> None:
        with write_session(engine) as session:
            session.execute(
                text("INSERT INTO rater (name, key, imported, created_at) VALUES ('A','a',0,'2026-01-01')")
            )
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_midway()
    with read_session(engine) as session:
        assert session.scalar(text("SELECT count(*) FROM rater")) == 0


def test_a_locked_database_is_reported_as_nothing_changed(engine, url, monkeypatch):
    monkeypatch.setattr(engine_module, "BUSY_SECONDS", 0)
    impatient = make_engine(url)
    with (
        write_session(engine),
        pytest.raises(UnavailableError, match="nothing was changed"),
        write_session(impatient),
    ):
        pass


@pytest.mark.slow
def test_four_processes_that_start_at_once_make_one_database(tmp_path):
    url = f"sqlite:///{tmp_path / 'shared.sqlite'}"
    code = "from db.engine import *; migrate(make_engine(database_url()))"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "YOMIKURABE_DB": url},
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    assert [(process.communicate()[1], process.returncode) for process in processes] == [("", 0)] * 4
    with make_engine(url).connect() as connection:
        assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").all() == [("0012",)]
