"""What both tabs of the calibrated score share: what is stored, names of metrics, sentences for problems."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import CalibrationError, FileError, YomikurabeError
from core.text.languages import base_lang
from db.campaigns.calibration import Offer, gather
from db.engine import Engine
from db.queries import get_campaign
from db.queries.evaluation import newest_score
from db.queries.judgements import newest
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import resources
from pages.ui.campaign_data import name_of
from pages.ui.text import plain, show_error, t

USUAL = (
    "bleu", "chrf", "bertscore", "bertscore-reading", "subspace", "structure-dep", "mteqa", "sentence-cosine"
)  # fmt: skip
"""Metrics that run without a language model and without a key."""

_KEPT = 4  # campaigns


def offer(campaign: CampaignSummary) -> Offer:
    """What is stored, read once until somebody rates or a score comes. AccessError where it is not open."""
    session.viewer().must_see_scores()
    engine = resources.engine()
    versions = (newest(engine, campaign.id), newest_score(engine, campaign.id))
    return _offer(engine, str(engine.url), campaign.id, campaign.state, versions)


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def _offer(_engine: Engine, url: str, campaign_id: int, state: str, versions: object) -> Offer:
    return gather(_engine, session.viewer(), campaign_id)


def able(campaign: CampaignSummary) -> tuple[str, ...]:
    """The usual metrics, without those that need Japanese or English where the texts are neither."""
    lang = base_lang(get_campaign(resources.engine(), campaign.id).target_lang)
    parsed = ("structure-dep", "mteqa")
    return tuple(name for name in USUAL if lang in ("ja", "en") or name not in parsed)


def metric_name(name: str) -> str:
    """A metric's name in the reader's language; `text` are the texts' own features."""
    return t("calibrate.text_features") if name == "text" else name_of(name)


@contextmanager
def problems_shown() -> Iterator[None]:
    """Where something stands in the way, one sentence says what and what to do, in the reader's language."""
    try:
        yield
    except CalibrationError as error:
        details = dict(error.details)
        if "metric" in details:
            details["metric"] = metric_name(str(details["metric"]))
        st.error(plain(t(f"calibrate.problem.{error.reason}", **details)), icon=":material/error:")
    except FileError as error:
        st.error(plain(t("calibrate.problem.file", file=error.details["path"])), icon=":material/error:")
    except YomikurabeError as error:
        show_error(error)
