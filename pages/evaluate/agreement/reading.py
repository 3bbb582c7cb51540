"""What a reading study says: preferences, highlights, speed, and whether metrics pick what readers picked."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.charts.reading import strips
from core.raters.reading.choices import KINDS, NO_DIFFERENCE
from core.raters.reading.findings import StudyFindings, findings_csv, findings_json
from core.raters.reading.highlights import ReaderMean
from core.raters.reading.preferences import FEW_READERS, LENGTH, ShareEstimate
from core.text.numbers import p_value
from db.campaigns.study import study_findings, study_tables
from db.queries.study import StudyRecord, study_of
from db.records import CampaignSummary, ReaderRecord
from pages.auth import session
from pages.evaluate.agreement import close, report
from pages.ui import state
from pages.ui.text import NONE, errors_shown, interval, line, metric_name, number, t, table
from pages.ui.widgets import chart, download, figures

SHARES = frozenset({1, 2, 3, 4, 5})


def results(campaign: CampaignSummary) -> None:
    """Everything: figures with their intervals, what readers wrote, and the files."""
    with errors_shown():
        engine, viewer = state.engine(), session.viewer()
        study, found = study_of(engine, viewer, campaign.id), study_findings(engine, viewer, [campaign.id])
        if not found.readers and found.close is None:
            line(t("study.none"))
            return
        if found.readers:
            _whole(found)
        if found.close is not None:
            close.results(found.close, found.unit)
        _words(study)
        _files(campaign, found)


def _whole(found: StudyFindings) -> None:
    """What readers said of versions that they read as a whole."""
    values = [
        (t("study.readers"), f"{found.readers:,}", None),
        (t("study.finished"), f"{found.finished:,}", None),
    ]
    figures(values, border=True)
    if found.few:
        st.warning(t("study.few", n=found.finished, enough=FEW_READERS), icon=":material/warning:")
    _preferences(found)
    _highlights(found)
    _reading(found)


def _preferences(found: StudyFindings) -> None:
    st.subheader(t("study.preferences"), anchor=False)
    rows = [
        _share(t("study.preferred", first=one.first, second=one.second), one.share)
        for one in found.preferences
    ]
    rows.append(_share(t("study.first"), found.first))
    rows.append(_share(t("study.guess"), found.guess))
    rows.append(_share(t("study.right"), found.right))
    header = ("what", "hits", "share", "interval", "p", "chance")
    table([t(f"study.column.{name}") for name in header], rows, numbers=SHARES)
    ties = sum(one.ties for one in found.preferences)
    if ties:
        line(t("study.ties", n=ties), tone="quiet")
    _model(found)
    st.subheader(t("study.metrics"), anchor=False)
    line(t("study.metrics_note"), tone="quiet")
    rows = [
        _share(t("study.length") if one.metric == LENGTH else metric_name(one.metric), one.share)
        for one in found.metrics
    ]
    table([t(f"study.column.{name}") for name in header], rows, numbers=SHARES)
    line(t("study.one_book"), tone="quiet")
    if len(found.metrics) == 1:
        line(t("study.no_metrics"), tone="quiet")


def _share(name: str, one: ShareEstimate) -> list[str]:
    return [
        name,
        f"{one.hits} / {one.n}",
        number(one.value),
        interval(one.low, one.high),
        NONE if one.p is None else p_value(one.p),
        number(one.chance),
    ]


def _model(found: StudyFindings) -> None:
    model = found.model
    if model.missing is not None:
        line(t(f"study.model.{model.missing}"), tone="quiet")
        return
    rows = [
        [
            t("study.strength", version=one.version),
            f"{one.wins} / {one.comparisons}",
            number(one.value, signed=True),
            interval(one.low, one.high, signed=True),
        ]
        for one in model.strengths
    ]
    ends = interval(model.first_low, model.first_high, signed=True)
    rows.append([t("study.order_effect"), NONE, number(model.first, signed=True), ends])
    names = ("model", "wins", "odds", "interval")
    table([t(f"study.column.{name}") for name in names], rows, numbers=frozenset({1, 2, 3}))
    line(t("study.model_note"), tone="quiet")


def _highlights(found: StudyFindings) -> None:
    st.subheader(t("study.highlights"), anchor=False)
    rows = [
        [one.version, t(f"reading.pen.{one.kind}"), f"{one.count:,}", *_mean(one.rate, 1)]
        for one in found.marks
    ]
    names = ("version", "kind", "count", f"per_thousand.{found.unit}", "interval")
    table([t(f"study.column.{name}") for name in names], rows, numbers=frozenset({2, 3, 4}))
    rows = [
        [
            one.version,
            t(f"reading.pen.{one.kind}"),
            f"{one.readers:,}",
            number(one.dice),
            number(one.expected),
            interval(one.low, one.high),
            NONE if one.p is None else p_value(one.p),
        ]
        for one in found.overlaps
    ]
    columns = ("version", "kind", "readers", "dice", "by_chance", "chance_interval", "p")
    table([t(f"study.column.{name}") for name in columns], rows, numbers=frozenset({2, 3, 4, 5, 6}))
    _strips(found)
    line(t("study.overlap_note"), tone="quiet")


def _strips(found: StudyFindings) -> None:
    if any(share for one in found.strips for own in one.shares.values() for share in own):
        figure = strips(
            found.strips,
            names={kind: t(f"reading.pen.{kind}") for kind in KINDS},
            along=t("study.along"),
            readers=t("study.readers_share"),
            palette=state.palette(),
        )
        chart(figure, "study-strips", t("study.strips_alt"))


def _mean(one: ReaderMean, digits: int) -> list[str]:
    return [number(one.value, digits), interval(one.low, one.high, digits)]


def _reading(found: StudyFindings) -> None:
    st.subheader(t("study.reading"), anchor=False)
    rows = [
        [one.version, t(f"study.speed.{found.unit}"), f"{one.speed.n:,}", *_mean(one.speed, 0)]
        for one in found.speeds
    ]
    rows += [[one.version, t("study.away"), f"{one.away.n:,}", *_mean(one.away, 1)] for one in found.speeds]
    rows += [[one.version, one.question, f"{one.mean.n:,}", *_mean(one.mean, 2)] for one in found.scales]
    names = ("version", "what", "readers", "mean", "interval")
    table([t(f"study.column.{name}") for name in names], rows, numbers=frozenset({2, 3, 4}))
    line(t("study.time_note"), tone="quiet")
    _answers(found)


def _answers(found: StudyFindings) -> None:
    """The mixed models of the answers on scales."""
    rows = []
    for model in found.answers:
        effects = [
            (t("study.difference", first=one.first, second=one.second), one.effect)
            for one in model.differences
        ]
        effects += [(t("study.later"), model.later)] if model.later else []
        rows += [
            [
                model.question,
                name,
                f"{model.n:,}",
                number(effect.value, 2, signed=True),
                interval(effect.low, effect.high, 2, signed=True),
                p_value(effect.p),
            ]
            for name, effect in effects
        ]
    if rows:
        names = ("question", "what", "answers", "value", "interval", "p")
        table([t(f"study.column.{name}") for name in names], rows, numbers=frozenset({2, 3, 4, 5}))
        line(t("study.answers_note"), tone="quiet")
    for model in found.answers:
        if model.missing is not None:
            line(t(f"study.answers.{model.missing}", question=model.question), tone="quiet")


def _words(study: StudyRecord) -> None:
    """What readers wrote, as text."""
    with st.expander(t("study.words")):
        rows = [row for reader in study.readers for row in _of_reader(reader)]
        if not rows:
            line(t("study.no_words"))
            return
        table([t(f"study.column.{name}") for name in ("reader", "version", "what", "text")], rows)


def _of_reader(reader: ReaderRecord) -> Iterator[list[str]]:
    for one in reader.read:
        for name, value in one.answers.items():
            if isinstance(value, str):
                yield [reader.rater, one.system, name, value]
        texts = [mark for mark in one.highlights if mark.reason]
        yield from ([reader.rater, one.system, t(f"reading.pen.{mark.kind}"), mark.reason] for mark in texts)
    for chunk in reader.compared:
        preferred, said = chunk.answers.get("preferred"), chunk.answers.get("why")
        if said:
            version = NONE if preferred in (None, NO_DIFFERENCE) else (chunk.left, chunk.right)[preferred]
            yield [reader.rater, version, t("close.chunk", place=chunk.place + 1), said]
        for side, own in chunk.highlights.items():
            version = (chunk.left, chunk.right)[side]
            kinds = [(t(f"reading.pen.{mark.kind}"), mark.reason) for mark in own if mark.reason]
            yield from ([reader.rater, version, kind, reason] for kind, reason in kinds)
    why, preferred = reader.final.get("why"), reader.final.get("preferred")
    if why:
        version = NONE if preferred in (None, NO_DIFFERENCE) else reader.read[preferred].system
        yield [reader.rater, version, t("study.why"), why]


def _files(campaign: CampaignSummary, found: StudyFindings) -> None:
    st.subheader(t("study.files"), anchor=False)
    name = f"yomikurabe-{campaign.id}-study"
    with st.container(horizontal=True, gap="small"):
        for kind, text in (("csv", findings_csv(found)), ("json", findings_json(found))):
            data = text.encode("utf-8-sig" if kind == "csv" else "utf-8")
            download(t("study.save", file=f"figures.{kind}"), data, f"{name}.{kind}", key=f"study-{kind}")
        for file, text in study_tables(state.engine(), session.viewer(), campaign.id).items():
            data = text.encode("utf-8-sig")
            download(t("study.save", file=file), data, f"{name}-{file}", key=f"study-{file}")
    with st.expander(t("agreement.tab.report")):
        report.tab(campaign, study=True)
    with st.expander(t("study.campaign_files")):
        report.export_tab(campaign)
