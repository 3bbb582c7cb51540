"""Equal to bert_score 0.3.13 where that is right; and where it is wrong, what it says and what we say."""

import warnings

import pytest

from core.backends.encoder.builtin import embedded_folder
from core.scoring import Request, score_pairs

pytestmark = [pytest.mark.oracle, pytest.mark.embedded, pytest.mark.slow]


@pytest.fixture(scope="module")
def scorer():
    """bert_score on the embedded encoder's folder at our default layer, loaded once."""
    bert_score = pytest.importorskip("bert_score")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return bert_score.BERTScorer(
            model_type=str(embedded_folder()), num_layers=9, batch_size=16, nthreads=0
        )


def theirs(scorer, pairs, *, idf=False):
    hypotheses, references = [pair.hypothesis for pair in pairs], [pair.reference for pair in pairs]
    scorer._idf_dict = None
    scorer._idf = idf
    if idf:
        scorer.compute_idf(references)
    columns = scorer.score(hypotheses, references)
    return [[float(value) for value in row] for row in zip(*columns, strict=True)]


def ours(backends, pairs, **settings):
    return [row[0] for row in score_pairs(pairs, [Request("bertscore", settings)], backends)]


def parts(result):
    return [result.parts[part] for part in ("precision", "recall", "f1")]


@pytest.mark.timeout(400)
@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("every", [25, pytest.param(1, marks=pytest.mark.heavy)])
def test_precision_recall_and_f_equal_bert_score_on_250_real_pairs(
    scorer, backends, japanese_pairs, english_pairs, every, lang, idf
):
    pairs = sorted(japanese_pairs if lang == "ja" else english_pairs, key=lambda pair: len(pair.reference))
    pairs = pairs[::every]  # short and long ones
    results = ours(backends, pairs, weight="idf" if idf else "none", idf="references")
    for result, expected in zip(results, theirs(scorer, pairs, idf=idf), strict=True):
        assert parts(result) == pytest.approx(expected, abs=1e-5)


def test_one_reference_under_idf_is_not_a_number_there_and_equal_weights_here(
    scorer, backends, japanese_pairs
):
    pair = japanese_pairs[0]
    _, recall, _ = theirs(scorer, [pair], idf=True)[0]
    assert recall != recall  # NaN
    (result,) = ours(backends, [pair], weight="idf", idf="references")
    (plain,) = ours(backends, [pair])
    assert result.flags == ("idf-all-zero",)
    assert result.parts["recall"] == pytest.approx(plain.parts["recall"])


def test_a_tail_beyond_512_tokens_is_ignored_there_and_scored_here(scorer, backends, japanese_pairs):
    from core.types import TextPair

    body = "".join(pair.reference for pair in japanese_pairs[:20])
    pair = TextPair(
        reference=body + japanese_pairs[30].reference,
        hypothesis=body + japanese_pairs[40].reference,
        lang="ja",
    )
    assert theirs(scorer, [pair])[0][2] == pytest.approx(1)
    (windowed,) = ours(backends, [pair])
    assert windowed.flags == ("windowed",)
    assert windowed.score < 0.999
    (truncated,) = ours(backends, [pair], long="truncate")
    assert truncated.score == pytest.approx(1)
    assert truncated.flags == ("truncated",)
    assert truncated.parts["lost_reference"] > 0


def test_a_separator_typed_in_a_text_weighs_nothing_there_and_is_text_here(scorer, backends):
    from core.types import TextPair

    pair = TextPair(reference="The cat sat.", hypothesis="</s>", lang="en")
    precision, _, _ = theirs(scorer, [pair])[0]
    assert precision != precision  # NaN
    (result,) = ours(backends, [pair])
    assert 0 < result.parts["precision"] < 1


def test_an_empty_translation_stops_bert_score_under_transformers_5_and_is_zero_here(
    scorer, backends, japanese_pairs
):
    from core.types import TextPair

    pair = TextPair(reference=japanese_pairs[0].reference, hypothesis="", lang="ja")
    with pytest.raises(AttributeError, match="build_inputs_with_special_tokens"):
        theirs(scorer, [pair])
    (result,) = ours(backends, [pair])
    assert (parts(result), result.flags) == ([0, 0, 0], ("empty-hypothesis",))
