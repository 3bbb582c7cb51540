"""`python -m core translate`: translate a file with a language model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core.backends.registry import load_backends
from core.cli.console import confirm_calls, exit_on_error, output, progress_bar, say, say_if_tty
from core.cli.options import OutFile, Yes
from core.text.files import read_lines
from core.text.pair_files import language
from core.translation import calls, find_prompt, translate


@exit_on_error
def translate_file(
    src: Annotated[Path, typer.Option("--src", help="Source file, one segment per line.")],
    prompt: Annotated[
        str, typer.Option("--prompt", help="Words to the model: default, short, or a file.")
    ] = "default",
    to: Annotated[str, typer.Option("--to", help="Language of the translation: an ISO 639-1 code.")] = "ja",
    lang: Annotated[
        str, typer.Option("--lang", help="Language of the source: an ISO 639-1 code, or auto.")
    ] = "auto",
    model: Annotated[
        str,
        typer.Option("--model", help="Name of the language model.", show_default="the one that is set up"),
    ] = "default",
    out: OutFile = None,
    yes: Yes = False,
) -> None:
    """Translate each line with a language model, by a prompt of the paper on metric hacking.

    Replies are stored: a second run asks only for what is missing. A line without a translation stays empty,
    and the exit status is 2.
    """
    sources = read_lines(src)
    languages = (language(lang, sources[:200]), language(to, sources[:1]))
    asked = calls(sources, find_prompt(prompt, languages))
    judge = load_backends(say=say_if_tty).judge(model).for_run()
    confirm_calls(judge, judge.estimate([call for call in asked if call is not None]), yes=yes)
    with progress_bar("translating") as progress:
        found = translate(judge, asked, progress=progress)
    with output(out) as file:
        file.writelines(f"{one.text or ''}\n" for one in found)
    lacking = [(number, one.missing) for number, one in enumerate(found, 1) if one.text is None]
    say(f"{judge.name}: {len(found) - len(lacking)} translations, {len(lacking)} missing.")
    for number, why in lacking[:10]:
        say(f"Line {number}: {why}")
    if lacking:
        raise SystemExit(2)
