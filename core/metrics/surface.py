"""BLEU (Papineni et al., 2002) and chrF (Popović, 2015) as sacreBLEU defines them, with their evidence.

BLEU and chrF of many segments are computed from summed counts, not as a mean of segment scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.attribution import Contribution, shapley
from core.backends import Backends
from core.errors import InputError, UnavailableError
from core.metrics.base import Metric, Option, Scorer, Settings, text_flags
from core.signature import signature
from core.text.languages import well_formed
from core.types import Result, TextPair

if TYPE_CHECKING:
    from collections.abc import Callable


BLEU_ORDER = 4
CHRF_ORDER = 6
CHRF_BETA = 2
T = TypeVar("T", "BleuTrace", "ChrfTrace")
TOKENIZERS = ("auto", "ja-mecab", "13a", "intl", "char", "zh", "none")
WORDLESS = frozenset({"ja", "zh", "th", "ko"})  # written without blanks between words: 13a sees one word


def ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of that order occurs."""
    return Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramCounts:
    """One order: n-grams of the hypothesis, of the reference, and how many they share (clipped)."""

    order: int
    hypothesis: int
    reference: int
    matched: int


def count_ngrams(hypothesis: Sequence[str], reference: Sequence[str], highest: int) -> list[NgramCounts]:
    """Counts for orders 1 to `highest`."""
    counts = []
    for order in range(1, highest + 1):
        ours, theirs = ngrams(hypothesis, order), ngrams(reference, order)
        matched = (ours & theirs).total()
        counts.append(
            NgramCounts(order=order, hypothesis=ours.total(), reference=theirs.total(), matched=matched)
        )
    return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class BleuTrace:
    """The words of both sides; smoothing is `exp`, the effective order is used, scores are 0–100."""

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]

    def counts(self) -> list[NgramCounts]:
        """Clipped n-gram matches, orders 1–4."""
        return count_ngrams(self.hypothesis, self.reference, BLEU_ORDER)

    def parts(self) -> dict[str, float]:
        """`bleu`, the smoothed precision of each order and `brevity_penalty` (0–1)."""
        return bleu_of(self.counts(), len(self.hypothesis), len(self.reference))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChrfTrace:
    """Both sides as strings without any blanks (U+3000 too); orders 1–6, beta 2, scores 0–100."""

    hypothesis: str
    reference: str

    def counts(self) -> list[NgramCounts]:
        """Clipped character n-gram matches, orders 1–6."""
        return count_ngrams(self.hypothesis, self.reference, CHRF_ORDER)

    def parts(self) -> dict[str, float]:
        """`chrf`, and `precision` and `recall` averaged over the orders that both sides have."""
        return chrf_of(self.counts())


def bleu_of(counts: Sequence[NgramCounts], hypothesis: int, reference: int) -> dict[str, float]:
    """BLEU's parts from matches of orders 1–4 and the numbers of words of both sides."""
    from sacrebleu.metrics.bleu import BLEU

    score = BLEU.compute_bleu(
        correct=[one.matched for one in counts],
        total=[one.hypothesis for one in counts],
        sys_len=hypothesis,
        ref_len=reference,
        smooth_method="exp",
        effective_order=True,
    )
    precisions = {f"precision_{order}": float(p) for order, p in enumerate(score.precisions, 1)}
    return {"bleu": float(score.score), **precisions, "brevity_penalty": float(score.bp)}


def chrf_of(counts: Sequence[NgramCounts]) -> dict[str, float]:
    """ChrF's parts from matches of orders 1–6."""
    usable = [one for one in counts if one.hypothesis and one.reference]
    if not usable:
        return {"chrf": 0.0, "precision": 0.0, "recall": 0.0}
    precision = sum(one.matched / one.hypothesis for one in usable) / len(usable)
    recall = sum(one.matched / one.reference for one in usable) / len(usable)
    weight = CHRF_BETA**2
    total = weight * precision + recall
    score = (1 + weight) * precision * recall / total if total else 0.0
    return {"chrf": 100 * score, "precision": 100 * precision, "recall": 100 * recall}


