"""What a link shows first."""

from __future__ import annotations

import pytest

from core.text.locale import words
from db.permissions import OPERATOR
from db.queries import new_link


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_form_without_consent_says_what_is_missing(closed, visit, engine, lang):
    token = new_link(engine, OPERATOR, role="rater", name="Haruka", campaign_id=closed)
    at = visit(token, lang=lang)
    at.button(key="profile-save").click().run()
    text = words(lang)
    assert [one.value for one in at.error] == [
        text["profile.consent_missing"].format(consent=text["profile.consent.research"])
    ]


def test_an_organisers_link_says_what_it_is_for(visit, engine):
    at = visit(new_link(engine, OPERATOR, role="organiser", name="Mallory"))
    assert at.header[0].value == words("en")["front.question"]
    at.switch_page("pages/evaluate/rate/page.py").run()
    assert at.header[0].value == words("en")["organiser.title"]
    assert {link.proto.page for link in at.get("page_link")} >= {"manage", "agreement"}
