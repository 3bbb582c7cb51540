"""The protocols by which people judge translations: what is asked of a rater, and what a rating says.

`adequacy`: one score, 0 to 100 (the novels paper). `da-sqm`: the same on a rail with SQM's words, 0 to 6.
`esa`: minor and major errors marked first, then the score. `mqm`: errors with severity and category, no
score; the number is computed from them. `side-by-side`: several systems of one segment at once, a score each.
`reading`: a whole text in two versions or more, read one after the other, with highlights and a preference
(`core/raters/reading/`), and if wanted side by side in chunks; it has no items and no ratings. `chunks`: the
second part of it alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.errors import RatingError
from core.raters.own_errors import NO_OWN_ERRORS, OwnErrors
from core.raters.own_scales import OwnScale

MINOR, MAJOR, CRITICAL, NEUTRAL = "minor", "major", "critical", "neutral"
TARGET, SOURCE = "target", "source"
SIDE_BY_SIDE = "side-by-side"
READING = "reading"
CHUNKS = "chunks"
STUDIES = frozenset({READING, CHUNKS})
"""Reading studies: people get versions of the text, and no items."""
MOST_SPANS = 200
NOTE_LIMIT = 2_000
FIVE = 5
NON_TRANSLATION = "non-translation"
WEIGHTS = {MAJOR: 5.0, MINOR: 1.0, CRITICAL: 5.0, NEUTRAL: 0.0}
PUNCTUATION_WEIGHT, NON_TRANSLATION_WEIGHT = 0.1, 25.0
"""Google's MQM weights: a minor fluency/punctuation error counts .1, a non-translation 25."""


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """An error that a person marked, in half-open code points of the text as it is stored.

    side: `target` (the translation) or `source`. missing: an omission, which has no place: start
    and end are 0. category: a path such as `accuracy/mistranslation`, empty where the protocol has none.
    """

    start: int
    end: int
    severity: str
    category: str = ""
    side: str = TARGET
    missing: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """What is asked. severities: of marked spans, if any. at_once: how many systems a screen may show.

    scales: what the campaign asks beside the score. errors: its own categories and severities.
    """

    name: str
    scored: bool = True
    severities: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    anchors: tuple[float, ...] = ()
    at_once: int = 1
    scales: tuple[OwnScale, ...] = ()
    errors: OwnErrors = NO_OWN_ERRORS

    @property
    def marks(self) -> bool:
        """Whether spans are marked."""
        return bool(self.severities)


MQM_CATEGORIES = (
    "accuracy/addition",
    "accuracy/omission",
    "accuracy/mistranslation",
    "accuracy/untranslated",
    "fluency/punctuation",
    "fluency/spelling",
    "fluency/grammar",
    "fluency/register",
    "fluency/inconsistency",
    "style/awkward",
    "style/voice",
    "terminology/inappropriate",
    "terminology/inconsistent",
    "locale",
    NON_TRANSLATION,
    "source-error",
    "other",
)
"""Google's taxonomy, without its encoding and format rows, with `voice`: how a character speaks."""

PROTOCOLS: Mapping[str, Protocol] = {
    one.name: one
    for one in (
        Protocol(name="adequacy", anchors=(0, 33, 66, 100)),
        Protocol(name="da-sqm", anchors=(0, 100 / 6, 200 / 6, 50, 400 / 6, 500 / 6, 100)),
        Protocol(name="esa", severities=(MINOR, MAJOR), anchors=(0, 33, 66, 100)),
        Protocol(name="mqm", scored=False, severities=(MINOR, MAJOR, NEUTRAL), categories=MQM_CATEGORIES),
        Protocol(name=SIDE_BY_SIDE, at_once=5),
        Protocol(name=READING, scored=False),
        Protocol(name=CHUNKS, scored=False),
    )
}


def campaign_protocol(protocol: Protocol, *, scales: Sequence[OwnScale], errors: OwnErrors) -> Protocol:
    """A protocol with what a campaign adds to it; errors only where spans are marked."""
    if protocol.name in STUDIES:
        return protocol
    if not protocol.marks or not errors:
        return replace(protocol, scales=tuple(scales))
    return replace(
        protocol,
        scales=tuple(scales),
        severities=tuple(one.name for one in errors.severities) or protocol.severities,
        categories=tuple(one.name for one in errors.categories) or protocol.categories,
        errors=errors,
    )


def mqm_score(
    spans: Sequence[MarkedSpan], *, five_errors: bool = False, errors: OwnErrors = NO_OWN_ERRORS
) -> float:
    """The MQM score of a segment, 0 for none and lower for more: minus the sum of Google's weights.

    five_errors: only the five gravest count (Freitag et al. 2021 let raters mark no more than five). errors:
    with severities of a campaign's own, minus the sum of its weights, which is not MQM by Google's.
    """
    weights = sorted((weight(span, errors) for span in spans), reverse=True)
    if not errors.severities and NON_TRANSLATION_WEIGHT in weights:
        return -NON_TRANSLATION_WEIGHT
    return -sum(weights[:FIVE] if five_errors else weights) + 0.0


def weight(span: MarkedSpan, errors: OwnErrors = NO_OWN_ERRORS) -> float:
    """What one error costs: 0 to 25 by Google's weights, 0 to 100 by a campaign's own.

    Beside own severities, one of Google's that an import brought along has Google's weight.
    """
    if errors.severities:
        return errors.weights.get(span.severity, WEIGHTS.get(span.severity, 0.0))
    if span.category == NON_TRANSLATION:
        return NON_TRANSLATION_WEIGHT
    if span.severity == MINOR and span.category == "fluency/punctuation":
        return PUNCTUATION_WEIGHT
    return WEIGHTS[span.severity]


def check_spans(spans: Sequence[MarkedSpan], protocol: Protocol, lengths: Mapping[str, int]) -> None:
    """Raise RatingError for spans that this protocol or these texts cannot have.

    lengths: code points of `target` and `source`.
    """
    if len(spans) > MOST_SPANS:
        raise RatingError("More than {limit} errors are marked; leave some out.", limit=MOST_SPANS)
    for span in spans:
        if span.severity not in protocol.severities:
            raise RatingError(
                "“{severity:.20}” is not a severity here; reload the page.", severity=span.severity
            )
        if span.category and span.category not in protocol.categories:
            raise RatingError(
                "“{category:.40}” is not a category here; reload the page.", category=span.category
            )
        inside = span.side in lengths and 0 <= span.start <= span.end <= lengths[span.side]
        if not inside or (span.start == span.end and not span.missing):
            raise RatingError("A marked error does not lie in the text; reload the page.")
        if len(span.note) > NOTE_LIMIT:
            raise RatingError(
                "A note has {n} characters and {limit} are allowed.",
                n=len(span.note),
                limit=NOTE_LIMIT,
            )


def spans_to_json(spans: Sequence[MarkedSpan]) -> list[dict[str, Any]]:
    """Ready for JSON, with every field."""
    return [asdict(span) for span in spans]


def spans_from_json(rows: object) -> tuple[MarkedSpan, ...]:
    """The inverse of `spans_to_json`. Raises RatingError for anything of another form."""
    try:
        return tuple(MarkedSpan(**row) for row in rows)  # type: ignore[attr-defined]
    except TypeError as error:
        raise RatingError("The marked errors are not of a form that is known; reload the page.") from error
