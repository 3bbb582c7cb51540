"""Each lesson's verdict sentence says what the table beside it shows: both are read from the page."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from pages.learn.examples import NAMES, QUESTIONS, STRUCTURE

pytestmark = pytest.mark.embedded

SAID = {
    "en": {
        "broken": "The meaning is broken",
        "repaired": "The mistake is repaired",
        "kept": "The meaning is kept",
    },
    "ja": {"broken": "意味が壊れました", "repaired": "誤りが直りました", "kept": "意味は同じです"},
}
CLAUSES = {
    "en": (
        r"; |\.$",
        r"(?:^|, )(.+?) (?:rose |fell )?by ([\d.]+)",
        ("rose by", "fell by"),
        "did not move",
        " and ",
    ),
    "ja": ("。", r"(?:^|、)(.+?) ?は([\d.]+)", ("上がりました", "下がりました"), "動きませんでした", "と"),
}
CASES = [
    (name, one, lang)
    for lang in ("en", "ja")
    for name, examples in (("names", NAMES), ("structure", STRUCTURE), ("questions", QUESTIONS))
    for one in examples
]


@pytest.fixture
def lesson(start, backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(name, lang):
        monkeypatch.setattr("pages.ui.state.language", lambda: lang)  # AppTest asks for captions, too
        return start(lang, f"pages/learn/{name}.py")

    return opened


def moved_in_table(page):
    """By metric the difference of the two numbers of its row."""
    table = page.partition("<tbody>")[2].partition("</tbody>")[0]
    found = {}
    for name, cells in re.findall(r"<tr><td>(.*?)</td>(.*?)</tr>", table):
        before, after = (
            Decimal(cell.replace("→", "").replace("−", "-").strip())
            for cell in re.findall(r">([^<]+)</td>", cells)[:2]
        )
        found[name] = after - before
    return found


def moved_in_words(sentence, lang):
    """By metric the difference that the sentence says."""
    cut, amount, (rose, fell), still, joint = CLAUSES[lang]
    found = {}
    for clause in filter(None, re.split(cut, sentence)):
        if rose in clause or fell in clause:
            sign = 1 if rose in clause else -1
            found |= {name: sign * Decimal(by) for name, by in re.findall(amount, clause)}
        elif still in clause:
            names = re.sub(f" ?は?{still}", "", clause).strip()
            found |= dict.fromkeys((name.strip() for name in names.split(joint)), Decimal(0))
    return found


def titles(page):
    return re.findall('<p class="yk-line yk-title">([^<]+)</p>', page)


@pytest.mark.parametrize(
    ("name", "example", "lang"),
    [
        pytest.param(
            *case, marks=[] if number == 0 else pytest.mark.slow, id=f"{case[0]}-{case[1].name}-{case[2]}"
        )
        for number, case in enumerate(CASES)
    ],
)
def test_the_verdict_has_the_differences_of_the_table_and_counts_what_went_wrong(
    lesson, html_of, name, example, lang
):
    at = lesson(name, lang)
    at.segmented_control(key=f"lesson-{name}").set_value(example.name).run()
    at.button(key=f"lesson-{name}-change").click().run()
    assert not at.exception
    shown = html_of(at)
    moved = moved_in_table(shown)
    (sentence,) = [one for one in titles(shown) if SAID[lang][example.effect] in one]
    assert moved_in_words(sentence, lang) == moved
    wrong = sum((change > 0) if example.effect == "broken" else (change < 0) for change in moved.values())
    counted = {"en": f"{wrong} of {len(moved)} numbers", "ja": f"{len(moved)}つの値のうち{wrong}つが"}[lang]
    assert (counted in shown) is (wrong > 0)


@pytest.mark.parametrize("lang", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_the_verdict_on_the_raters_has_the_differences_of_its_table(lesson, html_of, lang):
    at = lesson("raters", lang)
    at.slider[0].set_value(20).run()
    at.segmented_control(key="lesson-raters-without").set_value("D").run()
    assert not at.exception
    shown = html_of(at)
    moved = moved_in_table(shown)
    assert moved_in_words(titles(shown)[-1], lang) == moved
    assert set(moved.values()) != {Decimal(0)}
