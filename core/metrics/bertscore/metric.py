"""BERTScore (Zhang et al., 2020): every token is matched with its most similar token of the other text.

P = Σ_j w(x̂_j) max_i cos(x_i, x̂_j) / Σ_j w(x̂_j), R likewise over the reference x, F = 2PR / (P + R).
The ledger gives what each token adds to precision or recall; the shares add up to the score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.attribution import Contribution, Terms, attribute_mean, same_places, scaled, shapley, steepness
from core.backends import DEVICES, ENGINES, PRECISIONS, Backends, Compute, Encoder
from core.errors import OptionError
from core.metrics.base import Metric, Option, Scorer, Settings, text_flags
from core.metrics.bertscore.baseline import Baseline, find_baseline
from core.metrics.bertscore.matching import NO_PARTNER, Best, match
from core.metrics.bertscore.weights import IDF, WEIGHT, all_zero, find_idf, spread, token_weights
from core.metrics.fetched import EncoderRequest, Fetched, VectorSource
from core.metrics.idf import Idf
from core.metrics.places import lost_by_tokens
from core.signature import signature
from core.types import Result, TextPair, Token, TokenVectors, shown

PARTS = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Side:
    """One text's half: n tokens, special ones included.

    weights: (n,) float64, special tokens weigh 0. partner: (n,) index of the most similar token of the
    other side, -1 for none. cosine: (n,) float32 in [-1, 1]. lost: code points cut off by `truncate`.
    """

    tokens: tuple[Token, ...]
    weights: NDArray[np.float64]
    partner: NDArray[np.int64]
    cosine: NDArray[np.float32]
    lost: int = 0

    def shares(self, baseline: float = 0.0) -> NDArray[np.float64]:
        """(n,) what each token adds to precision or recall; they sum to it, also when rescaled."""
        total = self.weights.sum()
        if total == 0:
            return np.zeros(len(self.tokens))
        rescaled = (self.cosine.astype(np.float64) - baseline) / (1 - baseline)
        return np.asarray(self.weights / total * rescaled, np.float64)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BertScoreTrace:
    """The whole evidence. `similarity` is (n reference, m hypothesis) float32, None for very long texts.

    baseline: what random pairs score, when the shown numbers are rescaled by (x - b) / (1 - b).
    """

    reference: Side
    hypothesis: Side
    similarity: NDArray[np.float32] | None = field(metadata=shown(decimals=4))
    baseline: Baseline | None = None

    def parts(self) -> dict[str, float]:
        """`precision`, `recall`, `f1`, and these with `raw_` in front when they are rescaled."""
        precision = float(self.hypothesis.shares().sum())
        recall = float(self.reference.shares().sum())
        raw = {"precision": precision, "recall": recall, "f1": harmonic(precision, recall)}
        counted = {"lost_reference": self.reference.lost, "lost_hypothesis": self.hypothesis.lost}
        lost = {name: float(count) for name, count in counted.items() if count}
        lost |= unknown_parts(self.reference.tokens, self.hypothesis.tokens)
        if self.baseline is None:
            return raw | lost
        if self.empty:  # no token, nothing to rescale: an empty translation stays at 0
            return raw | {f"raw_{name}": value for name, value in raw.items()} | lost
        scaled = {name: self.baseline.rescale(name, value) for name, value in raw.items()}
        return scaled | {f"raw_{name}": value for name, value in raw.items()} | lost

    @property
    def empty(self) -> bool:
        """Whether a side has no token but special ones."""
        return not (self.reference.weights.any() and self.hypothesis.weights.any())


def harmonic(precision: float, recall: float) -> float:
    """2PR / (P + R); 0 where P and R differ in sign or are both 0, for then no mean lies between them."""
    if precision * recall <= 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


def score(
    pair: TextPair,
    *,
    encoder: VectorSource,
    layer: int,
    weight: str = "none",
    idf: Idf | None = None,
    specials: str = "include",
    long: str = "window",
    baseline: Baseline | None = None,
    signed: str = "",
) -> Result[BertScoreTrace]:
    """BERTScore F of one pair, in [-1, 1].

    weight: `none` counts every token once, `idf` by `idf`, `l2` by the length of its vector. specials:
    `exclude` keeps special tokens from being partners (they never weigh anything). An empty side gives
    P = R = F = 0 and a flag; where all idf weights of a side are 0, its tokens count once each and the
    flag is `idf-all-zero`.
    """
    texts = encoder.encode([pair.reference, pair.hypothesis], layer=layer, long=long)
    trace = compare(*texts, weight=weight, idf=idf, specials=specials, baseline=baseline)
    flags = text_flags(pair) + tuple(dict.fromkeys(flag for one in texts for flag in one.flags))
    if weight == "idf" and any(all_zero(token_weights(one, weight, idf), one) for one in texts):
        flags += ("idf-all-zero",)
    parts = trace.parts()
    return Result(
        metric="bertscore", score=parts["f1"], parts=parts, signature=signed, flags=flags, trace=trace
    )


def compare(
    reference: TokenVectors,
    hypothesis: TokenVectors,
    *,
    weight: str = "none",
    idf: Idf | None = None,
    specials: str = "include",
    baseline: Baseline | None = None,
) -> BertScoreTrace:
    """Two encoded texts side by side; the options are those of `score`."""
    matching = match(reference, hypothesis, specials=specials)
    empty = any(one.special.all() for one in (reference, hypothesis))
    sides = [
        _side(one, token_weights(one, weight, idf), best, empty=empty)
        for one, best in ((reference, matching.rows), (hypothesis, matching.columns))
    ]
    return BertScoreTrace(
        reference=sides[0], hypothesis=sides[1], similarity=matching.similarity, baseline=baseline
    )


def _side(text: TokenVectors, weights: NDArray[np.float64], best: Best, *, empty: bool) -> Side:
    weights = np.zeros(len(weights)) if empty else spread(text, weights)
    return Side(tokens=text.tokens, weights=weights, partner=best.partner, cosine=best.cosine, lost=text.lost)


def _prepare(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Scorer[BertScoreTrace]:
    chosen = BERTSCORE.settle(settings)
    encoder = open_encoder(chosen, backends)
    layer = read_layer(chosen["layer"], encoder)
    idf = find_idf(chosen["idf"], encoder, pairs) if chosen["weight"] == "idf" else None
    baseline = None
    if chosen["rescale"] == "yes":
        baseline = find_baseline(encoder, layer, pairs[0].lang if pairs else "en")
    signed = signature(
        "bertscore",
        {
            "enc": f"{encoder.name}@{encoder.fingerprint}",
            "layer": layer,
            "weight": chosen["weight"],
            "idf": idf.signature if idf else "no",
            "specials": chosen["specials"],
            "long": chosen["long"],
            "rescale": f"yes-{baseline.pairs}" if baseline else "no",
            **encoder.libraries,
        },
    )

    def compute(pair: TextPair, fetched: Fetched) -> Result[BertScoreTrace]:
        return score(
            pair,
            encoder=fetched.encoder(encoder),
            layer=layer,
            weight=chosen["weight"],
            idf=idf,
            specials=chosen["specials"],
            long=chosen["long"],
            baseline=baseline,
            signed=signed,
        )

    reading = EncoderRequest(encoder=encoder, layer=layer, long=chosen["long"])
    return Scorer(compute=compute, signature=signed, encodes=reading)


def open_encoder(chosen: Settings, backends: Backends) -> Encoder:
    """The encoder that these settings name, computing as they say."""
    compute = Compute(engine=chosen["engine"], precision=chosen["precision"], device=chosen["device"])
    return backends.encoder_by(chosen["encoder"], compute)


def read_layer(value: str, encoder: Encoder) -> int:
    """`default` or a number from 0 to the encoder's last; OptionError otherwise."""
    if value == "default":
        return encoder.default_layer
    if not value.isascii() or not value.isdigit() or int(value) > encoder.layers:
        raise OptionError(
            "layer={value}: {encoder} has layers 0 to {last}",
            option="layer",
            value=value,
            encoder=encoder.name,
            last=encoder.layers,
        )
    return int(value)


