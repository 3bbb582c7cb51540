"""The one place that writes tags: whatever goes in as text comes out as text."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import html
from core.text.html import Tint

EVIL = "<script>alert('1')</script>&amp;\"<img src=x onerror=alert(1)> 𠮷 $x$ **b**\u3000"


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.text, self.tags = "", []

    def handle_data(self, data):
        self.text += data

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def read(markup):
    reader = Reader()
    reader.feed(markup)
    reader.close()
    return reader


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\x00"), max_size=60)


@given(texts)
def test_a_text_comes_out_as_it_went_in(text):
    found = read(html.text_block(text, lang="ja"))
    assert found.text == text
    assert found.tags == [("div", {"class": "yk-novel", "lang": "ja"})]


@pytest.mark.parametrize(
    "make", [html.line, html.label, html.empty, lambda text: html.line(text, tone="quiet")]
)
def test_small_pieces_are_escaped(make):
    found = read(make(EVIL))
    assert found.text == EVIL
    assert [tag for tag, _ in found.tags] == ["p"]


@given(texts, st.lists(st.integers(0, 60), max_size=8), texts)
def test_tints_change_no_letter(text, cuts, title):
    edges = sorted({min(cut, len(text)) for cut in cuts})
    tints = [
        Tint(start=a, end=b, strength=0.5, title=title, underline="wavy")
        for a, b in zip(edges[::2], edges[1::2], strict=False)
    ]
    found = read(html.tinted(text, tints, lang="en", colour="#2F5D8C"))
    assert found.text == text
    assert [attrs.get("title", "") for tag, attrs in found.tags if tag == "span"] == [title] * len(tints)


def test_offsets_are_code_points():
    markup = html.tinted("𠮷野家", [Tint(start=1, end=2, strength=1)], lang="ja", colour="#2F5D8C")
    assert ">野</span>家" in markup
    assert "#2F5D8C 55%" in markup


def test_strength_is_clipped_and_underlines_are_drawn():
    low, high = Tint(start=0, end=1, strength=-2), Tint(start=1, end=2, strength=7, underline="dashed")
    markup = html.tinted("ab", [low, high], lang="en", colour="#B23A5B")
    assert "#B23A5B 0%" in markup
    assert "#B23A5B 55%" in markup
    assert "text-decoration:underline dashed #B23A5B" in markup


@pytest.mark.parametrize(
    "tints",
    [
        [Tint(start=2, end=1, strength=1)],
        [Tint(start=0, end=9, strength=1)],
        [Tint(start=-1, end=1, strength=1)],
        [Tint(start=0, end=2, strength=1), Tint(start=1, end=3, strength=1)],
    ],
)
def test_impossible_ranges_are_refused(tints):
    with pytest.raises(ValueError, match="range"):
        html.tinted("abc", tints, lang="en", colour="#2F5D8C")


@pytest.mark.parametrize("colour", ["red", "#FFF", "#2F5D8C;background:url(x)"])
def test_colours_are_hexes(colour):
    with pytest.raises(ValueError, match="colour"):
        html.tinted("abc", [], lang="en", colour=colour)


@pytest.mark.parametrize(
    ("lang", "kept"), [("ja", True), ("zh-Hant", True), ('ja" onclick="x', False), ("", False)]
)
def test_a_language_is_a_tag_or_nothing(lang, kept):
    ((_, attrs),) = read(html.text_block("x", lang=lang)).tags
    assert attrs.get("lang") == (lang if kept else None)
    assert "onclick" not in attrs


def test_a_table_can_be_reached_by_keyboard_and_has_a_name():
    markup = html.table(("Who & what", "n"), [("a", "1")])
    assert '<div class="yk-scroll" tabindex="0" role="group" aria-label="Who &amp; what, n">' in markup


def test_a_column_without_a_name_has_no_header_that_says_nothing():
    markup = html.table(("", "F1"), [("here", "0.5")])
    assert '<thead><tr><td></td><th scope="col">F1</th></tr></thead>' in markup
    assert 'aria-label="F1"' in markup


def test_table():
    markup = html.table(("<a>", "n"), [(EVIL, "1"), ("", "22")], numbers=frozenset({1}))
    found = read(markup)
    assert EVIL in found.text
    assert [tag for tag, _ in found.tags].count("td") == 4
    assert [attrs.get("class") for tag, attrs in found.tags if tag == "td"] == [None, "yk-number"] * 2
    with pytest.raises(ValueError, match="zip"):
        html.table(("a", "b"), [("1",)])


def test_short_values_stand_under_their_names_and_are_escaped():
    markup = html.facts([("Class & co", "61"), ("BLEU", "<b>high</b>")])
    assert "<dt>Class &amp; co</dt><dd>61</dd>" in markup
    assert "<dd>&lt;b&gt;high&lt;/b&gt;</dd>" in markup


def test_an_edit_script_shows_both_texts_the_mark_and_another_underline_per_step():
    steps = [
        html.Step(own="さ", other="さ", mark="=", colour="#2F5D8C"),
        html.Step(own="<b>", other="お", mark="≠", colour="#B7791F", underline="wavy", title=EVIL),
    ]
    markup = html.script(steps, lang="ja", heads=("own", "other"), tail="M 0.5")
    found = read(markup)
    assert found.text == "ownother" + "ささ=" + "<b>お≠" + "M 0.5"
    assert "b" not in [tag for tag, _ in found.tags]
    assert markup.count("underline wavy #B7791F") == 2
    assert ("title", EVIL) in [item for _, attributes in found.tags for item in attributes.items()]


def test_an_edit_script_refuses_what_is_no_colour():
    step = html.Step(own="a", other="b", mark="≠", colour="red;x:y")
    with pytest.raises(ValueError, match="not a colour"):
        html.script([step], lang="en", heads=("", ""))


def test_the_words_of_the_field_for_files_are_the_readers_and_cannot_leave_the_style():
    style = html.uploader("ファイルを選ぶ", '50 MB</style><b>"')
    assert '::after{content:"ファイルを選ぶ"}' in style
    assert style.count("<") == 2
    assert "\\22 " in style
