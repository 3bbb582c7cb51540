"""The chapter strip: people, metrics and lengths of a system's translation as bands in reading order."""

from __future__ import annotations

import streamlit as st

from core.charts.novel import strip_picture
from core.novel.strip import ADDED, LENGTH, OMITTED, SPREAD, Strip
from db.campaigns.novel import NovelTexts
from db.campaigns.strips import aligner_marks, system_strip
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import address, campaign_data, novel, picker, state
from pages.ui.text import errors_shown, line, number, t, table
from pages.ui.widgets import chart, clicked_item, download_csv


def _segment_key() -> str:
    """The key of the box with segments; each campaign has its own."""
    return f"strip-segment-{st.session_state.get('campaign-strip')}"


PARTS = (
    address.campaign("strip"),
    address.choice("system", "strip-system"),
    address.choice("document", "strip-document"),
    address.number("segment", _segment_key),
)
EVERY = "*"
"""The key of all documents among them."""


@st.fragment
def picture(campaign: CampaignSummary) -> None:
    """Everything that a choice changes; it is redrawn alone."""
    session.guard_part("scores")
    with address.shared(PARTS), errors_shown():
        own = novel.texts_of(campaign)
        if not own.systems:
            line(t("novel.no_translations"))
            return
        system, segments = _chosen(own)
        found = system_strip(
            own,
            system,
            segments,
            campaign_data.evaluation_of(campaign),
            campaign_data.judgements_of(campaign).scores,
            aligner_marks(state.engine(), campaign.id),
        )
        if not found.bands:
            line(t("strip.nothing"))
            return
        places = [novel.place_name(own, segment) for segment in segments]
        event = chart(
            strip_picture(
                found,
                places,
                palette=state.palette(),
                words=_words(found),
                chosen=_at(segments),
            ),
            f"strip-{system}-{len(segments)}",
            t("strip.alt"),
            on_select="rerun",
            wide=True,
        )
        line(t("strip.what"), tone="quiet")
        clicked = clicked_item(event)
        if clicked is not None and clicked < len(segments) and clicked != st.session_state.get("strip-click"):
            st.session_state["strip-click"] = clicked
            st.session_state[_segment_key()] = segments[clicked]
            st.rerun(scope="fragment")
        _passage(campaign, own, system, segments, found)


def _chosen(own: NovelTexts) -> tuple[str, list[int]]:
    """The system, and the segments of the chosen document."""
    left, right = st.columns(2, gap="small")
    with left:
        system = st.selectbox(t("systems.system"), list(own.systems), key="strip-system", filter_mode=None)
    documents = list(dict.fromkeys(own.documents))
    with right:
        document = st.selectbox(
            t("strip.document"),
            [EVERY, *documents],
            format_func=lambda name: t("strip.every") if name == EVERY else name,
            key="strip-document",
            filter_mode=None,
        )
    return system, [n for n, name in enumerate(own.documents) if document in (EVERY, name)]


def _words(found: Strip) -> dict[str, str]:
    own = {name: t(f"strip.{name}") for name in (SPREAD, LENGTH, OMITTED, ADDED)}
    bands = {band.name: own.get(band.name) or campaign_data.column_name(band.name) for band in found.bands}
    return {**bands, **{name: t(f"strip.{name}") for name in ("parted", "short", "long")}}


def _at(segments: list[int]) -> int | None:
    chosen = st.session_state.get(_segment_key())
    return segments.index(chosen) if chosen in segments else None


def _passage(
    campaign: CampaignSummary, own: NovelTexts, system: str, segments: list[int], found: Strip
) -> None:
    """The passage that was chosen: at first the one at which the bands part most."""
    order = [*found.parted, *(n for n in range(len(segments)) if n not in set(found.parted))]
    labels = {segments[n]: _label(own, segments[n], found.gaps[n]) for n in order}
    if st.session_state.get(_segment_key()) not in labels:
        st.session_state[_segment_key()] = next(iter(labels))
    segment = st.selectbox(
        t("strip.passage"),
        list(labels),
        format_func=labels.__getitem__,
        key=_segment_key(),
        filter_mode=None,
        help=t("strip.passage_help"),
    )
    at = segments.index(segment)
    header = [t("strip.band"), t("strip.value"), t("strip.share")]
    words = _words(found)
    rows = [
        [words[band.name], number(float(band.values[at]), 3), number(float(band.shares[at]), 2)]
        for band in found.bands
        if band.values[at] == band.values[at]
    ]
    table(header, rows, numbers=frozenset({1, 2}))
    novel.passage(campaign, own, segment, system, ((), ()), key="strip-lens")
    names = [band.name for band in found.bands]
    download_csv(
        ["segment", *names, *(f"{name} share" for name in names), "gap"],
        [
            [
                own.places[segments[n]],
                *(_known(band.values[n]) for band in found.bands),
                *(_known(band.shares[n]) for band in found.bands),
                _known(found.gaps[n]),
            ]
            for n in range(len(segments))
        ],
        f"yomikurabe-{campaign.id}-strip.csv",
        key="strip-csv",
    )


def _known(value: float) -> float | None:
    return None if value != value else float(value)


def _label(own: NovelTexts, segment: int, gap: float) -> str:
    where = f"{novel.place_name(own, segment)} · {novel.beginning(own.references[segment])}"
    return where if gap != gap else t("strip.gap", where=where, gap=number(float(gap), 2))


session.guard("scores")
st.header(t("page.strip"), anchor=False)
line(t("strip.intro"))
asked = address.read(PARTS)
chosen_campaign = picker.choose_campaign("strip")
if chosen_campaign is not None:
    picture(chosen_campaign)
address.settle(asked)
