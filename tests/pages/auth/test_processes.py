"""Three processes of the app behind nginx, one database, and one process killed in the middle."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator

import pytest

from benchmarks.load_processes import measure
from tests.support.postgres_cluster import NoPostgres, cluster, command


@pytest.fixture
def database() -> Iterator[str]:
    """An empty database on a PostgreSQL server of its own."""
    if not (shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")):
        pytest.skip("nginx is not installed (Debian: apt-get install nginx-light)")
    try:
        with cluster() as server:
            command(f"{server}/postgres", "CREATE DATABASE many")
            yield f"{server}/many"
    except NoPostgres as error:
        pytest.skip(str(error))


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("raters", "seconds", "pace"),
    [
        pytest.param(6, 30, 2, marks=pytest.mark.slow),
        pytest.param(60, 180, 5, marks=pytest.mark.heavy),
    ],
)
def test_a_killed_process_loses_no_score_and_its_raters_go_on(database, capsys, raters, seconds, pace):
    """`measure` fails where a confirmed score is not stored once, and under its own rater."""
    figures = measure(database, raters, seconds, pace)
    with capsys.disabled():
        sys.stdout.write(f"{figures}\n")
    assert figures["confirmed_and_stored_once"] > raters * seconds / pace / 4
    assert 0 < figures["sessions_opened_again"] <= raters
    assert figures["stored_ms"]["p95"] < 10_000
