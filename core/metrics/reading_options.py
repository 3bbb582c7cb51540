"""The options of `bertscore-reading`, and how a run is made ready with them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.backends import Backends, Encoder
from core.errors import OptionError
from core.metrics.base import Option, Prepared, Settings, Spec
from core.metrics.bertscore.metric import BERTSCORE
from core.metrics.bertscore.weights import find_idf
from core.metrics.penalty import CRITERIA, Rarity
from core.metrics.reading import ReadingTrace, score
from core.signature import signature
from core.text.romaji import romaji_fingerprint
from core.types import TextPair

BY_QUANTILE = "quantile"


def _prepare(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Prepared[ReadingTrace]:
    chosen = BERTSCORE_READING.settle(settings)
    base = BERTSCORE.prepare({one.name: chosen[one.name] for one in BERTSCORE.options}, backends, pairs)
    if base.reading is None:
        raise TypeError("BERTScore asks for no encoder")
    encoding = base.reading
    rarity = _rarity(chosen, encoding.encoder, pairs)
    reader = backends.reader(chosen["reading"])
    langs = dict.fromkeys(pair.lang for pair in pairs)
    named = chosen["criterion"] != "idf"
    about = _settings_of(base.signature) | {
        "idf": rarity.idf.signature if rarity.idf else "no",
        "rare": chosen["criterion"],
        "threshold": f"{rarity.threshold:.6g}" if rarity.idf else "no",
        "mode": chosen["mode"],
        "kana": _kana_rules(chosen["kana"]),
        "reading": "/".join(reader.signature(lang, entities=named) for lang in langs) or reader.name,
    }
    signed = signature("bertscore-reading", about)
    return Prepared(
        score=lambda pair: score(
            pair,
            base=base.score,
            encoding=encoding,
            reader=reader,
            rarity=rarity,
            mode=chosen["mode"],
            kana=chosen["kana"],
            signed=signed,
        ),
        signature=signed,
        reading=encoding,
    )


def _rarity(chosen: Mapping[str, str], encoder: Encoder, pairs: Sequence[TextPair]) -> Rarity:
    quantile = _number(chosen, "quantile", 0, 1)
    threshold = None if chosen["threshold"] == BY_QUANTILE else _number(chosen, "threshold", 0, math.inf)
    if chosen["criterion"] == "ner":
        return Rarity(criterion="ner")
    idf = find_idf(chosen["idf"], encoder, pairs)
    if threshold is None:
        threshold = idf.threshold(quantile)
    return Rarity(criterion=chosen["criterion"], idf=idf, threshold=threshold)


def _kana_rules(kana: str) -> str:
    """`romaji-1a2b3c`: the other rules stand in every reader's signature."""
    return f"{kana}-{romaji_fingerprint()}" if kana == "romaji" else kana


def _number(chosen: Mapping[str, str], name: str, low: float, high: float) -> float:
    """A number between the two, neither included."""
    try:
        value = float(chosen[name])
    except ValueError:
        value = math.nan
    if not low < value < high:
        bounds = "between 0 and 1" if high == 1 else f"above 0, or {BY_QUANTILE}"
        raise OptionError(f"bertscore-reading.{name}={chosen[name]}: give a number {bounds}", option=name)
    return value


def _settings_of(line: str) -> dict[str, str]:
    """BERTScore's settings, out of its signature: without the metric's name and our version."""
    parts = [part.partition(":") for part in line.split("|")[1:-1]]
    return {name: value for name, _, value in parts}


BERTSCORE_READING = Spec(
    name="bertscore-reading",
    summary="BERTScore with a penalty on rare words that sound different",
    paper="paper A, after Zhang et al. 2020",
    headline="f1",
    low=-1,
    high=1,
    trace=ReadingTrace,
    prepare=_prepare,
    options=(
        *(
            replace(one, summary="whose frequencies say what is rare: novel, wiki, references, or a file")
            if one.name == "idf"
            else one
            for one in BERTSCORE.options
        ),
        Option(
            name="quantile", default="0.40", summary="share of the dictionary not rare; the paper's is 0.70"
        ),
        Option(
            name="threshold",
            default=BY_QUANTILE,
            summary="the idf from which a token is rare; by the quantile, or a number",
        ),
        Option(
            name="mode",
            default="set",
            summary="one coefficient for the rare words of a text, or each its own",
            choices=("set", "token"),
        ),
        Option(name="criterion", default="idf", summary="what makes a token rare", choices=CRITERIA),
        Option(name="reading", default="word", summary="whose readings", choices=("word", "pykakasi")),
        Option(
            name="kana",
            default="normal",
            summary="one spelling for what sounds alike, readings as they are, or rough Latin letters",
            choices=("normal", "plain", "romaji"),
        ),
    ),
    needs=("encoder", "reader"),
)
