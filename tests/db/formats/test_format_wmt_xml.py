from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.errors import FileError, OptionError
from db.campaigns.load import load_bundle
from db.formats.bundle import ReadOptions, SegmentRow, SystemRow
from db.formats.wmt import read_test_set_xml

GOOD = """<?xml version="1.0" encoding="UTF-8"?>
<dataset id="test">
<collection id="general">
<doc origlang="en" id="d1" domain="literary">
<src lang="en"><p><seg id="1">Tom &amp; Ann 𠮷</seg></p><p><seg id="2">Stay.</seg></p></src>
<ref lang="ja" translator="A"><p><seg id="1">トムとアン</seg></p><p><seg id="2">いて。</seg></p></ref>
<ref lang="ja" translator="B"><p><seg id="1">トムら</seg></p><p><seg id="2">待て。</seg></p></ref>
<hyp system="ash" lang="ja"><p><seg id="1">トム</seg></p><p><seg id="2"></seg></p></hyp>
</doc>
<doc origlang="en" id="d2">
<src lang="en"><p><seg id="1">Go.</seg></p></src>
<ref lang="ja" translator="A"><p><seg id="1">行け。</seg></p></ref>
</doc>
</collection>
</dataset>
"""


def write(tmp_path: Path, text: str, encoding: str = "utf-8") -> Path:
    path = tmp_path / "wmt.xml"
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_segments_references_and_systems_answer_by_id(engine, tmp_path, encoding, end):
    bundle = read_test_set_xml(write(tmp_path, GOOD.replace("\n", end), encoding), ReadOptions())
    assert (bundle.langs, bundle.systems) == (("en", "ja"), (SystemRow("refB"), SystemRow("ash")))
    assert bundle.segments == (
        SegmentRow("d1", 0, "トムとアン", "Tom & Ann 𠮷", "literary", "1"),
        SegmentRow("d1", 1, "いて。", "Stay.", "literary", "2"),
        SegmentRow("d2", 0, "行け。", "Go.", "", "1"),
    )
    assert [(row.key, row.system, row.text) for row in bundle.outputs] == [
        (("d1", 0), "refB", "トムら"),
        (("d1", 0), "ash", "トム"),
        (("d1", 1), "refB", "待て。"),
        (("d1", 1), "ash", ""),
    ]
    assert bundle.notes == (
        "“refB” has no translation of 1 of 2 documents.",
        "“ash” has no translation of 1 of 2 documents.",
    )
    assert load_bundle(engine, bundle, "WMT").empty_outputs == 1


def test_of_several_target_languages_one_is_told(tmp_path):
    path = write(
        tmp_path, GOOD.replace('translator="B"', 'translator="X"').replace('"ja" translator="X"', '"de"')
    )
    with pytest.raises(OptionError, match=r"several language pairs \(en-de, en-ja\)"):
        read_test_set_xml(path, ReadOptions())
    assert [row.name for row in read_test_set_xml(path, ReadOptions(target_lang="ja")).systems] == ["ash"]


def test_tags_within_a_segment_are_dropped_with_a_note(tmp_path):
    bundle = read_test_set_xml(
        write(tmp_path, GOOD.replace("トムとアン", "<b>トム</b>とアン")), ReadOptions()
    )
    assert bundle.segments[0].reference == "トムとアン"
    assert bundle.notes[-1] == "1 tags within segments were dropped; their text was kept."


SEG2 = '<seg id="2">Stay.</seg>'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (SEG2, SEG2.replace("2", "1"), "line 5: <seg>: the id “1” stands here already"),
        (SEG2, "", "line 6: <ref>: “refA” has a segment “2” that the source has not"),
        ('<seg id="2"></seg>', "", "line 8: <hyp>: “ash” has no segment “2”"),
        ('system="ash" ', "", "line 8: <hyp>: has no attribute “system”"),
        ('system="ash"', 'system=" "', "line 8: <hyp>: the system is blank"),
        ('id="d2"', 'id="d1"', "line 10: <doc>: the document “d1” stands in the file already"),
        (' id="d2"', "", "line 10: <doc>: has no attribute “id”"),
        ('translator="B"', 'translator="A"', "line 7: <ref>: the document “d1” has a translation by “refA”"),
        ('lang="ja" translator="B"', 'translator="B"', "line 7: <ref>: “” is not a language code"),
        ("<src lang", "<source lang", "line 5"),
        ("<src", "<!--", "is not well-formed XML"),
        ("</dataset>", "", "line 16: is not well-formed XML (no element found)"),
        ("dataset", "tmx", "line 2: <tmx>: is not what the file should begin with; that is <dataset>"),
        ("Stay.", "&bad;", "line 5: is not well-formed XML (undefined entity"),
        ("Stay.", "\x01", "line 5: is not well-formed XML"),
        ("Stay.", "\0", "line 5: has a NUL character"),
        ("Stay.", "&#xD800;", "line 5: is not well-formed XML"),
        ("Stay.", "<a>" * 70 + "</a>" * 70, "line 5: is nested too deeply"),
    ],
    ids=range(18),
)
def test_what_is_wrong_is_said_with_the_line(tmp_path, old, new, message):
    with pytest.raises(FileError) as raised:
        read_test_set_xml(write(tmp_path, GOOD.replace(old, new)), ReadOptions())
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


BOMB = "<!DOCTYPE lolz [<!ENTITY a0 'lol'>{}]>".format(
    "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 9))
)


@pytest.mark.parametrize(
    "doctype",
    [
        BOMB,
        '<!DOCTYPE x [<!ENTITY bad SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE x [<!ENTITY % p SYSTEM "http://localhost/x.dtd"> %p;]>',
        '<!DOCTYPE x [<!ATTLIST seg x CDATA "long">]>',
    ],
    ids=["billion laughs", "file", "parameter", "default attribute"],
)
def test_entities_are_refused_before_anything_is_expanded_or_fetched(tmp_path, doctype):
    text = GOOD.replace("<dataset", doctype + "<dataset", 1).replace("Stay.", "&a8;")
    start = time.perf_counter()
    with pytest.raises(FileError, match="line 2: declares a document type or entities of its own; remove"):
        read_test_set_xml(write(tmp_path, text), ReadOptions())
    assert time.perf_counter() - start < 2


def test_an_entity_of_a_dtd_that_is_not_read_is_not_silently_dropped(tmp_path):
    doctype = '<!DOCTYPE dataset SYSTEM "wmt.dtd">'
    text = GOOD.replace("<dataset", doctype + "<dataset", 1)
    assert len(read_test_set_xml(write(tmp_path, text), ReadOptions()).segments) == 3
    with pytest.raises(FileError, match="line 5: is not well-formed XML"):
        read_test_set_xml(write(tmp_path, text.replace("Stay.", "a &nbsp; b")), ReadOptions())


def test_a_file_larger_than_the_limit_is_refused(tmp_path):
    with pytest.raises(FileError, match="larger than the limit of 100 bytes"):
        read_test_set_xml(write(tmp_path, GOOD), ReadOptions(limit_bytes=100))
    with pytest.raises(FileError, match="is empty"):
        read_test_set_xml(write(tmp_path, ""), ReadOptions())
