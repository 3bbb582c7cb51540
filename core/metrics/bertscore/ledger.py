"""The score ledger: what each token adds to precision or recall. The shares add up to the shown number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from core.metrics.bertscore.matching import NO_PARTNER
from core.metrics.bertscore.metric import BertScoreTrace
from core.types import Token

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
    """A token as it can be seen: the tokenizer's ▁ as ␣, blanks shown, special tokens in brackets."""
    if token.special:
        return token.text
    return token.text.replace("▁", "␣").replace(" ", "␣").replace("\u3000", "□") or "∅"
