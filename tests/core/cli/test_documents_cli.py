"""`python -m core documents`: a score for each document, and how they agree with people."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from core.__main__ import app
from core.codec import pack, unpack
from core.novel.documents import ConsistencyTrace, NameSizes

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


@pytest.mark.embedded
def test_the_tables_for_the_eye(novel):
    done = run(novel, "--people", str(novel / "people.seg.score"))
    assert done.stdout.splitlines()[1].split() == ["d0", "hyp.txt", "1.000"]
    assert "r with people (95 %)" in done.stdout


@pytest.mark.embedded
def test_people_of_another_test_set_are_refused(novel):
    done = run(novel, "--people", str(novel / "short.seg.score"))
    assert done.exit_code == 2
    assert "has 1 scores a system for 24 segments." in done.stderr


def test_a_trace_that_is_stored_gives_its_score_again():
    trace = ConsistencyTrace(names=(NameSizes(name="ホームズ", sizes=(2, 1)),))
    assert unpack(ConsistencyTrace, pack(trace)).parts()["consistency"] == pytest.approx(0.420620)
