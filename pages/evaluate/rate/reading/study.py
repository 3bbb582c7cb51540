"""The way through a study: guideline, versions with questions, the comparison, the close reading, the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import streamlit as st

from core.raters.assignment import minutes
from core.raters.protocols import CHUNKS, READING
from core.raters.reading.choices import ReadingChoices
from core.text.languages import base_lang
from db.design import from_json, reading_of
from db.queries.close import chunks_of
from db.queries.reading import close_opens_at, compared_at, opens_at, readings_of, text_of
from db.records import CampaignRecord, ChunkRecord, RaterRecord, ReadingRecord
from pages.auth import session
from pages.evaluate.rate import desk
from pages.evaluate.rate.reading import close, questions, screen
from pages.ui import picker, state
from pages.ui.text import column, errors_shown, line, moment, t


def study(campaign: CampaignRecord, rater: RaterRecord) -> None:
    """What comes next for this reader."""
    with errors_shown():
        engine, viewer = state.engine(), session.viewer()
        readings = readings_of(engine, viewer, campaign.id, rater.id)
        if not readings:
            line(t("rate.no_items"))
            return
        choices = reading_of(from_json(campaign.design))
        chunks = chunks_of(engine, viewer, campaign.id, rater.id)
        compared = compared_at(engine, viewer, campaign.id, rater.id)
        if campaign.protocol == CHUNKS or compared is not None:
            _close(campaign, rater, readings, chunks, choices, compared)
            return
        begun = f"reading-begun-{campaign.id}-{rater.id}"
        if readings[0].started_at is None and begun not in st.session_state:
            _begin(campaign, rater, readings, chunks, begun)
            return
        current = next((one for one in readings if not _done(one, choices)), None)
        where = None if current is None else t("reading.where", place=current.place + 1, total=len(readings))
        _header(campaign, rater, where, t("reading.keys"))
        _step(campaign, rater, readings, current, choices)


def _step(
    campaign: CampaignRecord,
    rater: RaterRecord,
    readings: Sequence[ReadingRecord],
    current: ReadingRecord | None,
    choices: ReadingChoices,
) -> None:
    """A version, its questions, and the comparison at the end."""
    if not campaign.takes_ratings(datetime.now(UTC)):
        st.info(t("rate.closed"), icon=":material/lock:")
    elif current is None:
        with column():
            questions.at_the_end(campaign.id, len(readings), choices, rater.id)
    elif current.finished_at is not None and st.session_state.get(questions.BACK) != current.id:
        with column():
            questions.after_version(current, choices, rater.id)
    elif not _paused(opens_at(readings, current.place, choices), lambda when: t("reading.pause", when=when)):
        screen.screen(campaign, current, rater.id)


def _paused(opens: datetime | None, said: Callable[[str], str]) -> bool:
    """Whether the reader has to wait, and says until when. said: the sentence with the time."""
    if opens is None or opens <= datetime.now(UTC):
        return False
    st.info(said(moment(opens)), icon=":material/bedtime:")
    line(t("reading.close_window"))
    return True


def _close(
    campaign: CampaignRecord,
    rater: RaterRecord,
    readings: Sequence[ReadingRecord],
    chunks: Sequence[ChunkRecord],
    choices: ReadingChoices,
    compared: datetime | None,
) -> None:
    """The close reading, and the end. compared: when the versions were compared as a whole."""
    chunk = close.current(chunks)
    if chunk is None:
        _header(campaign, rater, None, t("reading.keys"))
        desk.finished(campaign, rater, t("reading.thanks"), close=t("reading.close_window"))
        if campaign.demo:
            st.page_link("pages/learn/oneself.py", label=t("oneself.see"), icon=":material/insights:")
        return
    begun = f"chunks-begun-{campaign.id}-{rater.id}"
    if not campaign.takes_ratings(datetime.now(UTC)):
        _header(campaign, rater, None, t("chunks.keys"))
        st.info(t("rate.closed"), icon=":material/lock:")
    elif chunks[0].started_at is None and _paused(
        close_opens_at(compared, choices), lambda when: t("chunks.pause", when=when)
    ):
        pass
    elif chunks[0].started_at is None and begun not in st.session_state:
        if close.begin(campaign, chunks, readings, rater):
            st.session_state[begun] = True
            st.rerun()
    else:
        where = t("chunks.where", place=chunk.place + 1, total=len(chunks))
        _header(campaign, rater, where, t("chunks.keys"))
        close.compare(campaign, chunk, chunks, choices, rater)


def _done(one: ReadingRecord, choices: ReadingChoices) -> bool:
    return one.finished_at is not None and (one.answered or not choices.questions)


def _begin(
    campaign: CampaignRecord,
    rater: RaterRecord,
    readings: Sequence[ReadingRecord],
    chunks: Sequence[ChunkRecord],
    begun: str,
) -> None:
    """The guideline, and how long it will take."""
    with column():
        st.header(t("reading.guideline"), anchor=False)
        desk.guideline(campaign)
        if chunks:
            line(t("chunks.follow", n=len(chunks)))
        texts = text_of(state.engine(), session.viewer(), readings[0].id, rater.id)
        length, lang = sum(len(one.text) for one in texts), base_lang(campaign.target_lang)
        needed = minutes(len(readings) * length, protocol=READING, lang=lang)
        if chunks:
            needed += minutes(2 * length, protocol=CHUNKS, lang=lang)
        line(t("rate.minutes", n=desk.rounded(needed)))
        line(t("reading.may_stop"))
    if st.button(t("reading.begin"), key="begin", type="primary"):
        st.session_state[begun] = True
        st.rerun()


def _header(campaign: CampaignRecord, rater: RaterRecord, where: str | None, keys: str) -> None:
    """The study, the reader and the place; the guideline, and what the keys do."""
    parts = [picker.display_name(campaign), rater.name, *([where] if where else [])]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch"):
            line(" · ".join(parts))
        with st.popover(t("reading.guideline"), icon=":material/menu_book:", type="tertiary"):
            desk.guideline(campaign)
            line(keys, tone="quiet")
