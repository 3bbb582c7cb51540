"""What a reading study found, as tables and sentences: for the report, and for the page that shows the same.

No reader is named, and nothing that readers wrote is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from core.charts.embed import division
from core.charts.palette import LIGHT
from core.charts.reading import strips
from core.raters.coding import CodeAgreement, CodingFindings
from core.raters.reading.choices import KINDS
from core.raters.reading.close import ChunkPick, CloseFindings
from core.raters.reading.findings import StudyFindings
from core.raters.reading.highlights import ReaderMean
from core.raters.reading.preferences import FEW_READERS, LENGTH, MetricPick, ShareEstimate
from core.raters.reading.scales import ScaleEffect
from core.report.blocks import Block, Picture, Section, Sentences, Table
from core.report.content import Report
from core.report.metrics import column_title
from core.stats.estimate import Estimate
from core.text.locale import Speaker
from core.text.numbers import DASH, interval, number, p_value

Row = tuple[str, ...]

SHARES = ("what", "hits", "share", "interval", "p", "chance")
CHOICES = ("what", "choices", "share", "interval", "p", "chance")
"""Columns of `StudyWords.share`: of readers, and of choices in passages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyWords:
    """How the figures of a study are written. title: of a metric, what it is called."""

    say: Speaker
    title: Callable[[str], str]

    def metric(self, name: str) -> str:
        """A metric, or the length beside the metrics."""
        return self.say.t("study.length") if name == LENGTH else self.title(name)

    def between(self, low: float | None, high: float | None, digits: int = 2, *, signed: bool = False) -> str:
        """Both ends of an interval."""
        return interval(low, high, digits, signed=signed, language=self.say.language)

    def share(self, name: str, one: ShareEstimate) -> Row:
        """The columns `SHARES`."""
        ends = self.between(one.low, one.high)
        return name, f"{one.hits} / {one.n}", number(one.value), ends, _p(one.p), number(one.chance)

    def mean(self, one: ReaderMean, digits: int) -> Row:
        """How many readers, their mean, and its interval."""
        return f"{one.n:,}", number(one.value, digits), self.between(one.low, one.high, digits)

    def effect(self, one: ScaleEffect | Estimate) -> Row:
        """A difference with its interval."""
        return number(one.value, signed=True), self.between(one.low, one.high, signed=True)

    def table(self, name: str, columns: Sequence[str], rows: Iterable[Row], *, words: int = 1) -> Table:
        """words: how many columns hold words; the others hold numbers."""
        return Table(
            name=f"study-{name}",
            caption=self.say.t(f"report.caption.study.{name}"),
            header=tuple(self.say.t(f"study.column.{one}") for one in columns),
            rows=list(rows),
            numbers=frozenset(range(words, len(columns))),
        )

    def few(self, finished: int) -> list[Block]:
        """The warning where few readers have finished."""
        if finished >= FEW_READERS:
            return []
        return [
            Sentences(text=self.say.t("study.few", n=finished, enough=FEW_READERS), tone="warning"),
        ]


def _note(text: str) -> Sentences:
    """What stands under a table."""
    return Sentences(text=text, tone="quiet")


def _p(p: float | None) -> str:
    return DASH if p is None else p_value(p)


def study(given: Report, say: Speaker) -> list[Section]:
    """The sections of a report for which there is something; none where nobody has read."""
    found = given.study
    if found is None:
        return []
    words = StudyWords(say=say, title=lambda name: column_title(name, given, say))
    sections = []
    if found.readers:
        first, metrics, marked, read = whole(found, words)
        marked = Section(title=marked.title, blocks=[*_strips(found, words), *marked.blocks])
        sections += [Section(title=first.title, blocks=[*words.few(found.finished), *first.blocks])]
        sections += [metrics, marked, read]
    if found.close is not None and found.close.choices:
        sections.append(close(found.close, found.unit, words))
    if found.coding is not None and found.coding.comments:
        sections.append(coded(found.coding, words))
    return sections


def whole(found: StudyFindings, words: StudyWords) -> tuple[Section, Section, Section, Section]:
    """Of versions read as a whole: what readers preferred, metrics beside them, highlights, and reading."""
    return _preferences(found, words), _metrics(found, words), _highlights(found, words), _read(found, words)


