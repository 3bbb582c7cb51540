"""Marks filled in before raters see the texts, corrected translations, decisions, and documents' scores."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.errors import AccessError, InputError, RatingError
from core.raters.prefilled import SpanChanges
from core.raters.protocols import MarkedSpan
from db.campaigns.export import read_bundle, reduced, write_bundle
from db.campaigns.load import load_bundle
from db.campaigns.prefill_files import marks_in, raters_in
from db.design import DOCUMENT, DOCUMENTS, Design
from db.engine import write_session
from db.formats import get_format
from db.models import CheckText, Draft, Item, ItemCheck
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, enter_rater, history, items_of, list_translations, save_rating, withdraw
from db.queries.adjudication import decision_of, decisions, disputed, judgements_of, save_decision
from db.queries.documents import document_score_of, document_scores, save_document_score
from db.queries.evaluation import rating_table
from db.queries.manage import set_campaign
from db.queries.prefills import (
    clear_prefills,
    marks_of_rater,
    prefill_summary,
    prefill_uses,
    raters_with_marks,
    set_prefills,
)
from db.queries.rating import save_draft, stored_spans
from tests.support.db_bundles import options

RATER = Viewer(role="rater", rater_id=1)
MINOR, MAJOR = MarkedSpan(0, 3, "minor"), MarkedSpan(4, 8, "major")


def as_esa(engine, campaign, protocol="esa", **design):
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol=protocol, design=Design(**design))


def enter(engine, campaign, name):
    rater = enter_rater(engine, name).id
    ensure_items(engine, campaign, rater)
    return rater, items_of(engine, campaign, rater)


def of(engine, campaign, system, document="doc0", position=0):
    return next(
        row
        for row in list_translations(engine, campaign)
        if (row.document, row.position, row.system) == (document, position, system)
    )


def item_of(items, text):
    return next(one for one in items if one.translation == text)


def test_a_rater_begins_with_the_marks_that_were_filled_in_and_what_changed_is_known(engine, campaign):
    as_esa(engine, campaign)
    ash = of(engine, campaign, "ash")
    assert set_prefills(engine, OPERATOR, campaign, {ash.id: [MINOR, MAJOR]}, origin="GEMBA") == 1
    rater, items = enter(engine, campaign, "Aki")
    item = item_of(items, ash.text)
    assert (item.spans, item.prefilled, item.revision) == ((MINOR, MAJOR), True, 0)
    assert [one.spans for one in items if one.id != item.id] == [None] * (len(items) - 1)
    assert stored_spans(engine, item_id=item.id, rater_id=rater) == (MINOR, MAJOR)
    save_rating(engine, item_id=item.id, rater_id=rater, score=70, spans=(MINOR,))
    assert item_of(items_of(engine, campaign, rater), ash.text).spans == (MINOR,)
    (use,) = prefill_uses(engine, OPERATOR, campaign)
    assert (use.rater, use.system, use.origin) == ("Aki", "ash", "GEMBA")
    assert use.changes == SpanChanges(kept=1, changed=0, removed=1, added=0)


def test_a_draft_without_marks_stays_without_marks(engine, campaign):
    as_esa(engine, campaign)
    ash = of(engine, campaign, "ash")
    set_prefills(engine, OPERATOR, campaign, {ash.id: [MINOR]}, origin="GEMBA")
    rater, items = enter(engine, campaign, "Aki")
    item = item_of(items, ash.text)
    save_draft(engine, item_id=item.id, rater_id=rater, spans=())
    assert stored_spans(engine, item_id=item.id, rater_id=rater) == ()
    assert item_of(items_of(engine, campaign, rater), ash.text).spans == ()


def test_a_damaged_text_has_the_marks_of_its_original_at_their_places(engine, campaign):
    as_esa(engine, campaign)
    ash = of(engine, campaign, "ash")  # ash says 0
    set_prefills(engine, OPERATOR, campaign, {ash.id: [MINOR, MarkedSpan(9, 10, "major")]}, origin="x")
    rater, _ = enter(engine, campaign, "Aki")
    with write_session(engine) as session:
        check = CheckText(translation_id=ash.id, rule="negate", text="ash never says 0")
        item = Item(campaign_id=campaign, rater_id=rater, translation_id=ash.id, place=99, kind="degraded")
        session.add_all([check, item])
        session.flush()
        session.add(ItemCheck(item_id=item.id, check_text_id=check.id))
    damaged = item_of(items_of(engine, campaign, rater), "ash never says 0")
    assert damaged.prefilled
    assert damaged.spans == (MINOR, MarkedSpan(15, 16, "major"))
    assert stored_spans(engine, item_id=damaged.id, rater_id=rater) == damaged.spans


def test_marks_of_a_rater_are_given_to_the_next(engine, campaign):
    as_esa(engine, campaign)
    first, items = enter(engine, campaign, "Aki")
    save_rating(engine, item_id=items[0].id, rater_id=first, score=50, spans=(MINOR,))
    save_rating(engine, item_id=items[1].id, rater_id=first, score=90, spans=())
    assert [one.name for one in raters_with_marks(engine, OPERATOR, campaign)] == ["Aki"]
    marks = marks_of_rater(engine, OPERATOR, campaign, first)
    assert sorted(marks.values()) == [(), (MINOR,)]
    set_prefills(engine, OPERATOR, campaign, marks, origin="Aki", rater_id=first)
    (summary,) = prefill_summary(engine, OPERATOR, campaign)
    assert (summary.origin, summary.translations, summary.marks) == ("Aki", 2, 1)
    second, others = enter(engine, campaign, "Ben")
    item = item_of(others, items[0].translation)
    assert item.spans == (MINOR,)
    save_rating(engine, item_id=item.id, rater_id=second, score=55, spans=(MINOR, MAJOR))
    assert [(one.rater, one.changes.added) for one in prefill_uses(engine, OPERATOR, campaign)] == [
        ("Ben", 1)
    ]
    withdraw(engine, OPERATOR, first)
    assert prefill_summary(engine, OPERATOR, campaign) == []


def test_marks_come_from_a_file_where_place_system_and_text_are_the_same(engine, campaign):
    as_esa(engine, campaign)
    rater, items = enter(engine, campaign, "Aki")
    for item in items[:2]:
        save_rating(engine, item_id=item.id, rater_id=rater, score=50, spans=(MINOR,))
    bundle = read_bundle(engine, campaign)
    copy = load_bundle(engine, bundle, "Copy").campaign_id
    assert raters_in(bundle) == ["Aki"]
    found = marks_in(engine, copy, bundle, "Aki")
    assert (len(found.marks), found.unknown) == (2, 0)
    here = {row.id: row.text for row in list_translations(engine, copy)}
    assert {here[key] for key in found.marks} == {item.translation for item in items[:2]}
    with write_session(engine) as session:
        from db.models import Translation

        session.get(Translation, next(iter(found.marks))).text = "another text"
    again = marks_in(engine, copy, bundle, "Aki")
    assert (len(again.marks), again.unknown) == (1, 1)


def test_filling_in_is_for_organisers_for_protocols_with_marks_and_within_the_texts(engine, campaign):
    ash = of(engine, campaign, "ash")
    with pytest.raises(InputError, match="mark no errors"):
        set_prefills(engine, OPERATOR, campaign, {ash.id: [MINOR]}, origin="x")
    as_esa(engine, campaign)
    with pytest.raises(AccessError):
        set_prefills(engine, RATER, campaign, {ash.id: [MINOR]}, origin="x")
    with pytest.raises(RatingError, match="does not lie in the text"):
        set_prefills(engine, OPERATOR, campaign, {ash.id: [MarkedSpan(0, 99, "minor")]}, origin="x")
    with pytest.raises(InputError, match="not of this campaign"):
        set_prefills(engine, OPERATOR, campaign, {10**6: [MINOR]}, origin="x")
    set_prefills(engine, OPERATOR, campaign, {ash.id: [MINOR]}, origin="x")
    clear_prefills(engine, OPERATOR, campaign)
    assert prefill_summary(engine, OPERATOR, campaign) == []


def test_a_corrected_translation_is_kept_as_a_draft_stored_with_the_rating_and_exported(engine, campaign):
    rater, (item, other, *_) = enter(engine, campaign, "Aki")
    save_draft(engine, item_id=item.id, rater_id=rater, spans=(), comment="", edited="better text")
    assert items_of(engine, campaign, rater)[0].edited == "better text"
    save_rating(engine, item_id=item.id, rater_id=rater, score=50, edited="better text")
    save_rating(engine, item_id=other.id, rater_id=rater, score=80)
    assert [one.edited for one in history(engine, item.id, rater)] == ["better text"]
    assert [one.edited for one in items_of(engine, campaign, rater)[:2]] == ["better text", None]
    save_rating(engine, item_id=item.id, rater_id=rater, score=50, edited="the best text")
    assert [one.edited for one in history(engine, item.id, rater)] == ["better text", "the best text"]
    bundle = read_bundle(engine, campaign)
    assert [one.edited for one in bundle.ratings] == ["the best text", None]
    assert [one.edited for one in reduced(bundle, "xlsx").ratings] == ["the best text", None]
    held = reduced(bundle, "csv")
    assert [one.edited for one in held.ratings] == [None, None]
    assert "1 corrected translations were left out." in held.notes


def test_two_raters_differ_a_third_person_decides_and_all_of_it_stays(engine, campaign):
    as_esa(engine, campaign)
    scores = {"Aki": (80, 40), "Ben": (70, 90)}
    for name, (first, second) in scores.items():
        rater, items = enter(engine, campaign, name)
        for text, score in (("ash says 0", first), ("beech says 0", second)):
            marks = (MINOR,) if name == "Aki" else (MINOR, MAJOR)
            save_rating(engine, item_id=item_of(items, text).id, rater_id=rater, score=score, spans=marks)
    rows = disputed(engine, OPERATOR, campaign)
    assert [(one.system, one.raters, one.spread, one.marks, one.decided) for one in rows] == [
        ("beech", 2, 50, 1, False),
        ("ash", 2, 10, 1, False),
    ]
    widest = rows[0].translation_id
    given = judgements_of(engine, OPERATOR, widest)
    assert [(one.rater, one.score, one.spans) for one in given] == [
        ("Aki", 40, (MINOR,)),
        ("Ben", 90, (MINOR, MAJOR)),
    ]
    before = rating_table(engine, OPERATOR, campaign)
    save_decision(engine, OPERATOR, widest, score=60, spans=(MAJOR,), comment="as in the source")
    save_decision(engine, OPERATOR, widest, score=65, spans=(MAJOR,))
    decision = decision_of(engine, OPERATOR, widest)
    assert (decision.score, decision.spans, decision.revision) == (65, (MAJOR,), 2)
    assert [(one.system, one.score) for one in decisions(engine, OPERATOR, campaign)] == [("beech", 65)]
    assert [one.decided for one in disputed(engine, OPERATOR, campaign)] == [True, False]
    assert rating_table(engine, OPERATOR, campaign) == before


def test_a_decision_is_an_organisers_and_in_the_protocols_form(engine, campaign):
    ash = of(engine, campaign, "ash").id
    with pytest.raises(AccessError):
        save_decision(engine, RATER, ash, score=60, spans=None)
    with pytest.raises(RatingError, match="neither a score nor"):
        save_decision(engine, OPERATOR, ash, score=None, spans=None)
    as_esa(engine, campaign)
    with pytest.raises(RatingError, match="has no score"):
        save_decision(engine, OPERATOR, ash, score=None, spans=())
    with pytest.raises(RatingError, match="does not lie in the text"):
        save_decision(engine, OPERATOR, ash, score=5, spans=(MarkedSpan(0, 99, "minor"),))
    as_esa(engine, campaign, "mqm")
    with pytest.raises(RatingError, match="asks for marked errors and no score"):
        save_decision(engine, OPERATOR, ash, score=5, spans=())
    save_decision(engine, OPERATOR, ash, score=None, spans=())
    assert decision_of(engine, OPERATOR, ash).spans == ()


def test_a_document_is_scored_as_a_whole_in_each_systems_translation(engine, campaign):
    as_esa(engine, campaign, "adequacy", order=DOCUMENTS, layout=DOCUMENT)
    rater, items = enter(engine, campaign, "Aki")
    versions = {one.version for one in items}
    assert len(versions) == 6  # two documents, three systems
    for version in versions:
        places = [one.position for one in items if one.version == version]
        assert places == sorted(places)
        assert len(places) == 6
    first, last = items[0], items[5]
    assert first.version == last.version
    assert document_score_of(engine, item_id=first.id, rater_id=rater) is None
    for score in (40, 40, 55):
        save_document_score(engine, item_id=last.id, rater_id=rater, score=score)
    assert document_score_of(engine, item_id=first.id, rater_id=rater) == 55
    assert document_score_of(engine, item_id=items[6].id, rater_id=rater) is None
    (one,) = document_scores(engine, OPERATOR, campaign)
    assert (one.rater, one.document, one.score) == ("Aki", first.document, 55)
    other, _ = enter(engine, campaign, "Ben")
    with pytest.raises(RatingError, match="not among yours"):
        save_document_score(engine, item_id=last.id, rater_id=other, score=1)
    with pytest.raises(RatingError, match="not a number from 0 to 100"):
        save_document_score(engine, item_id=last.id, rater_id=rater, score=101)
    withdraw(engine, OPERATOR, rater)
    assert document_scores(engine, OPERATOR, campaign) == []


@pytest.mark.parametrize(
    ("design", "protocol", "says"),
    [
        ({"layout": DOCUMENT}, "adequacy", "keeps documents together"),
        ({"layout": DOCUMENT, "order": DOCUMENTS, "repeats": 0.1}, "esa", "give itself away"),
        ({"layout": DOCUMENT, "order": DOCUMENTS}, "side-by-side", "one segment"),
        ({"post_edit": True}, "side-by-side", "one segment"),
        ({"layout": "page"}, "esa", "not known"),
    ],
)
def test_a_design_that_cannot_be_is_refused(engine, campaign, design, protocol, says):
    with pytest.raises(InputError, match=says):
        as_esa(engine, campaign, protocol, **design)


def test_a_history_holds_what_stands_beside_the_ratings_and_other_formats_say_what_they_lack(
    engine, campaign, tmp_path
):
    as_esa(engine, campaign, order=DOCUMENTS, layout=DOCUMENT)
    ash = of(engine, campaign, "ash")
    set_prefills(engine, OPERATOR, campaign, {ash.id: [MINOR]}, origin="GEMBA")
    for name in ("Aki", "Ben"):
        rater, items = enter(engine, campaign, name)
        save_rating(
            engine, item_id=item_of(items, ash.text).id, rater_id=rater, score=0, spans=(), edited="e"
        )
        save_document_score(engine, item_id=items[0].id, rater_id=rater, score=0)
    save_decision(engine, OPERATOR, ash.id, score=10, spans=(MAJOR,))
    save_decision(engine, OPERATOR, ash.id, score=0, spans=(), comment="no")
    bundle = read_bundle(engine, campaign, history=True)
    assert (len(bundle.prefills), len(bundle.decisions), len(bundle.document_scores)) == (1, 2, 2)
    write_bundle(bundle, "history", tmp_path / "a.jsonl")
    again = get_format("history").read(tmp_path / "a.jsonl", options())
    assert again == replace(bundle, meta=again.meta)
    copy = load_bundle(engine, again, "Copy").campaign_id
    assert [one.changes for one in prefill_uses(engine, OPERATOR, copy)] == [
        one.changes for one in prefill_uses(engine, OPERATOR, campaign)
    ]
    assert [(one.score, one.comment, one.revision) for one in decisions(engine, OPERATOR, copy)] == [
        (0, "no", 2)
    ]
    assert [one.score for one in document_scores(engine, OPERATOR, copy)] == [0, 0]
    notes = reduced(bundle, "xlsx").notes
    for what in (
        "2 decisions between raters",
        "2 scores of whole documents",
        "1 translations with marks filled",
    ):
        assert any(note.startswith(what) for note in notes)


def test_a_withdrawn_rater_leaves_no_draft(engine, campaign):
    rater, (item, *_) = enter(engine, campaign, "Aki")
    save_draft(engine, item_id=item.id, rater_id=rater, spans=(), comment="c", edited="e")
    withdraw(engine, OPERATOR, rater)
    with write_session(engine) as session:
        assert session.get(Draft, item.id) is None
