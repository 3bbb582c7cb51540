"""The settings grid on the page of metrics against people."""

from __future__ import annotations

import pytest

from core.grid import store as stores
from db.queries import list_campaigns


@pytest.fixture
def page(start, engine, backends, monkeypatch):
    """The tab, on the demo campaign that people rated most, with metrics that need no model."""
    monkeypatch.setattr("pages.ui.models.backends", lambda: backends)

    def opened(lang="en"):
        at = start(lang, "pages/debug/meta/page.py")
        at.selectbox(key="campaign-meta").set_value(
            max(list_campaigns(engine), key=lambda one: one.n_ratings).id
        )
        at.segmented_control(key="meta-what").set_value("grid").run()
        assert not at.exception
        return at

    return opened


def values_of(at, option):
    (found,) = [one for one in at.multiselect if one.key.startswith(f"grid-values-{option}-")]
    return found


def filled(at, *axes, metrics=("bleu", "chrf")):
    at.multiselect(key="grid-metrics").set_value(list(metrics)).run()
    at.multiselect(key="grid-axes").set_value(list(axes)).run()
    at.number_input[-1].set_value(4).run()  # how many segments
    at.button(key="grid-run").click().run()
    assert not at.exception
    return at


def test_how_many_cells_there_will_be_is_said_before_anything_starts(page, html_of):
    at = page()
    assert "27 cells over " in html_of(at)  # three metrics, three layers, three weights
    at.multiselect(key="grid-axes").set_value(["layer"]).run()
    assert "9 cells over " in html_of(at)
    assert not at.button(key="grid-run").disabled


def test_without_a_value_for_each_setting_nothing_can_be_started(page, html_of):
    at = page()
    values_of(at, "layer").set_value([]).run()
    assert at.button(key="grid-run").disabled
    assert "a value for each setting" in html_of(at)


def test_settings_that_no_chosen_metric_has_are_not_offered(page):
    at = page()
    at.multiselect(key="grid-metrics").set_value(["bleu"]).run()
    assert at.multiselect(key="grid-axes").options == [
        "Words are cut by",
        "Letter case",
        "Orders without a match",
    ]
    assert at.multiselect(key="grid-axes").value == []


def test_a_grid_is_filled_and_shown_as_heatmap_and_table(page, html_of):
    at = filled(page(), "tokenize")
    shown = html_of(at)
    assert "Closest to people: " in shown
    assert shown.count("<td>chrF</td>") == 7  # tokenizers; under chrF they change nothing
    assert "by character" in shown
    assert len(list(stores.grids_folder().glob("*.jsonl"))) == 1
    at.segmented_control(key="grid-coefficient").set_value("kendall").run()
    assert not at.exception


@pytest.mark.slow
def test_a_grid_that_was_stopped_says_so_and_goes_on(page, html_of, monkeypatch):
    monkeypatch.setattr("core.grid.run.PAIRS_AT_ONCE", 3)
    whole = html_of(filled(page(), "tokenize"))
    (kept,) = stores.grids_folder().glob("*.jsonl")
    lines = kept.read_text("utf-8").splitlines(keepends=True)
    kept.write_text("".join(lines[:9]), "utf-8")  # the first three translations under eight cells
    add = stores.Store.add

    def stop(self, found):
        raise StopRun

    monkeypatch.setattr(stores.Store, "add", stop)
    at = page()
    at.multiselect(key="grid-metrics").set_value(["bleu", "chrf"]).run()
    at.multiselect(key="grid-axes").set_value(["tokenize"]).run()
    at.number_input[-1].set_value(4).run()  # how many segments
    at.button(key="grid-run").click().run()
    at.multiselect(key="grid-axes").set_value(["tokenize"]).run()
    assert "Stopped after 3 of " in html_of(at)
    monkeypatch.setattr(stores.Store, "add", add)
    at.button(key="grid-run").click().run()
    assert not at.exception
    assert html_of(at) == whole


class StopRun(Exception):
    """Stands for a click on the button that stops."""


def test_the_page_can_be_drawn_in_japanese(start, engine, html_of):
    at = start("ja")
    at.session_state["meta-what"] = "grid"
    at.session_state["campaign"] = max(list_campaigns(engine), key=lambda one: one.n_ratings).id
    at.switch_page("pages/debug/meta/page.py").run()
    assert not at.exception
    assert "27 マス" in html_of(at)


def test_a_value_that_was_typed_and_is_none_is_one_sentence(page):
    at = page()
    at.multiselect(key="grid-metrics").set_value(["subspace"]).run()
    at.multiselect(key="grid-axes").set_value(["energy"]).run()
    at.session_state[values_of(at, "energy").key] = ["2"]
    at.button(key="grid-run").click().run()
    assert not at.exception
    assert ["energy" in one.value for one in at.error] == [True]


def test_the_grid_of_the_novels_paper_asks_for_the_corpora_of_another_encoder(page, tiny_bert):
    at = page()
    at.toggle(key="grid-preset").set_value(True).run()
    assert not [one for one in at.text_input if str(one.key).startswith("grid-corpus")]
    assert values_of(at, "encoder").value == ["embedded"]
    values_of(at, "encoder").set_value(["embedded", str(tiny_bert)]).run()
    assert not at.exception
    asked = [str(one.key) for one in at.text_input if str(one.key).startswith("grid-corpus")]
    assert asked == ["grid-corpus-novel"]  # English has no dictionary of Wikipedia
