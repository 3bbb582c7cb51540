"""What holds for the whole house: sizes, who may say what, what an import may load, a card for each metric.

Who may import whom is import-linter's to say (pyproject.toml); app.py, no package, is looked at here.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from core.metrics import METRICS
from core.metrics.documents import DOCUMENT_METRICS

ROOT = Path(__file__).parents[1]
CODE = ("core", "db", "pages")
MOST_STATEMENTS, MOST_LINES = 35, 60  # of a function; the formatter gives an argument a line of its own


@cache
def our_files() -> tuple[Path, ...]:
    """Every file that is or would be committed; without git, every file outside hidden folders."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
        found = [ROOT / name for name in names if name]
    else:
        found = [
            path
            for path in ROOT.rglob("*")
            if not any(part[0] in "._" for part in path.relative_to(ROOT).parent.parts)
        ]
    return tuple(sorted(path for path in found if path.is_file()))


def python(*folders: str) -> Iterator[tuple[str, Path]]:
    """Our Python files with their names from the root, in these folders or everywhere."""
    for path in our_files():
        name = path.relative_to(ROOT).as_posix()
        if path.suffix == ".py" and (not folders or name.split("/")[0] in folders):
            yield name, path


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a file, parsed once for all tests."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


def imported(path: Path) -> set[str]:
    """Every module that a file imports, wherever in it."""
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


def test_the_test_itself_sees_the_code():
    names = {name for name, _ in python(*CODE)}
    assert {"core/__main__.py", "db/models.py", "pages/evaluate/rate/page.py"} <= names


def test_functions_are_short():
    functions = [
        (f"{name}:{node.name}", node)
        for name, path in python()
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    lines = {name: node.end_lineno - node.lineno + 1 for name, node in functions}
    statements = {
        name: sum(isinstance(part, ast.stmt) for part in ast.walk(node))
        for name, node in functions
        if lines[name] > MOST_STATEMENTS  # a line has one statement
    }
    assert {name: count for name, count in statements.items() if count > MOST_STATEMENTS} == {}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}


def test_the_formatter_lays_out_every_line():
    assert [name for name, path in python(*CODE) if "# fmt: skip" in path.read_text("utf-8")] == []


def test_no_two_public_classes_share_a_name():
    places: dict[str, list[str]] = {}
    for name, path in python(*CODE):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def module_of(name: str) -> str:
    """The dotted name of a file of ours."""
    return name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def test_a_module_with_one_importer_lies_beside_it():
    """Or below the folder of its importer, or in another layer: a chart may have one page that shows it."""
    modules = {module_of(name): path for name, path in python(*CODE, "app.py") if "/migrations/" not in name}
    importers: dict[str, set[str]] = {name: set() for name in modules}
    for importer, path in modules.items():
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom):
                parts = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module or ""]
                for part in parts:
                    importers.get(part, set()).add(importer)
    astray = {}
    for name, users in importers.items():
        if len(users - {name}) != 1 or modules[name].name in ("__init__.py", "__main__.py"):
            continue
        (user,) = users - {name}
        same_layer = name.split(".")[0] == user.split(".")[0]
        folder = name.rpartition(".")[0]
        beside = user == folder or user.startswith(f"{folder}.")
        below = folder.startswith(f"{user.rpartition('.')[0]}.")
        if same_layer and not (beside or below):
            astray[name] = user
    assert astray == {}


def test_no_script_lies_directly_in_pages():
    assert [name for name, path in python("pages") if path.parent == ROOT / "pages"] == ["pages/__init__.py"]


def test_every_folder_of_code_is_a_package_so_that_import_linter_sees_it():
    folders = {path.parent for name, path in python(*CODE) if "/migrations/" not in name}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []


def test_no_module_is_a_drawer_for_everything():
    drawers = {"utils", "util", "helpers", "misc", "common"}
    assert [name for name, path in python() if path.stem in drawers or path.parent.name in drawers] == []


def test_app_imports_streamlit_and_the_pages_tools_only():
    allowed = re.compile(r"__future__|streamlit|pages\.(ui|auth)(\..+)?")
    assert [name for name in imported(ROOT / "app.py") if not allowed.fullmatch(name)] == []


def test_nothing_is_caught_that_nobody_thought_of():
    found = [
        f"{name}:{node.lineno}"
        for name, path in [*python(*CODE), ("app.py", ROOT / "app.py")]
        for node in nodes(path)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in ("Exception", "BaseException"))
    ]
    assert found == []


def handed_to_clicks(path: Path) -> Iterator[ast.expr]:
    """What widgets are given for the click: `args=`, `kwargs=` and callbacks written in place."""
    for node in nodes(path):
        for keyword in node.keywords if isinstance(node, ast.Call) else ():
            if keyword.arg in ("args", "kwargs") or re.fullmatch(r"on_\w+", keyword.arg or ""):
                yield keyword.value


def test_no_callback_is_given_the_viewer_of_the_drawing_before_it():
    """A link may have been revoked since: rights are looked up when the click arrives."""
    given = [
        (name, value)
        for name, path in [*python("pages"), ("app.py", ROOT / "app.py")]
        for value in handed_to_clicks(path)
    ]
    assert len(given) > 30
    viewers = {"who", "viewer", "visitor"}
    names = [
        (name, {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}) for name, value in given
    ]
    assert [name for name, used in names if used & viewers] == []
    callbacks = {(name, value.id) for name, value in given if isinstance(value, ast.Name)}
    asking = [
        (name, node.name)
        for name, path in python("pages")
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef) and (name, node.name) in callbacks
        if any(one.annotation and "Viewer" in ast.unparse(one.annotation) for one in node.args.args)
    ]
    assert asking == []


