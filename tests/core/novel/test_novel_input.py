"""Names and voices of texts that are not as expected: nothing to find, one segment, thousands of names."""

from __future__ import annotations

import random
import time
from itertools import product

import pytest

from core.backends import Word
from core.backends.registry import load_backends
from core.errors import InputError
from core.metrics.mteqa.names import agreement, name_keys
from core.novel.cast import cast, cast_of
from core.novel.discourse import discourse
from core.novel.documents import NovelOutline, document_scores
from core.novel.gathering import cast_and_voices
from core.novel.mentions import Mention
from core.novel.voice import voices


@pytest.fixture(scope="module")
def backends():
    return load_backends()


@pytest.mark.embedded
@pytest.mark.parametrize(("lang", "text"), [("ja", "雨が降っていた。"), ("en", "It was raining.")])
def test_texts_without_names_and_quotations_have_an_empty_list_and_documents_without_a_score(
    backends, lang, text
):
    names, ledger = cast_and_voices([text], {"a": [text]}, backends, lang=lang, documents=["d"])
    assert names == ()
    assert ledger[0].quotations == ledger[1]["a"].quotations == ()
    outline = NovelOutline(documents=["d"], systems=["a"])
    for metric, analysis, reason in (
        ("consistency", names, "No name is rendered twice in this document."),
        ("voice", ledger, "No quotation of this document has a first person or a politeness."),
    ):
        (one,) = document_scores(metric, analysis, outline)
        assert (one.score, str(one.missing)) == (None, reason)


@pytest.mark.slow
@pytest.mark.embedded
def test_one_segment_is_a_novel_and_no_segment_is_none(backends):
    said = "「私はホームズです。」とホームズは言った。"
    names, (_, told) = cast_and_voices([said], {"a": [said]}, backends, lang="ja", documents=["d"])
    assert [one.name for one in names] == ["ホームズ"]
    assert [one.speaker for one in told["a"].quotations] == ["ホームズ"]
    assert cast_and_voices([], {"a": []}, backends, lang="ja", documents=[])[0] == ()


@pytest.mark.embedded
def test_an_empty_translation_loses_the_names(backends):
    (holmes,) = cast(["ホームズは笑った。"], {"a": [""]}, backends, lang="ja")
    assert (holmes.systems["a"].lost, holmes.systems["a"].consistency) == ((0,), None)


@pytest.mark.parametrize("lang", ["de", "zh", "", "xx"])
def test_what_cannot_be_done_in_another_language_is_said_in_one_sentence(lang):
    never = load_backends()
    for find in (cast, voices, discourse):
        with pytest.raises(InputError, match=r"name the language\.$"):
            find(["Guten Tag."], {"a": ["Hallo."]}, never, lang=lang)
    with pytest.raises(InputError, match=r"name the language\.$"):
        cast_and_voices(["Guten Tag."], {"a": ["Hallo."]}, never, lang=lang, documents=["d"])


@pytest.mark.embedded
def test_texts_in_another_language_than_was_said_are_read_without_an_error(backends):
    german = "„Ich bin müde“, sagte Anna. Она ушла. 他走了。"
    for lang in ("ja", "en"):
        cast_and_voices([german], {"a": [german]}, backends, lang=lang, documents=["d"])


@pytest.mark.embedded
def test_a_common_word_is_a_name_only_where_it_stands_for_a_person(backends):
    texts = [
        "There was no hope left.",
        "“Come here,” said Hope, and Mr. Hope came with Miss Hope Carter.",
        "Jefferson Hope laughed.",
        "He lost all hope of seeing London again.",
    ]
    names = cast(texts, {"a": texts}, backends, lang="en")
    hope = [one for one in names if "Hope" in one.name]
    assert hope
    assert {segment for one in hope for segment in one.segments} <= {1, 2}
    japanese = ["希望さんは笑った。", "希望はもうなかった。", "彼は希望を捨てなかった。"]
    for one in cast(japanese, {"a": japanese}, backends, lang="ja"):
        assert 2 not in one.segments, one.name


KANA = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモラリルレロ"


def names_of(count, seed=1):
    draw = random.Random(seed)
    found = dict.fromkeys("".join(draw.choices(KANA, k=draw.randint(4, 7))) for _ in range(2 * count))
    return list(found)[:count]


def test_three_thousand_names_are_told_apart_in_seconds():
    forms = names_of(3_000)
    rows = [
        [Mention(form, "person", segment, 0, len(form), (Word(form, 0, len(form), form),))]
        for segment, form in enumerate(forms)
    ]
    started = time.process_time()
    names = cast_of(rows, {"a": rows})
    assert time.process_time() - started < 20  # it took minutes when each was compared with each
    assert sum(len(one.forms) for one in names) == 3_000
    assert all(one.systems["a"].lost == () for one in names)


SPELLINGS = [
    *("Sherlock Holmes", "Holmes", "Mr. Holmes", "S. Holmes", "Sherlock", "Dr. Watson", "John Watson"),
    *("Jack Watson", "National Public Radio (NPR)", "NPR", "Hope", "Jefferson Hope", "O’Hara", "Ohara"),
    *("シャーロック・ホームズ", "ホームズ", "ホームズさん", "ジョン", "John", "サイトー", "斎藤", "斉藤さん"),
]


def test_names_that_agree_fully_share_a_key():
    for one, other in product(SPELLINGS, SPELLINGS):
        if agreement(one, other, person=True) == 1:
            ours, theirs = name_keys(one), name_keys(other)
            assert ours.any or theirs.any or ours.asked & theirs.known, (one, other)
            assert ours.any or theirs.any or theirs.asked & ours.known, (one, other)
