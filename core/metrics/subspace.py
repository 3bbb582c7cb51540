"""Subspace-BERTScore (paper B): a token belongs to a text as far as it lies in the span of its tokens.

membership(a, B) = max over b in span(B) of |cos(a, b)| = the length of the unit vector a projected on
span(B): the cosine of the first canonical angle, in [0, 1]. P = Σ w(x̂_j) membership(x̂_j, x) / Σ w(x̂_j),
R likewise over the reference, F = 2PR / (P + R). With `window=sentence` the spans are those of sentences,
and a token belongs to a text as far as it lies in the one that holds it best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.backends import Backends, Encoder
from core.errors import OptionError
from core.metrics.base import Option, Prepared, Reading, Settings, Spec, text_flags
from core.metrics.bertscore.matching import match
from core.metrics.bertscore.metric import ENCODER_OPTIONS, LONG, SPECIALS, harmonic, read_layer
from core.metrics.bertscore.weights import IDF, WEIGHT, all_zero, find_idf, spread, token_weights
from core.metrics.idf import Idf
from core.metrics.inclusion import WINDOWS, Inclusion, Spans, SpanWindow, inclusion, ranks, spans_of
from core.metrics.span import RANK_TOLERANCE
from core.signature import signature
from core.types import Result, TextPair, Token, TokenVectors


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SubspaceSide:
    """One text's half: n tokens, special ones included.

    weights: (n,) float64, specials 0. inside: how far each token lies in the other text's spans. partner,
    cosine: (n,) the greedy match of BERTScore, to compare with. windows: the spans of this text itself.
    """

    tokens: tuple[Token, ...]
    weights: NDArray[np.float64]
    inside: Inclusion
    partner: NDArray[np.int64]
    cosine: NDArray[np.float32]
    windows: tuple[SpanWindow, ...]

    @property
    def membership(self) -> NDArray[np.float64]:
        """(n,) in [0, 1], of each token in the other side's span."""
        return self.inside.membership

    @property
    def rank(self) -> int:
        """The most directions that a window of this text spans."""
        return ranks(self.windows)[0]

    @property
    def kept(self) -> int:
        """The most directions that `energy` left to a window of this text."""
        return ranks(self.windows)[1]

    def shares(self) -> NDArray[np.float64]:
        """(n,) what each token adds to precision or recall; they sum to it."""
        total = self.weights.sum()
        return self.weights / total * self.membership if total else np.zeros(len(self.tokens))

    @property
    def angles(self) -> NDArray[np.float64]:
        """(n,) canonical angle of each token with the other side's span, in degrees."""
        return np.degrees(np.arccos(self.membership))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SubspaceTrace:
    """The whole evidence; `dimension` is the vector size d that a rank is compared to."""

    reference: SubspaceSide
    hypothesis: SubspaceSide
    dimension: int

    def parts(self) -> dict[str, float]:
        """`precision`, `recall`, `f1` in [0, 1], and `rank_ratio`, the larger kept rank over d."""
        precision = float(self.hypothesis.shares().sum())
        recall = float(self.reference.shares().sum())
        ratio = max(self.reference.kept, self.hypothesis.kept) / self.dimension
        return {
            "precision": precision,
            "recall": recall,
            "f1": harmonic(precision, recall),
            "rank_ratio": ratio,
        }


