"""The voices of a campaign's novel: who speaks, with which forms, and where a translation breaks a voice."""

from __future__ import annotations

import json
from collections.abc import Mapping

import streamlit as st

from core.charts.novel import voice_line
from core.novel.voice import COUNTED, SORTS, VoiceBreak, VoiceQuotation, Voices, voices_json
from core.text.html import Tint
from db.campaigns.novel import NovelTexts
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import address, novel, picker, state
from pages.ui.text import errors_shown, line, number, plain, t, words_or
from pages.ui.widgets import chart, data_table, download, download_csv, figures, switch

PARTS = (
    address.campaign("voice"),
    address.choice("text", "voice-text"),
    address.choice("sort", "voice-sort", SORTS),
    address.choice("system", "voice-system"),
)
REFERENCE = "="
"""The key of the reference among the texts; no system is called so."""

FORMS = 4
"""Forms of a sort in the table."""


@st.fragment
def ledger(campaign: CampaignSummary) -> None:
    """Everything that a switch or a choice changes; it is redrawn alone."""
    session.guard_part("scores")
    with address.shared(PARTS), errors_shown():
        told = novel.found(campaign, "voice")
        if told is None:
            return
        own, (reference, systems) = told
        texts: dict[str, Voices] = {REFERENCE: reference, **systems}
        if not any(one.quotations for one in texts.values()):
            line(t("voice.none"))
            return
        _figures(texts)
        _speakers(campaign, own, texts)
        st.header(t("voice.over_time"), anchor=False)
        _over_time(own, texts)
        st.header(t("voice.breaks"), anchor=False)
        line(t("voice.breaks_what"), tone="quiet")
        _breaks(campaign, own, reference, systems)


def _name(text: str) -> str:
    return t("pair.reference") if text == REFERENCE else text


def _figures(texts: Mapping[str, Voices]) -> None:
    figures(
        (
            t("voice.quotations_of", text=plain(_name(name))),
            number(len(one.quotations), 0),
            t(
                "voice.claimed",
                n=sum(said.speaker is not None for said in one.quotations),
                total=len(one.quotations),
            ),
        )
        for name, one in texts.items()
    )


def _speakers(campaign: CampaignSummary, own: NovelTexts, texts: Mapping[str, Voices]) -> None:
    chosen = switch(t("voice.text"), list(texts), "voice-text", _name)
    speakers = texts[chosen].speakers
    columns: dict[str, list[object]] = {
        t("voice.speaker"): [one.speaker or t("voice.unknown") for one in speakers],
        t("voice.quotations"): [one.quotations for one in speakers],
        **{
            t(f"voice.sort.{sort}"): [_counts(getattr(one.speech, sort)) for one in speakers]
            for sort in COUNTED
        },
    }
    data_table(columns, f"voice-table-{chosen}", {}, rows=len(speakers))
    line(t("voice.table_what"), tone="quiet")
    header = ["text", "segment", "start", "end", "speaker", *COUNTED]
    rows = [
        [
            name,
            own.places[said.segment],
            said.start,
            said.end,
            said.speaker or "",
            *(_plain(getattr(said.speech, sort)) for sort in COUNTED),
        ]
        for name, one in texts.items()
        for said in one.quotations
    ]
    reference = texts[REFERENCE]
    systems = {name: one for name, one in texts.items() if name != REFERENCE}
    with st.container(horizontal=True, gap="small"):
        download_csv(header, rows, f"yomikurabe-{campaign.id}-voices.csv", key="voice-csv")
        download(
            "JSON",
            lambda: json.dumps(
                voices_json(reference, systems, own.places), ensure_ascii=False, indent=1
            ).encode(),
            f"yomikurabe-{campaign.id}-voices.json",
            key="voice-json",
        )


def _plain(forms: Mapping[str, int]) -> str:
    return " ".join(f"{form}:{count}" for form, count in forms.items())


def _counts(forms: Mapping[str, int]) -> str:
    shown = [f"{_form(form)} {count}" for form, count in list(forms.items())[:FORMS]]
    more = len(forms) - FORMS
    return " · ".join([*shown, *([t("cast.more", n=more)] if more > 0 else [])]) or "–"


def _form(form: str) -> str:
    """A form for a reader: a class of forms has a name, a word stands for itself."""
    return words_or(f"voice.form.{form}", form)


def _over_time(own: NovelTexts, texts: Mapping[str, Voices]) -> None:
    sorts = SORTS if own.lang == "ja" else SORTS[1:]
    sort = switch(t("voice.sort"), sorts, "voice-sort", lambda name: t(f"voice.sort.{name}"))
    forms = {form for one in texts.values() for said in one.quotations if (form := said.form(sort))}
    if not forms:
        line(t("voice.no_forms"))
        return
    figure = voice_line(
        {_name(name): one for name, one in texts.items()},
        sort,
        [novel.place_name(own, segment) for segment in range(len(own.segments))],
        palette=state.palette(),
        words={form: _form(form) for form in forms},
    )
    chart(figure, f"voice-line-{sort}", t("voice.over_time_alt"))
    line(t("voice.over_time_what"), tone="quiet")


def _breaks(
    campaign: CampaignSummary, own: NovelTexts, reference: Voices, systems: Mapping[str, Voices]
) -> None:
    system = st.selectbox(t("systems.system"), list(systems), key="voice-system", filter_mode=None)
    found = systems[system]
    if not found.breaks:
        line(t("voice.no_breaks", system=system))
        return
    labels = {place: _break_label(own, one) for place, one in enumerate(found.breaks)}
    chosen = st.selectbox(
        t("voice.passages", n=len(labels)),
        list(labels),
        format_func=labels.__getitem__,
        key=f"voice-break-{system}",
        filter_mode=None,
    )
    broken = found.breaks[chosen]
    said = found.quotations[broken.place]
    novel.passage(
        campaign,
        own,
        broken.segment,
        system,
        (
            [_mark(one) for one in reference.quotations if one.segment == broken.segment],
            [_mark(said)],
        ),
        key="voice-lens",
    )


def _mark(said: VoiceQuotation) -> Tint:
    return Tint(start=said.start, end=said.end, strength=0.35)


def _break_label(own: NovelTexts, one: VoiceBreak) -> str:
    return t(
        f"voice.break.{one.against}",
        place=novel.place_name(own, one.segment),
        speaker=one.speaker or t("voice.unknown"),
        sort=t(f"voice.sort.{one.sort}"),
        expected=_form(one.expected),
        found=_form(one.found),
    )


session.guard("scores")
st.header(t("page.voice"), anchor=False)
line(t("voice.intro"))
asked = address.read(PARTS)
chosen_campaign = picker.choose_campaign("voice")
if chosen_campaign is not None:
    ledger(chosen_campaign)
address.settle(asked)
