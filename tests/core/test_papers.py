"""The five papers are named in one module, and the documents say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.metrics import METRICS
from core.metrics.documents import DOCUMENT_METRICS
from core.papers import NOVELS, PAPERS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.cite)
def test_the_readmes_name_every_paper(paper):
    for name in ("README.md", "README.ja.md"):
        text = (ROOT / name).read_text("utf-8")
        assert paper.title in text
        assert all(author.partition(" (")[0] in text for author in paper.authors)
    assert paper.cite in (ROOT / "README.md").read_text("utf-8")


def test_the_card_of_a_metric_names_its_paper():
    for metric in (*METRICS.values(), *DOCUMENT_METRICS.values()):
        if metric.source is not None and metric.source is not NOVELS:
            card = (ROOT / "assets" / "cards" / f"{metric.name}.en.md").read_text("utf-8")
            assert metric.source.title in card, metric.name
            assert str(metric.source.year) in card, metric.name


def test_no_text_calls_a_paper_by_a_letter():
    files = [
        path
        for folder in ("core", "pages", "db", "tools", "docs", "assets/cards")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".md")
    ]
    letter = re.compile(r"\b[Pp]aper [A-E]\b(?!-)|論文 ?[A-E](?![A-Za-z])")
    found = [path.name for path in files if letter.search(path.read_text("utf-8"))]
    assert len(files) > 100
    assert found == []
