"""The tab that makes a report: what is chosen is what the file holds."""

import pytest
from streamlit.testing.v1 import AppTest

from db.campaigns.load import load_bundle
from db.engine import make_engine, migrate
from tests.support.report_files import GIVEN, small


def page():
    """The tab alone."""
    from db.queries import list_campaigns
    from pages.evaluate.agreement import report as report_view
    from pages.ui import state

    report_view.tab(list_campaigns(state.engine())[0])


@pytest.fixture
def tab(tmp_path, monkeypatch):
    """The tab on a small campaign, in a language."""
    engine = make_engine(f"sqlite:///{tmp_path / 'small.sqlite'}")
    migrate(engine)
    load_bundle(engine, small(GIVEN), "Small")
    monkeypatch.setattr("pages.ui.state.engine", lambda: engine)

    def opened(lang):
        at = AppTest.from_function(page, default_timeout=60)
        at.query_params["lang"] = lang
        return at.run()

    return opened


def made(at):
    at.button(key="report-make").click().run()
    assert not at.exception
    return at.session_state["report-made"][1].decode()


@pytest.mark.parametrize(
    ("lang", "caption"),
    [("en", "Scores of each rater (raw)."), ("ja", "評価者ごとの点数（そのまま）。")],
    ids=["en", "ja"],
)
@pytest.mark.slow
def test_the_file_is_in_the_readers_language_with_texts_and_names(tab, lang, caption):
    at = tab(lang)
    assert not at.exception
    assert not at.get("download_button")
    html = made(at)
    assert caption in html
    assert "参照の文章doc00" in html
    assert "<td>Aki</td>" in html
    assert [one.key for one in at.get("download_button")] == [
        "report-save",
        "report-figures-csv",
        "report-figures-json",
    ]


@pytest.mark.slow
def test_without_texts_the_file_is_without_names_too_unless_they_are_wanted(tab):
    at = tab("en")
    at.toggle(key="report-texts").set_value(False).run()
    assert at.toggle(key="report-anonymous-False").value
    html = made(at)
    assert "参照の文章doc00" not in html
    assert "Rater 2" in html
    assert "Aki" not in html
    at.toggle(key="report-anonymous-False").set_value(False).run()
    assert not at.get("download_button")  # the file is not what is chosen now
    assert "<td>Aki</td>" in made(at)


@pytest.mark.slow
def test_another_language_and_normalisation_can_be_chosen(tab):
    at = tab("en")
    at.segmented_control(key="report-language").set_value("ja").run()
    at.segmented_control(key="report-method").set_value("z").run()
    assert "評価者ごとの点数（z 得点）。" in made(at)
