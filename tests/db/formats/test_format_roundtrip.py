"""Whatever a campaign says comes back from a file as far as the file's format holds it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from secrets import token_hex

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from db.campaigns.export import read_bundle, write_bundle
from db.campaigns.load import load_bundle
from db.formats import FORMATS
from db.formats.bundle import Bundle, ReadOptions
from tests.support.db_bundles import options
from tests.support.format_bundles import bundles, content

PROTOCOLS = {"adequacy": "csv jsonl", "esa": "xlsx pearmut history", "mqm": "mqm-tsv xlsx pearmut history"}
CASES = [(name, protocol) for protocol, names in PROTOCOLS.items() for name in names.split()]
FEW = settings(max_examples=25)


def there_and_back(bundle: Bundle, name: str, folder: Path, **told: object) -> tuple[Bundle, Bundle]:
    """What was written, and what was read."""
    path = folder / f"x{FORMATS[name].suffix}"
    written = write_bundle(bundle, name, path)
    return written, FORMATS[name].read(path, options(**told))


def must_agree(written: Bundle, found: Bundle, name: str) -> None:
    holds, digits = FORMATS[name].holds, 12 if name == "xlsx" else 20
    assert content(found, holds, digits=digits) == content(written, holds, digits=digits)


@FEW
@given(data=st.data())
@pytest.mark.parametrize(("name", "protocol"), CASES, ids=[f"{name}-{protocol}" for name, protocol in CASES])
def test_a_campaign_comes_back_from_each_format_as_far_as_it_holds_it(name, protocol, data, tmp_path_factory):
    bundle = data.draw(bundles(protocol))
    if name == "mqm-tsv":  # a text with these is refused
        assume(not any("<v>" in row.text or "</v>" in row.text for row in bundle.outputs))
        assume(not any("<v>" in (row.source or "") for row in bundle.segments))
    written, found = there_and_back(bundle, name, tmp_path_factory.mktemp("round"))
    must_agree(written, found, name)


@FEW
@given(bundle=bundles("esa", flat=True))
@pytest.mark.parametrize("name", ["tsv", "mtme"])
def test_a_campaign_without_line_breaks_comes_back_from_formats_of_lines(name, bundle, tmp_path_factory):
    written, found = there_and_back(bundle, name, tmp_path_factory.mktemp("round"))
    must_agree(written, found, name)


@FEW
@given(bundle=bundles("esa"))
@pytest.mark.parametrize("name", ["wmt-csv", "appraise-csv"])
def test_scores_without_texts_come_back_beside_the_texts(name, bundle, tmp_path_factory):
    folder = tmp_path_factory.mktemp("round")
    written = write_bundle(bundle, name, folder / "ratings.csv")
    write_bundle(replace(bundle, ratings=()), "jsonl", folder / "texts.jsonl")
    told = options(ratings_file=folder / "ratings.csv", ratings_format=name)
    if written.ratings:
        found = FORMATS["jsonl"].read(folder / "texts.jsonl", told)
        assert (
            content(found, FORMATS[name].holds)["ratings"] == content(written, FORMATS[name].holds)["ratings"]
        )


@pytest.mark.parametrize("protocol", ["esa", "mqm"])
def test_a_history_brings_the_whole_campaign_into_another_database(protocol, engine, tmp_path):
    @settings(max_examples=15)
    @given(bundle=bundles(protocol))
    def check(bundle):
        file = tmp_path / f"{token_hex(8)}.jsonl"
        first = read_bundle(engine, load_bundle(engine, bundle, f"{file.stem} 1").campaign_id, history=True)
        assert [row for row in bundle.ratings if row not in first.ratings] == []
        assert set(first.items) == set(bundle.items)
        written = write_bundle(first, "history", file)
        assert (written, written.notes) == (first, ())
        read = FORMATS["history"].read(file, ReadOptions())
        assert replace(read, ratings=()) == replace(first, ratings=())
        again = read_bundle(engine, load_bundle(engine, read, f"{file.stem} 2").campaign_id, history=True)
        assert replace(again, name=first.name) == first

    check()
