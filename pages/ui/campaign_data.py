"""A campaign's translations with people's and metrics' scores, read once until somebody rates or scores.

A campaign's scores for the pages of statistics, read once until somebody rates.

Which translations a page of evaluation looks at: domain, document, length, flag.
"""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from core.metaeval.evaluation import PEOPLE, Evaluation, Filter
from core.metrics import digits_of
from core.raters.quality import QualityRow
from core.raters.ratings import METHODS, Method
from db.engine import Engine
from db.queries.evaluation import Judgements, evaluation, judgements, newest, newest_score, quality_rows
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import state
from pages.ui.text import flag_words, number, t

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
    engine = state.engine()
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


def column_digits(column: str, method: Method = "raw") -> int:
    """How many decimals its numbers have."""
    if column == PEOPLE:
        return 1 if method in _POINTS else 2
    return digits_of(column.partition(" (")[0])


def printed(value: float | None, column: str, method: Method = "raw") -> str:
    """A score of a column; “–” for none."""
    return "–" if value is None or value != value else number(value, column_digits(column, method))


def column_choice(caption: str, columns: Iterable[str], *, key: str, first: str | None = None) -> str:
    """One of the columns, chosen by the reader; the choice stays while the column is there."""
    offered = list(columns)
    if st.session_state.get(key) not in offered:
        st.session_state[key] = first if first in offered else offered[0]
    return st.selectbox(
        caption, offered, format_func=name_of, key=key, filter_mode=None, persist_state="session"
    )


def rating_scores(campaign: CampaignSummary) -> Judgements:
    """Every score that holds. Raises AccessError for a visitor who may not see scores."""
    session.viewer().must_see_scores()
    engine = state.engine()
    return _scores(engine, str(engine.url), campaign.id, campaign.state, newest(engine, campaign.id))


def checked(campaign: CampaignSummary) -> list[QualityRow]:
    """The same with check items, for what is asked about raters."""
    session.viewer().must_see_scores()
    engine = state.engine()
    return _checked(engine, str(engine.url), campaign.id, campaign.state, newest(engine, campaign.id))


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def _scores(_engine: Engine, url: str, campaign_id: int, state: str, version: tuple[int, int]) -> Judgements:
    return judgements(_engine, session.viewer(), campaign_id)


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def _checked(
    _engine: Engine, url: str, campaign_id: int, state: str, version: tuple[int, int]
) -> list[QualityRow]:
    return quality_rows(_engine, session.viewer(), campaign_id)


def chosen(found: Evaluation, *, key: str) -> Filter:
    """The filter as widgets, folded in; at first everything passes."""
    with st.expander(t("filter.title"), icon=":material/filter_list:"):
        left, right = st.columns(2, gap="medium")
        domains = _some(t("filter.domains"), found.domains, f"{key}-domains", left)
        documents = _some(t("filter.documents"), found.documents, f"{key}-documents", right)
        shortest, longest = _lengths(found, f"{key}-length", left)
        flag = right.selectbox(
            t("filter.flag"), [None, *found.flags], key=f"{key}-flag", filter_mode=None,
            format_func=lambda name: t("filter.any_flag") if name is None else flag_words(name),
        )  # fmt: skip
        without = flag is not None and right.toggle(t("filter.without"), key=f"{key}-without")
    return Filter(
        domains=domains, documents=documents, shortest=shortest, longest=longest, flag=flag, without=without
    )


def _some(
    caption: str, names: object, key: str, place: st.delta_generator.DeltaGenerator
) -> list[str] | None:
    """Some of the names; None, which is all of them, while none is chosen."""
    offered = list(names)  # type: ignore[call-overload]
    if len(offered) < 2:
        return None
    return place.multiselect(caption, offered, key=key, placeholder=t("filter.all")) or None


def _lengths(
    found: Evaluation, key: str, place: st.delta_generator.DeltaGenerator
) -> tuple[int | None, int | None]:
    if not len(found.length) or found.length.min() == found.length.max():
        return None, None
    ends = int(found.length.min()), int(found.length.max())
    low, high = place.slider(t("filter.length"), *ends, ends, key=key)
    return low, high
