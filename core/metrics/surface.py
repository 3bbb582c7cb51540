"""BLEU (Papineni et al., 2002) and chrF (Popović, 2015) as sacreBLEU defines them, with their evidence.

BLEU and chrF of many segments are computed from summed counts, not as a mean of segment scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial, reduce
from importlib.metadata import version
from operator import or_
from string import punctuation
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.attribution import Contribution, shapley
from core.backends import Backends
from core.errors import UnavailableError
from core.metrics.base import Metric, Option, Scorer, Settings, text_flags
from core.metrics.count_pool import CountPool
from core.metrics.places import on_characters, unmatched, word_pieces
from core.metrics.references import several
from core.signature import signature
from core.text.languages import well_formed
from core.types import Result, TextPair

if TYPE_CHECKING:
    from collections.abc import Callable


BLEU_ORDER = 4
CHRF_ORDER = 6
CHRF_BETA = 2
T = TypeVar("T", "BleuTrace", "ChrfTrace")
SMOOTHING = ("exp", "floor", "add-k", "none")
TOKENIZERS = ("auto", "ja-mecab", "13a", "intl", "char", "zh", "none")
WORDLESS = frozenset({"ja", "zh", "th", "ko"})  # written without blanks between words: 13a sees one word


def ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of that order occurs."""
    return Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramCounts:
    """One order: n-grams of the hypothesis, of the reference, and how many they share (clipped).

    words: whether chrF counts words here; its other orders count characters, and BLEU's always words.
    """

    order: int
    hypothesis: int
    reference: int
    matched: int
    words: bool = False


def count_ngrams(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], highest: int, *, words: bool = False
) -> list[NgramCounts]:
    """Counts for orders 1 to `highest`; an n-gram matches as often as the reference that has it most often.

    The number of the reference's n-grams is the first reference's.
    """
    counts = []
    for order in range(1, highest + 1):
        ours, (first, *others) = ngrams(hypothesis, order), [ngrams(one, order) for one in references]
        most = reduce(or_, others, first)
        matched = (ours & most).total()
        counts.append(
            NgramCounts(
                order=order, hypothesis=ours.total(), reference=first.total(), matched=matched, words=words
            )
        )
    return counts


@dataclass(frozen=True, slots=True, kw_only=True)
class BleuTrace:
    """The words of both sides; the effective order is used, scores are 0–100.

    reference: the one whose length is nearest to the hypothesis', which the brevity penalty compares; others:
    further references. smooth: how orders without a match are counted, as sacreBLEU names it.
    """

    hypothesis: tuple[str, ...]
    reference: tuple[str, ...]
    others: tuple[tuple[str, ...], ...] = ()
    smooth: str = "exp"

    def counts(self) -> list[NgramCounts]:
        """Clipped n-gram matches, orders 1–4."""
        return count_ngrams(self.hypothesis, [self.reference, *self.others], BLEU_ORDER)

    def sums(self) -> list[float]:
        """What is summed over segments: both lengths, then the counts of each order."""
        return [len(self.hypothesis), len(self.reference), *_flat(self.counts())]

    def parts_of(self, sums: Sequence[float]) -> dict[str, float]:
        """The parts of such a sum."""
        hypothesis, reference, *counts = map(round, sums)
        return self.parts_of_counts(_orders(counts), hypothesis, reference)

    def parts_of_counts(
        self, counts: Sequence[NgramCounts], hypothesis: int, reference: int
    ) -> dict[str, float]:
        """The parts from matches of orders 1–4 and the numbers of words of both sides."""
        from sacrebleu.metrics.bleu import BLEU

        score = BLEU.compute_bleu(
            correct=[one.matched for one in counts],
            total=[one.hypothesis for one in counts],
            sys_len=hypothesis,
            ref_len=reference,
            smooth_method=self.smooth,
            effective_order=True,
        )
        precisions = {f"precision_{order}": float(p) for order, p in enumerate(score.precisions, 1)}
        return {"bleu": float(score.score), **precisions, "brevity_penalty": float(score.bp)}

    def parts(self) -> dict[str, float]:
        """`bleu`, the smoothed precision of each order and `brevity_penalty` (0–1)."""
        return self.parts_of_counts(self.counts(), len(self.hypothesis), len(self.reference))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChrfTrace:
    """Both sides as strings without any blanks (U+3000 too); orders 1–6, beta 2, scores 0–100.

    word_order: n-grams of words up to this order count as well (2 is chrF++). hypothesis_words,
    reference_words: these words, empty without. scores: those of all references, of which this is the best.
    """

    hypothesis: str
    reference: str
    word_order: int = 0
    hypothesis_words: tuple[str, ...] = ()
    reference_words: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()

    def counts(self) -> list[NgramCounts]:
        """Clipped n-gram matches: characters, orders 1–6, then words."""
        characters = count_ngrams(self.hypothesis, [self.reference], CHRF_ORDER)
        words = count_ngrams(self.hypothesis_words, [self.reference_words], self.word_order, words=True)
        return [*characters, *words]

    def sums(self) -> list[float]:
        """What is summed over segments: the counts of each order that the reference has."""
        return _flat([one if one.reference else replace(one, hypothesis=0) for one in self.counts()])

    def parts_of(self, sums: Sequence[float]) -> dict[str, float]:
        """The parts of such a sum."""
        return chrf_of(_orders([round(one) for one in sums]))

    def parts(self) -> dict[str, float]:
        """`chrf`, and `precision` and `recall` averaged over the orders that both sides have."""
        return chrf_of(self.counts())