ENCODER_OPTIONS = (
    Option(name="encoder", default="embedded", summary="embedded, a hub id, or a folder"),
    Option(name="layer", default="default", summary="which layer's vectors; 0 is the embedding"),
)
COMPUTE_OPTIONS = (
    Option(
        name="engine",
        default="auto",
        summary="what runs the encoder; auto: openvino for the embedded one, torch for others",
        choices=ENGINES,
    ),
    Option(
        name="precision",
        default="auto",
        summary="the encoder's number format; auto: as its weights are stored, embedded float32",
        choices=PRECISIONS,
    ),
    Option(
        name="device",
        default="auto",
        summary="where the encoder runs; auto: the processor, or a CUDA card for others than the embedded",
        choices=DEVICES,
    ),
)
SPECIALS = Option(
    name="specials",
    default="include",
    summary="whether special tokens may be partners",
    choices=("include", "exclude"),
)
LONG = Option(name="long", default="window", summary="over-long texts", choices=("window", "truncate"))

PRECISION, RECALL = "precision", "recall"
SIDES = {PRECISION: "hypothesis", RECALL: "reference"}
Formula = Callable[[Mapping[str, float]], float]


def attribute_means(
    old: Mapping[str, Terms], new: Mapping[str, Terms], formula: Formula, *, same: str = "context"
) -> list[Contribution]:
    """The moves of every mean, at the size that they have in the formula's value."""
    before, after = ({name: one.mean for name, one in terms.items()} for terms in (old, new))
    effects = shapley(formula, before, after)
    kept = {name: same_places(old[name].names, new[name].names) for name in old}
    found: list[Contribution] = []
    for name, effect in effects.items():
        penalty = name.startswith("penalty_")
        other = None if penalty else kept[RECALL if name == PRECISION else PRECISION]
        side = SIDES[name.removeprefix("penalty_")]
        steps = attribute_mean(old[name], new[name], side=side, kept=kept[name], others=other, same=same)
        if penalty:
            steps = [_as_reading(one) for one in steps]
        found += scaled(steps, steepness(formula, name, before, after, effect))
    return [one for one in found if one.amount or one.kind in ("added", "removed")]