def score(
    pair: TextPair,
    *,
    encoder: Encoder,
    layer: int,
    energy: float = 1.0,
    max_ratio: float = 0.5,
    window: str = "text",
    weight: str = "none",
    idf: Idf | None = None,
    specials: str = "include",
    long: str = "window",
    signed: str = "",
) -> Result[SubspaceTrace]:
    """Subspace F of one pair, in [0, 1].

    energy: the share of the variance whose leading directions make the span; 1 is the paper's. window: `text`
    (the paper's) or `sentence`, each with a span of its own. specials: whether special tokens help to span.
    Membership never falls when text is appended: where a span fills more than `max_ratio` of the dimensions
    the score has the flag `subspace-saturated`. An empty side gives 0.
    """
    reference, hypothesis = encoder.encode([pair.reference, pair.hypothesis], layer=layer, long=long)
    weights = [token_weights(one, weight, idf) for one in (reference, hypothesis)]
    spans = [
        spans_of(text, one, window=window, specials=specials, energy=energy)
        for text, one in ((pair.reference, reference), (pair.hypothesis, hypothesis))
    ]
    trace = _trace((reference, hypothesis), spans, weights, specials)
    parts = trace.parts()
    flags = text_flags(pair) + tuple(dict.fromkeys(reference.flags + hypothesis.flags))
    if weight == "idf" and (all_zero(weights[0], reference) or all_zero(weights[1], hypothesis)):
        flags += ("idf-all-zero",)
    if parts["rank_ratio"] > max_ratio:
        flags += ("subspace-saturated",)
    return Result(
        metric="subspace", score=parts["f1"], parts=parts, signature=signed, flags=flags, trace=trace
    )


def _trace(
    texts: tuple[TokenVectors, TokenVectors],
    spans: list[Spans],
    weights: list[NDArray[np.float64]],
    specials: str,
) -> SubspaceTrace:
    empty = any(one.special.all() for one in texts)
    matching = match(*texts, specials=specials)
    sides = [
        SubspaceSide(
            tokens=texts[own].tokens,
            weights=np.zeros(len(weights[own])) if empty else spread(texts[own], weights[own]),
            inside=inclusion(texts[own], spans[other]),
            partner=best.partner,
            cosine=best.cosine,
            windows=spans[own].windows,
        )
        for own, other, best in ((0, 1, matching.rows), (1, 0, matching.columns))
    ]
    return SubspaceTrace(reference=sides[0], hypothesis=sides[1], dimension=texts[0].vectors.shape[1])


def _prepare(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Prepared[SubspaceTrace]:
    chosen = SUBSPACE.settle(settings)
    encoder = backends.encoder(chosen["encoder"])
    layer = read_layer(chosen["layer"], encoder)
    idf = find_idf(chosen["idf"], encoder, pairs) if chosen["weight"] == "idf" else None
    energy, max_ratio = (_share(chosen[name], name) for name in ("energy", "max_ratio"))
    about = {
        "enc": f"{encoder.name}@{encoder.fingerprint}",
        "layer": layer,
        "energy": energy,
        "rank": f"{RANK_TOLERANCE:g}",
        "window": chosen["window"],
        "weight": chosen["weight"],
        "idf": idf.signature if idf else "no",
        "specials": chosen["specials"],
        "long": chosen["long"],
        **encoder.libraries,
    }
    signed = signature("subspace", about)

    scored = partial(
        score,
        encoder=encoder,
        layer=layer,
        energy=energy,
        max_ratio=max_ratio,
        window=chosen["window"],
        weight=chosen["weight"],
        idf=idf,
        specials=chosen["specials"],
        long=chosen["long"],
        signed=signed,
    )
    reading = Reading(encoder=encoder, layer=layer, long=chosen["long"])
    return Prepared(score=scored, signature=signed, reading=reading)


def _share(value: str, name: str) -> float:
    try:
        share = float(value)
    except ValueError:
        share = -1
    if not 0 < share <= 1:
        raise OptionError(f"{name}={value}: give a share above 0 and at most 1", option=name)
    return share


SUBSPACE = Spec(
    name="subspace",
    summary="each token lies more or less in the span of the other text's tokens",
    paper="paper B, Subspace-BERTScore",
    headline="f1",
    low=0,
    high=1,
    trace=SubspaceTrace,
    prepare=_prepare,
    options=(
        *ENCODER_OPTIONS,
        Option(name="energy", default="1.0", summary="share of the variance that makes the span; 1 is all"),
        Option(name="max_ratio", default="0.5", summary="rank over dimension that counts as saturated"),
        Option(
            name="window",
            default="text",
            summary="one span for the whole text, or one for each sentence",
            choices=WINDOWS,
        ),
        WEIGHT,
        IDF,
        SPECIALS,
        LONG,
    ),
    needs=("encoder",),
)
