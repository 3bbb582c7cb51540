"""What a page shows stands in its address, and an address shows it again."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from core.assets import ROOT
from core.metrics.surface import score_chrf
from core.types import TextPair
from db.permissions import OPERATOR
from db.queries import list_campaigns, list_segments, list_systems, new_link
from pages.ui.evidence.keeping import evidence_file
from pages.ui.picker import Chosen

PAIR = "pages/debug/pair/page.py"
AGREEMENT = "pages/evaluate/agreement/page.py"
pytestmark = pytest.mark.embedded


def place(engine, beginning="Holmes"):
    """The parameters of the third segment and the last system of a campaign."""
    campaign = next(one.id for one in list_campaigns(engine) if one.name.startswith(beginning))
    segment, system = list_segments(engine, campaign)[2].id, list_systems(engine, campaign)[-1].id
    return {"campaign": str(campaign), "segment": str(segment), "system": str(system)}


def state(at):
    """What the address says, each parameter as one text, without the language."""
    found = {name: at.query_params[name] for name in at.query_params}
    return {
        name: value[0] if isinstance(value, list) else value
        for name, value in found.items()
        if name != "lang"
    }


def come(at, page, **parameters):
    """Come to a page with these parameters in the address."""
    for name, value in parameters.items():
        at.query_params[name] = value
    at.switch_page(page).run()
    assert not at.exception
    return at


@pytest.fixture
def opened(start, backends, monkeypatch):
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)
    return start


@pytest.mark.parametrize(("lang", "tab"), [("en", "Names (readings)"), ("ja", "固有名詞（読み）")])
def test_an_address_opens_a_pair_at_a_tab_and_a_token_with_its_partner(opened, engine, lang, tab):
    asked = place(engine)
    at = come(opened(lang), PAIR, **asked, tab="names", token="3")
    assert at.selectbox(key=f"segment-{asked['campaign']}").value == int(asked["segment"])
    assert at.selectbox(key=f"system-{asked['campaign']}").value == int(asked["system"])
    assert not at.warning
    shown = state(at)
    assert {**shown, "partner": ""} == {**asked, "tab": "names", "token": "3", "partner": ""}
    assert int(shown["partner"]) >= 0


def test_a_choice_is_written_into_the_address_and_a_token_leaves_with_it(opened, engine):
    asked = place(engine)
    at = come(opened(), PAIR, **asked, token="3")
    at.selectbox(key="focus-reference").set_value(None).run()
    assert "token" not in state(at)
    other = list_segments(engine, int(asked["campaign"]))[0].id
    at.selectbox(key=f"segment-{asked['campaign']}").set_value(other).run()
    assert state(at)["segment"] == str(other)


@pytest.mark.slow
def test_going_back_shows_the_earlier_address_and_a_late_one_loses_to_a_click(opened, engine):
    asked = place(engine)
    key = f"segment-{asked['campaign']}"
    first, second = (one.id for one in list_segments(engine, int(asked["campaign"]))[:2])
    at = come(opened(), PAIR, **asked)
    at.selectbox(key=key).set_value(first).run()
    at.query_params["segment"] = asked["segment"]  # what the browser sends after Back
    at.run()
    assert at.selectbox(key=key).value == int(asked["segment"])
    at.query_params["segment"] = str(first)  # an address that the browser had before it heard of the new one
    at.selectbox(key=key).set_value(second).run()
    assert at.selectbox(key=key).value == second
    assert state(at)["segment"] == str(second)


def test_forward_is_followed_although_the_run_after_back_never_ended():
    def page():
        import streamlit as st

        from pages.ui import address

        parts = [address.choice("colour", "colour")]
        asked = address.read(parts)
        st.selectbox("colour", ["red", "green", "blue"], key="colour")
        if st.session_state.get("interrupted"):
            st.stop()
        address.settle(asked)

    at = AppTest.from_function(page).run()
    at.selectbox(key="colour").set_value("green").run()
    at.session_state["interrupted"] = True
    at.query_params["colour"] = "red"  # Back, and the run that shows it is interrupted
    at.run()
    assert at.selectbox(key="colour").value == "red"
    at.session_state["interrupted"] = False
    at.query_params["colour"] = "green"  # Forward
    at.run()
    assert at.selectbox(key="colour").value == "green"
    assert at.query_params["colour"] in ("green", ["green"])


@pytest.mark.parametrize(
    "wrong", ["999999", *(pytest.param(one, marks=pytest.mark.slow) for one in ("x", "-1", "<b>"))]
)
@pytest.mark.parametrize("name", ["campaign", "segment", "system", "token", "tab"])
def test_what_is_not_there_ends_in_one_sentence_and_the_default(opened, engine, name, wrong):
    at = come(opened(), PAIR, **{**place(engine), name: wrong})
    (warning,) = at.warning
    assert warning.value.startswith("The address asks for something that is not here:")
    assert name in warning.value
    assert wrong not in warning.value
    assert state(at).get(name) != wrong
    assert at.get("plotly_chart")


def test_typed_texts_never_enter_the_address(opened, type_pair):
    at = type_pair(come(opened(), PAIR), "猫がいる。", "犬がいる。")
    assert set(state(at)) == {"origin", "tab"}
    assert any("Texts that you typed are not in the address." in one.proto.body for one in at.get("html"))


def test_the_copied_link_has_what_is_shown_and_not_the_visitors_own_token(opened, engine):
    opened()
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    token = new_link(engine, OPERATOR, role="organiser")
    at.query_params["k"], at.query_params["lang"] = token, "en"
    at.run()
    asked = place(engine)
    at = come(at, PAIR, k=token, **asked, tab="words")
    (link,) = [one.value for one in at.code if "/pair?" in one.value]
    assert {name: value for name, (value,) in parse_qs(urlsplit(link).query).items()} == {
        **asked,
        "tab": "words",
    }
    assert token not in link
    assert state(at)["as"]
    assert "k" not in state(at)


def test_the_saved_evidence_has_the_texts_the_score_and_its_trace():
    pair = TextPair(reference="ab", hypothesis="ab", source=None, lang="en")
    saved = json.loads(evidence_file(Chosen(pair=pair), [score_chrf(pair)]))
    assert saved["reference"] == "ab"
    assert saved["results"][0]["score"] == 100
    assert saved["results"][0]["trace"]


def test_two_raters_stand_in_the_address_by_their_numbers(opened, engine):
    campaign = int(place(engine, "Wikipedia")["campaign"])
    at = come(opened(), AGREEMENT, campaign=str(campaign), tab="agreement")
    at.selectbox(key="agreement-pair").set_value(("position-2", "position-3")).run()
    told = state(at)
    assert told["first"].isdigit()
    assert told["second"].isdigit()
    again = come(opened(), AGREEMENT, **told)
    assert again.selectbox(key="agreement-pair").value == ("position-2", "position-3")
    assert not again.warning


@pytest.mark.slow
def test_the_hack_lab_opens_at_its_pair_and_leads_to_the_lens(opened, engine):
    asked = place(engine)
    at = come(opened(), "pages/debug/hacks/page.py", **asked, tab="pair")
    assert at.selectbox(key=f"segment-{asked['campaign']}").value == int(asked["segment"])
    assert state(at) == {**asked, "tab": "pair"}
    at.button(key="hack-lens").click().run()
    assert not at.exception
    assert at.header[0].value == "A pair under the lens"
    assert at.selectbox(key=f"segment-{asked['campaign']}").value == int(asked["segment"])


def test_metrics_against_people_open_at_a_tab_with_a_coefficient(scored, opened, engine):
    asked = {"campaign": place(engine, "Wikipedia")["campaign"], "coefficient": "kendall", "tab": "systems"}
    at = come(opened(), "pages/debug/meta/page.py", **asked)
    assert not at.warning
    assert at.segmented_control(key="meta-coefficient").value == "kendall"
    shown = state(at)
    assert {name: shown[name] for name in asked} == asked
    at.segmented_control(key="meta-coefficient").set_value("pearson").run()
    assert state(at)["coefficient"] == "pearson"
