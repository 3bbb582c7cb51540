"""Books of every form are read to chapters, paragraphs and sentences, with their places in the file."""

from __future__ import annotations

import gzip
import zipfile

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import FileError
from core.text.books.lines import read_markdown, read_plain
from core.text.books.markup import BlockParser
from core.text.books.reading import read_book
from tests.support.books import write_epub

AOZORA = """二つの扉
山田太郎
川田花子訳

-------------------------------------------------------
【テキスト中に現れる記号について】

《》：ルビ
（例）扉《とびら》
-------------------------------------------------------

［＃３字下げ］一［＃「一」は中見出し］

　赤い｜大扉《おおとびら》が開《あ》いた。誰もいない。
　「※［＃「特のへん＋廴＋聿」、第3水準1-87-71］陀多よ。」と呼んだ。

［＃３字下げ］二［＃「二」は中見出し］

　※［＃「插」の「臿」に代えて、U+6A4B、1-2］を渡《わた》った。［＃地付き］おわり



底本：「二つの扉」架空書房
　　　1950（昭和25）年1月1日
"""


def shown(book):
    return [(chapter.title, [block.text for block in chapter.paragraphs()]) for chapter in book.chapters]


def test_aozora_notation_gives_chapters_readings_and_characters_and_leaves_the_rest_out(tmp_path):
    file = tmp_path / "futatsu.txt"
    file.write_bytes(AOZORA.replace("※［＃「特のへん＋廴＋聿」、第3水準1-87-71］", "犍").encode("utf-16"))
    file.write_text(AOZORA, "utf-8")
    book = read_book(file)
    assert (book.form, book.title, book.author, book.lang) == ("aozora", "二つの扉", "川田花子訳", "ja")
    assert shown(book) == [
        ("一", ["赤い大扉が開いた。誰もいない。", "「犍陀多よ。」と呼んだ。"]),
        ("二", ["橋を渡った。おわり"]),
    ]
    first = book.chapters[0].paragraphs()[0]
    assert [(first.text[one.start : one.end], one.text) for one in first.readings] == [
        ("大扉", "おおとびら"),
        ("開", "あ"),
    ]
    assert first.with_ruby() == "赤い｜大扉《おおとびら》が｜開《あ》いた。誰もいない。"
    assert [first.text[slice(*place)] for place in first.sentences()] == [
        "赤い大扉が開いた。",
        "誰もいない。",
    ]
    assert book.left_out() == {"legend": 6, "colophon": 2}


def test_every_character_of_a_paragraph_knows_its_place_in_the_file(tmp_path):
    file = tmp_path / "futatsu.txt"
    file.write_text(AOZORA, "utf-8")
    for chapter in read_book(file).chapters:
        for block in chapter.paragraphs():
            for at, char in enumerate(block.text):
                if char not in "犍橋":  # what a note describes stands at the note
                    assert AOZORA[block.place(at)] == char
    bridge = read_book(file).chapters[1].paragraphs()[0]
    assert AOZORA[bridge.place(0)] == "※"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp932", "euc_jp"])
def test_plain_text_is_read_in_every_encoding(tmp_path, encoding):
    file = tmp_path / "book.txt"
    file.write_bytes("第一章　朝\n\n雨が降っていた。\n\n第二章　夜\n\n雪になった。\n".encode(encoding))
    assert shown(read_book(file)) == [("第一章 朝", ["雨が降っていた。"]), ("第二章 夜", ["雪になった。"])]


GUTENBERG = """The Project Gutenberg eBook of The Two Doors

Title: The Two Doors
Author: A. Writer

*** START OF THE PROJECT GUTENBERG EBOOK THE TWO DOORS ***

CONTENTS

  I. The Red Door
  II. The Blue Door

I. The Red Door

It was raining when I opened the red door and looked at the street, which was
quite empty. Nobody came.

“Who is there?” asked the old man, who had been sitting in the corner of the
room for an hour.

      * * *

He waited.

II. The Blue Door

  The rain, the rain,
  It falls again.

[Footnote 1: A song of the time.]

The blue door was locked, and behind it somebody was walking up and down with
heavy steps.

*** END OF THE PROJECT GUTENBERG EBOOK THE TWO DOORS ***

Updated editions will replace the previous one.
"""


