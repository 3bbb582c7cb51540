"""Which of two metrics or settings is nearer to people: in the tab *Which is closer* and under a grid."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.stats import zscore

from db.permissions import OPERATOR
from db.queries import list_campaigns, list_translations, store_scores
from db.queries.evaluation import evaluation
from db.records import ScoreRow


@pytest.fixture
def rated(start, engine):
    """The demo campaign that people rated most, with made-up scores under two metrics; returns its id."""
    start()
    chosen = max(list_campaigns(engine), key=lambda one: one.n_ratings).id
    texts = [one for one in list_translations(engine, chosen) if not one.is_reference]
    columns = {"chrf": lambda n: float(n), "bertscore": lambda n: (n * 7 % 13) / 13}
    store_scores(
        engine,
        [
            ScoreRow(translation_id=one.id, metric=name, signature=f"{name}|v1", score=of(number), flags=())
            for number, one in enumerate(texts)
            for name, of in columns.items()
        ],
    )
    return chosen


def opened(start, campaign, lang="en", tab="Which is closer"):
    at = start(lang, "pages/debug/meta/page.py")
    at.selectbox(key="campaign-meta").set_value(campaign).run()
    at.session_state["meta-tabs"] = tab
    at.run()
    assert not at.exception
    return at


def told(shown):
    """The share and the number of translations in the sentence."""
    share, n = re.search(r"on (\d\.\d+) of (\d+) translations", shown).groups()
    return float(share), int(n)


def test_the_share_and_the_translations_of_two_metrics_are_shown(rated, start, engine, html_of):
    at = opened(start, rated)
    names = at.selectbox(key="meta-nearer-first").options
    assert names[:2] == ["chrF", "BERTScore F"]
    found = evaluation(engine, OPERATOR, rated)
    kept = np.isfinite(found.people)
    people, chrf, bertscore = (
        zscore(one[kept]) for one in (found.people, found.metrics["chrf"], found.metrics["bertscore"])
    )
    gains = abs(bertscore - people) - abs(chrf - people)
    shown = html_of(at)
    assert told(shown) == (pytest.approx(float((gains > 0).mean()), abs=5e-4), int(kept.sum()))
    widest = np.flatnonzero(kept)[abs(gains).argmax()]
    rows = re.findall(r"<tr[^>]*>(.*?)</tr>", shown[shown.index("differs less from people") :], re.S)
    assert found.place(int(widest)) in rows[1]  # the heads are the first


def test_the_first_and_the_second_are_changed_about_and_never_the_same(rated, start, html_of):
    at = opened(start, rated)
    share, n = told(html_of(at))
    at.selectbox(key="meta-nearer-first").set_value(1).run()
    assert "Choose two different ones." in html_of(at)
    at.selectbox(key="meta-nearer-second").set_value(0).run()
    assert not at.exception
    assert told(html_of(at)) == (pytest.approx(1 - share, abs=2e-3), n)


@pytest.mark.slow
def test_a_translation_of_the_list_is_read_and_opens_under_the_lens(rated, start, engine, html_of):
    at = opened(start, rated)
    box = at.selectbox(key="meta-nearer-open")
    assert box.value is None
    texts = {one.id: one for one in list_translations(engine, rated)}
    found = evaluation(engine, OPERATOR, rated)
    row = next(one for one in range(len(found.people)) if found.place(one) == box.options[0])
    text = texts[int(found.translation[row])]
    box.select_index(0).run()
    assert text.text in html_of(at)
    at.button(key="meta-nearer-lens").click().run()
    assert not at.exception
    assert at.session_state[f"segment-{rated}"] == text.segment_id
    assert at.session_state[f"system-{rated}"] == text.system_id


def test_japanese_readers_have_the_same_part(rated, start, html_of):
    at = opened(start, rated, "ja", "どちらが人に近いか")
    shown = html_of(at)
    assert "人の評価に近い訳文の割合は" in shown
    assert "平均0、標準偏差1" in shown


def test_two_cells_of_a_grid_are_compared_on_the_translations_that_it_ran_on(
    rated, start, backends, monkeypatch, html_of
):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    at = start("en", "pages/debug/meta/page.py")
    at.selectbox(key="campaign-meta").set_value(rated)
    at.segmented_control(key="meta-what").set_value("grid").run()
    at.multiselect(key="grid-metrics").set_value(["bleu", "ter"]).run()
    at.multiselect(key="grid-axes").set_value([]).run()
    at.number_input[-1].set_value(4).run()  # how many segments
    assert "Which of two is nearer" not in " ".join(one.value for one in at.subheader)
    at.button(key="grid-run").click().run()
    assert not at.exception
    assert at.selectbox(key="grid-nearer-first").options == ["BLEU", "TER"]
    share, n = told(html_of(at))
    at.number_input[-1].set_value(5).run()  # the next run; what is shown is of the last one
    assert told(html_of(at)) == (share, n)
    at.multiselect(key="grid-metrics").set_value(["bleu"]).run()
    at.button(key="grid-run").click().run()
    assert "This needs two settings or metrics" in html_of(at)


def test_where_nothing_can_be_compared_the_page_says_why(rated, start, engine, html_of):
    texts = [one for one in list_translations(engine, rated) if not one.is_reference]
    scores = [
        ScoreRow(translation_id=one.id, metric="ter", signature="ter|v1", score=1.0, flags=())
        for one in texts
    ]
    store_scores(engine, scores)
    at = opened(start, rated)
    at.selectbox(key="meta-nearer-second").set_value(2).run()
    assert not at.exception
    assert "the scores of one do not vary" in html_of(at)
