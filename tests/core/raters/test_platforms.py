"""Crowd platforms: which parameters of an address are kept, and the address that participants go back to."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.raters.platforms import (
    PLATFORMS,
    check_address,
    check_parameters,
    completion_address,
    kept_values,
    platform_of,
)

PROLIFIC = PLATFORMS["prolific"]


def test_only_the_parameters_of_the_list_are_kept_in_its_order():
    given = {"utm": "x", "SESSION_ID": "s9", "PROLIFIC_PID": "5f3", "STUDY_ID": ""}
    assert list(kept_values(PROLIFIC.parameters, given).items()) == [
        ("PROLIFIC_PID", "5f3"),
        ("SESSION_ID", "s9"),
    ]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"STUDY_ID": "7"},
        {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"},
        {"PROLIFIC_PID": "a b"},
        {"PROLIFIC_PID": "山田"},
        {"PROLIFIC_PID": "<b>"},
        {"PROLIFIC_PID": "x" * 101},
        {"PROLIFIC_PID": "7", "SESSION_ID": "line\nbreak"},
    ],
)
def test_an_address_without_an_id_or_with_something_else_is_refused(given):
    with pytest.raises(InputError, match="open the study"):
        kept_values(PROLIFIC.parameters, given)


def test_the_address_to_go_back_to_has_the_code_and_the_values_escaped():
    address = "https://example.org/done?cc={code}&who={workerId}&no={hitId}"
    assert completion_address(address, "A B&c=1", {"workerId": "W:7"}) == (
        "https://example.org/done?cc=A%20B%26c%3D1&who=W%3A7&no="
    )
    assert (
        completion_address(PROLIFIC.address, "C1ABC", {})
        == "https://app.prolific.com/submissions/complete?cc=C1ABC"
    )


@given(code=st.text(min_size=1, max_size=40).filter(lambda text: not set(text) & set("\ud800\udfff")))
def test_whatever_the_code_is_it_stays_one_value_of_the_address(code):
    try:
        code.encode()
    except UnicodeEncodeError:
        return
    parts = urlsplit(completion_address(PROLIFIC.address, code, {}))
    assert (parts.scheme, parts.netloc) == ("https", "app.prolific.com")
    assert parse_qs(parts.query, keep_blank_values=True, strict_parsing=True) == {"cc": [code]}


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/{code}",
        "javascript:alert(1)",
        "https://",
        "https:///path",
        "example.org",
        "https://{code}.example.org",
        "https://example.org@evil.org/",
        "https://example.org/ {code}",
        "https://example.org\\@evil.org/",
        "https://[::1",
    ],
)
def test_an_address_that_does_not_lead_to_a_site_by_https_is_refused(address):
    with pytest.raises(InputError, match="begin with https"):
        check_address(address, ())


def test_a_place_that_nothing_stands_for_is_named():
    with pytest.raises(InputError, match=r"\{hitId\}.*write \{code\}"):
        check_address("https://example.org/{hitId}", ("workerId",))
    check_address("https://example.org/{hitId}?c={code}", ("workerId", "hitId"))
    check_address("", ())


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("a b",), "cannot be a parameter"),
        (("",), "cannot be a parameter"),
        (("k",), "uses the parameter"),
        (("lang",), "uses the parameter"),
        (("code",), "uses the parameter"),
        (("pid", "pid"), "twice"),
        (tuple("abcdefg"), "At most 6"),
    ],
)
def test_names_that_cannot_be_kept_are_refused(names, said):
    with pytest.raises(InputError, match=said):
        check_parameters(names)


def test_a_platform_is_known_by_its_parameters():
    for platform in PLATFORMS.values():
        check_parameters(platform.parameters)
        check_address(platform.address, platform.parameters)
        assert platform_of(list(platform.parameters)) is platform
    assert platform_of(()) is None
    assert platform_of(("PROLIFIC_PID",)) is None
