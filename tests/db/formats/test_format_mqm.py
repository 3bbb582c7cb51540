"""Google's MQM files, old and new, and ours."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import FileError
from core.raters.protocols import MarkedSpan, mqm_score
from db.campaigns.export import write_bundle
from db.campaigns.load import load_bundle
from db.formats import FORMATS
from db.formats.bundle import Bundle, SegmentRow, SystemRow
from db.records import RatingRecord
from tests.support.db_bundles import options, small_bundle

HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
OLD = (
    "ash\ttalk\t1\t84\trater3\t源。\tto <v>take a</v> walk\tStyle/Awkward\tMajor\n"
    "ash\ttalk\t1\t84\trater3\t源。\tto take a <v>walk</v>\tFluency/Punctuation\tMinor\n"
    "ash\ttalk\t1\t84\trater4\t源。\tto take a walk\tNo-error\tNo-error\n"
    "elm\ttalk\t2\t85\trater3\t<v>泉</v>。\tspring\tAccuracy/Omission\tneutral\n"
    "elm\ttalk\t2\t85\trater4\t泉。\t<v></v>spring\tNon-translation!\tmajor\n"
)


def read(tmp_path: Path, text: str) -> Bundle:
    path = tmp_path / "x.tsv"
    path.write_text(text, encoding="utf-8", newline="")
    return FORMATS["mqm-tsv"].read(path, options())


def test_rows_of_a_rating_are_its_errors_and_no_error_is_a_rating_too(engine, tmp_path):
    bundle = read(tmp_path, HEAD + OLD)
    assert bundle.segments == (
        SegmentRow("talk", 0, "", "源。", external_id="84"),
        SegmentRow("talk", 1, "", "泉。", external_id="85"),
    )
    assert [(row.system, row.text) for row in bundle.outputs] == [
        ("ash", "to take a walk"),
        ("elm", "spring"),
    ]
    assert [(row.system, row.rater, row.score, row.spans) for row in bundle.ratings] == [
        (
            "ash",
            "rater3",
            None,
            (MarkedSpan(3, 9, "major", "style/awkward"), MarkedSpan(10, 14, "minor", "fluency/punctuation")),
        ),
        ("ash", "rater4", None, ()),
        ("elm", "rater3", None, (MarkedSpan(0, 1, "neutral", "accuracy/omission", side="source"),)),
        ("elm", "rater4", None, (MarkedSpan(0, 0, "major", "non-translation", missing=True),)),
    ]
    assert [mqm_score(row.spans) for row in bundle.ratings] == pytest.approx([-5.1, 0, 0, -25])
    assert (bundle.meta.protocol, load_bundle(engine, bundle, "Q").ratings) == ("mqm", 4)


def test_a_file_without_a_header_is_read_and_one_behind_itself_counts_once(tmp_path):
    once, twice = read(tmp_path, OLD), read(tmp_path, (HEAD + OLD) * 2)
    assert once.ratings == twice.ratings == read(tmp_path, HEAD + OLD).ratings
    assert "5 rows that stand in the file twice were counted once." in twice.notes


def test_the_tenth_column_is_a_comment_in_old_files_and_metadata_in_new_ones(tmp_path):
    row = "ash\tt\t1\t1\tr\ts\t<v>x</v>\tOther\tMinor\t"
    old = read(tmp_path, HEAD.replace("severity", "severity\tcomment") + row + "why\n")
    about = {
        "timestamp": 1700000010750,
        "note": "because",
        "feedback": {"notes": "hard"},
        "segment": {"references": {"refA": "R", "refB": "Q"}, "primary_reference": "refB"},
    }
    new = read(
        tmp_path, HEAD.replace("severity", "severity\tmetadata (help)") + row + json.dumps(about) + "\n"
    )
    assert old.ratings[0].spans == (MarkedSpan(0, 1, "minor", "other", note="why"),)
    assert new.ratings[0].spans == (MarkedSpan(0, 1, "minor", "other", note="because"),)
    assert new.ratings[0].comment == "hard"
    assert new.ratings[0].rated_at == datetime(2023, 11, 14, 22, 13, 30, 750_000, tzinfo=UTC)
    assert new.segments[0].reference == "Q"


def test_quotes_quote_only_where_the_whole_file_is_quoted_so(tmp_path):
    plain = read(tmp_path, HEAD + 'ash\tt\t1\t1\tr\t"s"\t"No," he said\tNo-error\tNo-error\n')
    assert (plain.segments[0].source, plain.outputs[0].text) == ('"s"', '"No," he said')
    quoted = read(tmp_path, HEAD + 'ash\tt\t1\t1\tr\ts\t"""No,"" he said\n"\tNo-error\tNo-error\n')
    assert quoted.outputs[0].text == '"No," he said\n'


