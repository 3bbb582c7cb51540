"""The documents say what the program does: commands, targets, formats and metrics exist as written."""

from __future__ import annotations

import re
import shlex
from dataclasses import fields
from pathlib import Path

import pytest
import typer

import core.__main__
import db.__main__
from core.metrics import METRICS
from db.design import Design
from db.formats import FORMATS, long

ROOT = Path(__file__).parents[1]
README, README_JA, CONTRIBUTING = (
    (ROOT / name).read_text("utf-8") for name in ("README.md", "README.ja.md", "CONTRIBUTING.md")
)
PROGRAMS = {
    "core": typer.main.get_command(core.__main__.app),
    "db": typer.main.get_command(db.__main__.app),
}


def blocks(document: str) -> list[str]:
    """The lines of the shell blocks, without comments."""
    found = re.findall(r"^```sh\n(.*?)^```", document, re.M | re.S)
    return [line.split("  #")[0].strip() for block in found for line in block.splitlines() if line.strip()]


def modules(document: str) -> list[str]:
    """`core score --metric …` for every `python -m core …` and `python -m db …`, in blocks and in tables."""
    lines = [*blocks(document), *re.findall(r"`([^`\n]*python -m [^`\n]*)`", document)]
    calls = [re.search(r"python -m ((?:core|db) .*)", line) for line in lines]
    return list(dict.fromkeys(call.group(1) for call in calls if call))


def targets(document: str) -> set[str]:
    return set(re.findall(r"\bmake ([a-z]+(?:-[a-z]+)*)\b", "\n".join([*blocks(document), *spans(document)])))


def spans(document: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", document)


def first_cells(document: str) -> set[str]:
    """The code in the first column of the tables."""
    return set(re.findall(r"^\| `([^`]+)` \|", document, re.M))


@pytest.mark.parametrize("line", modules(README))
def test_a_command_of_the_readme_is_accepted_by_the_program(line):
    program, name, *arguments = shlex.split(line)
    command = PROGRAMS[program].commands[name]
    context = command.make_context(name, list(arguments))  # UsageError for what it does not know or lacks
    named = context.params.get("metric") or ""
    for metric in named.split(",") if isinstance(named, str) else ():  # `meta` names files
        assert metric in METRICS or not metric
    for setting in context.params.get("assignments") or ():
        field = setting.partition("=")[0]
        if (program, name) == ("db", "campaign"):
            assert field in {"protocol", *(one.name for one in fields(Design))}
        else:
            metric, option = field.split(".")
            assert option in {one.name for one in METRICS[metric].options}
    assert context.params.get("format_name") in (None, *FORMATS)


def test_a_command_that_does_not_exist_would_be_noticed():
    with pytest.raises(Exception, match="No such option: --metrics"):
        PROGRAMS["core"].commands["score"].make_context("score", ["--metrics", "bleu"])


def test_the_readme_shows_every_command_but_those_of_make():
    shown = {tuple(line.split()[:2]) for line in modules(README)}
    assert shown == {(name, command) for name, program in PROGRAMS.items() for command in program.commands}


def test_every_target_that_is_named_exists_and_every_target_is_explained():
    makefile = (ROOT / "Makefile").read_text("utf-8")
    existing = set(re.findall(r"^([a-z]+(?:-[a-z]+)*):", makefile, re.M))
    for document in (README, README_JA, CONTRIBUTING):
        assert targets(document) <= existing
    assert targets(README) == existing


@pytest.mark.parametrize("document", [README, README_JA], ids=["en", "ja"])
def test_what_make_does_is_spelled_out_as_the_makefile_has_it(document):
    makefile = (
        (ROOT / "Makefile").read_text("utf-8").replace("$(BIN)", ".venv/bin").replace("$(PORT)", "8501")
    )
    spelled = [*blocks(document), *spans(document)]
    recipes = [line.strip().lstrip("@") for line in re.findall(r"^\t(.*)$", makefile, re.M)]
    for recipe in recipes:
        if recipe.startswith((".venv/bin/", "sh ")) and " install " not in recipe:
            assert recipe in spelled


def test_both_readmes_have_the_same_commands_headings_and_code():
    assert blocks(README) == blocks(README_JA)
    assert re.findall(r"^(#+) ", README, re.M) == re.findall(r"^(#+) ", README_JA, re.M)
    assert set(spans(README)) == set(spans(README_JA))
    assert re.findall(r"\]\(([^)]+)\)", README)[1:] == re.findall(r"\]\(([^)]+)\)", README_JA)[1:]


@pytest.mark.parametrize("document", [README, README_JA], ids=["en", "ja"])
def test_the_tables_name_the_metrics_and_formats_that_exist(document):
    named = {cell for cell in first_cells(document) if not cell.startswith("make ")}
    assert named == {*METRICS, *FORMATS}
    assert set(long.COLUMNS) <= set(spans(document))


def test_links_and_pictures_lead_to_files():
    missing = [
        (name, link)
        for name in ("README.md", "README.ja.md", "CONTRIBUTING.md", "CHANGELOG.md")
        for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", (ROOT / name).read_text("utf-8"))
        if not (ROOT / link).exists()
    ]
    assert missing == []


def test_files_that_contributing_names_exist():
    paths = [span for span in spans(CONTRIBUTING) if re.fullmatch(r"[\w./-]+/[\w.-]+\.\w+|[\w./-]+/", span)]
    assert len(paths) > 15
    assert [path for path in paths if path.isascii() and not re.search("NAME|USE", path)
            and path != "pages/learn" and not (ROOT / path).exists()] == []  # fmt: skip


def test_the_example_line_of_the_readme_is_what_the_program_writes(tmp_path, capsys):
    from typer.testing import CliRunner

    text = tmp_path / "text"
    text.write_text("猫\n", encoding="utf-8")
    arguments = ["score", "--metric", "chrf", "--ref", str(text), "--hyp", str(text)]
    written = CliRunner().invoke(core.__main__.app, arguments).stdout.strip()
    for document in (README, README_JA):
        assert written in document


def test_every_complaint_has_a_behaviour_and_a_test_that_exists():
    document = (ROOT / "docs" / "complaints.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \|(.*)$", document, re.M)
    assert [number for number, _ in rows] == [str(number) for number in range(1, 26)]
    for number, row in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", row)
        assert named, number
        for file, test in named:
            assert f"def {test}" in (ROOT / file).read_text("utf-8"), (number, file, test)
