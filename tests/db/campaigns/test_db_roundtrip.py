from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError
from db.campaigns.export import read_bundle
from db.campaigns.load import load_bundle
from db.formats import FORMATS
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.records import RatingRecord
from tests.support.db_bundles import options

HARD_TEXTS = [
    "𠮷野家 👩‍🏫 か\u3099 ﾊﾟ",
    "<b onclick='x'>&amp;</b> $\\alpha$ **bold** [x](y)",
    'She said, "no"; 「いいえ」',
    '"',
    "=SUM(A1) +1 -1 @x",
    "  spaces　kept ",
    "one\u2028line\u2029still\x85one\x0bline\x0c",
    "\ufeffbom inside",
    "null",
]
BREAKS = ["two\nlines", "mac\rline", "dos\r\nline", "tab\there", "\n", "\r"]


def write(name: str, bundle: Bundle, path: Path) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        FORMATS[name].write(bundle, file, path)
    return path


def bundle_of(texts: list[str], comments: list[str]) -> Bundle:
    """One segment per text, which is source, reference and translation at once; one rating per comment."""
    segments = tuple(SegmentRow("doc", n, text, text or None, "d", f"s{n}") for n, text in enumerate(texts))
    return Bundle(
        name="x",
        langs=("en", "ja"),
        systems=(SystemRow("ash"), SystemRow("refA", is_reference=True)),
        segments=segments,
        outputs=tuple(
            OutputRow(row.key, name, row.reference) for row in segments for name in ("ash", "refA")
        ),
        ratings=tuple(
            RatingRecord(
                segments[n % len(segments)].key, "ash", f"rater {n}", n / 3, comment=comment, seconds=n / 7
            )
            for n, comment in enumerate(comments)
        ),
    )


def same(bundle: Bundle) -> tuple[object, ...]:
    return (
        bundle.systems,
        bundle.segments,
        sorted(bundle.outputs, key=repr),
        sorted((replace(row, rated_at=None) for row in bundle.ratings), key=repr),
    )


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
flat_texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r"), max_size=30)


@pytest.mark.parametrize("name", ["csv", "jsonl"])
@given(given_texts=st.lists(texts, min_size=1, max_size=5), comments=st.lists(texts, max_size=4))
def test_any_text_survives_csv_and_jsonl(name, given_texts, comments, tmp_path_factory):
    bundle = bundle_of(["needed", *given_texts], comments)
    path = write(name, bundle, tmp_path_factory.mktemp("round") / "x")
    assert same(FORMATS[name].read(path, options())) == same(bundle)


@given(given_texts=st.lists(flat_texts, min_size=1, max_size=5), comments=st.lists(flat_texts, max_size=4))
def test_any_text_without_tabs_and_line_breaks_survives_tsv(given_texts, comments, tmp_path_factory):
    bundle = bundle_of(["needed", *given_texts], comments)
    path = write("tsv", bundle, tmp_path_factory.mktemp("round") / "x")
    assert same(FORMATS["tsv"].read(path, options())) == same(bundle)


@pytest.mark.parametrize("name", ["tsv", "csv", "jsonl"])
def test_hard_texts_survive_the_way_through_the_database_and_back(engine, tmp_path, name):
    bundle = bundle_of(HARD_TEXTS + ([] if name == "tsv" else BREAKS), HARD_TEXTS)
    first = read_bundle(engine, load_bundle(engine, bundle, "first").campaign_id)
    path = write(name, first, tmp_path / "x")
    second = read_bundle(
        engine, load_bundle(engine, FORMATS[name].read(path, options()), "second").campaign_id
    )
    assert same(second) == same(first) == same(bundle)
    assert {row.rated_at for row in second.ratings} == {row.rated_at for row in first.ratings}


@pytest.mark.parametrize("text", BREAKS)
def test_a_text_that_tsv_cannot_hold_is_refused_with_the_line(tmp_path, text):
    with pytest.raises(FileError, match=r"x\.tsv, line 2: a source with a tab or line break .* csv or jsonl"):
        FORMATS["tsv"].write(bundle_of([text], []), io.StringIO(), tmp_path / "x.tsv")


def test_csv_is_written_with_quotes_where_needed_and_read_by_other_programs(tmp_path):
    path = write("csv", bundle_of(['a "b", c\nd'], []), tmp_path / "x.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["reference"] == 'a "b", c\nd'


def test_jsonl_holds_one_object_a_line_with_numbers_as_numbers(tmp_path):
    path = write("jsonl", bundle_of(["a\u2028b"], ["why"]), tmp_path / "x.jsonl")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    assert rows[0]["position"] == 0
    assert rows[0]["score"] == 0
    assert "score" not in rows[1]


def test_the_rating_of_a_check_is_not_written_as_one_of_the_translation(tmp_path):
    bundle = bundle_of(["text"], ["good"])
    spoilt = replace(bundle.ratings[0], score=1, comment="bad", kind="degraded")
    path = write("csv", replace(bundle, ratings=(*bundle.ratings, spoilt)), tmp_path / "x.csv")
    assert [row.comment for row in FORMATS["csv"].read(path, options()).ratings] == ["good"]
