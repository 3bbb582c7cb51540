import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.parser.spacy_pipelines import Pipelines
from core.backends.parser.text_parser import TextParser
from core.types import Constituent, Parse
from tests.support.parse_checks import phrases, well_made

pytestmark = pytest.mark.slow

HARD = [
    "word",
    "No way!",
    "“Never,” he said; “not in",
    "🙂🙂👩‍👩‍👧",
    "https://example.com/a/b?c=d&e=f see",
    "Stop. Go on! Why?\n\nHe left.",
    "彼は said 我们 hello ｶﾞ",
    "ーーーー",
    "（｀・ω・´）",
    "a\ud842b",
    "「「『ああ』」」",
    "「ああ",
    "。。。",
    "x" * 3000,
    "　彼は、\n　行った。",
]
BLANK = ["", " ", "　\n", "\0", "\u200b"]


@pytest.fixture(scope="module")
def pipelines():
    return Pipelines()


@pytest.fixture(scope="module")
def rules(pipelines):
    return TextParser("dependency", encoder=lambda: pytest.fail("rules need no encoder"), pipelines=pipelines)


@pytest.fixture(scope="module")
def built_in(backends):
    return backends.parser("built-in")


@pytest.mark.embedded
def test_english_by_the_built_in_head(built_in):
    text = "I saw a girl."
    parse = built_in.parse([text], lang="en", constituents=True)[0]
    assert parse.origin == "built-in"
    assert ("NP", "a girl") in phrases(parse, text)
    assert parse.constituents[0] == Constituent("S", 0, 5)
    assert [(word.text, word.head, word.relation, word.tag) for word in parse.words[:2]] == [
        ("I", 1, "nsubj", "PRP"),
        ("saw", 1, "ROOT", "VBD"),
    ]


@pytest.mark.embedded
def test_japanese_by_the_built_in_head(built_in):
    text = "彼が彼女を見た"
    parse = built_in.parse([text], lang="ja-JP", constituents=True)[0]
    assert {("PP", "彼が"), ("NP", "彼"), ("PP", "彼女を"), ("NP", "彼女")} <= set(phrases(parse, text))
    assert parse.constituents[0].label == "IP-MAT"
    assert [(word.text, word.head, word.relation, word.pos) for word in parse.words] == [
        ("彼", 4, "nsubj", "PRON"),
        ("が", 0, "case", "ADP"),
        ("彼女", 4, "obj", "PRON"),
        ("を", 2, "case", "ADP"),
        ("見", 4, "ROOT", "VERB"),
        ("た", 4, "aux", "AUX"),
    ]


@pytest.mark.slow
@pytest.mark.embedded
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_neither_order_nor_neighbours_change_a_parse(backends, lang, english_pairs, japanese_pairs):
    pairs = {"en": english_pairs, "ja": japanese_pairs}[lang]
    texts = sorted((pair.hypothesis for pair in pairs[:120]), key=len)[:50]
    together = backends.parser("built-in").parse(texts, lang=lang, constituents=True)
    alone = backends.parser("auto")
    assert [alone.parse([text], lang=lang, constituents=True)[0] for text in texts[::-1]][::-1] == together
    assert all(well_made(parse, text) for parse, text in zip(together, texts, strict=True))


@pytest.mark.embedded
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_hard_texts_have_a_parse_and_blank_ones_no_words(built_in, rules, lang):
    for parser in (built_in, rules):
        for text, parse in zip(HARD, parser.parse(HARD, lang=lang, constituents=True), strict=True):
            assert parse.words
            assert parse.problem is None
            assert well_made(parse, text)
        assert parser.parse(BLANK, lang=lang, constituents=True) == [Parse(words=())] * len(BLANK)


@pytest.mark.slow
@pytest.mark.embedded
def test_two_thousand_words_are_parsed_in_pieces(built_in):
    text = "the cat sat and " * 500
    parse = built_in.parse([text], lang="en", constituents=True)[0]
    assert len(parse.words) == 2000
    assert parse.flags == ("cut-parse",)
    assert well_made(parse, text)


def test_several_sentences_are_several_trees_in_one_parse(rules):
    text = "Stop that. He left the house."
    parse = rules.parse([text], lang="en", constituents=True)[0]
    assert parse.sentences == (0, 3)
    assert [one.start for one in parse.constituents if one.parent == -1] == [0, 3]
    assert ("NP", "the house") in phrases(parse, text)
    assert parse.origin == "dependency"


def test_without_constituents_there_are_none(rules):
    parse = rules.parse(["He left."], lang="en", constituents=False)[0]
    assert (parse.constituents, parse.origin, len(parse.words)) == ((), "", 3)


def test_a_japanese_text_longer_than_the_analyser_takes_is_one_parse(rules):
    text = "アアアアアアアアアアアアアアアアアアア。" * 900
    assert len(text.encode()) > 49_149
    parse = rules.parse([text], lang="ja", constituents=False)[0]
    assert parse.words[-1].end == len(text)
    assert well_made(parse, text)


@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=40))
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_no_text_breaks_the_rules(rules, lang, text):
    parse = rules.parse([text], lang=lang, constituents=True)[0]
    assert parse.problem is None
    assert well_made(parse, text)
