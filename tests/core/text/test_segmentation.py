"""Sentences of texts, worked out by hand in `tests/fixtures/sentences.tsv`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.segmentation import sentence_starts, sentences
from tests.conftest import FIXTURES

CASES = [
    line.split("\t")
    for line in (FIXTURES / "sentences.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1][:20])
def test_sentences_are_those_of_the_table(case):
    lang, *wanted = case
    text = {"en": " ", "ja": ""}.get(lang, "\n").join(wanted)
    assert [text[slice(*place)] for place in sentences(text)] == [one.strip() for one in wanted]


def test_the_table_has_cases_of_both_languages():
    for lang in ("ja", "en"):
        assert sum(case[0].startswith(lang) for case in CASES) >= 120


def test_a_line_break_ends_a_sentence_and_quotation_marks():
    text = "「始まった\n終わった。次だ。"
    assert [text[slice(*place)] for place in sentences(text)] == ["「始まった", "終わった。", "次だ。"]


@given(st.text(alphabet="ab.!?。！？「」『』“”\"' \n…A1、と", max_size=60))
def test_any_text_is_cut_without_a_gap(text):
    starts = sentence_starts(text)
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    assert all(start < len(text) or start == 0 for start in starts)
    inside = "".join(text[first:last] for first, last in sentences(text))
    assert "".join(inside.split()) == "".join(text.split())
