import gzip
import json
import math

import numpy as np
import pytest

from core.backends.reader import WordReader
from core.errors import FileError, OptionError
from core.metrics.bertscore.weights import find_idf, find_word_idf
from core.metrics.idf import (
    SHIPPED,
    Idf,
    build_idf,
    build_word_idf,
    count_documents,
    load_idf,
    load_word_idf,
    save_idf,
)
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder

VECTORS = {"<s>": (0, 0), "</s>": (0, 1), "a": (1, 0), "b": (1, 1), "c": (2, 1), "d": (0, 3)}


@pytest.fixture
def encoder():
    return FakeEncoder(VECTORS)


def idf_of(idf, encoder, word):
    return float(idf.weights(np.array([encoder.words.index(word)]))[0])


def test_idf_is_the_logarithm_of_documents_over_document_frequency_plus_one_each(encoder):
    idf = build_idf([["a b", "a"], ["a c"], ["a"]], encoder, name="n")
    assert idf.documents == 3
    assert idf_of(idf, encoder, "a") == pytest.approx(0)  # ln(4/4)
    assert idf_of(idf, encoder, "b") == pytest.approx(math.log(4 / 2))
    assert idf_of(idf, encoder, "d") == pytest.approx(math.log(4))  # unseen


def test_a_token_counts_once_a_document_however_often_and_in_however_many_lines(encoder, monkeypatch):
    monkeypatch.setattr("core.metrics.idf.LINES_AT_ONCE", 2)
    idf = build_idf([["b b", "b", "b c", "b", "c"], ["c"]], encoder, name="n")
    assert idf.frequencies[encoder.words.index("b")] == 1
    assert idf.frequencies[encoder.words.index("c")] == 2


def test_empty_documents_do_not_count(encoder):
    assert build_idf([[], ["", "\u3000"], ["a"]], encoder, name="n").documents == 1


def test_building_equals_counting_ids(encoder):
    lines = ["a b", "c", "a"]
    counted = count_documents(encoder.ids(lines), name="n")
    built = build_idf([[line] for line in lines], encoder, name="n")
    assert (built.documents, built.frequencies) == (counted.documents, counted.frequencies)
    assert built.fingerprint == counted.fingerprint


def test_the_threshold_is_a_quantile_over_entries_not_over_running_tokens():
    idf = Idf(name="n", documents=9, frequencies={1: 9, 2: 4, 3: 1, 4: 1})
    assert idf.threshold(0.0) == pytest.approx(0)  # ln(10/10)
    assert idf.threshold(0.3) == pytest.approx(math.log(2))  # the second of four
    assert idf.threshold(0.9) == pytest.approx(math.log(5))


def test_documents_of_one_corpus_that_are_all_alike_make_nothing_rare(encoder):
    idf = build_idf([["a b"]] * 5, encoder, name="n")
    assert idf.threshold() == pytest.approx(0)
    assert idf.weights(encoder.ids(["a b"])[0]).tolist() == pytest.approx([0, 0, 0, 0])


def test_a_dictionary_comes_back_from_its_file_and_its_bytes_do_not_depend_on_the_clock(encoder, tmp_path):
    idf = build_idf([["a b"], ["c"]], encoder, name="tiny", licence="CC0")
    save_idf(idf, tmp_path / "one.json.gz")
    save_idf(idf, tmp_path / "two.json.gz")
    assert (tmp_path / "one.json.gz").read_bytes() == (tmp_path / "two.json.gz").read_bytes()
    again = load_idf(tmp_path / "one.json.gz", encoder)
    assert (again, again.signature) == (idf, idf.signature)
    assert idf.signature.startswith("tiny-2-")


def test_a_dictionary_of_another_tokenizer_is_refused_and_both_are_named(encoder, tmp_path):
    save_idf(Idf(name="n", documents=1, frequencies={1: 1}, tokenizer="cafe"), tmp_path / "n.json.gz")
    with pytest.raises(FileError, match="the tokenizer cafe, but fake has 000000000000"):
        load_idf(tmp_path / "n.json.gz", encoder)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not an idf dictionary"),
        (b"{}", "is not an idf dictionary"),
        (b"[1]", "is not an idf dictionary"),
        (gzip.compress(b"{}", mtime=0)[:9], "is not an idf dictionary"),
    ],
)
def test_what_is_no_dictionary_is_refused_in_one_sentence(encoder, tmp_path, content, sentence):
    path = tmp_path / "x.json.gz"
    path.write_bytes(content)
    with pytest.raises(FileError, match=sentence):
        load_idf(path, encoder)