def score_bleu(pair: TextPair, *, tokenize: str = "auto", signed: str = "") -> Result[BleuTrace]:
    """Sentence BLEU, 0–100. `auto` takes MeCab words for Japanese, zh for Chinese, else 13a."""
    name = bleu_tokenizer(tokenize, pair.lang)
    words = _tokenizer(name)
    trace = BleuTrace(
        hypothesis=tuple(words(_readable(pair.hypothesis)).split()),
        reference=tuple(words(_readable(pair.reference)).split()),
    )
    unsuited = pair.lang in WORDLESS and name in ("13a", "intl", "none")
    flags = text_flags(pair) + (("tokenizer-unsuited",) if unsuited else ())
    return _result("bleu", trace, flags, signed)


def score_chrf(pair: TextPair, *, signed: str = "") -> Result[ChrfTrace]:
    """Sentence chrF2, 0–100."""
    trace = ChrfTrace(hypothesis="".join(pair.hypothesis.split()), reference="".join(pair.reference.split()))
    return _result("chrf", trace, text_flags(pair), signed)


def _readable(text: str) -> str:
    """MeCab stops at a NUL; as a blank it separates words and loses nothing."""
    return well_formed(text).replace("\0", " ").strip()


def bleu_tokenizer(tokenize: str, lang: str) -> str:
    """The sacreBLEU tokenizer that `tokenize` means for a language."""
    return {"ja": "ja-mecab", "zh": "zh"}.get(lang, "13a") if tokenize == "auto" else tokenize


def _result(metric: str, trace: T, flags: tuple[str, ...], signed: str) -> Result[T]:
    parts = trace.parts()
    return Result(metric=metric, score=parts[metric], parts=parts, signature=signed, flags=flags, trace=trace)


@cache
def _tokenizer(name: str) -> Callable[[str], str]:
    from sacrebleu.metrics.bleu import BLEU

    try:
        tokenizer: Callable[[str], str] = BLEU(tokenize=name, effective_order=True).tokenizer
    except (ImportError, RuntimeError) as error:
        raise UnavailableError(
            "BLEU's tokenizer {name} is not installed; pip install 'sacrebleu[ja]', or choose tokenize=char.",
            name=name,
        ) from error
    return tokenizer


