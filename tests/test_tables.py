"""The tables of `tools.tables`: precision and recall in rows of their own."""

from __future__ import annotations

from functools import partial

import pytest

from tests.support.fake_backends import FakeEncoder, fake_backends
from tools.tables import metrics
from tools.tables.inputs import MetricScores

VECTORS = {"<s>": (0, 0, 1), "</s>": (0, 0, -1), "は": (1, 0, 0), "猫": (0.6, 0.8, 0)}
GRADED = "sentence1\tsentence2\tscore\nは 猫\tは\t3\nは\tは 猫\t2\nは\t猫\t1\n"


@pytest.fixture
def graded(tmp_path, monkeypatch):
    """A file of three graded pairs, and an encoder in which は and 猫 have the cosine .6."""
    scores = partial(MetricScores, backends=fake_backends(FakeEncoder(VECTORS)))
    monkeypatch.setattr(metrics, "MetricScores", scores)
    path = tmp_path / "graded.tsv"
    path.write_text(GRADED, "utf-8")
    return [f"{path}:ja"]


def test_precision_and_recall_are_correlated_with_grades_each_by_itself(graded, capsys):
    """P 1, .8, .6 beside the grades 3, 2, 1; R .8, 1, .6; F .89, .89, .6, whose ranks are 2.5, 2.5, 1."""
    metrics.similarity(["bertscore specials=exclude layer=1"], graded, parts="f1,precision,recall")
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| bertscore")]
    assert rows == [
        "| bertscore specials=exclude layer=1, f1 | 0.866 | 0.866 |",
        "| bertscore specials=exclude layer=1, precision | 1.000 | 1.000 |",
        "| bertscore specials=exclude layer=1, recall | 0.500 | 0.500 |",
    ]


def test_without_parts_a_metric_has_one_row_of_its_score(graded, capsys):
    metrics.similarity(["bertscore specials=exclude layer=1"], graded)
    assert "\n| bertscore specials=exclude layer=1 | 0.866 | 0.866 |\n" in capsys.readouterr().out
