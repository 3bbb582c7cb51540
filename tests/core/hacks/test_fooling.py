"""When exactly one metric is fooled."""

from __future__ import annotations

import pytest

from core.hacks.robustness import better_under, fooled_alone

GOOD = {"bleu": 40.0, "chrf": 50.0, "bertscore": 0.9}


@pytest.mark.parametrize(
    ("bad", "ahead", "alone"),
    [
        ({"bleu": 41.0, "chrf": 10.0, "bertscore": 0.5}, ("bleu",), "bleu"),
        ({"bleu": 41.0, "chrf": 51.0, "bertscore": 0.5}, ("bleu", "chrf"), None),
        ({"bleu": 1.0, "chrf": 1.0, "bertscore": 0.5}, (), None),
        ({"bleu": 41.0, "chrf": 50.0, "bertscore": 0.5}, ("bleu",), None),  # chrf is equal, not behind
        ({"bleu": 41.0, "chrf": None, "bertscore": 0.5}, ("bleu",), None),
        (GOOD, (), None),
    ],
)
def test_one_ahead_and_all_others_behind(bad, ahead, alone):
    assert better_under(GOOD, bad) == ahead
    assert fooled_alone(GOOD, bad) == alone
