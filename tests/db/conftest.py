from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from db.campaigns.load import load_bundle
from db.engine import make_engine, migrate
from db.models import Base
from tests.support.db_bundles import small_bundle
from tests.support.postgres_cluster import NoPostgres, cluster, command

ON_BOTH = {
    f"test_db_{part}"
    for part in (
        "access",
        "links",
        "attempts",
        "calls",
        "completion",
        "evaluation",
        "items",
        "manage",
        "narrowing",
        "participants",
        "prefills",
        "practice",
        "protocols",
        "judgements",
        "rating",
        "own_scales",
        "close",
        "coding",
        "reading",
        "roundtrip",
        "same_name",
        "scores",
        "sealed",
        "second_try",
    )
}  # fmt: skip
"""Modules whose tests run on SQLite and on PostgreSQL, but for those that look into a SQLite file."""
SLOW_ON_POSTGRESQL = {"test_db_narrowing", "test_db_close", "test_db_coding", "test_db_reading"}
"""Of these, modules with long stories; they run on PostgreSQL in `make test-slow`."""
ONLY_SQLITE = {
    "test_only_hashes_of_tokens_and_passwords_are_in_the_file",
    "test_the_table_has_no_column_for_a_key_of_an_account",
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    module = metafunc.module.__name__.rpartition(".")[2]
    if module in ON_BOTH and metafunc.function.__name__ not in ONLY_SQLITE and "url" in metafunc.fixturenames:
        marks = [pytest.mark.slow] if module in SLOW_ON_POSTGRESQL else []
        databases = ["sqlite", pytest.param("postgresql", marks=marks)]
        metafunc.parametrize("database", databases, indirect=True)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory) -> Path:
    """A migrated file to copy: running the migrations anew for each test would only be slower."""
    file = tmp_path_factory.mktemp("template") / "empty.sqlite"
    engine = make_engine(f"sqlite:///{file}")
    migrate(engine)
    engine.dispose()
    return file


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a server that has one database, `tests`, migrated."""
    try:
        with cluster() as address:
            command(f"{address}/postgres", "CREATE DATABASE tests")
            engine = make_engine(f"{address}/tests")
            migrate(engine)
            engine.dispose()
            yield address
    except NoPostgres as error:
        pytest.skip(str(error))


@pytest.fixture
def postgres_url(postgres: str) -> str:
    """The migrated database, empty again: a database for each test would take seconds and gigabytes."""
    tables = ", ".join(table.name for table in Base.metadata.sorted_tables)
    command(f"{postgres}/tests", f"TRUNCATE {tables} RESTART IDENTITY")
    return f"{postgres}/tests"


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    return getattr(request, "param", "sqlite")


@pytest.fixture
def url(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> str:
    if database == "postgresql":
        return request.getfixturevalue("postgres_url")
    return f"sqlite:///{tmp_path / 'test.sqlite'}"


@pytest.fixture
def engine(url: str, database: str, tmp_path: Path, empty_database: Path) -> Iterator[Engine]:
    if database == "sqlite":
        shutil.copy(empty_database, tmp_path / "test.sqlite")
    engine = make_engine(url)
    yield engine
    engine.dispose()


@pytest.fixture
def campaign(engine: Engine) -> int:
    """Twelve segments in two documents, three systems and a rated reference; one output is empty."""
    return load_bundle(engine, small_bundle(), "Small").campaign_id


@pytest.fixture
def tables() -> Path:
    return Path(__file__).parent.parent / "fixtures" / "db" / "tables"
