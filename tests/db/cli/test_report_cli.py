"""The command that writes a report: a file, or one sentence and nothing."""

from __future__ import annotations

import pytest

from db.__main__ import main
from db.campaigns.load import load_bundle
from tests.support.report_files import GIVEN, small

pytestmark = pytest.mark.slow


@pytest.fixture
def report(engine, url, monkeypatch, capsys, tmp_path):
    """Run `report` on a small campaign: (exit status, standard error, the file)."""
    monkeypatch.setenv("YOMIKURABE_DB", url)
    load_bundle(engine, small(GIVEN), "Small")
    out = tmp_path / "report.html"

    def run(*arguments, campaign="Small"):
        with pytest.raises(SystemExit) as ended:
            main(["report", "--campaign", campaign, "--out", str(out), *map(str, arguments)])
        return ended.value.code, capsys.readouterr().err, out

    return run


def test_it_writes_a_file_in_the_language_and_with_the_scores_that_were_asked_for(report):
    status, said, out = report("--lang", "ja", "--method", "z")
    assert (status, said) == (0, f"Wrote the report on 16 ratings to {out}.\n")
    written = out.read_text("utf-8")
    assert '<html lang="ja">' in written
    assert "評価者ごとの点数（z 得点）。" in written
    assert "Aki" in written
    assert "参照の文章doc00" in written


@pytest.mark.parametrize(
    ("flags", "named"), [(["--no-texts"], False), (["--no-texts", "--names"], True), (["--anonymous"], False)]
)
def test_names_of_raters_are_left_out_with_the_texts_unless_asked_for(report, flags, named):
    _, _, out = report(*flags)
    written = out.read_text("utf-8")
    assert ("<td>Aki</td>" in written) is named
    assert ("参照の文章doc00" in written) is ("--no-texts" not in flags)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--lang", "fr"], "--lang fr: choose from ja, en."),
        (["--method", "ranks"], "--method ranks: choose from raw, centred, z, minmax, rank."),
    ],
)
def test_what_cannot_be_is_one_sentence_and_no_file(report, arguments, sentence):
    status, said, out = report(*arguments)
    assert (status, said.strip()) == (2, sentence)
    assert not out.exists()


def test_an_unknown_campaign_and_a_file_that_is_there(report):
    assert "There is no campaign “Large”" in report(campaign="Large")[1]
    status, _, out = report()
    out.write_text("precious", "utf-8")
    status, said, _ = report()
    assert (status, "is there already" in said, out.read_text("utf-8")) == (2, True, "precious")
    assert report("--force")[0] == 0
    assert out.read_text("utf-8") != "precious"


def test_without_a_browser_the_file_is_written_and_the_way_to_a_pdf_is_told(report, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    pdf = tmp_path / "report.pdf"
    status, said, out = report("--pdf", pdf)
    assert status == 1
    assert "no Chromium on this machine; open the report in a browser and print it to a PDF." in said
    assert out.exists()
    assert not pdf.exists()
