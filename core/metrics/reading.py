"""BERTScore with a penalty on rare words that sound different (paper A), for names above all.

Every token gets a coefficient m: how two readings agree (M in core/metrics/penalty.py) if it is rare, else 1.
P' = P · mean_j m(x̂_j), R' = R · mean_i m(x_i) over the tokens that are not special, F' = 2P'R' / (P' + R').
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.backends import Reader, Word
from core.metrics.base import Reading
from core.metrics.bertscore.metric import PARTS, BertScoreTrace, Side, harmonic
from core.metrics.penalty import (
    Edit,
    Meeting,
    Rarity,
    coefficient,
    joined,
    meet,
    rare_tokens,
    set_readings,
    word_spans,
)
from core.types import Result, TextPair

NONE = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenEvidence:
    """One token as a table shows it; `edits` lead from its reading to its partner's (empty unless rare).

    place: which token of its text it is, special ones counted.
    """

    place: int
    text: str
    idf: float | None
    rare: bool
    entity: str | None
    partner: str
    reading: str
    partner_reading: str
    edits: tuple[Edit, ...]
    coefficient: float


@dataclass(frozen=True, slots=True)
class Steps:
    """F before, with the penalty on precision alone, and with both."""

    base: float
    halfway: float
    penalised: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReadingSide:
    """What one text adds to BERTScore's half: n tokens, special ones included.

    words: the words of the text with their readings. spans: (n, 2) half-open places in `words` that a token
    touches. idf: (n,) float64, None where no dictionary was asked. rare: (n,). readings, partner_readings: of
    the words of each token and of its partner. meetings: the readings that were compared; meeting: (n,) which
    of them gives a token its coefficient, -1 for the coefficient 1.
    """

    words: tuple[Word, ...]
    spans: NDArray[np.int64]
    idf: NDArray[np.float64] | None
    rare: NDArray[np.bool_]
    readings: tuple[str, ...]
    partner_readings: tuple[str, ...]
    meeting: NDArray[np.int64]
    meetings: tuple[Meeting, ...]

    def coefficients(self) -> NDArray[np.float64]:
        """(n,) m of each token, computed from the readings of its meeting."""
        measured = np.array([*(coefficient(one.own, one.other) for one in self.meetings), 1.0])
        return np.asarray(measured[self.meeting], np.float64)  # -1 is the last one


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReadingTrace:
    """BERTScore's own evidence in `base`, and the readings of both sides. `mode` is `set` or `token`."""

    base: BertScoreTrace
    reference: ReadingSide
    hypothesis: ReadingSide
    mode: str

    def penalties(self) -> tuple[float, float]:
        """Mean coefficient over the tokens of the hypothesis and of the reference, each in [0, 1]."""
        return _penalty(self.hypothesis, self.base.hypothesis), _penalty(self.reference, self.base.reference)

    def parts(self) -> dict[str, float]:
        """`precision`, `recall`, `f1` with the penalty, `base_…` without it, and the two `penalty_…`.

        Under `rescale` both kinds are rescaled after the penalty, and `raw_…` are the numbers before that.
        """
        base = self.base.parts()
        at_precision, at_recall = self.penalties()
        raw = "" if self.base.baseline is None else "raw_"
        precision, recall = base[f"{raw}precision"] * at_precision, base[f"{raw}recall"] * at_recall
        parts = {"precision": precision, "recall": recall, "f1": harmonic(precision, recall)}
        if self.base.baseline is not None:
            unscaled = {f"raw_{name}": value for name, value in parts.items()}
            if not self.base.empty:
                parts = {name: self.base.baseline.rescale(name, value) for name, value in parts.items()}
            parts |= unscaled
        parts |= {f"base_{name}": base[name] for name in PARTS}
        parts |= {"penalty_precision": at_precision, "penalty_recall": at_recall}
        return parts | {name: value for name, value in base.items() if name.startswith("lost_")}

    def steps(self) -> Steps:
        """How each penalty moves F, on the scale that is shown (raw or rescaled)."""
        parts, before = self.parts(), self.base.parts()
        raw = "" if self.base.baseline is None else "raw_"
        halfway = harmonic(parts[f"{raw}precision"], before[f"{raw}recall"])
        if self.base.baseline is not None and not self.base.empty:
            halfway = self.base.baseline.rescale("f1", halfway)
        return Steps(parts["base_f1"], halfway, parts["f1"])

    def evidence(self, name: str) -> list[TokenEvidence]:
        """One row per token of the side `reference` or `hypothesis`, special tokens left out."""
        own, side = getattr(self, name), getattr(self.base, name)
        other = self.base.hypothesis if name == "reference" else self.base.reference
        m = own.coefficients()
        return [
            TokenEvidence(
                place=i,
                text=token.text,
                idf=None if own.idf is None else float(own.idf[i]),
                rare=bool(own.rare[i]),
                entity=_entity(own, i),
                partner=other.tokens[side.partner[i]].text if side.partner[i] != NONE else "",
                reading=own.readings[i],
                partner_reading=own.partner_readings[i],
                edits=meet(own.readings[i], own.partner_readings[i]).edits if own.rare[i] else (),
                coefficient=float(m[i]),
            )
            for i, token in enumerate(side.tokens)
            if not token.special
        ]

    def flags(self) -> tuple[str, ...]:
        """`no-rare-token`: neither text has one. `all-rare`: a text has no other tokens that can be read."""
        sides = (self.reference, self.hypothesis)
        if not any(side.rare.any() for side in sides):
            return ("no-rare-token",)
        readable = [side.spans[:, 1] > side.spans[:, 0] for side in sides]
        every = [bool(side.rare[one].all() and one.any()) for side, one in zip(sides, readable, strict=True)]
        return ("all-rare",) if any(every) else ()


