"""The certificate: do the numbers depend on order, batches, neighbours or memory? Asked for one campaign."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.hacks.invariance import CONDITIONS, TOLERANCE, Certificate, Deviation, certify
from core.scoring import Request
from core.text.languages import base_lang
from core.types import TextPair
from db.queries import get_campaign, list_segments, list_translations
from pages.debug.hacks.campaign import FAST
from pages.ui import models, picker, state
from pages.ui.text import line, t, table

MOST = 200
USUAL = 10
_FOUND = "hack-certificate"


def lab() -> None:
    """How many pairs, the button, the bar, and the table of what was found."""
    chosen = picker.choose_campaign("certificate")
    if chosen is None:
        return
    line(t("certificate.intro", tolerance=f"{TOLERANCE:.6f}"))
    pairs = _pairs(chosen.id)
    if not pairs:
        line(t("certificate.no_pairs"))
        return
    most = min(MOST, len(pairs))
    with st.form(f"certificate-{chosen.id}"):
        count = int(
            st.number_input(
                t("certificate.pairs"), 1, most, min(USUAL, most), help=t("certificate.pairs_help")
            )
        )
        pressed = st.form_submit_button(t("certificate.run"), type="primary")
    if pressed:
        st.session_state[_FOUND] = (chosen.id, _run(pairs[:count]))
    found: tuple[int, Certificate] | None = st.session_state.get(_FOUND)
    if found is not None and found[0] == chosen.id:
        _shown(found[1])


def _pairs(campaign_id: int) -> list[TextPair]:
    """The campaign's translations, segment by segment, references left out."""
    engine = state.engine()
    lang = base_lang(get_campaign(engine, campaign_id).target_lang)
    segments = {one.id: one for one in list_segments(engine, campaign_id)}
    return [
        TextPair(
            reference=segments[one.segment_id].reference,
            hypothesis=one.text,
            source=segments[one.segment_id].source,
            lang=lang,
        )
        for one in list_translations(engine, campaign_id)
        if not one.is_reference
    ]


def _run(pairs: Sequence[TextPair]) -> Certificate:
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, text=t("certificate.preparing"))

        def progress(done: int, total: int) -> None:
            bar.progress(done / total, text=t("certificate.progress", done=done, total=total))

        found = certify(pairs, list(map(Request, FAST)), models.backends(), progress=progress)
    place.empty()
    return found


def _shown(found: Certificate) -> None:
    line(t("certificate.holds" if found.holds else "certificate.broken", pairs=found.pairs))
    by_place = {(change.metric, change.condition): change for change in found.changes}
    shown = [name for name in CONDITIONS if any(change.condition == name for change in found.changes)]
    header = [t("certificate.way"), *(t(f"metric.{metric}") for metric in found.signatures)]
    rows = [
        [t(f"certificate.condition.{name}"), *(_cell(by_place[metric, name]) for metric in found.signatures)]
        for name in shown
    ]
    table(header, rows, numbers=frozenset(range(1, len(header))))
    line(t("certificate.read"), tone="quiet")
    with st.expander(t("hacks.signatures")):
        for signed in dict.fromkeys((*found.signatures.values(), *found.other.values())):
            st.code(signed, language=None, wrap_lines=True)


def _cell(change: Deviation) -> str:
    """`0 ✓`, `0.0000021 ✗ (42)`: the largest change, the verdict where there is one, the pair from 1 on."""
    amount = "–" if change.largest is None else _amount(change.largest)
    mark = {True: " ✓", False: " ✗", None: ""}[change.holds]
    where = "" if change.pair is None or change.holds else f" ({change.pair + 1})"
    lost = f" −{change.lost}" if change.lost else ""
    return f"{amount}{mark}{where}{lost}"


def _amount(value: float) -> str:
    return "0" if value == 0 else f"{value:.1e}" if value < TOLERANCE / 10 else f"{value:.7f}"
