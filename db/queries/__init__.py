"""Everything the pages ask of the database. Each call is its own transaction and gives records."""

from db.queries.calls import DatabaseCalls, count_calls
from db.queries.campaigns import (
    find_campaign,
    get_campaign,
    get_translation,
    list_campaigns,
    list_segments,
    list_systems,
    list_translations,
)
from db.queries.items import ensure_items, items_of, progress
from db.queries.raters import enter_rater
from db.queries.rating import history, rating_table, ratings_of_translation, save_rating
from db.queries.scores import scores_of_translation, store_scores

__all__ = [
    "DatabaseCalls",
    "count_calls",
    "ensure_items",
    "enter_rater",
    "find_campaign",
    "get_campaign",
    "get_translation",
    "history",
    "items_of",
    "list_campaigns",
    "list_segments",
    "list_systems",
    "list_translations",
    "progress",
    "rating_table",
    "ratings_of_translation",
    "save_rating",
    "scores_of_translation",
    "store_scores",
]
