"""What was found, as lines for a terminal and as one JSON object."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from core.calibration.calibrate import Calibration
from core.calibration.importance import weights_by_feature
from core.calibration.resampling import Estimate
from core.calibration.validation import TARGET_GAIN, Validation

_VERDICTS = {
    "reached": f"The gain is at least {TARGET_GAIN} and its interval lies above 0.",
    "gain": f"The gain is certain but smaller than {TARGET_GAIN}.",
    "unsure": "The interval of the gain holds 0: whether the model is better is not certain.",
    "none": "There is no single metric to compare with.",
    "worse": "The model is no better than the best single metric.",
}
_WHY = {
    "few": "there are only {rated} rated translations of {documents} documents.",
    "wide": "{documents} documents leave the gain open by {width:.3f}, more than twice what was hoped for.",
    "alone": "no translation has two raters, so nobody knows how much of their scores is chance.",
    "disagree": "raters agree with one another with r = {r:.2f} only, over {n} translations.",
    "alike": "the metrics say much the same (median r with the best one {r:.2f}), so they add little to it.",
    "flat": "more ratings of this kind hardly help ({gain:+.3f} for {more}).",
}


def as_text(found: Calibration) -> str:
    """A table of correlations, the gain and what it means, importances, the learning curve."""
    data, checked = found.data, found.validation
    lines = [
        f"{len(data)} translations of {data.documents} documents, {len(data.ratings.score)} ratings of "
        f"{len(data.ratings.raters)} raters, {len(data.features.names)} features, scale {data.scale}; "
        f"{data.gaps} translations have a gap, where a metric gave no score.",
        "",
        f"{'Pearson r with people':<24}{'r':>8}{'95 %':>18}{'n':>7}",
        _row(f"calibrated ({len(checked.folds)} folds)", checked.calibrated),
        *(_row(f"  {name} alone", one) for name, one in checked.families.items()),
        *(_row(name, one) for name, one in checked.metrics.items()),
        "",
        f"gain over {checked.best}: {_signed(checked.gain)}. {_VERDICTS[checked.verdict]}",
        "The best metric is picked on the same data, which favours it.",
        *_inside(checked),
        "",
        f"{'r falls when shuffled':<24}{'by':>8}",
        *(f"{one.group:<24}{one.fall:>8.3f}" for one in found.importances),
        "",
        f"{'learning from':<24}{'r':>8}",
        *(f"{one.rated:<24.0f}{one.r:>8.3f}" for one in found.curve.points),
        _ahead(found),
    ]
    lines.extend(f"Why not more: {_WHY[one.why].format(**one.numbers)}" for one in found.reasons)
    if data.few:
        lines.append("This is little data: believe the intervals, not the figures.")
    return "\n".join([*lines, f"signature: {found.saved.signature}"]) + "\n"


def _row(name: str, one: Estimate) -> str:
    if one.value is None:
        return f"{name:<24}{'–':>8}{'':>18}{one.n:>7}"
    ends = "–" if one.low is None or one.high is None else f"{one.low:.3f} … {one.high:.3f}"
    return f"{name:<24}{one.value:>8.3f}{ends:>18}{one.n:>7}"


def _signed(one: Estimate) -> str:
    if one.value is None:
        return "–"
    ends = "" if one.low is None or one.high is None else f" ({one.low:+.3f} … {one.high:+.3f})"
    return f"{one.value:+.3f}{ends}"


def _inside(checked: Validation) -> list[str]:
    """Whether the gain is there inside documents, too."""
    one = checked.inside
    if one is None or one.calibrated.value is None or one.gain.value is None:
        return []
    only_apart = one.gain.value <= 0 < (checked.gain.value or 0.0)
    apart = " What is gained comes from telling documents apart." if only_apart else ""
    return [
        f"inside documents (mean r): calibrated {one.calibrated.value:.3f}, {checked.best} "
        f"{one.best.value:.3f}, gain {_signed(one.gain)}.{apart}"
    ]


def _ahead(found: Calibration) -> str:
    one = found.curve.ahead
    if one is None:
        return "There is too little to say what more ratings would bring."
    return (
        f"with {found.curve.more} more rated translations: r {one.gain:+.3f} "
        f"({one.low:+.3f} … {one.high:+.3f}), if it goes on as it went."
    )


def as_json_object(found: Calibration) -> dict[str, Any]:
    """Everything of `as_text`, and the ridge's weights."""
    checked = found.validation
    return {
        "signature": found.saved.signature,
        "facts": dict(found.saved.facts),
        "few": found.data.few,
        "calibrated": asdict(checked.calibrated),
        "chosen": [model.family for model in checked.models],
        "families": {name: asdict(one) for name, one in checked.families.items()},
        "metrics": {name: asdict(one) for name, one in checked.metrics.items()},
        "best": checked.best,
        "gain": asdict(checked.gain),
        "verdict": checked.verdict,
        "inside": None if checked.inside is None else asdict(checked.inside),
        "importance": [asdict(one) for one in found.importances],
        "weights": dict(weights_by_feature(checked, found.data.features.names)),
        "curve": asdict(found.curve),
        "why": [asdict(one) for one in found.reasons],
    }