def test_a_changed_number_is_noticed(encoder, tmp_path):
    path = tmp_path / "x.json.gz"
    save_idf(build_idf([["a"], ["b"]], encoder, name="n"), path)
    document = json.loads(gzip.decompress(path.read_bytes()))
    document["documents"] = 7
    path.write_bytes(gzip.compress(json.dumps(document).encode()))
    with pytest.raises(FileError, match="is damaged"):
        load_idf(path, encoder)


def test_an_edited_file_is_read_again(encoder, tmp_path):
    path = tmp_path / "x.json.gz"
    for documents in ([["a"]], [["a"], ["b"]]):
        save_idf(build_idf(documents, encoder, name="n"), path)
        assert load_idf(path, encoder).documents == len(documents)


def test_a_missing_shipped_dictionary_names_the_remedy(encoder):
    with pytest.raises(OptionError, match="no dictionary for fi comes with Yomikurabe; use idf=references"):
        find_idf("wiki", encoder, [TextPair(reference="a", hypothesis="a", lang="fi")])
    with pytest.raises(FileError, match="cannot be read"):
        find_idf("nowhere.json.gz", encoder, [])


@pytest.mark.embedded
@pytest.mark.parametrize(
    ("name", "lang", "documents"), [("novel", "ja", 1703), ("wiki", "ja", 14111), ("novel", "en", 220)]
)
def test_the_shipped_dictionaries_belong_to_the_embedded_encoder(backends, name, lang, documents):
    idf = load_idf(SHIPPED / f"{name}.{lang}.json.gz", backends.encoder("embedded"))
    assert (idf.documents, idf.name) == (documents, name)
    assert idf.licence


def test_words_are_counted_once_a_document_by_their_folded_form_and_marks_are_not():
    idf = build_word_idf([["Holmes, holmes!", "A cat."], ["a Cat"]], WordReader(), "en", name="n")
    assert (idf.documents, idf.unit) == (2, "word")
    assert idf.frequencies == {"holmes": 1, "a": 2, "cat": 2}
    assert idf.weights(["HOLMES", "cat", "Watson"]) == pytest.approx(
        [math.log(3 / 2), math.log(3 / 3), math.log(3 / 1)]
    )
    assert idf.signature.startswith("n-words-2-")


def test_japanese_words_are_cut_by_sudachi():
    idf = build_word_idf([["斎藤は猫を飼う。"], ["猫が来た。"]], WordReader(), "ja", name="n")
    assert idf.frequencies["猫"] == 2
    assert idf.frequencies["斎藤"] == 1
    assert "。" not in idf.frequencies


def test_a_dictionary_of_words_comes_back_and_is_not_taken_for_one_of_tokens(encoder, tmp_path):
    words = build_word_idf([["a b"], ["a"]], WordReader(), "en", name="n", licence="CC0")
    save_idf(words, tmp_path / "words.json.gz")
    assert load_word_idf(tmp_path / "words.json.gz") == words
    with pytest.raises(FileError, match="counts words"):
        load_idf(tmp_path / "words.json.gz", encoder)
    save_idf(build_idf([["a"]], encoder, name="n"), tmp_path / "tokens.json.gz")
    with pytest.raises(FileError, match="counts an encoder's tokens"):
        load_word_idf(tmp_path / "tokens.json.gz")


def test_a_language_without_a_dictionary_of_words_names_the_remedy():
    with pytest.raises(OptionError, match="no dictionary of words for fi comes with Yomikurabe"):
        find_word_idf("novel", WordReader(), [TextPair(reference="a", hypothesis="a", lang="fi")])


@pytest.mark.parametrize(
    ("name", "lang", "documents"), [("novel", "ja", 1703), ("wiki", "ja", 14111), ("novel", "en", 220)]
)
def test_the_shipped_dictionaries_of_words_know_a_common_and_no_invented_word(name, lang, documents):
    idf = load_word_idf(SHIPPED / f"{name}-words.{lang}.json.gz")
    common, invented = {"ja": ("人", "ゾグブラン"), "en": ("man", "zogbran")}[lang]
    assert (idf.documents, idf.name) == (documents, name)
    assert idf.licence
    assert idf.weights([common, invented]) == pytest.approx(
        [math.log((documents + 1) / (idf.frequencies[common] + 1)), math.log(documents + 1)]
    )
    assert idf.frequencies[common] > documents / 4
