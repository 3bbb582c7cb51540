"""What all sessions share: the database engine. Made once per process, when first asked for."""

from __future__ import annotations

import streamlit as st

from db.campaigns.demo import seed_demo
from db.engine import Engine, database_url, make_engine, migrate
from db.queries import list_campaigns


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
