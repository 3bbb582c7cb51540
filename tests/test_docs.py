"""The documents are true: commands, options, targets, formats, metrics, files and functions exist."""

from __future__ import annotations

import ast
import re
import shlex
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import core.__main__
import db.__main__
from core.metrics import METRICS
from core.metrics.documents import DOCUMENT_METRICS
from db.design import Design
from db.formats import FORMATS, capabilities, long

ROOT = Path(__file__).parents[1]
DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"))
}
README, README_JA, CONTRIBUTING = (
    DOCUMENTS[name] for name in ("README.md", "README.ja.md", "CONTRIBUTING.md")
)
COMMANDS, FORMATS_PAGE, RUNNING, ARCHITECTURE = (
    DOCUMENTS[f"docs/{name}.md"] for name in ("command-line", "formats", "running-it", "architecture")
)
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
PROGRAMS = {
    "core": typer.main.get_command(core.__main__.app),
    "db": typer.main.get_command(db.__main__.app),
}
README_LINES = 130


def blocks(document: str) -> list[str]:
    """The lines of the shell blocks, without comments."""
    found = re.findall(r"^```sh\n(.*?)^```", document, re.M | re.S)
    return [line.split("  #")[0].strip() for block in found for line in block.splitlines() if line.strip()]


def spans(document: str) -> list[str]:
    return re.findall(r"`([^`\n]+)`", document)


def links(document: str) -> list[str]:
    return re.findall(r"\]\(([^)]+)\)", document)


def first_cells(document: str) -> list[str]:
    """The code in the first column of the tables."""
    return re.findall(r"^\| `([^`]+)` \|", document, re.M)


def section(document: str, heading: str) -> str:
    """The text under a heading, up to the next heading of the same or a higher level."""
    level = len(heading.split(" ")[0])
    return re.split(rf"^#{{1,{level}}} ", document.split(f"\n{heading}\n")[1], flags=re.M)[0]


def calls(document: str) -> list[str]:
    """`core score --metric …` for every `python -m core …` and `python -m db …` with its arguments."""
    lines = [*blocks(document), *(span for span in spans(document) if " --" in span)]
    found = [re.search(r"python -m ((?:core|db) .*)", line) for line in lines]
    return list(dict.fromkeys(call.group(1) for call in found if call))


def leaves() -> dict[str, Any]:
    """Every command by name, `core idf build` among them."""
    found: dict[str, Any] = {}
    for program, group in PROGRAMS.items():
        for name, command in group.commands.items():
            inner = getattr(command, "commands", {})
            found |= {f"{program} {name} {one}": leaf for one, leaf in inner.items()}
            if not inner:
                found[f"{program} {name}"] = command
    return found


LEAVES = leaves()
SHOWN = sorted({call for name, text in DOCUMENTS.items() if name != "CHANGELOG.md" for call in calls(text)})


def command_of(line: str) -> tuple[str, list[str]]:
    """The name of the command in a line, and its arguments."""
    words = shlex.split(line)
    length = 3 if " ".join(words[:3]) in LEAVES else 2
    return " ".join(words[:length]), words[length:]


def options_of(command: Any) -> set[str]:
    """The visible options of a command."""
    options = [one for one in command.params if one.param_type_name == "option" and not one.hidden]
    return {name for one in options for name in (*one.opts, *one.secondary_opts)} - {"--help"}


@pytest.mark.parametrize("line", SHOWN)
def test_a_command_of_the_documents_is_accepted_by_the_program(line):
    name, arguments = command_of(line)
    context = LEAVES[name].make_context(
        name, list(arguments)
    )  # UsageError for what it does not know or lacks
    named = context.params.get("metric") or ""
    for metric in named.split(",") if isinstance(named, str) else ():  # `meta` names files
        assert metric in METRICS | DOCUMENT_METRICS or metric.startswith("external:") or not metric
    for setting in context.params.get("assignments") or ():
        field, _, value = setting.partition("=")
        if name == "db campaign":
            kinds = {one.name: one.type for one in fields(Design)} | {"protocol": "str"}
            assert value in ("yes", "no") or kinds[field] != "bool"
        else:
            metric, _, option = field.rpartition(".")
            assert option in {one.name for one in (METRICS | DOCUMENT_METRICS)[metric or named].options}
    assert context.params.get("format_name") in (None, *FORMATS)


def test_a_command_that_does_not_exist_would_be_noticed():
    with pytest.raises(Exception, match="No such option: --metrics"):
        LEAVES["core score"].make_context("score", ["--metrics", "bleu"])


