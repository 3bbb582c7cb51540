"""Campaigns of any content for the formats, made by Hypothesis; and what of them has to come back."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import strategies as st

from core.raters.own_scales import OwnScale, scales_to_json
from core.raters.protocols import MQM_CATEGORIES, MarkedSpan
from db.formats.bundle import Bundle, CheckRow, ItemRow, Meta, OutputRow, SegmentRow, SystemRow
from db.formats.capabilities import CHECKS, MARKS, identity
from db.records import RatingRecord
from tests.support.db_bundles import small_bundle

DOCUMENTS = ["novel", "a_###_b_#_c", "=d#1", "ニュース 1"]
SYSTEMS = ["ash", "=beech+1", "杉/.. x"]
RATERS = ["Aki", "mqm", "@Bo 二", "a.b/c%20"]
STARTS = ["", "=", "'=", "'", "-", '"', "＝", "_x000D_", "<v", "\ufeff", "#N/A", "𠮷"]
SCALES = (
    OwnScale(name="fluency", en="Fluency"),
    OwnScale(name="voice", ja="文体", low=-1, high=1, step=0.1, needed=False),
)
_START = datetime(2026, 1, 31, 12, 0, 0, 1, tzinfo=UTC)


def texts(*, flat: bool) -> st.SearchStrategy[str]:
    """Any text; flat: without tabs and line breaks."""
    banned = "\0\t\n\r" if flat else "\0"
    letters = st.characters(exclude_categories=["Cs"], exclude_characters=banned)
    few = st.sampled_from([" ", "a", '"', ",", "<"] + ([] if flat else ["\n", "\t", "\r\n"]))
    return st.builds(
        lambda start, rest: start + "".join(rest),
        st.sampled_from(STARTS),
        st.lists(letters | few, max_size=6),
    )


def bundles(protocol: str, *, flat: bool = False) -> st.SearchStrategy[Bundle]:
    """Campaigns with any texts; which rater said what is a matter of a seed."""
    seeds = st.integers(0, 2**32)
    pools = st.lists(texts(flat=flat), min_size=2, max_size=5)
    return st.builds(lambda pool, seed: _Maker(pool, Random(seed), protocol).bundle(), pools, seeds)


class _Maker:
    """Every system has every segment; some raters rated some of it, with revisions and checks."""

    def __init__(self, pool: list[str], random: Random, protocol: str) -> None:
        self.random = random
        self.protocol = protocol
        self.now = _START
        self.pool = [*pool, "x"]

    def text(self) -> str:
        return self.random.choice(self.pool)

    def bundle(self) -> Bundle:
        chosen = self.random.sample(DOCUMENTS, self.random.randint(1, 2))
        segments = [
            SegmentRow(name, n, self.text(), self.text() or None, self.text(), f"id {number} {n}")
            for number, name in enumerate(chosen)
            for n in range(self.random.randint(1, 2))
        ]
        segments[0] = replace(segments[0], reference="needed", source="source")
        outputs = [OutputRow(row.key, name, self.text()) for row in segments for name in SYSTEMS[:2]]
        outputs[0] = replace(outputs[0], text="needed")
        damaged = self.random.sample(outputs, 2)
        checks = [CheckRow(row.key, row.system, "degraded", f"{row.text} X") for row in damaged]
        checks.append(CheckRow(outputs[0].key, outputs[0].system, "repeat", "needed"))
        outputs += [OutputRow(row.key, "refA", row.reference) for row in segments]
        ratings, items = self.said(outputs, checks)
        return Bundle(
            name="Campaign",
            langs=("en", "ja"),
            systems=(*(SystemRow(name) for name in SYSTEMS[:2]), SystemRow("refA", is_reference=True)),
            segments=tuple(segments),
            outputs=tuple(outputs),
            checks=tuple(checks),
            ratings=tuple(ratings),
            items=tuple(items),
            meta=Meta(
                protocol=self.protocol,
                seed=7,
                state="closed",
                design={"before": 1, "left_out": [], "scales": scales_to_json(SCALES)},
            ),
        )

    def said(
        self, outputs: list[OutputRow], checks: list[CheckRow]
    ) -> tuple[list[RatingRecord], list[ItemRow]]:
        """Ratings in the order of time, and the items with places."""
        shown = {(row.key, row.system, "target"): row.text for row in outputs}
        shown |= {(row.key, row.system, row.kind): row.text for row in checks}
        shown |= {(row.key, "refA", "reference"): row.text for row in outputs if row.system == "refA"}
        ratings, items = [], []
        for rater in self.random.sample(RATERS, 2):
            for place, (key, system, kind) in enumerate(self.random.sample(sorted(shown), 5)):
                mark = self.random.choice(["ok", "ok", "dup", "incomplete"])
                rule = "imported" if kind == "degraded" else ""
                items.append(ItemRow(rater, key, system, 2 * place, kind, mark, rule))
                for _ in range(self.random.choice([0, 1, 1, 2])):
                    base = RatingRecord(key, system, rater, None, kind=kind, mark=mark)
                    ratings.append(self.rating(base, shown[key, system, kind]))
        return ratings, items

    def rating(self, base: RatingRecord, text: str) -> RatingRecord:
        self.now += timedelta(
            seconds=self.random.randint(1, 100), microseconds=self.random.randint(0, 999_999)
        )
        base = replace(
            base,
            comment=self.text(),
            seconds=self.random.choice([None, self.random.randint(0, 10**6) / 1000]),
            rated_at=self.now,
        )
        scales = {one.name: self.random.choice([None, *one.places]) for one in SCALES}
        answers = tuple((name, value) for name, value in scales.items() if value is not None)
        if self.random.random() < 0.1:
            return replace(base, skipped_reason="too hard")
        score = self.random.choice([0.0, 50.0, 99.5, 100 / 3])
        return replace(
            base,
            score=None if self.protocol == "mqm" else score,
            spans=None if self.protocol == "adequacy" else self.spans(text),
            scales=self.random.choice([(), answers]),
        )

    def spans(self, text: str) -> tuple[MarkedSpan, ...]:
        """Errors in a text; none begins or ends at a line break, which a browser does not count."""
        places = [place for place, char in enumerate(text) if char not in "\r\n"]
        found = []
        for _ in range(self.random.randint(0, 2)):
            severity = self.random.choice(["minor", "major", "neutral", "critical"])
            category = self.random.choice(["", *MQM_CATEGORIES, "made up"])
            note = self.random.choice(["", 'why "so"'])
            start, end = sorted(self.random.choices(places, k=2)) if places else (0, -1)
            missing = not places or self.random.random() < 0.3
            place = (0, 0) if missing else (start, end + 1)
            found.append(MarkedSpan(*place, severity, category, missing=missing, note=note))
        return tuple(dict.fromkeys(found))


def content(bundle: Bundle, holds: Collection[str], *, digits: int = 20) -> dict[str, object]:
    """What two campaigns have to agree in when one was written in a format that holds so much.

    digits: how many decimals of a score are kept.
    """
    judgements: dict[Hashable, list[RatingRecord]] = {}
    for rating in bundle.ratings:
        score = None if rating.score is None else round(rating.score, digits)
        mark = rating.mark if MARKS in holds else "ok"
        plain = replace(rating, score=score, spans=rating.spans or (), mark=mark)
        judgements.setdefault(identity(rating), []).append(plain)
    return {
        "segments": {row if "ids" in holds else replace(row, external_id="") for row in bundle.segments},
        "systems": set(bundle.systems),
        "outputs": set(bundle.outputs),
        "checks": {row for row in bundle.checks if CHECKS[row.kind] in holds},
        "ratings": judgements,
    }


AT = datetime(2023, 11, 14, 22, 13, 30, 750_000, tzinfo=UTC)
KEY = ("doc0", 0)
SPANS = (MarkedSpan(0, 3, "minor"), MarkedSpan(0, 0, "major", missing=True))


def rich() -> Bundle:
    """One of everything: a revision, a skip, errors alone, checks, a comment, a mark, a duration."""
    bundle = small_bundle(segments=2, systems=("ash",))
    return replace(
        bundle,
        ratings=(
            RatingRecord(KEY, "ash", "Aki", 40.0, rated_at=AT),
            RatingRecord(KEY, "ash", "Aki", 60.0, "why", "dup", 1.5, AT, SPANS),
            RatingRecord(KEY, "refA", "Aki", None, skipped_reason="hard"),
            RatingRecord(("doc1", 0), "ash", "Aki", None, spans=()),
            RatingRecord(KEY, "ash", "Aki", 5.0, kind="degraded", spans=()),
            RatingRecord(KEY, "ash", "Bo", 80.0, kind="repeat", spans=()),
            RatingRecord(KEY, "refA", "Bo", 90.0, kind="reference", spans=()),
        ),
        checks=(
            CheckRow(KEY, "ash", "degraded", "x", "splice"),
            CheckRow(KEY, "ash", "repeat", "ash says 0"),
        ),
        items=(ItemRow("Aki", KEY, "ash", 3),),
        meta=Meta(protocol="esa", description_en="About", design={"before": 2}),
    )
