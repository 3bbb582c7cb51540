"""Adjudicate: raters' marks and scores side by side; a third person decides, and all of it stays stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from core.raters.own_scales import OwnScale
from core.raters.protocols import TARGET, MarkedSpan, Protocol
from core.text.files import number_text
from db.design import from_json, protocol_of
from db.permissions import Viewer
from db.queries import get_campaign, get_translation
from db.queries.adjudication import (
    Decision,
    Disputed,
    RaterJudgement,
    decision_of,
    decisions,
    disputed,
    judgements_of,
    save_decision,
)
from db.queries.sealed import letters
from db.records import CampaignRecord, TranslationRecord
from pages.auth import session
from pages.evaluate.rate import spans as marking
from pages.evaluate.rate.passage import passage, words_of
from pages.evaluate.rate.scales import anchors_of, label_of
from pages.ui import picker, state
from pages.ui.error_words import category_words
from pages.ui.text import (
    NONE,
    error_kept,
    errors_shown,
    keep_error,
    label,
    line,
    moment,
    number,
    score,
    set_text,
    show_kept_error,
    t,
)
from pages.ui.widgets import download_csv

_SLOT = "decision"
COLUMNS = ("document", "position", "system", "score", "marks", "comment", "decided_by", "decided_at")


@st.fragment
def desk(campaign: CampaignRecord) -> None:
    """The list, the texts with each rater's marks, and the decision; redrawn alone."""
    session.guard_part("manages")
    viewer = session.viewer()
    with errors_shown():
        rows = disputed(state.engine(), viewer, campaign.id)
        if not rows:
            line(t("adjudicate.none"))
            return
        done = sum(one.decided for one in rows)
        line(t("adjudicate.count", n=len(rows), done=done), tone="quiet")
        by_id = {one.translation_id: one for one in rows}
        names = {one.translation_id: _name(one) for one in rows}
        chosen = st.selectbox(
            t("adjudicate.which"),
            list(by_id),
            key=f"adjudicate-which-{campaign.id}",
            format_func=names.__getitem__,
            help=t("adjudicate.which_help"),
        )
        place = by_id[chosen]
        translation = get_translation(state.engine(), place.segment_id, place.system_id)
        if translation is not None:
            _decide(viewer, campaign, translation)
            if place.decided:  # before, the numbers and names under the lens would weigh on the decision
                picker.to_lens(translation.id, campaign.id, f"adjudicate-lens-{translation.id}")
        _downloads(viewer, campaign)


def _name(one: Disputed) -> str:
    """A row of the list: where it is, how far the raters are apart, and whether it is decided."""
    words = t(
        "adjudicate.row",
        document=one.document,
        position=one.position + 1,
        system=one.system,
        spread=number(one.spread, 1),
        raters=one.raters,
    )
    return f"✓ {words}" if one.decided else words


def _decide(viewer: Viewer, campaign: CampaignRecord, translation: TranslationRecord) -> None:
    protocol = protocol_of(campaign.protocol, from_json(campaign.design))
    lang = campaign.target_lang
    left, right = st.columns(2, gap="medium")
    with left.container(border=True, gap=None):
        label(t("rate.reference"))
        set_text(translation.reference, lang=lang)
    with right.container(border=True, gap=None):
        label(t("rate.source"))
        set_text(translation.source or "", lang=campaign.source_lang)
    given = judgements_of(state.engine(), viewer, translation.id)
    for start in range(0, len(given), 2):
        columns = st.columns(2, gap="medium")
        for column, place in zip(columns, range(start, min(start + 2, len(given))), strict=False):
            with column.container(border=True, height="stretch"):
                _judgement(given[place], place, translation, lang, protocol)
                _on_scales(given[place], from_json(campaign.design).scales)
    _decision(viewer, translation, lang, protocol, given)


def _judgement(
    one: RaterJudgement, place: int, translation: TranslationRecord, lang: str, protocol: Protocol
) -> None:
    """One rater's marks, score and comment. Names are left out: the texts decide."""
    label(t("adjudicate.rater", letter=letters(place)))
    if protocol.marks:
        _passage(translation, lang, protocol, one.spans or (), f"adjudicate-{place}", readonly=True)
    else:
        set_text(translation.text, lang=lang)
    parts = [
        "" if one.score is None else t("adjudicate.score", score=score(one.score)),
        t("adjudicate.marks", n=len(one.spans)) if one.spans is not None else "",
        one.comment,
    ]
    line(" · ".join(filter(None, parts)))
    if one.edited:
        line(t("adjudicate.corrected", text=one.edited))
    st.button(
        t("adjudicate.take", letter=letters(place)),
        key=f"adjudicate-take-{translation.id}-{place}",
        on_click=_take,
        args=(translation.id, one),
    )


def _on_scales(one: RaterJudgement, scales: Sequence[OwnScale]) -> None:
    """The rater's answers on the campaign's own scales, with the words of their anchors."""
    for scale in scales:
        if scale.name in one.scales:
            value = one.scales[scale.name]
            words = anchors_of(scale).get(value, "")
            line(" ".join(filter(None, (f"{label_of(scale)}: {number_text(value)}", words))), tone="quiet")


