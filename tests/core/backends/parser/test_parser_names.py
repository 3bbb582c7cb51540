import subprocess
import sys
import threading

import pytest

from core.backends.parser.spacy_pipelines import Pipelines
from core.backends.parser.text_parser import TextParser
from core.errors import UnavailableError
from core.types import Constituent, Parse
from tests.support.fake_backends import FakeParser


@pytest.fixture(scope="module")
def pipelines():
    return Pipelines()


@pytest.fixture(scope="module")
def rules(pipelines):
    return TextParser("dependency", encoder=lambda: pytest.fail("rules need no encoder"), pipelines=pipelines)


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
    monkeypatch.setattr("core.backends.parser.text_parser.CACHE_BYTES", 6000)
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


@pytest.mark.slow
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


@pytest.mark.slow
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
        "import sys, core, core.backends.parser, core.backends.registry; "
        "print(sorted({'torch', 'spacy', 'benepar', 'nltk', 'transformers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
