"""Raters by numbers."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from core.raters.ratings import Rating
from core.report.content import Report
from core.text.locale import Speaker


def numbered(given: Report) -> Report:
    """The same with raters called by numbers, in an order that follows from neither names nor arrival.

    It is that of the SHA-256 of each rater's scores: a campaign that stays as it is has the same numbers.
    """
    own: dict[str, list[str]] = {}
    for row in given.rows:
        own.setdefault(row.rater, []).append(f"{row.item} {row.kind} {row.score!r}")
    digests = {name: hashlib.sha256("\n".join(rows).encode()).digest() for name, rows in own.items()}
    order = sorted(own, key=lambda name: (digests[name], name))
    width, say = len(str(len(order))), Speaker(given.language)
    names = {name: say.t("report.rater", n=f"{place:0{width}}") for place, name in enumerate(order, 1)}
    remarks = [replace(one, rater=names[one.rater]) for one in given.remarks if one.rater in names]
    return replace(
        given,
        scores=[Rating(names[rater], item, score) for rater, item, score in given.scores],
        rows=[replace(row, rater=names[row.rater]) for row in given.rows],
        remarks=sorted(remarks, key=lambda one: one.rater),  # rater by rater, not as they came
        anonymous=True,
    )
