"""The demos come with their scores: those that this program computes, in a small file that loads fast."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter

import pytest

from core.assets import ROOT
from core.codec import decode_trace
from core.metrics import METRICS, find_metric
from core.text.languages import base_lang
from db.campaigns.demos import DEMOS, SCORES, seed_demo
from db.campaigns.load import load_bundle
from db.campaigns.score_archive import read_archive, store_archive
from db.engine import make_engine
from db.formats import tables
from db.formats.bundle import ReadOptions
from db.queries import (
    list_campaigns,
    list_segments,
    list_translations,
    scores_of_campaign,
    scores_of_translation,
)
from tests.conftest import WITHOUT_JUDGE

AGAIN = (
    "make the demo scores again with the commands in CONTRIBUTING.md (“Make the scores of the demos again”)"
)
SIZES = {"Holmes, English to Japanese": 168, "Wikipedia, Estonian to English": 100}
MOST_BYTES = 15_000_000
FIRST_START = """
import sys, time
from db.campaigns.demos import seed_demo
from db.engine import make_engine, migrate
began = time.process_time()
engine = make_engine(sys.argv[1])
migrate(engine)
assert len(seed_demo(engine)) == 2
print(time.process_time() - began)
"""


@pytest.fixture(scope="module")
def demos(tmp_path_factory, empty_database):
    """A database with the demos; what is in it is only read."""
    path = shutil.copy(empty_database, tmp_path_factory.mktemp("demos") / "demos.sqlite")
    engine = make_engine(f"sqlite:///{path}")
    seed_demo(engine)
    yield engine
    engine.dispose()


@pytest.fixture(params=SIZES)
def demo(request, demos):
    """Each of the demo campaigns."""
    return next(one for one in list_campaigns(demos) if one.name == request.param)


def test_every_translation_has_a_score_or_a_reason_under_every_metric_without_a_language_model(demos, demo):
    rows = scores_of_campaign(demos, demo.id)
    assert Counter(row.metric for row in rows) == dict.fromkeys(WITHOUT_JUDGE, SIZES[demo.name])
    assert len({(row.metric, row.signature) for row in rows}) == len(WITHOUT_JUDGE)


@pytest.mark.embedded
@pytest.mark.parametrize("metric", WITHOUT_JUDGE)
def test_a_stored_score_is_what_the_texts_give(demos, demo, backends, metric):
    lang = base_lang(demo.target_lang)
    context = [segment.pair(lang) for segment in list_segments(demos, demo.id)]
    scorer = find_metric(metric).prepare({}, backends, context)
    one = list_translations(demos, demo.id)[SIZES[demo.name] // 3]
    (row,) = [row for row in scores_of_translation(demos, one.id) if row.metric == metric]
    assert row.signature == scorer.signature, AGAIN
    result = scorer.score(one.pair(lang))
    assert row.score == pytest.approx(result.score, abs=1e-6 * (METRICS[metric].high or 100)), AGAIN
    assert row.parts == pytest.approx(result.parts, abs=1e-4), AGAIN
    assert row.flags == result.flags, AGAIN


@pytest.mark.slow
def test_the_parts_of_a_stored_trace_give_the_score(demos, demo):
    for one in list_translations(demos, demo.id)[::9]:
        for row in scores_of_translation(demos, one.id):
            if row.score is None:
                assert row.trace is None
                continue
            spec = find_metric(row.metric)
            trace = decode_trace(row.trace)
            assert isinstance(trace, spec.trace), AGAIN
            assert trace.parts() == pytest.approx(row.parts, rel=1e-12), (
                AGAIN
            )  # the last bit is the processor's
            assert trace.parts()[spec.headline] == pytest.approx(row.score, rel=1e-12), AGAIN


def test_the_files_of_the_demos_are_small():
    assert sum(file.stat().st_size for file in DEMOS.rglob("*") if file.is_file()) <= MOST_BYTES
    assert all((file.parent / SCORES).exists() for file in DEMOS.glob("*/campaign.json"))


@pytest.mark.slow
def test_a_first_start_takes_less_than_three_seconds(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FIRST_START, f"sqlite:///{tmp_path / 'first.sqlite'}"],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) <= 3


def test_a_demo_that_is_there_already_gets_no_scores(engine):
    assert len(seed_demo(engine, scores=False)) == 2
    assert seed_demo(engine) == []
    assert [scores_of_campaign(engine, one.id) for one in list_campaigns(engine)] == [[], []]


def test_the_scores_fit_the_same_texts_under_another_name(engine):
    folder = DEMOS / "wikipedia-et-en"
    own = load_bundle(engine, tables.read(folder, ReadOptions()), "My copy").campaign_id
    assert store_archive(engine, own, read_archive(folder / SCORES)).scores == 100 * len(WITHOUT_JUDGE)


def test_the_guide_scores_both_demos_with_all_these_metrics():
    guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = guide.split("## Make the scores of the demos again\n")[1].split("\n## ")[0]
    assert re.findall(r"--metric (\S+)", section) == [",".join(WITHOUT_JUDGE)] * 2
    for file in DEMOS.glob("*/campaign.json"):
        name = file.parent.relative_to(ROOT).as_posix()
        assert f"import {name} --format tables" in section
        assert f"--out {name}/{SCORES} --force" in section
