"""Corpora and texts as they really come, through idf and the reading penalty: a score, or one sentence."""

import math
import tracemalloc
from dataclasses import replace

import pytest

from core.errors import FileError
from core.metrics.bertscore.metric import BERTSCORE
from core.metrics.idf import build_idf, documents, save_idf
from core.metrics.reading import BERTSCORE_READING
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder, FakeReader, fake_backends

VECTORS = {"<s>": (0, 0), "</s>": (0, 1), "a": (1, 0), "b": (1, 1), "c": (2, 1), "d": (0, 3)}
PAIR = TextPair(reference="a b", hypothesis="a c", lang="ja")
HARD = (
    "ーーーー",
    "(｀・ω・´)",
    "（´；ω；｀）ｳｯ…",
    "あああーーーー！！",
    "ｗｗｗｗ",
    "龘𪚥☃",
    "ΨΔΘ ђћџ",
    "っっっ",
    "\u3099",
)


@pytest.fixture
def encoder():
    return FakeEncoder(VECTORS)


@pytest.fixture
def score(encoder, tmp_path):
    """Penalised F of PAIR with a dictionary of these documents."""

    def scored(corpus, spec=BERTSCORE_READING, **settings):
        path = tmp_path / "corpus.json.gz"
        save_idf(build_idf(corpus, encoder, name="corpus"), path)
        backends = fake_backends(encoder, FakeReader())
        unit = {"unit": "piece"} if spec is BERTSCORE_READING else {}
        return spec.prepare({"idf": str(path)} | unit | settings, backends, [PAIR]).score(PAIR)

    return scored


def sound(result):
    """A finite score in range, or a missing one that says why."""
    spec_range = (BERTSCORE_READING.low - 1e-6, BERTSCORE_READING.high + 1e-6)
    assert result.missing or spec_range[0] <= result.score <= spec_range[1]
    assert all(math.isfinite(value) for value in result.parts.values())
    return result


def test_a_corpus_of_one_document_knows_its_own_tokens_and_takes_all_others_for_rare(score):
    result = sound(score([["a b"]]))
    assert result.trace.reference.rare.tolist() == [False, False, False, False]  # ln(2/2)
    assert result.trace.hypothesis.rare.tolist() == [False, False, True, False]  # c: ln 2


@pytest.mark.parametrize("spec", [BERTSCORE, BERTSCORE_READING], ids=lambda spec: spec.name)
def test_documents_that_are_all_alike_give_a_flag_and_no_nan(score, spec):
    result = sound(score([["a b c"]] * 4, spec, weight="idf"))
    assert "idf-all-zero" in result.flags
    assert result.score == pytest.approx(score([["a b c"]] * 4, spec, weight="none").score)


def test_empty_files_count_as_no_documents(encoder, tmp_path):
    for name, text in (("a", "a b"), ("b", ""), ("c", " \n\u3000\n")):
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    assert build_idf(documents([tmp_path]), encoder, name="n").documents == 1


@pytest.mark.parametrize("encoding", ["shift_jis", "cp932", "euc_jp", "utf-8-sig", "utf-16"])
def test_a_corpus_in_another_encoding_counts_like_one_in_utf8(tmp_path, encoding):
    text = "吾輩は猫である。\n名前はまだ無い。\nどこで生れたかとんと見当がつかぬ。\n"
    japanese = FakeEncoder({"<s>": (0,), "</s>": (0,)} | dict.fromkeys(text.split(), (1,)))
    counted = []
    for kind in ("utf-8", encoding):
        (tmp_path / "x.txt").write_bytes(text.encode(kind))
        counted.append(build_idf(documents([tmp_path]), japanese, name="n"))
    assert counted[0] == counted[1]
    assert len(counted[0].frequencies) == 5


@pytest.mark.slow
def test_counting_holds_a_few_lines_of_a_corpus_however_large_it_is(encoder):
    def corpus(size):
        for _ in range(size):
            yield ("a b c d" for _ in range(300))  # a document that nobody ever holds whole

    def peak(size):
        tracemalloc.start()
        assert build_idf(corpus(size), encoder, name="n").documents == size
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(2)
    assert peak(40) < 1.5 * peak(4)


def test_a_dictionary_of_another_tokenizer_is_refused_and_both_are_named(encoder, tmp_path):
    idf = build_idf([["a"]], encoder, name="n")
    save_idf(replace(idf, tokenizer="cafe"), tmp_path / "n.json.gz")
    for spec in (BERTSCORE, BERTSCORE_READING):
        settings = {"idf": str(tmp_path / "n.json.gz"), "weight": "idf"}
        with pytest.raises(FileError, match=r"the tokenizer cafe, but fake has 000000000000"):
            spec.prepare(settings, fake_backends(encoder, FakeReader()), [PAIR])


def test_all_tokens_rare_and_no_token_rare_are_flagged(score):
    everything = sound(score([["d"], ["d"]], threshold="0.1"))
    assert "all-rare" in everything.flags
    nothing = sound(score([["a b"], ["c"], ["d"]], threshold="99"))
    assert nothing.flags == ("no-rare-token",)
    assert nothing.score == nothing.parts["base_f1"]


@pytest.fixture(scope="module", params=["idf", "ner", "idf+ner"])
def japanese(request, backends, tiny_bert):
    """The penalty with the real readers, GiNZA and a tiny encoder."""
    return penalised(request.param, backends, tiny_bert)


def penalised(criterion, backends, tiny_bert):
    given = {"encoder": str(tiny_bert), "layer": "2", "idf": "references", "criterion": criterion}
    pairs = [TextPair(reference=text, hypothesis="", lang="ja") for text in ("猫は見た。", "犬は見た。")]

    def scored(reference, hypothesis, **more):
        pair = TextPair(reference=reference, hypothesis=hypothesis, lang="ja")
        return sound(BERTSCORE_READING.prepare(given | more, backends, pairs).score(pair))

    return scored


@pytest.mark.parametrize("kana", ["normal", "romaji"])
@pytest.mark.parametrize("text", HARD)
@pytest.mark.slow
def test_emoticons_long_vowels_and_words_that_nobody_can_read_have_a_score(japanese, text, kana):
    for reference, hypothesis in (
        (text, "斎藤は見た。"),
        ("斎藤は見た。", text),
        (f"斎藤「{text}」", f"尾崎「{text}」"),
    ):
        result = japanese(reference, hypothesis, kana=kana)
        assert result.score is not None
        for side in ("reference", "hypothesis"):
            assert all(row.reading for row in result.trace.evidence(side) if row.rare)
    assert japanese(text, text, kana=kana).score == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("criterion", ["idf", pytest.param("ner", marks=pytest.mark.heavy)])
def test_a_text_beyond_the_analysers_49149_bytes_has_a_score(criterion, backends, tiny_bert):
    long = "斎藤は猫を見た。" * 2100
    assert len(long.encode()) > 49_149
    result = penalised(criterion, backends, tiny_bert)("斎藤は猫を見た。", long)
    assert "windowed" in result.flags
    words = result.trace.hypothesis.words
    assert words[-1].end == len(long)
    if result.trace.hypothesis.idf is None:  # criterion=ner
        assert {word.text for word in words if word.entity} == {"斎藤"}
