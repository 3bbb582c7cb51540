"""Practice of a campaign: its items and what is expected, the pass mark, and what raters answered."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from core.raters.practice import Expected, find_piece
from core.raters.protocols import Protocol
from db.design import from_json, protocol_of
from db.permissions import Viewer
from db.queries import list_translations
from db.queries.practice import (
    FEEDBACK_LIMIT,
    add_practice,
    practice_answers,
    practice_items,
    practice_tries,
    remove_practice,
    set_practice,
)
from db.records import CampaignRecord, PracticeRecord, PracticeTry, TranslationRecord
from pages.auth import session
from pages.evaluate.rate.practice import verdict
from pages.ui import state
from pages.ui.error_words import severity_word
from pages.ui.text import error_kept, label, line, set_text, show_kept_error, t, table
from pages.ui.widgets import download_csv, switch

_SLOT = "practice-manage"
ANY, PIECE, CLEAN = "any", "piece", "clean"


def tab(viewer: Viewer, campaign: CampaignRecord) -> None:
    """The items as raters see them, one more, the pass mark, and the results."""
    records = practice_items(state.engine(), campaign.id)
    protocol = protocol_of(campaign.protocol, from_json(campaign.design))
    translations = list_translations(state.engine(), campaign.id)
    closed = campaign.state == "closed"
    if closed:
        st.info(t("practice.closed"), icon=":material/lock:")
    show_kept_error(_SLOT)
    st.subheader(t("practice.items"), anchor=False)
    if not records:
        line(t("practice.none"), tone="quiet")
    systems = {one.id: one.system for one in translations}
    for place, record in enumerate(records, start=1):
        _card(campaign.id, record, protocol, f"{place} · {systems[record.translation_id]}", closed=closed)
    if not closed:
        _new(campaign, protocol, records, translations)
        if records:
            _settings(campaign, len(records))
    if records:
        _results(viewer, campaign)


def _card(campaign_id: int, record: PracticeRecord, protocol: Protocol, head: str, *, closed: bool) -> None:
    """An item with what is said after an answer to it."""
    with st.container(border=True):
        line(f"{head} · {record.document} {record.position + 1}", tone="quiet")
        _texts(record.reference, record.translation, record.lang)
        if not record.expected.asks(protocol):
            line(t("practice.asks_nothing"))
        verdict(record, protocol, None)
        if not (record.feedback_en or record.feedback_ja):
            line(t("practice.feedback_none"), tone="quiet")
        if not closed:
            st.button(
                t("practice.remove"),
                key=f"practice-remove-{record.id}",
                icon=":material/delete:",
                on_click=_remove,
                args=(campaign_id, record.id),
            )


def _texts(reference: str, translation: str, lang: str) -> None:
    left, right = st.columns(2, gap="medium")
    for column, caption, text in (
        (left, t("rate.reference"), reference),
        (right, t("rate.translation"), translation),
    ):
        with column:
            label(caption)
            set_text(text, lang=lang)


def _new(
    campaign: CampaignRecord,
    protocol: Protocol,
    records: Sequence[PracticeRecord],
    translations: Sequence[TranslationRecord],
) -> None:
    """The form for one more; its keys count the items, so that it is empty again afterwards."""
    taken = {record.translation_id for record in records}
    free = [one for one in translations if not one.is_reference and one.text.strip() and one.id not in taken]
    by_segment = {key: list(found) for key, found in groupby(free, key=lambda one: one.segment_id)}
    if not by_segment:
        return
    key = f"practice-{campaign.id}-{len(records)}"
    st.subheader(t("practice.new"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        segment = st.selectbox(
            t("practice.segment"),
            list(by_segment),
            format_func=lambda number: _segment_name(by_segment[number][0]),
            key=f"{key}-segment",
        )
        systems = {one.id: one for one in by_segment[segment]}
        chosen = st.selectbox(
            t("practice.system"),
            list(systems),
            format_func=lambda number: systems[number].system,
            key=f"{key}-system-{segment}",
            width=260,
        )
    one = systems[chosen]
    _texts(one.reference, one.text, campaign.target_lang)
    _range(protocol, key)
    marks = _marks(protocol, key)
    left, right = st.columns(2, gap="medium")
    for column, lang in ((left, "en"), (right, "ja")):
        column.text_input(
            t("practice.feedback_en") if lang == "en" else t("practice.feedback_ja"),
            key=f"{key}-feedback-{lang}",
            max_chars=FEEDBACK_LIMIT,
            help=t("practice.feedback_help"),
        )
    st.button(
        t("practice.add"),
        key=f"{key}-add",
        type="primary",
        icon=":material/add:",
        on_click=_add,
        args=(campaign.id, one, protocol, marks, key),
    )


def _segment_name(one: TranslationRecord) -> str:
    beginning = " ".join(one.reference.split())
    return f"{one.document} {one.position + 1} · {beginning[:60]}"


def _range(protocol: Protocol, key: str) -> None:
    if protocol.scored:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            for name, value in (("low", 0), ("high", 100)):
                st.number_input(
                    t("practice.low") if name == "low" else t("practice.high"),
                    0,
                    100,
                    value,
                    key=f"{key}-{name}",
                    width=220,
                )


def _marks(protocol: Protocol, key: str) -> str:
    """What must be marked: nothing is checked, an error in a piece of the text, or no error at all."""
    if not protocol.marks:
        return ANY
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        marks = switch(
            t("practice.marks"),
            (ANY, PIECE, CLEAN) if protocol.scored else (PIECE, CLEAN),
            f"{key}-marks",
            lambda name: t(f"practice.marks.{name}"),
            default=PIECE,
            persist=False,
        )
        if marks == PIECE:
            st.text_input(t("practice.piece"), key=f"{key}-piece", help=t("practice.piece_help"), width=320)
            st.selectbox(
                t("practice.severity"),
                ("", *protocol.severities),
                format_func=lambda name: (
                    severity_word(name, protocol.errors) if name else t("practice.severity.any")
                ),
                key=f"{key}-severity",
                width=200,
            )
    return marks


def _add(campaign_id: int, one: TranslationRecord, protocol: Protocol, marks: str, key: str) -> None:
    """Callback: the fields as an item. What goes wrong is kept for the page to say."""
    given = st.session_state
    with error_kept(_SLOT):
        start = end = None
        if marks == PIECE:
            start, end = find_piece(one.text, given[f"{key}-piece"] or "")
        expected = Expected(
            low=float(given[f"{key}-low"]) if protocol.scored else None,
            high=float(given[f"{key}-high"]) if protocol.scored else None,
            start=start,
            end=end,
            severity=given[f"{key}-severity"] if marks == PIECE else "",
            clean=marks == CLEAN,
        )
        add_practice(
            state.engine(),
            session.viewer(),
            campaign_id,
            translation_id=one.id,
            expected=expected,
            feedback_en=given[f"{key}-feedback-en"] or "",
            feedback_ja=given[f"{key}-feedback-ja"] or "",
        )
        st.toast(t("practice.added"))


def _remove(campaign_id: int, practice_id: int) -> None:
    with error_kept(_SLOT):
        remove_practice(state.engine(), session.viewer(), campaign_id, practice_id)


def _settings(campaign: CampaignRecord, items: int) -> None:
    """The pass mark and the number of tries; 0 stands for none."""
    design, key = from_json(campaign.design), f"practice-{campaign.id}"
    st.subheader(t("practice.settings"), anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        mark = min(design.practice_pass or 0, items)
        st.number_input(t("practice.pass_mark"), 0, items, mark, key=f"{key}-mark-{items}", width=320)
        tries = design.practice_tries or 0
        st.number_input(t("practice.tries"), 0, 100, tries, key=f"{key}-tries", width=260)
        st.button(
            t("practice.save"), key=f"{key}-save", on_click=_save, args=(campaign.id, f"{key}-mark-{items}")
        )


def _save(campaign_id: int, mark: str) -> None:
    tries = st.session_state[f"practice-{campaign_id}-tries"]
    with error_kept(_SLOT):
        set_practice(
            state.engine(),
            session.viewer(),
            campaign_id,
            pass_mark=int(st.session_state[mark]) or None,
            tries=int(tries) or None,
        )
        st.toast(t("practice.saved"))


def _results(viewer: Viewer, campaign: CampaignRecord) -> None:
    """A row for each rater, and every answer as a file."""
    st.subheader(t("practice.results"), anchor=False)
    tries = practice_tries(state.engine(), viewer, campaign.id)
    if not tries:
        line(t("practice.no_results"), tone="quiet")
        return
    head = [t(f"practice.column.{name}") for name in ("rater", "tries", "right", "passed")]
    needed = from_json(campaign.design).practice_pass
    rows = [_row(list(own), needed) for _, own in groupby(tries, key=lambda one: one.rater)]
    table(head, rows, numbers=frozenset({1}))
    answers = practice_answers(state.engine(), viewer, campaign.id)
    header = ("rater", "try", "document", "position", "system", "score", "errors", "right", "answered_at")
    cells = [
        (
            one.rater,
            one.number,
            one.document,
            one.position,
            one.system,
            one.score,
            one.errors,
            int(one.right),
            one.answered_at.isoformat(),
        )
        for one in answers
    ]
    download_csv(header, cells, "practice.csv", key="practice-csv")


def _row(own: Sequence[PracticeTry], needed: int | None) -> tuple[str, ...]:
    last = own[-1]
    right = t(
        "practice.result" if last.finished_at else "practice.under_way", right=last.right, total=last.total
    )
    passed = needed is None or any(one.passed or (one.finished_at and one.right >= needed) for one in own)
    return last.rater, str(len(own)), right, t("practice.yes" if passed else "practice.no")
