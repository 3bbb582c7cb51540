"""What a report must not tell: texts and names nobody asked for, sealed names, anything to strangers."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from core.errors import AccessError, InputError
from core.report import document
from db.campaigns.load import load_bundle
from db.campaigns.reporting import gather
from db.design import Design
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, enter_rater, items_of, save_rating
from db.queries.manage import set_campaign, set_state
from tests.support.report_files import EVIL, GIVEN, Page, marked, report_of, small


@pytest.mark.parametrize(("lang", "texts"), [("en", True), ("ja", False)])
@pytest.mark.slow
def test_the_file_is_well_formed_and_names_no_address(engine, lang, texts):
    bundle = marked(small({"Aki": GIVEN["Aki"], EVIL: GIVEN["Ben"]}, evil=EVIL))
    _, html, page = report_of(engine, bundle, EVIL, lang=lang, texts=texts)
    assert page.faults == []
    assert page.addresses == []
    assert page.handlers == []
    assert not {"img", "iframe", "link", "object", "embed", "form"} & set(page.tags)
    assert html.count("<script>") == 2
    assert EVIL in page.said
    assert EVIL not in html


def texts_of(bundle):
    yield from (row.source for row in bundle.segments)
    yield from (row.reference for row in bundle.segments)
    yield from (row.text for row in bundle.outputs)
    yield from (row.comment for row in bundle.ratings)
    yield from (span.note for row in bundle.ratings for span in row.spans or ())
    yield from (row.text[3:8] for row in bundle.outputs if row.system == "ash")
    yield bundle.meta.description_en


def test_without_texts_no_text_is_in_the_file_and_each_has_its_fingerprint(engine):
    bundle = marked(small(GIVEN))
    given, html, page = report_of(engine, bundle, texts=False)
    assert [text for text in texts_of(bundle) if text in html] == []
    assert all(one.text is None for one in given.translations.values())
    assert {one.comment for one in given.remarks} == {""}
    assert {span.note for one in given.remarks for span in one.spans} == {""}
    for text in [row.text for row in bundle.outputs] + [row.reference for row in bundle.segments]:
        assert f"{len(text)} · {hashlib.sha256(text.encode()).hexdigest()}" in page.said
    assert ["Aki", "doc0", "1", "ash", "major", "accuracy/mistranslation", "3–8"] in page.rows
    assert ["ash", "8"] in page.rows


@pytest.mark.slow
def test_with_texts_all_are_there(engine):
    _, _, page = report_of(engine, marked(small(GIVEN)))
    assert [text for text in texts_of(marked(small(GIVEN))) if text not in page.said] == []
    assert ["major", "accuracy/mistranslation", "3–8", "の訳した文 · ひどい間違いだ"] in [
        row[4:] for row in page.rows
    ]


def test_raters_can_be_numbers_that_do_not_follow_from_their_names(engine):
    scores = {name: {"ash": (number,) * 4} for number, name in enumerate(("Aki", "Ben", "Cy", "Dai", "Emi"))}
    given, html, page = report_of(engine, marked(small(scores)), anonymous=True)
    assert not re.search(r">(Aki|Ben|Cy|Dai|Emi)<|Aki", re.sub("言ったこと[^<]*", "", html))
    numbers = [f"Rater {n}" for n in range(1, 6)]
    assert sorted({one.rater for one in given.scores}) == numbers
    by_score = sorted(set(given.scores), key=lambda one: one.score)
    assert list(dict.fromkeys(one.rater for one in by_score)) != numbers
    assert list(dict.fromkeys(one.rater for one in given.remarks)) == numbers
    assert "raters without names" in page.said


def test_sealed_names_stay_hidden_until_the_campaign_closes(engine):
    number = load_bundle(engine, small(), "Small", state="draft").campaign_id
    set_campaign(engine, OPERATOR, number, name="Small", protocol="adequacy", design=Design(sealed=True))
    set_state(engine, OPERATOR, number, "open")
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, number, rater)
    for item in items_of(engine, number, rater):
        save_rating(engine, item_id=item.id, rater_id=rater, score=50)
    sealed = Page.of(document(gather(engine, OPERATOR, number, language="en", texts=False)))
    assert not re.search(r"\b(ash|beech)\b", re.sub("SHA", "", sealed.said))
    assert "System A" in sealed.said
    assert "hidden until the campaign closes" in sealed.said
    commitment = next(row[1] for row in sealed.rows if row[0].startswith("Commitment"))
    set_state(engine, OPERATOR, number, "closed")
    opened = Page.of(document(gather(engine, OPERATOR, number, language="en")))
    names = dict(
        pair.split(" = ")
        for pair in dict(r for r in opened.rows if len(r) == 2)["Names under the seal"].split(", ")
    )
    nonce = dict(row for row in opened.rows if len(row) == 2)["Nonce of the seal"]
    seal = {"names": {real: shown for shown, real in names.items()}, "nonce": nonce}
    text = json.dumps(seal, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == commitment


def test_who_may_not_see_scores_gets_no_report(engine):
    number = load_bundle(engine, small(GIVEN), "Small").campaign_id
    with pytest.raises(AccessError):
        gather(engine, Viewer(role="rater", rater_id=1), number, language="en")
    with pytest.raises(InputError, match="no campaign number 99"):
        gather(engine, OPERATOR, 99, language="en")
