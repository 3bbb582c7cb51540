"""BlonDe and dBlonDe: counts by hand, and the scores of the authors' package.

The values marked as the package's come from blonde 0.1.4 with spaCy 3.8.18 and en_core_web_sm 3.8.0; it is
not installed here. It differs in three things: a blank token counts as a word of its n-grams (a second blank
in a row; differences below .001 on WMT 2023), a smoothed share of n-grams can exceed 1, and an order of
n-grams that is longer than every segment counts as 0.00001 instead of being left out; for a document whose
translation is empty it ends with an error.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from core.backends.registry import load_backends
from core.errors import InputError
from core.metrics.documents.blonde import SegmentSpans, SpanCounts, counted, spans
from core.novel.discourse import discourse
from core.types import ParsedWord

REFERENCE = [
    "Holmes smiled, but he did not answer her.",
    "“It was Watson’s idea,” she said after a while.",
    "If they had known, they would have come before Irene Adler left London.",
]
TRANSLATION = [
    "Holmes smiled, but she did not answer him.",
    "“It is the idea of Watson,” she says later.",
    "If they knew, Irene would come when Adler left London.",
]


def words(text, tags=None):
    told = tags or ["NN"] * len(text.split())
    return [
        ParsedWord(text=one, start=0, end=0, lemma=one, tag=tag, pos="X", head=0, relation="dep")
        for one, tag in zip(text.split(), told, strict=True)
    ]


def test_the_spans_of_a_text():
    found = spans(
        words("On the other hand HE saw Her then , but she can", [*["NN"] * 5, "VBD", *["NN"] * 5, "MD"]),
        ["Anna’s", "Anna"],
    )
    assert found.tense == {"VBD": 1, "MD": 1}
    assert found.pronoun == {"feminine": 2}  # HE is not in the package's list
    assert found.marker == {"comparison": 2, "asynchronous": 1}
    assert found.entity == {"Anna": 2}
    assert [one.total() for one in found.ngrams] == [12, 11, 10, 9]


def segment(**counts):
    given = {name: Counter(counts.get(name, {})) for name in ("entity", "tense", "pronoun", "marker")}
    return SegmentSpans(**given, ngrams=tuple(counts.get("ngrams", [Counter()] * 4)))


def test_matches_are_counted_segment_by_segment():
    pairs = [
        (segment(pronoun={"masculine": 2}), segment(pronoun={"masculine": 1, "feminine": 1})),
        (segment(pronoun={"feminine": 1}), segment(pronoun={"masculine": 1})),
    ]
    found = counted(pairs)
    assert found.pronoun[:2] == (
        SpanCounts(kind="masculine", matched=1, reference=2, translation=2),
        SpanCounts(kind="feminine", matched=0, reference=1, translation=1),
    )
    parts = found.parts()
    assert parts["pronoun"] == pytest.approx(1 / 3)  # 1 of 3 on both sides
    assert parts["dblonde"] == pytest.approx(1 / 3)
    assert "tense" not in parts


def test_it_and_they_have_no_weight():
    pair = segment(pronoun={"neuter": 1, "masculine": 1}), segment(pronoun={"masculine": 1, "epicene": 2})
    assert counted([pair]).parts()["pronoun"] == 1


def test_the_means_over_categories():
    pair = (
        segment(tense={"VBD": 2}, marker={"cause": 4}),
        segment(tense={"VBD": 2}, marker={"cause": 1}),
    )
    trace = counted([pair])
    # precision 1 and 1, recall 1 and 1/4: the geometric mean is 1/2, F1 = 2/3; the arithmetic one 5/8, 10/13
    assert trace.parts()["dblonde"] == pytest.approx(2 / 3)
    assert replace(trace, average="arithmetic").parts()["dblonde"] == pytest.approx(10 / 13)


def test_orders_of_n_grams_without_a_match_are_smoothed():
    given = [Counter({("a",): 10}), *(Counter({("a", str(n)): 10}) for n in range(3))]
    other = [Counter({("a",): 10}), *(Counter({("b", str(n)): 10}) for n in range(3))]
    trace = counted([(segment(ngrams=given), segment(ngrams=other))])
    package, exp = trace.parts(), replace(trace, smoothing="exp").parts()
    assert [package[f"ngram{n}"] for n in (1, 2, 3, 4)] == pytest.approx([1, 0.2, 0.1, 0.05])
    assert [exp[f"ngram{n}"] for n in (1, 2, 3, 4)] == pytest.approx([1, 0.05, 0.025, 0.0125])


def test_a_score_of_nothing_is_no_score():
    assert counted([]).parts() == {}
    one_sided = counted([(segment(tense={"VBD": 1}), segment())]).parts()
    assert "dblonde" not in one_sided
    assert one_sided["tense_recall"] == 0


@pytest.fixture(scope="module")
def backends():
    return load_backends()


@pytest.mark.embedded
def test_the_scores_are_those_of_the_package(backends):
    systems = {"a": TRANSLATION, "same": REFERENCE}
    found = discourse(REFERENCE, systems, backends, lang="en")
    parts = found["a"][""].parts()
    expected = {  # blonde 0.1.4
        "tense": 0.7000000000000001,
        "pronoun": 1.0,
        "entity": 0.5714285714285715,
        "marker": 0.888888888888889,
        "ngram1": 0.7027027027027027,
        "ngram2": 0.35294117647058826,
        "ngram3": 0.1935483870967742,
        "ngram4": 0.07142857142857144,
        "dblonde": 0.7762530644185595,
        "blonde": 0.4335201262980958,
    }
    assert {name: parts[name] for name in expected} == pytest.approx(expected)
    assert found["same"][""].parts()["blonde"] == pytest.approx(1)


@pytest.mark.embedded
def test_each_document_is_counted_by_itself_and_an_empty_one_has_no_dblonde(backends):
    found = discourse(
        REFERENCE, {"a": [TRANSLATION[0], "", ""]}, backends, lang="en", documents=["one", "two", "two"]
    )["a"]
    assert found["one"].parts()["blonde"] == pytest.approx(0.6267492727562698)  # blonde 0.1.4
    assert "dblonde" not in found["two"].parts()
    assert found["two"].parts()["blonde"] < 0.001


def test_other_languages_are_refused_in_one_sentence():
    with pytest.raises(InputError, match=r"blonde scores texts in en, not in “ja”; name the language\."):
        discourse(["雨だ。"], {"a": ["雨です。"]}, load_backends(), lang="ja")
