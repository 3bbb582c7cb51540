"""What several ratings of one rater for one translation in a file become: repeats, revisions or a mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import OptionError
from core.raters.quality import KINDS, repeat_error
from db.campaigns.load import load_bundle
from db.formats import FORMATS
from db.formats.bundle import Bundle, ReadOptions
from db.permissions import OPERATOR
from db.queries.evaluation import rating_table

HEAD = "document,position,reference,system,translation,rater,score,mark,rated_at\n"
REPEATS = "{} ratings of what the same rater had rated before are repeats: the first rating counts."
REVISED = "{} ratings are followed by a revision of the same rater: the last revision counts."


def rated(tmp_path: Path, *said: str, repeats: str | None = None) -> Bundle:
    """Ratings, as rater,score,mark,time, of one translation."""
    path = tmp_path / "x.csv"
    path.write_text(HEAD + "".join(f"d,0,r,ash,t,{one}\n" for one in said), "utf-8")
    options = ReadOptions(source_lang="en", target_lang="ja", repeats=repeats)
    return FORMATS["csv"].read(path, options)


def found(bundle: Bundle) -> list[tuple[str, float, str]]:
    return [(one.rater, one.score, one.kind) for one in bundle.ratings]


TWICE = ("Aki,70,,", "Bo,50,,", "Aki,90,,")


def test_a_second_rating_is_a_repeat_and_the_first_counts(tmp_path):
    bundle = rated(tmp_path, *TWICE)
    assert found(bundle) == [("Aki", 70, "target"), ("Bo", 50, "target"), ("Aki", 90, "repeat")]
    assert bundle.notes == (REPEATS.format(1),)
    assert rated(tmp_path, *TWICE, repeats="item") == bundle


def test_repeats_that_were_imported_give_the_repeat_error_of_their_rater(engine, tmp_path):
    campaign = load_bundle(engine, rated(tmp_path, *TWICE), "C").campaign_id
    rows = rating_table(engine, OPERATOR, campaign, kinds=KINDS)
    error = repeat_error([row for row in rows if row.rater == "Aki"])
    assert (error.value, error.n) == (20, 1)
    assert sorted(row.score for row in rating_table(engine, OPERATOR, campaign)) == [50, 70]


def test_as_revisions_the_last_counts_and_it_is_said(tmp_path):
    bundle = rated(tmp_path, *TWICE, repeats="revision")
    assert found(bundle) == [("Aki", 70, "target"), ("Bo", 50, "target"), ("Aki", 90, "target")]
    assert bundle.notes == (REVISED.format(1),)


def test_as_a_mean_one_rating_is_left(tmp_path):
    bundle = rated(tmp_path, *TWICE, repeats="mean")
    assert found(bundle) == [("Bo", 50, "target"), ("Aki", 80, "target")]
    assert bundle.notes == ("2 ratings by the same rater of the same translation became means.",)


def test_the_first_official_rating_stays_and_a_third_is_a_revision_of_the_repeat(tmp_path):
    bundle = rated(tmp_path, "Aki,10,dup,", "Aki,70,ok,", "Aki,90,ok,")
    assert found(bundle) == [("Aki", 70, "target"), ("Aki", 10, "repeat"), ("Aki", 90, "repeat")]
    assert bundle.notes == (REPEATS.format(2), REVISED.format(1))


def test_the_same_row_again_is_no_repeat(tmp_path):
    bundle = rated(tmp_path, "Aki,70,,", "Aki,70,,")
    assert found(bundle) == [("Aki", 70, "target")]
    assert bundle.notes == ("1 ratings that stand in the file twice were counted once.",)


def test_the_same_score_at_another_time_is_a_repeat(tmp_path):
    times = "2026-01-31T12:00:00+00:00", "2026-01-30T12:00:00+00:00"
    bundle = rated(tmp_path, *(f"Aki,70,,{time}" for time in times))
    assert [(one.rated_at.day, one.kind) for one in bundle.ratings] == [(30, "target"), (31, "repeat")]


def test_an_unknown_way_is_refused(tmp_path):
    with pytest.raises(OptionError, match=r"cannot become “first”; choose one of item, revision, mean\.$"):
        rated(tmp_path, *TWICE, repeats="first")


def tables(tmp_path: Path, *said: str, repeats: str | None = None) -> Bundle:
    """A folder of tables with ratings of one translation, as wave, item_type, score."""
    files = {
        "segments.tsv": "seg_id\tdoc_id\trefA\n1\td\tr\n",
        "outputs.tsv": "seg_id\tash\n1\tt\n",
        "ratings.tsv": "annotator\tsystem\tseg_id\twave\titem_type\tscore\n"
        + "".join(f"Aki\tash\t1\t{one}\n" for one in said),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    options = ReadOptions(source_lang="en", target_lang="ja", repeats=repeats)
    return FORMATS["tables"].read(tmp_path, options)


def test_of_several_waves_the_first_counts_and_equal_scores_are_not_one_rating(tmp_path):
    said = "10\tTGT\t70", "9\tTGT\t70"
    bundle = tables(tmp_path, *said)
    assert found(bundle) == [("Aki", 70, "repeat"), ("Aki", 70, "target")]
    assert bundle.notes == (REPEATS.format(1),)
    assert found(tables(tmp_path, *said, repeats="revision")) == [("Aki", 70, "target")]


@pytest.mark.parametrize("item_type", ["CHK", "chk", "REPEAT"])
def test_a_table_may_say_that_an_item_is_a_repeat(tmp_path, item_type):
    bundle = tables(tmp_path, f"1\t{item_type}\t60", "1\tSYSTEM\t70")
    assert found(bundle) == [("Aki", 60, "repeat"), ("Aki", 70, "target")]
    assert bundle.notes == (REPEATS.format(1),)
