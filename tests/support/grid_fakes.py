"""What the tests of grids share: four pairs, fake encoders that count, and ways to run a grid."""

from __future__ import annotations

from collections import Counter

import numpy as np

from core.backends import Backends
from core.backends.encoder.cache import CachedEncoder
from core.grid.run import Axis, Subject, cells, make_grid
from core.grid.store import Store
from core.metaeval.evaluation import MetaTable
from core.types import TextPair
from tests.support.fake_backends import FakeEncoder

# cos(a, c) = .6, cos(b, c) = .8, cos(a, b) = 0; F of the four pairs: 2 · .8 · .7 / 1.5 = .74667, 0, 0, .6
VECTORS = {"<s>": (0, 0, 1), "</s>": (0, 0, -1), "a": (1, 0, 0), "b": (0, 1, 0), "c": (0.6, 0.8, 0)}
PAIRS = [
    TextPair(reference="a b", hypothesis="c"),
    TextPair(reference="a", hypothesis="b"),
    TextPair(reference="a b", hypothesis=""),
    TextPair(reference="a", hypothesis="c"),
]
F1 = [2 * 0.8 * 0.7 / 1.5, 0, 0, 0.6]
AXES = [Axis("layer", ("0", "1")), Axis("weight", ("none", "l2"))]


class Encoders:
    """Fake encoders behind their caches, by name; how often each text went through each."""

    def __init__(self) -> None:
        self.inner: dict[str, FakeEncoder] = {}
        self.cached: dict[str, CachedEncoder] = {}

    def __call__(self, name: str) -> CachedEncoder:
        if name not in self.cached:
            self.inner[name] = FakeEncoder(VECTORS)
            self.inner[name].name = name
            self.cached[name] = CachedEncoder(self.inner[name])
        return self.cached[name]

    def read(self, name: str) -> Counter[str]:
        return Counter(text for call in self.inner[name].calls for text in call)


def subject(people=(4, 1, 2, 3), pairs=PAIRS) -> Subject:
    n = len(pairs)
    table = MetaTable(
        people=np.array(people, float), metrics={}, item=np.arange(n), system=np.zeros(n, np.int64),
        items=[str(one) for one in range(n)], systems=["ours"], group=np.arange(n),
    )  # fmt: skip
    return Subject(pairs=pairs, table=table)


def grid_of(encoders, axes=AXES, metric="bertscore", given=None, settings=None):
    backends = Backends(encoder=encoders)
    return make_grid(axes, cells(metric, axes, settings), given or subject(), backends)


def ran(grid, store=None):
    store = store or Store(None, grid.subject.pairs)
    for _ in grid.run(store):
        pass
    return grid.result(store)
