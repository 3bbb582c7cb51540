"""The lessons: prefilled, moved by one click, in both languages, with the real embedded encoder."""

import re

import pytest

pytestmark = pytest.mark.embedded
NAMES, SUBSPACE = "pages/learn/names.py", "pages/learn/subspace.py"


@pytest.fixture
def lesson(start, backends, monkeypatch):
    """A lesson, with the encoder that the whole test run shares."""
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    return lambda page, lang="en": start(lang, page)


def row(page, head):
    """The cells of the row that begins with `head`."""
    (found,) = re.findall(f"<tr><td>{head}</td>(.*?)</tr>", page)
    return re.findall("<td[^>]*>([^<]*)</td>", found)


@pytest.mark.parametrize(
    ("lang", "paper", "here"), [("en", "in the paper", "here, as you left it"), ("ja", "論文", "いまの文章")]
)
def test_the_papers_pair_stands_there_with_its_numbers_and_ours(
    lesson, html_of, monkeypatch, lang, paper, here
):
    monkeypatch.setattr("pages.ui.state.language", lambda: lang)  # AppTest asks for captions, too
    at = lesson(NAMES, lang)
    at.segmented_control(key="lesson-names").set_value(1).run()
    assert at.text_area[0].value.startswith("斎藤さんは")
    assert row(html_of(at), paper) == ["0.477", "0.514", "0.492"]
    people, base, penalised = row(html_of(at), here)
    assert people == "–"
    assert float(penalised) < float(base)
    assert len(at.get("plotly_chart")) == 1
    assert 'class="yk-step"' in html_of(at)


def test_the_right_name_at_a_click_makes_the_penalty_smaller(lesson, html_of):
    def numbers():
        _, base, penalised = row(html_of(at), "here, as you left it")
        return float(base), float(penalised)

    at = lesson(NAMES)
    at.segmented_control(key="lesson-names").set_value(1).run()
    before = numbers()
    at.button(key="lesson-names-change").click().run()
    assert not at.exception
    assert at.text_area[1].value.startswith("斎藤は自分が")
    after = numbers()
    assert after[1] - before[1] > after[0] - before[0] > 0
    at.button(key="lesson-names-back").click().run()
    assert numbers() == before


@pytest.mark.parametrize(
    ("lang", "paper", "here"), [("en", "in the paper", "here, as you left it"), ("ja", "論文", "いまの文章")]
)
def test_only_the_name_differs_and_the_right_one_at_a_click_is_the_same_text(
    lesson, html_of, lang, paper, here
):
    at = lesson(NAMES, lang)
    first, second = (area.value for area in at.text_area)
    assert first.replace("田中", "佐藤") == second
    assert row(html_of(at), paper) == ["–", "–", "–"]  # the paper prints no numbers for this pair
    people, base, penalised = row(html_of(at), here)
    assert people == "–"
    assert float(base) > 0.9
    assert float(penalised) < float(base) - 0.1
    assert "M = 0.00" in html_of(at)
    at.button(key="lesson-names-change").click().run()
    assert at.text_area[1].value == first
    assert row(html_of(at), here) == ["–", "1.000", "1.000"]


def test_the_third_pair_is_the_huntsman(lesson, html_of):
    at = lesson(NAMES)
    at.segmented_control(key="lesson-names").set_value(2).run()
    assert not at.exception
    assert "ハンター" in at.text_area[1].value
    assert row(html_of(at), "in the paper") == ["0.790", "0.617", "0.605"]


@pytest.mark.parametrize("page", [NAMES, SUBSPACE])
def test_nothing_typed_gives_a_sentence(lesson, html_of, page):
    at = lesson(page)
    at.text_area[1].set_value(" ").run()
    assert not at.exception
    assert "One of the two texts is empty" in html_of(at)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_papers_four_rows_stand_beside_ours_and_the_span_never_sees_less(lesson, html_of, lang):
    at = lesson(SUBSPACE, lang)
    cells = re.findall(r"<tr><td>(?:royal|genius)</td>(.*?)</tr>", html_of(at))
    rows = [[float(x) for x in re.findall(r">(\d\.\d\d)<", one)] for one in cells]
    assert [tuple(one[:2]) for one in rows] == [(0.60, 0.69), (0.72, 0.76), (0.69, 0.76), (0.78, 0.82)]
    assert all(inside >= greedy for _, _, greedy, inside in rows)
    assert len(at.get("plotly_chart")) == 1


def test_an_unrelated_sentence_raises_membership_but_not_the_cosine(lesson, html_of):
    def numbers():
        found = re.search(r"([\d.]+) with the best single token → ([\d.]+) in", html_of(at))
        return float(found[1]), float(found[2])

    at = lesson(SUBSPACE)
    greedy, inside = numbers()
    at.button(key="lesson-subspace-change").click().run()
    at.button(key="lesson-subspace-change").click().run()
    assert not at.exception
    assert at.text_area[0].value.count("The train was late") == 2
    assert numbers()[0] < greedy
    assert numbers()[1] > inside
