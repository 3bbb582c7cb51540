"""A third party checks a campaign's blinding with nothing but its history."""

from __future__ import annotations

import json

import pytest

from core.errors import InputError
from db.__main__ import main
from db.campaigns.export import read_bundle, write_bundle
from db.campaigns.load import load_bundle
from db.cli.files import sentences, verify
from db.design import Design
from db.formats import get_format
from db.formats.bundle import ReadOptions
from db.permissions import OPERATOR
from db.queries import ensure_items, enter_rater, items_of, save_rating
from db.queries.manage import set_campaign, set_state
from db.queries.sealed import seal_of


@pytest.fixture
def history(engine, campaign, tmp_path):
    """Take the history of the campaign, sealed and rated by two, in a state."""
    set_state(engine, OPERATOR, campaign, "draft")
    set_campaign(engine, OPERATOR, campaign, name="Small", protocol="adequacy", design=Design(sealed=True))
    set_state(engine, OPERATOR, campaign, "open")
    for name in ("Aki", "Ｂｅｎ"):
        rater = enter_rater(engine, name).id
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


def test_after_closing_names_and_orders_can_be_checked(engine, campaign, history):
    found = verify(read(history("closed")))
    assert (found.opened, found.computable, found.orders, found.other) == (True, True, 2, ())
    told = " ".join(sentences(found))
    assert found.commitment in told
    assert "orders of all 2 raters" in told


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
    assert (again.sealed, again.orders, again.other) == (False, 2, ())


def test_the_command_says_it(history, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(history("closed"))])
    assert ended.value.code in (0, None)
    assert "The seal fits the names" in capsys.readouterr().out
