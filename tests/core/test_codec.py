import json
from dataclasses import replace

import numpy as np
import pytest

from core.codec import decode_trace, encode_result, encode_trace, pack, pack_trace, unpack
from core.errors import InputError
from core.metrics import METRICS
from core.metrics.surface import ChrfTrace
from core.stats.estimate import Estimate, absent
from core.types import TextPair
from tests.conftest import WITHOUT_JUDGE
from tests.support.fake_backends import FakeEncoder, fake_backends

WORDS = ["日本", "語", "の", "文", "と", "words", "of", "𠮷野", "👩\u200d💻", "<b>", "$x$"]

SETTINGS = {"bertscore-reading": {"idf": "references"}}  # no shipped dictionary fits an encoder made by hand


@pytest.fixture
def backends_by_hand():
    rng = np.random.default_rng(3)
    return fake_backends(FakeEncoder({word: rng.normal(size=5) for word in ("<s>", "</s>", *WORDS)}))


PAIRS = [
    TextPair(reference="日本 語 の 文", hypothesis="日本 の words 𠮷野", lang="ja"),
    TextPair(reference="words of 文", hypothesis="👩‍💻 <b> $x$ of", source="of", lang="en"),
    TextPair(reference="words", hypothesis="", lang="en"),
    TextPair(reference="", hypothesis="", lang="ja"),
]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("name", WITHOUT_JUDGE)
def test_every_score_can_be_computed_again_from_its_stored_trace(name, pair, backends_by_hand):
    spec = METRICS[name]
    result = spec.prepare(SETTINGS.get(name, {}), backends_by_hand, [pair]).score(pair)
    stored = json.dumps(encode_trace(result.trace), ensure_ascii=False)
    again = decode_trace(json.loads(stored))
    assert type(again) is spec.trace
    assert again.parts() == dict(result.parts)
    assert again.parts().get(spec.headline) == result.score
    assert json.dumps(encode_trace(again), ensure_ascii=False) == stored


@pytest.mark.embedded
@pytest.mark.parametrize("name", WITHOUT_JUDGE)
def test_the_same_holds_with_the_embedded_encoder(name, backends, japanese_pairs):
    for pair in japanese_pairs[:3]:
        spec = METRICS[name]
        result = spec.prepare({}, backends, [pair]).score(pair)
        again = decode_trace(json.loads(json.dumps(encode_trace(result.trace))))
        assert again.parts().get(spec.headline) == result.score


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("name", WITHOUT_JUDGE)
def test_a_packed_trace_gives_the_same_numbers(name, pair, backends_by_hand):
    result = METRICS[name].prepare(SETTINGS.get(name, {}), backends_by_hand, [pair]).score(pair)
    again = decode_trace(json.loads(json.dumps(pack_trace(result.trace))))
    assert again.parts() == dict(result.parts)
    assert pack_trace(again) == pack_trace(result.trace)


@pytest.mark.embedded
def test_all_packed_traces_of_a_pair_take_little_room(backends, japanese_pairs):
    some = japanese_pairs[:3]  # together as long as a passage of the demo
    pair = TextPair(
        reference="".join(one.reference for one in some),
        hypothesis="".join(one.hypothesis for one in some),
        lang="ja",
    )
    traces = [METRICS[name].prepare({}, backends, [pair]).score(pair).trace for name in WITHOUT_JUDGE]
    packed = sum(len(json.dumps(pack_trace(trace))) for trace in traces)
    assert packed < sum(len(json.dumps(encode_trace(trace))) for trace in traces) / 3
    assert packed < 60_000


def test_a_matrix_that_is_only_shown_has_four_decimals(backends_by_hand):
    trace = METRICS["bertscore"].prepare({}, backends_by_hand, PAIRS[:1]).score(PAIRS[0]).trace
    again = decode_trace(pack_trace(trace))
    assert again.similarity == pytest.approx(trace.similarity, abs=0.00005001)
    assert (again.similarity != trace.similarity).any()
    assert (again.reference.cosine == trace.reference.cosine).all()


def test_a_figure_that_is_missing_says_why_after_it_was_stored():
    found = (absent("few-items", 5), Estimate(value=0.5, n=9))
    assert unpack(tuple[Estimate, ...], pack(found)) == found
    with pytest.raises(InputError, match=r"^A stored analysis cannot be read"):
        unpack(tuple[Estimate, ...], pack((replace(found[0], missing="mood"),)))


def test_a_few_bytes_that_unpack_to_gigabytes_are_refused(monkeypatch):
    packed = pack_trace(ChrfTrace(hypothesis="a" * 5000, reference="b"))
    assert len(packed["packed"]) < 200
    monkeypatch.setattr("core.codec.LIMIT_BYTES", 5000)
    with pytest.raises(InputError, match=r"^A stored trace \(ChrfTrace\) cannot be read; compute it again"):
        decode_trace(packed)


@pytest.mark.parametrize(
    "packed", ["", "!", "eJw=", pack_trace(ChrfTrace(hypothesis="a", reference="b"))["packed"][:-8], None, 7]
)
def test_a_damaged_trace_is_refused_in_one_sentence(packed):
    with pytest.raises(InputError, match=r"^A stored trace \(ChrfTrace\) cannot be read; compute it again"):
        decode_trace({"trace": "ChrfTrace", "format": 2, "packed": packed})


def test_every_score_lies_in_the_range_that_its_metric_names(backends_by_hand):
    for name in WITHOUT_JUDGE:
        spec = METRICS[name]
        for pair in PAIRS:
            score = spec.prepare(SETTINGS.get(name, {}), backends_by_hand, [pair]).score(pair).score
            highest = float("inf") if spec.high is None else spec.high
            assert score is None or spec.low <= score <= highest + 1e-9, name


@pytest.mark.parametrize(
    "document", [{}, {"trace": "NoSuchTrace", "format": 1}, {"trace": "BleuTrace", "format": 99}]
)
def test_an_unknown_trace_is_refused_in_one_sentence(document):
    with pytest.raises(InputError, match="is not known to this version"):
        decode_trace(document)


def test_a_result_without_its_trace_is_a_short_line(backends_by_hand):
    result = METRICS["bertscore"].prepare({}, backends_by_hand, PAIRS[:1]).score(PAIRS[0])
    line = encode_result(result)
    assert list(line) == ["metric", "score", "parts", "signature", "flags"]
    assert line["score"] == line["parts"]["f1"]