def test_a_text_of_project_gutenberg_is_joined_from_its_lines(tmp_path):
    file = tmp_path / "doors.txt.gz"
    file.write_bytes(gzip.compress(GUTENBERG.replace("\n", "\r\n").encode()))
    book = read_book(file)
    assert (book.form, book.title, book.author, book.lang) == ("text", "The Two Doors", "A. Writer", "en")
    assert shown(book) == [
        (
            "I. The Red Door",
            [
                "It was raining when I opened the red door and looked at the street, which was quite empty. "
                "Nobody came.",
                "“Who is there?” asked the old man, who had been sitting in the corner of the room for an "
                "hour.",
                "He waited.",
            ],
        ),
        (
            "II. The Blue Door",
            [
                "The rain, the rain,",
                "It falls again.",
                "The blue door was locked, and behind it somebody was walking up and down with heavy steps.",
            ],
        ),
    ]
    assert [block.kind for block in book.chapters[1].paragraphs()] == ["verse", "verse", "text"]
    assert [len(section) for section in book.chapters[0].sections()] == [2, 1]
    assert book.left_out() == {"colophon": 5, "contents": 3, "note": 1}


NAV = '<li><a href="one.xhtml">The Red Door</a></li><li><a href="two.xhtml#b">The Blue Door</a></li>'
NCX = (
    '<navPoint><navLabel><text>The Red Door</text></navLabel><content src="one.xhtml"/></navPoint>'
    '<navPoint><navLabel><text>The Blue Door</text></navLabel><content src="two.xhtml#b"/></navPoint>'
)
PAGES = {
    "one.xhtml": "<p>雨<ruby>降<rp>(</rp><rt>ふ</rt><rp>)</rp></ruby>り&amp;雪。"
    '<a epub:type="noteref" href="#n">1</a></p>'
    '<aside epub:type="footnote" id="n"><p>訳者による注。</p></aside><hr/>'
    '<p>次の<span epub:type="pagebreak" title="2">2</span>朝。</p>',
    "two.xhtml": '<section id="b"><div class="verse"><p>春が来た<br/>春が来た</p></div>'
    "<p>おわり。</p></section>",
    "end.xhtml": '<section epub:type="colophon"><p>発行：架空書房</p></section>',
}


@pytest.mark.parametrize("contents", [{"nav": NAV}, {"ncx": NCX}])
def test_an_epub_has_the_titles_of_its_table_of_contents(tmp_path, contents):
    book = read_book(write_epub(tmp_path / "book.epub", PAGES, lang="ja", **contents))
    assert (book.form, book.title, book.author, book.lang) == ("epub", "The Two Doors", "A. Writer", "ja")
    assert shown(book) == [
        ("The Red Door", ["雨降り&雪。", "次の朝。"]),
        ("The Blue Door", ["春が来た\n春が来た", "おわり。"]),
    ]
    first, _ = book.chapters[0].paragraphs()
    assert first.with_ruby() == "雨｜降《ふ》り&雪。"
    assert first.part == "OEBPS/one.xhtml"
    assert [block.kind for block in book.chapters[1].paragraphs()] == ["verse", "text"]
    assert book.left_out() == {"note": 1, "colophon": 1}


def test_an_epub_without_titles_has_a_chapter_for_each_page(tmp_path):
    pages = {"a.xhtml": "<p>Rain fell.</p>", "b.xhtml": "<p>Snow fell.</p>"}
    assert shown(read_book(write_epub(tmp_path / "book.epub", pages))) == [
        ("", ["Rain fell."]),
        ("", ["Snow fell."]),
    ]


def test_places_in_html_are_those_of_the_characters(tmp_path):
    text = "<html><body><h1>A &amp; B</h1>\n<p>One  two\n   <i>three</i>&nbsp;four.</p></body></html>"
    file = tmp_path / "book.html"
    file.write_text(text, "utf-8")
    (chapter,) = read_book(file).chapters
    (block,) = chapter.paragraphs()
    assert (chapter.title, block.text) == ("A & B", "One two three four.")
    for word in ("One", "two", "three", "four."):
        assert text[block.place(block.text.index(word)) :].startswith(word)


