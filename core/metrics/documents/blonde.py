"""BlonDe and dBlonDe (Jiang et al. 2022): what holds a document together, counted against the reference.

Of each segment are counted: persons that are named (each form by itself), verbs by their tag, third-person
pronouns by gender, discourse markers by their sense, and n-grams. A count of the translation matches up to
the reference's count in the same segment. Matches and counts are added up over the document, and give a
precision and a recall for each category; the geometric means of these, over the discourse categories in
dBlonDe and over n-grams as well in BlonDe, give the score, F1. Lists, weights and the smoothing of n-grams
without a match are those of the authors' package blonde 0.1.4; of its weights, those of places and of other
names, of *it* and of *they* are 0. Blanks are no words here, while the package counts a second blank in a row
as one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.errors import Wording
from core.metrics.base import Option
from core.metrics.documents.base import DocumentMetric
from core.papers import JIANG
from core.types import ParsedWord

TENSES = ("VBD", "VBN", "VBP", "VBZ", "VBG", "VB", "MD")
"""Tags of verbs."""

_PRONOUNS = {
    "masculine": "he his him himself",
    "feminine": "she her hers herself",
    "neuter": "it its itself",
    "epicene": "they their them themselves",
}
_GENDER = {
    form: gender
    for gender, own in _PRONOUNS.items()
    for low in own.split()
    for form in (low, low.capitalize())
}
GENDERS = {"masculine": 0.5, "feminine": 0.5, "neuter": 0.0, "epicene": 0.0}
"""Genders of pronouns with their weights."""

_MARKERS = {
    "comparison": (
        *("but", "while", "however", "although", "though", "still", "yet", "whereas", "conversely"),
        *("on the other hand", "in contrast", "by contrast", "by comparison"),
    ),
    "cause": (
        *("if", "because", "so", "since", "thus", "hence", "therefore", "thereby", "accordingly"),
        *("consequently", "as a result", "in consequence", "for this reason"),
    ),
    "conjunction": ("also", "in addition", "moreover", "additionally", "besides", "plus"),
    "asynchronous": (*("when", "after", "then", "before", "until", "later", "once", "afterward", "next"),),
    "synchronous": ("meantime", "meanwhile", "simultaneously"),
}
SENSES = tuple(_MARKERS)
_SENSE = {tuple(marker.split()): sense for sense, own in _MARKERS.items() for marker in own}
_LENGTHS = sorted({len(marker) for marker in _SENSE})

ORDERS = (1, 2, 3, 4)
"""Lengths of n-grams in words."""

PERSON = "PERSON"
LEAST = 1e-5
"""What a share of 0 counts in the geometric mean."""

GEOMETRIC, ARITHMETIC = "geometric", "arithmetic"
PACKAGE, EXP = "package", "exp"
PACKAGE_WEIGHT = 0.25
"""Of an order of n-grams in the package, which divides the smoothed shares by it, too."""

CATEGORIES = ("entity", "tense", "pronoun", "marker")
"""The discourse categories, as the parts of a score call them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanCounts:
    """How often spans of a kind stand in the reference and in the translation, and how often they match."""

    kind: str
    matched: int
    reference: int
    translation: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BlondeTrace:
    """The counts of a document. entity: by name; tense, pronoun, marker, ngram: by kind."""

    entity: tuple[SpanCounts, ...]
    tense: tuple[SpanCounts, ...]
    pronoun: tuple[SpanCounts, ...]
    marker: tuple[SpanCounts, ...]
    ngram: tuple[SpanCounts, ...]
    average: str = GEOMETRIC
    smoothing: str = PACKAGE

    def parts(self) -> dict[str, float]:
        """`blonde`, `dblonde` and F1 of each category, with `…_precision` and `…_recall`, all in [0, 1].

        A category that a side does not have has no precision or no recall, and no F1; it is left out of the
        means. A score is absent where that leaves nothing.
        """
        shares = {name: _shares(getattr(self, name), name) for name in CATEGORIES}
        weight = PACKAGE_WEIGHT if self.smoothing == PACKAGE else 1.0
        recalls = _smoothed([(one.matched, one.reference) for one in self.ngram], weight)
        precisions = _smoothed([(one.matched, one.translation) for one in self.ngram], weight)
        known = [one.reference + one.translation > 0 for one in self.ngram]
        ngrams = {
            f"ngram{one.kind}": (precision, recall) if seen else (None, None)
            for one, precision, recall, seen in zip(self.ngram, precisions, recalls, known, strict=True)
        }
        shares |= ngrams
        shares["dblonde"] = self._mean([shares[name] for name in CATEGORIES])
        shares["blonde"] = self._mean([shares[name] for name in (*CATEGORIES, *ngrams)])
        parts: dict[str, float] = {}
        for name, (precision, recall) in shares.items():
            found = {
                name: _f1(precision, recall),
                f"{name}_precision": precision,
                f"{name}_recall": recall,
            }
            parts |= {key: value for key, value in found.items() if value is not None}
        return parts

    def _mean(self, shares: Sequence[tuple[float | None, float | None]]) -> tuple[float | None, float | None]:
        mean = _geometric if self.average == GEOMETRIC else _arithmetic
        precisions, recalls = zip(*shares, strict=True)
        return mean(precisions), mean(recalls)


