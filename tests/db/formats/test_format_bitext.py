"""XLIFF and TMX: what translators' programs write."""

from __future__ import annotations

import re
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError, OptionError
from db.campaigns.load import load_bundle
from db.formats import bitext
from db.formats.bundle import Bundle, ReadOptions, SegmentRow, SystemRow

XLIFF_1 = """<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="chapter1" source-language="en-US" target-language="ja-JP" datatype="plaintext"><body>
<group id="g"><trans-unit id="1"><source>Hello <g id="1">you</g> &amp; me<x id="2"/></source>
<target>こんにちは<ph id="1">&lt;br/&gt;</ph>𠮷</target>
<alt-trans origin="MT"><target>ハロー</target></alt-trans>
<alt-trans origin="MT"><target>やあ</target></alt-trans></trans-unit></group>
<trans-unit id="2"><source>Bye</source></trans-unit>
<trans-unit id="3" translate="no"><source>ISBN</source></trans-unit>
</body></file>
</xliff>
"""
XLIFF_2 = """<xliff version="2.0" srcLang="en" trgLang="ja" xmlns="urn:oasis:names:tc:xliff:document:2.0">
<file id="f1">
<unit id="u1"><segment><source>One.</source><target>一。</target></segment>
<ignorable><source> </source></ignorable>
<segment><source>Two<ph id="1"/>.</source><target>二。</target></segment></unit>
<unit id="u2"><segment><source>Three.</source><target/></segment></unit>
</file>
</xliff>
"""
TMX = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header srclang="en-US" datatype="PlainText"/><body>
<tu tuid="a"><tuv xml:lang="ja"><seg>猫<bpt i="1">{b}</bpt>だ<ept i="1">{/b}</ept>。</seg></tuv>
<tuv xml:lang="en-GB"><seg>A <hi>cat</hi>.</seg></tuv></tu>
<tu tuid="b"><tuv xml:lang="en-US"><seg>A dog.</seg></tuv><tuv xml:lang="de"><seg>Ein Hund.</seg></tuv></tu>
<tu><tuv lang="en"><seg>A cow.</seg></tuv><tuv lang="JA"><seg>牛。</seg></tuv></tu>
</body></tmx>
"""
READERS = {"x.xlf": bitext.read_xliff, "x.tmx": bitext.read_tmx}


def read(tmp_path: Path, name: str, text: str, **told: object) -> Bundle:
    (tmp_path / name).write_bytes(text.encode())
    return READERS[name](tmp_path / name, ReadOptions(**told))


def test_units_of_xliff_1_are_segments_and_alternatives_are_systems(engine, tmp_path):
    bundle = read(tmp_path, "x.xlf", XLIFF_1)
    assert (bundle.name, bundle.langs) == ("x", ("en", "ja"))
    assert bundle.segments == (
        SegmentRow("chapter1", 0, "こんにちは𠮷", "Hello you & me", external_id="1"),
        SegmentRow("chapter1", 1, "", "Bye", external_id="2"),
    )
    assert bundle.systems == (SystemRow("refA", is_reference=True), SystemRow("MT"), SystemRow("MT 2"))
    assert [(row.system, row.text) for row in bundle.outputs] == [
        ("refA", "こんにちは𠮷"),
        ("MT", "ハロー"),
        ("MT 2", "やあ"),
    ]
    assert bundle.notes == (
        "The translations in the file were taken as the reference and as the system “refA”.",
        "1 segments have no translation in the file.",
        "1 units that are not to be translated were left out.",
        "3 inline tags were dropped; the text that they marked was kept.",
    )
    assert load_bundle(engine, bundle, "X").segments == 2


def test_segments_of_xliff_2_are_segments(tmp_path):
    bundle = read(tmp_path, "x.xlf", XLIFF_2)
    assert [(row.external_id, row.source, row.reference) for row in bundle.segments] == [
        ("u1/1", "One.", "一。"),
        ("u1/2", "Two.", "二。"),
        ("u2", "Three.", ""),
    ]
    assert [row.text for row in bundle.outputs] == ["一。", "二。", ""]


def test_a_translation_memory_is_paired_by_language(tmp_path):
    bundle = read(tmp_path, "x.tmx", TMX)
    assert bundle.langs == ("en", "ja")
    assert [(row.document, row.external_id, row.source, row.reference) for row in bundle.segments] == [
        ("x", "a", "A cat.", "猫だ。"),
        ("x", "", "A cow.", "牛。"),
    ]
    assert bundle.notes[1:] == (
        "1 units without en or ja were left out.",
        "3 inline tags were dropped; the text that they marked was kept.",
    )
    german = read(tmp_path, "x.tmx", TMX, target_lang="de")
    assert [row.reference for row in german.segments] == ["Ein Hund."]
    backwards = read(tmp_path, "x.tmx", TMX, source_lang="ja", target_lang="en")
    assert [row.reference for row in backwards.segments] == ["A cat.", "A cow."]
    with pytest.raises(FileError, match="no texts in two languages to be paired; it has ja, en, de"):
        read(tmp_path, "x.tmx", TMX, target_lang="fr")


@pytest.mark.parametrize(("name", "text"), [("x.xlf", XLIFF_1), ("x.tmx", TMX)])
def test_further_systems_come_as_lines(tmp_path, name, text):
    hypothesis = tmp_path / "ash.txt"
    hypothesis.write_text("一つ目\n\n", encoding="utf-8")
    bundle = read(tmp_path, name, text, hypotheses=(("ash", hypothesis),))
    assert [row.text for row in bundle.outputs if row.system == "ash"] == ["一つ目", ""]
    with pytest.raises(OptionError, match="“ash” is there twice"):
        read(tmp_path, name, text, hypotheses=(("ash", hypothesis),) * 2)
    with pytest.raises(OptionError, match="“refA” is there twice"):
        read(tmp_path, name, text, hypotheses=(("refA", hypothesis),))
    hypothesis.write_text("一つ目\n", encoding="utf-8")
    with pytest.raises(FileError, match=rf"ash\.txt, line 2: has 1 lines but .*{name} has 2;"):
        read(tmp_path, name, text, hypotheses=(("ash", hypothesis),))


def test_of_several_languages_in_an_xliff_file_one_is_told(tmp_path):
    part = XLIFF_1[XLIFF_1.index("<file") : XLIFF_1.index("</xliff>")]
    both = XLIFF_1.replace(
        "</xliff>", part.replace("ja-JP", "de").replace("chapter1", "kapitel1") + "</xliff>"
    )
    with pytest.raises(OptionError, match=r"several language pairs \(en-US-de, en-US-ja-JP\)"):
        read(tmp_path, "x.xlf", both)
    bundle = read(tmp_path, "x.xlf", both, target_lang="de")
    assert ({row.document for row in bundle.segments}, bundle.langs) == ({"kapitel1"}, ("en", "de"))


def test_a_file_without_translations_needs_a_system(tmp_path):
    text = re.sub("<target/>|<target>.*?</target>", "", XLIFF_2)
    with pytest.raises(FileError, match="has no translation of any system"):
        read(tmp_path, "x.xlf", text)
    (tmp_path / "ash").write_text("一\n二\n三\n", encoding="utf-8")
    bundle = read(tmp_path, "x.xlf", text, hypotheses=(("ash", tmp_path / "ash"),))
    assert [row.name for row in bundle.systems] == ["ash"]
    assert bundle.notes[-1].startswith("There are no references")


ENTITIES = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.xlf", "", "x.xlf: is empty"),
        ("x.xlf", "text", "line 1: is not well-formed XML"),
        ("x.xlf", TMX, "line 3: <tmx>: is not what the file should begin with; that is <xliff>"),
        (
            "x.xlf",
            XLIFF_1.replace('id="2"><s', 'id="1"><s'),
            "line 8: <trans-unit>: the id “1” stands",
        ),
        ("x.xlf", XLIFF_1.replace("<source>Bye</source>", ""), "line 8: <trans-unit>: has no <source>"),
        (
            "x.xlf",
            XLIFF_1.replace(' source-language="en-US"', ""),
            "line 3: <file>: has no attribute",
        ),
        ("x.xlf", XLIFF_1.replace("ja-JP", "??"), "line 3: <file>: “??” is not a language code"),
        ("x.xlf", XLIFF_1.replace(' version="1.2"', ""), "line 2: <xliff>: has no attribute “version”"),
        ("x.xlf", XLIFF_1.replace("chapter1", " "), "<trans-unit>: the document is blank"),
        ("x.xlf", XLIFF_1.replace("<xliff", ENTITIES + "<xliff"), "line 2: declares a document type or"),
        ("x.xlf", '<xliff version="2.0" srcLang="en"/>', "has no segments"),
        (
            "x.tmx",
            TMX.replace(' SYSTEM "tmx14.dtd"', ' [<!ENTITY a SYSTEM "file:/x">]'),
            "line 2: declares",
        ),
        ("x.tmx", TMX.replace(' lang="en"', ""), "line 7: <tuv>: “” is not a language code"),
        ("x.tmx", TMX.replace("<seg>A dog.</seg>", ""), "line 6: <tuv>: has no <seg>"),
        ("x.tmx", TMX.replace("A dog.", "A\0dog"), "line 6: has a NUL character"),
        ("x.tmx", TMX.replace("A dog.", "&dog;"), "line 6: is not well-formed XML"),
        ("x.tmx", "<tmx/>", "holds no texts in two languages to be paired; it has none"),
    ],
    ids=range(17),
)
def test_a_fault_is_said_with_the_line(tmp_path, name, text, message):
    with pytest.raises(FileError) as raised:
        read(tmp_path, name, text)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"], exclude_characters="\r"), min_size=1)


def unit(number: int, source: str, target: str) -> str:
    texts = f"<source>{escape(source)}</source><target>{escape(target)}</target>"
    return f'<trans-unit id="{number}">{texts}</trans-unit>'


@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_any_text_of_xml_survives(pairs, tmp_path_factory):
    units = "".join(unit(n, *pair) for n, pair in enumerate([*pairs, ("cat", "猫")]))
    file = f'<file original="o" source-language="en" target-language="ja">{units}</file>'
    text = f'<xliff version="1.2">{file}</xliff>'
    bundle = read(tmp_path_factory.mktemp("xliff"), "x.xlf", text)
    assert [(row.source, row.reference) for row in bundle.segments[:-1]] == pairs


@pytest.mark.parametrize(
    ("target", "read_as"),
    [
        ('Good morning,<x id="1" ctype="lb"/>my dear.', "Good morning, my dear."),
        ("first line<br/>second line", "first line second line"),
        ("\n   He said nothing\n   for a long time.\n", "He said nothing for a long time."),
        ("  two blanks  ", "  two blanks  "),
    ],
)
def test_breaks_are_blanks_and_layout_is_none(target, read_as, tmp_path):
    file = '<file original="o" source-language="ja" target-language="en">{}</file>'
    unit_text = f'<trans-unit id="1"><source>猫</source><target>{target}</target></trans-unit>'
    bundle = read(tmp_path, "x.xlf", f'<xliff version="1.2">{file.format(unit_text)}</xliff>')
    assert bundle.segments[0].reference == read_as
