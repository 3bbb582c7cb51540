from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from db_bundles import small_bundle
from sqlalchemy import Engine

from db.engine import make_engine, migrate
from db.load import load_bundle


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory) -> Path:
    """A migrated file to copy: running the migrations anew for each test would only be slower."""
    file = tmp_path_factory.mktemp("template") / "empty.sqlite"
    engine = make_engine(f"sqlite:///{file}")
    migrate(engine)
    engine.dispose()
    return file


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'test.sqlite'}"


@pytest.fixture
def engine(url: str, tmp_path: Path, empty_database: Path) -> Iterator[Engine]:
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