def test_every_command_has_a_section_with_an_example():
    headings = re.findall(r"^### `python -m (.*)`$", COMMANDS, re.M)
    assert sorted(headings) == sorted(LEAVES)
    for name in headings:
        shown = calls(section(COMMANDS, f"### `python -m {name}`"))
        assert name in {command_of(line)[0] for line in shown}


@pytest.mark.parametrize("name", LEAVES)
def test_the_section_of_a_command_shows_all_its_options_and_no_others(name):
    text = section(COMMANDS, f"### `python -m {name}`")
    own = [line for line in calls(text) if command_of(line)[0] == name]
    code = [*own, *(span for span in spans(text) if span.startswith("--"))]
    shown = {option for part in code for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", part)}
    common = {"--lang", "--json", "--out", "--yes"}  # described once, under “Conventions”
    assert shown <= options_of(LEAVES[name])
    assert options_of(LEAVES[name]) - common <= shown


def test_every_field_of_a_campaigns_design_is_explained():
    table = section(COMMANDS, "### `python -m db campaign`")
    cells = re.findall(r"^\| (`.*?`) \|", table, re.M)
    assert sorted(spans(" ".join(cells))) == sorted({"protocol", *(one.name for one in fields(Design))})


def targets(document: str) -> set[str]:
    text = "\n".join([*blocks(document), *spans(document)])
    return set(re.findall(r"\bmake ([a-z]+(?:-[a-z]+)*)\b", text))


def test_every_target_that_is_named_exists_and_every_target_is_explained():
    existing = set(re.findall(r"^([a-z]+(?:-[a-z]+)*):", MAKEFILE, re.M))
    for document in DOCUMENTS.values():
        assert targets(document) <= existing
    explained = {cell.removeprefix("make ") for cell in first_cells(CONTRIBUTING) if cell.startswith("make ")}
    assert explained == existing
    assert targets(README) == {"run", "test"}


def test_what_make_does_is_spelled_out_as_the_makefile_has_it():
    makefile = MAKEFILE.replace("$(BIN)", ".venv/bin").replace("$(PORT)", "8501")
    spelled = [part for text in (CONTRIBUTING, RUNNING) for part in (*blocks(text), *spans(text))]
    recipes = [line.strip().lstrip("@") for line in re.findall(r"^\t(.*)$", makefile, re.M)]
    for recipe in recipes:
        if recipe.startswith((".venv/bin/", "sh ")) and " install " not in recipe:
            assert recipe in spelled


def test_the_marks_of_tests_are_those_of_the_project():
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    marks = re.findall(r'^    "(\w+): ', project, re.M)
    (line,) = re.findall(r"^- Marks .*", CONTRIBUTING, re.M)
    assert set(marks) <= set(spans(line))


def test_the_readmes_are_short():
    assert len(README.splitlines()) <= README_LINES
    assert len(README_JA.splitlines()) <= README_LINES


def test_both_readmes_have_the_same_commands_headings_links_and_code():
    assert blocks(README) == blocks(README_JA)
    assert re.findall(r"^(#+) ", README, re.M) == re.findall(r"^(#+) ", README_JA, re.M)
    assert spans(README) == spans(README_JA)
    assert links(README)[1:] == links(README_JA)[1:]


@pytest.mark.parametrize("document", [README, README_JA], ids=["en", "ja"])
def test_the_readme_names_every_metric(document):
    assert sorted(first_cells(document)) == sorted(METRICS)


def test_the_tables_of_formats_are_those_of_the_program():
    campaign = section(FORMATS_PAGE, "## Campaign formats")
    assert sorted(first_cells(campaign)) == sorted(FORMATS)
    assert set(long.COLUMNS) <= set(spans(campaign))
    header, _, *rows = re.findall(r"^\|.*", section(FORMATS_PAGE, "## What each format can hold"), re.M)
    columns = [spans(cell) for cell in header.strip("|").split("|")[1:]]
    assert sorted(name for names in columns for name in names) == sorted(
        name for name in FORMATS if FORMATS[name].writes
    )
    assert sorted(first_cells("\n".join(rows))) == sorted(capabilities.WORDS)
    for row in rows:
        word, *cells = row.strip("|").split("|")
        for names, cell in zip(columns, cells, strict=True):
            assert {spans(word)[0] in FORMATS[name].holds for name in names} == {cell.strip() == "✓"}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_pictures_lead_to_files(name):
    folder = (ROOT / name).parent
    own = [link.split("#")[0] for link in links(DOCUMENTS[name]) if not re.match("https?:|#", link)]
    assert [link for link in own if not (folder / link).exists()] == []


def test_every_page_of_the_documents_is_linked_from_the_readme():
    pages = {name for name in DOCUMENTS if name.startswith("docs/")}
    assert pages - set(links(README)) == {"docs/mteqa-questions.md"}  # linked from the card of `mteqa`


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_files_folders_and_modules_that_are_named_exist(name):
    code = [span for span in spans(DOCUMENTS[name]) if span.isascii() and not re.search("NAME|USE", span)]
    paths = [span for span in code if re.fullmatch(r"[\w./-]+/[\w.-]+\.\w+|[\w./-]+/", span)]
    assert len(paths) > 15
    assert [path for path in paths if not (ROOT / path).exists()] == []
    modules = [span for span in code if re.fullmatch(r"(core|db|pages)(\.\w+)+", span)]
    places = {span: ROOT / span.replace(".", "/") for span in modules}
    absent = [
        span for span, place in places.items() if not (place.is_dir() or place.with_suffix(".py").exists())
    ]
    assert absent == []


def test_the_map_has_every_folder_of_code():
    folders = {
        path.parent.relative_to(ROOT).as_posix() + "/"
        for top in ("core", "db", "pages")
        for path in (ROOT / top).rglob("__init__.py")
    }
    assert folders - {"pages/"} - set(spans(ARCHITECTURE)) == set()


def functions_of(path: Path) -> set[str]:
    """The functions, classes and methods (`Class.method`) that a module defines."""
    body = ast.parse(path.read_text("utf-8")).body
    defined = [node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    methods = {
        f"{node.name}.{part.name}"
        for node in defined
        if isinstance(node, ast.ClassDef)
        for part in node.body
        if isinstance(part, ast.FunctionDef)
    }
    return {node.name for node in defined} | methods


def test_the_functions_of_the_three_paths_exist_and_are_counted():
    paths = re.findall(r"^(## A .*\((\d+) functions\))$", ARCHITECTURE, re.M)
    assert len(paths) == 3
    for heading, count in paths:
        rows = re.findall(r"^\| `([\w/]+\.py)` \| ([^|]+) \|", section(ARCHITECTURE, heading), re.M)
        assert sum(len(spans(functions)) for _, functions in rows) == int(count)
        for module, functions in rows:
            assert set(spans(functions)) <= functions_of(ROOT / module)


def test_every_environment_variable_is_explained():
    code = [path.read_text("utf-8") for top in ("core", "db", "pages") for path in (ROOT / top).rglob("*.py")]
    read = {name for text in code for name in re.findall(r'"(YOMIKURABE_[A-Z]+|OPENAI_[A-Z_]+)"', text)}
    assert len(read) >= 6
    assert sorted(first_cells(section(RUNNING, "## Environment variables"))) == sorted(read)


def test_the_example_line_is_what_the_program_writes(tmp_path):
    text = tmp_path / "text"
    text.write_text("猫\n", encoding="utf-8")
    arguments = ["score", "--metric", "chrf", "--ref", str(text), "--hyp", str(text)]
    written = CliRunner().invoke(core.__main__.app, arguments).stdout.strip()
    for document in (README, README_JA, COMMANDS):
        assert written in document


def test_the_examples_of_output_are_what_the_commands_write():
    """Compared with the output that `tests/golden` keeps; the line of `score` has a test of its own."""
    golden = [path.read_text("utf-8") for path in (ROOT / "tests" / "golden" / "commands").glob("*.txt")]
    written = {line.removeprefix("! ").strip() for text in golden for line in text.splitlines()}
    fitted = re.compile(r"\bmodel:[0-9a-f]{12}\b")  # depends on the processor: see `tests.golden.commands`
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", COMMANDS, re.M | re.S)
    blocks = (fitted.sub("model:FITTED", block) for kind, block in fenced if kind != "sh")
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    assert len(lines) > 25
    assert [line for line in lines if line not in written and line not in README] == []


def test_every_complaint_has_a_behaviour_and_a_test_that_exists():
    document = DOCUMENTS["docs/complaints.md"]
    rows = re.findall(r"^\| (\d+) \|(.*)$", document, re.M)
    assert [number for number, _ in rows] == [str(number) for number in range(1, 42)]
    for number, row in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", row)
        assert named, number
        for file, test in named:
            assert f"def {test}" in (ROOT / file).read_text("utf-8"), (number, file, test)
