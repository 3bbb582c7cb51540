"""The pages of systems and of metrics against people, as a reader meets them."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from core.metaeval.contrast_sets import ContrastVerdict, read_contrast_set
from db.queries import list_campaigns, list_translations, store_scores
from db.records import ScoreRow
from tests.support.widgets import when_scored


@pytest.fixture
def scored(start, engine):
    """The demo campaign that people rated, with made-up scores under two metrics; returns its id."""
    start()
    chosen = max(list_campaigns(engine), key=lambda one: one.n_ratings).id
    texts = [one for one in list_translations(engine, chosen) if not one.is_reference]
    rows = []
    for number, one in enumerate(texts):
        for metric, value in (("chrf", float(number)), ("bertscore", (number * 7 % 13) / 13)):
            flags = ("of-another-program",) if number == 1 else ()
            signed = f"{metric}|v1"
            rows.append(
                ScoreRow(translation_id=one.id, metric=metric, signature=signed, score=value, flags=flags)
            )
    store_scores(engine, rows)
    return chosen


def open_page(start, name, campaign, lang="en"):
    at = start(lang, f"pages/debug/{name}/page.py")
    at.selectbox(key=f"campaign-{name}").set_value(campaign).run()
    assert not at.exception
    return at


@pytest.mark.parametrize(("lang", "people"), [("en", "People ↑"), ("ja", "人の評価 ↑")])
def test_every_system_has_a_row_under_people_and_metrics(scored, start, lang, people):
    at = open_page(start, "systems", scored, lang)
    (board,) = [one for one in at.dataframe if people in one.value.columns]
    assert list(board.value.columns[:1]) == [("System" if lang == "en" else "システム")]
    assert {"chrF ↑", "BERTScore F ↑"} <= set(board.value.columns)


def test_intervals_stand_beside_the_means_when_they_are_asked_for(scored, start):
    at = open_page(start, "systems", scored)
    at.toggle(key="systems-intervals").set_value(True).run()
    (board,) = [one for one in at.dataframe if "People ↑" in one.value.columns]
    shown = board.value["chrF ↑ · 95 %"][0]
    low, high = (float(end) for end in shown.split(" to "))
    assert low < board.value["chrF ↑"][0] < high


def test_what_disagrees_is_listed_and_opens_under_the_lens(scored, start, engine):
    at = open_page(start, "systems", scored)
    assert any("metric" in one.label and "people" in one.label for one in at.expander)
    lens = next(one for one in at.button if str(one.key).startswith("lens-"))
    wanted = int(str(lens.key).split("-")[1])
    lens.click().run()
    assert not at.exception
    (text,) = [one for one in list_translations(engine, scored) if one.id == wanted]
    assert at.session_state[f"segment-{scored}"] == text.segment_id
    assert at.session_state[f"system-{scored}"] == text.system_id


def test_a_filter_that_lets_nothing_through_says_so(scored, start, engine, html_of):
    at = open_page(start, "systems", scored)
    slider = at.slider(key=f"systems-{scored}-length")
    lengths = sorted({len(one.reference) for one in list_translations(engine, scored)})
    gap = next(one + 1 for one, after in pairwise(lengths) if after - one > 1)  # no reference is so long
    slider.set_value((gap, gap)).run()
    assert not at.exception
    assert "No translation passes the filter" in html_of(at)


def test_a_campaign_without_scores_offers_to_make_them(start, engine, html_of):
    at = start("en", "pages/debug/meta/page.py")
    assert "No metric has scored this campaign yet" in html_of(at)
    chosen = next(one.id for one in list_campaigns(engine) if one.n_ratings)
    at.multiselect(key=f"score-metrics-{chosen}").set_value(["chrf"]).run()
    at.button(key="score-run").click().run()
    at = when_scored(at)
    n = sum(not one.is_reference for one in list_translations(engine, chosen))
    assert f"Computed: {n} · there already: 0 · without a score: 0" in html_of(at)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_tab_of_metrics_against_people_can_be_drawn(scored, start, html_of, lang):
    at = open_page(start, "meta", scored, lang)
    assert "BERTScore F" in html_of(at)
    tabs = {"en": ["Systems", "By domain", "Which is closer", "What metrics share"],
            "ja": ["システム", "分野別", "どちらが人に近いか", "指標どうしの重なり"]}  # fmt: skip
    for name in tabs[lang]:
        at.session_state["meta-tabs"] = name
        at.run()
        assert not at.exception
        assert not at.error
    at.segmented_control(key="meta-grouping").set_value("item").run()
    assert not at.exception


def test_a_contrast_set_is_scored_and_its_failures_are_listed(start, html_of):
    at = start("en", "pages/debug/meta/page.py")
    at.segmented_control(key="meta-what").set_value("contrast").run()
    at.multiselect(key="contrast-metrics").set_value(["chrf"]).run()
    at.button(key="contrast-run").click().run()
    assert not at.exception
    shown = html_of(at)
    assert "−0.40 (18 / 7 / 35 / 0)" in shown  # as docs/results.md has it
    assert "numbers, dates and names (Suzuki et al.)" in shown
    assert "−0.42 (13 / 7 / 25 / 0)" in shown  # the same without the counters: (13 - 32) / 45
    assert any(one.label.startswith("name — good") for one in at.expander)
    next(one for one in at.button if str(one.key).startswith("contrast-lens-")).click().run()
    assert not at.exception
    assert at.session_state["pair-origin"] == "typed"


def test_a_flag_without_words_here_can_be_chosen_as_it_is_written(scored, start):
    at = open_page(start, "systems", scored)
    at.selectbox(key=f"systems-{scored}-flag").set_value("of-another-program").run()
    assert not at.exception
    (board,) = [one for one in at.dataframe if "People ↑" in one.value.columns]
    assert len(board.value) == 1


def fault_row(html):
    """The cells of the row of all pairs in the table of the steps, which has five columns."""
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", html, re.S)]
    return next([re.sub(r"<[^>]+>", "", cell) for cell in row] for row in rows if len(row) == 5)


def test_the_step_that_lost_a_pair_is_counted_and_can_be_corrected(start, html_of):
    pairs = read_contrast_set(Path("assets/demo/contrast.ja.tsv"))
    verdicts = [
        ContrastVerdict(pair=one, good=0.5, bad=0.9 if at < 2 else 0.1, fault="answer" if at < 2 else None)
        for at, one in enumerate(pairs)
    ]
    at = start("en", "pages/debug/meta/page.py")
    at.session_state["contrast-verdicts"] = (pairs, {"mteqa": verdicts})
    at.segmented_control(key="meta-what").set_value("contrast").run()
    assert not at.exception
    assert fault_row(html_of(at)) == ["all", "0", "0", "2", "0"]  # data, question, answer, comparison
    chosen = next(one for one in at.segmented_control if str(one.key).startswith("contrast-fault-"))
    assert chosen.value == "answer"
    chosen.set_value("data").run()
    assert not at.exception
    assert fault_row(html_of(at)) == ["all", "1", "0", "1", "0"]
