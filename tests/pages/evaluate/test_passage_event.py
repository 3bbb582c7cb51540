"""What can be marked in a text, and which messages of the browser are believed."""

import subprocess
import sys
from dataclasses import asdict
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.assets import ROOT
from core.errors import RatingError
from core.raters.protocols import MOST_SPANS, NOTE_LIMIT, MarkedSpan
from core.text.japanese import plain, read_ruby
from pages.evaluate.rate.passage import in_order, read_event, read_numbers, units_of, words_of
from pages.evaluate.rate.rating import told

SEVERITIES = ("minor", "major")


def row(start=0, end=1, **changed):
    return asdict(MarkedSpan(start=start, end=end, severity="minor")) | changed


def omission(**changed):
    return row(0, 0, missing=True, **changed)


def read(*rows, length=10, side="target"):
    return read_event({"item": 1, "seq": 1, "spans": list(rows)}, length, SEVERITIES, side=side)


def words(text, lang):
    return [text[start:end] for start, end in words_of(text, lang)]


def test_spans_in_order_are_read_as_they_are():
    spans = read(row(0, 2), row(2, 5, severity="major"), row(9, 10, category="other", note="why"), omission())
    assert spans == (
        MarkedSpan(start=0, end=2, severity="minor"),
        MarkedSpan(start=2, end=5, severity="major"),
        MarkedSpan(start=9, end=10, severity="minor", category="other", note="why"),
        MarkedSpan(start=0, end=0, severity="minor", missing=True),
    )
    assert read() == ()


@pytest.mark.parametrize(
    "event",
    [None, "spans", [], {}, {"spans": None}, {"spans": {}}, {"spans": [None]}, {"spans": [[0, 1, "minor"]]}],
)
def test_what_is_no_message_at_all_is_refused(event):
    with pytest.raises(RatingError, match="not of a form that is known"):
        read_event(event, 10, SEVERITIES)


@pytest.mark.parametrize(
    "changed",
    [
        {"start": "0"},
        {"start": 0.0},
        {"start": True},
        {"end": None},
        {"severity": 1},
        {"missing": 0},
        {"missing": "yes"},
        {"note": None},
        {"category": ["other"]},
        {"more": 1},
        {"side": "source"},
        {"side": "both"},
        {"note": "x" * (NOTE_LIMIT + 1)},
        {"category": "x" * 101},
    ],
    ids=lambda changed: "-".join(f"{name}:{str(value)[:6]}" for name, value in changed.items()),
)
def test_a_field_of_another_type_or_size_is_refused(changed):
    with pytest.raises(RatingError, match="not of a form that is known"):
        read(row(**changed))


def test_a_missing_field_is_refused():
    less = row()
    del less["note"]
    with pytest.raises(RatingError, match="not of a form that is known"):
        read(less)


@pytest.mark.parametrize("severity", ["critical", "", "Minor"])
def test_a_severity_that_was_not_offered_is_refused(severity):
    with pytest.raises(RatingError, match="is not a severity here"):
        read(row(severity=severity))


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 3), (5, 4), (9, 11), (10, 11), (0, 0)])
def test_a_place_outside_the_text_is_refused(start, end):
    with pytest.raises(RatingError, match="does not lie in the text"):
        read(row(start, end))


def test_an_omission_has_a_place_in_the_source_only():
    assert read(row(2, 4, missing=True, side="source"), side="source")[0].missing
    assert read(omission(side="source"), side="source")[0].missing
    with pytest.raises(RatingError, match="does not lie in the text"):
        read(row(2, 4, missing=True))


@pytest.mark.parametrize("places", [[(0, 3), (2, 5)], [(0, 5), (1, 2)], [(1, 2), (1, 2)]])
def test_spans_may_overlap_nest_and_share_a_place(places):
    assert [(one.start, one.end) for one in read(*(row(*place) for place in places))] == places


@pytest.mark.parametrize("places", [[(4, 5), (0, 2)], [(1, 4), (1, 2)]])
def test_spans_out_of_order_are_refused(places):
    with pytest.raises(RatingError, match="out of order"):
        read(*(row(start, end) for start, end in places))


def test_omissions_come_last():
    with pytest.raises(RatingError, match="out of order"):
        read(omission(), row())


def test_there_is_an_end_to_how_many_errors_are_marked():
    assert len(read(*[omission()] * MOST_SPANS)) == MOST_SPANS
    with pytest.raises(RatingError, match="More than 200"):
        read(*[omission()] * (MOST_SPANS + 1))