def _preferences(found: StudyFindings, words: StudyWords) -> Section:
    t = words.say.t
    rows = [
        words.share(t("study.preferred", first=one.first, second=one.second), one.share)
        for one in found.preferences
    ]
    rows += [
        words.share(t("study.first"), found.first),
        words.share(t("study.guess"), found.guess),
        words.share(t("study.right"), found.right),
    ]
    blocks: list[Block] = [words.table("preferences", SHARES, rows)]
    ties = sum(one.ties for one in found.preferences)
    if ties:
        blocks.append(_note(words.say.t("study.ties", n=ties)))
    return Section(title=t("study.preferences"), blocks=[*blocks, *_strengths(found, words)])


def _strengths(found: StudyFindings, words: StudyWords) -> list[Block]:
    t, model = words.say.t, found.model
    if model.missing is not None:
        return [_note(words.say.t(f"study.model.{model.missing}"))]
    rows: list[Row] = [
        (
            t("study.strength", version=one.version),
            f"{one.wins} / {one.comparisons}",
            number(one.value, signed=True),
            words.between(one.low, one.high, signed=True),
        )
        for one in model.strengths
    ]
    ends = words.between(model.first_low, model.first_high, signed=True)
    rows.append((t("study.order_effect"), DASH, number(model.first, signed=True), ends))
    table = words.table("strengths", ("model", "wins", "odds", "interval"), rows)
    return [table, _note(words.say.t("study.model_note"))]


def _metrics(found: StudyFindings, words: StudyWords) -> Section:
    rows = [words.share(words.metric(one.metric), one.share) for one in found.metrics]
    blocks: list[Block] = [
        _note(words.say.t("study.metrics_note")),
        words.table("metrics", SHARES, rows),
        _note(words.say.t("study.one_book")),
        *_unscored(found.metrics, words),
    ]
    return Section(title=words.say.t("study.metrics"), blocks=blocks)


def _unscored(picks: Sequence[MetricPick | ChunkPick], words: StudyWords) -> list[Block]:
    """That nothing stands beside the length."""
    return [_note(words.say.t("study.no_metrics"))] if len(picks) == 1 else []


def _strips(found: StudyFindings, words: StudyWords) -> list[Block]:
    t = words.say.t
    if not any(share for one in found.strips for own in one.shares.values() for share in own):
        return []
    figure = strips(
        found.strips,
        names={kind: t(f"reading.pen.{kind}") for kind in KINDS},
        along=t("study.along"),
        readers=t("study.readers_share"),
        palette=LIGHT,
    )
    drawn = division(figure, name="figure-study-strips", alt=t("study.strips_alt"), palette=LIGHT)
    return [Picture(division=drawn)]


def _highlights(found: StudyFindings, words: StudyWords) -> Section:
    t = words.say.t
    kinds = {kind: t(f"reading.pen.{kind}") for kind in KINDS}
    rates = [
        (one.version, kinds[one.kind], f"{one.count:,}", *words.mean(one.rate, 1)[1:]) for one in found.marks
    ]
    overlaps = [
        (
            one.version,
            kinds[one.kind],
            f"{one.readers:,}",
            number(one.dice),
            number(one.expected),
            words.between(one.low, one.high),
            _p(one.p),
        )
        for one in found.overlaps
    ]
    counted = ("version", "kind", "count", f"per_thousand.{found.unit}", "interval")
    shared = ("version", "kind", "readers", "dice", "by_chance", "chance_interval", "p")
    blocks: list[Block] = [
        words.table("highlights", counted, rates, words=2),
        words.table("overlap", shared, overlaps, words=2),
        _note(words.say.t("study.overlap_note")),
    ]
    return Section(title=t("study.highlights"), blocks=blocks)


def _read(found: StudyFindings, words: StudyWords) -> Section:
    """Speed, and answers on scales with their mixed models."""
    t = words.say.t
    speed = t(f"study.speed.{found.unit}")
    rows = [(one.version, speed, *words.mean(one.speed, 0)) for one in found.speeds]
    rows += [(one.version, t("study.away"), *words.mean(one.away, 1)) for one in found.speeds]
    rows += [(one.version, one.question, *words.mean(one.mean, 2)) for one in found.scales]
    blocks: list[Block] = [
        words.table("reading", ("version", "what", "readers", "mean", "interval"), rows, words=2),
        _note(words.say.t("study.time_note")),
    ]
    effects: list[Row] = []
    for model in found.answers:
        named = [
            (t("study.difference", first=one.first, second=one.second), one.effect)
            for one in model.differences
        ]
        named += [(t("study.later"), model.later)] if model.later else []
        effects += [
            (model.question, name, f"{model.n:,}", *words.effect(one), _p(one.p)) for name, one in named
        ]
    if effects:
        columns = ("question", "what", "answers", "value", "interval", "p")
        blocks.append(words.table("answers", columns, effects, words=2))
        blocks.append(_note(words.say.t("study.answers_note")))
    blocks += [
        _note(words.say.t(f"study.answers.{one.missing}", question=one.question))
        for one in found.answers
        if one.missing is not None
    ]
    return Section(title=t("study.reading"), blocks=blocks)


