"""Python for notebooks: `import core`."""

from __future__ import annotations

import json
import subprocess
import sys

import pandas as pd
import pytest

import core
from core import api
from core.assets import ROOT
from core.errors import InputError, OptionError


@pytest.fixture(autouse=True)
def one_set_of_models(monkeypatch, backends):
    monkeypatch.setattr(api, "_backends", lambda: backends)


def test_importing_core_loads_nothing_heavy_and_offers_its_names():
    code = (
        "import core, sys; heavy = {'torch', 'numpy', 'plotly', 'pandas'};"
        "print(sorted(heavy & set(sys.modules)));"
        "print({'score', 'explain', 'compare', 'agreement', 'METRICS'} <= set(dir(core)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "True"]
    with pytest.raises(AttributeError, match="no attribute 'scores'"):
        core.scores  # noqa: B018 - the name itself is the test


def test_scores_are_a_sequence_with_mean_corpus_score_signature_and_a_frame():
    found = core.score(["the cat sat", "a dog ran"], ["the cat sat", "dogs run"], metric="chrf", lang="en")
    assert len(found) == 2
    assert found.scores[0] == 100.0
    assert found.mean == pytest.approx(sum(found.scores) / 2)
    assert found.corpus != pytest.approx(found.mean)
    assert found.signature.startswith("chrf|")
    frame = found.to_frame()
    assert list(frame["score"]) == found.scores
    assert {"reference", "hypothesis", "precision", "recall", "flags", "missing"} <= set(frame.columns)
    assert "100.0" in found._repr_html_()


@pytest.mark.embedded
def test_a_result_shows_the_picture_of_the_page_without_a_server():
    one = core.explain("猫が座った。", "犬が座った。", metric="bertscore", lang="ja")
    assert 0 < one.score < 1
    assert one.figure("ja").data[0].type == "heatmap"
    shown = one._repr_html_()
    assert "<iframe srcdoc=" in shown
    assert 'src="http' not in one.to_html()
    assert f"{one.score:.3f}" in shown


def test_texts_are_escaped_in_a_notebook():
    shown = core.score(["<b>x</b>"], ["<script>"], metric="chrf")._repr_html_()
    assert "<script>" not in shown
    assert "&lt;b&gt;" in shown


def test_options_are_those_of_the_metric():
    found = core.score(["two cats"], ["two dogs"], metric="bleu", lang="en", tokenize="char")
    assert "tok:char" in found.signature
    with pytest.raises(OptionError, match="no option colour"):
        core.score(["a"], ["b"], metric="bleu", colour="red")


@pytest.mark.parametrize(
    ("references", "hypotheses", "sentence"),
    [
        (["a", "b"], ["a"], "1 hypotheses and 2 references"),
        ([], [], "no references"),
        (["a"], [7], r"hypotheses\[0\] is no text but int"),
    ],
)
def test_wrong_input_ends_in_one_sentence(references, hypotheses, sentence):
    with pytest.raises(InputError, match=sentence):
        core.score(references, hypotheses, metric="chrf")


def test_an_unknown_metric_names_those_that_exist():
    with pytest.raises(OptionError, match="bertscore"):
        core.score(["a"], ["b"], metric="bertscor")


def test_systems_are_compared():
    references = [f"sentence number {n} of the text" for n in range(12)]
    found = core.compare(references, {"good": references, "bad": ["nothing"] * 12}, metric="chrf")
    assert [one.system for one in found.systems] == ["good", "bad"]
    assert found.systems[0].score == 100.0
    with pytest.raises(InputError, match="two systems"):
        core.compare(references, {"good": references})


def test_agreement_of_a_frame():
    frame = pd.DataFrame(
        {"who": ["a"] * 4 + ["b"] * 4, "what": [1, 2, 3, 4] * 2, "points": [1, 2, 3, 4, 2, 4, 6, 8.0]}
    )
    found = core.agreement(frame, rater="who", item="what", score="points")
    assert found.mean_r == pytest.approx(1.0)
    assert found.n_shared == 4
    for wrong, sentence in (
        (frame.drop(columns="who"), "no column who"),
        (frame.assign(points="x"), "“x” is no number"),
        (frame.iloc[:0], "no scores"),
    ):
        with pytest.raises(InputError, match=sentence):
            core.agreement(wrong, rater="who", item="what", score="points")


@pytest.mark.embedded
def test_the_notebook_of_the_documents_runs():
    notebook = json.loads((ROOT / "docs" / "python.ipynb").read_text("utf-8"))
    names: dict[str, object] = {}
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        exec(compile(cell, "python.ipynb", "exec"), names)
    found = names["found"]
    assert found[2].score > found[0].score  # “No one saw the dog.” beside “Nobody saw the dog.”
    assert len(cells) == 6
