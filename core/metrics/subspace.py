"""Subspace-BERTScore (Ishibashi et al.): how far each token lies in the span of the other text's tokens.

membership(a, B) = max over b in span(B) of |cos(a, b)| = the length of the unit vector a projected on
span(B): the cosine of the first canonical angle, in [0, 1]. P = Σ w(x̂_j) membership(x̂_j, x) / Σ w(x̂_j),
R likewise over the reference, F = 2PR / (P + R). With `window=sentence` the spans are those of sentences,
and the membership of a token is the largest over the sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.attribution import Contribution, Terms
from core.backends import Backends
from core.errors import OptionError
from core.metrics.base import Metric, Option, Scorer, Settings, text_flags
from core.metrics.bertscore.matching import match
from core.metrics.bertscore.metric import (
    COMPUTE_OPTIONS,
    ENCODER_OPTIONS,
    LONG,
    SPECIALS,
    attribute_means,
    harmonic,
    harmonic_of,
    open_encoder,
    read_layer,
    terms_of,
    token_texts,
    unknown_parts,
)
from core.metrics.bertscore.weights import IDF, WEIGHT, all_zero, find_idf, spread, token_weights
from core.metrics.fetched import EncoderRequest, VectorSource
from core.metrics.idf import Idf
from core.metrics.places import lost_by_tokens
from core.papers import ISHIBASHI
from core.signature import signature
from core.text.segmentation import sentence_starts
from core.types import Result, TextPair, Token, TokenVectors, shown

RANK_TOLERANCE = 1e-3
"""A direction counts when its singular value is above this share of the largest: repeated tokens add none.

Nor do two tokens that differ by what float32 loses, as the special tokens of multilingual-e5 do: the
direction between them (a share of 0.00001 to 0.0001) is noise, and would change with the batch; the others
begin at 0.003.
"""


@dataclass(frozen=True, slots=True, eq=False)
class SubspaceBasis:
    """An orthonormal basis of the span of m unit vectors, as combinations of them.

    mix: (m, k) float64; the directions are the columns of vectors.T @ mix. singular: (k,) descending.
    rank: how many directions there were before `energy` left k.
    """

    mix: NDArray[np.float64]
    singular: NDArray[np.float64]
    rank: int


def span_of(units: NDArray[np.float64], energy: float = 1.0) -> SubspaceBasis:
    """The span of (m, d) unit vectors, by eigenvectors in float64 of the smaller of their two Gram matrices.

    Below energy 1 only the leading directions that hold that share of the variance, the sum of squared
    singular values.
    """
    if not len(units):
        return SubspaceBasis(np.zeros((0, 0)), np.zeros(0), 0)
    wide = len(units) <= units.shape[1]
    values, vectors = np.linalg.eigh(units @ units.T if wide else units.T @ units)
    singular = np.sqrt(np.maximum(values[::-1], 0))
    rank = int((singular > RANK_TOLERANCE * singular[0]).sum())
    held = np.cumsum(singular[:rank] ** 2)
    kept = rank if energy >= 1 else min(int(np.searchsorted(held / held[-1], energy - 1e-12)) + 1, rank)
    leading = vectors[:, ::-1][:, :kept]
    if not wide:  # these are the directions themselves: V = units.T U / s, so U = units V / s
        leading = units @ leading / singular[:kept]
    return SubspaceBasis(leading / singular[:kept], singular[:kept], rank)


def coordinates(
    units: NDArray[np.float64], spanning: NDArray[np.float64], span: SubspaceBasis
) -> NDArray[np.float64]:
    """(n, d) unit vectors -> (n, k) their coordinates along the directions of the span of `spanning`."""
    if not len(spanning):
        return np.zeros((len(units), 0))
    return np.asarray((units @ spanning.T) @ span.mix, np.float64)


def membership(
    units: NDArray[np.float64], spanning: NDArray[np.float64], span: SubspaceBasis
) -> NDArray[np.float64]:
    """(n, d) unit vectors -> (n,) lengths of their projections on the span of (m, d) `spanning`: [0, 1]."""
    return lengths(coordinates(units, spanning, span))


def lengths(along: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, k) coordinates along orthonormal directions -> (n,) lengths in [0, 1]."""
    return np.asarray(np.clip(np.sqrt((along**2).sum(axis=1)), 0, 1), np.float64)


