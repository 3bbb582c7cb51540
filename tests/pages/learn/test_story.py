"""Two translators, one story: the beads are the aligner's, the verdict follows from the numbers."""

from __future__ import annotations

import re

import pytest

from core.alignment.align import align_sentences
from pages.learn.passages import TRANSLATORS, passages

pytestmark = pytest.mark.embedded


@pytest.fixture
def lesson(start, backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(lang="en", example=None):
        monkeypatch.setattr("pages.ui.state.language", lambda: lang)  # AppTest asks for captions, too
        at = start(lang, "pages/learn/story.py")
        if example is not None:
            at.segmented_control(key="lesson-story").set_value(example).run()
            assert not at.exception
        return at

    return opened


def row(page, head):
    """The cells of the first row that begins with `head`."""
    found = re.search(f"<tr><td>{re.escape(head)}</td>(.*?)</tr>", page)
    return re.findall("<td[^>]*>([^<]*)</td>", found.group(1))


@pytest.mark.slow
@pytest.mark.parametrize("passage", passages(), ids=lambda one: one.name)
def test_the_stored_beads_are_those_that_the_aligner_finds_now(passage, backends):
    """Run `PYTHONPATH=. python tools/lesson_story.py STORIES` after a change that is meant."""
    for who in TRANSLATORS:
        fresh = align_sentences(passage.english, passage.translations[who], backends)
        assert [(one.left, one.right) for one in fresh] == [
            (one.left, one.right) for one in passage.beads[who]
        ]
        for one, kept in zip(fresh, passage.beads[who], strict=True):
            assert one.confidence == pytest.approx(kept.confidence, abs=0.001)


def test_every_sentence_stands_in_one_row_and_in_its_order():
    for passage in passages():
        rows = passage.rows()
        assert [n for one in rows for n in one.english] == list(range(len(passage.english)))
        for place, who in enumerate(TRANSLATORS):
            found = [n for one in rows for n in one.translated[place]]
            assert found == list(range(len(passage.translations[who])))


def test_two_sentences_that_mikami_makes_one_stand_in_one_row():
    """“Go! Where to?” is two sentences in English and one in his translation."""
    breakfast = next(one for one in passages() if one.name == "breakfast")
    row = breakfast.rows()[1]
    assert [breakfast.english[n] for n in row.english] == ['"Go!', 'Where to?"']
    assert [breakfast.translations["mikami"][n] for n in row.translated[1]] == ["「行くってどこへ？」"]
    assert row.sure[1] is not None


@pytest.mark.parametrize("passage", passages(), ids=lambda one: one.name)
def test_the_verdict_names_the_translation_with_the_higher_number_and_the_difference_as_shown(
    lesson, html_of, passage
):
    shown = html_of(lesson(example=passage.name))
    parts = []
    for metric in ("BERTScore F", "Sentence cosine"):
        okubo, mikami = map(float, row(shown, metric)[:2])
        who = "Okubo" if okubo > mikami else "Mikami"
        by = f"{abs(okubo - mikami):.3f}"
        parts.append(f"{metric} prefers neither" if okubo == mikami else f"{metric} prefers {who} by {by}")
    assert f"{'; '.join(parts)}." in shown
    assert "None of these numbers says which translation is the better one." in shown


def test_another_reference_stands_beside_the_first_and_is_in_the_address(lesson, html_of):
    at = lesson("ja", "train")
    assert row(html_of(at), "BLEU") == ["21.8"]
    at.segmented_control(key="lesson-story-reference").set_value("mikami").run()
    assert not at.exception
    shown = html_of(at)
    assert row(shown, "BLEU") == ["21.8", "→ 21.6", "▼ −0.2"]
    assert "BLEU は0.2" in shown
    assert at.query_params["reference"] == "mikami"
    assert at.query_params["example"] == "train"


def test_before_a_class_the_least_sure_place_comes_first(lesson, html_of):
    at = lesson("en", "train")
    assert html_of(at).count("So ask") == 0
    at.toggle(key="projector").set_value(True).run()
    assert not at.exception
    shown = html_of(at)
    assert "5 of 8" in shown  # Okubo’s .67 is the lowest of all
    at.button(key="lesson-story-arrow_forward").click().run()
    assert "6 of 8" in html_of(at)
    assert at.query_params["row"] == "6"
