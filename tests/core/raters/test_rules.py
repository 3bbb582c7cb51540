"""Rules as they are declared and stored."""

import json

import pytest

from core.errors import InputError
from core.raters.rules import Rules, check_rules, rules_for, rules_from_json, rules_to_json


def test_rules_come_back_from_json_as_they_were():
    rules = Rules(repeat_error=15, degraded_p=None, same_run=12, drift_n=50)
    assert rules_from_json(json.loads(json.dumps(rules_to_json(rules)))) == rules


def test_what_was_not_declared_has_its_default_and_what_is_unknown_is_passed_over():
    assert rules_from_json({}) == Rules()
    assert rules_from_json({"repeat_error": 10, "of_another_version": True}) == Rules(repeat_error=10)
    assert (Rules().degraded_p, Rules().repeat_error, Rules().same_share) == (0.10, 20, 0.8)


def test_letters_are_read_three_times_as_fast_as_characters():
    assert (rules_for("ja").pace, rules_for("zh").pace, rules_for("en").pace) == (1500, 1500, 4500)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"repeat_error": -1}, "“repeat_error” needs a number of 0 or more"),
        ({"pace": float("nan")}, "“pace” needs a number of 0"),
        ({"degraded_p": 1.5}, "“degraded_p” is a share"),
        ({"same_share": "0.8"}, "“same_share” needs a number"),
        ({"same_share": True}, "“same_share” needs a number"),
        ({"repeat_n": 2.5}, "“repeat_n” needs a whole number"),
        ({"pace_n": None}, "“pace_n” needs a whole number"),
        ({"drift_p": None}, "“drift_p” needs a number"),
    ],
    ids=["negative", "nan", "share", "text", "truth", "fraction", "no-count", "no-p"],
)
def test_a_threshold_that_makes_no_sense_is_refused(change, words):
    with pytest.raises(InputError, match=words):
        check_rules(Rules(**change))
    with pytest.raises(InputError, match=words):
        rules_from_json(change)
