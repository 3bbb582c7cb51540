"""Lessons that teachers made from the lens or the hack lab: opened, exported, imported, removed."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.types import TextPair
from db.queries.lessons import list_lessons, remove_lesson, save_lesson
from db.records import LessonRecord
from pages.auth import session
from pages.learn import lesson, stored
from pages.learn.examples import AB_METRICS, EFFECTS, Effect
from pages.ui import address, frame, maker, picker, state
from pages.ui.evidence import tokens
from pages.ui.text import error_kept, label, line, novel, show_kept_error, t, words_or
from pages.ui.widgets import download

_CHOSEN, _FILE, _SLOT = "made-lesson", "made-file", "made"
PARTS = (address.number("lesson", _CHOSEN), lesson.PROJECTOR)


def pair_of(one: LessonRecord, text: str) -> TextPair:
    """The lesson's reference with one of its translations."""
    kept = one.state
    source = kept.get("source")
    return TextPair(reference=kept["reference"], hypothesis=text, source=source or None, lang=kept["lang"])


def play(one: LessonRecord) -> None:
    """The texts, the numbers before and after the edits, the picture, and the teacher's words."""
    kept = one.state
    before = pair_of(one, kept["translation"])
    edited = kept.get("edited")
    after = before if edited is None else pair_of(one, edited)
    left, right = st.columns([5, 6], gap="large")
    with left:
        line(one.title, tone="title")
        passages = [(t("pair.reference"), before.reference), (t("hacks.before"), before.hypothesis)]
        if edited is None:
            passages[1] = (t("pair.translation"), before.hypothesis)
        else:
            passages.append((t("hacks.after"), after.hypothesis))
        for caption, text in passages:
            with st.container(border=True, gap=None):
                label(caption)
                novel(text, lang=before.lang)
        remark = one.remark if session.viewer().sees_scores and not state.projector() else ""
        for caption, words in ((t("learn.question"), one.question), (t("made.remark"), remark)):
            if words.strip():
                label(caption)
                line(words)
        _to_the_lens(one)
    with right:
        first, last = ({name: stored.score(name, pair) for name in AB_METRICS} for pair in (before, after))
        lesson.movement(first, last, _effect(kept.get("effect")), moved=after != before, hint=False)
        trace = last["bertscore"].trace
        if trace is not None and not trace.empty:
            tokens.both_texts(after, trace)


def _effect(said: object) -> Effect | None:
    return next((one for one in EFFECTS if one == said), None)


def _to_the_lens(one: LessonRecord) -> None:
    """Where it was made, with its edits and settings, for those who may go there."""
    if session.viewer().sees_scores and st.button(t("made.open"), key="made-open", icon=":material/search:"):
        maker.restore(one)
        kept: dict[str, Any] = dict(one.state)
        if one.page == "pair":
            tab = words_or(f"pair.tab.{kept.get('tab')}", "")
            if tab:
                st.session_state["pair-tabs"] = tab
            picker.open_texts(
                kept["reference"], kept["translation"], kept.get("source"), other=kept["translation"]
            )
        st.session_state.update(
            {
                "pair-origin": "typed",
                "typed-reference": kept["reference"],
                "typed-hypothesis": kept["translation"],
                "typed-source": kept.get("source") or "",
            }
        )
        st.switch_page(frame.script_of("hacks"))


def _manage(one: LessonRecord | None) -> None:
    """Export, import and removal, for teachers and organisers."""
    if not session.viewer().sees_scores or state.projector():
        return
    with st.expander(t("made.manage"), icon=":material/tune:"):
        if one is not None:
            with st.container(horizontal=True):
                download(
                    t("made.export"), maker.to_file(one), f"yomikurabe-lesson-{one.id}.json", key="made-save"
                )
                st.button(
                    t("made.remove"), key="made-remove", on_click=_remove, args=(one.id,), type="tertiary"
                )
        st.file_uploader(t("made.import"), type=["json"], key=_FILE)
        st.button(
            t("made.import_now"),
            key="made-import",
            disabled=st.session_state.get(_FILE) is None,
            on_click=_import,
        )
        show_kept_error(_SLOT)


def _import() -> None:
    given = st.session_state[_FILE]
    with error_kept(_SLOT):
        number = save_lesson(state.engine(), session.viewer(), maker.from_file(given.getvalue()))
        st.session_state[_CHOSEN] = number


def _remove(number: int) -> None:
    with error_kept(_SLOT):
        remove_lesson(state.engine(), session.viewer(), number)
        st.session_state.pop(_CHOSEN, None)


def choose() -> None:
    """The saved lessons by their titles, the newest first."""
    titles = {one.id: one.title for one in list_lessons(state.engine())}
    if not titles:
        st.session_state.pop(_CHOSEN, None)
        return
    if st.session_state.get(_CHOSEN) not in titles:
        st.session_state[_CHOSEN] = next(iter(titles))
    st.selectbox(
        t("made.choose"),
        list(titles),
        key=_CHOSEN,
        format_func=titles.__getitem__,
        label_visibility="collapsed",
        filter_mode=None,
        width=360,
        persist_state="session",
    )


with lesson.framed("made", PARTS, beside=choose, asks=False):
    opened = next(
        (one for one in list_lessons(state.engine()) if one.id == st.session_state.get(_CHOSEN)), None
    )
    if opened is None:
        line(t("made.none"))
    else:
        play(opened)
    _manage(opened)