def _decision(
    viewer: Viewer,
    translation: TranslationRecord,
    lang: str,
    protocol: Protocol,
    given: Sequence[RaterJudgement],
) -> None:
    stored = decision_of(state.engine(), viewer, translation.id)
    _begin(translation.id, stored, given)
    with st.container(border=True):
        label(t("adjudicate.decision"))
        if protocol.marks:
            _passage(
                translation,
                lang,
                protocol,
                _marks(translation.id),
                "adjudicate-own",
                readonly=False,
            )
            _category(translation.id, protocol)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            if protocol.scored:
                st.number_input(
                    t("rate.question"),
                    0.0,
                    100.0,
                    value=None,
                    step=1.0,
                    format="%g",
                    key=_key("score", translation.id),
                    placeholder="–",
                    width=170,
                )
            st.text_input(t("rate.comment"), key=_key("comment", translation.id), max_chars=2_000)
            st.button(
                t("adjudicate.store"),
                key=f"adjudicate-store-{translation.id}",
                type="primary",
                on_click=_store,
                args=(translation.id, protocol),
            )
        show_kept_error(_SLOT)
        if stored is not None:
            who = stored.rater or NONE
            line(t("adjudicate.stored", who=who, when=moment(stored.decided_at)), tone="quiet")


def _passage(
    translation: TranslationRecord,
    lang: str,
    protocol: Protocol,
    marks: Sequence[MarkedSpan],
    key: str,
    *,
    readonly: bool,
) -> None:
    own = [one for one in marks if one.side == TARGET]
    passage(
        translation.text,
        lang=lang,
        words=words_of(translation.text, lang),
        spans=lambda: own if readonly else _marks(translation.id),
        severities=protocol.severities,
        key=key,
        item=translation.id,
        omission=not readonly,
        readonly=readonly,
        categories=category_words(protocol),
        errors=protocol.errors,
        on_change=None if readonly else lambda marked: _mark(translation.id, marked),
        on_select=None if readonly or not protocol.categories else lambda at: _choose(translation.id, at),
    )


def _category(translation_id: int, protocol: Protocol) -> None:
    """The category and note of the chosen error."""
    marks, chosen = _marks(translation_id), st.session_state.get(_key("chosen", translation_id))
    if not protocol.categories:
        return
    if chosen is None or chosen >= len(marks):
        line(t("marking.choose"), tone="quiet")
        return
    key = _key("category", translation_id)
    marking.category_fields(marks[chosen], protocol, key, partial(_set, translation_id, chosen))


def _choose(translation_id: int, place: int | None) -> None:
    st.session_state[_key("chosen", translation_id)] = place


def _set(translation_id: int, place: int, category: str, note: str) -> None:
    marks = list(_marks(translation_id))
    if place < len(marks):
        marks[place] = replace(marks[place], category=category, note=note)
        st.session_state[_key("marks", translation_id)] = tuple(marks)


def _begin(translation_id: int, stored: Decision | None, given: Sequence[RaterJudgement]) -> None:
    """The fields begin with the stored decision, else empty; marks begin with the first rater's."""
    if _key("marks", translation_id) in st.session_state:
        return
    first = (given[0].spans or ()) if given else ()
    st.session_state[_key("marks", translation_id)] = tuple((stored.spans or ()) if stored else first)
    st.session_state[_key("score", translation_id)] = stored.score if stored else None
    st.session_state[_key("comment", translation_id)] = stored.comment if stored else ""


def _marks(translation_id: int) -> tuple[MarkedSpan, ...]:
    marks: tuple[MarkedSpan, ...] = st.session_state.get(_key("marks", translation_id), ())
    return marks


def _mark(translation_id: int, marked: Sequence[MarkedSpan]) -> None:
    """The marks of the translation are replaced; those of the source, which is not shown here, stay."""
    others = [one for one in _marks(translation_id) if one.side != TARGET]
    st.session_state[_key("marks", translation_id)] = (*marked, *others)


def _take(translation_id: int, one: RaterJudgement) -> None:
    """Callback: begin with this rater's judgement."""
    st.session_state[_key("marks", translation_id)] = one.spans or ()
    st.session_state[_key("score", translation_id)] = one.score


def _store(translation_id: int, protocol: Protocol) -> None:
    marks = _marks(translation_id) if protocol.marks else None
    problem = marking.lacks_category(marks or (), protocol)
    if problem is not None:
        keep_error(_SLOT, problem)
        return
    with error_kept(_SLOT):
        save_decision(
            state.engine(),
            session.viewer(),
            translation_id,
            score=st.session_state.get(_key("score", translation_id)) if protocol.scored else None,
            spans=marks,
            comment=st.session_state.get(_key("comment", translation_id)) or "",
        )
        st.toast(t("adjudicate.done"))


def _downloads(viewer: Viewer, campaign: CampaignRecord) -> None:
    found = decisions(state.engine(), viewer, campaign.id)
    if found:
        rows = [
            (
                one.document,
                one.position,
                one.system,
                one.score,
                len(one.spans or ()),
                one.comment,
                one.rater,
                one.decided_at.isoformat(),
            )
            for one in found
        ]
        download_csv(COLUMNS, rows, f"yomikurabe-{campaign.id}-decisions.csv")


def _key(name: str, translation_id: int) -> str:
    return f"adjudicate-{name}-{translation_id}"


session.guard("manages")
st.header(t("page.adjudicate"), anchor=False)
line(t("adjudicate.intro"))
chosen_campaign = picker.choose_campaign("adjudicate")
if chosen_campaign is not None:
    desk(get_campaign(state.engine(), chosen_campaign.id))
