"""Checking a campaign's blinding from its history alone: the seal on the names, and the raters' orders.

Whoever gets the file needs nothing else: the orders follow from the seed, and the seal from its nonce.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.raters.assignment import TARGET, shuffled
from db.design import from_json
from db.formats.bundle import Bundle, ItemRow
from db.names import rater_key
from db.queries.sealed import from_json as seal_from_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was found. sealed: whether names were ever sealed; commitment: the seal's, "" for none.

    opened: whether the seal's names and nonce are in the file and fit the commitment. orders: of how many
    raters they were computed again; other: raters whose order is another one. computable: whether orders
    follow from the seed alone in this design.
    """

    sealed: bool
    commitment: str
    opened: bool
    orders: int
    other: tuple[str, ...]
    computable: bool


def verify(bundle: Bundle) -> Verified:
    """Check a history. Raises InputError where the seal does not fit its names."""
    seal = bundle.meta.seal or {}
    opened = "names" in seal
    if opened:
        names = set(seal_from_json(seal).names)
        if not names <= {system.name for system in bundle.systems}:
            raise InputError("The seal names systems that the campaign does not have.")
    design = from_json(bundle.meta.design)
    computable = design.everybody_rates_everything and bundle.meta.seed is not None
    by_rater: dict[str, list[ItemRow]] = {}
    for item in bundle.items:
        by_rater.setdefault(item.rater, []).append(item)
    other = tuple(
        rater for rater, items in by_rater.items() if computable and not _follows(bundle, rater, items)
    )
    return Verified(
        sealed=bool(seal),
        commitment=str(seal.get("commitment", "")),
        opened=opened,
        orders=len(by_rater) if computable else 0,
        other=other,
        computable=computable,
    )


def sentences(found: Verified) -> list[str]:
    """What to tell, one sentence each."""
    told = []
    if not found.sealed:
        told.append("The systems' names were not sealed.")
    elif found.opened:
        told.append(f"The seal fits the names; is this the commitment that you kept? {found.commitment}")
    else:
        told.append(f"The names are still sealed; the commitment is {found.commitment}")
    if not found.computable:
        told.append("In this design the orders depend on more than the seed; the file has them as they were.")
    elif found.other:
        raters = ", ".join(found.other)
        told.append(f"Not in the order of the seed: {raters} (imported, or more was added later).")
    else:
        told.append(f"The orders of all {found.orders} raters are those that the seed gives.")
    return told


def _follows(bundle: Bundle, rater: str, items: Sequence[ItemRow]) -> bool:
    """Whether these are all translations in the order that the campaign's seed and the rater's name give."""
    references = {system.name for system in bundle.systems if system.is_reference}
    segments = {row.key: place for place, row in enumerate(bundle.segments)}
    outputs = [row for row in bundle.outputs if row.system not in references]
    pool = [(place, segments[row.key]) for place, row in enumerate(outputs)]
    order = shuffled(pool, seed=f"{bundle.meta.seed}:{rater_key(rater)}")
    expected = [(outputs[place].key, outputs[place].system) for place in order]
    shown = sorted((item for item in items if item.kind == TARGET), key=lambda item: item.place)
    return [(item.key, item.system) for item in shown] == expected