def test_broken_xhtml_is_read_as_far_as_it_goes(tmp_path):
    pages = {"a.xhtml": "<h2>One</h2><p>Rain <b>fell.<p>Snow & ice</div></p><h2>Two</h2><p>Sun."}
    assert shown(read_book(write_epub(tmp_path / "book.epub", pages))) == [
        ("One", ["Rain fell.", "Snow & ice"]),
        ("Two", ["Sun."]),
    ]


def test_the_body_of_an_aozora_page_has_its_paragraphs_between_line_breaks():
    text = (
        '<body><h1 class="title">扉</h1><div class="main_text"><h4 class="naka-midashi">一</h4>'
        "　雨。<br />\n　雪。<br />"
        '</div><div class="bibliographical_information">底本：扉</div></body>'
    )
    blocks = BlockParser("", text).blocks
    assert [(block.kind, block.text) for block in blocks] == [
        ("heading", "扉"),
        ("heading", "一"),
        ("text", "雨。"),
        ("text", "雪。"),
        ("colophon", "底本：扉"),
    ]


def test_a_docx_file_has_its_headings_by_style(tmp_path):
    document = docx.Document()
    document.core_properties.title, document.core_properties.author = "The Two Doors", "A. Writer"
    document.add_heading("The Red Door", 1)
    run = document.add_paragraph("It was ").add_run("raining")
    run.bold = True
    document.add_heading("The Blue Door", 1)
    document.add_paragraph("Nobody came.").runs[0].add_break()
    document.save(tmp_path / "book.docx")
    book = read_book(tmp_path / "book.docx")
    assert (book.form, book.title, book.author) == ("docx", "The Two Doors", "A. Writer")
    assert shown(book) == [("The Red Door", ["It was raining"]), ("The Blue Door", ["Nobody came."])]


def test_markdown_loses_its_marks_and_keeps_its_text(tmp_path):
    text = (
        "# The *Red* Door\n\nIt was _raining_,\nand [cold](http://x.y).[^1]\n\n* * *\n\nsnake_case stays.\n\n"
        "[^1]: A note.\n\nThe Blue Door\n---\n\n> “Who?”\n"
    )
    file = tmp_path / "book.md"
    file.write_text(text, "utf-8")
    blocks = read_markdown(text)
    assert [(block.kind, block.level, block.text) for block in blocks] == [
        ("heading", 1, "The Red Door"),
        ("text", 0, "It was raining, and cold."),
        ("break", 0, "* * *"),
        ("text", 0, "snake_case stays."),
        ("note", 0, "[^1]: A note.".replace("[^1]", "")),
        ("heading", 2, "The Blue Door"),
        ("text", 0, "“Who?”"),
    ]
    assert [chapter.title for chapter in read_book(file).chapters] == ["The Red Door", "The Blue Door"]


def test_a_zip_file_of_texts_is_read_in_the_order_of_their_numbers(tmp_path):
    with zipfile.ZipFile(tmp_path / "book.zip", "w") as archive:
        for number in (10, 2, 1):
            archive.writestr(f"ch{number}.txt", f"This is text {number}.\n")
    texts = [texts for _, texts in shown(read_book(tmp_path / "book.zip"))]
    assert texts == [["This is text 1."], ["This is text 2."], ["This is text 10."]]


def test_a_fault_within_a_zip_file_names_both_files(tmp_path):
    with zipfile.ZipFile(tmp_path / "book.zip", "w") as archive:
        archive.writestr("one.txt", "Some text.\n")
        archive.writestr("two.txt", "Some t\0ext.\n")
    assert (
        said(tmp_path / "book.zip") == ", line 1: “two.txt”: has a NUL character, so it is not a text file."
    )


def said(path):
    with pytest.raises(FileError) as found:
        read_book(path)
    assert found.value.message.startswith(str(path))
    return found.value.message.removeprefix(str(path)).removeprefix(": ")


ENCRYPTED = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:e="http://www.w3.org/2001/04/xmlenc#">'
    '<e:EncryptedData><e:EncryptionMethod Algorithm="{}"/><e:CipherData><e:CipherReference URI="OEBPS/{}"/>'
    "</e:CipherData></e:EncryptedData></encryption>"
)


