"""The lessons on structure and questions: one click changes one thing, and the verdict says what moved."""

import re

import pytest

pytestmark = pytest.mark.embedded


@pytest.fixture
def lesson(start, backends, monkeypatch):
    """A lesson, with the encoder that the whole test run shares."""
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(name, lang="en", example=None):
        monkeypatch.setattr("pages.ui.state.language", lambda: lang)  # AppTest asks for captions, too
        at = start(lang, f"pages/learn/{name}.py")
        if example is not None:
            at.segmented_control(key=f"lesson-{name}").set_value(example).run()
            assert not at.exception
        return at

    return opened


def change(at, name):
    at.button(key=f"lesson-{name}-change").click().run()
    assert not at.exception
    return at


def numbers(page):
    """The rows of the first table: metric, and its numbers as they are shown."""
    table = page.partition("<tbody>")[2].partition("</tbody>")[0]
    rows = re.findall(r"<tr><td>(.*?)</td>(.*?)</tr>", table)
    return {name: re.findall(r">([^<]+)</td>", cells) for name, cells in rows}


def test_gdp_becomes_gpp_and_two_numbers_rise_for_a_worse_translation(lesson, html_of):
    at = lesson("questions")
    assert numbers(html_of(at)) == {"BLEU": ["9.4"], "BERTScore F": ["0.871"], "MTEQA": ["1.000"]}
    shown = html_of(change(at, "questions"))
    assert numbers(shown) == {
        "BLEU": ["9.4", "→ 12.0", "▲ +2.6"],
        "BERTScore F": ["0.871", "→ 0.886", "▲ +0.015"],
        "MTEQA": ["1.000", "→ 0.800", "▼ −0.200"],
    }
    assert "The meaning is broken; BLEU rose by 2.6, BERTScore F by 0.015; MTEQA fell by 0.200." in shown
    assert "2 of 3 numbers rose for a worse translation." in shown
    at.button(key="lesson-questions-back").click().run()
    assert numbers(html_of(at))["BLEU"] == ["9.4"]


def test_the_verdict_in_japanese_has_the_same_numbers(lesson, html_of):
    shown = html_of(change(lesson("questions", "ja", "abbreviation"), "questions"))
    assert (
        "意味が壊れました。BLEU は2.6、BERTScore F は0.015上がりました。MTEQA は0.200下がりました。" in shown
    )
    assert "訳は悪くなったのに、3つの値のうち2つが上がりました。" in shown


def test_a_text_that_the_reader_typed_is_not_judged_by_the_page(lesson, html_of):
    at = lesson("questions")
    at.text_area(key="lesson-questions-abbreviation-1").set_value("In 2019 China grew.").run()
    assert not at.exception
    shown = html_of(at)
    assert "The meaning is " not in shown
    assert "numbers rose for a worse translation" not in shown
    assert " fell by " in shown


def test_two_cats_become_three_and_one_question_breaks(lesson, html_of):
    shown = html_of(change(lesson("questions", example="cats"), "questions"))
    rows = re.findall(r'<tr><td>([^<]*)</td><td>([^<]*)</td><td>([^<]*)</td><td class="yk-number">', shown)
    broken = re.findall(
        r'<tr><td>[^<]*</td><td>([^<]*)</td><td>[^<]*</td><td class="yk-number">0.00</td></tr>', shown
    )
    assert len(rows) == 6
    assert broken == ["二匹"]


def test_an_unanswered_question_says_so(lesson, html_of):
    at = lesson("questions", example="date")
    assert "None" not in html_of(at)
    at.text_area(key="lesson-questions-date-1").set_value("Nothing arrived.").run()
    assert "<td>no answer</td>" in html_of(at)


def test_swapped_roles_move_the_papers_structure_more_than_bertscore_and_ours_most(lesson, html_of):
    at = change(lesson("structure", "ja"), "structure")
    shown = html_of(at)
    assert "論文の方法：いちばん上の語のラベルが同じ" in shown  # the paper's method comes first
    moved = {name: float(cells[2].split("−")[1]) for name, cells in numbers(shown).items()}
    assert moved["BERTScore F"] == 0.014
    assert moved["構造 F（係り受け）"] == 0.113
    at.segmented_control(key="lesson-structure-method").set_value("role").run()
    assert numbers(html_of(at))["構造 F（係り受け）"][2] == "▼ −0.603"
    assert "論文ではなく独自の方法" in html_of(at)


def test_the_passive_keeps_the_meaning_and_the_page_says_which_numbers_fell(lesson, html_of):
    shown = html_of(change(lesson("structure", example="passive"), "structure"))
    assert "The meaning is kept; BLEU fell by 22.4, BERTScore F by 0.027" in shown
    assert "3 of 3 numbers fell although the meaning is the same." in shown


@pytest.mark.parametrize(("lang", "subject"), [("en", "subject"), ("ja", "主語")])
def test_the_labels_of_the_trees_are_in_the_readers_language(lesson, lang, subject):
    (chart,) = lesson("structure", lang).get("plotly_chart")
    assert subject in chart.proto.spec.encode().decode("unicode_escape")
    assert "nsubj" not in chart.proto.spec


def test_the_telescope_is_put_right_and_everything_is_found(lesson, html_of):
    shown = html_of(change(lesson("structure", example="telescope"), "structure"))
    assert numbers(shown)["BLEU"][:2] == ["50.0", "→ 100.0"]
    assert numbers(shown)["Structure F (dependencies)"][1] == "→ 1.000"
    assert "All 3 numbers moved the right way" in shown
