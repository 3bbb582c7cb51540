"""The report on a reading study: figures of the page, nobody's name and nobody's words."""

from __future__ import annotations

import pytest

from core.raters.reading.choices import ReadingChoices
from core.report import document
from db.campaigns.reporting import gather
from db.permissions import OPERATOR
from db.queries import enter_rater
from db.queries.coding import comments_to_code, finish_coding, save_codes, set_code_book
from db.records import CodeRecord
from tests.support.close_studies import PARAGRAPHS, compare_all
from tests.support.reading_studies import go_through, make_study, study_bundle
from tests.support.report_files import Page

PREFERRED = {"Aya": "ash", "Ben": "ash", "Cho": "ash", "Dan": "elm"}
QUALITY = {"Aya": (6, 4), "Ben": (5, 5), "Cho": (6, 3), "Dan": (4, 5)}


def reported(engine, lang="en", **choices):
    number = make_study(engine, ReadingChoices(human="ash"), readers=4)
    for name, version in PREFERRED.items():
        quality = dict(zip(("ash", "elm"), QUALITY[name], strict=True))
        marks = {"ash": [(0, 0, 3, "pleases")]}
        go_through(engine, number, name, prefers=version, guess="ash", marks=marks, quality=quality)
    return Page.of(document(gather(engine, OPERATOR, number, language=lang, **choices)))


def test_shares_have_the_exact_interval_and_answers_their_mixed_model(engine):
    page = reported(engine)
    # 3 of 4: Clopper and Pearson's 95 % interval is 0.194 to 0.994, the two-sided p is 10/16
    assert ["ash rather than elm", "3 / 4", "0.75", "0.19 to 0.99", "0.625", "0.50"] in page.rows
    (difference,) = [row for row in page.rows if row[:2] == ["quality", "ash minus elm"]]
    assert difference[2:4] == ["8", "+1.00"]  # the mean of 2, 0, 3 and −1
    assert ["Readers", "4"] in page.rows
    assert "exact interval of Clopper and Pearson" in page.said
    assert "Report on a reading study" in page.said
    assert "Rated from and to" not in page.said
    assert "So far 4 finished, fewer than 10" in page.said
    assert list(page.data) == ["figure-study-strips"]
    assert not page.faults


@pytest.mark.parametrize("texts", [True, False])
def test_no_reader_is_named_and_nothing_that_readers_wrote_is_told(engine, texts):
    page = reported(engine, texts=texts)
    told = page.said + str(page.data)
    assert not [name for name in PREFERRED if name in told]
    assert "because" not in told
    assert "on ash" not in told


def test_a_japanese_report_says_it_in_japanese(engine):
    page = reported(engine, "ja")
    assert "読者が好んだ訳" in page.said
    assert "クロッパー・ピアソン" in page.said


def test_a_close_reading_has_its_own_section(engine):
    number = make_study(
        engine,
        ReadingChoices(human="ash", chunks=13),
        bundle=study_bundle(texts=PARAGRAPHS),
    )
    person = go_through(engine, number, "Aya", prefers="ash", guess="ash")
    compare_all(engine, number, person, "Aya", ["ash", "ash", "elm", None])
    page = Page.of(document(gather(engine, OPERATOR, number, language="en")))
    assert "The close reading" in page.said


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_comments_that_were_coded_are_told_as_numbers_without_words_and_names(engine, lang):
    number = make_study(engine, ReadingChoices(human="ash"), readers=2)
    for name, version in (("Aya", "ash"), ("Ben", "elm")):
        go_through(engine, number, name, prefers=version, guess="ash")
    set_code_book(engine, OPERATOR, number, [CodeRecord(name="flow"), CodeRecord(name="voice")])
    for coder, about in (("Ito", ("why", "comment")), ("Mori", ("why",))):
        person = enter_rater(engine, coder).id
        comments, _ = comments_to_code(engine, OPERATOR, number, person)
        given = {one.key: ["flow"] if one.about in about else [] for one in comments}
        save_codes(engine, OPERATOR, number, person, given)
        finish_coding(engine, OPERATOR, number, person)
    page = Page.of(document(gather(engine, OPERATOR, number, language=lang)))
    # Of six comments Ito codes all six, Mori the two reasons: the same on 1/3, as by chance: kappa 0.
    kappa = next(row for row in page.rows if row[:2] == ["flow", "0.00"])
    assert kappa[3:] == ["0.33", "2", "6"]
    assert ["flow", "ash", "1", "3", "3"] in page.rows  # one reason and two comments are about this version
    told = page.said + str(page.data)
    assert not [word for word in ("Ito", "Mori", "Aya", "because", "on ash") if word in told]


def test_a_study_that_nobody_has_read_says_so_in_its_facts(engine):
    number = make_study(engine)
    page = Page.of(document(gather(engine, OPERATOR, number, language="en")))
    assert ["Finished", "0"] in page.rows
