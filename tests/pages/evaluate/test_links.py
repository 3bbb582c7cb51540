"""The tab with the links: for one person or a list, shown until put away, given again, ended."""

from __future__ import annotations

import csv
import io

import pytest

from core.errors import AccessError
from core.text.locale import words
from db.permissions import OPERATOR
from db.queries import list_campaigns, list_links, look, open_link
from db.queries.links import make_links
from pages.ui.widgets import csv_bytes


@pytest.fixture
def holmes(engine):
    return next(one.id for one in list_campaigns(engine) if one.name.startswith("Holmes"))


@pytest.fixture
def tab(start, holmes):
    """The page *Manage campaigns* at the demo's links."""

    def opened():
        at = start("en", "pages/evaluate/manage/page.py")
        at.selectbox(key="campaign-manage").set_value(holmes)
        at.session_state["manage-tabs"] = words("en")["manage.tab.links"]
        at.run()
        assert not at.exception
        return at

    return opened


def make_for(at, name):
    at.text_input(key="link-name").set_value(name).run()
    at.button(key="link-make").click().run()
    assert not at.exception


def make_list(at, names):
    at.segmented_control(key="link-kind").set_value("list").run()
    at.text_area(key="link-names").set_value(names).run()
    at.button(key="link-make").click().run()
    assert not at.exception


def press(at, beginning):
    (button,) = [one for one in at.button if str(one.key).startswith(beginning)]
    button.click().run()
    assert not at.exception


def token(address):
    return address.split("?k=")[1]


def fresh(at, campaign):
    return at.session_state[f"links-fresh-{campaign}"]


def test_fresh_links_say_whose_they_are_and_are_all_shown_until_they_are_put_away(
    tab, engine, holmes, html_of
):
    at = tab()
    make_for(at, "Aki")
    make_for(at, "Ben *boss*")
    assert [look(engine, token(one.value)).name for one in at.code] == ["Ben *boss*", "Aki"]
    page = html_of(at)
    assert "New links: 2" in page
    assert page.index("Ben *boss*") < page.index("Aki")
    press(at, "links-away-")
    assert not at.code
    assert "New links: 2" not in html_of(at)


def test_a_list_becomes_links_with_a_file_and_an_empty_field(tab, engine, holmes, html_of):
    at = tab()
    make_list(at, "春香\n\nBen\n=1+1\n@chie\n")
    made = fresh(at, holmes)
    assert [one.name for one in made] == ["春香", "Ben", "=1+1", "@chie"]
    assert at.text_area(key="link-names").value == ""
    page = html_of(at)
    for one in made:
        assert look(engine, one.token).name == one.name
        assert one.token in page
    assert [one.proto.label for one in at.get("download_button")] == ["Download as CSV"]


def test_the_file_opens_in_a_spreadsheet_and_no_name_in_it_is_a_formula():
    rows = [("春香", "https://x/?k=1"), ("=1+1", "https://x/?k=2"), ("-a", "b"), ("+a", "b"), ("@a", "b")]
    data = csv_bytes(("name", "link"), rows)
    assert data.startswith(b"\xef\xbb\xbf")
    read = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert read[0] == ["name", "link"]
    assert [row[0] for row in read[1:]] == ["春香", "'=1+1", "'-a", "'+a", "'@a"]


def test_a_list_with_a_name_twice_is_a_sentence_and_stays_to_be_corrected(tab, engine, holmes):
    at = tab()
    make_list(at, "Aki\nBen\nAki")
    assert ["is in the list twice" in one.value for one in at.error] == [True]
    assert at.text_area(key="link-names").value == "Aki\nBen\nAki"
    assert list_links(engine, OPERATOR, holmes) == []


def test_a_link_is_given_again_and_the_page_says_that_the_old_one_ends(tab, engine, holmes, html_of):
    (old,) = make_links(engine, OPERATOR, campaign_id=holmes, names="Aki")
    at = tab()
    assert "the old ones end at once" in html_of(at)
    at.multiselect(key="link-chosen").set_value([old.link_id]).run()
    press(at, "link-renew")
    assert look(engine, token(at.code[0].value)).name == "Aki"
    with pytest.raises(AccessError):
        look(engine, old.token)
    assert at.multiselect(key="link-chosen").value == []


@pytest.mark.slow
def test_new_links_for_all_who_have_not_come_replace_the_fresh_ones_that_were_shown(tab, engine, holmes):
    at = tab()
    make_list(at, "Aki\nBen\nChie")
    first = fresh(at, holmes)
    open_link(engine, first[0].token)
    at.run()
    press(at, "links-unopened-")
    shown = fresh(at, holmes)
    assert [one.name for one in shown] == ["Ben", "Chie", "Aki"]
    assert shown[2] == first[0]
    assert all(look(engine, one.token).name == one.name for one in shown)


def test_a_link_that_is_ended_is_shown_no_more_and_can_be_given_again(tab, engine, holmes):
    at = tab()
    make_for(at, "Aki")
    number = list_links(engine, OPERATOR, holmes)[0].id
    at.multiselect(key="link-chosen").set_value([number]).run()
    press(at, "link-revoke")
    assert not at.code
    assert list_links(engine, OPERATOR, holmes)[0].revoked_at is not None
    at.multiselect(key="link-chosen").set_value([number]).run()
    press(at, "link-renew")
    assert look(engine, token(at.code[0].value)).name == "Aki"


def test_a_link_for_a_class_cannot_be_given_again(tab, engine, holmes):
    at = tab()
    at.segmented_control(key="link-kind").set_value("class").run()
    at.button(key="link-make").click().run()
    number = list_links(engine, OPERATOR, holmes)[0].id
    at.multiselect(key="link-chosen").set_value([number]).run()
    (renew,) = [one for one in at.button if one.key == "link-renew"]
    assert renew.disabled


def test_the_list_says_in_one_word_what_a_link_makes_of_its_person(tab, engine, holmes, html_of):
    make_links(engine, OPERATOR, campaign_id=holmes, names="Aki", part="panel")
    at = tab()
    page = html_of(at)
    assert "<td>Aki</td><td>panel</td>" in page
    assert ">Role<" not in page
