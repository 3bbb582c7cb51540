"""A grid that was stopped or killed goes on where it was, and only a grid of the same texts does."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from core.errors import FileError
from core.grid import store as stores
from core.grid.run import Axis, rows
from core.grid.store import Store
from core.types import TextPair
from tests.support.grid_fakes import PAIRS, Encoders, grid_of, ran, subject


@pytest.fixture
def encoders() -> Encoders:
    return Encoders()


@pytest.mark.parametrize("reached", [0, 1, 2, 3])
def test_a_grid_that_is_stopped_goes_on_and_gives_the_same_table(encoders, tmp_path, monkeypatch, reached):
    monkeypatch.setattr("core.grid.run.PAIRS_AT_ONCE", 1)
    whole = rows(ran(grid_of(encoders)))
    grid, store = grid_of(Encoders()), Store(tmp_path / "kept", PAIRS)
    for done in grid.run(store):
        if done > reached:
            break
    fresh = Encoders()
    assert rows(ran(grid_of(fresh), Store(tmp_path / "kept", PAIRS))) == whole
    again = {text for pair in PAIRS[reached + 1 :] for text in (pair.reference, pair.hypothesis)}
    assert set(fresh.read("embedded")) == again  # and nothing that was scored before


@pytest.mark.parametrize("share", [0, 0.02, 0.1, 0.3, 0.5, 0.77, 0.999, 1])
def test_a_file_that_a_kill_cut_anywhere_is_gone_on_with(encoders, tmp_path, monkeypatch, share):
    monkeypatch.setattr("core.grid.run.PAIRS_AT_ONCE", 1)
    path = tmp_path / "kept"
    whole = rows(ran(grid_of(encoders), Store(path, PAIRS)))
    data = path.read_bytes()
    path.write_bytes(data[: round(share * len(data))])
    assert rows(ran(grid_of(encoders), Store(path, PAIRS))) == whole
    assert rows(ran(grid_of(encoders), Store(path, PAIRS))) == whole


def test_a_value_more_on_an_axis_leaves_what_was_scored(tmp_path):
    path = tmp_path / "kept"
    ran(grid_of(Encoders(), [Axis("encoder", ("one",))]), Store(path, PAIRS))
    more = Encoders()
    found = ran(grid_of(more, [Axis("encoder", ("one", "two"))]), Store(path, PAIRS))
    assert (more.read("one"), set(more.read("two"))) == (Counter(), {"a b", "c", "a", "b", ""})
    assert found.done == 4


def test_no_text_and_no_rating_is_in_the_file(encoders, tmp_path):
    pairs = [*PAIRS[:3], TextPair(reference="a a a b", hypothesis="c c c a")]
    given = subject((41, 17, 23, 31), pairs)
    ran(grid_of(encoders, given=given), Store(tmp_path / "kept", pairs))
    written = (tmp_path / "kept").read_text("utf-8")
    assert "c c c a" not in written
    assert {key for line in written.splitlines() for key in json.loads(line)} == {
        "grid", "texts", "pairs", "cell", "start", "scores",
    }  # fmt: skip
    assert not {41, 17, 23, 31} & {
        one for line in written.splitlines() for one in json.loads(line).get("scores", ())
    }


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ("precious", 1),
        ("precious\n", 1),
        ("[1]\n", 1),
        ('{"grid": 1, "texts": "0", "pairs": 4}\n', 1),
        ("HEAD{}\n", 2),
        ('HEAD{"cell": "x", "start": 1, "scores": [1]}\n', 2),
        ('HEAD{"cell": "x", "start": 0, "scores": [1, 2, 3, 4, 5]}\n', 2),
        ('HEAD{"cell": "x", "start": 0, "scores": ["1"]}\n', 2),
        ('HEAD{"cell": "x", "start": 0, "scores": [NaN]}\n', 2),
    ],
)
def test_a_file_that_is_no_grid_of_these_texts_is_refused_and_left_as_it_is(tmp_path, change, line):
    path = tmp_path / "kept"
    Store(path, PAIRS)
    path.write_text(change.replace("HEAD", path.read_text("utf-8")), "utf-8")
    before = path.read_bytes()
    with pytest.raises(FileError, match=rf"kept, line {line}: .*give another file$"):
        Store(path, PAIRS)
    assert path.read_bytes() == before


def test_texts_that_changed_are_other_texts(encoders, tmp_path):
    ran(grid_of(encoders), Store(tmp_path / "kept", PAIRS))
    with pytest.raises(FileError, match="is a grid of other texts"):
        Store(tmp_path / "kept", [*PAIRS[:3], TextPair(reference="a", hypothesis="c c")])


def test_a_store_of_our_own_that_is_damaged_is_begun_anew_and_only_the_newest_stay(encoders, monkeypatch):
    monkeypatch.setattr(stores, "KEPT", 2)
    whole = rows(ran(grid_of(encoders), stores.own_store(PAIRS)))
    (path,) = stores.grids_folder().glob("*.jsonl")
    path.write_text(path.read_text("utf-8").replace("scores", "sco\nres", 1), "utf-8")
    assert rows(ran(grid_of(encoders), stores.own_store(PAIRS))) == whole
    for count in (1, 2, 3):
        stores.own_store(PAIRS[:count])
    stores.own_store(PAIRS[1:])
    assert len(list(stores.grids_folder().glob("*.jsonl"))) == 3  # this one, and the newest two of the others
