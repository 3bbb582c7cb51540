"""BERTScore's F of two answers: worked out by hand from vectors that are written down."""

import pytest

from core.metrics import find_metric
from core.metrics.mteqa.answer_spans import AnswerSpan
from core.metrics.mteqa.questions import Question
from core.metrics.mteqa.steps import FoundAnswer, likenesses
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder

VECTORS = {
    "<s>": (0, 0, 1),
    "</s>": (0, 0, -1),
    "black": (1, 0, 0),
    "dark": (0.8, 0.6, 0),
    "cat": (0, 1, 0),
    "down": (0, -1, 0),
    "near": (0.6, 0, 0.8),
}


def question(answer):
    return Question(text="?", answer=answer, asks="gap", span=AnswerSpan(
        kind="thing", start=0, end=len(answer), words=(0, 1), head=0
    ))  # fmt: skip


def likeness(expected, given, encoder=None):
    own = FakeEncoder(VECTORS) if encoder is None else encoder
    at = FoundAnswer(start=0, end=len(given)) if given else FoundAnswer()
    return likenesses([question(expected)], [at], given or "nothing", own, 1)[0]


@pytest.mark.parametrize(
    ("expected", "given", "value"),
    [
        ("black cat", "black cat", 1),
        ("black", "dark", 0.8),  # one token each: P = R = .8
        ("black cat", "dark", 0.8 * 1.4 / 1.5),  # P = .8, R = (.8 + .6) / 2 = .7: 2PR / (P + R)
        ("cat", "down", 0),  # the cosine is -1: never below 0
        ("black", "", 0),
    ],
)
def test_answers_are_as_like_as_bertscore_says_between_0_and_1(expected, given, value):
    assert likeness(expected, given) == pytest.approx(value)


def test_a_special_token_is_no_partner():
    """`near` stands at .8 to <s>; under `specials=include` that would be its partner in precision."""
    assert likeness("black", "near") == pytest.approx(0.6)


def test_all_answers_of_a_segment_are_encoded_in_one_call_and_each_text_once():
    encoder = FakeEncoder(VECTORS)
    text = "dark cat"
    asked = [question("black"), question("cat"), question("near")]
    given = [FoundAnswer(start=0, end=4), FoundAnswer(start=5, end=8), FoundAnswer()]
    assert likenesses(asked, given, text, encoder, 1) == pytest.approx([0.8, 1, 0])
    assert encoder.calls == [["black", "dark", "cat"]]


@pytest.mark.embedded
def test_it_is_bertscore_of_the_two_answers_as_texts(backends):
    reference, hypothesis = "Mary bought a red house in May.", "Mary bought a crimson cottage in May."
    pair = TextPair(reference=reference, hypothesis=hypothesis, lang="en")
    result = find_metric("mteqa").prepare({"compare": "bertscore"}, backends, [pair]).score(pair)
    one = next(one for one in result.trace.asked if one.expected == "red house")
    assert one.given == "crimson cottage"
    alone = TextPair(reference=one.expected, hypothesis=one.given, lang="en")
    metric = find_metric("bertscore").prepare({"specials": "exclude"}, backends, [alone])
    assert one.decided == "bertscore"
    assert one.verdict == pytest.approx(metric.score(alone).score)
    assert 0 < one.verdict < 1
    assert one.reason == "part-words"