def _flat(counts: Sequence[NgramCounts]) -> list[float]:
    return [value for one in counts for value in (one.hypothesis, one.reference, one.matched)]


def _orders(counts: Sequence[int]) -> list[NgramCounts]:
    """Counts again from what `_flat` made of them."""
    return [
        NgramCounts(order=order, hypothesis=counts[at], reference=counts[at + 1], matched=counts[at + 2])
        for order, at in enumerate(range(0, len(counts), 3), 1)
    ]


def chrf_of(counts: Sequence[NgramCounts]) -> dict[str, float]:
    """ChrF's parts from matches of each order."""
    usable = [one for one in counts if one.hypothesis and one.reference]
    if not usable:
        return {"chrf": 0.0, "precision": 0.0, "recall": 0.0}
    precision = sum(one.matched / one.hypothesis for one in usable) / len(usable)
    recall = sum(one.matched / one.reference for one in usable) / len(usable)
    weight = CHRF_BETA**2
    total = weight * precision + recall
    score = (1 + weight) * precision * recall / total if total else 0.0
    return {"chrf": 100 * score, "precision": 100 * precision, "recall": 100 * recall}


def score_bleu(
    pair: TextPair, *, tokenize: str = "auto", lowercase: bool = False, smooth: str = "exp", signed: str = ""
) -> Result[BleuTrace]:
    """Sentence BLEU, 0–100. `auto` takes MeCab words for Japanese, zh for Chinese, else 13a."""
    name = bleu_tokenizer(tokenize, pair.lang)
    split = _tokenizer(name)

    def words(text: str) -> tuple[str, ...]:
        return tuple(split(_cased(_readable(text), lowercase=lowercase)).split())

    hypothesis = words(pair.hypothesis)
    reference, *others = sorted(
        map(words, pair.references), key=lambda one: (abs(len(one) - len(hypothesis)), len(one))
    )
    trace = BleuTrace(hypothesis=hypothesis, reference=reference, others=tuple(others), smooth=smooth)
    unsuited = pair.lang in WORDLESS and name in ("13a", "intl", "none")
    flags = text_flags(pair) + (("tokenizer-unsuited",) if unsuited else ())
    return _result("bleu", trace, flags, signed)


def score_chrf(
    pair: TextPair, *, word_order: int = 0, lowercase: bool = False, signed: str = ""
) -> Result[ChrfTrace]:
    """Sentence chrF2, 0–100; with word_order=2 chrF++. Of several references the best one counts."""
    hypothesis = _cased(pair.hypothesis, lowercase=lowercase)

    def against(reference: str) -> ChrfTrace:
        return ChrfTrace(
            hypothesis="".join(hypothesis.split()),
            reference="".join(reference.split()),
            word_order=word_order,
            hypothesis_words=tuple(_chrf_words(hypothesis)) if word_order else (),
            reference_words=tuple(_chrf_words(reference)) if word_order else (),
        )

    traces = [against(_cased(one, lowercase=lowercase)) for one in pair.references]
    scores = [one.parts()["chrf"] for one in traces]
    best = traces[scores.index(max(scores))]
    if len(scores) > 1:
        best = replace(best, scores=tuple(scores))
    return _result("chrf", best, text_flags(pair), signed)


def _cased(text: str, *, lowercase: bool) -> str:
    return text.lower() if lowercase else text


def _chrf_words(text: str) -> Iterator[str]:
    """Words as chrF++ cuts them: at blanks, with a mark of ASCII at the end, else at the start, by itself."""
    for word in text.split():
        if len(word) > 1 and word[-1] in punctuation:
            yield from (word[:-1], word[-1])
        elif len(word) > 1 and word[0] in punctuation:
            yield from (word[0], word[1:])
        else:
            yield word


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
    chosen = BLEU.settle(settings)
    lang = pairs[0].lang if pairs else "en"
    name = bleu_tokenizer(chosen["tokenize"], lang)
    dictionary = f"{name}-ipadic-{version('ipadic')}" if name == "ja-mecab" else name
    lowercase = chosen["lowercase"] == "yes"
    about: dict[str, object] = {
        "tok": dictionary,
        "smooth": chosen["smooth"],
        "eff": "yes",
        "case": "lc" if lowercase else "mixed",
        "sacrebleu": version("sacrebleu"),
    }
    signed = signature("bleu", about | several(pairs))
    compute = partial(
        score_bleu, tokenize=chosen["tokenize"], lowercase=lowercase, smooth=chosen["smooth"], signed=signed
    )
    return Scorer(compute=lambda pair, _: compute(pair), signature=signed)


