"""Forms of verbs, adjectives and the copula, as a grammar of each language has them."""

from __future__ import annotations

import pytest

from core.hacks.english import agreeing, past, third_person
from core.hacks.predicates_ja import adjective, copula, keeps_stem, verb


@pytest.mark.parametrize(
    ("lemma", "surface", "forms"),
    [
        ("買う", "", "買わない 買った 買います"),
        ("書く", "", "書かない 書いた 書きます"),
        ("行く", "", "行かない 行った 行きます"),
        ("泳ぐ", "", "泳がない 泳いだ 泳ぎます"),
        ("話す", "", "話さない 話した 話します"),
        ("待つ", "", "待たない 待った 待ちます"),
        ("死ぬ", "", "死なない 死んだ 死にます"),
        ("飛ぶ", "", "飛ばない 飛んだ 飛びます"),
        ("読む", "", "読まない 読んだ 読みます"),
        ("切る", "", "切らない 切った 切ります"),
        ("帰る", "", "帰らない 帰った 帰ります"),
        ("しゃべる", "", "しゃべらない しゃべった しゃべります"),
        ("見る", "", "見ない 見た 見ます"),
        ("食べる", "", "食べない 食べた 食べます"),
        ("生きる", "", "生きない 生きた 生きます"),
        ("かえる", "かえ", "かえない かえた かえます"),
        ("かえる", "かえっ", "かえらない かえった かえります"),
        ("する", "", "しない した します"),
        ("来る", "", "来ない 来た 来ます"),
        ("くる", "", "こない きた きます"),
        ("出来る", "", "出来ない 出来た 出来ます"),
        ("ある", "", "ない あった あります"),
        ("いらっしゃる", "", "いらっしゃらない いらっしゃった いらっしゃいます"),
        ("問う", "", "問わない 問うた 問います"),
        ("られる", "られ", "られない られた られます"),
    ],
)
def test_japanese_verbs(lemma, surface, forms):
    made = [
        verb(lemma, surface, negative=negative, past=done, polite=polite)
        for negative, done, polite in ((True, False, False), (False, True, False), (False, False, True))
    ]
    assert " ".join(made) == forms


def test_all_eight_forms_of_a_verb():
    made = [
        verb("行く", "", negative=negative, past=done, polite=polite)
        for polite in (False, True)
        for done in (False, True)
        for negative in (False, True)
    ]
    assert made == [
        "行く",
        "行かない",
        "行った",
        "行かなかった",
        "行きます",
        "行きません",
        "行きました",
        "行きませんでした",
    ]


def test_adjectives_and_the_copula():
    plain = {"negative": False, "past": False, "polite": False}
    assert adjective("美しい", **plain | {"negative": True}) == "美しくない"
    assert adjective("美しい", **plain | {"past": True, "polite": True}) == "美しかったです"
    assert adjective("いい", **plain | {"negative": True, "past": True}) == "よくなかった"
    assert adjective("高い", negative=True, past=True, polite=True) == "高くありませんでした"
    assert copula(**plain) == "だ"
    assert copula(**plain, formal=True) == "である"
    assert copula(negative=True, past=True, polite=True) == "ではありませんでした"


def test_another_form_of_a_verb_decides_its_class():
    assert keeps_stem("きる", "き")
    assert not keeps_stem("きる", "きっ")


@pytest.mark.parametrize(
    ("lemma", "done", "third"),
    [
        ("see", "saw", "sees"),
        ("stop", "stopped", "stops"),
        ("visit", "visited", "visits"),
        ("admit", "admitted", "admits"),
        ("try", "tried", "tries"),
        ("play", "played", "plays"),
        ("go", "went", "goes"),
        ("pass", "passed", "passes"),
        ("have", "had", "has"),
        ("panic", "panicked", "panics"),
        ("snow", "snowed", "snows"),
    ],
)
def test_english_verbs(lemma, done, third):
    assert (past(lemma), third_person(lemma)) == (done, third)


@pytest.mark.parametrize(
    ("word", "lemma", "tag", "subject", "plural", "form"),
    [
        ("bites", "bite", "VBZ", "the dogs", True, "bite"),
        ("bite", "bite", "VBP", "the man", False, "bites"),
        ("was", "be", "VBD", "two men", True, "were"),
        ("is", "be", "VBZ", "I", False, "am"),
        ("has", "have", "VBZ", "they", True, "have"),
        ("saw", "see", "VBD", "they", True, None),
        ("can", "can", "MD", "the man", False, None),
    ],
)
def test_the_verb_agrees_with_its_new_subject(word, lemma, tag, subject, plural, form):
    assert agreeing(word, lemma, tag, subject=subject, plural=plural) == form