WINDOWS = ("text", "sentence")
NEAREST = 3
"""So many tokens name a direction."""
COVERING = 5
"""So many directions are kept as evidence for each token."""


@dataclass(frozen=True, slots=True, eq=False)
class SpanWindow:
    """A stretch of a text and the span of its tokens.

    first, last: half-open places of its tokens; special tokens that help to span belong to every window.
    rank: directions of the span. singular: (k,) of those left by `energy`, descending. nearest: (k, 3) places
    of the tokens that lie nearest to each direction, -1 where there are fewer.
    """

    first: int
    last: int
    rank: int
    singular: NDArray[np.float64] = field(metadata=shown(decimals=4))
    nearest: NDArray[np.int64]

    @property
    def kept(self) -> int:
        """How many directions `energy` left."""
        return len(self.singular)


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """The spans of one text, and the unit vectors that each is made of."""

    windows: tuple[SpanWindow, ...]
    spans: tuple[SubspaceBasis, ...]
    spanning: tuple[NDArray[np.float64], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Inclusion:
    """n tokens in the spans of another text, special ones included.

    membership: (n,) in [0, 1], in the window that holds the token best; window: (n,) which one, -1 without
    any. directions, covered: (n, 5) the directions of that window that cover most of the token, and which
    share of the unit vector (the squared coordinate); -1 and 0 where there are fewer.
    """

    membership: NDArray[np.float64]
    window: NDArray[np.int64]
    directions: NDArray[np.int64]
    covered: NDArray[np.float64] = field(metadata=shown(decimals=4))


def unit_vectors(text: TokenVectors) -> NDArray[np.float64]:
    """(n, d) float64 vectors of length 1 (a vector of length 0 stays 0)."""
    return text.vectors.astype(np.float64) / np.where(text.lengths == 0, 1, text.lengths)[:, None]


def spans_of(text: str, encoded: TokenVectors, *, window: str, specials: str, energy: float) -> Spans:
    """Span every window of a text; `specials` is `include` or `exclude`."""
    units = unit_vectors(encoded)
    everywhere = np.flatnonzero(encoded.special) if specials == "include" else np.array([], np.int64)
    stretches = _stretches(text, encoded) if window == "sentence" else [_whole(encoded)]
    windows, spans, spanning = [], [], []
    for first, last in stretches:
        inner = np.arange(first, last)
        places = np.sort(np.concatenate([inner[~encoded.special[first:last]], everywhere]))
        vectors = units[places]
        span = span_of(vectors, energy)
        near = _nearest(vectors, span)
        named = np.where(near < 0, -1, np.append(places, 0)[near])
        windows.append(SpanWindow(first, last, span.rank, span.singular, named.astype(np.int64)))
        spans.append(span)
        spanning.append(vectors)
    return Spans(tuple(windows), tuple(spans), tuple(spanning))


def inclusion(tokens: TokenVectors, other: Spans) -> Inclusion:
    """How far each token lies in the best window of the other text."""
    units = unit_vectors(tokens)
    along = [
        coordinates(units, vectors, span) for vectors, span in zip(other.spanning, other.spans, strict=True)
    ]
    inside = np.array([lengths(one) for one in along]).reshape(len(along), len(units))
    best = inside.argmax(axis=0)
    directions = np.full((len(units), COVERING), -1, np.int64)
    covered = np.zeros((len(units), COVERING))
    for place in range(len(units)):
        share = along[best[place]][place] ** 2
        top = np.argsort(-share, kind="stable")[:COVERING]
        directions[place, : len(top)], covered[place, : len(top)] = top, share[top]
    return Inclusion(inside[best, np.arange(len(units))], best.astype(np.int64), directions, covered)


def _without_strangers(found: Inclusion, own: TokenVectors, other: TokenVectors) -> Inclusion:
    """A token that the encoder does not know lies in the other text only where the same characters do."""
    strangers = [place for place, char in own.unknown.items() if char not in other.unknown.values()]
    if not strangers:
        return found
    membership = found.membership.copy()
    membership[strangers] = 0
    return replace(found, membership=membership)


def _whole(encoded: TokenVectors) -> tuple[int, int]:
    return 0, len(encoded.ids)


def _stretches(text: str, encoded: TokenVectors) -> list[tuple[int, int]]:
    """Half-open places of the tokens that begin in each sentence; sentences without a token are left out."""
    starts = sentence_starts(text)
    sentence = np.searchsorted(starts, [token.start for token in encoded.tokens], "right")
    own = [place for place in range(len(encoded.ids)) if not encoded.special[place]]
    found: list[tuple[int, int]] = []
    for place in own:
        if found and sentence[found[-1][0]] == sentence[place]:
            found[-1] = (found[-1][0], place + 1)
        else:
            found.append((place, place + 1))
    return found or [_whole(encoded)]


def _nearest(vectors: NDArray[np.float64], span: SubspaceBasis) -> NDArray[np.int64]:
    """(k, 3) which of the m vectors lie nearest to each direction, by absolute cosine."""
    cosine = np.abs(coordinates(vectors, vectors, span))
    found = np.full((cosine.shape[1], NEAREST), -1, np.int64)
    top = np.argsort(-cosine, axis=0, kind="stable")[:NEAREST].T
    found[:, : top.shape[1]] = top
    return found


def ranks(windows: Sequence[SpanWindow]) -> tuple[int, int]:
    """The largest rank among the windows, and the largest number of directions kept."""
    return max((one.rank for one in windows), default=0), max((one.kept for one in windows), default=0)


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
            **unknown_parts(self.reference.tokens, self.hypothesis.tokens),
        }


