"""A campaign's translations with people's and metrics' scores, read once until somebody rates or scores."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from core.metaeval.evaluation import PEOPLE, Evaluation
from core.raters.normalise import METHODS, Method
from db.engine import Engine
from db.queries.evaluation import evaluation, newest_score
from db.queries.judgements import newest
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import resources
from pages.ui.evidence.overview import DIGITS
from pages.ui.text import number, t

_KEPT = 4  # campaigns
_POINTS = ("raw", "centred")


def scale_choice(key: str) -> Method:
    """On which scale raters' scores are compared, as a switch."""
    return st.segmented_control(
        t("systems.scale"),
        METHODS,
        default=METHODS[0],
        required=True,
        key=key,
        format_func=lambda name: t(f"method.{name}"),
        help=t("ranking.method_help"),
        persist_state="session",
    )


def read(campaign: CampaignSummary, method: Method) -> Evaluation:
    """Everything. Raises AccessError for a visitor who may not see scores."""
    session.viewer().must_see_scores()
    engine = resources.engine()
    version = (*newest(engine, campaign.id), *newest_score(engine, campaign.id))
    return _read(engine, str(engine.url), campaign.id, campaign.state, version, method)


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def _read(
    _engine: Engine, url: str, campaign_id: int, state: str, version: tuple[int, ...], method: Method
) -> Evaluation:
    return evaluation(_engine, session.viewer(), campaign_id, method=method)


def name_of(column: str) -> str:
    """A column's name for a reader: “People”, `BLEU`, `BERTScore F (layer 12)`."""
    if column == PEOPLE:
        return t("systems.people")
    metric, bracket, settings = column.partition(" (")
    try:
        return t(f"metric.{metric}") + bracket + settings
    except KeyError:  # a metric from outside
        return column


def digits_of(column: str, method: Method = "raw") -> int:
    """How many decimals its numbers have."""
    if column == PEOPLE:
        return 1 if method in _POINTS else 2
    return DIGITS.get(column.partition(" (")[0], 3)


def printed(value: float | None, column: str, method: Method = "raw") -> str:
    """A score of a column; “–” for none."""
    return "–" if value is None or value != value else number(value, digits_of(column, method))


def column_choice(caption: str, columns: Iterable[str], *, key: str, first: str | None = None) -> str:
    """One of the columns, chosen by the reader; the choice stays while the column is there."""
    offered = list(columns)
    if st.session_state.get(key) not in offered:
        st.session_state[key] = first if first in offered else offered[0]
    return st.selectbox(
        caption, offered, format_func=name_of, key=key, filter_mode=None, persist_state="session"
    )
