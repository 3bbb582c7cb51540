"""How long the statistics of people's ratings take, in seconds of processor time."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from core.assets import ROOT
from core.raters.agreement import report
from core.raters.normalisation import orders
from core.raters.ranking import compare_all, system_means
from core.raters.ratings import Rating
from core.raters.reliability import intervals, reliability

DESIGNS = {"20 x 10,000": (20, 10_000, 20), "40 x 5,000": (40, 5_000, 40), "40, 8 an item": (40, 25_000, 8)}
LIMIT = {"40, 8 an item": 4}
"""Seconds, where it is not 3: with gaps r has to be resampled pair by pair, which took 2.6 to 3.3."""

SYSTEMS = 12


def ratings(raters, items, per_item):
    """Whole scores from 0 to 100; each item has so many raters, drawn at random."""
    rng = np.random.default_rng(0)
    quality = rng.normal(70, 12, items)
    seen = np.argsort(rng.random((items, raters)), axis=1)[:, :per_item]
    scores = np.clip(np.round(quality[:, None] + rng.normal(0, 12, (items, per_item))), 0, 100)
    return [
        Rating(f"r{rater:02}", item, score)
        for item, (who, given) in enumerate(zip(seen.tolist(), scores.tolist(), strict=True))
        for rater, score in zip(who, given, strict=True)
    ]


def pages(given):
    """Seconds for what the page on agreement needs, and the page on ranking."""
    by_system = {f"s{i:02}": [] for i in range(SYSTEMS)}
    for one in given:
        by_system[f"s{one.item % SYSTEMS:02}"].append(Rating(one.rater, one.item // SYSTEMS, one.score))
    start = time.process_time()
    report(given, method="z"), reliability(given), intervals(given)
    agreed = time.process_time()
    system_means(by_system), compare_all(by_system), orders(by_system, mixed=False)
    return agreed - start, time.process_time() - agreed


def alone(design):
    """The two seconds of a design in a process of its own, with one thread: others would only spin."""
    code = (
        "import json; from test_human_speed import pages, ratings; pages(ratings(3, 40, 3)); "
        f"print(json.dumps(pages(ratings(*{design!r}))))"
    )
    paths = os.pathsep.join((str(Path(__file__).parent), str(ROOT)))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": paths},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.mark.heavy
def test_both_pages_stay_quick_with_ten_thousand_ratings():
    agreement, ranking = alone((40, 500, 20))
    assert agreement < 2  # 0.2 s on a slow core, 780 pairs of raters; pair by pair with scipy it took 2.9
    assert ranking < 2  # 0.3 s


@pytest.mark.bench
@pytest.mark.parametrize("design", DESIGNS)
def test_two_hundred_thousand_ratings_take_about_three_seconds_a_page_at_most(design):
    seconds = alone(DESIGNS[design])
    sys.stderr.write(f"{design}: agreement {seconds[0]:.2f} s, ranking {seconds[1]:.2f} s\n")
    assert max(seconds) < LIMIT.get(design, 3)
