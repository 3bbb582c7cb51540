"""Sentences of novels far apart, the same for the same seed, and repaired outputs among them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from core.errors import FileError, OptionError
from db.campaigns.load import load_bundle
from db.campaigns.sampling import Draw, sampled, with_repaired
from db.queries import list_translations
from tests.support.report_files import small

KEYS = tuple((novel, position) for novel in ("a", "b", "c") for position in range(12))
SCORES = {"Aki": {"ash": range(36), "beech": range(36)}}


def drawn(bundle):
    found = {}
    for row in bundle.segments:
        found.setdefault(row.document, []).append(row.position)
    return found


def test_segments_of_each_document_stand_apart_and_what_belongs_to_them_comes_along():
    bundle = small(SCORES, keys=KEYS)
    found = sampled(bundle, Draw(count=3, apart=2, seed=7))
    assert sorted(drawn(found)) == ["a", "b", "c"]
    for places in drawn(found).values():
        assert len(places) == 3
        assert all(later - earlier > 2 for earlier, later in pairwise(places))
    keys = {row.key for row in found.segments}
    assert {row.key for row in found.outputs} == {row.key for row in found.ratings} == keys
    assert len(found.outputs) == 2 * len(keys)
    assert found.meta.description_en.endswith(
        "At most 3 segments of each of 3 documents were drawn, with at least 2 others between two of them, "
        "with seed 7."
    )
    assert drawn(sampled(bundle, Draw(count=3, apart=2, seed=7))) == drawn(found)
    assert drawn(sampled(bundle, Draw(count=3, apart=2, seed=8))) != drawn(found)


def test_as_many_are_drawn_as_the_distance_allows_whatever_the_seed():
    for seed in range(20):
        full = sampled(small(keys=KEYS), Draw(count=3, apart=4, seed=seed))  # 12 hold 3 with 4 between
        assert [len(places) for places in drawn(full).values()] == [3, 3, 3]
        less = sampled(small(keys=KEYS), Draw(count=3, apart=5, seed=seed))  # 3 with 5 between need 13
        assert [len(places) for places in drawn(less).values()] == [2, 2, 2]
    firsts = {drawn(sampled(small(keys=KEYS), Draw(count=1, seed=seed)))["a"][0] for seed in range(200)}
    assert firsts == set(range(12))


def test_some_novels_are_drawn_and_more_than_there_are_cannot_be():
    bundle = small(keys=KEYS)
    assert len(drawn(sampled(bundle, Draw(count=1, documents=2)))) == 2
    with pytest.raises(OptionError, match="There are 3 documents; 4 of them"):
        sampled(bundle, Draw(count=1, documents=4))


def test_repaired_outputs_are_a_system_that_has_some_of_the_segments(engine, tmp_path):
    file = tmp_path / "repaired.tsv"
    file.write_text("document\tposition\ttext\na\t3\t直した訳\nb\t0\t\n", "utf-8")
    bundle = with_repaired(small(keys=KEYS), {"ash, repaired": file})
    number = load_bundle(engine, bundle, "Small").campaign_id
    texts = [one.text for one in list_translations(engine, number) if one.system == "ash, repaired"]
    assert sorted(texts) == ["", "直した訳"]
    file.write_text("document\tposition\ttext\na\t12\tx\n", "utf-8")
    with pytest.raises(FileError, match=r"line 2.*not there.*a, 12"):
        with_repaired(small(keys=KEYS), {"ash, repaired": file})
    with pytest.raises(OptionError, match="A system is called ash already"):
        with_repaired(small(keys=KEYS), {"ash": file})
