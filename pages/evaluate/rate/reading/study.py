"""The way through a study: guideline, a version, its questions, the next version, the comparison, the end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from core.raters.assignment import minutes
from core.raters.protocols import READING
from core.raters.reading.choices import ReadingChoices
from core.text.languages import base_lang
from db.design import from_json, reading_of
from db.queries.reading import has_compared, opens_at, readings_of, text_of
from db.records import CampaignRecord, RaterRecord, ReadingRecord
from pages.auth import session
from pages.evaluate.rate import desk
from pages.evaluate.rate.reading import questions, screen
from pages.ui import picker, state
from pages.ui.text import column, errors_shown, line, moment, t


def study(campaign: CampaignRecord, rater: RaterRecord) -> None:
    """What comes next for this reader."""
    with errors_shown():
        readings = readings_of(state.engine(), session.viewer(), campaign.id, rater.id)
        if not readings:
            line(t("rate.no_items"))
            return
        choices = reading_of(from_json(campaign.design))
        begun = f"reading-begun-{campaign.id}-{rater.id}"
        if readings[0].started_at is None and begun not in st.session_state:
            _begin(campaign, rater, readings, begun)
            return
        current = next((one for one in readings if not _done(one, choices)), None)
        _header(campaign, rater, readings, current)
        _step(campaign, rater, readings, current, choices)


def _step(
    campaign: CampaignRecord,
    rater: RaterRecord,
    readings: Sequence[ReadingRecord],
    current: ReadingRecord | None,
    choices: ReadingChoices,
) -> None:
    if current is None and has_compared(state.engine(), session.viewer(), campaign.id, rater.id):
        desk.finished(campaign, rater, t("reading.thanks"), close=t("reading.close_window"))
    elif not campaign.takes_ratings(datetime.now(UTC)):
        st.info(t("rate.closed"), icon=":material/lock:")
    elif current is None:
        with column():
            questions.at_the_end(campaign.id, len(readings), choices, rater.id)
    elif current.finished_at is not None and st.session_state.get(questions.BACK) != current.id:
        with column():
            questions.after_version(current, choices, rater.id)
    elif (opens := opens_at(readings, current.place, choices)) is not None and opens > datetime.now(UTC):
        st.info(t("reading.pause", when=moment(opens)), icon=":material/bedtime:")
        line(t("reading.close_window"))
    else:
        screen.screen(campaign, current, rater.id)


def _done(one: ReadingRecord, choices: ReadingChoices) -> bool:
    return one.finished_at is not None and (one.answered or not choices.questions)


def _begin(
    campaign: CampaignRecord, rater: RaterRecord, readings: Sequence[ReadingRecord], begun: str
) -> None:
    """The guideline, and how long it will take."""
    with column():
        st.header(t("reading.guideline"), anchor=False)
        desk.guideline(campaign)
        texts = text_of(state.engine(), session.viewer(), readings[0].id, rater.id)
        characters = len(readings) * sum(len(one.text) for one in texts)
        needed = minutes(characters, protocol=READING, lang=base_lang(campaign.target_lang))
        line(t("rate.minutes", n=desk.rounded(needed)))
        line(t("reading.may_stop"))
    if st.button(t("reading.begin"), key="begin", type="primary"):
        st.session_state[begun] = True
        st.rerun()


def _header(
    campaign: CampaignRecord,
    rater: RaterRecord,
    readings: Sequence[ReadingRecord],
    current: ReadingRecord | None,
) -> None:
    parts = [picker.display_name(campaign), rater.name]
    if current is not None:
        parts.append(t("reading.where", place=current.place + 1, total=len(readings)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch"):
            line(" · ".join(parts))
        with st.popover(t("reading.guideline"), icon=":material/menu_book:", type="tertiary"):
            desk.guideline(campaign)
            line(t("reading.keys"), tone="quiet")
