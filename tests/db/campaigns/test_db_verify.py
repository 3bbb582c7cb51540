"""A third party checks a campaign's blinding with nothing but its history."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.errors import InputError
from db.__main__ import main
from db.campaigns.export import read_bundle, write_bundle
from db.campaigns.load import load_bundle
from db.campaigns.reporting import gather
from db.cli.files import sentences, verify
from db.design import Design
from db.formats import get_format
from db.formats.bundle import ReadOptions
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, items_of, look, new_link, save_rating
from db.queries.manage import set_campaign, set_state
from db.queries.narrowing import bring_forward
from db.queries.sealed import Seal, seal_of
from db.records import RatingRecord
from tests.support.db_bundles import small_bundle


@pytest.fixture
def history(engine, campaign, tmp_path):
    """Take the history of the campaign, sealed and rated by two by name and one by a link, in a state."""
    set_state(engine, OPERATOR, campaign, "draft")
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol="adequacy", design=Design(sealed=True))
    set_state(engine, OPERATOR, campaign, "open")
    token = new_link(engine, OPERATOR, role="rater", campaign_id=campaign, name="Chiyo")
    by_name = [enter_rater(engine, name).id for name in ("Aki", "Ｂｅｎ")]
    for rater in (*by_name, look(engine, token).rater_id):
        ensure_items(engine, campaign, rater)
        save_rating(engine, item_id=items_of(engine, campaign, rater)[0].id, rater_id=rater, score=50)

    def taken(state):
        if state != "open":
            set_state(engine, OPERATOR, campaign, state)
        path = tmp_path / f"{state}.jsonl"
        write_bundle(read_bundle(engine, campaign, history=True), "history", path)
        return path

    return taken


def read(path):
    return get_format("history").read(path, ReadOptions())


def test_while_sealed_the_file_tells_the_commitment_and_no_name(engine, campaign, history):
    path = history("open")
    bundle = read(path)
    told = {row.system for row in (*bundle.outputs, *bundle.items, *bundle.ratings)}
    assert told | {row.name for row in bundle.systems} == {"System A", "System B", "System C", "refA"}
    assert "nonce" not in bundle.meta.seal
    found = verify(bundle)
    assert (found.sealed, found.opened) == (True, False)
    assert found.commitment == seal_of(engine, campaign)[0]
    assert (found.computable, found.orders, found.other) == (True, 3, ())


def test_after_closing_names_and_orders_can_be_checked(engine, campaign, history):
    found = verify(read(history("closed")))
    assert (found.opened, found.computable, found.orders, found.other) == (True, True, 3, ())
    told = " ".join(sentences(found))
    assert found.commitment in told
    assert "orders of all 3 raters" in told


def changed(path, tmp_path, change):
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    change(lines)
    other = tmp_path / "changed.jsonl"
    other.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), "utf-8")
    return read(other)


def test_a_name_that_was_swapped_afterwards_is_found(history, tmp_path):
    def swap(lines):
        names = lines[0]["campaign"]["seal"]["names"]
        names["ash"], names["beech"] = names["beech"], names["ash"]

    with pytest.raises(InputError, match="does not fit"):
        verify(changed(history("closed"), tmp_path, swap))


def test_an_order_that_was_changed_is_found(history, tmp_path):
    def swap(lines):
        items = [line["item"] for line in lines if "item" in line]
        first, second, *_ = [item for item in items if item["rater"] == "Aki"]
        first["place"], second["place"] = second["place"], first["place"]

    found = verify(changed(history("closed"), tmp_path, swap))
    assert found.other == ("Aki",)
    assert "Not in the order of the seed: Aki" in " ".join(sentences(found))


def test_a_copy_has_the_same_order_but_not_the_seal(engine, history):
    copy = load_bundle(engine, read(history("closed")), "Copy").campaign_id
    assert seal_of(engine, copy) is None
    again = verify(read_bundle(engine, copy, history=True))
    assert (again.sealed, again.orders, again.other) == (False, 3, ())


def ended(*command):
    with pytest.raises(SystemExit) as raised:
        main([*command])
    return raised.value.code or 0


def test_the_command_says_it(history, capsys):
    assert ended("verify", str(history("closed"))) == 0
    assert "The seal fits the names" in capsys.readouterr().out


def test_the_command_ends_with_status_1_where_an_order_is_another_one(history, tmp_path, capsys):
    def swap(lines):
        items = [line["item"] for line in lines if "item" in line]
        first, second, *_ = [item for item in items if item["rater"] == "Chiyo"]
        first["place"], second["place"] = second["place"], first["place"]

    changed(history("closed"), tmp_path, swap)
    assert ended("verify", str(tmp_path / "changed.jsonl")) == 1
    assert "Not in the order of the seed: Chiyo." in capsys.readouterr().out


def test_imported_raters_are_named_and_nobody_is_accused(engine, tmp_path, capsys):
    ratings = tuple(
        RatingRecord((f"doc{d}", n), "ash", "Judge", 50.0) for d, n in ((0, 2), (1, 1), (0, 0), (1, 3))
    )
    campaign = load_bundle(engine, replace(small_bundle(), ratings=ratings), "Imported").campaign_id
    path = tmp_path / "imported.jsonl"
    write_bundle(read_bundle(engine, campaign, history=True), "history", path)
    assert ended("verify", str(path)) == 0
    assert "which was not drawn here: Judge." in capsys.readouterr().out


DESIGNS = [
    Design(sealed=True),
    Design(sealed=True, raters=2, raters_per_item=1),
    Design(sealed=True, order="documents", raters=2, raters_per_item=1, repeats=0.2, references=0.2),
]


@pytest.mark.parametrize("design", DESIGNS, ids=["everything", "a-share", "documents-and-checks"])
@pytest.mark.parametrize("protocol", ["adequacy", "side-by-side"])
def test_neither_orders_nor_a_report_tell_in_which_order_the_systems_were_imported(
    engine, monkeypatch, design, protocol
):
    codes = {"ash": "System B", "beech": "System C", "cedar": "System A"}
    monkeypatch.setattr("db.queries.sealed.draw", lambda systems: Seal(names=codes, nonce="0" * 32))
    found = []
    for turn in (1, -1):
        bundle = small_bundle()
        bundle = replace(
            bundle,
            systems=bundle.systems[::turn],
            outputs=tuple(sorted(bundle.outputs, key=lambda row: (row.key, row.system))[::turn]),
            meta=replace(bundle.meta, seed=7),
        )
        campaign = load_bundle(engine, bundle, f"Turn {turn}", state="draft").campaign_id
        set_campaign(engine, OPERATOR, campaign, name=f"Turn {turn}", protocol=protocol, design=design)
        set_state(engine, OPERATOR, campaign, "open")
        rater = enter_rater(engine, "Aki").id
        ensure_items(engine, campaign, rater)
        item = items_of(engine, campaign, rater)[0]
        save_rating(engine, item_id=item.id, rater_id=rater, score=50)
        shown = read_bundle(engine, campaign, history=True)
        report = gather(engine, OPERATOR, campaign, language="en", method="raw")
        found.append((shown.items, shown.outputs, report.places.keys(), systems_of(report)))
    assert found[0] == found[1]
    assert len(found[0][0]) > 10


def systems_of(report):
    """The names of the systems by the numbers that the report prints."""
    return {number: (place.document, place.position, place.system) for number, place in report.places.items()}


def test_orders_that_were_chosen_while_people_rated_are_not_taken_for_others(engine, campaign, tmp_path):
    design = Design(order="ranking")
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol="adequacy", design=design)
    rater = enter_rater(engine, "Aki").id
    ensure_items(engine, campaign, rater)
    for place in range(12):
        item = items_of(engine, campaign, rater)[place]
        save_rating(engine, item_id=item.id, rater_id=rater, score=50 + 4 * place % 9)
        bring_forward(engine, campaign, rater, place + 1)
    path = tmp_path / "ranking.jsonl"
    write_bundle(read_bundle(engine, campaign, history=True), "history", path)
    found = verify(read(path))
    assert (found.computable, found.other) == (False, ())
    assert any("depend on more than the seed" in one for one in sentences(found))
