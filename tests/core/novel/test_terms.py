"""Terms of a glossary: their files, and how systems render them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError, InputError
from core.novel.glossary import MOST_TERMS, GlossaryTerm, check_terms, read_glossary, write_tbx, write_tsv
from core.novel.terms import terms, with_terms

INSPECTOR = GlossaryTerm(term="警部", forms=("警視",), source="inspector", note="rank")
FILE = Path("terms")


def read(text, lang="ja"):
    return read_glossary(text.encode(), FILE, lang)


def told(found, term, system="a"):
    (one,) = [one for one in found if one.name == term]
    row = one.systems[system]
    return {form.form: form.segments for form in row.renderings}, row


def test_a_form_of_the_entry_is_a_rendering_and_all_forms_are_one():
    references = ["警部は言った。", "警部が来た。", "警視は帰った。", "雨だ。"]
    found = terms(
        [INSPECTOR], references, {"a": ["警部は言った。", "警視が来た。", "警部は帰った。", "警部だ。"]}
    )
    renderings, row = told(found, "警部")
    assert renderings == {"警部": (0, 2), "警視": (1,)}
    assert (row.groups, row.consistency, row.lost, row.drift) == ((("警部", "警視"),), 1.0, (), False)
    assert [(form.form, form.segments) for form in found[0].forms] == [("警部", (0, 1)), ("警視", (2,))]


def test_an_unlisted_word_that_stands_for_the_term_is_a_rendering_of_its_own():
    references = ["警部は言った。", "警部が来た。", "警部は帰った。", "犬が来た。"]
    found = terms(
        [INSPECTOR], references, {"a": ["警部は話した。", "刑事が来た。", "刑事は去った。", "犬が来た。"]}
    )
    renderings, row = told(found, "警部")
    assert renderings == {"警部": (0,), "刑事": (1, 2)}
    # 1 of 警部, 2 of 刑事: 1 - (1/3 ln 3 + 2/3 ln 3/2) / ln 3
    assert row.consistency == pytest.approx(0.420620)
    assert row.drift
    assert row.groups == (("刑事",), ("警部",))


def test_a_word_that_stands_everywhere_or_once_is_no_rendering():
    references = ["警部は言った。", "警部が来た。", *["雨だ。"] * 5]
    system = ["今日は晴天。", "今日は曇天。", *["今日は雨天。"] * 5]
    _, row = told(terms([INSPECTOR], references, {"a": system}), "警部")
    assert (row.renderings, row.lost, row.consistency) == ((), (0, 1), None)


def test_two_terms_with_one_rendering_are_merged():
    glossary = [GlossaryTerm(term="警部"), GlossaryTerm(term="巡査")]
    references = ["警部だ。", "警部か。", "巡査だ。", "巡査か。"]
    found = terms(glossary, references, {"a": ["警部だ。", "警部か。", "警部だ。", "警部か。"]})
    # 警部 is an entry, so it stands for nothing else, and the other term is lost
    assert told(found, "巡査")[1].lost == (2, 3)
    found = terms(glossary, references, {"a": ["刑事だ。", "刑事か。", "刑事だ。", "刑事か。"]})
    assert {one.name: bool(one.systems["a"].renderings) for one in found} == {"警部": True, "巡査": False}


def test_the_longest_form_counts_and_no_part_of_a_word():
    glossary = [GlossaryTerm(term="警部"), GlossaryTerm(term="警部補"), GlossaryTerm(term="アン")]
    found = terms(glossary, ["警部補と警部。", "アンナとアン。"], {})
    assert {one.name: [form.segments for form in one.forms] for one in found} == {
        "警部": [(0,)],
        "警部補": [(0,)],
        "アン": [(1,)],
    }
    (one,) = terms(
        [GlossaryTerm(term="Inspector", forms=("chief inspector",))], ["An inspector. Inspectors"], {}
    )
    assert [(form.form, form.count) for form in one.forms] == [("Inspector", 1)]


def test_a_glossary_without_the_references_words_and_an_empty_one_give_nothing():
    assert terms([INSPECTOR], ["雨だ。"], {"a": ["警部だ。"]}) == []
    assert terms([], ["雨だ。"], {"a": ["雨だ。"]}) == []
    with pytest.raises(InputError, match="has 1 segments"):
        terms([INSPECTOR], ["雨だ。", "雪だ。"], {"a": ["雨だ。"]})


def test_a_name_that_is_in_the_glossary_is_there_as_a_term():
    found = terms([INSPECTOR], ["警部だ。"], {})
    assert with_terms(found, found) == tuple(found)


def test_tsv_and_tbx_give_back_what_was_written():
    glossary = (INSPECTOR, GlossaryTerm(term="A & B <c>", source='"x"'))
    assert read(write_tsv(glossary)) == glossary
    assert read(write_tbx(glossary, source_lang="en", lang="ja")) == glossary


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1), max_size=5))
def test_any_terms_come_back_from_both_files(texts):
    glossary = check_terms(GlossaryTerm(term=text.replace("|", ""), note=text) for text in texts)
    if glossary:
        assert read(write_tsv(glossary)) == glossary
        assert read(write_tbx(glossary, source_lang="en", lang="ja")) == glossary


def test_tbx_of_the_older_edition_with_several_languages():
    text = """<?xml version="1.0"?><!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
    <martif type="TBX" xml:lang="en"><text><body><termEntry id="1"><descrip>d</descrip>
    <langSet xml:lang="en"><tig><term>inspector</term></tig></langSet>
    <langSet xml:lang="ja-JP"><tig><term>警部</term></tig>
    <ntig><termGrp><term>警視</term></termGrp></ntig></langSet>
    </termEntry><termEntry id="2">
    <langSet xml:lang="de"><tig><term>Inspektor</term></tig></langSet></termEntry>
    </body></text></martif>"""
    assert read(text.replace('<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">', "")) == (
        GlossaryTerm(term="警部", forms=("警視",), source="inspector"),
    )
    assert read(text) == (GlossaryTerm(term="警部", forms=("警視",), source="inspector"),)


def test_an_entity_is_refused():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><tbx><conceptEntry>&a;</conceptEntry></tbx>'
    with pytest.raises(FileError, match="is not TBX"):
        read(bomb)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("word\tsource\n警部\tinspector\n", "has no column “term”"),
        ("term\n警部\tinspector\n", "line 2: has 2 cells and the header 1."),
        ("term\n\n", "has no term in the language ja."),
        ("<tbx><body></body></tbx>", "has no entries of TBX"),
        ("<tbx><body>", "is not TBX"),
        ("", "has no column “term”"),
    ],
)
def test_a_file_of_another_form_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(FileError) as raised:
        read(text)
    assert sentence in str(raised.value)


def test_terms_are_tidied_joined_and_bounded():
    given = [
        GlossaryTerm(term=" 警部 ", forms=("警視", "")),
        GlossaryTerm(term="警部", note="rank"),
        GlossaryTerm(term=""),
    ]
    assert check_terms(given) == (GlossaryTerm(term="警部", forms=("警視",), note="rank"),)
    with pytest.raises(InputError, match="at most"):
        check_terms(GlossaryTerm(term=str(n)) for n in range(MOST_TERMS + 1))
    with pytest.raises(InputError, match="is too long"):
        check_terms([GlossaryTerm(term="x" * 300)])
