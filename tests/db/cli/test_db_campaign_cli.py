"""The command that shows and changes how a campaign is rated."""

from __future__ import annotations

import json

import pytest

from db.__main__ import main
from db.engine import make_engine
from db.queries import find_campaign


@pytest.fixture
def command(monkeypatch, capsys, url, engine, campaign):
    monkeypatch.setenv("YOMIKURABE_DB", url)

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main(["campaign", "--campaign", "Small", *arguments])
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err

    return run


def test_it_shows_what_each_rater_gets(command):
    status, out, _ = command()
    shown = json.loads(out)
    assert (status, shown["protocol"], shown["state"]) == (0, "adequacy", "open")
    assert shown["plan"] == {
        "translations": 36,
        "items_per_rater": 36,
        "checks_among_them": 0,
        "minutes_per_rater": shown["plan"]["minutes_per_rater"],
    }


def test_it_changes_protocol_shares_and_state(command, url):
    settings = ("protocol=esa", "raters=4", "raters_per_item=1", "vertical=yes", "left_out=ash,beech")
    status, out, _ = command(*(part for one in settings for part in ("--set", one)), "--state", "closed")
    assert (status, json.loads(out)["plan"]["items_per_rater"]) == (0, 3)  # 12 of one system, four raters
    stored = find_campaign(make_engine(url), "Small")
    assert (stored.protocol, stored.state) == ("esa", "closed")
    assert (stored.design["vertical"], stored.design["left_out"]) == (True, ["ash", "beech"])


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("colour=red", "the fields are protocol, source"),
        ("raters=many", "an integer"),
        ("repeats=some", "a fraction such as 0.1"),
        ("vertical=perhaps", "yes or no"),
        ("protocol=guess", "no protocol"),
        ("raters", "write FIELD=VALUE"),
        ("rules={}", "declared on the page of the campaign"),
    ],
)
def test_what_makes_no_sense_is_one_sentence_and_changes_nothing(command, url, setting, words):
    before = find_campaign(make_engine(url), "Small")
    status, out, err = command("--set", setting)
    assert (status, out) == (2, "")
    assert words in err
    assert find_campaign(make_engine(url), "Small") == before