def _prepare_bleu(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Scorer[BleuTrace]:
    tokenize = BLEU.settle(settings)["tokenize"]
    lang = pairs[0].lang if pairs else "en"
    name = bleu_tokenizer(tokenize, lang)
    dictionary = f"{name}-ipadic-{version('ipadic')}" if name == "ja-mecab" else name
    about = {
        "tok": dictionary,
        "smooth": "exp",
        "eff": "yes",
        "case": "mixed",
        "sacrebleu": version("sacrebleu"),
    }
    signed = signature("bleu", about)
    return Scorer(
        compute=lambda pair, _: score_bleu(pair, tokenize=tokenize, signed=signed), signature=signed
    )


def _prepare_chrf(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Scorer[ChrfTrace]:
    CHRF.settle(settings)
    about = {"nc": CHRF_ORDER, "nw": 0, "beta": CHRF_BETA, "space": "no", "case": "mixed"}
    signed = signature("chrf", about)
    return Scorer(compute=lambda pair, _: score_chrf(pair, signed=signed), signature=signed)


class CountPool:
    """The score of many segments from their summed counts, as sacreBLEU defines it for BLEU and chrF.

    score_of: counts of each order, lengths of hypotheses and references -> the parts of the score.
    """

    def __init__(
        self, headline: str, score_of: Callable[[Sequence[NgramCounts], int, int], dict[str, float]]
    ) -> None:
        self._headline = headline
        self._score_of = score_of
        self._counts: list[NgramCounts] = []
        self._hypothesis = self._reference = 0

    def add(self, result: Result[Any]) -> None:
        """Add the counts of a trace; a result without one adds nothing."""
        trace = result.trace
        if not isinstance(trace, BleuTrace | ChrfTrace):
            return
        counts = trace.counts()
        self._counts = (
            [_sum(*both) for both in zip(self._counts, counts, strict=True)] if self._counts else counts
        )
        self._hypothesis += len(trace.hypothesis)
        self._reference += len(trace.reference)

    @property
    def score(self) -> float | None:
        """The score of the summed counts."""
        return self.parts.get(self._headline)

    @staticmethod
    def row(result: Result[Any]) -> list[float]:
        """The counts of a trace as numbers that may be summed, for `value`."""
        trace = result.trace
        if not isinstance(trace, BleuTrace | ChrfTrace):
            raise InputError("A counted score needs the traces of its segments.")
        orders = [[one.hypothesis, one.reference, one.matched] for one in trace.counts()]
        return [len(trace.hypothesis), len(trace.reference), *(value for order in orders for value in order)]

    def value(self, sums: NDArray[np.float64]) -> float:
        """The score of such sums."""
        hypothesis, reference, *counts = map(round, sums.tolist())
        orders = [
            NgramCounts(order=order, hypothesis=one[0], reference=one[1], matched=one[2])
            for order, one in enumerate((counts[place : place + 3] for place in range(0, len(counts), 3)), 1)
        ]
        return self._score_of(orders, hypothesis, reference)[self._headline]

    @property
    def parts(self) -> dict[str, float]:
        """The parts of the score of the summed counts."""
        return self._score_of(self._counts, self._hypothesis, self._reference) if self._counts else {}


def _sum(one: NgramCounts, other: NgramCounts) -> NgramCounts:
    return NgramCounts(
        order=one.order,
        hypothesis=one.hypothesis + other.hypothesis,
        reference=one.reference + other.reference,
        matched=one.matched + other.matched,
    )


LENGTH = "0"  # the number of words counts like matches of order 0


def _length(trace: BleuTrace) -> NgramCounts:
    return NgramCounts(order=0, hypothesis=len(trace.hypothesis), reference=len(trace.reference), matched=0)


def _orders(
    effects: Mapping[str, float], old: Mapping[str, NgramCounts], new: Mapping[str, NgramCounts]
) -> list[Contribution]:
    return [
        Contribution(
            kind="n-grams",
            what=order,
            amount=amount,
            before=float(old[order].matched),
            after=float(new[order].matched),
        )
        for order, amount in effects.items()
    ]


def _attribute_bleu(before: BleuTrace, after: BleuTrace) -> list[Contribution]:
    """What the matches of each order do, and the brevity penalty."""
    old, new = (
        {str(one.order): one for one in [_length(trace), *trace.counts()]} for trace in (before, after)
    )

    def formula(factors: Mapping[str, NgramCounts]) -> float:
        length, *counts = (factors[str(order)] for order in range(BLEU_ORDER + 1))
        return bleu_of(counts, length.hypothesis, length.reference)["bleu"]

    effects = shapley(formula, old, new)
    length = Contribution(
        kind="length",
        what="",
        amount=effects.pop(LENGTH),
        before=float(len(before.hypothesis)),
        after=float(len(after.hypothesis)),
    )
    return [*_orders(effects, old, new), length]


def _attribute_chrf(before: ChrfTrace, after: ChrfTrace) -> list[Contribution]:
    """What the matches of each order do."""
    old, new = ({str(one.order): one for one in trace.counts()} for trace in (before, after))

    def formula(factors: Mapping[str, NgramCounts]) -> float:
        return chrf_of([factors[str(order)] for order in range(1, CHRF_ORDER + 1)])["chrf"]

    return _orders(shapley(formula, old, new), old, new)


BLEU = Metric(
    name="bleu",
    summary="n-grams of words that the translation shares with the reference",
    paper="Papineni et al. 2002; sacreBLEU, Post 2018",
    headline="bleu",
    low=0,
    high=100,
    trace=BleuTrace,
    prepare=_prepare_bleu,
    options=(Option(name="tokenize", default="auto", summary="how words are cut", choices=TOKENIZERS),),
    digits=1,
    pool=lambda: CountPool("bleu", bleu_of),
    attribute=_attribute_bleu,
)

CHRF = Metric(
    name="chrf",
    summary="n-grams of characters that the translation shares with the reference",
    paper="Popović 2015",
    headline="chrf",
    low=0,
    high=100,
    trace=ChrfTrace,
    prepare=_prepare_chrf,
    digits=1,
    pool=lambda: CountPool("chrf", lambda counts, hypothesis, reference: chrf_of(counts)),
    attribute=_attribute_chrf,
)
