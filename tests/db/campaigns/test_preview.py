from __future__ import annotations

from dataclasses import replace

from core.raters.protocols import MarkedSpan
from db.campaigns.load import PreviewRow, preview
from db.formats.bundle import CheckRow
from db.records import RatingRecord
from tests.support.db_bundles import small_bundle


def test_a_preview_counts_what_a_bundle_holds():
    bundle = small_bundle(segments=3, systems=("ash",))
    key = bundle.segments[0].key
    bundle = replace(
        bundle,
        segments=(replace(bundle.segments[0], source=None), *bundle.segments[1:]),
        outputs=(replace(bundle.outputs[0], text=" "), *bundle.outputs[1:]),
        ratings=(
            RatingRecord(key, "ash", "Aki", 5, spans=(MarkedSpan(0, 1, "minor"), MarkedSpan(1, 2, "major"))),
            RatingRecord(key, "ash", "ＡＫＩ", 6),
            RatingRecord(key, "ash", "Bo", 7, kind="degraded"),
        ),
        checks=(CheckRow(key, "ash", "degraded", "x"),),
        notes=("A note.",),
    )
    found = preview(bundle)
    assert (found.name, found.languages, found.notes) == ("Small", ("en", "ja"), ("A note.",))
    assert (found.documents, found.segments, found.systems, found.translations) == (2, 3, 2, 6)
    assert (found.ratings, found.raters, found.checks, found.spans, found.empty_outputs) == (3, 2, 1, 2, 1)
    assert found.source_characters == len("source 1")


def test_the_first_segments_are_shown_with_each_systems_text():
    found = preview(small_bundle(segments=3, systems=("ash", "beech")), count=2)
    assert found.rows == (
        PreviewRow(
            "doc0", 0, "source 0", "reference 0",
            (("ash", "ash says 0"), ("beech", "beech says 0"), ("refA", "reference 0")),
        ),
        PreviewRow(
            "doc1", 0, "source 1", "reference 1",
            (("ash", "ash says 1"), ("beech", "beech says 1"), ("refA", "reference 1")),
        ),
    )  # fmt: skip
    assert preview(small_bundle(), count=0).rows == ()


def test_without_sources_there_is_no_length_of_them():
    bundle = small_bundle(segments=1)
    without = replace(bundle, segments=(replace(bundle.segments[0], source=None),))
    assert preview(without).source_characters is None
