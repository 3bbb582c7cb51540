"""Whatever a file holds, a reader ends with a bundle or with one sentence about the input."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from db.campaigns.load import preview
from db.formats import FORMATS
from db.formats.bundle import Bundle, ReadOptions
from tests.support.pearmut_files import CHECK, ONE, TWO, answer, campaign, entry

APPRAISE = [
    {
        "items": [
            {
                "itemID": n,
                "itemType": kind,
                "sourceID": "s",
                "documentID": "d#bad" if kind == "BAD" else "d",
                "sourceText": f"source {n % 2}",
                "targetID": "a+b",
                "targetText": "bad" if kind == "BAD" else f"target {n % 2}",
                "mqm": [],
                "isCompleteDocument": False,
            }
            for n, kind in enumerate(("TGT", "TGT", "BAD", "CHK"))
        ],
        "task": {"sourceLanguage": "eng", "targetLanguage": "jpn"},
    }
]
WMT = {
    "doc_id": "d",
    "src_lang": "en",
    "tgt_lang": "ja",
    "src_text": "a\n\nb",
    "refs": {"refA": {"ref": "x\n\ny"}, "refB": {"ref": "p\n\nq"}},
}
SPAN = {"start_i": 0, "end_i": 0, "severity": "minor", "category": None}
ENTRY = entry("Aki", 0, [TWO], [{"ash": answer(5, error_spans=[SPAN])}], actions=[{"time": 1.5}], comment="c")
PEARMUT = [campaign([TWO], [ONE], [CHECK], data_random=[[ONE]]), ENTRY]

any_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


def trails(value: object) -> list[tuple[object, ...]]:
    """The ways to every value within a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *rest) for key, one in inner for rest in trails(one))]


def spoiled(value: object, trail: tuple[object, ...], other: object) -> object:
    """The value with another one in one place."""
    if not trail:
        return other
    result = copy.deepcopy(value)
    holder = result
    for key in trail[:-1]:
        holder = holder[key]
    holder[trail[-1]] = other
    return result


def read(name: str, path: Path) -> Bundle | None:
    """The bundle of a file; None, when it was refused in one sentence."""
    try:
        bundle = FORMATS[name].read(path, ReadOptions())
    except InputError as error:
        said = error.message
    else:
        assert "\n" not in "".join(preview(bundle).notes)
        return bundle
    assert said.endswith((".", "?"))
    assert "\n" not in said.replace(str(path), "")
    return None


@pytest.mark.parametrize(
    ("name", "good"), [("appraise", APPRAISE), ("wmt-jsonl", WMT)], ids=["appraise", "wmt"]
)
def test_the_good_files_are_good(name, good, tmp_path):
    (tmp_path / "x.jsonl").write_text(json.dumps(good), encoding="utf-8")
    assert read(name, tmp_path / "x.jsonl") is not None


@settings(max_examples=150)
@given(data=st.data(), other=any_json)
@pytest.mark.parametrize(
    ("name", "good"), [("appraise", APPRAISE), ("wmt-jsonl", WMT)], ids=["appraise", "wmt"]
)
def test_any_value_in_any_place_is_taken_or_refused(name, good, data, other, tmp_path_factory):
    trail = data.draw(st.sampled_from(trails(good)))
    path = tmp_path_factory.mktemp("fuzz") / "x.jsonl"
    path.write_text(json.dumps(spoiled(good, trail, other)), encoding="utf-8")
    read(name, path)


@settings(max_examples=200)
@given(data=st.data(), other=any_json)
def test_any_value_in_any_place_of_a_pearmut_folder_is_taken_or_refused(data, other, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzz")
    trail = data.draw(st.sampled_from(trails(PEARMUT)[1:]))
    for name, value in zip(("c.json", "a.jsonl"), spoiled(PEARMUT, trail, other), strict=True):
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    read("pearmut", folder)


def test_the_good_folder_of_pearmut_is_good(tmp_path):
    for name, value in zip(("c.json", "a.jsonl"), PEARMUT, strict=True):
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    bundle = read("pearmut", tmp_path)
    assert bundle is not None
    assert len(bundle.ratings) == 1


WMT_XML = """<dataset><doc id="d"><src lang="en"><seg id="1">a</seg></src>
<hyp system="s" lang="ja"><seg id="1">b</seg></hyp></doc></dataset>"""
XLIFF = """<xliff version="1.2"><file original="o" source-language="en" target-language="ja">
<trans-unit id="1"><source>a</source><target>b</target></trans-unit></file></xliff>"""
TMX = """<tmx><tu tuid="1"><tuv xml:lang="en"><seg>a</seg></tuv>
<tuv xml:lang="ja"><seg>b</seg></tuv></tu></tmx>"""
XML = {"wmt-xml": WMT_XML, "xliff": XLIFF, "tmx": TMX}
PARTS = ["", "<", ">", '"', "&", "<!DOCTYPE a [", "</seg>", "<b/>", "\0", "é"]


@settings(max_examples=150)
@given(data=st.data(), part=st.sampled_from(PARTS))
@pytest.mark.parametrize("name", XML)
def test_any_damage_to_xml_is_taken_or_refused(name, data, part, tmp_path_factory):
    start = data.draw(st.integers(0, len(XML[name])))
    end = data.draw(st.integers(start, min(start + 30, len(XML[name]))))
    path = tmp_path_factory.mktemp("fuzz") / "x.xml"
    path.write_text(XML[name], encoding="utf-8")
    assert read(name, path) is not None
    path.write_text(XML[name][:start] + part + XML[name][end:], encoding="utf-8")
    read(name, path)


@given(content=st.binary(max_size=60))
@pytest.mark.parametrize("name", FORMATS)
def test_a_file_of_any_bytes_a_missing_one_and_a_folder_are_refused(name, content, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "x").write_bytes(content)
    for path in (folder / "x", folder / "nowhere", folder):
        if not (name == "lines" and path.name == "x"):
            assert read(name, path) is None
