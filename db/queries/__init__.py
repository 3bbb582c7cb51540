"""The queries of the pages. Each call is a transaction of its own and returns records."""

from db.queries.accounts import (
    add_account,
    first_link,
    is_open,
    join,
    known_by,
    known_person,
    list_links,
    log_in,
    look,
    new_link,
    open_link,
    revoke_link,
)
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
from db.queries.people import add_member, campaigns_of, enter_rater, may_rate, profile, save_profile, withdraw
from db.queries.rating import history, save_rating
from db.queries.scores import (
    DatabaseCalls,
    count_calls,
    scores_of_campaign,
    scores_of_translation,
    store_scores,
)

__all__ = [
    "DatabaseCalls",
    "add_account",
    "add_member",
    "campaigns_of",
    "count_calls",
    "ensure_items",
    "enter_rater",
    "find_campaign",
    "first_link",
    "get_campaign",
    "get_translation",
    "history",
    "is_open",
    "items_of",
    "join",
    "known_by",
    "known_person",
    "list_campaigns",
    "list_links",
    "list_segments",
    "list_systems",
    "list_translations",
    "log_in",
    "look",
    "may_rate",
    "new_link",
    "open_link",
    "profile",
    "progress",
    "revoke_link",
    "save_profile",
    "save_rating",
    "scores_of_campaign",
    "scores_of_translation",
    "store_scores",
    "withdraw",
]
