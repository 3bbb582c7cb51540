import subprocess
import sys
import threading
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.dependencies import Pipelines
from core.backends.fake import FakeParser
from core.backends.parser import TextParser
from core.errors import UnavailableError
from core.trees import Constituent, Parse

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


def well_made(parse, text):
    """What the types promise."""
    words = parse.words
    shown = text.replace("\ud842", "\N{REPLACEMENT CHARACTER}")
    assert [shown[word.start : word.end] for word in words] == [word.text for word in words]
    assert all(before.end <= after.start for before, after in pairwise(words))
    assert all(word.text.strip() and word.lemma for word in words)
    for first, end in zip(parse.sentences, [*parse.sentences[1:], len(words)], strict=False):
        heads = [word.head for word in words[first:end]]
        assert all(first <= head < end for head in heads)
        assert sum(head == place for place, head in enumerate(heads, start=first)) == 1
    for place, one in enumerate(parse.constituents):
        assert 0 <= one.start < one.end <= len(words)
        assert -1 <= one.parent < place
        if one.parent >= 0:
            above = parse.constituents[one.parent]
            assert above.start <= one.start
            assert one.end <= above.end
        assert any(first <= one.start for first in parse.sentences)
    return True


def phrases(parse, text):
    return [
        (one.label, text[parse.words[one.start].start : parse.words[one.end - 1].end])
        for one in parse.constituents
    ]


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


@pytest.mark.embedded
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_neither_order_nor_neighbours_change_a_parse(backends, lang, english_pairs, japanese_pairs):
    pairs = {"en": english_pairs, "ja": japanese_pairs}[lang]
    texts = [text for pair in pairs[:25] for text in (pair.reference, pair.hypothesis)]
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


def test_a_text_that_fails_has_its_problem_and_the_others_their_parses(pipelines, monkeypatch):
    real = Pipelines.read

    def read(self, texts, name, lang):
        if "bad" in texts:
            raise ValueError("no")
        return real(self, texts, name, lang)

    monkeypatch.setattr(Pipelines, "read", read)
    parser = TextParser("dependency", encoder=lambda: pytest.fail("no encoder"), pipelines=pipelines)
    good, bad, other = parser.parse(["He left.", "bad", "Go on."], lang="en", constituents=True)
    assert len(good.words) == len(other.words) == 3
    assert bad.words == ()
    assert bad.problem == "The parser dependency failed on this text (ValueError), so it has no parse."


def test_each_text_is_parsed_once_and_the_memory_is_bounded(pipelines, monkeypatch):
    monkeypatch.setattr("core.backends.parser.CACHE_BYTES", 6000)
    read, real = [], Pipelines.read

    def spy(self, texts, name, lang):
        read.extend(texts)
        return real(self, texts, name, lang)

    monkeypatch.setattr(Pipelines, "read", spy)
    told = []
    parser = TextParser("dependency", encoder=lambda: pytest.fail("no encoder"), pipelines=pipelines)
    ask = {"lang": "en", "constituents": True}
    first = parser.parse(["He left.", "Go.", "He left."], **ask, progress=lambda *at: told.append(at))
    assert read == ["He left.", "Go."]
    assert told == [(2, 2)]
    assert first[0] == first[2] == parser.parse(["He left."], **ask)[0]
    assert len(read) == 2
    parser.parse([f"Number {n} left." for n in range(20)], **ask)
    assert parser._memory.currsize <= 6000


def test_threads_get_the_same_as_one_alone(rules, pipelines, english_pairs):
    texts = [pair.reference for pair in english_pairs[:24]]
    shared = TextParser("dependency", encoder=lambda: pytest.fail("no encoder"), pipelines=pipelines)
    found = {}

    def work(part):
        for text in texts[part::3]:
            found[text] = shared.parse([text], lang="en", constituents=True)[0]

    threads = [threading.Thread(target=work, args=(part,)) for part in (0, 1, 2, 0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[text] for text in texts] == rules.parse(texts, lang="en", constituents=True)


@pytest.mark.parametrize(
    ("name", "lang", "message"),
    [
        ("auto", "de", "No parser reads de here .there are ja, en."),
        ("built-in", "de", "No parser reads de here"),
        ("en_core_web_trf", "en", "The parser en_core_web_trf is not installed here"),
        ("benepar_en3", "en", "The benepar model benepar_en3 is not on this machine"),
        ("benepar_en3", "ja", "The parser benepar_en3 reads en, not ja"),
        ("ja_ginza", "en", "The pipeline ja_ginza reads ja, not en"),
    ],
)
def test_what_cannot_be_had_is_said_in_one_sentence(pipelines, name, lang, message):
    parser = TextParser(name, encoder=lambda: pytest.fail("no encoder"), pipelines=pipelines)
    for ask in (
        lambda: parser.signature(lang, constituents=True),
        lambda: parser.parse(["x"], lang=lang, constituents=True),
    ):
        with pytest.raises(UnavailableError, match=message):
            ask()


def test_a_pipeline_by_its_name_gives_rules_over_its_own_heads(rules, pipelines):
    named = TextParser("ja_ginza", encoder=lambda: pytest.fail("no encoder"), pipelines=pipelines)
    ask = {"lang": "ja", "constituents": True}
    assert named.parse(["猫が鳴く。"], **ask) == rules.parse(["猫が鳴く。"], **ask)
    assert named.signature("ja", constituents=True) == rules.signature("ja", constituents=True)


@pytest.mark.embedded
def test_signatures_name_models_and_versions_in_one_word(backends):
    word = backends.parser("built-in").signature("ja-JP", constituents=True)
    assert word.startswith("built-in-approximate-ja-")
    assert "+ja_ginza-5.3.0+spacy-" in word
    assert not set(word) & set("|: \n")
    assert backends.parser("auto").signature("ja", constituents=True) == word
    assert backends.parser("auto").signature("ja", constituents=False) == word.partition("+")[2]


def test_auto_falls_back_on_rules_where_the_encoder_is_another(pipelines):
    class Other:
        name, fingerprint, max_tokens = "other", "0" * 12, 512

    parser = TextParser("auto", encoder=Other, pipelines=pipelines)
    assert parser.parse(["He left."], lang="en", constituents=True)[0].origin == "dependency"
    assert parser.signature("en", constituents=True).startswith("dependency-1+")
    with pytest.raises(UnavailableError, match="other is 000000000000"):
        TextParser("built-in", encoder=Other, pipelines=pipelines).signature("en", constituents=True)


def test_the_fake_parser_branches_to_the_right():
    spaced, packed, empty = FakeParser().parse(["a b c", "猫だ", " "], lang="en", constituents=True)
    assert [word.head for word in spaced.words] == [1, 2, 2]
    assert spaced.constituents == (Constituent("X", 0, 3), Constituent("X", 1, 3, 0))
    assert [word.text for word in packed.words] == ["猫", "だ"]
    assert empty == Parse(words=())


def test_importing_the_parser_loads_no_heavy_library():
    code = (
        "import sys, core, core.backends.parser, core.backends.loaded; "
        "print(sorted({'torch', 'spacy', 'benepar', 'nltk', 'transformers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
