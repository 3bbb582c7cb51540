"""A saved model: the same numbers when read back, refused when damaged, and what it may be used on."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from core.calibration.calibrate import calibrate
from core.calibration.features import values_of
from core.calibration.files import METRIC, Saved, apply, dump, load, parse
from core.calibration.model import Settings, built
from core.errors import CalibrationError, FileError
from core.types import Result
from tests.support.made_ratings import made, result

NEW = [
    {"bleu": result("bleu", b), "chrf": result("chrf", c), "bertscore": result("bertscore", d)}
    for b, c, d in ((0.1, 0.2, 0.3), (-1.0, 2.0, 0.0), (3.0, 3.0, None))
]


@pytest.fixture(scope="module")
def saved():
    """Of both members, so that a file holds weights and trees; the training has gaps in bertscore."""
    data = made(documents=5, of_each=15, gaps=5)
    model = built(data, np.arange(len(data)), Settings(alpha=10.0, depth=2, trees=20), "mean")
    features = data.features
    return Saved(
        model=model, names=features.names, signatures=dict(features.signatures), scale="raw", facts={"r": 0.5}
    )


def test_a_model_read_back_gives_equal_scores(saved, tmp_path):
    path = tmp_path / "model.json"
    path.write_text(dump(saved), "utf-8")
    again = load(path)
    assert again.signature == saved.signature
    assert dump(again) == dump(saved)
    ours, theirs = (apply(one, NEW) for one in (saved, again))
    assert [one.score for one in ours] == [one.score for one in theirs]
    assert again.facts == {"r": 0.5}


def test_a_new_translation_has_the_score_of_the_weights_by_hand():
    saved = calibrate(made(documents=5, of_each=8), families=("ridge",)).saved
    ready, ridge = saved.model.preparation, saved.model.ridge
    (found, *_) = apply(saved, NEW[:1])
    by_hand = ridge.intercept + sum(
        weight * (value - centre) / scale
        for weight, value, centre, scale in zip(
            ridge.weights, (0.1, 0.2, 0.3), ready.centre, ready.scale, strict=True
        )
    )
    assert saved.names == ("bleu", "chrf", "bertscore")
    assert found.score == pytest.approx(by_hand)
    assert found.metric == METRIC
    assert found.signature.startswith("calibrated|kind:ridge|of:bleu+chrf+bertscore|people:raw|model:")


def test_a_gap_the_model_has_met_is_scored_and_another_one_is_missing(saved):
    met, other = apply(saved, [NEW[2], {**NEW[0], "chrf": result("chrf", None)}])
    assert met.score is not None
    assert other.score is None
    assert other.missing == "It has no score of chrf, and the model has not met that."


def test_a_translation_without_any_score_is_missing(saved):
    nothing = {name: result(name, None) for name in saved.signatures}
    assert apply(saved, [NEW[0], nothing])[1].missing == "No metric has a score of it."


def test_scores_of_other_settings_are_refused_by_name(saved):
    other = Result(metric="chrf", score=0.2, signature="chrf|v1|beta:3")
    with pytest.raises(CalibrationError, match=r"learnt from other scores of chrf .*beta: – ≠ 3") as caught:
        apply(saved, [NEW[0], {**NEW[1], "chrf": other}])
    assert caught.value.reason == "differs"


def test_a_metric_that_is_not_there_and_lengths_are_asked_for(saved):
    with pytest.raises(CalibrationError, match="needs scores of bertscore, and there are none"):
        apply(saved, [{"bleu": NEW[0]["bleu"], "chrf": NEW[0]["chrf"]}])
    longer = replace(saved, names=(*saved.names[:2], "text.ratio"))
    with pytest.raises(CalibrationError, match="needs the lengths"):
        apply(longer, NEW)
    assert values_of(("text.ratio",), NEW[:1], [(3, 3)]).tolist() == [[0.0]]


def changed(saved, change):
    document = json.loads(dump(saved))
    change(document)
    return json.dumps(document)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one["ridge"]["weights"].pop(),
        lambda one: one["ridge"].update(intercept=1e9),
        lambda one: one.update(kind="forest"),
        lambda one: one.update(people="ranks"),
        lambda one: one.pop("boosting"),
        lambda one: one.update(mean=[None, 0, 0]),
        lambda one: one["boosting"]["trees"][0]["left"].__setitem__(0, 0),  # its own child: no way down ends
        lambda one: one["boosting"]["trees"][0]["feature"].__setitem__(0, 99),
        lambda one: one["scale"].__setitem__(0, 0),
        lambda one: one.update(features=["bleu"] * 3),
        lambda one: one["metrics"].update(bleu="bleu|v2"),
        lambda one: one.update(version=2),
        lambda one: one.update(format="pickle"),
    ],
)
def test_a_changed_file_is_refused_in_one_sentence(saved, change):
    with pytest.raises(FileError, match=r"^model\.json: ") as caught:
        parse(changed(saved, change), "model.json")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("text", ["", "[]", "{", "null", '{"format": 1}', "[" * 100_000])
def test_what_is_no_model_is_refused(text):
    with pytest.raises(FileError):
        parse(text, "model.json")


def test_facts_may_change_without_making_it_another_model(saved):
    text = changed(saved, lambda one: one.update(facts={"who": "the class of 2026"}))
    assert parse(text, "model.json").signature == saved.signature
