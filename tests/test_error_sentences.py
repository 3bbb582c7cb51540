"""Every error of the code is a template with named values, and has its sentence in Japanese."""

from __future__ import annotations

import ast
import json
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from core import errors
from core.assets import ROOT
from core.text.sentences import catalogue

KINDS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.YomikurabeError | errors.Wording)
}
SECOND = {"FileError", "ScaleUnknown"}
"""Whose template is the second argument: the first is the file."""

COMMANDS = ("core/__main__.py", "core/backends/ray_engine.py", "core/cli/", "db/__main__.py", "db/cli/")
"""What only commands do; commands speak English."""


@dataclass(frozen=True)
class Made:
    """A template, where it is used, and the values that are given with it; None where they are passed on."""

    template: str
    where: str
    given: frozenset[str] | None


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def sources() -> Iterator[tuple[str, ast.Module]]:
    for folder in ("core", "db", "pages"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith((*COMMANDS, "db/migrations/")):
                yield name, parsed(path)


def constant(name: str, tree: ast.Module) -> str | None:
    """The text that a module gives this name, itself or the module of ours that it is imported from."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and name in map(ast.unparse, node.targets):
            return node.value.value if isinstance(node.value, ast.Constant) else None
        if isinstance(node, ast.ImportFrom) and name in {one.name for one in node.names}:
            return constant(name, parsed(ROOT / Path(*str(node.module).split(".")).with_suffix(".py")))
    return None


def templates(node: ast.expr, tree: ast.Module) -> list[str] | None:
    """The templates that an argument may be; None where they cannot be read from the code."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.IfExp):
        both = templates(node.body, tree), templates(node.orelse, tree)
        return None if None in both else [*both[0], *both[1]]
    known = constant(node.id, tree) if isinstance(node, ast.Name) else None
    return None if known is None else [known]


def passed_on(node: ast.expr, inside: str) -> bool:
    """Whether it is the template of a caller: in a method `error`, or of an error that is taken over."""
    in_method = isinstance(node, ast.Name) and node.id == "problem" and inside in ("error", "_error")
    return in_method or (isinstance(node, ast.Attribute) and node.attr == "template")


def calls(node: ast.AST, inside: str = "") -> Iterator[tuple[ast.Call, str]]:
    """Every call with the function that it stands in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            yield child, inside
        yield from calls(child, child.name if isinstance(child, ast.FunctionDef) else inside)


@cache
def made() -> tuple[list[Made], list[str]]:
    """Every template of the code, and the places where it is not written in the code."""
    found, hidden = [], []
    for name, tree in sources():
        for call, inside in calls(tree):
            kind = getattr(call.func, "id", getattr(call.func, "attr", ""))
            method = isinstance(call.func, ast.Attribute) and kind in ("error", "_error")
            of_streamlit = method and getattr(call.func.value, "id", "") == "st"
            if of_streamlit or not (method or kind in KINDS):
                continue
            argument = call.args[1 if kind in SECOND else 0]
            where = f"{name}:{call.lineno}"
            values = {keyword.arg for keyword in call.keywords}
            given = None if None in values else frozenset(values - {None})
            known = templates(argument, tree)
            if known is not None:
                found += [Made(one, where, given) for one in known]
            elif not passed_on(argument, inside):
                hidden.append(f"{where}: {ast.unparse(argument)}")
    return found, hidden


def fields(template: str) -> set[tuple[str, str | None, str | None]]:
    """Name, form and conversion of each field."""
    parts = string.Formatter().parse(template)
    return {(name, form, conversion) for _, name, form, conversion in parts if name is not None}


def test_every_error_has_its_template_in_the_code():
    found, hidden = made()
    assert hidden == []
    assert len({one.template for one in found}) > 400


def test_every_field_of_a_template_has_its_value():
    for one in made()[0]:
        if one.given is not None:
            wanted = {name for name, _, _ in fields(one.template)}
            assert wanted <= one.given, one


def test_every_template_has_its_sentence_and_no_sentence_is_unused():
    assert {one.template for one in made()[0]} == catalogue("errors").keys()


SAYING = {
    "Result": "missing",
    "Scored": "missing",
    "ScoreRow": "missing",
    "Reply": "problem",
    "Parse": "problem",
}
"""The records that say why there is nothing, and the field that says it."""


def bare_texts(node: ast.expr, tree: ast.Module) -> Iterator[str]:
    """English that an argument may be without being a template, itself or by a name of its module."""
    if isinstance(node, ast.IfExp):
        yield from (*bare_texts(node.body, tree), *bare_texts(node.orelse, tree))
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from bare_texts(value, tree)
    elif isinstance(node, ast.Name):
        for other in ast.walk(tree):
            if isinstance(other, ast.Assign) and node.id in map(ast.unparse, other.targets):
                yield from bare_texts(other.value, tree)
    elif (
        isinstance(node, ast.JoinedStr)
        or (isinstance(node, ast.Constant) and isinstance(node.value, str))
        or (isinstance(node, ast.Attribute) and node.attr == "message")
    ):
        yield ast.unparse(node)


def test_every_reason_for_a_missing_score_is_a_template():
    seen, bare = 0, []
    for name, tree in sources():
        for call, _ in calls(tree):
            wanted = SAYING.get(getattr(call.func, "id", ""))
            for keyword in call.keywords:
                if keyword.arg == wanted:
                    seen += 1
                    bare += [f"{name}:{call.lineno}: {text}" for text in bare_texts(keyword.value, tree)]
    assert bare == []
    assert seen > 25


def test_a_japanese_sentence_has_the_fields_of_its_template():
    for template, sentence in catalogue("errors").items():
        assert sentence.strip()
        assert fields(sentence) == fields(template), template


OF_COMMANDS = {
    one for one in catalogue("errors") if one.startswith(("--axis", "--lang")) or "choose with --pair" in one
}
"""What no page can raise, although it does not stand in a command's module."""


def test_on_a_page_no_error_names_an_option_of_a_command():
    english = json.loads((ROOT / "assets" / "locale" / "errors.en.json").read_text("utf-8"))
    named = {one for one in catalogue("errors") if re.search(r"--[a-z]", one) and "python -m" not in one}
    named -= OF_COMMANDS
    assert named == english.keys()
    for template in named:
        assert "--" not in english[template] + catalogue("errors")[template]
        assert fields(english[template]) == fields(template)


NAMES = {"DOCTYPE", "ID", "JSON", "XML", "ZIP", "gzip", "z", "u"}
"""Names of formats and letters. Any other Latin word must stand in the English sentence, too, or be typed."""
TYPED = {"needs"}


def latin(words: str) -> set[str]:
    shown = "".join(part for part, *_ in string.Formatter().parse(words))
    return set(re.findall(r"[A-Za-z_]+", shown))


@pytest.mark.parametrize("name", ["errors", "reasons"])
def test_a_japanese_sentence_has_no_english_but_names(name):
    for english, japanese in catalogue(name).items():
        assert latin(japanese) <= latin(english) | NAMES | TYPED, english
        assert len(re.findall(r"[A-Za-z]+ [a-z]+ [a-z]+ [a-z]+", japanese)) <= ("python" in english), english


@pytest.mark.parametrize("name", ["errors", "reasons"])
def test_the_catalogue_is_in_order(name):
    assert list(catalogue(name)) == sorted(catalogue(name))
