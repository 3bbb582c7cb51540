"""A campaign's scores by people and metrics, read once until somebody rates or scores; scale and filter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.metaeval.evaluation import PEOPLE, Evaluation, Filter
from core.metrics import digits_of
from core.raters.quality import KINDS
from core.raters.ratings import METHODS, Method, Rating
from db.engine import Engine
from db.permissions import Viewer
from db.queries import evaluation as queries
from db.queries.evaluation import Judgements
from db.records import CampaignSummary
from pages.auth import session
from pages.ui import state
from pages.ui.text import flag_words, metric_name, number, t
from pages.ui.widgets import switch

T = TypeVar("T")
_KEPT = 16  # results of a few campaigns
_KEPT_FIGURES = 128  # figures are small beside the ratings that they rest on


def until_rated(campaign: CampaignSummary, what: str, read: Callable[[Engine, Viewer, int], T]) -> T:
    """What `read` gives for the campaign, read again only after a new rating or score. what: its name.

    Raises AccessError for a visitor who may not see scores.
    """
    session.viewer().must_see_scores()
    engine = state.engine()
    newest = (*queries.newest(engine, campaign.id), *queries.newest_score(engine, campaign.id))
    return cast(T, _read(engine, read, str(engine.url), campaign.id, campaign.state, newest, what))


@st.cache_resource(show_spinner=False, max_entries=_KEPT)
def _read(
    _engine: Engine,
    _function: Callable[[Engine, Viewer, int], object],
    url: str,
    campaign_id: int,
    campaign_state: str,
    newest: tuple[int, ...],
    what: str,
) -> object:
    return _function(_engine, session.viewer(), campaign_id)


@dataclass(frozen=True, slots=True)
class Figures:
    """Statistics of a campaign, computed once until somebody rates or scores.

    newest: what tells one state of its ratings and scores from another; those that the statistics rest on
    are read after it. scale: the campaign's own scale that the scores are of, "" for the protocol's.
    """

    campaign: CampaignSummary
    newest: tuple[int, ...]
    scale: str = ""

    @classmethod
    def of(cls, campaign: CampaignSummary, *, scale: str = "") -> Figures:
        """The statistics of the campaign as it stands."""
        engine = state.engine()
        newest = (*queries.newest(engine, campaign.id), *queries.newest_score(engine, campaign.id))
        return cls(campaign, newest, scale)

    def get(self, what: str, compute: Callable[[], T]) -> T:
        """What `compute` gives, or gave before. what: its name with every setting that it depends on.

        All visitors share the result: do not change it. Raises AccessError for a visitor who may not see
        scores.
        """
        session.viewer().must_see_scores()
        of, url = self.campaign, str(state.engine().url)
        named = f"{what} on {self.scale}" if self.scale else what
        return cast(T, _computed(compute, url, of.id, of.state, self.newest, named))


@st.cache_resource(show_spinner=False, max_entries=_KEPT_FIGURES)
def _computed(
    _compute: Callable[[], object],
    url: str,
    campaign_id: int,
    campaign_state: str,
    newest: tuple[int, ...],
    what: str,
) -> object:
    return _compute()


def evaluation_of(campaign: CampaignSummary, method: Method = "raw") -> Evaluation:
    """Every translation with people's and metrics' scores; people's on the scale of `method`."""
    return until_rated(
        campaign,
        f"evaluation-{method}",
        lambda engine, viewer, number: queries.evaluation(engine, viewer, number, method=method),
    )


def judgements_of(campaign: CampaignSummary, scale: str = "") -> Judgements:
    """Every rating that counts. scale: one of the campaign's own whose answers are the scores."""
    return until_rated(
        campaign,
        f"judgements-{scale}",
        lambda engine, viewer, number: queries.judgements(engine, viewer, number, scale=scale),
    )


def ratings_of(campaign: CampaignSummary, scale: str = "") -> list[Rating]:
    """Every rating that counts, those of check items included. scale: as above."""
    return until_rated(
        campaign,
        f"ratings-{scale}",
        lambda engine, viewer, number: queries.rating_table(engine, viewer, number, kinds=KINDS, scale=scale),
    )


def in_points(method: str) -> bool:
    """Whether scores on this scale are points, 0–100, and not z-scores, shares or ranks."""
    return method in {"raw", "centred", "mixed"}


def scale_choice(key: str) -> Method:
    """On which scale raters' scores are compared, as a switch."""
    words = {method: t(f"method.{method}") for method in METHODS}
    return switch(t("systems.scale"), METHODS, key, words.__getitem__, about=t("ranking.method_help"))


def column_name(column: str) -> str:
    """A column's name for a reader: “People”, `BLEU`, `BERTScore F (layer 12)`."""
    return t("systems.people") if column == PEOPLE else metric_name(column)


def column_digits(column: str, method: Method = "raw") -> int:
    """How many decimals its numbers have."""
    if column == PEOPLE:
        return 1 if in_points(method) else 2
    return digits_of(column.partition(" (")[0])


def score_text(value: float | None, column: str, method: Method = "raw") -> str:
    """A score of a column; “–” for none."""
    return number(value, column_digits(column, method))


def column_choice(caption: str, columns: Iterable[str], *, key: str, first: str | None = None) -> str:
    """One of the columns, chosen by the reader; the choice stays while the column is there."""
    offered = list(columns)
    if st.session_state.get(key) not in offered:
        st.session_state[key] = first if first in offered else offered[0]
    return st.selectbox(
        caption, offered, format_func=column_name, key=key, filter_mode=None, persist_state="session"
    )


def filtered(evaluation: Evaluation, *, key: str) -> Filter:
    """The filter as widgets, folded in; at first everything passes."""
    with st.expander(t("filter.title"), icon=":material/filter_list:"):
        left, right = st.columns(2, gap="medium")
        domains = _some(t("filter.domains"), evaluation.domains, f"{key}-domains", left)
        documents = _some(t("filter.documents"), evaluation.documents, f"{key}-documents", right)
        shortest, longest = _lengths(evaluation, f"{key}-length", left)
        flag = right.selectbox(
            t("filter.flag"),
            [None, *evaluation.flags],
            key=f"{key}-flag",
            filter_mode=None,
            format_func=lambda name: t("filter.any_flag") if name is None else flag_words(name),
        )
        without = flag is not None and right.toggle(t("filter.without"), key=f"{key}-without")
    return Filter(
        domains=domains, documents=documents, shortest=shortest, longest=longest, flag=flag, without=without
    )


def _some(caption: str, names: Iterable[str], key: str, where: DeltaGenerator) -> list[str] | None:
    """Some of the names; None, which is all of them, while none is chosen."""
    offered = list(names)
    if len(offered) < 2:
        return None
    return where.multiselect(caption, offered, key=key, placeholder=t("filter.all")) or None


def _lengths(evaluation: Evaluation, key: str, where: DeltaGenerator) -> tuple[int | None, int | None]:
    lengths = evaluation.length
    if not len(lengths) or lengths.min() == lengths.max():
        return None, None
    ends = int(lengths.min()), int(lengths.max())
    low, high = where.slider(t("filter.length"), *ends, ends, key=key)
    return low, high