def _as_reading(one: Contribution) -> Contribution:
    return Contribution(
        kind="reading",
        what=one.what,
        amount=one.amount,
        side=one.side,
        place=one.place,
        before=one.before,
        after=one.after,
    )


def harmonic_of(means: Mapping[str, float]) -> float:
    """F from the means of precision and recall."""
    return harmonic(means[PRECISION], means[RECALL])


def rescaled_f1(trace: BertScoreTrace) -> Formula:
    """The formula from precision and recall to F, rescaled where the trace has a baseline."""
    baseline = trace.baseline
    if baseline is None:
        return harmonic_of
    return lambda means: baseline.rescale("f1", harmonic_of(means))


def terms_of(trace: object, terms: Callable[..., Terms]) -> dict[str, Terms]:
    """The terms of precision (of the hypothesis) and of recall (of the reference)."""
    return {name: terms(getattr(trace, side)) for name, side in SIDES.items()}


def greedy_terms(side: Side) -> Terms:
    """Tokens with their weights, and the cosine and the place of the token that each one met."""
    values = side.cosine.astype(np.float64)
    return Terms(names=token_texts(side.tokens), weights=side.weights, values=values, partners=side.partner)


def token_texts(tokens: Sequence[object]) -> list[str]:
    """The text of each token."""
    return [str(getattr(one, "text", "")) for one in tokens]


def _attribute(before: BertScoreTrace, after: BertScoreTrace) -> list[Contribution]:
    """Tokens that were added and removed, other partners, other contexts, other weights."""
    old, new = (terms_of(trace, greedy_terms) for trace in (before, after))
    return attribute_means(old, new, rescaled_f1(after))


def _evidence(trace: BertScoreTrace, text: str) -> NDArray[np.float64]:
    """What each token of the translation loses of precision: 1 - its best cosine, by its weight."""
    side = trace.hypothesis
    return lost_by_tokens(side.tokens, side.weights, side.cosine.astype(np.float64), len(text))


BERTSCORE = Metric(
    name="bertscore",
    summary="each token meets the most similar token of the other text",
    paper="Zhang et al. 2020",
    headline="f1",
    low=-1,
    high=1,
    trace=BertScoreTrace,
    build=_prepare,
    options=(
        *ENCODER_OPTIONS,
        WEIGHT,
        IDF,
        SPECIALS,
        Option(
            name="rescale", default="no", summary="0 is a random pair, 1 the same text", choices=("no", "yes")
        ),
        LONG,
        *COMPUTE_OPTIONS,
    ),
    needs=("encoder",),
    attribute=_attribute,
    evidence=_evidence,
)


SideName = Literal["reference", "hypothesis"]
PART_OF_SIDE: Mapping[SideName, str] = {"reference": "recall", "hypothesis": "precision"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRow:
    """One token: its place, weight, best partner on the other side (None: there is none), cosine, share."""

    place: int
    token: Token
    weight: float
    partner: Token | None
    cosine: float
    share: float


def ledger(trace: BertScoreTrace, side: SideName) -> list[LedgerRow]:
    """A row per token of one side, special ones too (they weigh 0). Shares sum to the part of that side."""
    own = getattr(trace, side)
    other = trace.hypothesis if side == "reference" else trace.reference
    base = trace.baseline
    rescaled = getattr(base, PART_OF_SIDE[side]) if base and not trace.empty else 0.0
    columns = zip(own.tokens, own.weights, own.partner, own.cosine, own.shares(rescaled), strict=True)
    return [
        LedgerRow(
            place=place,
            token=token,
            weight=float(weight),
            partner=None if partner == NO_PARTNER else other.tokens[partner],
            cosine=float(cosine),
            share=float(share),
        )
        for place, (token, weight, partner, cosine, share) in enumerate(columns)
    ]


def visible(token: Token) -> str:
    """A token as it can be seen: the tokenizer's ▁ as ␣, blanks shown, special tokens in brackets.

    A token that the encoder does not know has a † behind it.
    """
    if token.special:
        return token.text
    seen = token.text.replace("▁", "␣").replace(" ", "␣").replace("\u3000", "□") or "∅"
    return f"{seen}†" if token.unknown else seen


def unknown_parts(reference: Sequence[Token], hypothesis: Sequence[Token]) -> dict[str, float]:
    """`unknown_reference` and `unknown_hypothesis`: numbers of unknown tokens, where there are any."""
    sides = {"unknown_reference": reference, "unknown_hypothesis": hypothesis}
    counts = {name: sum(token.unknown for token in tokens) for name, tokens in sides.items()}
    return {name: float(count) for name, count in counts.items() if count}
