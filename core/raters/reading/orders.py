"""Which versions each reader reads, in which order: balanced over readers, drawn by a stored seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from random import Random

from core.errors import InputError

Order = tuple[int, ...]
"""The versions of one reader, by number, in the order of reading."""

MOST_ORDERS = 5040
"""So many orders are compared; more than seven versions do not occur."""


def next_order(given: Sequence[Order], versions: int, per_reader: int, *, seed: int) -> Order:
    """The order of the next reader: the one after which versions, places and pairs are most even.

    given: the orders of the readers that there are. versions: how many there are in all. Compared are, one
    after the other: how often each pair of versions is read by one reader, how often each version stands at
    each place, how often each follows each. What is equal is drawn by the seed and the number of readers.
    Two versions therefore alternate, and an order that a withdrawn reader had is given again.
    Raises InputError where there are fewer versions than a reader is to read.
    """
    if versions < per_reader:
        raise InputError(
            "There are {n} versions and a reader is to read {wanted}; choose fewer.",
            n=versions,
            wanted=per_reader,
        )
    pairs, places, follows = (Counter(_all(given, part)) for part in (_pairs, _places, _follows))
    random = Random(f"{seed}:order:{len(given)}")  # nosec B311  # a draw that can be repeated
    orders = list(permutations(range(versions), per_reader))
    if len(orders) > MOST_ORDERS:
        raise InputError("There are too many versions for balanced orders; leave some out.")
    random.shuffle(orders)
    return min(
        orders,
        key=lambda order: (
            sum(pairs[one] for one in _pairs(order)),
            sum(places[one] for one in _places(order)),
            sum(follows[one] for one in _follows(order)),
        ),
    )


def planned_orders(
    versions: int, per_reader: int, readers: int, *, seed: int, given: Sequence[Order] = ()
) -> tuple[Order, ...]:
    """The orders of `readers` readers, those that are given already first."""
    found = list(given)
    while len(found) < readers:
        found.append(next_order(found, versions, per_reader, seed=seed))
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderBalance:
    """How often each version is read, and at each place; each pair, by how many readers.

    read: (versions,). at: (versions, per reader). pairs: by two versions. uneven: which of `read`, `at` and
    `pairs` are not the same everywhere.
    """

    read: tuple[int, ...]
    at: tuple[tuple[int, ...], ...]
    pairs: dict[tuple[int, int], int]
    uneven: tuple[str, ...]


def balance(orders: Sequence[Order], versions: int, per_reader: int) -> OrderBalance:
    """What a plan is worth: its counts, and where they are not even."""
    places, pairs = Counter(_all(orders, _places)), Counter(_all(orders, _pairs))
    at = tuple(tuple(places[version, place] for place in range(per_reader)) for version in range(versions))
    read = tuple(map(sum, at))
    by_pair = {pair: pairs[pair] for pair in combinations(range(versions), 2)}
    counts = {"read": read, "at": [n for row in at for n in row], "pairs": list(by_pair.values())}
    uneven = tuple(name for name, found in counts.items() if len(set(found)) > 1)
    return OrderBalance(read=read, at=at, pairs=by_pair, uneven=uneven)


def _all(
    orders: Sequence[Order], part: Callable[[Order], list[tuple[int, int]]]
) -> Iterator[tuple[int, int]]:
    for order in orders:
        yield from part(order)


def _pairs(order: Order) -> list[tuple[int, int]]:
    return list(combinations(sorted(order), 2))


def _places(order: Order) -> list[tuple[int, int]]:
    return [(version, place) for place, version in enumerate(order)]


def _follows(order: Order) -> list[tuple[int, int]]:
    return list(pairwise(order))
