"""Readers in a close reading: at a desk by keyboard in English, on a phone by touch in Japanese."""

from __future__ import annotations

import re
from itertools import count

import pytest
from playwright.sync_api import expect

from core.raters.reading.choices import ReadingChoices
from db.campaigns.load import load_bundle
from db.campaigns.study import set_up
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR, Viewer
from db.queries.close import chunk_highlights, chunk_texts, chunks_of
from db.queries.study import study_of
from tests.support.axe import violations
from tests.support.reading_screens import choose, enter, left_by_its_server, organised, reader, saved

SECRET = ("kept-by-hand", "made-by-machine")
TEXTS = {
    "en": [
        ("Paragraph {n}. The ferry left the quay at one.", "Paragraph {n}. At one the boat set out."),
        ("Nobody had told the captain why.", "Why, no one had told its captain."),
    ],
    "ja": [
        ("「{n}番です」と船頭《せんどう》は言った。", "「{n}番だ」、船頭は答えた。"),
        ("渡し船は一時に岸を離れた。", "一時、渡し船が岸を出た。"),
    ],
}
NUMBERS = count(1)


def study(engine, name, lang, chunks=3):
    """A study of so many chunks, each of two paragraphs; its campaign's number."""
    pairs = [(one.format(n=n), two.format(n=n)) for n in range(1, chunks + 1) for one, two in TEXTS[lang]]
    segments = tuple(SegmentRow("chapter", n, "") for n in range(len(pairs)))
    bundle = Bundle(
        name=name,
        langs=("fr", lang),
        systems=tuple(map(SystemRow, SECRET)),
        segments=segments,
        outputs=tuple(
            OutputRow(row.key, system, pairs[row.position][place])
            for row in segments
            for place, system in enumerate(SECRET)
        ),
    )
    number = load_bundle(engine, bundle, f"{name} {next(NUMBERS)}").campaign_id  # a test may run twice
    size = 14 if lang == "en" else 28
    plan = set_up(engine, OPERATOR, number, ReadingChoices(chunks=size), readers=2, protocol="chunks")
    assert plan.chunks == chunks
    return number


@pytest.fixture(scope="module")
def app(tmp_path_factory):
    """The address of an app that has an organiser, and its database."""
    folder = tmp_path_factory.mktemp("close")
    with organised(folder, lambda engine: study(engine, "first", "en")) as found:
        yield found


def begin(page, address, token):
    """By the link, past the profile and the guideline, to the first chunk."""
    enter(page, address, token, button="chunks-begin", text=".close .pane p")


def marks(engine, number, person, place=0):
    """What holds of the highlights in a chunk: side, kind, text, reason."""
    viewer = Viewer(rater_id=person)
    chunk = chunks_of(engine, viewer, number, person)[place]
    texts = chunk_texts(engine, viewer, chunk.id, person)
    found = []
    for side, one in chunk_highlights(engine, viewer, chunk.id, person):
        text = next(row.text for row in texts[side] if row.segment_id == one.segment_id)
        found.append((side, one.kind, text[one.start : one.end], one.reason))
    return found


@pytest.mark.slow
def test_a_mark_made_while_the_server_is_dead_is_stored_with_its_side_when_it_is_back(tmp_path, visitor):
    page = visitor()
    dead = left_by_its_server(tmp_path, page, lambda engine: study(engine, "Dead", "en"), begin)
    with dead as (engine, number, person, again):
        page.keyboard.press("ArrowRight")  # the other side
        page.keyboard.press("2")
        page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator(".book .state")).to_have_text("Not saved yet")
        assert marks(engine, number, person) == []
        with again():
            expect(page.locator(".book .state")).to_have_text("Everything is saved", timeout=60_000)
            saved(page)
            ((side, kind, _, _),) = marks(engine, number, person)
            assert (side, kind) == (1, "disturbs")


@pytest.mark.slow
def test_a_reader_by_keyboard_marks_both_sides_and_a_reload_keeps_the_marks(app, visitor):
    address, engine = app
    number = study(engine, "At a desk", "en")
    token, person = reader(engine, number, "Aki")
    page = visitor()
    sent = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: sent.append(data)))
    begin(page, address, token)
    page.keyboard.press("1")  # a pen in hand: the first word on the left, one more, and a highlight
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")  # the other side
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    page.keyboard.press("w")
    page.keyboard.type("odd")
    page.keyboard.press("Enter")
    saved(page)
    left, right = marks(engine, number, person)
    assert left == (0, "pleases", "Paragraph 1", "")
    assert right == (1, "disturbs", "Paragraph", "odd")
    page.reload()
    page.locator(".close .pane p").first.wait_for()
    expect(page.locator(".pane").nth(0).locator(".pleases").first).to_have_text("Paragraph")
    expect(page.locator(".pane").nth(1).locator(".disturbs")).to_have_count(1)
    everything = page.url + page.content() + "".join(map(str, sent))
    assert not any(name in everything for name in SECRET)


