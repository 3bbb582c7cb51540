"""`core compare`, `--version` and `-h`."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from core import __version__
from core.__main__ import app
from core.cli.options import system_files
from core.errors import OptionError


@pytest.fixture
def files(tmp_path):
    texts = {
        "ref": [f"The cat number {n} sat on the mat." for n in range(20)],
        "good": [f"The cat number {n} sat on a mat." for n in range(20)],
        "bad": ["Something else."] * 20,
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    return tmp_path


def run(*arguments):
    done = CliRunner().invoke(app, [*map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_systems_stand_side_by_side_with_tests_of_each_two(files):
    code, out, _ = run(
        "compare", "--metric", "chrf", "--ref", files / "ref", "--hyp", f"A={files / 'good'}",
        "--hyp", files / "bad", "--json",
    )  # fmt: skip
    assert code == 0
    (found,) = json.loads(out)
    assert [one["system"] for one in found["systems"]] == ["A", "bad"]
    assert found["counted"] is True
    (test,) = found["tests"]
    assert (test["wins"], test["losses"]) == (20, 0)
    assert test["p"] < 0.01


def test_the_latex_table_has_the_best_in_bold(files):
    _, out, _ = run(
        "compare", "--metric", "chrf", "--ref", files / "ref", "--hyp", f"A_1={files / 'good'}",
        "--hyp", f"B&C={files / 'bad'}", "--latex",
    )  # fmt: skip
    assert "A\\_1 & \\textbf{" in out
    assert "B\\&C & " in out


def test_one_system_alone_and_a_repeated_name_are_refused(files):
    code, _, err = run("compare", "--metric", "chrf", "--ref", files / "ref", "--hyp", files / "good")
    assert (code, "two systems or more" in err) == (2, True)
    with pytest.raises(OptionError, match="repeated"):
        system_files([f"A={files / 'good'}", f"A={files / 'bad'}"])


def test_version_and_short_help():
    assert run("--version")[:2] == (0, f"yomikurabe {__version__}\n")
    code, out, _ = run("score", "-h")
    assert code == 0
    assert "--metric" in out
