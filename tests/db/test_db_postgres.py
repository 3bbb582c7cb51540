"""What is PostgreSQL's own; conftest.py runs the tests of the queries on both databases."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import count

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import func, select, text
from sqlalchemy.exc import IntegrityError
from typer.testing import CliRunner

import db.__main__
from core.assets import ROOT
from core.errors import InputError, RatingError, UnavailableError, YomikurabeError
from db import engine as engine_module
from db.campaigns.demos import seed_demo
from db.campaigns.export import read_bundle
from db.engine import make_engine, migrate, read_session, write_session
from db.models import Base, Campaign, Draft, Rater, RatingEvent
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, enter_rater, items_of, list_campaigns, profile, save_profile, save_rating
from db.queries.people import withdraw
from db.queries.rating import save_draft
from tests.support.postgres_cluster import PASSWORD, command

BOTH = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)
ONE = pytest.mark.parametrize("database", ["postgresql"], indirect=True)
NUMBERS = count()


@pytest.fixture
def rater(engine, campaign) -> int:
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    return rater


@pytest.fixture
def item(engine, campaign, rater) -> int:
    return items_of(engine, campaign, rater)[0].id


@pytest.fixture
def empty_url(postgres) -> str:
    """A database without any table."""
    name = f"empty{next(NUMBERS)}"
    command(f"{postgres}/postgres", f"CREATE DATABASE {name}")
    return f"{postgres}/{name}"


def test_the_migrations_make_the_tables_that_the_models_describe(empty_url):
    engine = make_engine(empty_url)
    migrate(engine)
    migrate(engine)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


@pytest.mark.slow
def test_processes_that_start_at_once_make_one_database_with_one_demo(empty_url):
    start = [sys.executable, "-m", "db", "migrate", "--demo"]
    environment = {**os.environ, "YOMIKURABE_DB": empty_url}
    pipes = {"stderr": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(start, cwd=ROOT, env=environment, **pipes) for _ in range(3)]
    said = [one.communicate()[1] for one in processes]
    assert [one.returncode for one in processes] == [0, 0, 0], said
    assert "".join(said).count("Loaded the demo") == 2
    assert PASSWORD not in "".join(said)
    with read_session(make_engine(empty_url)) as session:
        assert session.scalar(select(func.count(Campaign.id))) == 2


@pytest.mark.slow
def test_the_demo_reads_back_as_from_sqlite(postgres_url, tmp_path):
    kept = []
    for url in (f"sqlite:///{tmp_path / 'demo.sqlite'}", postgres_url):
        engine = make_engine(url)
        migrate(engine)
        seed_demo(engine)
        kept.append([read_bundle(engine, campaign.id) for campaign in list_campaigns(engine)])
        engine.dispose()
    assert len(kept[0]) == 2
    assert [one.name for one in kept[0]] == [one.name for one in kept[1]]
    for ours, theirs in zip(*kept, strict=True):
        assert (ours.segments, ours.systems) == (theirs.segments, theirs.systems)
        assert (ours.outputs, ours.meta) == (theirs.outputs, theirs.meta)


@ONE
@pytest.mark.parametrize("statement", ["UPDATE rating SET score = 1", "DELETE FROM rating"])
def test_a_stored_rating_can_be_neither_changed_nor_deleted(engine, rater, item, statement):
    save_rating(engine, item_id=item, rater_id=rater, score=50)
    with pytest.raises(IntegrityError, match="only ever added"), write_session(engine) as session:
        session.execute(text(statement))
    with read_session(engine) as session:
        assert session.scalars(select(RatingEvent.score)).all() == [50]


@ONE
def test_only_who_withdraws_takes_ratings_along(engine, campaign, rater, item):
    save_rating(engine, item_id=item, rater_id=rater, score=50)
    other = enter_rater(engine, "Ben").id
    ensure_items(engine, campaign, other)
    theirs = items_of(engine, campaign, other)[0].id
    save_rating(engine, item_id=theirs, rater_id=other, score=60)
    assert withdraw(engine, OPERATOR, rater) == 1
    with read_session(engine) as session:
        assert session.execute(select(RatingEvent.item_id, RatingEvent.score)).all() == [(theirs, 60.0)]


@BOTH
def test_a_draft_with_a_character_that_cannot_be_stored_is_refused(engine, rater, item):
    with pytest.raises(RatingError, match=r"^The comment holds a character that cannot be stored; [^.]*\.$"):
        save_draft(engine, item_id=item, rater_id=rater, spans=(), comment="a\0b")
    with read_session(engine) as session:
        assert session.scalar(select(func.count(Draft.item_id))) == 0


@ONE
@pytest.mark.parametrize("level", ["N1\0", "N1\ud800"], ids=["nul", "surrogate"])
def test_what_the_database_cannot_hold_is_one_sentence_and_changes_nothing(engine, rater, level):
    viewer = Viewer(role="rater", rater_id=rater)
    with pytest.raises(InputError, match=r"^A value holds something [^.]* nothing was changed; [^.]*\.$"):
        save_profile(engine, viewer, rater, native_language="ja", level=level, consent=True)
    assert profile(engine, viewer, rater).consented_at is None


@BOTH
def test_reading_is_one_look_whatever_others_store_meanwhile(engine, url):
    how_many = select(func.count(Rater.id))
    with read_session(engine) as session:
        assert session.scalar(how_many) == 0
        enter_rater(make_engine(url), "Aki")
        assert session.scalar(how_many) == 0
    with read_session(engine) as session:
        assert session.scalar(how_many) == 1


@ONE
def test_a_writer_waits_so_long_and_then_says_that_nothing_was_changed(engine, monkeypatch, rater, item):
    monkeypatch.setattr(engine_module, "BUSY_SECONDS", 1)
    with (
        write_session(engine),
        pytest.raises(UnavailableError, match=r"cannot be written now .* nothing was changed; try again\.$"),
    ):
        save_rating(engine, item_id=item, rater_id=rater, score=50)
    save_rating(engine, item_id=item, rater_id=rater, score=50)


@ONE
def test_a_connection_that_the_server_dropped_is_replaced(engine, postgres):
    with read_session(engine) as session:
        assert session.scalar(select(func.count(Rater.id))) == 0
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'tests'"
    command(f"{postgres}/postgres", ended)
    assert enter_rater(engine, "Aki").name == "Aki"


def failing_addresses(address: str) -> list[str]:
    """URLs that hold a password and lead nowhere."""
    server = address.rpartition("@")[2]
    return [
        f"postgresql+psycopg://yomikurabe:not-{PASSWORD}@{server}/tests",
        f"postgresql+psycopg://nobody:{PASSWORD}@{server}/tests",
        f"postgresql+psycopg://yomikurabe:{PASSWORD}@{server}/nowhere",
        f"postgresql+psycopg://yomikurabe:{PASSWORD}@127.0.0.1:1/tests",
        f"postgresql+psycopg://yomikurabe:{PASSWORD}@{server}/tests?sslmode={PASSWORD}",
        f"postgresql+psycopg://yomikurabe:{PASSWORD}@{server}/tests?nonsense={PASSWORD}",
        f"postgresql+psycopg://yomikurabe:1/{PASSWORD}@{server}/tests",
        f"postgresql+psycopg://yomikurabe:{PASSWORD}",
    ]


@pytest.mark.parametrize("number", range(8))
def test_no_message_shows_the_password_of_the_database(postgres, number, monkeypatch):
    url = failing_addresses(postgres)[number]
    with pytest.raises(YomikurabeError) as caught:
        migrate(make_engine(url))
    assert PASSWORD not in str(caught.value)
    monkeypatch.setenv("YOMIKURABE_DB", url)
    done = CliRunner().invoke(db.__main__.app, ["migrate"])
    said = f"{done.stdout}{done.stderr}{done.exception!r}"
    assert done.exit_code in (1, 2)
    assert PASSWORD not in said
    assert "Traceback" not in said


@BOTH
def test_an_error_of_the_database_does_not_quote_what_a_rater_wrote(engine, rater, item):
    values = {"item_id": item, "revision": 0, "score": 5.0, "comment": "an owl in the rain"}
    with pytest.raises(IntegrityError) as caught, write_session(engine) as session:
        session.execute(RatingEvent.__table__.insert(), [values])
    assert "owl" not in f"{caught.value} {caught.value.orig!r}"
    assert "[SQL parameters hidden" in str(caught.value)
