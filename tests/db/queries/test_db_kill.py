"""A program that is killed in the middle of saving loses nothing that it has told."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from db.campaigns.load import load_bundle
from db.engine import make_engine, migrate
from db.queries import ensure_items, enter_rater, items_of, progress, save_rating
from tests.support.db_bundles import small_bundle

ITEMS = 3000
READY = b"r"
"""What a process tells when it has opened the database: from then on it is saving."""


def save_from(url: str, rater: int, items: Sequence[int], first: int, told: int) -> None:
    """Save item after item; tell each place after `save_rating` has returned."""
    engine = make_engine(url)
    with engine.connect():
        os.write(told, READY)
    for place in range(first, len(items)):
        save_rating(engine, item_id=items[place], rater_id=rater, score=place % 101, comment=f"at {place}")
        os.write(told, b"%d\n" % place)


def killed_after(seconds: float, url: str, rater: int, items: Sequence[int], first: int) -> list[int]:
    """Let a process save from this place on and kill it; gives the places it told."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            save_from(url, rater, items, first, writer)
        finally:
            os._exit(9)  # whatever happened: the tests are the parent's
    os.close(writer)
    assert os.read(reader, 1) == READY
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reader) as pipe:
        told = [int(line) for line in pipe]
    assert os.WIFSIGNALED(status), "the process ended by itself"
    return told


def stored_places(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = connection.execute("SELECT comment, score, revision FROM rating ORDER BY id").fetchall()
    places = [int(comment.removeprefix("at ")) for comment, _, _ in rows]
    assert [(score, revision) for _, score, revision in rows] == [(place % 101, 1) for place in places]
    return places


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork a process")
@pytest.mark.parametrize("kills", [10, pytest.param(50, marks=pytest.mark.heavy)])
def test_kills_lose_no_rating_that_was_said_to_be_saved(engine, url, tmp_path, kills):
    campaign = load_bundle(engine, small_bundle(ITEMS // 3), "Long").campaign_id
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    items = [item.id for item in items_of(engine, campaign, rater)]
    engine.dispose()  # a child must not inherit an open connection
    moments = random.Random(20261128)
    first = told_in_all = 0
    for _ in range(kills):
        told = killed_after(moments.uniform(0.02, 0.2), url, rater, items, first)
        told_in_all += len(told)
        stored = stored_places(tmp_path / "test.sqlite")
        assert told == list(range(first, first + len(told)))
        assert stored in (list(range(first + len(told))), list(range(first + len(told) + 1)))
        again = make_engine(url)
        migrate(again)
        first = progress(again, campaign, rater).done
        assert first == len(stored)
        again.dispose()
    open_places = [item.place for item in items_of(make_engine(url), campaign, rater) if item.score is None]
    assert open_places == list(range(first, ITEMS))
    assert told_in_all > kills  # it was in the middle of something
