"""Fitting a score to a campaign's raters: what is there, what to learn from, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.calibration.calibrate import Advice, Calibration, advise, calibrate
from core.calibration.features import values_of
from core.calibration.model import FAMILIES, Family
from core.calibration.training import FEW_DOCUMENTS, FEW_RATED, SCALES, Scale
from db.campaigns.calibration import Offer, lengths, training_of
from db.records import CampaignSummary, TranslationRecord
from pages.debug.calibrate import result
from pages.debug.calibrate.result import able, feature_name, offer, problems_shown
from pages.ui import picker
from pages.ui.scoring import score_here
from pages.ui.text import column, line, t, table
from pages.ui.widgets import stoppable, switch

SEED = 20261128
NEXT = 20
MODELS: dict[str, tuple[Family, ...]] = {"all": FAMILIES, "ridge": ("ridge",)}
_RESULT = "calibrate-result"


def tab() -> None:
    """Choose a campaign, see what is there, fit, read."""
    with column():
        campaign = picker.choose_campaign("calibrate")
    if campaign is None:
        return
    with problems_shown():
        given = offer(campaign)
        _there(campaign, given)
        if not given.rated:
            line(t("calibrate.nobody"))
            st.page_link(
                "pages/evaluate/rate/page.py", label=t("agreement.go_rate"), icon=":material/edit_note:"
            )
            return
        _missing(campaign, given)
        _form(campaign, given)
        last: tuple[int, result.Shown] | None = st.session_state.get(_RESULT)
        if last is not None and last[0] == campaign.id:
            result.show(last[1])
        else:
            line(t("calibrate.nothing_yet"), tone="quiet")


def _there(campaign: CampaignSummary, given: Offer) -> None:
    """How much is rated, and by which metrics it is scored."""
    rated = given.rated
    documents = len({one.document for one in rated})
    raters = len({rating.rater for rating in given.ratings})
    ratings = len(given.ratings)
    line(t("calibrate.there", rated=len(rated), documents=documents, raters=raters, ratings=ratings))
    if rated and (len(rated) < FEW_RATED or documents < FEW_DOCUMENTS):
        line(t("calibrate.few", rated=FEW_RATED, documents=FEW_DOCUMENTS), tone="quiet")
    names = [*given.scores, *(name for name in able(campaign) if name not in given.scores)]
    if rated and any(given.covered(name) < len(rated) for name in names):
        rows = [[feature_name(name), f"{given.covered(name)}"] for name in names]
        table([t("hacks.metric"), t("calibrate.scored_of", rated=len(rated))], rows, numbers=frozenset({1}))


def _missing(campaign: CampaignSummary, given: Offer) -> None:
    """Offer to score what has no score yet."""
    lacking = [name for name in able(campaign) if given.covered(name) < len(given.rated)]
    if not lacking:
        return
    with st.form(f"calibrate-score-{campaign.id}"):
        line(t("calibrate.score_what", n=len(given.translations)))
        wanted = st.multiselect(
            t("hacks.metrics"),
            lacking,
            lacking,
            format_func=feature_name,
            key=f"calibrate-lacking-{campaign.id}",
            placeholder=t("widget.choose"),
        )
        pressed = st.form_submit_button(t("calibrate.score"))
    if pressed and wanted:
        score_here(campaign, wanted)
        st.rerun()


def _form(campaign: CampaignSummary, given: Offer) -> None:
    """What to learn from and how; fits when its button is pressed."""
    scored = [name for name in given.scores if given.covered(name)]
    if not scored:
        line(t("calibrate.unscored"))
        return
    full = [name for name in scored if 2 * given.covered(name) >= len(given.rated)] or scored
    with st.form(f"calibrate-{campaign.id}"):
        metrics = st.multiselect(
            t("calibrate.learn_from"),
            scored,
            full,
            format_func=feature_name,
            key=f"calibrate-metrics-{campaign.id}",
            placeholder=t("widget.choose"),
        )
        left, middle, right = st.columns([4, 5, 4], gap="medium")
        with left:
            scale: Scale = switch(
                t("calibrate.scale"),
                SCALES,
                f"calibrate-scale-{campaign.id}",
                lambda name: t(f"calibrate.scale.{name}"),
                about=t("calibrate.scale_help"),
            )
        with middle:
            model = switch(
                t("calibrate.model"),
                list(MODELS),
                f"calibrate-model-{campaign.id}",
                lambda name: t(f"calibrate.model.{name}"),
                about=t("calibrate.model_help"),
            )
        more = int(right.number_input(t("calibrate.more"), 1, 100_000, 50, help=t("calibrate.more_help")))
        pressed = st.form_submit_button(t("calibrate.fit"), type="primary")
    if pressed:
        st.session_state.pop(_RESULT, None)
        shown = _fitted(campaign, given, metrics, scale, MODELS[model], more)
        st.session_state[_RESULT] = (campaign.id, shown)


def _fitted(
    campaign: CampaignSummary,
    given: Offer,
    metrics: Sequence[str],
    scale: Scale,
    families: Sequence[Family],
    more: int,
) -> result.Shown:
    data = training_of(given, metrics, scale)
    with stoppable("calibrate", _percent(0, 1), _percent) as progress:
        found = calibrate(data, families=families, seed=SEED, more=more, progress=progress)
    unrated, advice = _advice(given, found)
    return result.Shown(
        campaign=campaign.id, found=found, rated=_learnt(given, found), unrated=unrated, advice=advice
    )


def _percent(done: int, total: int) -> str:
    return t("calibrate.fitting", percent=round(100 * done / max(total, 1)))


def _learnt(given: Offer, fitted: Calibration) -> list[TranslationRecord]:
    """The translations behind the rows of the training table."""
    rows = given.results(given.rated, fitted.saved.signatures)
    return [one for one, results in zip(given.rated, rows, strict=True) if results]


def _advice(given: Offer, fitted: Calibration) -> tuple[list[TranslationRecord], list[Advice]]:
    """The scored translations that nobody rated, and those of them to rate next."""
    rated = {one.id for one in given.rated}
    left = [translation for translation in given.translations if translation.id not in rated]
    rows = given.results(left, fitted.saved.signatures)
    scored = [index for index, results in enumerate(rows) if results]
    left, rows = [left[index] for index in scored], [rows[index] for index in scored]
    values = values_of(fitted.saved.names, rows, lengths(left))
    segments = [one.segment_id for one in left]
    return left, advise(fitted.data, fitted.saved.model, values, segments, count=NEXT, seed=SEED)
