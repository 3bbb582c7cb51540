"""Scores of somebody else's metric for a campaign: from a file of the field or a table, all or nothing."""

from __future__ import annotations

import pytest

from core.errors import FileError, OptionError
from db.campaigns.score_files import import_scores
from db.queries import list_segments, list_translations, scores_of_translation

SYSTEMS = ("ash", "beech", "cedar")


def stored(engine, campaign):
    return {
        (row.document, row.position, row.system): found[0]
        for row in list_translations(engine, campaign)
        if (found := scores_of_translation(engine, row.id))
    }


def test_a_score_file_of_the_field_is_taken_in_the_campaigns_order(engine, campaign, tmp_path):
    path = tmp_path / "comet.seg.score"
    path.write_text(
        "".join(f"{system}\t{n if n else None}\n" for system in SYSTEMS for n in range(12)), "utf-8"
    )
    taken = import_scores(engine, campaign, path, "comet")
    assert (taken.stored, taken.without) == (36, 12)  # the rated reference is not in the file
    found = stored(engine, campaign)
    for n, segment in enumerate(list_segments(engine, campaign)):
        row = found[segment.document, segment.position, "beech"]
        assert row.score == (n or None)
        assert (row.missing is None) == bool(n)
    assert row.metric == "external:comet"
    assert "file:" in row.signature


@pytest.mark.parametrize("delimiter", ["\t", ","])
def test_a_table_is_taken_by_its_columns(engine, campaign, tmp_path, delimiter):
    path = tmp_path / "scores.txt"
    rows = (
        ("system", "score", "document", "position"),
        ("ash", "0.5", "doc0", "1"),
        ("ash", "None", "doc1", "0"),
    )
    path.write_text("\n".join(delimiter.join(row) for row in rows), "utf-8")
    assert import_scores(engine, campaign, path, "bleurt").stored == 2
    found = stored(engine, campaign)
    assert found["doc0", 1, "ash"].score == 0.5
    assert found["doc1", 0, "ash"].score is None


HEADER = "document\tposition\tsystem\tscore\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("ash\t1\n", "has 1 segments; the campaign has 12"),
        ("elm\t1\n" * 12, "a system “elm” that the campaign does not have"),
        (HEADER + "doc0\t99\tash\t1\n", "line 2: names a translation that"),
        (HEADER + "doc0\t0\tash\tgood\n", "line 2: .*good"),
        (HEADER + "doc0\t0\tash\tinf\n", "line 2: .*inf"),
        (HEADER + "doc0\t0\tash\t1\n" * 2, "line 3: names a translation for the second time"),
        ("", "holds no scores"),
    ],
    ids=["sizes", "system", "place", "word", "infinite", "twice", "empty"],
)
def test_a_file_that_does_not_fit_is_a_sentence_and_stores_nothing(
    engine, campaign, tmp_path, text, sentence
):
    path = tmp_path / "scores.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(FileError, match=sentence):
        import_scores(engine, campaign, path, "comet")
    assert stored(engine, campaign) == {}


def test_a_name_that_is_none_is_a_sentence(engine, campaign, tmp_path):
    with pytest.raises(OptionError, match="not a name for a metric"):
        import_scores(engine, campaign, tmp_path / "x", "a b")
