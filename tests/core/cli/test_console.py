"""What all commands share: tables, and options that several values fit."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from core.cli.console import table
from core.cli.options import choose, in_domain, named_files, parse_settings
from core.errors import OptionError


def test_columns_of_a_table_are_aligned_also_with_wide_characters():
    text = table([("system", "n"), ("訳者の会", "1"), ("ｶ é\ta", "12")], right=(1,))
    assert text == "system     n\n訳者の会   1\nｶ é a     12\n"
    assert {cell_len(line) for line in text.splitlines()} == {12}


def test_settings_belong_to_the_metrics_that_are_given():
    settings = parse_settings("chrf, bleu,chrf", ["bleu.tokenize=char"])
    assert list(settings.items()) == [("chrf", {}), ("bleu", {"tokenize": "char"})]
    assert parse_settings("bleu", ["tokenize=a=b"]) == {"bleu": {"tokenize": "a=b"}}


@pytest.mark.parametrize("assignment", ["a", "=x", "a=", " =x"])
def test_a_named_file_has_a_name_and_a_path(assignment):
    with pytest.raises(OptionError, match="write NAME=FILE"):
        named_files([assignment], "--system")


def test_a_choice_is_one_of_the_choices():
    assert choose("--scale", "z", ("z", "raw")) == "z"
    with pytest.raises(OptionError, match=r"^--scale rank: choose from z, raw\.$"):
        choose("--scale", "rank", ("z", "raw"))


def test_segments_of_a_domain():
    documents = [("news", "a"), ("novel", "b"), ("news", "c")]
    assert in_domain("news", documents) == [True, False, True]
    assert in_domain(None, documents) == [True] * 3
    with pytest.raises(OptionError, match=r"choose from \(none\)"):
        in_domain("news", [("", "0")])
