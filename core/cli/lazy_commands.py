"""Commands of which each module is imported when the command runs, and not for the list of all commands."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import typer
from typer._click import Command, Context, HelpFormatter
from typer.core import TyperCommand, TyperGroup


def lazy_group(homes: Mapping[str, str]) -> type[TyperGroup]:
    """A class for `typer.Typer(cls=…)`. homes: `module:name` of each command's function or app, in order."""

    class LazyGroup(TyperGroup):
        """Commands by name; a help text of all of them is read from their source."""

        def __init__(self, **attributes: Any) -> None:  # noqa: ANN401  # typer's own
            super().__init__(**attributes | {"commands": _Commands(homes)})
            self._listing = False

        def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
            """The list of commands, with the first line of what each says of itself."""
            self._listing = True
            try:
                super().format_help(ctx, formatter)
            finally:
                self._listing = False

        def list_commands(self, ctx: Context) -> list[str]:
            """The names, in order."""
            return list(homes)

        def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
            """The command; for the list only its name and help."""
            if self._listing:
                return TyperCommand(cmd_name, help=_help_of(homes[cmd_name]))
            return super().get_command(ctx, cmd_name)

    return LazyGroup


class _Commands(dict[str, Any]):
    """Commands by name, each made from its function or app when it is first asked for."""

    def __init__(self, homes: Mapping[str, str]) -> None:
        super().__init__(dict.fromkeys(homes))
        self._homes = homes

    def __getitem__(self, name: str) -> Command:
        command: Command | None = super().__getitem__(name)
        if command is None:
            module, _, attribute = self._homes[name].partition(":")
            command = self[name] = _command(name, getattr(import_module(module), attribute))
        return command

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401  # as dict has it
        """The command, None where there is none of that name."""
        if name not in self:
            return default
        return self[name]

    def items(self) -> Any:  # noqa: ANN401
        """All commands, all imported."""
        return [(name, self[name]) for name in self]

    def values(self) -> Any:  # noqa: ANN401
        """All commands, all imported."""
        return [self[name] for name in self]


def _command(name: str, found: typer.Typer | Callable[..., object]) -> Command:
    app = typer.Typer(add_completion=False)
    if not isinstance(found, typer.Typer):
        app.command(name)(found)
        return typer.main.get_command(app)
    app.add_typer(found, name=name)
    return typer.main.get_group(app).commands[name]


def _help_of(home: str) -> str:
    """The docstring of a function, or the `help` that an app is made with, without importing its module."""
    module, _, name = home.partition(":")
    spec = find_spec(module)
    source = Path(cast(str, spec.origin)).read_text("utf-8") if spec else ""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_docstring(node) or ""
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            made = cast(ast.Call, node.value)
            return next(str(ast.literal_eval(one.value)) for one in made.keywords if one.arg == "help")
    raise LookupError(home)
