"""Agreement within groups of items, such as the documents or the domains of a campaign."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.raters.figures import Figure
from core.raters.ratings import Rating, columns, merged, subset
from core.raters.reliability import alpha_of, mean_r_of


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAgreement:
    """How well raters agree on the items of one group.

    items, ratings: how many; several scores of one rater for one item are one rating. mean_r: mean pairwise
    Pearson's r; its n is the number of pairs that have one. alpha: Krippendorff's, interval data; its n is
    the number of items that two or more raters scored.
    """

    group: str
    items: int
    ratings: int
    mean_r: Figure
    alpha: Figure


def agreement_by_group(
    ratings: Sequence[Rating], group_of: Mapping[Hashable, str]
) -> tuple[GroupAgreement, ...]:
    """Each group's agreement, in order of appearance; items without a group are left out.

    Raises InputError for a score that is no number.
    """
    table = merged(columns(ratings))
    rows: dict[str, list[int]] = {group_of[item]: [] for item in table.items if item in group_of}
    for row, item in enumerate(table.item.tolist()):
        group = group_of.get(table.items[item])
        if group is not None:
            rows[group].append(row)
    found = []
    for group, own in rows.items():
        part = subset(table, np.array(own, np.int64))
        figures = {"mean_r": mean_r_of(part), "alpha": alpha_of(part)}
        found.append(GroupAgreement(group=group, items=len(part.items), ratings=len(own), **figures))
    return tuple(found)
