"""Exports: a file, a folder or a zip file, and sentences about what was left out."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import FileError, OptionError
from core.raters.protocols import MarkedSpan
from db.__main__ import main
from db.campaigns.export import download, read_bundle, reduced, write_bundle
from db.campaigns.load import load_bundle
from db.formats import FORMATS
from db.formats.bundle import Meta
from db.formats.capabilities import WORDS
from db.records import RatingRecord
from tests.support.db_bundles import options, small_bundle
from tests.support.format_bundles import AT, KEY, SPANS, rich


def test_every_kind_that_csv_has_no_place_for_is_counted_in_a_note_of_its_own():
    held = reduced(rich(), "csv")
    assert held.ratings == (RatingRecord(KEY, "ash", "Aki", 60.0, "why", "dup", 1.5, AT),)
    assert set(held.notes) == {
        "1 earlier revisions were left out.",
        "1 skips were left out.",
        "1 ratings that mark errors and give no score were left out.",
        "1 ratings of degraded texts were left out.",
        "1 ratings of repeats were left out.",
        "1 ratings of references as checks were left out.",
        "2 marked errors were left out.",
        "1 degraded texts were left out.",
        "1 places of items in their raters' order were left out.",
        "1 choices of the campaign's design were left out.",
        "1 texts about the campaign and its systems were left out.",
    }


def test_a_history_leaves_nothing_out_and_every_word_of_a_format_is_known():
    assert reduced(rich(), "history") == rich()
    assert {word for one in FORMATS.values() for word in one.holds} == set(WORDS)
    assert all(bool(one.holds) == one.writes for one in FORMATS.values())


def test_a_score_that_a_later_skip_took_back_does_not_come_back_without_it():
    bundle = small_bundle()
    said = (
        RatingRecord(KEY, "ash", "Aki", 40.0, rated_at=AT),
        RatingRecord(KEY, "ash", "Aki", None, rated_at=AT, skipped_reason="no"),
    )
    for name, notes in (
        ("csv", ("1 earlier revisions were left out.", "1 skips were left out.")),
        ("wmt-csv", ("2 skips were left out.",)),
    ):
        held = reduced(replace(bundle, ratings=said), name)
        assert held.ratings == ()
        assert held.notes[: len(notes)] == notes


def test_a_file_a_folder_and_a_zip_file_hold_the_same(tmp_path):
    for name in (name for name, one in FORMATS.items() if one.writes):
        made = download(rich(), name)
        written = write_bundle(rich(), name, tmp_path / name)
        assert made.notes == written.notes
        if FORMATS[name].folder:
            with zipfile.ZipFile(io.BytesIO(made.data)) as archive:
                found = {inner: archive.read(inner) for inner in archive.namelist()}
            files = (file for file in (tmp_path / name).rglob("*") if file.is_file())
            assert found == {str(file.relative_to(tmp_path / name)): file.read_bytes() for file in files}
            assert made.name == f"Small.{name}.zip"
        else:
            assert made.name == f"Small{FORMATS[name].suffix}"
            assert name == "xlsx" or made.data == (tmp_path / name).read_bytes()


def test_the_name_of_a_download_has_no_folders_in_it():
    assert download(replace(small_bundle(), name="../a/b: 小説"), "csv").name == "___a_b_ 小説.csv"


def test_a_folder_that_is_there_stays_as_it_is(tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(FileError, match="out: is there already; choose another name"):
        write_bundle(rich(), "mtme", tmp_path / "out", overwrite=True)
    broken = replace(small_bundle(), segments=(replace(small_bundle().segments[0], source="a\nb"),))
    with pytest.raises(FileError, match="a source with a tab or line break does not fit into mtme"):
        write_bundle(broken, "mtme", tmp_path / "new")
    assert [file.name for file in tmp_path.iterdir()] == ["out"]


def test_a_format_that_is_only_read_is_answered_with_those_that_are_written():
    with pytest.raises(
        OptionError, match="can only be read; export as history, tsv, csv, jsonl, xlsx, wmt-csv"
    ):
        write_bundle(rich(), "tmx", Path("x"))


def test_the_folder_of_mtme_has_means_and_each_raters_scores(tmp_path):
    bundle = small_bundle(segments=2, systems=("ash",))
    ratings = (
        RatingRecord(KEY, "ash", "Aki", 40.0),
        RatingRecord(KEY, "ash", "mqm/1", 61.0),
        RatingRecord(("doc1", 0), "refA", "Aki", 90.0),
    )
    write_bundle(replace(bundle, ratings=ratings), "mtme", tmp_path / "set")
    scores = tmp_path / "set" / "human-scores"
    assert {file.name: file.read_text(encoding="utf-8") for file in scores.iterdir()} == {
        "en-ja.da.seg.score": "ash\t50.5\nash\tNone\nrefA\tNone\nrefA\t90\n",
        "en-ja.da.sys.score": "ash\t50.5\nrefA\t90\n",
        "en-ja.da-z.seg.score": (  # of 40 and 90; a single score has no z
            "ash\t-0.7071067811865475\nash\tNone\nrefA\tNone\nrefA\t0.7071067811865475\n"
        ),
        "en-ja.da-z.sys.score": "ash\t-0.7071067811865475\nrefA\t0.7071067811865475\n",
        "en-ja.da.rater-Aki.seg.score": "ash\t40\nash\tNone\nrefA\tNone\nrefA\t90\n",
        "en-ja.da.rater-mqm%2F1.seg.score": "ash\t61\nash\tNone\n",
    }
    assert (tmp_path / "set" / "documents" / "en-ja.docs").read_text(encoding="utf-8") == (
        "literary\tdoc0\nliterary\tdoc1\n"
    )
    assert (tmp_path / "set" / "references" / "en-ja.refA.txt").read_text(encoding="utf-8") == (
        "reference 0\nreference 1\n"
    )


def test_pearmut_counts_spans_inclusive_in_utf_16_without_line_feeds():
    bundle = small_bundle(segments=1, systems=("ash",))
    outputs = (replace(bundle.outputs[0], text="𠮷\nab"), bundle.outputs[1])
    spans = (MarkedSpan(2, 4, "minor"), MarkedSpan(0, 1, "major", "accuracy"), *SPANS[1:])
    rating = RatingRecord(KEY, "ash", "Aki", 50.0, comment="why", rated_at=AT, spans=spans)
    made = download(replace(bundle, outputs=outputs, ratings=(rating,), meta=Meta(protocol="esa")), "pearmut")
    with zipfile.ZipFile(io.BytesIO(made.data)) as archive:
        campaign = json.loads(archive.read("campaign.json"))
        (entry,) = json.loads(archive.read("annotations.json"))["Small"]
    assert campaign["info"]["protocol"] == "ESA"
    assert campaign["data"][0][0]["tgt"] == {"ash": "𠮷\nab", "refA": "reference 0"}
    assert (entry["user_id"], entry["item_i"], entry["actions"][-1]["time"]) == ("Aki", 0, 1700000010.75)
    said = entry["annotation"][0]["ash"]
    assert (said["score"], said["textfield"]) == (50, "why")
    assert [(one["start_i"], one["end_i"], one["category"]) for one in said["error_spans"]] == [
        (2, 3, ""),
        (0, 1, "accuracy"),
        (4, 4, ""),
    ]


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[object, str]:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return ended.value.code, capsys.readouterr().err


def test_the_command_line_takes_scale_and_ratings_and_writes_folders(
    engine, url, monkeypatch, capsys, tmp_path
):
    monkeypatch.setenv("YOMIKURABE_DB", url)
    texts, scores = tmp_path / "texts.csv", tmp_path / "scores.csv"
    write_bundle(small_bundle(), "csv", texts)
    scores.write_text("u1,ash,0,TGT,eng,jpn,3,doc0,False,[],1,2\n", encoding="utf-8")
    start = (
        "import",
        texts,
        "--format",
        "csv",
        "--source-lang",
        "en",
        "--target-lang",
        "ja",
        "--campaign",
        "C",
    )
    status, said = run(capsys, *start, "--ratings", scores)
    assert (status, "tell it with --scale" in said) == (2, True)
    status, said = run(capsys, *start, "--ratings", scores, "--scale", "0-6", "--ratings-format", "wmt-csv")
    assert (status, "ratings: 1" in said) == (0, True)
    status, said = run(capsys, "export", "--campaign", "C", "--format", "mtme", "--out", tmp_path / "set")
    assert (status, "48 translations and 1 ratings" in said) == (0, True)
    assert "1 durations were left out." in said
    (found,) = FORMATS["mtme"].read(tmp_path / "set", options()).ratings
    assert (found.score, found.rater) == (50, "u1")


def test_all_that_was_said_comes_out_of_the_database_and_a_plain_reading_has_what_holds(engine):
    campaign = load_bundle(engine, rich(), "Rich").campaign_id
    plain = read_bundle(engine, campaign)
    assert {(row.system, row.score, row.spans) for row in plain.ratings} == {
        ("ash", 60.0, SPANS),
        ("ash", None, ()),
    }
    assert (plain.checks, plain.items) == ((), ())
    whole = read_bundle(engine, campaign, history=True)
    assert len(whole.ratings) == 7
    assert set(whole.checks) == set(rich().checks)
    assert [(item.rater, item.kind, item.place) for item in whole.items] == [
        ("Aki", "target", 3),
        ("Aki", "target", 4),
        ("Aki", "target", 5),
        ("Aki", "degraded", 6),
        ("Bo", "repeat", 0),
        ("Bo", "reference", 1),
    ]
    assert [item.rule for item in whole.items if item.kind == "degraded"] == ["splice"]