@pytest.mark.slow
def test_a_reader_looks_a_passage_up_and_the_window_closes_by_a_key(app, visitor):
    address, engine = app
    number = study(engine, "In its book", "en")
    token, _ = reader(engine, number, "Nao")
    page = visitor()
    begin(page, address, token)
    page.locator(".st-key-chunk-in-book-1 button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".flow > p")).to_have_count(6)
    expect(dialog.locator(".flow p.here")).to_have_count(2)
    page.keyboard.press("1")  # nothing is marked here
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.slow
def test_a_reader_compares_all_by_keyboard_and_finishes(app, visitor):
    address, engine = app
    number = study(engine, "To the end", "en")
    token, _ = reader(engine, number, "Ben")
    page = visitor()
    begin(page, address, token)
    for place, (side, margin) in enumerate((("Left", "slightly"), ("Right", "much"), ("No difference", ""))):
        expect(page.get_by_text(f"passage {place + 1} of 3")).to_be_visible()
        group = page.get_by_role("radiogroup", name="Which do you like better here?")
        group.get_by_role("radio", name=side).focus()
        page.keyboard.press("Space")
        if margin:
            page.get_by_role("radiogroup", name="By how much?").get_by_role("radio", name=margin).focus()
            page.keyboard.press("Space")
        saved(page)
        page.get_by_role("button", name="Save and go on").press("Enter")
    expect(page.get_by_text("You have read and compared all versions.")).to_be_visible()
    (one,) = study_of(engine, OPERATOR, number).readers
    assert [(row.answers["preferred"], row.answers["margin"]) for row in one.compared] == [
        (0, 1),
        (1, 3),
        (-1, None),
    ]
    assert all(row.active > 0 for row in one.compared)


@pytest.mark.slow
def test_a_reader_on_a_phone_changes_the_side_marks_by_two_taps_and_compares(app, visitor):
    address, engine = app
    number = study(engine, "On a phone", "ja")
    token, person = reader(engine, number, "Mei")
    page = visitor(lang="ja-JP", phone=True)
    begin(page, address, token)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    left, right = page.locator(".pane").nth(0), page.locator(".pane").nth(1)
    expect(left).to_be_visible()
    expect(right).to_be_hidden()
    page.locator(".sides").get_by_role("button", name="右").tap()
    expect(right).to_be_visible()
    expect(left).to_be_hidden()
    page.get_by_role("button", name="気になる").tap()
    words = right.locator("[data-unit]")
    words.nth(0).tap()
    words.nth(2).tap()
    saved(page)
    page.reload()
    page.locator(".close .pane p").first.wait_for()
    page.locator(".sides").get_by_role("button", name="右").tap()
    expect(right.locator(".disturbs").first).to_be_visible()
    ((side, kind, text, _),) = marks(engine, number, person)
    assert (side, kind, bool(text)) == (1, "disturbs", True)
    for place in range(3):
        expect(page.get_by_text(re.compile(rf"{place + 1} / 3 節"))).to_be_visible()
        choose(page, "この節では、どちらが好きですか。", "右")
        choose(page, "どのくらい差がありますか。", "はっきり")
        saved(page)
        page.get_by_role("button", name="保存して進む").tap()
    expect(page.get_by_text("すべての訳を読み、比べ終えました。")).to_be_visible()
    (one,) = study_of(engine, OPERATOR, number).readers
    assert [row.answers["preferred"] for row in one.compared] == [1, 1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("kind", [{"theme": "dark"}, {"phone": True}], ids=["dark", "phone"])
def test_every_screen_of_a_close_reading_is_accessible(app, visitor, kind):
    address, engine = app
    number = study(engine, "Axe", "ja")
    token, _ = reader(engine, number, f"Axe {kind}")
    page = visitor(lang="ja-JP", **kind)
    begin(page, address, token)
    assert violations(page) == []
    for key in ("2", "Shift+ArrowRight", "Enter", "Escape"):
        page.locator(".book .frame").press(key)
    page.locator(".pane:not([hidden]) .disturbs").first.click()
    assert violations(page) == []
    for paper in ("sepia", "night"):
        page.locator(".book .look button").nth(2).click()
        assert violations(page) == [], paper
    page.locator(".st-key-chunk-in-book-0 button").click()
    page.get_by_role("dialog").locator(".flow p").first.wait_for()
    assert violations(page) == []
