from __future__ import annotations

import pytest

from core.errors import FileError
from tests.support.pearmut_files import ONE, TWO, answer, campaign, entry, item, read_all


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (entry("Aki", 0, [TWO], [{"ash": answer(101)}]), "“ash.score”: is not a number from 0 to 100"),
        (entry("Aki", 0, [TWO], [{"ash": answer("5")}]), "“ash.score”: is not a number"),
        (entry("Aki", 0, [TWO], [{"elm": answer(5)}]), "field “tgt”: has no field “elm”"),
        (entry("Aki", 0, [TWO], []), "field “annotation”: has 0 answers to 1 items"),
        (entry("Aki", 0, [item(1, ash="x")], [{"ash": answer(5)}]), "“ash”: judges a text that the campaign"),
        (entry("Aki", 0, [item(7, ash="x")], [{"ash": answer(5)}]), "“ash”: judges a text that the campaign"),
        (entry(" ", 0, [TWO], [{"ash": answer(5)}]), "field “user_id”: the name is blank"),
        (
            {"user_id": "A", "item_i": 5, "annotation": [{"ash": answer(5)}]},
            "field “item_i”: “5” is not a document of the campaign",
        ),
        (
            entry(
                "A",
                0,
                [TWO],
                [{"ash": answer(5, error_spans=[{"start_i": 0, "end_i": 9, "severity": "minor"}])}],
            ),
            "field “end_i”: is 9, but the text has 1 characters",
        ),
        (
            entry("A", 0, [TWO], [{"ash": answer(5, error_spans=[{"start_i": 1.5, "end_i": 2}])}]),
            "field “start_i”: is not a whole number",
        ),
        (
            entry("A", 0, [TWO], [{"ash": answer(5)}], actions=[{"time": -1}]),
            "field “time”: is not a number of seconds",
        ),
        ({"other": []}, "holds no annotations of the campaign “c”"),
        ("text", "is not a JSON object"),
    ],
    ids=range(13),
)
def test_a_fault_of_an_annotation_is_said_with_its_line(tmp_path, given, message):
    good = entry("Bo", 0, [TWO], [{"ash": answer(5)}])
    with pytest.raises(FileError) as raised:
        read_all(tmp_path, campaign([TWO]), good, given)
    assert "c.jsonl, line 2: " in str(raised.value)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (campaign([{**ONE, "tgt": {"ash": 5}}]), "field “tgt.ash”: is not a text"),
        (campaign([{**ONE, "tgt": {"ash": "\0"}}]), "field “tgt.ash”: holds a character"),
        (campaign([{**ONE, "tgt": {" ": "x"}}]), "field “tgt. ”: the system is blank"),
        (campaign([{"src": "x"}]), "has no field “tgt”"),
        (campaign([ONE, {**TWO, "item_id": "novel_#_0"}]), "“novel_#_0” is the item_id of another item"),
        (campaign([ONE], [{**ONE, "tgt": {"ash": "other"}}]), "the system “ash” had another text"),
        (campaign(ONE), "is not a list"),
        (campaign(), "has no segments"),
        (campaign() | {"data": "x"}, "field “data”: is not a list"),
        ({"info": {}}, "must hold one campaign, an object with “data”, but holds 0"),
        ([], "must hold one campaign"),
    ],
    ids=range(11),
)
def test_a_fault_of_a_campaign_is_said_with_its_field(tmp_path, data, message):
    with pytest.raises(FileError) as raised:
        read_all(tmp_path, data)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_two_raters_whose_names_are_one_here_are_not_mixed_up(tmp_path):
    given = (entry(user, 0, [TWO], [{"ash": answer(5)}]) for user in ("aki", "AKI"))
    with pytest.raises(FileError, match="the raters “aki” and “AKI” would be one person here; rename one"):
        read_all(tmp_path, campaign([TWO]), *given)
