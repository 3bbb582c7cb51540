"""A new campaign from a part of a file: sentences of novels far apart, and repaired outputs among them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from db.queries import get_campaign, list_campaigns, list_segments, list_translations

NOVELS, LENGTH = ("kokoro", "neko", "sanshiro"), 30
TSV = "document\tposition\treference\tsystem\ttranslation\tsource\n" + "".join(
    f"{novel}\t{n}\t{novel}の{n}文目。\tash\t{novel}、第{n}文。\tSentence {n} of {novel}.\n"
    for novel in NOVELS
    for n in range(LENGTH)
)
REPAIRED = "document\tposition\ttext\n" + "".join(f"neko\t{n}\t直した{n}文。\n" for n in range(LENGTH))


@pytest.fixture
def form(start, monkeypatch):
    """The form of a new campaign with three novels of 30 sentences."""

    def opened(lang="en"):
        monkeypatch.setattr("pages.ui.state.language", lambda: lang)  # AppTest words a choice outside the run
        at = start(lang, "pages/evaluate/manage/page.py")
        main = next(one for one in at.get("file_uploader") if one.key.startswith("upload-main"))
        main.set_value(("novels.tsv", TSV.encode(), "text/plain")).run()
        assert not at.exception
        return at

    return opened


def field(at, name):
    return next(one for one in at.number_input if one.key.startswith("draw-") and one.key.endswith(name))


def repair(at, name, content):
    box = next(one for one in at.get("file_uploader") if one.key.endswith("-repaired"))
    return box.set_value([(name, content.encode(), "text/plain")]).run()


def made(at, engine):
    at.button(key="upload-make").click().run()
    assert not at.exception
    return next(one for one in list_campaigns(engine) if one.name == "Novels").id


def test_without_a_wish_everything_is_taken(form, engine):
    at = form()
    assert [field(at, name).disabled for name in ("count", "apart", "documents", "seed")] == [
        False,
        True,
        True,
        True,
    ]
    at.text_input(key="upload-name").set_value("Novels").run()
    assert len(list_segments(engine, made(at, engine))) == 90


def test_sentences_of_some_novels_are_drawn_far_apart_with_repaired_outputs_among_them(form, engine, html_of):
    at = form()
    field(at, "count").set_value(3).run()
    field(at, "apart").set_value(4).run()
    field(at, "documents").set_value(2).run()
    field(at, "seed").set_value(7).run()
    repair(at, "repaired by hand.tsv", REPAIRED)
    assert not at.exception
    assert "Drawn: 6 segments of 2 documents." in html_of(at)
    at.text_input(key="upload-name").set_value("Novels").run()
    number = made(at, engine)
    places = {}
    for segment in list_segments(engine, number):
        places.setdefault(segment.document, []).append(segment.position)
    assert [len(one) for one in places.values()] == [3, 3]
    for positions in places.values():
        assert all(later - earlier > 4 for earlier, later in pairwise(sorted(positions)))
    said = get_campaign(engine, number).description_en
    assert "At most 3 segments of each of 2 documents were drawn" in said
    assert said.endswith("with seed 7.")
    texts = [one for one in list_translations(engine, number) if one.system == "repaired by hand"]
    assert {one.text for one in texts} == {f"直した{n}文。" for n in places.get("neko", ())}


def test_novels_without_room_are_counted(form, html_of):
    at = form()
    field(at, "count").set_value(3).run()
    field(at, "apart").set_value(29).run()  # two of 30 sentences are never so far apart
    assert not at.exception
    shown = html_of(at)
    assert "Drawn: 3 segments of 3 documents." in shown
    assert "no room for 3: 3." in shown


@pytest.mark.parametrize(
    ("name", "content", "lang", "said"),
    [
        ("ash.tsv", REPAIRED, "en", "A system is called ash already"),
        ("r.tsv", "document\ttext\nneko\tx\n", "en", "r.tsv: needs the columns document, position, text."),
        ("r.tsv", "document\tposition\ttext\nneko\t30\tx\n", "en", "a segment that is not there"),
        (
            "r.tsv",
            "document\tposition\ttext\nneko\t30\tx\n",
            "ja",
            "存在しないセグメントか、二度目のセグメント",
        ),
    ],
)
def test_what_is_wrong_with_repaired_outputs_is_one_sentence(form, name, content, lang, said):
    at = form(lang)
    repair(at, name, content)
    assert not at.exception
    (error,) = [one.value.replace("\\", "") for one in at.error]
    assert said in error
    assert not [one for one in at.button if one.key == "upload-make"]


def test_the_part_is_worded_in_japanese(form, html_of):
    at = form("ja")
    field(at, "count").set_value(2).run()
    assert not at.exception
    assert "選んだセグメント：6（文書 3 点）。" in html_of(at)
