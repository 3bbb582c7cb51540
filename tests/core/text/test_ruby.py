"""Ruby as people type it: pieces that tile the text, bases and readings apart, and nothing guessed."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.japanese import Piece, plain, plain_places, read_ruby, stored_places

FRAGMENTS = [
    "漢字",
    "《",
    "》",
    "かん",
    "｜",
    "|",
    "<ruby>",
    "</ruby>",
    "<rt>",
    "</rt>",
    "<rp>",
    "(",
    "𠮟",
    "a",
    "\n",
]


def bases(text):
    return [(piece.shown, piece.reading) for piece in read_ruby(text) if piece.reading]


def test_the_base_of_aozora_ruby_is_the_run_of_kanji_before_it():
    assert read_ruby("その漢字《かんじ》は") == (
        Piece(0, 2, "その"),
        Piece(2, 4, "漢字", "かんじ"),
        Piece(4, 9, "", hidden=True),
        Piece(9, 10, "は"),
    )


@pytest.mark.parametrize("bar", "｜|")
def test_a_bar_says_where_the_base_begins(bar):
    text = f"あ{bar}お菓子《かし》を"
    assert read_ruby(text) == (
        Piece(0, 1, "あ"),
        Piece(1, 2, "", hidden=True),
        Piece(2, 5, "お菓子", "かし"),
        Piece(5, 9, "", hidden=True),
        Piece(9, 10, "を"),
    )


def test_html_ruby_hides_its_tags_and_brackets():
    text = "<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>だ"
    assert read_ruby(text) == (
        Piece(0, 6, "", hidden=True),
        Piece(6, 8, "漢字", "かんじ"),
        Piece(8, 47, "", hidden=True),
        Piece(47, 48, "だ"),
    )


def test_html_ruby_may_read_kanji_by_kanji_and_in_capitals():
    assert bases("<RUBY>漢<RT>かん</RT>字<RT>じ</RT></RUBY>") == [("漢", "かん"), ("字", "じ")]
    assert bases("<ruby><rb>漢</rb><rt>かん</rt></ruby>") == [("漢", "かん")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("𠮟る𠮟《しか》る", [("𠮟", "しか")]),  # beyond the first plane
        ("葛\U000e0100城《かつらぎ》", [("葛\U000e0100城", "かつらぎ")]),  # a chosen form of a kanji
        ("時々《ときどき》", [("時々", "ときどき")]),
        ("漢《かん》字《じ》", [("漢", "かん"), ("字", "じ")]),
    ],
)
def test_the_run_of_kanji_is_what_a_reader_takes_it_for(text, found):
    assert bases(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "ただの文。",
        "かな《よみ》",  # no kanji before it, and no bar
        "《題》",
        "映画《七人の侍》は",  # a title: readings have no kanji
        "他读《红楼梦》。",
        "漢字《》",
        "漢字《かん",
        "漢字《か\nん》",
        "漢字《《強調》》",
        "a | b",
        "<ruby>漢字</ruby>",
        "<ruby>漢<b>字</b><rt>かんじ</rt></ruby>",
        "<ruby>漢字<rt>かんじ</rt>",
    ],
)
def test_what_is_not_quite_ruby_is_plain_text(text):
    assert read_ruby(text) == (Piece(0, len(text), text),)
    assert plain(text) == text


def test_an_empty_text_has_no_pieces():
    assert read_ruby("") == ()
    assert plain("") == ""


def test_the_plain_text_is_what_is_read_without_readings():
    assert plain("｜彼女《かのじょ》は<ruby>空<rt>そら</rt></ruby>を見《み》た") == "彼女は空を見た"


def test_a_range_of_the_plain_text_ends_with_its_last_character_in_the_stored_text():
    text = "食《た》べる人《ひと》"  # 食0 《1 た2 》3 べ4 る5 人6 《7 …
    assert stored_places(text, [(0, 3), (3, 4)]) == [(0, 6), (6, 7)]
    assert stored_places("｜漢《かん》字", [(0, 1), (1, 2)]) == [(1, 2), (6, 7)]


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join))
def test_the_pieces_tile_every_text(text):
    pieces = read_ruby(text)
    assert "".join(text[piece.start : piece.end] for piece in pieces) == text
    assert [piece.start for piece in pieces] == [0, *(piece.end for piece in pieces)][: len(pieces)]
    for piece in pieces:
        assert piece.start < piece.end
        assert piece.shown == ("" if piece.hidden else text[piece.start : piece.end])
        assert not (piece.hidden and piece.reading)


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join), st.data())
def test_stored_places_hold_the_same_words_in_the_same_order(text, data):
    shown = plain(text)
    start = data.draw(st.integers(0, max(len(shown) - 1, 0)))
    end = data.draw(st.integers(start + 1, max(len(shown), start + 1)))
    if not shown:
        return
    ((first, last),) = stored_places(text, [(start, end)])
    inside = "".join(
        piece.shown[max(first - piece.start, 0) : max(last - piece.start, 0)] for piece in read_ruby(text)
    )
    assert inside == shown[start:end]


def test_ranges_of_the_stored_text_are_ranges_of_what_is_shown():
    text = "食《た》べる人《ひと》"  # 食0 《1 た2 》3 べ4 る5 人6 《7 …
    assert plain_places(text, [(0, 4), (4, 6), (6, 7), (1, 4)]) == [(0, 1), (1, 3), (3, 4), (1, 1)]


@pytest.mark.parametrize("unit", ["漢", "｜漢", "漢《", "<ruby>漢<rt>", "<ruby>"])
def test_a_long_text_that_is_almost_ruby_is_read_in_one_go(unit):
    began = time.perf_counter()
    read_ruby(unit * 20_000)
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ('<ruby class="r">斎藤<rt>さいとう</rt></ruby>は', [("斎藤", "さいとう")]),
        ("<ruby><rb>斎</rb><rb>藤</rb><rt>さい</rt><rt>とう</rt></ruby>は", [("斎", "さい"), ("藤", "とう")]),
        ("<ruby>斎<rt>さい</rt>藤<rt>とう</rt></ruby>は", [("斎", "さい"), ("藤", "とう")]),
        ("<ruby>斎藤 <rt>さいとう</rt> </ruby>は", [("斎藤", "さいとう")]),
        ("<ruby>斎藤<rt></rt></ruby>は", []),
    ],
)
def test_html_ruby_in_its_usual_forms_shows_no_tag(text, readings):
    assert plain(text) == "斎藤は"
    assert bases(text) == readings
