"""`python -m core voice`: who speaks in a novel and with which forms, and where a system breaks a voice."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from core.backends.registry import load_backends
from core.cli.cast import read_novel, segment_places
from core.cli.console import exit_on_error, output, progress_bar, say, say_if_tty, table
from core.cli.options import AsJson, HypFiles, Lang, OutFile, RefFile, SrcFile
from core.metaeval.mtme import read_documents
from core.novel.voice import Voices, voices, voices_json
from core.text.files import check_line_count, read_lines
from core.text.pair_files import language

UNKNOWN = "(unknown)"
REFERENCE, SOURCE = "(reference)", "(source)"
"""What the table calls texts that are no system's."""

SHOWN = 4
"""Forms of a sort in the table."""


@exit_on_error
def voice(
    ref: RefFile,
    hyp: HypFiles = None,
    src: SrcFile = None,
    documents: Annotated[
        Path | None,
        typer.Option("--documents", help="The .docs file: segments are named by document and position."),
    ] = None,
    lang: Lang = "auto",
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """List who speaks, with which first person and politeness, and where a system breaks a voice.

    With --src the source's quotations are listed as well.
    """
    references, systems = read_novel(ref, hyp)
    code = language(lang, references[:200])
    within = None
    if documents is not None:
        within = [document for _, document in read_documents(documents, len(references))]
    backends = load_backends(say=say_if_tty)
    with progress_bar("voices") as progress:
        reference, told = voices(
            references, systems, backends, lang=code, documents=within, progress=progress
        )
    source = None
    if src is not None:
        lines = read_lines(src)
        check_line_count(src, len(lines), ref, len(references))
        source, _ = voices(lines, {}, backends, lang=language("auto", lines[:200]), documents=within)
    places = segment_places(documents, len(references))
    write_voices(reference, told, places, out, as_json=as_json, source=source)


def write_voices(
    reference: Voices,
    systems: Mapping[str, Voices],
    places: Sequence[int | str],
    out: Path | None,
    *,
    as_json: bool,
    source: Voices | None = None,
) -> None:
    """Write the voices of texts as a table or as JSON. places: what each segment is called."""
    with output(out) as file:
        if as_json:
            told = voices_json(reference, systems, places)
            if source is not None:
                told["source"] = voices_json(source, {}, places)["reference"]
            file.write(json.dumps(told, ensure_ascii=False, indent=1) + "\n")
        else:
            own = {SOURCE: source} if source is not None else {}
            file.write(as_table({**own, REFERENCE: reference, **systems}, places))
    if not any(one.quotations for one in (reference, *systems.values())):
        say("There are no quotations in these texts.")


def as_table(texts: Mapping[str, Voices], places: Sequence[int | str]) -> str:
    """The speakers of each text with their forms, then the breaks of voice."""
    rows = [("text", "speaker", "quotations", "first person", "second person", "politeness", "endings")]
    for name, one in texts.items():
        for known in one.speakers:
            speech = known.speech
            rows.append(
                (
                    name,
                    known.speaker or UNKNOWN,
                    str(known.quotations),
                    _counts(speech.first_person),
                    _counts(speech.second_person),
                    _counts(speech.politeness),
                    _counts(speech.endings),
                )
            )
    told = table(rows, right=(2,))
    broken = [
        (
            name,
            str(places[one.segment]),
            one.speaker or UNKNOWN,
            one.sort.replace("_", " "),
            one.expected,
            one.found,
            one.against,
        )
        for name, own in texts.items()
        for one in own.breaks
    ]
    if not broken:
        return told
    head = ("text", "segment", "speaker", "break of", "expected", "found", "against")
    return told + "\n" + table([head, *broken])


def _counts(forms: Mapping[str, int]) -> str:
    shown = ", ".join(f"{form} {count}" for form, count in list(forms.items())[:SHOWN])
    more = len(forms) - SHOWN
    return (shown + (f", {more} more" if more > 0 else "")) or "–"
