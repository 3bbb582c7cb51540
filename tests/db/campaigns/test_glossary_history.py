"""The glossary of a campaign: every change is noted with its person and time, and goes along in a history."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from core.errors import FileError
from core.novel.glossary import GlossaryTerm
from db.campaigns.analyses import store_analysis
from db.campaigns.export import read_bundle, write_bundle
from db.campaigns.glossary import KIND, glossary, glossary_changes, save_glossary
from db.campaigns.load import load_bundle
from db.formats import get_format
from db.formats.bundle import Bundle, OutputRow, ReadOptions, SegmentRow, SystemRow
from db.permissions import OPERATOR, Viewer
from db.queries import enter_rater

BUNDLE = Bundle(
    name="Terms",
    langs=("en", "ja"),
    systems=(SystemRow("a"),),
    segments=(SegmentRow("d", 0, "提督は笑った。"),),
    outputs=(OutputRow(("d", 0), "a", "総督は笑った。"),),
)
ADMIRAL, NAVY = GlossaryTerm(term="提督", source="admiral"), GlossaryTerm(term="海軍")
CHANGED = replace(ADMIRAL, forms=("大将",))


@pytest.fixture
def campaign(engine):
    number = load_bundle(engine, BUNDLE, "Terms").campaign_id
    aki = Viewer("organiser", rater_id=enter_rater(engine, "Aki").id)
    save_glossary(engine, aki, number, [ADMIRAL, NAVY])
    save_glossary(engine, OPERATOR, number, [CHANGED])
    return number


def test_what_was_added_changed_and_removed_is_noted_with_person_and_time(engine, campaign):
    told = [(one.term, one.removed, one.by is not None) for one in glossary_changes(engine, campaign)]
    assert told == [
        (ADMIRAL, False, True),
        (NAVY, False, True),
        (NAVY, True, False),
        (CHANGED, False, False),
    ]
    assert all(one.at.endswith("+00:00") for one in glossary_changes(engine, campaign))
    save_glossary(engine, OPERATOR, campaign, [CHANGED])
    assert len(glossary_changes(engine, campaign)) == 4


def test_people_who_save_at_once_leave_changes_that_lead_to_the_terms(engine, campaign):
    terms = [GlossaryTerm(term=f"用語{n}") for n in range(12)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda term: save_glossary(engine, OPERATOR, campaign, [term]), terms))
    changes = glossary_changes(engine, campaign)
    known = {}
    for one in changes:
        known.pop(one.term.term, None)
        if not one.removed:
            known[one.term.term] = one.term
    assert tuple(known.values()) == glossary(engine, campaign)
    assert {one.term for one in changes} >= {*terms}  # nobody's change is lost
    assert all(one.at for one in changes)


def test_a_history_takes_the_glossary_and_its_changes_along(engine, campaign, tmp_path):
    path = tmp_path / "terms.history.jsonl"
    bundle = read_bundle(engine, campaign, history=True)
    assert [row.rater for row in bundle.glossary] == ["Aki", "Aki", "", ""]
    write_bundle(bundle, "history", path)
    assert '{"glossary":{"term":"海軍","removed":true,"changed_at":' in path.read_text("utf-8")
    again = get_format("history").read(path, ReadOptions())
    assert again.glossary == bundle.glossary
    copy = load_bundle(engine, again, "Copy").campaign_id
    assert glossary(engine, copy) == (CHANGED,)
    assert read_bundle(engine, copy, history=True).glossary == bundle.glossary


def test_terms_from_before_changes_were_noted_go_along_without_a_person(engine, campaign, tmp_path):
    old = load_bundle(engine, BUNDLE, "Old").campaign_id
    store_analysis(engine, old, KIND, "glossary-1", (NAVY,))
    (row,) = read_bundle(engine, old, history=True).glossary
    assert (row.term, row.removed, row.rater, row.changed_at) == (NAVY, False, "", None)


def test_another_format_says_what_it_leaves_out(engine, campaign, tmp_path):
    bundle = read_bundle(engine, campaign, history=True)
    held = write_bundle(bundle, "jsonl", tmp_path / "terms.jsonl")
    assert "4 changes of the glossary were left out." in map(str, held.notes)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"glossary":{"term":" "}}', "is empty"),
        ('{"glossary":{"term":"a","removed":1}}', "neither true nor false"),
        ('{"glossary":{"term":"' + "a" * 300 + '"}}', "too long"),
        ('{"glossary":{"term":"a","changed_at":"yesterday"}}', "yesterday"),
    ],
)
def test_a_line_of_another_form_is_refused_with_its_number(engine, campaign, tmp_path, line, message):
    path = tmp_path / "bad.history.jsonl"
    write_bundle(read_bundle(engine, campaign, history=True), "history", path)
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines, line]), "utf-8")
    with pytest.raises(FileError, match=message) as caught:
        get_format("history").read(path, ReadOptions())
    assert f"line {len(lines) + 1}" in str(caught.value)
