"""Many people rating at once: several processes save ratings into one database.

    python -m benchmarks.load_ratings DATABASE_URL PROCESSES RATINGS_EACH [PAUSE]

PAUSE is the mean wait between two saves, in seconds; 0, the default, loads the database to its limit.

Prints one JSON line: saved ratings, seconds, saves a second, and the 50th, 95th and 99th percentile and the
longest time of a save in milliseconds. The tool migrates the database and adds a campaign to it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import quantiles

from db.campaigns.load import load_bundle
from db.engine import make_engine, migrate
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.queries import ensure_items, enter_rater, items_of, save_rating


def prepare(url: str, items: int) -> int:
    """Make a campaign with `items` translations; returns its id."""
    engine = make_engine(url)
    migrate(engine)
    segments = tuple(SegmentRow("d", place, f"reference {place}") for place in range(items))
    outputs = tuple(OutputRow(row.key, "a", f"translation {row.position}") for row in segments)
    bundle = Bundle(
        name="load", langs=("en", "ja"), systems=(SystemRow("a"),), segments=segments, outputs=outputs
    )
    return load_bundle(engine, bundle, f"load {time.time_ns()}").campaign_id


def rate(url: str, campaign: int, name: str, count: int, pause: float) -> list[float]:
    """Save ratings one after another, as one person; returns the seconds of each save."""
    engine = make_engine(url)
    rater = enter_rater(engine, name).id
    ensure_items(engine, campaign, rater)
    items = items_of(engine, campaign, rater)
    took = []
    for place in range(count):
        started = time.perf_counter()
        save_rating(
            engine,
            item_id=items[place % len(items)].id,
            rater_id=rater,
            score=place % 101,
            comment=str(place),
        )
        took.append(time.perf_counter() - started)
        time.sleep(random.uniform(0.5, 1.5) * pause)
    return took


def run(url: str, processes: int, each: int, pause: float = 0.0) -> dict[str, float]:
    """Run all processes at once; returns the figures to print."""
    campaign = prepare(url, min(each, 50))
    names = [f"load-{time.time_ns()}-{number}" for number in range(processes)]
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        list(pool.map(time.sleep, [0.01] * processes))  # all processes have started
        started = time.perf_counter()
        done = [pool.submit(rate, url, campaign, name, each, pause) for name in names]
        took = [1000 * seconds for one in done for seconds in one.result()]
        seconds = time.perf_counter() - started
    cuts = quantiles(took, n=100)
    return {
        "saved": len(took),
        "seconds": round(seconds, 1),
        "saves_per_s": round(len(took) / seconds),
        "p50_ms": round(cuts[49], 1),
        "p95_ms": round(cuts[94], 1),
        "p99_ms": round(cuts[98], 1),
        "longest_ms": round(max(took), 1),
    }


def main() -> None:
    """Run from the command line."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("url", help="URL of the database")
    options.add_argument("processes", type=int)
    options.add_argument("each", type=int, help="ratings that each process saves")
    options.add_argument("pause", type=float, nargs="?", default=0.0, help="mean seconds between two saves")
    given = options.parse_args()
    done = run(given.url, given.processes, given.each, given.pause)
    sys.stdout.write(json.dumps(done) + "\n")


if __name__ == "__main__":
    main()
