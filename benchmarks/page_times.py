"""CPU seconds of the agreement page's tabs on a campaign of 200,000 ratings.

    python -m benchmarks.page_times [--raters 20] [--segments 1000] [--systems 10]

Makes a SQLite file in a temporary folder with random scores (seed 0), and draws each tab twice with the test
runner of Streamlit: the first view, and a second one with the scores in memory.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

import numpy as np

from db.campaigns.load import load_bundle
from db.engine import make_engine, migrate
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.records import RatingRecord

ROOT = Path(__file__).parents[1]
TABS = ("Agreement", "Reliability", "Normalisation", "Systems", "Raters")


def fill(url: str, raters: int, segments: int, systems: int) -> None:
    """Make a campaign in which every rater has rated every translation."""
    rows = [SegmentRow(f"d{n // 50}", n % 50, f"参照 {n}", source=f"source {n}") for n in range(segments)]
    outputs = [OutputRow(row.key, f"s{system}", "訳") for row in rows for system in range(systems)]
    scores = np.random.default_rng(0).integers(0, 101, (raters, len(outputs)))
    ratings = (
        RatingRecord(one.key, one.system, f"r{rater:02}", float(score), seconds=5.0)
        for rater in range(raters)
        for one, score in zip(outputs, scores[rater], strict=True)
    )
    bundle = Bundle(
        name="Large",
        langs=("en", "ja"),
        systems=tuple(SystemRow(f"s{system}") for system in range(systems)),
        segments=tuple(rows),
        outputs=tuple(outputs),
        ratings=tuple(ratings),
    )
    engine = make_engine(url)
    migrate(engine)
    load_bundle(engine, bundle, "Large")


def measure() -> None:
    """Print one line for each tab."""
    from streamlit.testing.v1 import AppTest

    with patch("pages.auth.session.at_this_machine", lambda: True):
        at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300).run()
        at.switch_page("pages/evaluate/agreement/page.py")
        for tab in TABS:
            at.session_state["agreement-tabs"] = tab
            seconds = []
            for _ in range(2):
                started = time.process_time()
                at.run()
                seconds.append(time.process_time() - started)
            failed = " FAILED" if at.exception else ""
            sys.stdout.write(f"{tab:<14} first {seconds[0]:5.2f} s, again {seconds[1]:5.2f} s{failed}\n")
            sys.stdout.flush()


def main() -> None:
    """Fill a database and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, usual in (("raters", 20), ("segments", 1000), ("systems", 10)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["YOMIKURABE_DB"] = f"sqlite:///{folder}/large.sqlite"
        fill(os.environ["YOMIKURABE_DB"], arguments.raters, arguments.segments, arguments.systems)
        measure()


if __name__ == "__main__":
    main()
