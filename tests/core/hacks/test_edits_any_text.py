"""What holds for every edit and every text: no crash, never the same text, a place inside of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.hacks import EDITS, Edited, EditInput, Skipped, edit
from core.hacks.base import REASONS

pytestmark = pytest.mark.slow

PIECES = st.sampled_from(
    [
        "彼は",
        "猫を",
        "見た",
        "見ません",
        "だ。",
        "です。",
        "ではない",
        "行かない",
        "「",
        "」",
        "。",
        "、",
        "か？",
        "十二",
        "3月12日",
        "太郎",
        "が",
        "花子",
        "に",
        "…",
        "った",
        "んだ",
        "，",
        "🐈",
        "👩\u200d👩\u200d👧",
        "He",
        "didn",
        "'t",
        "n't",
        "not",
        "never",
        "is",
        "was",
        "can",
        "John",
        "Mary",
        "and",
        "the",
        "12",
        "first",
        ".",
        "?",
        "!",
        "(",
        ")",
        '"',
        "’",
        ",",
        "Mr.",
        "\n",
        "\t",
        "\u3000",
        "é",
        "�",
        "\x00",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(PIECES, max_size=25).map("".join),
    st.lists(PIECES, max_size=25).map(" ".join),
)
WITHOUT_PARSER = [name for name, one in EDITS.items() if "parser" not in one.needs]
WITH_PARSER = [name for name, one in EDITS.items() if "parser" in one.needs]
FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def holds(name, one, seed):
    done = edit(name, one, seed)
    assert done == edit(name, one, seed)
    if isinstance(done, Skipped):
        assert done.reason in REASONS
        return done
    assert done.text != one.text
    assert 0 <= done.start <= done.end <= len(done.text)
    assert "\n" not in done.note
    assert 0 < len(done.note) < 200
    return done


@FEW
@given(text=TEXTS, other=TEXTS, seed=st.integers(0, 5), lang=st.sampled_from(["ja", "en", "zh"]))
@pytest.mark.parametrize("name", WITHOUT_PARSER)
def test_an_edit_without_grammar_takes_any_text(name, text, other, seed, lang):
    holds(name, EditInput(text=text, lang=lang, source=other, reference=other, other=other), seed)


@FEW
@given(text=TEXTS, seed=st.integers(0, 5), lang=st.sampled_from(["ja", "en"]))
def test_an_edit_with_grammar_takes_any_text(text, seed, lang, backends):
    (parse,) = backends.parser("dependency").parse([text], lang=lang, constituents=False)
    (words,) = backends.reader("word").read([text], lang=lang, entities=True)
    for name in WITH_PARSER:
        holds(name, EditInput(text=text, lang=lang, parse=parse, words=words), seed)


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("length", [2_000, pytest.param(10_000, marks=pytest.mark.heavy)])
def test_a_very_long_text(length, lang, backends):
    sentence = {
        "ja": "太郎は三匹の猫を見た。花子は来ない。",
        "en": "John saw three cats. Mary did not come. ",
    }[lang]
    text = (sentence * 1000)[:length]
    one = EditInput(text=text, lang=lang, other=text[::-1], source="x", reference="y")
    (parse,) = backends.parser("dependency").parse([text], lang=lang, constituents=False)
    (words,) = backends.reader("word").read([text], lang=lang, entities=True)
    done = {name: holds(name, replace(one, parse=parse, words=words), 0) for name in EDITS}
    skipped = {name for name, result in done.items() if isinstance(result, Skipped)}
    assert skipped <= {"change-honorific", "full-width", "nfd"}


def test_emoji_are_not_torn():
    family = "👩‍👩‍👧"
    for name in ("maru-7", "repeat", "tail-8", "full-width"):
        done = edit(name, EditInput(text=f"{family} came. 1", lang="en"))
        assert isinstance(done, Edited)
        assert family in done.text
