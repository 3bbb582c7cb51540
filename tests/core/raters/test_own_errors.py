"""Error lists of a campaign's own: checked, offered by the protocol, and weighed."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from core.errors import InputError, RatingError
from core.raters.own_errors import (
    category_lines,
    errors_from_json,
    parse_categories,
    parse_errors,
    parse_severities,
    severity_lines,
)
from core.raters.prefilled import fitting
from core.raters.protocols import (
    NON_TRANSLATION,
    PROTOCOLS,
    MarkedSpan,
    campaign_protocol,
    check_spans,
    mqm_score,
)

CATEGORIES = "accuracy/omission | Omission | 訳抜け\nstyle/voice | Voice"
SEVERITIES = "slip | 0.5 | Slip | 小さな傷\nfatal | 25 | Fatal | 致命傷\nremark | 0 | Remark"
OWN = errors_from_json(
    {
        "categories": [asdict(one) for one in parse_categories(CATEGORIES)],
        "severities": [asdict(one) for one in parse_severities(SEVERITIES)],
    }
)


def own(name):
    return campaign_protocol(PROTOCOLS[name], scales=(), errors=OWN)


def span(severity, category="style/voice", **more):
    return MarkedSpan(0, 2, severity, category, **more)


def test_lists_come_back_from_json_and_from_their_lines():
    assert parse_errors(json.dumps(asdict(OWN))) == OWN
    assert parse_categories(category_lines(OWN.categories)) == OWN.categories
    assert parse_severities(severity_lines(OWN.severities)) == OWN.severities
    assert OWN.words("accuracy/omission") == ("Omission", "訳抜け")
    assert OWN.words("major") is None


@pytest.mark.parametrize("name", ["esa", "mqm"])
def test_a_protocol_that_marks_errors_offers_the_lists(name):
    assert own(name).severities == ("slip", "fatal", "remark")
    assert own(name).categories == ("accuracy/omission", "style/voice")
    assert own(name).scored == PROTOCOLS[name].scored


def test_a_list_that_is_left_out_stays_the_protocols_and_a_score_alone_has_none():
    only = errors_from_json({"categories": [{"name": "a", "en": "A"}]})
    protocol = campaign_protocol(PROTOCOLS["mqm"], scales=(), errors=only)
    assert protocol.severities == PROTOCOLS["mqm"].severities
    assert protocol.categories == ("a",)
    assert own("adequacy").severities == ()
    assert own("reading") == PROTOCOLS["reading"]


def test_own_weights_are_summed_and_googles_special_cases_do_not_hold():
    """.5 + .5 + 25 + 0 = 26; the 25 of one error is no non-translation, which would be the whole score."""
    spans = [span("slip"), span("slip", NON_TRANSLATION), span("fatal"), span("remark")]
    assert mqm_score(spans, errors=OWN) == -26
    assert mqm_score([span("slip")] * 7, errors=OWN, five_errors=True) == -2.5
    assert mqm_score([], errors=OWN) == 0


def test_own_categories_alone_leave_googles_weights():
    only = errors_from_json({"categories": [{"name": "fluency/punctuation", "en": "Commas"}]})
    spans = [span("minor", "fluency/punctuation"), span("major", "other")]
    assert mqm_score(spans, errors=only) == mqm_score(spans) == -5.1


def test_an_omission_without_a_place_is_marked_with_own_lists():
    missing = MarkedSpan(0, 0, "fatal", "accuracy/omission", missing=True)
    check_spans([missing], own("mqm"), {"target": 9, "source": 9})
    assert mqm_score([missing], errors=OWN) == -25
    with pytest.raises(RatingError, match="“major” is not a severity here"):
        check_spans([span("major")], own("mqm"), {"target": 9, "source": 9})


def test_marks_from_elsewhere_become_the_gravest_of_the_own_severities():
    (fitted,) = fitting([span("critical", "fluency/grammar")], own("esa"))
    assert (fitted.severity, fitted.category) == ("fatal", "")


FAULTS = [
    ({"categories": [{"name": "Accuracy", "en": "A"}]}, "must be a path of lower-case letters"),
    ({"categories": [{"name": "a//b", "en": "A"}]}, "must be a path"),
    ({"categories": [{"name": "a"}]}, "“a” has no words"),
    ({"categories": [{"name": "a", "en": "x" * 101}]}, "more than 100 characters"),
    ({"categories": [{"name": "a", "en": "A"}] * 2}, "called “a”"),
    ({"categories": [{"name": f"a{n}", "en": "A"} for n in range(101)]}, "At most 100 categories and 9"),
    ({"categories": [{"name": 1}]}, "is not an object with the fields name, en, ja"),
    ({"categories": "a"}, "an object with the lists"),
    ({"colours": []}, "an object with the lists"),
    ({"severities": [{"name": "a", "en": "A"}]}, "with the fields name, en, ja, weight"),
    ({"severities": [{"name": "a", "en": "A", "weight": -1}]}, "“a” is not a number from 0 to 100"),
    ({"severities": [{"name": "a", "en": "A", "weight": True}]}, "“a” is not a number from 0 to 100"),
    ({"severities": [{"name": "a", "en": "A", "weight": 10**400}]}, "“a” is not a number from 0 to 100"),
    ({"severities": [{"name": "a b", "en": "A", "weight": 1}]}, "must be 1 to 20 lower-case letters"),
]


@pytest.mark.parametrize(("stored", "said"), FAULTS)
def test_each_fault_of_a_list_has_one_clear_sentence(stored, said):
    with pytest.raises(InputError, match=said):
        errors_from_json(stored)


def test_faults_in_typed_lines_name_the_line():
    with pytest.raises(InputError, match="“heavy” in line 2 of the severities"):
        parse_severities("slip | 1 | Slip\nfatal | heavy | Fatal")
    with pytest.raises(InputError, match="Line 1 has 1 cells"):
        parse_categories("accuracy")