@pytest.mark.parametrize(
    "numbers",
    [{}, {"seq": -1}, {"seq": "1"}, {"seq": True}, {"seq": 1, "chosen": 2}, {"seq": 1, "chosen": -1},
     {"seq": 1, "chosen": "0"}, {"seq": 1, "chosen": False}],
    ids=str,
)  # fmt: skip
def test_numbers_that_cannot_be_are_refused(numbers):
    with pytest.raises(RatingError):
        read_numbers(numbers, spans=2)


def test_numbers_are_the_messages_own_and_the_chosen_spans():
    assert read_numbers({"seq": 7, "chosen": 1}, spans=2) == (7, 1)
    assert read_numbers({"seq": 0, "chosen": None}, spans=0) == (0, None)


def test_order_is_by_place_and_keeps_the_order_of_omissions():
    first, second = (MarkedSpan(start=0, end=0, severity="minor", missing=True, note=note) for note in "ab")
    late, early = (MarkedSpan(start=at, end=at + 1, severity="minor") for at in (5, 0))
    assert in_order([first, late, second, early]) == (early, late, first, second)


def test_japanese_words_are_morphemes_and_leave_ruby_out():
    text = "彼《かれ》は食《た》べた。"
    assert words(text, "ja") == ["彼", "は", "食《た》べ", "た", "。"]
    assert words_of(text, "ja-JP") == [(0, 1), (5, 6), (6, 11), (11, 12), (12, 13)]


def test_other_languages_are_cut_as_unicode_cuts_words():
    assert words("Don’t go, “he” said 3.5!", "en") == ["Don’t", "go", ",", "“", "he", "”", "said", "3.5", "!"]
    assert words("हिन्दी में", "hi") == ["हिन्दी", "में"]


def test_no_word_breaks_a_character_as_readers_see_it():
    # more than one code point each
    variant, thumb, heart = "葛\U000e0100", "👍\U0001f3fd", "❤\ufe0f"
    family = "\u200d".join("👩👩👧")
    assert words(f"{variant}だ{thumb}{heart}", "ja") == [variant, "だ", thumb, heart]
    assert words(f"{thumb}{family} cafe\u0301s", "en") == [thumb, family, "cafe\u0301s"]


@pytest.mark.slow
def test_words_are_found_without_loading_an_encoder():
    code = (
        "import sys; from pages.evaluate.rate.passage import words_of; "
        "assert len(words_of('彼は', 'ja')) == 2; "
        "print(sorted({'torch', 'transformers', 'spacy', 'pykakasi'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_empty_text_has_no_words_and_no_units():
    assert words_of("", "ja") == words_of("", "en") == []
    assert units_of("", []) == []
    assert units_of(" \n", []) == [(0, 2)]


def test_what_lies_between_words_is_one_unit_and_markup_is_none():
    assert units_of("a -- b", [(0, 1), (5, 6)]) == [(0, 1), (1, 5), (5, 6)]
    text = "｜彼《かれ》 は"  # the bar and the reading are hidden: 1:2, the blank 6:7, 7:8
    assert units_of(text, [(1, 2), (7, 8)]) == [(1, 2), (6, 7), (7, 8)]
    assert units_of("漢《かん》字", []) == [(0, 6)]


@pytest.mark.parametrize("bad", [[(0, 2), (1, 3)], [(2, 3), (0, 1)], [(1, 1)], [(2, 9)], [(-1, 1)]])
def test_words_that_cannot_be_are_an_error_of_the_caller(bad):
    with pytest.raises(ValueError, match="words overlap"):
        units_of("abcd", bad)


ALPHABET = "a e\u0301漢字《》か｜👩\u200d🇯\n、"


@settings(deadline=None)  # the dictionary is read at the first word
@given(st.text(alphabet=ALPHABET, max_size=40), st.sampled_from(["ja", "en", "th"]))
def test_units_hold_every_shown_character_once(text, lang):
    units = units_of(text, words_of(text, lang))
    assert all(start < end for start, end in units)
    assert all(one[1] <= other[0] for one, other in pairwise(units))
    assert "".join(plain_part(text, place) for place in units) == plain(text)


def plain_part(text, place):
    """What of a place is shown, found another way: by hiding the rest of the text."""
    shown = {at for piece in read_ruby(text) if not piece.hidden for at in range(piece.start, piece.end)}
    return "".join(text[at] for at in range(*place) if at in shown)


@pytest.mark.parametrize(
    "event",
    [
        None,
        [],
        "7",
        {},
        {"value": 7},
        {"item": 2, "value": 7},
        {"item": 1},
        {"item": 1, "value": None},
        {"item": 1, "value": "7"},
        {"item": 1, "value": True},
        {"item": 1, "value": [7]},
        {"item": 1, "value": 10**400},
    ],
)
def test_an_event_of_the_rail_that_is_not_of_its_form_or_item_says_nothing(event):
    assert told(event, 1) is None
    assert told({"item": 1, "value": 7}, 1) == 7.0