def test_a_part_that_is_redrawn_alone_looks_up_the_rights_first():
    """Of a page that is guarded: Streamlit redraws a fragment without the page round it."""
    guarded = [
        (name, path)
        for name, path in python("pages")
        if "session.guard" in {*calls(path)} and "auth" not in name
    ]
    fragments = [
        (f"{name}:{node.name}", ast.unparse(node.body[1]))
        for name, path in guarded
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef)
        and any("fragment" in ast.unparse(one) for one in node.decorator_list)
    ]
    assert len(fragments) == 11
    assert [name for name, first in fragments if not first.startswith("session.guard_part(")] == []


def calls(path: Path) -> set[str]:
    return {ast.unparse(node.func) for node in nodes(path) if isinstance(node, ast.Call)}


def test_nobody_prints():
    assert [name for name, path in python(*CODE) if "print" in calls(path)] == []


def test_tags_reach_the_screen_in_one_place():
    doors = {"html", "iframe"}  # of st, of a column, or imported by name
    files = list(python(*CODE, "app.py"))
    assert "app.py" in dict(files)
    through = {name for name, path in files for call in calls(path) if call.split(".")[-1] in doors}
    assert through == {"pages/ui/text.py"}
    unsafe = re.compile("unsafe_allow_(html|javascript)")  # the word itself: also in a dict of keywords
    assert [name for name, path in files if unsafe.search(path.read_text("utf-8"))] == []


def test_our_components_build_their_page_from_nodes_and_never_from_markup():
    scripts = sorted((ROOT / "assets" / "components").glob("*.js"))
    assert {"passage.draw.js", "rail.js"} <= {path.name for path in scripts}
    ways = ("innerHTML", "outerHTML", "insertAdjacentHTML", r"document\.write", "srcdoc", r"\beval\b")
    markup = re.compile("|".join(ways))
    assert [path.name for path in scripts if markup.search(path.read_text("utf-8"))] == []
    given = {
        keyword.arg
        for _, path in python(*CODE, "app.py")
        for node in nodes(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("v2.component")
        for keyword in node.keywords
    }
    assert given == {"js", "css"}


def test_markdown_shows_the_apps_own_guides_and_nothing_else():
    shown = {
        ast.unparse(node.args[0]).split("(")[0]
        for _, path in python(*CODE, "app.py")
        for node in nodes(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".markdown")
    }
    assert shown == {"guide"}


def test_the_core_reads_the_environment_in_three_modules():
    reading = re.compile(r"\b(environ(?!\.setdefault)|getenv)\b")  # Ray is told not to phone home
    found = [name for name, path in python("core") if reading.search(path.read_text("utf-8"))]
    assert found == [
        "core/backends/environment.py",
        "core/backends/external.py",
        "core/backends/judge/settings.py",
    ]


@pytest.mark.parametrize(
    "module", ["core.metrics", "core.scoring", "core.__main__", "db.queries", "db.campaigns.scoring"]
)
def test_importing_a_light_module_loads_no_heavy_library(module):
    heavy = {"torch", "transformers", "openvino", "tokenizers", "spacy", "sklearn", "streamlit", "plotly"}
    code = f"import sys, {module}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("command", [["list"], ["--help"], ["--version"], ["score", "--help"]])
def test_commands_that_load_no_model_import_no_heavy_library(command):
    heavy = {"torch", "transformers", "openvino", "tokenizers", "spacy", "scipy", "pandas", "sudachipy"}
    code = (
        "import sys, contextlib, io\n"
        "from core.__main__ import app\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        f"    app({command})\n"
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_file_names_a_place_on_a_developers_machine():
    places = re.compile(rb"/wor[k]/|/bash[_]jobs|\.\./shar[e]d")
    assert [str(path.relative_to(ROOT)) for path in our_files() if places.search(path.read_bytes())] == []


CARDS = METRICS | DOCUMENT_METRICS


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", CARDS)
def test_every_metric_has_a_card_that_explains_each_option_and_choice(name, lang):
    card = (ROOT / "assets" / "cards" / f"{name}.{lang}.md").read_text("utf-8")
    for option in CARDS[name].options:
        assert f"`{option.name}`" in card
        for choice in option.choices:
            assert f"`{choice}`" in card, f"{option.name}={choice}"


@pytest.mark.parametrize("name", CARDS)
def test_both_cards_of_a_metric_have_the_same_sections_and_flags(name):
    cards = [(ROOT / "assets" / "cards" / f"{name}.{lang}.md").read_text("utf-8") for lang in ("en", "ja")]
    sections, codes = zip(
        *((len(re.findall("^## ", card, re.M)), set(re.findall(r"`[^`\n]+`", card))) for card in cards),
        strict=True,
    )
    assert sections[0] == sections[1]
    assert codes[0] == codes[1]


def test_there_is_no_card_without_a_metric():
    names = {path.name.split(".")[0] for path in (ROOT / "assets" / "cards").iterdir()}
    assert names == set(CARDS)
