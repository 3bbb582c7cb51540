"""What a reading study found, in a report: preferences, answers, highlights, speed, close reading, metrics.

No reader is named, and nothing that readers wrote is told.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.charts.embed import division
from core.charts.palette import LIGHT
from core.charts.reading import strips
from core.raters.reading.choices import KINDS
from core.raters.reading.close import CloseFindings
from core.raters.reading.findings import StudyFindings
from core.raters.reading.highlights import ReaderMean
from core.raters.reading.preferences import FEW_READERS, LENGTH, ShareEstimate
from core.report.blocks import Block, Picture, Section, Sentences, Table
from core.report.content import Report
from core.report.metrics import column_title
from core.text.locale import Speaker
from core.text.numbers import DASH, interval, number, p_value

Row = tuple[str, ...]


def study(given: Report, say: Speaker) -> list[Section]:
    """The sections for which there is something; none where nobody has read."""
    found = given.study
    if found is None:
        return []
    sections = []
    if found.readers:
        sections += [_preferences(found, given, say), _answers(found, say), _highlights(found, say)]
    if found.close is not None and found.close.choices:
        sections.append(_close(found.close, found.unit, given, say))
    return sections


def _table(name: str, columns: Sequence[str], rows: Sequence[Row], say: Speaker, *, words: int = 1) -> Table:
    """words: how many columns hold words; the others hold numbers."""
    return Table(
        name=f"study-{name}",
        caption=say.t(f"report.caption.study.{name}"),
        header=tuple(say.t(f"study.column.{one}") for one in columns),
        rows=rows,
        numbers=frozenset(range(words, len(columns))),
    )


def _few(finished: int, say: Speaker) -> list[Block]:
    if finished >= FEW_READERS:
        return []
    return [Sentences(text=say.t("study.few", n=finished, enough=FEW_READERS), tone="warning")]


def _share(name: str, one: ShareEstimate, say: Speaker) -> Row:
    p = DASH if one.p is None else p_value(one.p)
    ends = interval(one.low, one.high, language=say.language)
    return name, f"{one.hits} / {one.n}", number(one.value), ends, p, number(one.chance)


def _mean(one: ReaderMean, digits: int, say: Speaker) -> Row:
    return (
        f"{one.n:,}",
        number(one.value, digits),
        interval(one.low, one.high, digits, language=say.language),
    )


def _metric(name: str, given: Report, say: Speaker) -> str:
    return say.t("study.length") if name == LENGTH else column_title(name, given, say)


SHARES = ("what", "hits", "share", "interval", "p", "chance")


def _preferences(found: StudyFindings, given: Report, say: Speaker) -> Section:
    t = say.t
    rows = [
        _share(t("study.preferred", first=one.first, second=one.second), one.share, say)
        for one in found.preferences
    ]
    rows += [
        _share(t("study.first"), found.first, say),
        _share(t("study.guess"), found.guess, say),
        _share(t("study.right"), found.right, say),
    ]
    blocks: list[Block] = [*_few(found.finished, say), _table("preferences", SHARES, rows, say)]
    ties = sum(one.ties for one in found.preferences)
    if ties:
        blocks.append(Sentences(text=t("study.ties", n=ties), tone="quiet"))
    blocks += _strengths(found, say)
    picks = [_share(_metric(one.metric, given, say), one.share, say) for one in found.metrics]
    blocks += [
        _table("metrics", SHARES, picks, say),
        Sentences(text=f"{t('study.metrics_note')} {t('study.one_book')}", tone="quiet"),
    ]
    return Section(title=t("study.preferences"), blocks=blocks)


def _strengths(found: StudyFindings, say: Speaker) -> list[Block]:
    t, model = say.t, found.model
    if model.missing is not None:
        return [Sentences(text=t(f"study.model.{model.missing}"), tone="quiet")]
    rows: list[Row] = [
        (
            t("study.strength", version=one.version),
            f"{one.wins} / {one.comparisons}",
            number(one.value, signed=True),
            interval(one.low, one.high, signed=True, language=say.language),
        )
        for one in model.strengths
    ]
    ends = interval(model.first_low, model.first_high, signed=True, language=say.language)
    rows.append((t("study.order_effect"), DASH, number(model.first, signed=True), ends))
    table = _table("strengths", ("model", "wins", "odds", "interval"), rows, say)
    return [table, Sentences(text=t("study.model_note"), tone="quiet")]


def _answers(found: StudyFindings, say: Speaker) -> Section:
    """Speed, and answers on scales with their mixed models."""
    t = say.t
    rows = [(one.version, t(f"study.speed.{found.unit}"), *_mean(one.speed, 0, say)) for one in found.speeds]
    rows += [(one.version, t("study.away"), *_mean(one.away, 1, say)) for one in found.speeds]
    rows += [(one.version, one.question, *_mean(one.mean, 2, say)) for one in found.scales]
    columns: Sequence[str] = ("version", "what", "readers", "mean", "interval")
    blocks: list[Block] = [
        _table("reading", columns, rows, say, words=2),
        Sentences(text=t("study.time_note"), tone="quiet"),
    ]
    effects: list[Row] = []
    for model in found.answers:
        named = [
            (t("study.difference", first=one.first, second=one.second), one.effect)
            for one in model.differences
        ]
        named += [(t("study.later"), model.later)] if model.later else []
        for name, one in named:
            ends = interval(one.low, one.high, signed=True, language=say.language)
            value = number(one.value, signed=True)
            effects.append((model.question, name, f"{model.n:,}", value, ends, p_value(one.p)))
    if effects:
        columns = ("question", "what", "answers", "value", "interval", "p")
        blocks.append(_table("answers", columns, effects, say, words=2))
        blocks.append(Sentences(text=t("study.answers_note"), tone="quiet"))
    for model in found.answers:
        if model.missing is not None:
            words = t(f"study.answers.{model.missing}", question=model.question)
            blocks.append(Sentences(text=words, tone="quiet"))
    return Section(title=t("study.reading"), blocks=blocks)


def _highlights(found: StudyFindings, say: Speaker) -> Section:
    t = say.t
    kinds = {kind: t(f"reading.pen.{kind}") for kind in KINDS}
    blocks: list[Block] = []
    if any(share for one in found.strips for own in one.shares.values() for share in own):
        figure = strips(
            found.strips, names=kinds, along=t("study.along"), readers=t("study.readers_share"), palette=LIGHT
        )
        drawn = division(figure, name="figure-study-strips", alt=t("study.strips_alt"), palette=LIGHT)
        blocks.append(Picture(division=drawn))
    rates = [
        (one.version, kinds[one.kind], f"{one.count:,}", *_mean(one.rate, 1, say)[1:]) for one in found.marks
    ]
    columns: Sequence[str] = ("version", "kind", "count", f"per_thousand.{found.unit}", "interval")
    blocks.append(_table("highlights", columns, rates, say, words=2))
    rows = [
        (
            one.version,
            kinds[one.kind],
            f"{one.readers:,}",
            number(one.dice),
            number(one.expected),
            interval(one.low, one.high, language=say.language),
            DASH if one.p is None else p_value(one.p),
        )
        for one in found.overlaps
    ]
    columns = ("version", "kind", "readers", "dice", "by_chance", "chance_interval", "p")
    blocks += [
        _table("overlap", columns, rows, say, words=2),
        Sentences(text=t("study.overlap_note"), tone="quiet"),
    ]
    return Section(title=t("study.highlights"), blocks=blocks)


def _close(found: CloseFindings, unit: str, given: Report, say: Speaker) -> Section:
    t = say.t
    rows = [
        _share(t("study.preferred", first=one.first, second=one.second), one.share, say)
        for one in found.preferences
    ]
    rows += [
        _share(t("close.left"), found.left, say),
        _share(t("close.as_whole"), found.with_whole, say),
    ]
    columns = ("what", "choices", "share", "interval", "p", "chance")
    blocks: list[Block] = [
        *_few(found.finished, say),
        _table("close", columns, rows, say),
        Sentences(text=t("close.dependent"), tone="quiet"),
    ]
    agreement = found.agreement
    alike: list[Row] = [
        (name, f"{one.n:,}", number(one.value), interval(one.low, one.high, language=say.language), chance)
        for name, one, chance in (
            (t("close.alpha"), agreement.alpha, DASH),
            (t("close.same"), agreement.same, number(agreement.chance)),
        )
    ]
    blocks += [
        _table("agreement", ("what", "of", "value", "interval", "chance"), alike, say),
        Sentences(text=t("close.agreement_note", readers=agreement.readers), tone="quiet"),
    ]
    return Section(title=t("close.title"), blocks=[*blocks, *_close_rest(found, unit, given, say)])


def _close_rest(found: CloseFindings, unit: str, given: Report, say: Speaker) -> list[Block]:
    """Means over readers, and metrics against their choices."""
    t = say.t
    means = [
        (t("close.share_of_reader", first=one.first, second=one.second), *_mean(one.readers, 2, say))
        for one in found.preferences
    ]
    means.append((t("close.kept"), *_mean(found.kept, 2, say)))
    for rate in found.marks:
        name = t(f"close.marks.{unit}", version=rate.version, kind=t(f"reading.pen.{rate.kind}"))
        means.append((name, *_mean(rate.rate, 1, say)))
    means.append((t("close.minutes"), *_mean(found.minutes, 1, say)))
    picks: list[Row] = []
    for one in found.metrics:
        gain, longer = one.over_length, one.metric == LENGTH
        picks.append(
            (
                _metric(one.metric, given, say),
                f"{one.share.hits} / {one.share.n}",
                number(one.share.value),
                interval(one.low, one.high, language=say.language),
                DASH if longer else number(gain.value, signed=True),
                DASH if longer else interval(gain.low, gain.high, signed=True, language=say.language),
            )
        )
    columns = ("what", "choices", "share", "interval", "over_length", "interval")
    return [
        _table("close-means", ("what", "readers", "mean", "interval"), means, say),
        _table("close-metrics", columns, picks, say),
        Sentences(text=t("close.metrics_note"), tone="quiet"),
    ]
