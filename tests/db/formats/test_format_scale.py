"""The scale of scores is told or plain to see; what stands in a file twice counts once."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.errors import FileError, OptionError, ScaleUnknown
from db.formats import FORMATS, long
from db.formats.bundle import Bundle, ReadOptions
from tests.support.db_bundles import options

HEAD = "document,position,reference,system,translation,rater,score,rated_at\n"
TOLD = ReadOptions(source_lang="en", target_lang="ja")


def rows(*scores: str) -> str:
    return HEAD + "".join(f"d,{n},r,ash,t,Aki,{score},\n" for n, score in enumerate(scores))


def read(tmp_path: Path, text: str, told: ReadOptions = TOLD, name: str = "csv") -> Bundle:
    path = tmp_path / "x"
    path.write_text(text, encoding="utf-8")
    return FORMATS[name].read(path, told)


@pytest.mark.parametrize(
    ("scores", "scales"),
    [
        (("0.5", "1"), ("0-100", "0-6", "0-1")),
        (("0",), ("0-100", "0-6", "0-1")),
        (("1", "6"), ("0-100", "0-6")),
    ],
    ids=["one", "nought", "six"],
)
def test_scores_that_fit_several_scales_are_refused_with_the_scales(tmp_path, scores, scales):
    with pytest.raises(ScaleUnknown, match=r"x: no score is above .* tell it with --scale\.$") as raised:
        read(tmp_path, rows(*scores))
    assert (raised.value.code, raised.value.scales) == ("scale", scales)


@pytest.mark.parametrize(
    ("scores", "scale", "stored"),
    [
        (("0.25", "1"), "0-1", [25, 100]),
        (("1.5", "6"), "0-6", [25, 100]),
        (("0.25", "1"), "0-100", [0.25, 1]),
        (("6.5", "1"), None, [6.5, 1]),
        ((), None, []),
    ],
    ids=["0-1", "0-6", "0-100", "plain", "none"],
)
def test_scores_are_kept_from_0_to_100(tmp_path, scores, scale, stored):
    text = rows(*scores) + "d,9,r,ash,t,,,\n"
    found = read(tmp_path, text, ReadOptions(source_lang="en", target_lang="ja", scale=scale))
    assert [row.score for row in found.ratings] == stored


def test_a_score_outside_the_scale_that_was_told_is_said_with_the_line(tmp_path):
    with pytest.raises(FileError, match="line 3: the score “7” is not a number from 0 to 6"):
        read(tmp_path, rows("6", "7"), options(scale="0-6"))
    with pytest.raises(OptionError, match="no scale “0-5”; choose one of 0-100, 0-6, 0-1"):
        read(tmp_path, rows("6"), options(scale="0-5"))


def test_the_tables_and_the_scores_of_mtme_ask_for_the_scale_too(tmp_path, tables):
    for file in tables.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    table = tmp_path / "ratings.tsv"
    table.write_text("annotator\tsystem\tseg_id\tscore\nAki\tAlder\t7\t0.5\n", encoding="utf-8")
    with pytest.raises(ScaleUnknown):
        FORMATS["tables"].read(tmp_path, TOLD)
    assert FORMATS["tables"].read(tmp_path, options(scale="0-1")).ratings[0].score == 50


def judged(*cells: str) -> str:
    return "".join(f"d,0,r,ash,t,{cell}\n" for cell in cells)


def test_a_file_behind_itself_counts_once_with_a_note(tmp_path):
    text = HEAD + judged("Aki,50,", "Ｂｏ,60,2026-01-31T12:00:00+00:00") + "d,1,r,ash,t,,,\n"
    once, twice = read(tmp_path, text), read(tmp_path, text * 2)
    assert (once.ratings, once.segments, once.outputs) == (twice.ratings, twice.segments, twice.outputs)
    assert twice.notes == ("2 ratings that stand in the file twice were counted once.",)
    assert read(tmp_path, HEAD + judged("Bo,50,", "Ｂｏ,50,")).notes == (
        "1 ratings that stand in the file twice were counted once.",
    )


def test_another_score_of_the_same_rater_is_a_repeat_in_the_order_of_time(tmp_path):
    late, early = "Aki,70,2026-01-31T12:00:01+00:00", "Aki,90,2026-01-31T12:00:00+00:00"
    timed, untimed = HEAD + judged(late, early), HEAD + judged("Aki,70,", "Aki,90,")
    assert kinds(read(tmp_path, timed)) == [(90, "target"), (70, "repeat")]
    assert kinds(read(tmp_path, untimed)) == [(70, "target"), (90, "repeat")]


def kinds(bundle) -> list[tuple[float, str]]:
    return [(row.score, row.kind) for row in bundle.ratings]


def test_an_apostrophe_before_a_formula_is_taken_away_and_told_where_columns_are_lacking(tmp_path):
    text = rows("50").replace(",t,", ",'=t,")
    found = read(tmp_path, text)
    assert found.outputs[0].text == "=t"
    assert any("began with an apostrophe" in note for note in found.notes)
    ours = ",".join(long.COLUMNS) + "\nd,0,,,,r,ash,,'=t,Aki,50,,,,\n"
    assert read(tmp_path, ours).outputs[0].text == "=t"


@pytest.mark.parametrize("name", ["csv", "tsv"])
def test_no_cell_of_ours_is_a_formula(name, tmp_path):
    cells = ["=1", "+1", "-1", "@x", "'=1", "''-", "plain", "'quoted'"]
    text = HEAD + "".join(f'd,{n},r,ash,"{cell}",@Aki,50,\n' for n, cell in enumerate(cells))
    bundle = read(tmp_path, text)
    with (tmp_path / "out").open("w", encoding="utf-8", newline="") as file:
        FORMATS[name].write(bundle, file, tmp_path / "out")
    lines = (tmp_path / "out").read_text(encoding="utf-8").splitlines()[1:]
    found = [cell for line in lines for cell in line.split("," if name == "csv" else "\t")]
    assert [cell for cell in found if cell.startswith(("=", "+", "-", "@"))] == []
    assert FORMATS[name].read(tmp_path / "out", TOLD).outputs == bundle.outputs


@pytest.mark.slow
@pytest.mark.parametrize("name", ["csv", "jsonl"])
def test_a_hundred_thousand_rows_are_read_in_seconds(name, tmp_path):
    lines = [
        f"d{n // 100},{n % 100},r {n},ash,t {n},rater {r},{r},\n" for n in range(10_000) for r in range(10)
    ]
    if name == "jsonl":
        item = (
            '{"document":"d%s","position":%s,"reference":"r","system":"ash","translation":"t","rater":"%s",'
        )
        head = [
            (item % (n // 100, n % 100, r)) + f'"score":{r}}}\n' for n in range(10_000) for r in range(10)
        ]
        lines = head
    text = "".join(lines) if name == "jsonl" else HEAD + "".join(lines)
    start = time.perf_counter()
    found = read(tmp_path, text, options(), name)
    assert time.perf_counter() - start < 20
    assert (len(found.ratings), len(found.segments)) == (100_000, 10_000)