def score(
    pair: TextPair,
    *,
    base: Callable[[TextPair], Result[BertScoreTrace]],
    encoding: Reading,
    reader: Reader,
    rarity: Rarity,
    mode: str = "set",
    kana: str = "normal",
    signed: str = "",
) -> Result[ReadingTrace]:
    """Penalised F of one pair, in [-1, 1], never above BERTScore's where that is positive.

    base: BERTScore with its options settled; encoding: how it reads texts. mode: `set` compares the rare
    words of a text, joined, with those of their partners and gives every rare token that one M; `token`
    compares each rare token's word with its own partner's. A text without rare tokens has the penalty 1. An
    empty side scores 0.
    """
    plain = base(pair)
    if plain.trace is None:
        raise TypeError("BERTScore left no trace")
    texts = [pair.reference, pair.hypothesis]
    words = reader.read(texts, lang=pair.lang, entities=rarity.criterion != "idf", kana=kana)
    encoded = encoding.encoder.encode(texts, layer=encoding.layer, long=encoding.long)
    trace = _trace(plain.trace, words, [one.ids for one in encoded], rarity, mode)
    parts = trace.parts()
    return Result(
        metric="bertscore-reading",
        score=parts["f1"],
        parts=parts,
        signature=signed,
        flags=plain.flags if plain.trace.empty else plain.flags + trace.flags(),
        trace=trace,
    )


def _trace(
    base: BertScoreTrace, read: list[list[Word]], ids: list[NDArray[np.int64]], rarity: Rarity, mode: str
) -> ReadingTrace:
    halves = (base.reference, base.hypothesis)
    spans = [word_spans(half.tokens, words) for half, words in zip(halves, read, strict=True)]
    sides = [
        _side(halves[own], (read[own], read[1 - own]), (spans[own], spans[1 - own]), ids[own], rarity, mode)
        for own in (0, 1)
    ]
    return ReadingTrace(base=base, reference=sides[0], hypothesis=sides[1], mode=mode)


def _side(
    half: Side,
    words: tuple[list[Word], list[Word]],
    spans: tuple[NDArray[np.int64], NDArray[np.int64]],
    ids: NDArray[np.int64],
    rarity: Rarity,
    mode: str,
) -> ReadingSide:
    """`words` and `spans` of this text and of the other one."""
    rare, idf = rare_tokens(ids, spans[0], words[0], rarity)
    partners = np.vstack([spans[1], [[0, 0]]])[half.partner]  # -1, no partner, is the last one: no words
    readings = tuple(joined(words[0][first:last]) for first, last in spans[0])
    partner_readings = tuple(joined(words[1][first:last]) for first, last in partners)
    places = np.flatnonzero(rare)
    meeting = np.full(len(ids), NONE, np.int64)
    meetings: tuple[Meeting, ...] = ()
    if mode == "token":
        meetings = tuple(meet(readings[at], partner_readings[at]) for at in places)
        meeting[places] = np.arange(len(places))
    elif len(places):
        chains = [(range(*spans[0][at]), range(*partners[at])) for at in places]
        meetings = (meet(*set_readings(chains, words[0], words[1])),)
        meeting[places] = 0
    return ReadingSide(
        words=tuple(words[0]),
        spans=spans[0],
        idf=idf,
        rare=rare,
        readings=readings,
        partner_readings=partner_readings,
        meeting=meeting,
        meetings=meetings,
    )


def _penalty(side: ReadingSide, half: Side) -> float:
    counted = np.array([not token.special for token in half.tokens], bool)
    return float(side.coefficients()[counted].mean()) if counted.any() else 1.0


def _entity(side: ReadingSide, at: int) -> str | None:
    first, last = side.spans[at]
    return next((word.entity for word in side.words[first:last] if word.entity), None)
