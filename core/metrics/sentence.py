"""Cosine of two sentence vectors, each the mean of its token vectors (a baseline of the novels paper)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.attribution import NONE, Contribution, same_places
from core.backends import Backends
from core.metrics.base import Metric, Option, Scorer, Settings, text_flags
from core.metrics.bertscore.metric import COMPUTE_OPTIONS, ENCODER_OPTIONS, open_encoder, read_layer
from core.metrics.fetched import EncoderRequest, VectorSource
from core.metrics.places import on_characters
from core.papers import NOVELS
from core.signature import signature
from core.types import Result, TextPair, Token, TokenVectors, shown


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PooledSide:
    """n tokens, special ones included; shares: (n,) float64, what each adds to the cosine."""

    tokens: tuple[Token, ...]
    shares: NDArray[np.float64] = field(metadata=shown(decimals=6))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SentenceTrace:
    """The two mean vectors, (d,) float64 each, and how much of the cosine each token carries."""

    reference: PooledSide
    hypothesis: PooledSide
    reference_vector: NDArray[np.float64]
    hypothesis_vector: NDArray[np.float64]
    empty: bool

    def parts(self) -> dict[str, float]:
        """`cosine` in [-1, 1]; 0 when a side is empty."""
        if self.empty:
            return {"cosine": 0.0}
        lengths = np.linalg.norm(self.reference_vector) * np.linalg.norm(self.hypothesis_vector)
        return {"cosine": float(self.reference_vector @ self.hypothesis_vector / lengths) if lengths else 0.0}


def score(
    pair: TextPair, *, encoder: VectorSource, layer: int, long: str = "window", signed: str = ""
) -> Result[SentenceTrace]:
    """Cosine of the mean token vectors (special tokens included, as e5 pools), in [-1, 1]."""
    reference, hypothesis = encoder.encode([pair.reference, pair.hypothesis], layer=layer, long=long)
    means = [one.vectors.astype(np.float64).mean(axis=0) for one in (reference, hypothesis)]
    trace = SentenceTrace(
        reference=_pooled(reference, means[0], means[1]),
        hypothesis=_pooled(hypothesis, means[1], means[0]),
        reference_vector=means[0],
        hypothesis_vector=means[1],
        empty=bool(reference.special.all() or hypothesis.special.all()),
    )
    flags = text_flags(pair) + tuple(dict.fromkeys(reference.flags + hypothesis.flags))
    parts = trace.parts()
    return Result(
        metric="sentence-cosine",
        score=parts["cosine"],
        parts=parts,
        signature=signed,
        flags=flags,
        trace=trace,
    )


def _pooled(text: TokenVectors, own: NDArray[np.float64], other: NDArray[np.float64]) -> PooledSide:
    lengths = np.linalg.norm(own) * np.linalg.norm(other) * len(text.tokens)
    shares = text.vectors.astype(np.float64) @ other / lengths if lengths else np.zeros(len(text.tokens))
    return PooledSide(tokens=text.tokens, shares=np.asarray(shares, np.float64))


def _prepare(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Scorer[SentenceTrace]:
    chosen = SENTENCE_COSINE.settle(settings)
    encoder = open_encoder(chosen, backends)
    layer = encoder.layers if chosen["layer"] == "last" else read_layer(chosen["layer"], encoder)
    about = {
        "enc": f"{encoder.name}@{encoder.fingerprint}",
        "layer": layer,
        "pool": "mean",
        "long": chosen["long"],
        **encoder.libraries,
    }
    signed = signature("sentence-cosine", about)
    reading = EncoderRequest(encoder=encoder, layer=layer, long=chosen["long"])
    return Scorer(
        compute=lambda pair, fetched: score(
            pair, encoder=fetched.encoder(encoder), layer=layer, long=chosen["long"], signed=signed
        ),
        signature=signed,
        encodes=reading,
    )


def _attribute(before: SentenceTrace, after: SentenceTrace) -> list[Contribution]:
    """What each token of the hypothesis carries of the cosine."""
    if before.empty or after.empty:
        first, last = before.parts()["cosine"], after.parts()["cosine"]
        return [Contribution(kind="whole", what="", amount=last - first, before=first, after=last)]
    old, new = before.hypothesis, after.hypothesis
    kept = same_places([one.text for one in old.tokens], [one.text for one in new.tokens])
    found = []
    for place, was in enumerate(kept):
        share = float(new.shares[place])
        earlier = None if was == NONE else float(old.shares[was])
        found.append(
            Contribution(
                kind="added" if earlier is None else "context",
                what=new.tokens[place].text,
                side="hypothesis",
                place=place,
                before=earlier,
                after=share,
                amount=share - (earlier or 0.0),
            )
        )
    for place in sorted(set(range(len(old.tokens))) - set(kept.tolist())):
        share = float(old.shares[place])
        text = old.tokens[place].text
        found.append(
            Contribution(
                kind="removed", what=text, side="hypothesis", place=place, before=share, amount=-share
            )
        )
    return found


def _evidence(trace: SentenceTrace, text: str) -> NDArray[np.float64]:
    """How far each token of the translation stays behind: 1 - its share of the cosine times their number."""
    side = trace.hypothesis
    pieces = zip(side.tokens, (1 - len(side.tokens) * side.shares).tolist(), strict=True)
    return on_characters(len(text), ((one.start, one.end, value) for one, value in pieces))


SENTENCE_COSINE = Metric(
    name="sentence-cosine",
    summary="cosine of the two mean vectors",
    paper=f"baseline of {NOVELS.cite}",
    source=NOVELS,
    headline="cosine",
    low=-1,
    high=1,
    trace=SentenceTrace,
    build=_prepare,
    options=(
        ENCODER_OPTIONS[0],
        Option(name="layer", default="last", summary="which layer's vectors; `last`, `default` or a number"),
        Option(name="long", default="window", summary="over-long texts", choices=("window", "truncate")),
        *COMPUTE_OPTIONS,
    ),
    needs=("encoder",),
    attribute=_attribute,
    evidence=_evidence,
)