def close(found: CloseFindings, unit: str, words: StudyWords) -> Section:
    """A close reading in which a passage was compared. unit: of lengths."""
    t = words.say.t
    rows = [
        words.share(t("study.preferred", first=one.first, second=one.second), one.share)
        for one in found.preferences
    ]
    rows += [words.share(t("close.left"), found.left), words.share(t("close.as_whole"), found.with_whole)]
    blocks: list[Block] = [*words.few(found.finished), words.table("close", CHOICES, rows)]
    ties = sum(one.ties for one in found.preferences)
    if ties:
        blocks.append(_note(words.say.t("study.ties", n=ties)))
    blocks.append(_note(words.say.t("close.dependent")))
    sections = (_agreement(found, words), _picks(found, words), [_means(found, unit, words)])
    return Section(title=t("close.title"), blocks=[*blocks, *(one for own in sections for one in own)])


def _agreement(found: CloseFindings, words: StudyWords) -> list[Block]:
    t, own = words.say.t, found.agreement
    rows: list[Row] = [
        (name, f"{one.n:,}", number(one.value), words.between(one.low, one.high), chance)
        for name, one, chance in (
            (t("close.alpha"), own.alpha, DASH),
            (t("close.same"), own.same, number(own.chance)),
        )
    ]
    blocks: list[Block] = [
        words.table("agreement", ("what", "of", "value", "interval", "chance"), rows),
        _note(words.say.t("close.agreement_note", readers=own.readers)),
    ]
    if own.readers < FEW_READERS:
        blocks.append(_note(words.say.t("close.agreement_few", readers=own.readers)))
    return blocks


def _picks(found: CloseFindings, words: StudyWords) -> list[Block]:
    rows: list[Row] = [
        (
            words.metric(one.metric),
            f"{one.share.hits} / {one.share.n}",
            number(one.share.value),
            words.between(one.low, one.high),
            *((DASH, DASH) if one.metric == LENGTH else words.effect(one.over_length)),
        )
        for one in found.metrics
    ]
    columns = ("what", "choices", "share", "interval", "over_length", "interval")
    return [
        Sentences(text=words.say.t("close.metrics")),
        words.table("close-metrics", columns, rows),
        _note(words.say.t("close.metrics_note")),
        *_unscored(found.metrics, words),
    ]


def _means(found: CloseFindings, unit: str, words: StudyWords) -> Table:
    t = words.say.t
    rows = [
        (t("close.share_of_reader", first=one.first, second=one.second), *words.mean(one.readers, 2))
        for one in found.preferences
    ]
    rows.append((t("close.kept"), *words.mean(found.kept, 2)))
    rows += [
        (
            t(f"close.marks.{unit}", version=one.version, kind=t(f"reading.pen.{one.kind}")),
            *words.mean(one.rate, 1),
        )
        for one in found.marks
    ]
    rows.append((t("close.minutes"), *words.mean(found.minutes, 1)))
    return words.table("close-means", ("what", "readers", "mean", "interval"), rows)


def coded(found: CodingFindings, words: StudyWords) -> Section:
    """Comments that were coded by hand: whether coders agree, and what was said how often."""
    t = words.say.t
    rows = [_coders(t("coding.all_codes"), found.overall, words)]
    rows += [_coders(one.code, one, words) for one in found.codes]
    counts: list[Row] = [
        (one.code, one.version or DASH, f"{one.by_all:,}", f"{one.by_any:,}", f"{one.comments:,}")
        for one in found.counts
    ]
    said = t("coding.said", comments=found.comments, coders=found.coders, differing=found.differing)
    later = [_note(t("coding.waiting", n=found.waiting))] if found.waiting else []
    blocks: list[Block] = [
        Sentences(text=said),
        *later,
        words.table("codes", ("code", "kappa", "interval", "same", "by_all", "by_any"), rows),
        _note(words.say.t("coding.kappa_note")),
        words.table("code-counts", ("code", "version", "by_all", "by_any", "comments"), counts, words=2),
    ]
    return Section(title=t("coding.title"), blocks=blocks)


def _coders(name: str, one: CodeAgreement, words: StudyWords) -> Row:
    return (
        name,
        number(one.kappa.value),
        words.between(one.kappa.low, one.kappa.high),
        number(one.agreed),
        f"{one.by_all:,}",
        f"{one.by_any:,}",
    )
