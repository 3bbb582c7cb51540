"""The gold scores, with the texts or only with fingerprints of them, and what raters marked and wrote."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import cast

from core.raters.protocols import CRITICAL, MAJOR, MINOR, NEUTRAL, SOURCE, MarkedSpan
from core.report.blocks import Block, Collapsible, GoldRow, GoldSegment, GoldTable, Section, Sentences, Table
from core.report.content import Findings, Passage, PassagePlace, Remark, Report
from core.report.formatting import digits_of
from core.text.locale import Speaker
from core.text.numbers import DASH, number

SHOWN_OPEN = 500
"""A longer gold table is folded: open, it would print on dozens of pages."""

MOST_REMARKS = 2000
SEVERITIES = (MINOR, MAJOR, CRITICAL, NEUTRAL)


def gold(given: Report, found: Findings, say: Speaker) -> Section:
    """A row for each translation that has a score, in the order of the texts."""
    t, digits = say.t, digits_of(given.method)
    placed = [(given.places[cast(int, one.item)], one) for one in found.agreement.gold]
    if not placed:
        return Section(title=t("agreement.gold"), blocks=[Sentences(text=t("report.no_gold"))])
    placed.sort(key=lambda pair: (pair[0].segment, pair[0].system))
    segments = []
    for segment, own in itertools.groupby(placed, key=lambda pair: pair[0].segment):
        rows = tuple(
            GoldRow(
                cells=(*_where(place), place.system, number(one.mean, digits), f"{one.n:,}"),
                number=cast(int, one.item),
                passage=given.translations.get(cast(int, one.item)),
            )
            for place, one in own
        )
        texts = given.texts.get(segment)
        source, reference = (texts.source, texts.reference) if texts else (None, None)
        segments.append(GoldSegment(source=source, reference=reference, rows=rows))
    header = tuple(t(f"agreement.column.{name}") for name in ("document", "position", "system", "mean", "n"))
    langs = (given.facts.source_lang, given.facts.target_lang)
    table = GoldTable(header=header, segments=tuple(segments), langs=langs)
    what = t("report.gold", method=t(f"method.{given.method}"))
    shown: Block = table
    if len(placed) > SHOWN_OPEN:
        shown = Collapsible(title=t("report.gold_all", n=f"{len(placed):,}"), blocks=[table])
    blocks: list[Block] = [Sentences(text=what)]
    if not given.with_texts:
        instead = t("report.fingerprints", hash="SHA-256", code="UTF-8")
        blocks.append(Sentences(text=instead, tone="quiet"))
    return Section(title=t("agreement.gold"), blocks=[*blocks, shown])


def remarks(given: Report, say: Speaker) -> Section | None:
    """What raters marked and wrote; None if no rater did."""
    rows = [row for one in given.remarks for row in _rows(one, given, say)]
    if not rows:
        return None
    t = say.t
    names = ("rater", "document", "position", "system")
    header = [t(f"agreement.column.{name}") for name in names]
    header += [t("report.mark.severity"), t("report.mark.category"), t("report.mark.place")]
    if given.with_texts:
        header.append(t("report.mark.words"))
    table = Table(
        name="marks",
        caption="",
        header=tuple(header),
        rows=rows[:MOST_REMARKS],
        numbers=frozenset({2}),
        latex=False,
    )
    counts = _counts(given, say)
    blocks: list[Block] = [] if counts is None else [counts]
    if len(rows) > MOST_REMARKS:
        blocks.append(Sentences(text=t("agreement.more", shown=MOST_REMARKS, total=len(rows)), tone="quiet"))
    blocks.append(Sentences(text=t("report.marks_what"), tone="quiet"))
    blocks.append(Collapsible(title=t("report.marks_all", n=f"{len(rows):,}"), blocks=[table]))
    return Section(title=t("report.marks"), blocks=blocks)


def _counts(given: Report, say: Speaker) -> Table | None:
    """How many errors of each severity were marked in each system's translations."""
    t = say.t
    counts: dict[str, Counter[str]] = {}
    for one in given.remarks:
        if one.spans:
            system = given.places[one.translation].system
            counts.setdefault(system, Counter()).update(span.severity for span in one.spans)
    if not counts:
        return None
    given_names = dict.fromkeys(name for own in counts.values() for name in own)
    seen = [name for name in dict.fromkeys((*SEVERITIES, *given_names)) if name in given_names]
    header = (t("agreement.column.system"), *(_severity(name, given, say) for name in seen))
    rows = [(system, *(f"{own[name]:,}" for name in seen)) for system, own in sorted(counts.items())]
    caption, numbers = t("report.caption.marks"), frozenset(range(1, len(header)))
    return Table(name="errors", caption=caption, header=header, rows=rows, numbers=numbers)


def _rows(one: Remark, given: Report, say: Speaker) -> Iterator[tuple[str, ...]]:
    place = given.places[one.translation]
    head = (one.rater, *_where(place), place.system)
    for span in one.spans:
        quoted = (" · ".join(filter(None, (_quoted(span, one, given), span.note))),)
        own = quoted if given.with_texts else ()
        yield (*head, _severity(span.severity, given, say), span.category or DASH, _offsets(span, say), *own)
    if given.with_texts and one.comment:
        yield (*head, DASH, say.t("report.mark.comment"), DASH, one.comment)


def _severity(name: str, given: Report, say: Speaker) -> str:
    """In words; one that only an import knows, as it came."""
    own = given.facts.errors.words(name)
    if own is not None:
        return say.either(*own)
    return say.t(f"passage.severity.{name}") if name in SEVERITIES else name


def _offsets(span: MarkedSpan, say: Speaker) -> str:
    """`12–17`, half open, in code points; of the source where it says so."""
    if span.missing:
        return say.t("report.mark.missing")
    where = f"{span.start}–{span.end}"
    return say.t("report.mark.source", place=where) if span.side == SOURCE else where


def _quoted(span: MarkedSpan, one: Remark, given: Report) -> str:
    """The words that were marked, where the report holds texts."""
    passage: Passage | None = given.translations.get(one.translation)
    if span.side == SOURCE:
        texts = given.texts.get(given.places[one.translation].segment)
        passage = texts.source if texts else None
    return "" if passage is None or passage.text is None else passage.text[span.start : span.end]


def _where(place: PassagePlace) -> tuple[str, str]:
    """Document, and position from 1 as people count."""
    return place.document, str(place.position + 1)
