"""Texts as people and programs really produce them, through every metric: a score and honest flags."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.codec import decode_trace, encode_trace
from core.metrics import METRICS
from core.types import Result, TextPair
from tests.conftest import WITHOUT_JUDGE

REFERENCE = "吾輩は猫である。名前はまだ無い。"
LONG, LONG_FOR_A_PARSER = "猫は見た。" * 1000, "猫は見た。" * 100
TEXTS = {
    "empty": "",
    "blank": " \t ",
    "ideographic space": "\u3000\u3000",
    "one token": "猫",
    "5,000 tokens": LONG,
    "emoji": "猫👩\u200d💻🐟",
    "only emoji": "🐟",
    "kanji beyond the base plane": "𠮷野の猫",
    "combining marks": "か\u3099 e\u0301 \u3099\u0301",
    "zero-width space": "猫\u200bは",
    "typed special tokens": "[SEP] 猫 </s> [CLS] <s> [UNK] [PAD]",
    "carriage return and line feed": "猫\r\n犬\n鳥",
    "line separator": "猫\u2028犬\u2029鳥",
    "HTML": "<b>猫</b><script>alert(1)</script>&amp;",
    "Markdown": "# 猫\n*は* [見](http://x) `犬` | a | b |",
    "mathematics": "$x_1$ と $$\\frac{1}{2}$$",
    "NUL": "猫\0犬",
    "only NUL": "\0",
    "control characters": "猫\x07\x1b[0m犬",
    "right to left": "\u202eabc\u202c",
    "Latin, Cyrillic, Hangul": "naïve кот 고양이",
}
BLANK = {"empty", "blank", "ideographic space"}
SEE_NOTHING = {"bleu", "structure-dep", "structure-con"}  # in a NUL: it ends MeCab's text, and is no word
ANY_TEXT = [name for name in WITHOUT_JUDGE if name != "mteqa"]  # it has no score where nothing can be asked


@pytest.fixture(scope="module", params=ANY_TEXT)
def metric(request, backends, tiny_bert):
    """Each metric as (name, score): model metrics with the tiny random BERT."""
    name = request.param
    return name, prepare(name, backends, tiny_bert)


def prepare(name, backends, tiny_bert):
    spec = METRICS[name]
    given = {"encoder": str(tiny_bert), "layer": "2"} if "encoder" in spec.needs else {}
    if name == "bertscore-reading":
        given["idf"] = "references"  # no shipped dictionary fits the tiny BERT
    lang = TextPair(reference="", hypothesis="", lang="ja")
    return spec.prepare(given, backends, [lang]).score


def pair(reference: str, hypothesis: str) -> TextPair:
    return TextPair(reference=reference, hypothesis=hypothesis, lang="ja")


def text_for(name: str, kind: str) -> str:
    """The text of this kind; parsers take 2,000 words elsewhere, in `test_structure_texts.py`."""
    return LONG_FOR_A_PARSER if name.startswith("structure") and kind == "5,000 tokens" else TEXTS[kind]


def check(result: Result) -> None:
    """A finite score in the metric's range, and the same numbers from the trace after a trip through JSON."""
    spec = METRICS[result.metric]
    assert result.missing is None
    assert spec.low - 1e-6 <= result.score <= (math.inf if spec.high is None else spec.high) + 1e-6
    assert all(math.isfinite(value) for value in result.parts.values())
    again = decode_trace(json.loads(json.dumps(encode_trace(result.trace), allow_nan=False)))
    assert again.parts() == dict(result.parts)
    assert again.parts()[spec.headline] == result.score


@pytest.mark.parametrize("kind", TEXTS)
def test_any_translation_has_a_score_and_the_right_flags(metric, kind):
    name, score = metric
    result = score(pair(REFERENCE, text_for(name, kind)))
    check(result)
    expected = {"empty-hypothesis"} if kind in BLANK else set()
    if kind == "5,000 tokens" and "encoder" in METRICS[name].needs:
        expected = {"windowed"}
    small = {"no-rare-token", "subspace-saturated"}  # no references: nothing is; 32 dimensions fill soon
    small |= {"paths-capped", "cut-parse", "nothing-parsed", "unknown-token"}  # it knows few letters
    if kind == "combining marks":
        expected = expected | {"mixed-forms"}
    assert set(result.flags) - small == expected
    if kind in BLANK:
        assert result.score == (100 if name == "ter" else 0)  # every word of the reference is missing


@pytest.mark.parametrize("kind", TEXTS)
def test_any_reference_has_a_score_and_the_right_flags(metric, kind):
    name, score = metric
    result = score(pair(text_for(name, kind), REFERENCE))
    check(result)
    assert ("empty-reference" in result.flags) == (kind in BLANK)


@pytest.mark.parametrize("kind", [kind for kind in TEXTS if kind not in BLANK | {"5,000 tokens"}])
def test_a_text_compared_with_itself_has_the_best_score_there_is(metric, kind):
    name, score = metric
    result = score(pair(TEXTS[kind], TEXTS[kind]))
    check(result)
    spec = METRICS[name]
    best = spec.high if spec.higher_is_better else spec.low
    assert result.score == pytest.approx(0 if kind == "only NUL" and name in SEE_NOTHING else best, abs=1e-4)


@pytest.mark.parametrize("kind", sorted(BLANK))
def test_two_empty_texts_score_zero_with_both_flags(metric, kind):
    result = metric[1](pair(TEXTS[kind], TEXTS[kind]))
    check(result)
    assert (result.score, result.flags) == (0, ("empty-reference", "empty-hypothesis"))


def test_blanks_round_a_text_do_not_change_its_score(metric):
    plain, edged = (metric[1](pair(REFERENCE, text)) for text in ("猫である。", "\u3000 猫である。\r\n"))
    assert edged.score == pytest.approx(plain.score, abs=1e-6)


def test_a_typed_special_token_weighs_as_text_and_is_never_marked_special(backends, tiny_bert):
    trace = prepare("bertscore", backends, tiny_bert)(pair("猫", "猫 [SEP]")).trace
    texts = [token.text for token in trace.hypothesis.tokens]
    assert [token.text for token in trace.hypothesis.tokens if token.special] == ["[CLS]", "[SEP]"]
    assert len(texts) > 4
    assert [
        weight
        for token, weight in zip(trace.hypothesis.tokens, trace.hypothesis.weights, strict=True)
        if not token.special
    ] == [1] * (len(texts) - 2)


@pytest.mark.parametrize("name", ["bleu", "chrf", "bertscore"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(reference=st.text(max_size=40), hypothesis=st.text(max_size=40))
def test_no_text_breaks_a_metric(name, backends, tiny_bert, reference, hypothesis):
    score = prepare(name, backends, tiny_bert)
    check(score(pair(reference, hypothesis)))
    same = score(pair(reference, reference))
    check(same)
    if name == "bertscore" and same.trace.reference.weights.any():
        assert same.score == pytest.approx(1, abs=1e-5)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(one=st.text(max_size=30), other=st.text(max_size=30))
def test_precision_one_way_is_recall_the_other_way(backends, tiny_bert, one, other):
    score = prepare("bertscore", backends, tiny_bert)
    there, back = score(pair(one, other)).parts, score(pair(other, one)).parts
    assert there["precision"] == pytest.approx(back["recall"], abs=1e-6)
    assert there["f1"] == pytest.approx(back["f1"], abs=1e-6)
