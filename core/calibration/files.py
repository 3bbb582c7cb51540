"""A fitted model as a JSON file, and its application to new translations.

The file is read field by field; reading it never runs code. A model is refused for scores whose signatures
differ from those that it was fitted to.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.calibration.features import LENGTHS, Floats, Lengths, group_of, values_of
from core.calibration.model import FAMILIES, Boosted, Linear, Model, Preparation, Tree
from core.calibration.training import SCALES, Scale
from core.errors import CalibrationError, FileError, Wording
from core.signature import differences, signature
from core.text.files import read_text
from core.types import Result

FORMAT = "yomikurabe-calibration"
VERSION = 1
LIMIT_BYTES = 50_000_000
MOST_FEATURES = 10_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Saved:
    """A model with what it needs to be used rightly.

    names: its features in order. signatures: by metric, of the scores that it learnt from. scale: of the
    people's scores. facts: numbers about its training and validation, for a reader; nothing is computed
    from them.
    """

    model: Model
    names: tuple[str, ...]
    signatures: Mapping[str, str]
    scale: Scale
    facts: Mapping[str, float | str | None]

    @property
    def signature(self) -> str:
        """One line: kind, metrics, scale, a fingerprint of all numbers and of the metrics' signatures."""
        content = json.dumps(_content(self), sort_keys=True, ensure_ascii=False)
        settings = {
            "kind": self.model.family,
            "of": "+".join(self.signatures),
            "people": self.scale,
            "model": hashlib.sha256(content.encode()).hexdigest()[:12],
        }
        return signature("calibrated", settings)


def dump(saved: Saved) -> str:
    """The file's text: one JSON object."""
    head = {"format": FORMAT, "version": VERSION, "signature": saved.signature, "facts": dict(saved.facts)}
    return json.dumps({**head, **_content(saved)}, ensure_ascii=False) + "\n"


def load(path: Path) -> Saved:
    """Read a file. Raises FileError, in one sentence, for anything but a whole, unchanged model."""
    return parse(read_text(path, limit_bytes=LIMIT_BYTES), path)


def parse(text: str, path: str | Path) -> Saved:
    """The model in a file's text; path is for messages."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileError(path, "is no JSON, so it is not a whole model; save the model again") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FileError(path, "is not a model of python -m core calibrate fit; choose a file that is")
    if document.get("version") != VERSION:
        raise FileError(path, "is a model of another version of Yomikurabe; fit it again with this one")
    try:
        saved = _saved(document)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise FileError(path, "is a damaged model ({reason}); save the model again", reason=error) from error
    told = document.get("signature")
    if told != saved.signature and _fingerprint(told) != _fingerprint(saved.signature):
        raise FileError(path, "is a damaged model (its numbers are not those that were saved); save it again")
    return saved


def _fingerprint(line: object) -> str:
    """The part of a signature that stays when the program's version changes."""
    return str(line).rpartition("|yk:")[0]


def _content(saved: Saved) -> dict[str, Any]:
    model = saved.model
    found: dict[str, Any] = {
        "kind": model.family,
        "people": saved.scale,
        "metrics": dict(saved.signatures),
        "features": list(saved.names),
        "mean": model.preparation.mean.tolist(),
        "marked": model.preparation.marked.astype(int).tolist(),
        "centre": model.preparation.centre.tolist(),
        "scale": model.preparation.scale.tolist(),
        "errors": dict(model.errors),
    }
    if model.ridge is not None:
        found["ridge"] = {
            "weights": model.ridge.weights.tolist(),
            "intercept": model.ridge.intercept,
            "alpha": model.ridge.alpha,
        }
    if model.boosted is not None:
        trees = [
            {name: getattr(tree, name).tolist() for name in Tree.__slots__} for tree in model.boosted.trees
        ]
        found["boosting"] = {
            "start": model.boosted.start,
            "rate": model.boosted.rate,
            "depth": model.boosted.depth,
            "trees": trees,
        }
    return found


def _saved(document: Mapping[str, Any]) -> Saved:
    names = tuple(_text(name) for name in _list(document["features"]))
    if not names or len(names) > MOST_FEATURES or len(set(names)) < len(names):
        raise ValueError("its features are none, too many, or not all different")
    marked = np.array(_integers(document["marked"], len(names)), bool)
    size = len(names) + int(marked.sum())
    preparation = Preparation(
        mean=_floats(document["mean"], len(names)),
        marked=marked,
        centre=_floats(document["centre"], size),
        scale=_floats(document["scale"], size),
    )
    if (preparation.scale <= 0).any():
        raise ValueError("a scale of it is not above 0")
    ridge, boosted = document.get("ridge"), document.get("boosting")
    kind, scale = document["kind"], document["people"]
    needs = {"ridge": (ridge,), "boosting": (boosted,), "mean": (ridge, boosted)}
    if kind not in FAMILIES or scale not in SCALES or None in needs[kind]:
        raise ValueError("its kind or the scale of its people is unknown")
    model = Model(
        family=kind,
        preparation=preparation,
        ridge=None if ridge is None else _ridge(ridge, size),
        boosted=None if boosted is None else _boosted(boosted, size),
        errors={_text(key): _float(value) for key, value in dict(document["errors"]).items()},
    )
    return Saved(
        model=model,
        names=names,
        signatures={_text(key): _text(value) for key, value in dict(document["metrics"]).items()},
        scale=scale,
        facts={_text(key): _fact(value) for key, value in dict(document.get("facts") or {}).items()},
    )


