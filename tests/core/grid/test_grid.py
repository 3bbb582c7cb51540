"""Settings grids: the cells that axes span, each against people, and every text read once."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from pathlib import Path

import numpy as np
import pytest

from core.backends import Backends
from core.charts.grid import GridWords, heatmap
from core.charts.palette import LIGHT
from core.cli.grid import as_table, parse_corpora
from core.errors import InputError, OptionError
from core.grid.run import (
    Axis,
    Subject,
    cells,
    header,
    how_many,
    make_grid,
    parse_axis,
    record,
    shown,
    with_preset,
)
from core.grid.store import Store
from core.metrics.idf import read_idf
from core.types import TextPair
from tests.support.grid_fakes import AXES, F1, PAIRS, Encoders, grid_of, ran, subject


@pytest.fixture
def encoders() -> Encoders:
    return Encoders()


def test_an_axis_is_an_option_and_its_values():
    assert parse_axis("weight=none, idf") == Axis("weight", ("none", "idf"))
    assert parse_axis("quantile=0.4") == Axis("quantile", ("0.4",))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("weight", r"^--axis weight: write OPTION=VALUE,VALUE, such as weight=none,idf$"),
        ("=none", r"^--axis =none: write OPTION=VALUE"),
        ("weight=", r"^--axis weight=: write OPTION=VALUE"),
        ("weight=idf,none,idf", r"^--axis weight has idf twice; give each value once$"),
    ],
)
def test_what_is_no_axis_is_refused_in_a_sentence(given, sentence):
    with pytest.raises(OptionError, match=sentence):
        parse_axis(given)


def test_cells_are_every_combination_with_the_last_axis_fastest():
    made = cells("bertscore", AXES, {"specials": "exclude"})
    assert [one.choice for one in made] == [("0", "none"), ("0", "l2"), ("1", "none"), ("1", "l2")]
    assert made[1].request.metric == "bertscore"
    assert made[1].request.settings == {"specials": "exclude", "layer": "0", "weight": "l2"}
    assert how_many(AXES) == 4


def test_the_sixteen_cells_of_paper_a_are_encoder_by_idf_by_penalty():
    axes = [
        parse_axis(one) for one in ("encoder=a,b,c,d", "idf=novel,wiki", "metric=bertscore,bertscore-reading")
    ]
    made = cells("bertscore", axes, {"weight": "idf"})
    assert len(made) == 16
    assert made[3].request.metric == "bertscore-reading"
    assert made[3].request.settings == {"weight": "idf", "encoder": "a", "idf": "wiki"}


def test_an_option_that_one_of_the_metrics_lacks_changes_nothing_under_that_one():
    axes = [Axis("metric", ("bertscore", "bertscore-reading")), Axis("mode", ("set", "token"))]
    assert [one.request.settings for one in cells("bertscore", axes)] == [
        {},
        {},
        {"mode": "set"},
        {"mode": "token"},
    ]


@pytest.mark.parametrize(
    ("axes", "settings", "sentence"),
    [
        (["colour=red"], {}, r"^bertscore has no option colour; an axis may be metric, encoder, layer"),
        (["weight=none,heavy"], {}, r"^bertscore\.weight=heavy is not possible; choose none or idf or l2$"),
        (["metric=bertscore,belu"], {}, r"^There is no metric belu; did you mean bleu\? Choose"),
        (["layer=1", "layer=2"], {}, r"^The axis layer is there twice; put its values into one$"),
        (["layer=1"], {"layer": "2"}, r"^layer is an axis and also fixed to 2; leave out one$"),
        (["layer=1"], {"colour": "red"}, r"^bertscore has no option colour"),
    ],
)  # fmt: skip
def test_axes_that_cannot_be_are_refused_in_a_sentence(axes, settings, sentence):
    with pytest.raises(OptionError, match=sentence):
        cells("bertscore", [parse_axis(one) for one in axes], settings)


def test_a_grid_of_thousands_of_cells_is_taken_for_a_mistake():
    many = [
        Axis("layer", tuple(map(str, range(50)))),
        Axis("quantile", tuple(f"0.{n:02}" for n in range(1, 51))),
    ]
    with pytest.raises(OptionError, match=r"^The axes span 2,500 cells; 2,000 are possible"):
        cells("bertscore-reading", many)


def test_each_cell_is_compared_to_people(encoders):
    found = ran(grid_of(encoders))
    assert [one.cell.choice for one in found.cells] == [
        ("0", "none"),
        ("0", "l2"),
        ("1", "none"),
        ("1", "l2"),
    ]
    assert (found.done, found.pairs) == (4, 4)
    for one in found.cells:
        # deviations from the means: .41, -.33667, -.33667, .26333 and 1.5, -1.5, -.5, .5
        assert one.pearson == pytest.approx(1.42 / sqrt(5 * 0.4641333), abs=1e-4)
        assert one.kendall == pytest.approx(5 / sqrt(5 * 6))  # five pairs in order, one tied by the metric
        assert (one.n, one.missing) == (4, 0)
        assert one.scores == pytest.approx(F1)
    assert len({one.signature for one in found.cells}) == 4


def test_each_distinct_text_is_read_once_by_each_encoder_for_all_its_cells(encoders, monkeypatch):
    monkeypatch.setattr("core.grid.run.PAIRS_AT_ONCE", 2)
    axes = [Axis("encoder", ("one", "two")), *AXES, Axis("metric", ("bertscore", "subspace"))]
    found = ran(grid_of(encoders, axes))
    assert len(found.cells) == 16
    assert encoders.read("one") == encoders.read("two") == Counter(["a b", "c", "a", "b", ""])


def test_cells_that_are_the_same_work_are_scored_once(encoders):
    grid = grid_of(encoders, [Axis("layer", ("1", "default")), Axis("idf", ("novel", "wiki"))])
    found = ran(grid)
    assert (len(found.cells), len(grid.works)) == (4, 1)
    assert {one.pearson for one in found.cells} == {found.cells[0].pearson}


def test_people_who_gave_everything_the_same_score_have_no_correlation(encoders):
    found = ran(grid_of(encoders, given=subject((50, 50, 50, 50))))
    assert {(one.pearson, one.spearman, one.kendall, one.n) for one in found.cells} == {(None, None, None, 4)}
    assert found.best() is None
    assert " –" in as_table(found)
    words = GridWords(hover="{cell}{value}{n}", none="nothing")
    assert {
        note.text for note in heatmap(found, "pearson", words=words, palette=LIGHT).layout.annotations
    } == {"–"}


def test_translations_that_nobody_scored_are_left_out_of_n(encoders):
    found = ran(grid_of(encoders, given=subject((4, np.nan, 2, 3))))
    assert {one.n for one in found.cells} == {3}


def test_a_run_in_the_middle_compares_cells_over_the_same_translations(encoders, monkeypatch):
    monkeypatch.setattr("core.grid.run.PAIRS_AT_ONCE", 3)
    grid, store = grid_of(encoders), Store(None, PAIRS)
    next(iter(grid.run(store)))
    found = grid.result(store)
    assert (found.done, {one.n for one in found.cells}) == (3, {3})
    assert found.cells[0].scores == pytest.approx([*F1[:3], np.nan], nan_ok=True)


def test_progress_counts_cells_times_pairs_and_what_raises_in_it_stops_the_run(encoders, monkeypatch):
    monkeypatch.setattr("core.grid.run.PAIRS_AT_ONCE", 2)
    seen = []
    grid, store = grid_of(encoders), Store(None, PAIRS)

    def show(done, total):
        seen.append((done, total))
        if done == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(grid.run(store, progress=show))
    assert (seen[0], seen[-1]) == ((0, 16), (12, 16))
    assert grid.done(store) == 2


@pytest.mark.parametrize("n", [0, 3])
def test_translations_and_people_must_be_as_many(n):
    with pytest.raises(InputError, match=f"There are {n} translations and 4 scores of people"):
        Subject(pairs=PAIRS[:n], table=subject().table)


def test_the_table_marks_the_best_cell_and_shortens_paths(encoders):
    found = ran(grid_of(encoders, [Axis("metric", ("chrf", "bertscore"))]))
    first, *lines = as_table(found).splitlines()
    assert first.split() == ["metric", "pearson", "kendall", "n", "missing"]
    assert [line.split()[0] for line in lines if line.endswith("*")] == ["bertscore"]
    assert shown("models/my/bert") == "bert"
    assert shown("/x/bert/") == "bert"
    assert shown("org/bert") == "org/bert"
    assert header(found)[-1] == "signature"
    assert record(found.cells[1])[:2] == ["bertscore", found.cells[1].pearson]


def test_metrics_that_ask_a_language_model_are_refused(encoders, monkeypatch):
    from tests.support.fake_backends import FakeJudge

    axes = [Axis("metric", ("bertscore", "gemba-da"))]
    backends = Backends(encoder=encoders, judge=lambda name: FakeJudge([""]))
    with pytest.raises(OptionError, match=r"^gemba-da asks a language model"):
        make_grid(axes, cells("bertscore", axes), subject(), backends)


@pytest.mark.embedded
def test_the_preset_of_the_novels_paper_counts_idf_for_each_encoder(
    backends, tiny_bert, tmp_path, monkeypatch
):
    monkeypatch.setattr("core.metrics.idf.cache_folder", lambda: tmp_path / "kept")
    for name, text in (("a.txt", "猫が好き"), ("b.txt", "猫と犬")):
        (tmp_path / name).write_text(text, "utf-8")
    axes, fixed = with_preset("paper-a", [Axis("encoder", ("embedded", str(tiny_bert)))])
    files = [tmp_path / name for name in ("a.txt", "b.txt")]
    corpora = parse_corpora([f"{name}={file}" for name in ("novel", "wiki") for file in files])
    found = corpora.cells(cells("bertscore", axes, fixed), backends)
    assert [axis.name for axis in axes] == ["encoder", "idf", "metric"]
    assert len(found) == 8
    assert [one.request.settings["idf"] for one in found[:4]] == ["novel", "novel", "wiki", "wiki"]
    assert [one.request.settings.get("words") for one in found] == [None] * 5 + ["novel", None, "wiki"]
    counted = read_idf(Path(found[4].request.settings["idf"]))
    assert (counted.documents, sorted(counted.frequencies.values())[-1]) == (2, 2)  # 猫 stands in both
    given = subject((1, 2), [TextPair(reference="猫が好き", hypothesis="猫と犬", lang="ja")] * 2)
    signatures = [one.signature for one in make_grid(axes, found, given, backends).prepared]
    assert len(set(signatures)) == 8
    assert f"idf:{counted.signature}|" in signatures[4]