def _shares(own: Sequence[SpanCounts], category: str) -> tuple[float | None, float | None]:
    """Precision and recall of a category, None where there is nothing to divide by."""
    weights = [GENDERS[one.kind] if category == "pronoun" else 1.0 for one in own]
    sums = [
        math.fsum(weight * getattr(one, side) for weight, one in zip(weights, own, strict=True))
        for side in ("matched", "translation", "reference")
    ]
    matched, translation, reference = sums
    return (matched / translation if translation else None), (matched / reference if reference else None)


def _smoothed(counts: Sequence[tuple[int, int]], weight: float) -> list[float]:
    """Shares of n-grams, at most 1: the k-th order without a match has 1 / 2^k of one, by the weight."""
    shares, halved = [], 1.0 / weight
    for matched, total in counts:
        if total and not matched:
            halved /= 2
        shares.append(min((matched or halved) / total, 1.0) if total else 0.0)
    return shares


def _geometric(values: Iterable[float | None]) -> float | None:
    logs = [math.log(max(value, LEAST)) for value in values if value is not None]
    return math.exp(math.fsum(logs) / len(logs)) if logs else None


def _arithmetic(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else None


def _f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None or not precision + recall:
        return None
    return 2 * precision * recall / (precision + recall)


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentSpans:
    """What is counted in one text, by category."""

    entity: Counter[str]
    tense: Counter[str]
    pronoun: Counter[str]
    marker: Counter[str]
    ngrams: tuple[Counter[tuple[str, ...]], ...]


def spans(words: Sequence[ParsedWord], persons: Iterable[str]) -> SegmentSpans:
    """Count a text. words: as the parser cuts it. persons: the forms that name one, one a mention."""
    texts = [word.text for word in words]
    low = [text.lower() for text in texts]
    found = (_SENSE.get(tuple(low[at : at + n])) for n in _LENGTHS for at in range(len(low) - n + 1))
    return SegmentSpans(
        entity=Counter(form.removesuffix("’s") for form in persons),
        tense=Counter(word.tag for word in words if word.tag in TENSES),
        pronoun=Counter(gender for text in texts if (gender := _GENDER.get(text)) is not None),
        marker=Counter(sense for sense in found if sense is not None),
        ngrams=tuple(Counter(tuple(texts[at : at + n]) for at in range(len(texts) - n + 1)) for n in ORDERS),
    )


def counted(pairs: Sequence[tuple[SegmentSpans, SegmentSpans]]) -> BlondeTrace:
    """The trace of a document. pairs: of each segment the reference's spans and the translation's."""
    kinds: Mapping[str, Sequence[str] | None] = {
        "entity": None,
        "tense": TENSES,
        "pronoun": tuple(GENDERS),
        "marker": SENSES,
    }
    by_category = {}
    for category, listed in kinds.items():
        sums: tuple[Counter[str], Counter[str], Counter[str]] = (Counter(), Counter(), Counter())
        for reference, translation in pairs:
            ours, theirs = getattr(reference, category), getattr(translation, category)
            for known, more in zip(sums, (ours & theirs, ours, theirs), strict=True):
                known.update(more)
        matched, ours, theirs = sums
        by_category[category] = tuple(
            SpanCounts(kind=kind, matched=matched[kind], reference=ours[kind], translation=theirs[kind])
            for kind in (sorted(ours.keys() | theirs.keys()) if listed is None else listed)
        )
    ngram = []
    for place, order in enumerate(ORDERS):
        sides = [(one.ngrams[place], other.ngrams[place]) for one, other in pairs]
        ngram.append(
            SpanCounts(
                kind=str(order),
                matched=sum((ours & theirs).total() for ours, theirs in sides),
                reference=sum(ours.total() for ours, _ in sides),
                translation=sum(theirs.total() for _, theirs in sides),
            )
        )
    return BlondeTrace(
        entity=by_category["entity"],
        tense=by_category["tense"],
        pronoun=by_category["pronoun"],
        marker=by_category["marker"],
        ngram=tuple(ngram),
    )


_OPTIONS = (
    Option(
        name="average",
        default=GEOMETRIC,
        summary="mean over the categories",
        choices=(GEOMETRIC, ARITHMETIC),
    ),
)
_SMOOTHING = Option(
    name="smoothing",
    default=PACKAGE,
    summary="n-grams without a match: as the authors' package counts them, or as sacreBLEU does",
    choices=(PACKAGE, EXP),
)
_MISSING = Wording("There is nothing to count in this document, or only in one of the two texts.")

BLONDE = DocumentMetric(
    name="blonde",
    summary="English persons, tenses, pronouns, discourse markers and n-grams as in the reference",
    paper=JIANG.cite,
    source=JIANG,
    headline="blonde",
    trace=BlondeTrace,
    analysis="discourse",
    languages=("en",),
    missing=_MISSING,
    options=(*_OPTIONS, _SMOOTHING),
)
DBLONDE = DocumentMetric(
    name="dblonde",
    summary="English persons, tenses, pronouns and discourse markers as in the reference",
    paper=JIANG.cite,
    source=JIANG,
    headline="dblonde",
    trace=BlondeTrace,
    analysis="discourse",
    languages=("en",),
    missing=_MISSING,
    options=_OPTIONS,
)