def _prepare_chrf(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Scorer[ChrfTrace]:
    chosen = CHRF.settle(settings)
    lowercase, words = chosen["lowercase"] == "yes", int(chosen["word_order"])
    about: dict[str, object] = {
        "nc": CHRF_ORDER,
        "nw": words,
        "beta": CHRF_BETA,
        "space": "no",
        "case": "lc" if lowercase else "mixed",
    }
    signed = signature("chrf", about | several(pairs))
    compute = partial(score_chrf, word_order=words, lowercase=lowercase, signed=signed)
    return Scorer(compute=lambda pair, _: compute(pair), signature=signed)


def order_name(counts: NgramCounts) -> str:
    """`3` for runs of three; `w2` for those of words beside characters."""
    return f"w{counts.order}" if counts.words else str(counts.order)


LENGTH = "0"  # the number of words counts like matches of order 0


def _length(trace: BleuTrace) -> NgramCounts:
    return NgramCounts(order=0, hypothesis=len(trace.hypothesis), reference=len(trace.reference), matched=0)


def _by_order(
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
        return after.parts_of_counts(counts, length.hypothesis, length.reference)["bleu"]

    effects = shapley(formula, old, new)
    length = Contribution(
        kind="length",
        what="",
        amount=effects.pop(LENGTH),
        before=float(len(before.hypothesis)),
        after=float(len(after.hypothesis)),
    )
    return [*_by_order(effects, old, new), length]


def _attribute_chrf(before: ChrfTrace, after: ChrfTrace) -> list[Contribution]:
    """What the matches of each order do."""
    old, new = ({order_name(one): one for one in trace.counts()} for trace in (before, after))

    def formula(factors: Mapping[str, NgramCounts]) -> float:
        return chrf_of(list(factors.values()))["chrf"]

    return _by_order(shapley(formula, old, new), old, new)


def _evidence_bleu(trace: BleuTrace, text: str) -> NDArray[np.float64]:
    """Of the n-grams that cover a word the share that no reference has, the mean over the orders."""
    if not trace.hypothesis:
        return np.zeros(len(text))
    values = unmatched(trace.hypothesis, [trace.reference, *trace.others], BLEU_ORDER).mean(axis=0)
    return on_characters(len(text), word_pieces(trace.hypothesis, values.tolist(), text))


def _evidence_chrf(trace: ChrfTrace, text: str) -> NDArray[np.float64] | None:
    """Of the n-grams that cover a character the share that the reference lacks, the mean over all orders.

    None where lower case has changed the number of characters.
    """
    places = [place for place, char in enumerate(text) if not char.isspace()]
    if len(places) != len(trace.hypothesis):
        return None
    orders = [np.zeros(len(text))]
    if places:
        of_characters = unmatched(trace.hypothesis, [trace.reference], CHRF_ORDER)
        orders = [np.zeros(len(text)) for _ in of_characters]
        for order, values in zip(orders, of_characters, strict=True):
            order[places] = values
    words = trace.hypothesis_words
    for values in unmatched(words, [trace.reference_words], trace.word_order) if words else ():
        orders.append(on_characters(len(text), word_pieces(words, values.tolist(), text)))
    return np.asarray(np.mean(orders, axis=0), np.float64)


LOWERCASE = Option(name="lowercase", default="no", summary="compare in lower case", choices=("no", "yes"))

BLEU = Metric(
    name="bleu",
    summary="n-grams of words that the translation shares with the reference",
    paper="Papineni et al. 2002; sacreBLEU, Post 2018",
    headline="bleu",
    low=0,
    high=100,
    trace=BleuTrace,
    build=_prepare_bleu,
    options=(
        Option(name="tokenize", default="auto", summary="how words are cut", choices=TOKENIZERS),
        LOWERCASE,
        Option(
            name="smooth", default="exp", summary="how orders without a match are counted", choices=SMOOTHING
        ),
    ),
    digits=1,
    pool=lambda: CountPool("bleu"),
    joins_references=True,
    attribute=_attribute_bleu,
    evidence=_evidence_bleu,
)

CHRF = Metric(
    name="chrf",
    summary="n-grams of characters that the translation shares with the reference",
    paper="Popović 2015",
    headline="chrf",
    low=0,
    high=100,
    trace=ChrfTrace,
    build=_prepare_chrf,
    options=(
        Option(
            name="word_order",
            default="0",
            summary="n-grams of words up to this order; 2 is chrF++",
            choices=("0", "1", "2"),
        ),
        LOWERCASE,
    ),
    digits=1,
    pool=lambda: CountPool("chrf"),
    joins_references=True,
    attribute=_attribute_chrf,
    evidence=_evidence_chrf,
)
