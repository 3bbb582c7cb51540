"""`python -m core align`: which sentences of two texts belong together."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from core.alignment.books import (
    HARDLY,
    AlignedBooks,
    BookSentence,
    align_books,
    book_sentences,
    line_sentences,
)
from core.backends.registry import load_backends
from core.cli.alignment_files import FORMS, write_alignment
from core.cli.console import exit_on_error, output, progress_bar, say, say_if_tty
from core.errors import FileError, Listed, OptionError, os_reason
from core.text.books.reading import read_book
from core.text.files import read_lines
from core.text.pair_files import language


@exit_on_error
def align(
    left: Annotated[Path, typer.Argument(help="Book or text: EPUB, DOCX, HTML, Markdown, plain text.")],
    right: Annotated[Path, typer.Argument(help="The other one, such as its translation.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Output file: .tmx, .tsv or .json.", show_default="TSV to standard output"
        ),
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", help="Take each line as a sentence.")] = False,
    left_lang: Annotated[
        str, typer.Option("--left-lang", help="Language of the first text, or auto.")
    ] = "auto",
    right_lang: Annotated[
        str, typer.Option("--right-lang", help="Language of the second text, or auto.")
    ] = "auto",
) -> None:
    """Align the sentences of two texts, with a confidence for each bead.

    Standard error gives the counts. What was encoded is kept beside the output until it is complete, so
    that a stopped run continues where it was.
    """
    form = _form(out)
    sides = [_read(path, lang, lines=lines) for path, lang in ((left, left_lang), (right, right_lang))]
    (first, first_lang), (second, second_lang) = sides
    kept = None if out is None else out.with_name(f"{out.name}.partial")
    if kept is not None:
        _make_folder(kept)
    backends = load_backends(say=say_if_tty, cache_bytes=0)
    with progress_bar("aligning") as progress:
        aligned = align_books(first, second, backends, kept=kept, progress=progress)
    texts = [one.text for one in first], [one.text for one in second]
    with output(out) as file:
        for piece in write_alignment(
            form, aligned.beads, texts, (first_lang, second_lang), with_texts=not lines
        ):
            file.write(piece)
    if kept is not None:
        shutil.rmtree(kept, ignore_errors=True)
    for sentence in _summary(aligned):
        say(sentence)


def _form(out: Path | None) -> str:
    form = "tsv" if out is None else out.suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise OptionError(
            "--out {file}: the ending says the format; choose {forms}.",
            file=out,
            forms=Listed(f".{name}" for name in FORMS),
        )
    return form


def _read(path: Path, lang: str, *, lines: bool) -> tuple[tuple[BookSentence, ...], str]:
    """The sentences and the language of a file. Raises FileError."""
    if not lines:
        book = read_book(path)
        return book_sentences(book), book.lang if lang == "auto" else language(lang, [])
    texts = read_lines(path)
    if not texts:
        raise FileError(path, "is empty; write one segment per line")
    return line_sentences(texts), language(lang, texts)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise FileError(folder, "cannot be written ({reason})", reason=os_reason(error)) from error


def _summary(aligned: AlignedBooks) -> list[str]:
    both = [bead for bead in aligned.beads if bead.left and bead.right]
    alone = [
        sum(len(bead.left) for bead in aligned.beads if not bead.right),
        sum(len(bead.right) for bead in aligned.beads if not bead.left),
    ]
    found = [
        f"{len(aligned.left):,} and {len(aligned.right):,} sentences: {len(both):,} beads, "
        f"{alone[0]:,} and {alone[1]:,} sentences without a partner, "
        f"{sum(bead.confidence < 0.5 for bead in both):,} beads below a confidence of 0.5."
    ]
    if aligned.found < HARDLY:
        found.append(
            f"Hardly anything matches ({aligned.found:.0%} of the sentences): "
            "are these two versions of one book?"
        )
    if aligned.equal > 0.5:
        found.append(f"Both files have the same text ({aligned.equal:.0%} of the sentences are equal).")
    return found
