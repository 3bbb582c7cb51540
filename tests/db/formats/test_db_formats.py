from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from core.errors import FileError, OptionError
from core.text.languages import guess_lang
from db.campaigns.load import load_bundle
from db.formats import FORMATS, get_format
from db.formats.bundle import Bundle, ReadOptions
from tests.support.db_bundles import options

HEAD = "document\tposition\tsource\treference\tsystem\ttranslation\trater\tscore\tcomment\n"
ROW = "d\t0\ts\tr\tash\tt\tAki\t50\t\n"


def read_tsv(tmp_path: Path, text: str) -> Bundle:
    path = tmp_path / "rows.tsv"
    path.write_text(text, encoding="utf-8", newline="")
    return FORMATS["tsv"].read(path, options())


def test_several_raters_of_one_translation_are_several_rows(tmp_path):
    bundle = read_tsv(tmp_path, HEAD + ROW + ROW.replace("Aki\t50\t", "Bo\t0\tbad"))
    assert [(row.rater, row.score, row.comment) for row in bundle.ratings] == [
        ("Aki", 50, ""),
        ("Bo", 0, "bad"),
    ]
    assert len(bundle.outputs) == len(bundle.segments) == 1


def test_quotes_mean_nothing_in_tsv(tmp_path):
    bundle = read_tsv(tmp_path, HEAD + ROW.replace("\tt\t", '\t"Stay," said Mina\t'))
    assert bundle.outputs[0].text == '"Stay," said Mina'


def test_an_unknown_column_is_left_out_with_a_note(tmp_path):
    bundle = read_tsv(tmp_path, HEAD.replace("comment", "coment") + ROW)
    assert bundle.notes == ("The column “coment” is not known and was left out.",)


SECOND = ROW.replace("Aki", "Bo")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (HEAD, "has a header but no rows"),
        (HEAD.replace("reference\t", "") + "x", "line 1: has no column “reference”"),
        (HEAD.replace("source", "reference") + ROW, "line 1: has the column “reference” twice"),
        (HEAD + ROW + "d\t1\ts\n", "line 3: has 3 cells where the header has 9"),
        (HEAD + ROW + "\n" + SECOND, "line 3: has 1 cells"),
        (HEAD + ROW.replace("\tr\t", "\t\t"), "has nothing in the column “reference”"),
        (HEAD + ROW.replace("\tt\t", "\t \t"), "has nothing in the column “translation”"),
        (HEAD + ROW.replace("50", "abc"), "line 2: the score “abc” is not a number from 0 to 100"),
        (HEAD + ROW.replace("50", "101"), "line 2: the score “101”"),
        (HEAD + ROW.replace("50", "-1"), "line 2: the score “-1”"),
        (HEAD + ROW.replace("50", "nan"), "line 2: the score “nan”"),
        (HEAD + ROW.replace("50", "1_0"), "line 2: the score “1_0”"),
        (HEAD + ROW.replace("50", "1e999"), "line 2: the score “1e999”"),
        (HEAD + ROW.replace("\t0\t", "\t-1\t"), "line 2: the position “-1”"),
        (HEAD + ROW.replace("\t0\t", "\t1.0\t"), "line 2: the position “1.0”"),
        (HEAD + ROW.replace("d\t", "\t", 1), "line 2: the document is blank"),
        (HEAD + ROW.replace("ash", " "), "line 2: the system is blank"),
        (HEAD + ROW.replace("Aki", "x" * 81), "line 2: the name has 81 characters"),
        (HEAD + ROW.replace("Aki", ""), "line 2: there is a score or comment but no rater"),
        (HEAD + ROW.replace("50\t", "\twhy"), "line 2: the score “” is not a number"),
        (HEAD + ROW + SECOND.replace("\tr\t", "\tother\t"), "line 3: “d”, position 0, had another reference"),
        (HEAD + ROW + SECOND.replace("\ts\t", "\tother\t"), "line 3: “d”, position 0, had another source"),
        (
            HEAD + ROW + SECOND.replace("\tt\t", "\tother\t"),
            "line 3: the system “ash” has another translation",
        ),
        (HEAD + ROW.replace("\tt\t", "\t\0\t"), "line 2: has a NUL character"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_the_line(tmp_path, text, message):
    with pytest.raises(FileError, match=r"^[^\n]*rows\.tsv(, line \d+)?: [^\n]*[.?]$") as raised:
        read_tsv(tmp_path, text)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: is not a JSON object"),
        ("[1]", "line 2: is not a JSON object"),
        ("[" * 100_000, "line 2: is not a JSON object"),
        ('{"document": "d"}', "line 2: has no “position”"),
        ('{"score": "50"}', 'line 2: the score "50" is not a number'),
        ('{"score": true}', "line 2: the score true is not a number"),
        ('{"score": NaN}', "line 2: the score “nan” is not a number from 0 to 100"),
        ('{"score": 101}', "line 2: the score “101”"),
        ('{"position": true}', "line 2: the position true is not a number"),
        ('{"reference": 5}', "line 2: the reference is not a text"),
        ('{"translation": "a\\u0000b"}', "line 2: the translation holds a character that cannot be stored"),
        ('{"translation": "a\\ud83d"}', "line 2: the translation holds a character that cannot be stored"),
    ],
)
def test_what_is_wrong_with_a_json_line_is_said_with_the_line(tmp_path, line, message):
    good = {"document": "d", "position": 0, "reference": "r", "system": "ash", "translation": "t"}
    if line.startswith('{"') and "document" not in line:
        line = json.dumps({**good, "rater": "Aki", "score": 1})[:-1] + ", " + line[1:]
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(good) + "\n" + line + "\n", encoding="utf-8")
    with pytest.raises(FileError) as raised:
        FORMATS["jsonl"].read(path, options())
    assert message in str(raised.value)