def test_a_protected_book_is_refused_and_one_with_hidden_fonts_is_read(tmp_path):
    pages = {"a.xhtml": "<p>Rain fell.</p>"}
    aes = ENCRYPTED.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "a.xhtml")
    font = ENCRYPTED.format("http://www.idpf.org/2008/embedding", "font.otf")
    locked = write_epub(tmp_path / "a.epub", pages, extra={"META-INF/encryption.xml": aes})
    assert said(locked) == (
        "is protected against copying (DRM), so it cannot be read; use a file without protection."
    )
    free = write_epub(tmp_path / "b.epub", pages, extra={"META-INF/encryption.xml": font})
    assert shown(read_book(free)) == [("", ["Rain fell."])]


def test_an_epub_without_a_spine_or_with_damage_says_so(tmp_path):
    pages = {"a.xhtml": "<p>Rain fell.</p>"}
    assert said(write_epub(tmp_path / "a.epub", pages, spine=False)).startswith("has no spine")
    whole = write_epub(tmp_path / "b.epub", pages).read_bytes()
    (tmp_path / "c.epub").write_bytes(whole[: len(whole) // 2])
    assert said(tmp_path / "c.epub") == "is not a zip file that can be read; make it again."
    bad = write_epub(tmp_path / "d.epub", pages, ncx="<navPoint>")
    assert said(bad).startswith("has a damaged part “OEBPS/toc.ncx”")


def test_a_path_that_leads_out_and_a_bomb_are_refused(tmp_path):
    pages = {"a.xhtml": "<p>Rain fell.</p>"}
    out = write_epub(tmp_path / "a.epub", pages, extra={"../../evil.txt": "x"})
    assert "leads out of the folder" in said(out)
    file = tmp_path / "b.epub"
    write_epub(file, pages)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as book:
        book.writestr("OEBPS/big.txt", b"0" * 3_000_000)
    with pytest.raises(FileError, match="unpacks to more than the limit of 1,000,000 bytes"):
        read_book(file, limit_bytes=1_000_000)


def test_an_epub_of_3000_files_is_read(tmp_path):
    pages = {f"p{number}.xhtml": f"<p>This is page {number}.</p>" for number in range(3000)}
    book = read_book(write_epub(tmp_path / "book.epub", pages))
    assert len(book.chapters) == 3000
    assert book.chapters[2999].paragraphs()[0].text == "This is page 2999."


def test_books_without_text_say_what_they_have(tmp_path):
    scan = write_epub(tmp_path / "a.epub", {"a.xhtml": '<img src="1.png"/>', "b.xhtml": '<img src="2.png"/>'})
    assert said(scan).startswith("has pictures of pages and no text")
    (tmp_path / "b.txt").write_text("第一章\n\n第二章\n\n第三章\n", "utf-8")
    assert said(tmp_path / "b.txt") == "has headings and no text under them."
    (tmp_path / "c.txt").write_text(" \n\n", "utf-8")
    assert said(tmp_path / "c.txt") == "is empty."
    (tmp_path / "d.html").write_text("<html><body></body></html>", "utf-8")
    assert said(tmp_path / "d.html") == "has no text."
    (tmp_path / "e.pdf").write_bytes(b"%PDF-1.7\n")
    assert said(tmp_path / "e.pdf").startswith("is a PDF file, which is not read")
    with zipfile.ZipFile(tmp_path / "f.zip", "w") as archive:
        archive.writestr("picture.png", "x")
    assert said(tmp_path / "f.zip").startswith("holds no book")


def test_a_paragraph_of_60000_characters_without_a_line_break_has_its_sentences(tmp_path):
    (tmp_path / "a.txt").write_text("これは長い段落の一文である。" * 4300, "utf-8")
    (block,) = read_book(tmp_path / "a.txt").chapters[0].paragraphs()
    assert len(block.text) == 60_200
    assert len(block.sentences()) == 4300


@given(st.text(alphabet="ab 。\n《》｜［＃］#*<>p/&;一章", max_size=80))
def test_places_always_lead_back_to_the_same_character(text):
    for block in [*read_plain(text)[0], *read_markdown(text), *BlockParser("", text).blocks]:
        for at, char in enumerate(block.text):
            if char not in " \n&" and block.text:
                assert text[block.place(at)] == char
