"""`python -m core documents`: a score for each document, and how they agree with people."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from core.__main__ import app

REFERENCE = [f"ホームズは{what}。" for what in ("笑った", "立った", "去った", "眠った")]


@pytest.fixture
def novel(tmp_path):
    """Twelve documents of two segments; the system keeps the name in one half of them."""
    for name, lines in {
        "ref.txt": REFERENCE * 6,
        "hyp.txt": [*(REFERENCE * 3), *(["ホームズは笑った。", "ホルムスは立った。"] * 6)],
        "docs": [f"novel\td{n // 2}" for n in range(24)],
        "people.seg.score": [f"hyp.txt\t{90 if n < 12 else 50 + n % 2}" for n in range(24)],
        "short.seg.score": ["hyp.txt\t1"],
    }.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def run(novel, *arguments):
    given = ["--ref", str(novel / "ref.txt"), "--hyp", str(novel / "hyp.txt")]
    documents = ["--documents", str(novel / "docs"), "--metric", "consistency", "--lang", "ja"]
    return CliRunner().invoke(app, ["documents", *given, *documents, *arguments])


@pytest.mark.embedded
def test_each_document_has_its_score_with_its_trace_and_the_correlation_with_people(novel):
    done = run(novel, "--people", str(novel / "people.seg.score"), "--json", "--trace")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    scores = {one["document"]: one["score"] for one in found["documents"]}
    # a name that is spelled so in one half, and in two ways in the other: 1 - (2 · 1/2 ln 2) / ln 2 = 0
    assert [scores[f"d{n}"] for n in range(12)] == [1.0] * 6 + [pytest.approx(0)] * 6
    assert found["documents"][0]["trace"]["trace"] == "ConsistencyTrace"
    assert found["people"][0]["r"]["value"] == pytest.approx(1, abs=1e-3)
    assert found["people"][0]["documents"] == 12


@pytest.mark.slow
@pytest.mark.embedded
def test_the_tables_for_the_eye(novel):
    done = run(novel, "--people", str(novel / "people.seg.score"))
    assert done.stdout.splitlines()[1].split() == ["d0", "hyp.txt", "1.000"]
    assert "r with people (95 %)" in done.stdout


@pytest.mark.slow
@pytest.mark.embedded
def test_people_of_another_test_set_are_refused(novel):
    done = run(novel, "--people", str(novel / "short.seg.score"))
    assert done.exit_code == 2
    assert "has 1 scores a system for 24 segments." in done.stderr


@pytest.mark.embedded
def test_a_metric_says_which_languages_it_scores(novel):
    done = CliRunner().invoke(
        app,
        [
            *("documents", "--ref", str(novel / "ref.txt"), "--hyp", str(novel / "hyp.txt")),
            *("--documents", str(novel / "docs"), "--metric", "blonde", "--lang", "ja"),
        ],
    )
    assert done.exit_code == 2
    assert "blonde scores texts in en, not in “ja”" in done.stderr


def test_meta_correlates_scores_of_documents_and_the_document_means_of_metrics(tmp_path):
    rows = [
        {"document": f"d{n}", "system": system, "metric": "blonde", "score": n / 10 + (system == "b") / 100}
        for n in range(8)
        for system in "ab"
    ]
    rows.append({"document": "d0", "system": "c", "metric": "blonde", "score": None})
    people = [f"{system}\t{n // 2 * 10 + (system == 'b')}" for system in "ab" for n in range(16)]
    for name, text in {
        "documents.json": json.dumps({"documents": rows}),
        "people.seg.score": "\n".join(people),
        "docs": "\n".join(f"novel\td{n // 2}" for n in range(16)),
        "chrf.seg.score": "\n".join(f"{system}\t{-n}" for system in "ab" for n in range(16)),
        "bad.json": '{"documents": 1}',
    }.items():
        (tmp_path / name).write_text(text + "\n", "utf-8")

    def meta(*arguments):
        given = ["--people", str(tmp_path / "people.seg.score"), "--document-scores"]
        return CliRunner().invoke(
            app, ["meta", *given, *(str(tmp_path / one) for one in arguments[:1]), *arguments[1:]]
        )

    docs = ["--documents", str(tmp_path / "docs")]
    chrf = ["--metric", f"chrf={tmp_path / 'chrf.seg.score'}"]
    found = json.loads(meta("documents.json", *docs, *chrf, "--json").stdout)["documents"]
    assert [(row["name"], row["r"]["n"], row["documents"]) for row in found] == [
        ("blonde", 16, 8),
        ("chrf", 16, 8),
    ]
    # 10 n + b against n / 10 + b / 100 is a line but for the scale of b, which is the same: r = 1
    assert found[0]["r"]["value"] == pytest.approx(1)
    assert found[1]["r"]["value"] < -0.99
    alone = meta("documents.json", *docs)
    assert alone.stdout.splitlines()[1].split() == ["blonde", "1.000", "(1.000", "…", "1.000)", "16", "8"]
    assert "--documents is missing" in meta("documents.json").stderr
    assert "is not what `core documents --json` writes." in meta("bad.json", *docs).stderr
