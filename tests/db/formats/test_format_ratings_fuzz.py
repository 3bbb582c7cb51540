"""Whatever a file of ratings holds, it ends with a bundle or one sentence; files are told by their look."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.text.archive import unpacked
from db.campaigns.export import write_bundle
from db.formats import FORMATS
from db.formats.bundle import Bundle
from db.formats.detect import detect
from db.formats.scores import add_ratings
from tests.support.db_bundles import options, small_bundle
from tests.support.format_bundles import bundles

any_json = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.just({"a": []})
cells = st.text(max_size=4) | st.sampled_from(
    ["0", "1e999", "nan", "TGT", "[]", "{}", "[{}]", "True", '"', "\t", "<v>"]
)


def must_be_said_in_one_sentence(read) -> None:
    try:
        found = read()
    except InputError as error:
        said = error.message
    else:
        assert isinstance(found, Bundle)
        return
    assert said.endswith((".", "?"))
    assert "\n" not in said


@settings(max_examples=60)
@given(data=st.data(), bundle=bundles("esa"), other=any_json)
def test_any_value_in_any_place_of_a_history_is_taken_or_refused(data, bundle, other, tmp_path_factory):
    path = tmp_path_factory.mktemp("fuzz") / "x.jsonl"
    write_bundle(bundle, "history", path)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    line = copy.deepcopy(data.draw(st.sampled_from(lines)))
    (holder,) = (line["campaign"],) if "campaign" in line else line.values()
    holder[data.draw(st.sampled_from(sorted(holder)))] = other
    path.write_text("\n".join(map(json.dumps, [*lines, line])), encoding="utf-8")
    must_be_said_in_one_sentence(lambda: FORMATS["history"].read(path, options()))


@settings(max_examples=80)
@given(place=st.integers(0, 11), cell=cells)
def test_any_cell_of_a_score_file_is_taken_or_refused(place, cell, tmp_path_factory):
    row = ["u1", "ash", "0", "TGT", "eng", "jpn", "80", "doc0", "False", "[]", "1.5", "2"]
    path = tmp_path_factory.mktemp("fuzz") / "x.csv"
    path.write_text(",".join([*row[:place], cell, *row[place + 1 :]]) + "\n", encoding="utf-8", newline="")
    must_be_said_in_one_sentence(lambda: add_ratings(small_bundle(), path, options()))


@settings(max_examples=80)
@given(place=st.integers(0, 9), cell=cells)
def test_any_cell_of_an_mqm_file_is_taken_or_refused(place, cell, tmp_path_factory):
    row = ["ash", "d", "1", "1", "Aki", "s", "a <v>b</v>", "Other", "Minor", "{}"]
    path = tmp_path_factory.mktemp("fuzz") / "x.tsv"
    path.write_text("\t".join([*row[:place], cell, *row[place + 1 :]]) + "\n", encoding="utf-8", newline="")
    must_be_said_in_one_sentence(lambda: FORMATS["mqm-tsv"].read(path, options()))


@pytest.mark.parametrize("name", ["history", "tsv", "csv", "jsonl", "xlsx", "mqm-tsv", "pearmut", "mtme"])
def test_the_format_of_an_export_is_told_by_its_look(name, tmp_path):
    write_bundle(small_bundle(), name, tmp_path / "x")
    assert detect(tmp_path / "x") == (name,)


def test_a_workbook_unpacked_as_a_zip_file_is_told_and_scores_are_told_as_such(tmp_path):
    write_bundle(small_bundle(), "xlsx", tmp_path / "x")
    with unpacked(tmp_path / "x") as folder:
        assert detect(folder) == ("xlsx",)
    scores = Path(tmp_path / "scores.csv")
    for first in ("u1,ash,0,TGT,eng,jpn,80,doc0,False,[],1.5,2", "username,system,itemId,a,b,c,d,e,f"):
        scores.write_text(first + "\n", encoding="utf-8")
        assert detect(scores) == ("wmt-csv",)
    scores.write_text("a,b,c,d,e,f,g,h,i,j,k,l\n", encoding="utf-8")
    assert detect(scores) == ()
