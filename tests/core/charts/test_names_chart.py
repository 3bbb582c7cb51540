"""The waterfall of the reading penalty: its steps lead from BERTScore's number to the penalised one."""

import pytest

from core.charts.attribution import WaterfallWords, penalty_waterfall
from core.charts.palette import LIGHT
from core.metrics.bertscore import metric as bertscore
from core.metrics.bertscore.baseline import Baseline
from core.metrics.idf import build_idf
from core.metrics.reading import Rarity, score
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder, FakeReader

# Unit vectors: cos(斎, 尾) = .8.
VECTORS = {
    "<s>": (0, 0, 0, 0, 1),
    "</s>": (0, 0, 0, 0, -1),
    "は": (1, 0, 0, 0, 0),
    "斎": (0, 1, 0, 0, 0),
    "尾": (0, 0.8, 0, 0.6, 0),
}
READINGS = {"斎": "いつき", "尾": "お"}
WORDS = WaterfallWords(base="F<b>", precision="on P", recall="on R", penalised="F′", value="F")
BASELINE = Baseline(precision=0.5, recall=0.5, f1=0.5, low=0.4, high=0.6, pairs=9)


def trace_of(reference, hypothesis, baseline=None, readings=READINGS):
    """は stands in every document (idf 0), the names in none (ln 2)."""
    encoder = FakeEncoder(VECTORS)
    rarity = Rarity(idf=build_idf([["は"]], encoder, name="one"), threshold=0.5)
    result = score(
        TextPair(reference=reference, hypothesis=hypothesis, lang="ja"),
        base=lambda pair: bertscore.score(pair, encoder=encoder, layer=1, baseline=baseline),
        encoder=encoder,
        layer=1,
        long="window",
        reader=FakeReader(readings),
        rarity=rarity,
    )
    return result.trace


def test_the_steps_are_worked_out_by_hand_and_add_up():
    trace = trace_of("斎 は", "尾 は は は")
    # P = (.8 + 3) / 4 = .95, its factor 3/4; R = (.8 + 1) / 2 = .9, its factor 1/2 (M = 0: no kana in place)
    at = trace.steps()
    assert at.base == pytest.approx(2 * 0.95 * 0.9 / 1.85)
    assert at.halfway == pytest.approx(2 * 0.7125 * 0.9 / 1.6125)
    assert at.penalised == pytest.approx(2 * 0.7125 * 0.45 / 1.1625)
    (bars,) = penalty_waterfall(trace, words=WORDS, palette=LIGHT).data
    assert list(bars.measure) == ["absolute", "relative", "relative", "total"]
    assert sum(bars.y[:3]) == pytest.approx(trace.parts()["f1"])
    assert bars.y[0] == trace.parts()["base_f1"]


def test_on_a_rescaled_scale_the_steps_add_up_too():
    trace = trace_of("斎 は", "尾 は は は", baseline=BASELINE)
    at = trace.steps()
    assert at.halfway == pytest.approx((2 * 0.7125 * 0.9 / 1.6125 - 0.5) / 0.5)
    (bars,) = penalty_waterfall(trace, words=WORDS, palette=LIGHT).data
    assert sum(bars.y[:3]) == pytest.approx(trace.parts()["f1"])


def test_a_penalty_that_takes_nothing_is_a_step_of_nothing():
    (bars,) = penalty_waterfall(trace_of("は", "は"), words=WORDS, palette=LIGHT).data
    assert list(bars.text) == ["1.000", "+0.000", "+0.000", "1.000"]


def test_losses_have_the_colour_of_deletions_and_a_minus_sign_and_words_are_escaped():
    (bars,) = penalty_waterfall(trace_of("斎 は", "尾 は"), words=WORDS, palette=LIGHT).data
    assert bars.decreasing.marker.color == LIGHT.delete
    assert bars.text[1].startswith("\N{MINUS SIGN}")
    assert bars.x[0] == "F&lt;b&gt;"


def test_below_zero_there_is_room_for_the_bar():
    figure = penalty_waterfall(trace_of("斎", "尾", baseline=BASELINE), words=WORDS, palette=LIGHT)
    assert figure.layout.yaxis.range[0] < -1  # F 0, rescaled -1