def _ridge(document: Mapping[str, Any], size: int) -> Linear:
    return Linear(
        weights=_floats(document["weights"], size),
        intercept=_float(document["intercept"]),
        alpha=_float(document["alpha"]),
    )


def _boosted(document: Mapping[str, Any], size: int) -> Boosted:
    return Boosted(
        start=_float(document["start"]),
        rate=_float(document["rate"]),
        depth=_integers([document["depth"]], 1)[0],
        trees=tuple(_tree(one, size) for one in _list(document["trees"])),
    )


def _tree(document: Mapping[str, Any], size: int) -> Tree:
    """Children come after their parent, so that every way down ends."""
    value = _floats(document["value"], None)
    left, right, feature = (
        np.array(_integers(document[name], len(value)), np.int64) for name in ("left", "right", "feature")
    )
    here = np.arange(len(value))
    leaf = (left < 0) & (right < 0)
    inside = (left > here) & (right > here) & (left < len(value)) & (right < len(value))
    if not len(value) or not (leaf | inside).all() or (feature < 0).any() or (feature >= size).any():
        raise ValueError("malformed tree")
    threshold = _floats(document["threshold"], len(value))
    return Tree(left=left, right=right, feature=feature, threshold=threshold, value=value)


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("expected a list")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("expected a string")
    return value


def _float(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("expected a finite number")
    return float(value)


def _floats(value: object, size: int | None) -> Floats:
    found = [_float(one) for one in _list(value)]
    if size is not None and len(found) != size:
        raise ValueError("it has not as many numbers as features")
    return np.array(found, np.float64)


def _integers(value: Sequence[object], size: int) -> list[int]:
    if len(_list(value)) != size or any(type(one) is not int for one in value):
        raise ValueError("it has not as many whole numbers as it needs")
    return [int(str(one)) for one in value]


def _fact(value: object) -> float | str | None:
    return value if value is None or isinstance(value, str) else _float(value)


METRIC = "calibrated"


def apply(
    saved: Saved, rows: Sequence[Mapping[str, Result[Any]]], lengths: Lengths | None = None
) -> list[Result[Any]]:
    """A result for each translation, in the scale of the model's people.

    It is missing where no metric has a score, and where a metric has none that always had one in training;
    a gap that the model has met is filled as in training. Raises CalibrationError where a metric is not there
    at all, was made with other settings, or lengths are needed.
    """
    check(saved, rows, lengths)
    values = values_of(saved.names, rows, lengths)
    predicted, signed = saved.model.predict(values), saved.signature
    return [
        _result(signed, float(predicted[row]), results, _unmet(saved, values[row]))
        for row, results in enumerate(rows)
    ]


def _result(
    signed: str, value: float, results: Mapping[str, Result[Any]], unmet: Sequence[str]
) -> Result[Any]:
    missing = None
    if not any(one.score is not None for one in results.values()):
        missing = Wording("No metric has a score of it.")
    elif unmet:
        missing = Wording(
            "It has no score of {metrics}, and the model has not met that.", metrics=", ".join(unmet)
        )
    if missing is not None:
        return Result(metric=METRIC, score=None, signature=signed, missing=missing)
    return Result(metric=METRIC, score=value, parts={METRIC: value}, signature=signed)


def _unmet(saved: Saved, values: Floats) -> list[str]:
    """The metrics behind the gaps, in (p,) features, that the model has not met."""
    places = np.flatnonzero(np.isnan(values) & ~saved.model.preparation.marked).tolist()
    return list(dict.fromkeys(group_of(saved.names[place]) for place in places))


def check(saved: Saved, rows: Sequence[Mapping[str, Result[Any]]], lengths: Lengths | None) -> None:
    """Raises CalibrationError naming what differs from the scores that the model learnt from."""
    for metric, signed in saved.signatures.items():
        found = [one[metric].signature for one in rows if metric in one]
        if not found:
            raise CalibrationError(
                "The model needs scores of {metric}, and there are none; score with it first.",
                "lacks",
                metric=metric,
            )
        for other in dict.fromkeys(found):
            differ = differences(signed, other)
            if differ:
                raise CalibrationError(
                    "The model learnt from other scores of {metric} than these ({difference}); "
                    "score with the model's settings, or fit a new model.",
                    "differs",
                    metric=metric,
                    difference="; ".join(differ),
                )
    if lengths is None and set(LENGTHS) & set(saved.names):
        raise CalibrationError("The model needs the lengths of the texts; give the texts, too.", "lengths")
