"""What a browser session remembers: language, rater, campaign. Typed doors to `st.session_state`.

Modules are shared by everybody, so nothing of a session is kept in one.

What all sessions share: the database engine. Made once per process, when first asked for.
"""

from __future__ import annotations

from typing import Literal, cast

import streamlit as st

from core.charts.palette import DARK, LIGHT, Palette
from db.campaigns.demos import seed_demo
from db.engine import Engine, database_url, make_engine, migrate
from db.queries import list_campaigns
from db.records import RaterRecord


@st.cache_resource(show_spinner=False)
def open_engine(url: str) -> Engine:
    """An engine whose database is of this program's form; an empty one gets the demo campaigns.

    Raises UnavailableError or InputError, which are not cached: the next visit tries again.
    """
    engine = make_engine(url)
    migrate(engine)
    if not list_campaigns(engine):
        seed_demo(engine)
    return engine


def engine() -> Engine:
    """The database of `YOMIKURABE_DB`, ready for queries."""
    return open_engine(database_url())


Language = Literal["ja", "en"]
LANGUAGES: tuple[Language, ...] = ("ja", "en")
LANGUAGE_SWITCH = "language-switch"
"""The key of the switch at the top of every page."""

_LANGUAGE = "language"
LANGUAGE_PARAM = "lang"
"""The address's parameter for the language."""

_LANGUAGE_CHOSEN = "language-chosen"

_RATER = "rater"
_ENTERED = "rating-campaign"
_CAMPAIGN = "campaign"


def language() -> Language:
    """The reader's language: as chosen, else as the address asks, else as the browser does."""
    if _LANGUAGE not in st.session_state:
        asked = st.query_params.get(LANGUAGE_PARAM)
        browser = "ja" if (st.context.locale or "").lower().startswith("ja") else "en"
        st.session_state[_LANGUAGE] = asked if asked in LANGUAGES else browser
        st.session_state[_LANGUAGE_CHOSEN] = asked in LANGUAGES
    return cast(Language, st.session_state[_LANGUAGE])


def choose_language() -> None:
    """Callback of the switch."""
    chosen = st.session_state[LANGUAGE_SWITCH]
    if chosen in LANGUAGES:
        st.session_state[_LANGUAGE] = chosen
        st.session_state[_LANGUAGE_CHOSEN] = True


def language_into_address() -> None:
    """Put a chosen language into the address, which a change of page empties."""
    if st.session_state.get(_LANGUAGE_CHOSEN) and st.query_params.get(LANGUAGE_PARAM) != language():
        st.query_params[LANGUAGE_PARAM] = language()


def rater() -> RaterRecord | None:
    """Who rates in this session, if anybody said so."""
    return cast(RaterRecord | None, st.session_state.get(_RATER))


def set_rater(record: RaterRecord | None) -> None:
    """Remember who rates."""
    st.session_state[_RATER] = record


def entered() -> int | None:
    """The campaign that is being rated in this session."""
    number: int | None = st.session_state.get(_ENTERED)
    return number


def enter(number: int | None) -> None:
    """Begin to rate this campaign, or None."""
    if number is None:
        st.session_state.pop(_ENTERED, None)
    else:
        st.session_state[_ENTERED] = number


def campaign_id() -> int | None:
    """The campaign chosen last, on whichever page."""
    return cast(int | None, st.session_state.get(_CAMPAIGN))


def set_campaign_id(number: int | None) -> None:
    """Remember the campaign for all pages."""
    st.session_state[_CAMPAIGN] = number


PROJECTOR = "projector"
"""The key of the switch that shows a lesson in large type."""


def projector() -> bool:
    """Whether the page is shown to a room: large type, no menu, no names."""
    return bool(st.session_state.get(PROJECTOR))


def set_projector(on: bool) -> None:
    """As the address asks."""
    st.session_state[PROJECTOR] = on


def palette() -> Palette:
    """The colours of the theme that the browser shows."""
    return DARK if st.context.theme.type == "dark" else LIGHT
