"""Thirty readers of a study at once: everything that was said to be stored is there, each reader's own."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter, sleep

import numpy as np
import pytest

from core.raters.reading.choices import ReadingChoices
from core.raters.reading.told import EndReached, MarkMade, PageRead, PlaceReached
from db.permissions import OPERATOR, Viewer
from db.queries.reading import highlights_of, readings_of, text_of
from db.queries.study import study_of
from tests.support.reading_studies import come, make_study, study_bundle, tell

READERS, PAGES = 30, 10
PAUSE = (1.5, 3.0)
"""Seconds that a reader stays on a page: people stay ten times as long."""
WORDS = 8_000
SECONDS = 1.0
"""Within this time 95 of 100 messages are stored, and 95 of 100 texts are read, on two cores."""


@pytest.fixture
def study(engine):
    """A study of an excerpt of 8,000 words in 160 paragraphs, for 30 readers; its campaign's number."""
    paragraph = " ".join(["word"] * (WORDS // 160))
    texts = {name: [f"{paragraph} {name}{n}" for n in range(160)] for name in ("ash", "elm")}
    return make_study(engine, ReadingChoices(human="ash"), study_bundle(texts=texts), readers=READERS)


def read_through(engine, number, name):
    """A reader opens the first version, turns pages and marks on each; the seconds of text and messages."""
    person, (reading, *_) = come(engine, number, name)
    stays = random.Random(name)
    begin = perf_counter()
    rows = text_of(engine, Viewer(rater_id=person), reading.id, person)
    times = [("text", perf_counter() - begin)]
    for page in range(PAGES):
        sleep(stays.uniform(*PAUSE))
        segment = rows[page * 8].segment_id
        stay = {"segment": segment, "start": 0, "last": segment, "end": 4, "active": 1.5, "away": 0.0}
        told = (
            PlaceReached(mark=f"p{page}", segment=segment, start=0),
            MarkMade(mark=f"m{page}", segment=segment, start=0, end=4, kind="pleases", reason=name),
            PageRead(mark=f"v{page}", **stay),
        )
        begin = perf_counter()
        tell(engine, person, reading.id, *told)
        times.append(("told", perf_counter() - begin))
    tell(engine, person, reading.id, EndReached(mark="e"))
    return person, times


@pytest.mark.slow
def test_thirty_readers_at_once_lose_nothing_and_wait_less_than_a_second(engine, study):
    names = [f"reader {n}" for n in range(READERS)]
    with ThreadPoolExecutor(READERS) as pool:
        found = list(pool.map(lambda name: read_through(engine, study, name), names))
    for name, (person, _) in zip(names, found, strict=True):
        viewer = Viewer(rater_id=person)
        first, *_ = readings_of(engine, viewer, study, person)
        held = highlights_of(engine, viewer, first.id, person)
        assert sorted(one.mark for one in held) == sorted(f"m{page}" for page in range(PAGES))
        assert {one.reason for one in held} == {name}
        assert first.finished_at is not None
        assert first.start == 0
    versions = [own.read[0].system for own in study_of(engine, OPERATOR, study).readers]
    assert sorted(versions) == ["ash"] * 15 + ["elm"] * 15  # balanced, although all came at once
    for kind in ("text", "told"):
        times = [seconds for _, told in found for what, seconds in told if what == kind]
        assert float(np.quantile(times, 0.95)) < SECONDS, kind
