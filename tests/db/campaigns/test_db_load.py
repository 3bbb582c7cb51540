"""Many writers at once lose nothing and double nothing, on SQLite and on PostgreSQL."""

from __future__ import annotations

import sqlite3
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from sqlalchemy import Engine, func, select

from benchmarks.load_ratings import run
from db.cli.files import backup
from db.engine import make_engine, read_session
from db.models import Item, RatingEvent
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, history, items_of, save_rating
from db.queries.evaluation import rating_table

BOTH = pytest.mark.parametrize("database", ["sqlite", "postgresql"], indirect=True)


def revisions(engine: Engine) -> dict[int, list[int]]:
    """The revisions of each rated item, in the order in which they were stored."""
    found: dict[int, list[int]] = {}
    with read_session(engine) as session:
        for item, revision in session.execute(
            select(RatingEvent.item_id, RatingEvent.revision).order_by(RatingEvent.id)
        ):
            found.setdefault(item, []).append(revision)
    return found


def must_be_whole(engine: Engine, saved: int, raters: int) -> None:
    """So many ratings of so many raters, each item's revisions 1, 2, …, and an undamaged file."""
    stored = revisions(engine)
    assert sum(map(len, stored.values())) == saved
    assert {item: order for item, order in stored.items() if order != [*range(1, len(order) + 1)]} == {}
    each = (
        select(func.count(RatingEvent.id)).join(Item, Item.id == RatingEvent.item_id).group_by(Item.rater_id)
    )
    with read_session(engine) as session:
        assert list(session.scalars(each)) == [saved // raters] * raters
    if engine.dialect.name == "sqlite":
        with engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalars().all() == ["ok"]


def processes_lose_nothing(engine: Engine, url: str, processes: int, each: int, seconds: float) -> None:
    done = run(url, processes, each)  # an error in any process would come out here
    sys.stdout.write(f"{engine.dialect.name}, {processes} processes: {done}\n")
    assert done["saved"] == processes * each
    assert done["longest_ms"] < 1000 * seconds
    must_be_whole(engine, processes * each, processes)


@pytest.mark.slow
@BOTH
def test_processes_that_save_at_once_lose_nothing_and_double_nothing(engine, url):
    processes_lose_nothing(engine, url, 3, 40, seconds=10)


@pytest.mark.heavy
@pytest.mark.timeout(900)
@BOTH
def test_sixteen_processes_of_250_ratings_lose_nothing_and_double_nothing(engine, url):
    processes_lose_nothing(engine, url, 16, 250, seconds=10)


@pytest.mark.slow
def test_a_backup_while_sixteen_processes_save_has_each_raters_first_ratings_without_a_hole(
    engine, url, tmp_path
):
    """A rater's comments are 0, 1, 2, …: a copy of one moment holds them up to some number."""
    copies = [tmp_path / f"copy{number}.sqlite" for number in range(4)]
    with ThreadPoolExecutor(1) as pool:
        work = pool.submit(run, url, 16, 60)
        for copy in copies:
            time.sleep(1)
            backup(engine, copy)
        assert work.result()["saved"] == 16 * 60
    held = []
    for copy in copies:
        with closing(sqlite3.connect(copy)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            said = connection.execute(
                "SELECT rater_id, comment FROM rating JOIN item ON item.id = item_id ORDER BY rating.id"
            ).fetchall()
        by_rater: dict[int, list[int]] = {}
        for rater, comment in said:
            by_rater.setdefault(rater, []).append(int(comment))
        assert all(found == list(range(len(found))) for found in by_rater.values())
        held.append(len(said))
    assert held == sorted(held)
    must_be_whole(engine, 16 * 60, 16)


@pytest.mark.slow
@BOTH
def test_eight_threads_of_fifty_ratings_lose_nothing_and_double_nothing(engine, campaign):
    def rate(number: int) -> float:
        rater = enter_rater(engine, f"rater {number}").id
        ensure_items(engine, campaign, rater)
        items = [item.id for item in items_of(engine, campaign, rater)]
        longest = 0.0
        for place in range(50):
            started = time.perf_counter()
            item = items[place % len(items)]
            save_rating(engine, item_id=item, rater_id=rater, score=place, comment=str(place))
            longest = max(longest, time.perf_counter() - started)
        return longest

    with ThreadPoolExecutor(8) as pool:
        longest = max(pool.map(rate, range(8)))
    sys.stdout.write(f"{engine.dialect.name}, 8 threads: the longest save took {1000 * longest:.0f} ms\n")
    assert longest < 10
    must_be_whole(engine, 400, 8)
    held = {(row.rater, row.item): row.score for row in rating_table(engine, OPERATOR, campaign)}
    assert len(held) == 8 * 36
    assert sorted(held.values()) == sorted([*range(14, 50)] * 8)  # the last time round each of 36 items


@BOTH
def test_eight_tabs_of_one_rater_on_one_item_get_eight_revisions(engine, url, campaign):
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    item = items_of(engine, campaign, rater)[0].id
    engines = [make_engine(url) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: save_rating(engines[n], item_id=item, rater_id=rater, score=n), range(8)))
    for one in engines:
        one.dispose()
    events = history(engine, item, rater)
    assert [event.revision for event in events] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert sorted(event.score for event in events) == [0, 1, 2, 3, 4, 5, 6, 7]