def test_an_open_quote_in_csv_is_named_with_the_line_where_the_row_begins(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(
        HEAD.replace("\t", ",") + ROW.replace("\t", ",") + 'd,1,s,"r,ash,t,,,\nmore\n', encoding="utf-8"
    )
    with pytest.raises(FileError, match=r"line 3: is not well-formed CSV"):
        FORMATS["csv"].read(path, options())


def test_a_csv_row_after_a_cell_of_several_lines_is_counted_rightly(tmp_path):
    path = tmp_path / "x.csv"
    rows = ROW.replace("\t", ",").replace(",t,", ',"a\nb\nc",') + "d,1,short\n"
    path.write_text(HEAD.replace("\t", ",") + rows, encoding="utf-8")
    with pytest.raises(FileError, match=r"line 5: has 3 cells"):
        FORMATS["csv"].read(path, options())


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "shift_jis", "euc_jp"])
def test_a_file_in_an_older_encoding_is_read_as_text(tmp_path, encoding):
    path = tmp_path / "x.tsv"
    text = HEAD + ROW.replace("\tr\t", "\tこれは参照訳です。\t").replace("\tt\t", "\tそれは翻訳です。\t")
    path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
    bundle = FORMATS["tsv"].read(path, options())
    assert (bundle.segments[0].reference, bundle.outputs[0].text) == (
        "これは参照訳です。",
        "それは翻訳です。",
    )


@pytest.mark.heavy
def test_thirty_megabytes_are_imported_in_reasonable_time(engine, tmp_path):
    path = tmp_path / "big.tsv"
    text = "長い文章です。" * 14
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write("document\tposition\treference\tsystem\ttranslation\n")
        for n in range(25_000):
            for system in ("ash", "beech"):
                file.write(f"d{n // 100}\t{n % 100}\t{text}\t{system}\t{text}\n")
    assert path.stat().st_size > 29_000_000
    start = time.perf_counter()
    report = load_bundle(engine, FORMATS["tsv"].read(path, options()), "big")
    assert time.perf_counter() - start < 30
    assert (report.segments, report.translations) == (25_000, 50_000)


def test_lines_make_one_segment_of_each_line_blank_ones_too(tmp_path):
    for name, text in (("ref", "a\n\nc\n"), ("ash", "A\n\nC\n"), ("beech", "x\ny\nz"), ("src", "1\n2\n\n")):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    hypotheses = (("ash", tmp_path / "ash.txt"), ("beech", tmp_path / "beech.txt"))
    bundle = FORMATS["lines"].read(
        tmp_path / "ref.txt", ReadOptions(hypotheses=hypotheses, source_file=tmp_path / "src.txt")
    )
    assert [(row.document, row.position, row.reference, row.source) for row in bundle.segments] == [
        ("ref", 0, "a", "1"),
        ("ref", 1, "", "2"),
        ("ref", 2, "c", None),
    ]
    assert [row.text for row in bundle.outputs if row.system == "ash"] == ["A", "", "C"]
    assert bundle.langs == ("und", "en")


def test_a_line_too_few_is_said_with_both_files_and_counts(tmp_path):
    reference, hypothesis = tmp_path / "ref.txt", tmp_path / "hyp.txt"
    reference.write_text("a\nb\nc\n", encoding="utf-8")
    hypothesis.write_text("a\nb\n", encoding="utf-8")
    with pytest.raises(FileError, match=r"hyp\.txt, line 3: has 2 lines but .*ref\.txt has 3;"):
        FORMATS["lines"].read(reference, options(hypotheses=(("ash", hypothesis),)))
    with pytest.raises(FileError, match=r"hyp\.txt, line 3: has 2 lines but .*ref\.txt has 3;"):
        FORMATS["lines"].read(reference, options(hypotheses=(("ash", reference),), source_file=hypothesis))


def test_lines_need_systems_of_different_names(tmp_path):
    path = tmp_path / "ref.txt"
    path.write_text("a\n", encoding="utf-8")
    with pytest.raises(OptionError, match="give --hyp NAME=FILE"):
        FORMATS["lines"].read(path, options())
    with pytest.raises(OptionError, match="named twice"):
        FORMATS["lines"].read(path, options(hypotheses=(("ash", path), ("ash", path))))


def test_an_unknown_format_is_answered_with_those_there_are():
    with pytest.raises(OptionError, match="tables, history, tsv, csv, jsonl, xlsx, lines, wmt-jsonl"):
        get_format("docx")


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("渡し船は夜明けに出た。", "ja"),
        ("他今天早上坐船走了。", "zh"),
        ("배는 새벽에 떠났다.", "ko"),
        ("The ferry left.", "en"),
        ("Sony は OK です、と彼は言った", "ja"),
        ("123 …", "und"),
    ],
)
def test_a_language_that_nobody_told_is_guessed_by_its_script(text, lang):
    assert guess_lang([text], unknown="und") == lang
