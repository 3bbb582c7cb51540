"""`python -m core hack`: change translations line by line, to see who notices."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from core.backends.registry import load_backends
from core.cli.console import exit_on_error, output, progress_bar, say
from core.errors import FileError, OptionError
from core.hacks import EDITS, Edited, EditInput, Skipped, find_edit, stack
from core.hacks.robustness import reader
from core.text.files import read_text, split_lines
from core.text.languages import guess_lang

_FILES = {"source": "--src", "reference": "--ref", "other": "--other"}
_LANGS = ("ja", "en")


@exit_on_error
def hack(
    kind: Annotated[
        str, typer.Option("--kind", help="An edit, several in order with commas between, or list.")
    ],
    hyp: Annotated[Path | None, typer.Option("--hyp", help="Translations, one segment a line.")] = None,
    src: Annotated[Path | None, typer.Option("--src", help="Sources, line by line.")] = None,
    ref: Annotated[Path | None, typer.Option("--ref", help="References, line by line.")] = None,
    other: Annotated[Path | None, typer.Option("--other", help="Another system's, line by line.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Another seed makes other choices.")] = 0,
    lang: Annotated[
        str, typer.Option("--lang", help="Language of the translations: ja, en or auto.")
    ] = "auto",
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines with what was done.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")] = None,
) -> None:
    """Change translations on purpose: check items, and ways to fool a metric. One line out per line in.

    What cannot be changed stays as it is; how many and why is said on standard error.
    """
    if kind == "list":
        with output(out) as file:
            file.write(table(as_json=as_json))
        return
    names = [name.strip() for name in kind.split(",") if name.strip()]
    if hyp is None or not names:
        raise OptionError("Give --kind an edit and --hyp a file; --kind list shows the edits.")
    files = {"source": src, "reference": ref, "other": other}
    needs = _needs(names, files)
    given = read_given(hyp, files, lang)
    done = _changed(names, given, needs, seed)
    with output(out) as file:
        for segment, (one, result) in enumerate(zip(given, done, strict=True)):
            file.write(_json_line(segment, one, result) if as_json else f"{_text(one, result)}\n")
    _summary(done)


def _needs(names: Sequence[str], files: Mapping[str, Path | None]) -> set[str]:
    """What these edits need; OptionError for an unknown edit or a file that is not given."""
    needs = {need for name in names for need in find_edit(name).needs}
    for need in sorted(needs & _FILES.keys()):
        if files[need] is None:
            raise OptionError(f"{','.join(names)} needs {_FILES[need]} with a line for each line of --hyp.")
    return needs


def _changed(
    names: Sequence[str], given: Sequence[EditInput], needs: set[str], seed: int
) -> list[Edited | Skipped]:
    read = reader(needs, load_backends())
    done: list[Edited | Skipped] = []
    with progress_bar("changing") as progress:
        for one in read(given):
            done.append(stack(names, one, seed, read=lambda changed: read([changed])[0]))
            progress(len(done), len(given))
    return done


def read_given(hyp: Path, files: Mapping[str, Path | None], lang: str) -> list[EditInput]:
    """The lines of the files side by side.

    Raises FileError where their numbers differ, OptionError for a language that is not Japanese or English.
    """
    texts = split_lines(read_text(hyp))
    if not texts:
        raise FileError(hyp, "is empty; give one segment a line")
    columns: dict[str, Sequence[str | None]] = {}
    for name, path in files.items():
        column = split_lines(read_text(path)) if path is not None else [None] * len(texts)
        if path is not None and len(column) != len(texts):
            problem = f"has {len(column)} lines but {hyp} has {len(texts)}; give a line per segment in both"
            raise FileError(path, problem, line=min(len(column), len(texts)) + 1)
        columns[name] = column
    language = guess_lang(texts) if lang == "auto" else lang
    if language not in _LANGS:
        raise OptionError(f"The edits know ja and en, not {language}; name the language with --lang.")
    rows = zip(texts, columns["source"], columns["reference"], columns["other"], strict=True)
    return [
        EditInput(text=text, lang=language, source=source, reference=reference, other=other)
        for text, source, reference, other in rows
    ]


def table(*, as_json: bool) -> str:
    """Every edit: its name, what it does, whether it breaks the meaning, at what it aims, what it needs."""
    if as_json:
        rows = [
            {
                "name": one.name,
                "summary": one.summary_en,
                "summary_ja": one.summary_ja,
                "breaks_meaning": one.breaks_meaning,
                "aims_at": list(one.aims_at),
                "needs": list(one.needs),
            }
            for one in EDITS.values()
        ]
        return f"{json.dumps(rows, ensure_ascii=False, indent=1)}\n"
    says = {True: "breaks the meaning", False: "keeps the meaning", None: "the meaning depends"}
    lines = []
    for one in EDITS.values():
        aims = f"; aims at {', '.join(one.aims_at)}" if one.aims_at else ""
        needs = f"; needs: {', '.join(one.needs)}" if one.needs else ""
        lines.append(f"{one.name:<19} {one.summary_en}; {says[one.breaks_meaning]}{aims}{needs}")
    return "\n".join(lines) + "\n"


def _text(one: EditInput, result: Edited | Skipped) -> str:
    return result.text if isinstance(result, Edited) else one.text


def _json_line(segment: int, one: EditInput, result: Edited | Skipped) -> str:
    row: dict[str, object] = {"segment": segment, "text": _text(one, result)}
    if isinstance(result, Edited):
        row |= {"note": result.note, "start": result.start, "end": result.end, "skipped": None}
    else:
        row |= {"note": None, "start": None, "end": None, "skipped": result.reason}
    return json.dumps(row, ensure_ascii=False) + "\n"


def _summary(done: Sequence[Edited | Skipped]) -> None:
    reasons = Counter(one.reason for one in done if isinstance(one, Skipped))
    skipped = "".join(f", {reason} {number}" for reason, number in sorted(reasons.items()))
    say(f"changed {len(done) - reasons.total()} of {len(done)}, left as they were {reasons.total()}{skipped}")