def score(
    pair: TextPair,
    *,
    encoder: VectorSource,
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
            inside=_without_strangers(inclusion(texts[own], spans[other]), texts[own], texts[other]),
            partner=best.partner,
            cosine=best.cosine,
            windows=spans[own].windows,
        )
        for own, other, best in ((0, 1, matching.rows), (1, 0, matching.columns))
    ]
    return SubspaceTrace(reference=sides[0], hypothesis=sides[1], dimension=texts[0].vectors.shape[1])


def _prepare(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Scorer[SubspaceTrace]:
    chosen = SUBSPACE.settle(settings)
    encoder = open_encoder(chosen, backends)
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
    reading = EncoderRequest(encoder=encoder, layer=layer, long=chosen["long"])
    return Scorer(
        compute=lambda pair, fetched: scored(pair, encoder=fetched.encoder(encoder)),
        signature=signed,
        encodes=reading,
    )


def _share(value: str, name: str) -> float:
    try:
        share = float(value)
    except ValueError:
        share = -1
    if not 0 < share <= 1:
        raise OptionError("{option}={value}: give a share above 0 and at most 1", option=name, value=value)
    return share


def _inside(side: SubspaceSide) -> Terms:
    return Terms(
        names=token_texts(side.tokens), weights=side.weights, values=side.membership.astype(np.float64)
    )


def _attribute(before: SubspaceTrace, after: SubspaceTrace) -> list[Contribution]:
    """Tokens that were added and removed, and how far the others lie in the other text's span."""
    old, new = (terms_of(trace, _inside) for trace in (before, after))
    return attribute_means(old, new, harmonic_of, same="span")


def _evidence(trace: SubspaceTrace, text: str) -> NDArray[np.float64]:
    """What each token of the translation loses of precision: 1 - its membership, by its weight."""
    side = trace.hypothesis
    return lost_by_tokens(side.tokens, side.weights, side.membership.astype(np.float64), len(text))


SUBSPACE = Metric(
    name="subspace",
    summary="each token lies more or less in the span of the other text's tokens",
    paper=f"{ISHIBASHI.cite}, Subspace-BERTScore",
    source=ISHIBASHI,
    headline="f1",
    low=0,
    high=1,
    trace=SubspaceTrace,
    build=_prepare,
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
        *COMPUTE_OPTIONS,
    ),
    needs=("encoder",),
    attribute=_attribute,
    evidence=_evidence,
)
