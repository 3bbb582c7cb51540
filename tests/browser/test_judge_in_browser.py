"""Asking a language model from a real browser: two windows spend once, and a run can be stopped."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.slow

ASK, STOP = "Ask the language model", "Stop"


def judge_tab(server, page, wanted="errors"):
    page.goto(f"{server.address}/pair")
    page.get_by_role("tab", name="Judge").click()
    page.get_by_text(wanted, exact=True).click()
    expect(page.get_by_role("button", name=ASK)).to_be_visible()
    return page


def test_two_windows_that_ask_the_same_at_once_make_one_call(server, visitor):
    windows = [judge_tab(server, visitor()) for _ in range(2)]
    before = len(server.model.requests)
    for page in windows:
        page.get_by_role("button", name=ASK).click()
    for page in windows:
        expect(page.get_by_text("The language model found no error.")).to_be_visible()
    assert len(server.model.requests) == before + 1


def test_a_run_can_be_stopped_and_what_was_asked_is_kept(server, visitor):
    page = judge_tab(server, visitor(), "a score")
    before = len(server.model.requests)
    page.get_by_role("button", name=ASK).click()
    page.get_by_role("button", name=STOP).click()
    expect(page.get_by_role("button", name=STOP)).to_have_count(0)
    page.wait_for_timeout(4000)  # the call that was on its way comes home
    page.reload()
    page.get_by_role("tab", name="Judge").click()
    page.get_by_text("a score", exact=True).click()
    expect(page.get_by_text("Raw replies (1)").first).to_be_visible()
    assert len(server.model.requests) == before + 1


@pytest.mark.heavy
def test_a_run_of_many_calls_ends_with_those_on_their_way_when_it_is_stopped(server, visitor):
    page = visitor()
    page.goto(f"{server.address}/pair")
    page.get_by_role("tab", name="Judge").click()
    replies = page.get_by_role("spinbutton", name="Replies")
    replies.fill("10")
    replies.press("Enter")
    expect(page.get_by_role("button", name=ASK)).to_be_visible()
    before = len(server.model.requests)
    page.get_by_role("button", name=ASK).click()
    page.get_by_role("button", name=STOP).click()
    expect(page.get_by_role("button", name=STOP)).to_have_count(0)
    page.wait_for_timeout(5000)  # four go at once; those on their way come home
    assert 1 <= len(server.model.requests) - before <= 4
