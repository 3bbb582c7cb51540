"""What a reading study says: preferences, highlights, speed, and whether metrics pick what readers picked."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from core.charts.reading import strips
from core.raters.reading.choices import KINDS, NO_DIFFERENCE
from core.raters.reading.findings import StudyFindings, findings_csv, findings_json
from core.report.study import StudyWords, whole
from core.text.locale import Speaker
from db.campaigns.study import study_findings, study_tables
from db.queries.study import StudyRecord, study_of
from db.records import CampaignSummary, ReaderRecord
from pages.auth import session
from pages.evaluate.agreement import close, coding, report
from pages.evaluate.agreement.sections import show, titled
from pages.ui import state
from pages.ui.pointing import pointing
from pages.ui.text import NONE, errors_shown, line, metric_name, t, table
from pages.ui.widgets import chart, download, figures


def results(campaign: CampaignSummary) -> None:
    """Everything: figures with their intervals, what readers wrote, and the files."""
    with errors_shown():
        engine, viewer = state.engine(), session.viewer()
        study, found = study_of(engine, viewer, campaign.id), study_findings(engine, viewer, [campaign.id])
        if not found.readers and found.close is None:
            line(t("study.none"))
            return
        words = StudyWords(say=Speaker(state.language()), title=metric_name)
        if found.readers:
            _whole(found, words)
        if found.close is not None:
            close.results(found.close, found.unit, words)
        st.subheader(t("study.pointing"), anchor=False)
        pointing(campaign, t("study.pointing_nothing"))
        _words(study)
        st.subheader(t("coding.title"), anchor=False)
        coding.tab(campaign)
        _files(campaign, found)


def _whole(found: StudyFindings, words: StudyWords) -> None:
    """What readers said of versions that they read as a whole."""
    values = [
        (t("study.readers"), f"{found.readers:,}", None),
        (t("study.finished"), f"{found.finished:,}", None),
    ]
    figures(values, border=True)
    show(words.few(found.finished))
    preferences, metrics, highlights, read = whole(found, words)
    for section in (preferences, metrics, highlights):
        titled(section)
    _strips(found)
    titled(read)


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
