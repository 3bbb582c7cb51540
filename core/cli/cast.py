"""`python -m core cast`: the persons and places of a text, and how each system renders them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from core.backends.registry import load_backends
from core.cli.console import exit_on_error, number, output, progress_bar, say, say_if_tty, table
from core.cli.options import AsJson, HypFiles, Lang, OutFile, RefFile, SrcFile, system_files
from core.errors import OptionError
from core.metaeval.mtme import read_documents
from core.novel.cast import TERM, CastName, cast, cast_json, system_consistency
from core.novel.glossary import GlossaryTerm, read_glossary, write_tbx, write_tsv
from core.novel.terms import terms, with_terms
from core.text.files import cannot_be_read, check_line_count, read_lines
from core.text.pair_files import language

GlossaryFile = Annotated[
    Path | None,
    typer.Option("--glossary", help="Glossary: TSV with the column term, or TBX. Its terms are listed too."),
]
WrittenGlossary = Annotated[
    Path | None,
    typer.Option("--write-glossary", help="Write the glossary: TBX for a name in .tbx, else TSV."),
]
SHOWN = 5
"""Renderings of a name in the table."""


@exit_on_error
def cast_list(
    ref: RefFile,
    hyp: HypFiles = None,
    src: SrcFile = None,
    documents: Annotated[
        Path | None,
        typer.Option("--documents", help="The .docs file: segments are named by document and position."),
    ] = None,
    glossary: GlossaryFile = None,
    write: WrittenGlossary = None,
    lang: Lang = "auto",
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """List the persons and places of the reference, and how each system renders them over all segments.

    With --src the source's names are listed as well, with --glossary its terms.
    """
    references, systems = read_novel(ref, hyp)
    code = language(lang, references[:200])
    entries = glossary_of(glossary, code)
    write_glossary(entries, write, source_lang="en" if code == "ja" else "ja", lang=code)
    backends = load_backends(say=say_if_tty)
    with progress_bar("names") as progress:
        names = cast(references, systems, backends, lang=code, progress=progress)
    found = with_terms(names, terms(entries, references, systems))
    source = None
    if src is not None:
        lines = read_lines(src)
        check_line_count(src, len(lines), ref, len(references))
        source = cast(lines, {}, backends, lang=language("auto", lines[:200]))
    write_cast(
        found, list(systems), segment_places(documents, len(references)), out, as_json=as_json, source=source
    )


def glossary_of(path: Path | None, lang: str) -> tuple[GlossaryTerm, ...]:
    """The terms of a TSV or TBX file, none without one. Raises FileError."""
    if path is None:
        return ()
    try:
        data = path.read_bytes()
    except OSError as error:
        raise cannot_be_read(path, error) from error
    return read_glossary(data, path, lang)


def write_glossary(
    entries: Sequence[GlossaryTerm], path: Path | None, *, source_lang: str, lang: str
) -> None:
    """Write terms as TBX where the file's name ends so, else as TSV; nothing without a path."""
    if path is not None:
        as_tbx = path.suffix.lower() in (".tbx", ".xml")
        with output(path) as file:
            file.write(
                write_tbx(entries, source_lang=source_lang, lang=lang) if as_tbx else write_tsv(entries)
            )


def read_novel(ref: Path, hyp: Sequence[str] | None) -> tuple[list[str], dict[str, list[str]]]:
    """The segments of the reference, and those of each system by its name.

    Raises OptionError without systems, FileError for another number of lines.
    """
    references = read_lines(ref)
    files = system_files(hyp or ())
    if not files:
        raise OptionError("{option} is missing.", option="--hyp")
    systems = {}
    for name, path in files.items():
        systems[name] = read_lines(path)
        check_line_count(path, len(systems[name]), ref, len(references))
    return references, systems


def write_cast(
    found: Sequence[CastName],
    systems: Sequence[str],
    places: Sequence[int | str],
    out: Path | None,
    *,
    as_json: bool,
    source: Sequence[CastName] | None = None,
) -> None:
    """Write a cast list as a table or as JSON. places: what each segment is called. source: its names."""
    with output(out) as file:
        if as_json:
            told = cast_json(found, places)
            if source is not None:
                told["source_names"] = cast_json(source, places)["names"]
            file.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
        else:
            file.write(as_table(found, systems))
    if not found:
        say("The reference names no person and no place that could be found.")


def segment_places(documents: Path | None, n: int) -> list[int | str]:
    """What each segment is called: its number from 0, or document and position from 0."""
    if documents is None:
        return list(range(n))
    seen: dict[str, int] = {}
    places: list[int | str] = []
    for _, document in read_documents(documents, n):
        position = seen.get(document, 0)
        seen[document] = position + 1
        places.append(f"{document}:{position}")
    return places


def as_table(found: Sequence[CastName], systems: Sequence[str]) -> str:
    """A row for each name and system, then one for each system."""
    columns = ("name", "kind", "n", "system", "renderings", "consistency", "lost", "merged with")
    rows = []
    for one in found:
        mentions = str(sum(form.count for form in one.forms))
        for place, system in enumerate(systems):
            told = one.systems[system]
            renderings = ", ".join(f"{form.form} {form.count}" for form in told.renderings[:SHOWN])
            more = len(told.renderings) - SHOWN
            rows.append(
                (
                    *((one.name, one.kind, mentions) if place == 0 else ("", "", "")),
                    system,
                    renderings + (f", {more} more" if more > 0 else "") or "–",
                    number(told.consistency),
                    str(len(told.lost)),
                    ", ".join(told.merged),
                )
            )
    if found:
        for label, of_terms in (("(all names)", False), ("(all terms)", True)):
            if not of_terms or any(one.kind == TERM for one in found):
                means = ((one, system_consistency(found, one, of_terms=of_terms)) for one in systems)
                rows += [("", "", "", system, label, number(mean), "", "") for system, mean in means]
    return table([columns, *rows], right=(2, 5, 6))