def test_a_severity_that_is_not_known_is_counted_and_said(tmp_path):
    bundle = read(tmp_path, HEAD + OLD.replace("Minor", "HOTW-test"))
    assert "1 rows of the severity “HOTW-test” were left out." in bundle.notes


def test_an_error_with_one_end_marked_reaches_to_the_end_of_the_text_with_a_note(tmp_path):
    text = HEAD + OLD.replace("take a</v> walk", "take a walk").replace("<v>walk", "walk")
    bundle = read(tmp_path, text)
    assert [(span.start, span.end) for span in bundle.ratings[0].spans] == [(3, 14), (0, 14)]
    assert "2 errors have only one end marked; they reach to the text's." in bundle.notes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no rows"),
        ("a\tb\n", "line 1: has 2 columns; MQM files have 9 or 10"),
        (HEAD + OLD.replace("源", "他", 1), "line 3: “talk”, segment 1, had another source before"),
        (HEAD + OLD.replace("to <v>take a</v> walk", "other", 1), "the system “ash” had another text"),
        (
            HEAD.replace("severity", "severity\tmetadata") + OLD.replace("Major\n", "Major\t{\n"),
            "line 2: the meta",
        ),
        (HEAD + OLD.replace("rater4", "x" * 81), "line 4: the name has 81 characters"),
    ],
    ids=range(6),
)
def test_a_fault_is_one_sentence_with_the_line(tmp_path, text, message):
    with pytest.raises(FileError) as raised:
        read(tmp_path, text)
    assert message in str(raised.value)


def test_our_file_is_marots(tmp_path):
    bundle = small_bundle(segments=2, systems=("ash",))
    rating = RatingRecord(
        ("doc0", 0),
        "ash",
        "Aki",
        None,
        spans=(MarkedSpan(0, 3, "major", "accuracy/mistranslation", note="n"),),
    )
    path = tmp_path / "x.tsv"
    write_bundle(replace(bundle, ratings=(rating,)), "mqm-tsv", path)
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines[0] == (
        "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata"
    )
    cells = lines[1].split("\t")
    assert cells[:9] == [
        "ash", "doc0", "1", "1", "Aki", "source 0", "<v>ash</v> says 0", "Accuracy/Mistranslation", "Major",
    ]  # fmt: skip
    about = json.loads(cells[9][1:-1].replace('""', '"'))
    segment = {"references": {"refA": "reference 0"}, "primary_reference": "refA"}
    assert about == {"segment": segment, "note": "n"}
    found = FORMATS["mqm-tsv"].read(path, options())
    assert found.systems == (SystemRow("ash"), SystemRow("refA", is_reference=True))


def test_a_text_with_the_marks_themselves_is_refused(tmp_path):
    bundle = small_bundle()
    bundle = replace(bundle, outputs=(replace(bundle.outputs[0], text="a <v> b"), *bundle.outputs[1:]))
    with pytest.raises(FileError, match="a text with <v> or </v> does not fit into mqm-tsv; use history"):
        write_bundle(bundle, "mqm-tsv", tmp_path / "x.tsv")
    assert list(tmp_path.iterdir()) == []
