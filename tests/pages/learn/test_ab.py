"""The first lesson: a guess, then every metric's two numbers, its choice and its reason."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from core.assets import ROOT
from core.types import Result
from pages.learn import why
from pages.learn.examples import AB_METRICS, VERSIONS

pytestmark = pytest.mark.embedded


@pytest.fixture
def lesson(start, backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(lang="en"):
        monkeypatch.setattr("pages.ui.state.language", lambda: lang)  # AppTest asks for captions, too
        return start(lang, "pages/learn/ab.py")

    return opened


def guess(at, side, *metrics):
    for metric in metrics or ("bertscore",):
        at.segmented_control(key=f"lesson-ab-guess-{metric}").set_value(side).run()
    at.button(key="lesson-ab-show").click().run()
    assert not at.exception
    return at


def rows(page):
    """Metric, A, B and the choice of each row."""
    return re.findall(
        r'<tr><td>([^<]+)</td><td class="yk-number">([\d.]+)</td><td class="yk-number">([\d.]+)</td>'
        r"<td>([^<]+)</td><td>[^<]+</td></tr>",
        page,
    )


def answered(page):
    """Each metric with the guess about it, where there was one."""
    found = re.findall(r"<tr><td>([^<]+)</td>(?:<td[^>]*>[^<]+</td>){3}<td>([AB] [✓✗])</td></tr>", page)
    return dict(found)


def test_nothing_is_told_before_the_guess(lesson, html_of):
    shown = html_of(lesson("ja"))
    assert "それぞれの指標は、どちらに高い値をつけるでしょうか。" in shown
    assert rows(shown) == []
    assert "· よい言い換え" not in shown


def test_the_opposite_wins_under_all_eight_metrics_and_the_page_counts_them(lesson, html_of):
    at = lesson("ja")
    at.segmented_control(key="lesson-ab-kind").set_value("negation").run()
    shown = html_of(guess(at, "a"))
    found = rows(shown)
    assert len(found) == 8
    assert all(choice == "× B: 反対の意味" for *_, choice in found)
    assert ("BERTScore F", "0.900", "0.963", "× B: 反対の意味") in found
    assert "BERTScore F はBを選びます。予想とは逆でした。" in shown
    assert "8つの指標のうち8つが、誤りのある訳（反対の意味）を選びます。" in shown


def test_the_number_of_fooled_metrics_is_that_of_the_rows(lesson, html_of):
    shown = html_of(guess(lesson("en"), "a"))
    found = rows(shown)
    fooled = sum(choice.startswith("×") for *_, choice in found)
    assert f"{fooled} of 8 metrics prefer the translation with this mistake: wrong name." in shown
    for _, first, second, choice in found:
        better = "A" if float(first) > float(second) else "B"
        assert better in choice.split(":")[0]


def test_another_mistake_asks_for_another_guess(lesson, html_of):
    at = guess(lesson("en"), "b")
    at.segmented_control(key="lesson-ab-kind").set_value("roles").run()
    assert not at.exception
    assert rows(html_of(at)) == []
    assert at.button(key="lesson-ab-show").disabled
    assert at.segmented_control(key="lesson-ab-guess-bertscore").value is None


def test_several_metrics_are_guessed_and_each_guess_is_marked(lesson, html_of):
    """In the teacher's example all metrics prefer the opposite, which is B: two of three are right."""
    at = lesson("ja")
    at.segmented_control(key="lesson-ab-kind").set_value("negation").run()
    at.segmented_control(key="lesson-ab-guess-mteqa").set_value("a").run()
    shown = html_of(guess(at, "b", "bleu", "subspace"))
    assert "3つの予想のうち2つが当たりました。" in shown
    assert answered(shown) == {"BLEU": "B ✓", "部分空間 F": "B ✓", "MTEQA": "A ✗"}
    assert at.query_params["guess"] == "bleu.b~subspace.b~mteqa.a"
    at.button(key="lesson-ab-again").click().run()
    assert rows(html_of(at)) == []
    assert "guess" not in at.query_params


def test_an_address_brings_its_guesses_and_one_side_alone_is_about_bertscore(lesson, html_of, monkeypatch):
    monkeypatch.setattr("pages.ui.state.language", lambda: "en")
    for query, found in (
        ("a", {"BERTScore F": "A ✗"}),
        ("chrf.b~mteqa.a", {"chrF": "B ✓", "MTEQA": "A ✗"}),
    ):
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        at.query_params.update({"lang": "en", "guess": query, "example": "bridge-en", "mistake": "negation"})
        at.run()
        for name, value in {"guess": query, "example": "bridge-en", "mistake": "negation"}.items():
            at.query_params[name] = value
        at.switch_page("pages/learn/ab.py").run()
        assert not at.exception
        assert not at.warning
        assert answered(html_of(at)) == found


@pytest.mark.parametrize("metric", AB_METRICS)
@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_every_metric_has_its_picture_and_its_sentence(lesson, html_of, metric, lang):
    at = guess(lesson(lang), "a")
    at.selectbox(key="lesson-ab-metric").set_value(metric).run()
    assert not at.exception
    shown = html_of(at)
    begins = {
        "bleu": "BLEU",
        "chrf": "chrF",
        "mteqa": "MTEQA",
        "bertscore": "BERTScore",
        "bertscore-reading": "BERTScore",
    }
    text = re.findall('<p class="yk-line yk-normal">([^<]+)</p>', shown)
    if metric in begins:
        assert any(one.startswith(begins[metric]) for one in text)
    assert '<span class="yk-tint"' in shown or metric == "bertscore-reading"


def test_a_mistake_that_a_set_does_not_have_is_not_kept(lesson):
    at = lesson("en")
    at.segmented_control(key="lesson-ab").set_value("station-en").run()
    at.segmented_control(key="lesson-ab-kind").set_value("number").run()
    at.segmented_control(key="lesson-ab").set_value("bridge-en").run()
    assert not at.exception
    assert at.segmented_control(key="lesson-ab-kind").value == "name"


def test_both_languages_have_all_five_versions():
    for lang in ("ja", "en"):
        kinds = {kind for one in VERSIONS if one.lang == lang for kind in one.texts}
        assert kinds == {"paraphrase", "name", "negation", "roles", "number"}


def test_equal_numbers_prefer_neither():
    def both(first, second):
        return {side: Result(metric="mteqa", score=score, signature="") for side, score in
                zip("ab", (first, second), strict=True)}  # fmt: skip

    assert why.preferred(both(0.75, 0.7504), 3) is None
    assert why.preferred(both(0.75, 0.7506), 3) == "b"
    assert why.preferred(both(0.75, None), 3) is None


def test_the_longest_run_that_a_word_is_part_of():
    """`b c` and `c d` stand in the reference, `b c d` does not; x stands nowhere."""
    assert why.longest_runs(list("abcdx"), list("zbc cd"), 4) == [0, 2, 2, 2, 0]
    assert why.longest_runs([], list("ab"), 4) == []
