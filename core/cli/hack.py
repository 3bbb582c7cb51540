"""`python -m core hack`: edit translations line by line, to test metrics and raters."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from core.backends.registry import load_backends
from core.cli.console import exit_on_error, output, progress_bar, say, table
from core.cli.flip import FlipMetric, FlipRequest, Shown, Target, TimeLimit, flip_lines
from core.cli.options import AsJson, Assignments, Lang, OutFile, SrcFile, split_names
from core.errors import FileError, OptionError
from core.hacks import EDITS, Edited, EditInput, Skipped, find_edit, stack
from core.hacks.flip import SECONDS
from core.hacks.robustness import reader
from core.text.files import check_line_count, read_lines
from core.text.languages import guess_lang

_FILES = {"source": "--src", "reference": "--ref", "other": "--other"}
_LANGS = ("ja", "en")
_MEANINGS = {True: "breaks the meaning", False: "keeps the meaning", None: "may break the meaning"}


@exit_on_error
def hack(
    kind: Annotated[
        str, typer.Option("--kind", help="Edit; separate several with commas. `list` lists the edits.")
    ] = "",
    hyp: Annotated[Path | None, typer.Option("--hyp", help="Translation file, one segment per line.")] = None,
    src: SrcFile = None,
    ref: Annotated[Path | None, typer.Option("--ref", help="Reference file, one segment per line.")] = None,
    other: Annotated[
        Path | None, typer.Option("--other", help="Another system's translations, one segment per line.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    flip: FlipMetric = None,
    target: Target = None,
    metric: Shown = "",
    assignments: Assignments = None,
    seconds: TimeLimit = SECONDS,
    lang: Lang = "auto",
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """Edit each line of a translation and write one line per segment.

    Edits serve as attention checks for raters and as attacks on metrics.

    With --flip: search the smallest change that puts each translation behind another one, or before it.

    Lines that cannot be edited are copied; standard error gives their number and the reasons.
    """
    if kind == "list":
        with output(out) as file:
            file.write(describe_edits(as_json=as_json))
        return
    names = split_names(kind)
    files = {"source": src, "reference": ref, "other": other}
    if flip is not None and hyp is not None:
        asked = FlipRequest(
            metric=flip, others=metric, assignments=assignments, target=target, seconds=seconds
        )
        flip_lines(read_inputs(hyp, files, lang), asked, out, as_json=as_json)
        return
    if hyp is None or not names:
        raise OptionError("Give --kind EDIT or --flip METRIC, and --hyp FILE; --kind list lists the edits.")
    needs = _needs(names, files)
    inputs = read_inputs(hyp, files, lang)
    results = _edit(names, inputs, needs, seed)
    with output(out) as file:
        for segment, (given, result) in enumerate(zip(inputs, results, strict=True)):
            file.write(_json_line(segment, given, result) if as_json else f"{_text(given, result)}\n")
    _print_summary(results)


def _needs(names: Sequence[str], files: Mapping[str, Path | None]) -> set[str]:
    """What the edits need. Raises OptionError for an unknown edit or a missing file."""
    needs = {need for name in names for need in find_edit(name).needs}
    for need in sorted(needs & _FILES.keys()):
        if files[need] is None:
            raise OptionError(
                "{names} needs {need} FILE, with one line per line of --hyp.",
                names=",".join(names),
                need=_FILES[need],
            )
    return needs


def _edit(
    names: Sequence[str], inputs: Sequence[EditInput], needs: set[str], seed: int
) -> list[Edited | Skipped]:
    read = reader(needs, load_backends())
    results: list[Edited | Skipped] = []
    with progress_bar("editing") as progress:
        for given in read(inputs):
            results.append(stack(names, given, seed, read=lambda changed: read([changed])[0]))
            progress(len(results), len(inputs))
    return results


def read_inputs(hyp: Path, files: Mapping[str, Path | None], lang: str) -> list[EditInput]:
    """The lines of the files side by side.

    Raises FileError for different numbers of lines and OptionError for a language other than ja and en.
    """
    texts = read_lines(hyp)
    if not texts:
        raise FileError(hyp, "is empty; write one segment per line")
    columns: dict[str, Sequence[str | None]] = {}
    for name, path in files.items():
        lines = read_lines(path) if path is not None else [None] * len(texts)
        if path is not None:
            check_line_count(path, len(lines), hyp, len(texts))
        columns[name] = lines
    code = guess_lang(texts) if lang == "auto" else lang
    if code not in _LANGS:
        raise OptionError("Edits exist for ja and en, not for {code}; set --lang.", code=code)
    rows = zip(texts, columns["source"], columns["reference"], columns["other"], strict=True)
    return [
        EditInput(text=text, lang=code, source=source, reference=reference, other=other)
        for text, source, reference, other in rows
    ]


def describe_edits(*, as_json: bool) -> str:
    """All edits: name, summary, effect on the meaning, targets and requirements."""
    if as_json:
        rows = [
            {
                "name": edit.name,
                "summary": edit.summary_en,
                "summary_ja": edit.summary_ja,
                "breaks_meaning": edit.breaks_meaning,
                "aims_at": list(edit.aims_at),
                "needs": list(edit.needs),
            }
            for edit in EDITS.values()
        ]
        return f"{json.dumps(rows, ensure_ascii=False, indent=1)}\n"
    lines = []
    for edit in EDITS.values():
        aims = f"; targets {', '.join(edit.aims_at)}" if edit.aims_at else ""
        needs = f"; needs: {', '.join(edit.needs)}" if edit.needs else ""
        lines.append((edit.name, f"{edit.summary_en}; {_MEANINGS[edit.breaks_meaning]}{aims}{needs}"))
    return table(lines)


def _text(given: EditInput, result: Edited | Skipped) -> str:
    return result.text if isinstance(result, Edited) else given.text


def _json_line(segment: int, given: EditInput, result: Edited | Skipped) -> str:
    row: dict[str, object] = {"segment": segment, "text": _text(given, result)}
    if isinstance(result, Edited):
        row |= {"note": result.note, "start": result.start, "end": result.end, "skipped": None}
    else:
        row |= {"note": None, "start": None, "end": None, "skipped": result.reason}
    return json.dumps(row, ensure_ascii=False) + "\n"


def _print_summary(results: Sequence[Edited | Skipped]) -> None:
    reasons = Counter(result.reason for result in results if isinstance(result, Skipped))
    skipped = "".join(f", {reason} {count}" for reason, count in sorted(reasons.items()))
    changed = len(results) - reasons.total()
    say(f"changed {changed} of {len(results)}, unchanged {reasons.total()}{skipped}")
