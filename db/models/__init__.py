"""The tables, as typed classes. `db/migrations` makes them; a test checks that both agree.

Every instant is stored in UTC. Ratings are only ever added: a changed mind is a further revision.
"""

from db.models.base import Base, now
from db.models.people import Account, Attempt, Event, Link, Member, Rater
from db.models.ratings import CheckText, Draft, Item, ItemCheck, JudgeCall, MetricScore, RatingEvent
from db.models.texts import Campaign, Segment, System, Translation

__all__ = [
    "Account",
    "Attempt",
    "Base",
    "Campaign",
    "CheckText",
    "Draft",
    "Event",
    "Item",
    "ItemCheck",
    "JudgeCall",
    "Link",
    "Member",
    "MetricScore",
    "Rater",
    "RatingEvent",
    "Segment",
    "System",
    "Translation",
    "now",
]
