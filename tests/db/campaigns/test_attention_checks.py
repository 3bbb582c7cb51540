"""A damaged text is worse than its original, or it is no check."""

from __future__ import annotations

import pytest

from db.campaigns.attention_checks import LEAST_CHANGE, problem_of
from db.records import TranslationRecord


def translation(text, *, reference="", source=None):
    return TranslationRecord(
        id=1,
        segment_id=1,
        system_id=1,
        system="pine",
        is_reference=False,
        document="d",
        position=0,
        source=source,
        reference=reference,
        text=text,
    )


@pytest.mark.parametrize(
    ("text", "after", "reference"),
    [
        ("彼は知っている。", "彼は知っていない。", "彼は知らない。"),  # the translation was wrong before
        ("He saw three cats.", "He saw two cats.", "He saw two cats."),
        ("Ann hit Bob.", "Bob hit Ann.", "It was Bob who hit Ann."),
    ],
)
def test_damage_that_moves_a_text_towards_its_reference_is_refused(text, after, reference):
    assert problem_of(translation(text, reference=reference), after, LEAST_CHANGE) == "better"


def test_damage_that_moves_a_text_towards_its_source_is_refused():
    one = translation("Holmes came.", reference="xyz", source="Watson kam.")
    assert problem_of(one, "Watson came.", LEAST_CHANGE) == "better"


@pytest.mark.parametrize(("letters", "problem"), [(1519, "small"), (99, None)])
def test_one_character_is_damage_in_a_short_text_and_none_in_a_long_one(letters, problem):
    text = "第一" + "あ" * (letters - 2)
    after = text.replace("一", "二")
    assert problem_of(translation(text, reference=text), after, LEAST_CHANGE) == problem


def test_damage_that_leads_away_from_the_reference_is_a_check():
    one = translation("He saw two cats.", reference="He saw two cats there.", source="Er sah zwei Katzen.")
    assert problem_of(one, "He saw nine cats.", LEAST_CHANGE) is None
