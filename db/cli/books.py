"""`python -m db books`: a campaign from books."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from core.alignment.units import UNITS
from core.backends import Backends
from core.cli.console import exit_on_error, progress_bar, say_if_tty
from core.cli.options import Seed, choose, named_files
from core.errors import OptionError
from db.campaigns.books import BookSet, UnitChoice, align_set, campaign_of, kept_folder, read_books
from db.campaigns.load import load_bundle
from db.cli.files import report
from db.cli.options import CampaignName
from db.engine import ready_engine

_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


Original = Annotated[
    Path | None, typer.Argument(help="Original: EPUB, DOCX, HTML, Markdown, plain text; may be left out.")
]
Reference = Annotated[Path | None, typer.Option("--reference", help="Book of the reference translation.")]
Translations = Annotated[
    list[str] | None, typer.Option("--hyp", help="Book of a translation as NAME=FILE; repeatable.")
]
Chapters = Annotated[
    str | None, typer.Option("--chapters", help="Chapters, such as 1-3,7.", show_default="all")
]
Unit = Annotated[str, typer.Option("--unit", help=f"What is rated at once: {', '.join(UNITS)}.")]
Characters = Annotated[int, typer.Option("--characters", min=1, help="Least characters of a passage.")]
Sample = Annotated[
    int | None, typer.Option("--sample", min=1, help="Units to draw from each chapter.", show_default="all")
]
Apart = Annotated[int, typer.Option("--apart", min=0, help="Least number of units between two drawn ones.")]
Ruby = Annotated[bool, typer.Option("--ruby", help="Keep readings for raters; metrics do not see them.")]
Marks = Annotated[
    bool, typer.Option("--marks", help="Mark omissions and additions for raters (protocol esa).")
]
OnlyList = Annotated[bool, typer.Option("--list", help="Only list the chapters of the books.")]
Unrelated = Annotated[bool, typer.Option("--force", help="Also take books of which hardly anything matches.")]


@exit_on_error
def books_command(
    campaign: CampaignName,
    original: Original = None,
    reference: Reference = None,
    hyp: Translations = None,
    chapters: Chapters = None,
    unit: Unit = "paragraph",
    characters: Characters = 400,
    sample: Sample = None,
    apart: Apart = 0,
    seed: Seed = 0,
    ruby: Ruby = False,
    marks: Marks = False,
    show: OnlyList = False,
    force: Unrelated = False,
) -> None:
    """Make a campaign from books: align an original, a reference and translations.

    After an error nothing is stored. A stopped run continues where it was.
    """
    kind = choose("--unit", unit, UNITS)
    books = read_books(original, reference, named_files(hyp or [], "--hyp"))
    if show:
        _list(books)
        return
    count = len((books.original or books.pivot).chapters)
    choice = UnitChoice(
        kind=kind,
        characters=characters,
        chapters=chosen_chapters(chapters, count),
        per_chapter=sample,
        apart=apart,
        seed=seed,
        ruby=ruby,
        marks=marks,
    )
    engine = ready_engine()
    with progress_bar("aligning") as progress:
        made = align_set(books, aligning_backends(), kept=kept_folder(), progress=progress, force=force)
    report(load_bundle(engine, campaign_of(made, campaign, choice), campaign))


def aligning_backends() -> Backends:
    """The models for aligning, which remember no text: each is read once."""
    from core.backends.registry import load_backends

    return load_backends(say=say_if_tty, cache_bytes=0)


def _list(books: BookSet) -> None:
    for role, book in books.by_role().items():
        by = f", {book.author}" if book.author else ""
        typer.echo(f"{role}: {book.title}{by} ({book.form}, {book.lang})")
        left_out = ", ".join(f"{count} {kind}" for kind, count in book.left_out().items())
        if left_out:
            typer.echo(f"       left out: {left_out}")
        for number, chapter in enumerate(book.chapters, 1):
            typer.echo(f"{number:>5}  {chapter.title or '–'}  {chapter.characters():,} characters")


def chosen_chapters(text: str | None, count: int) -> tuple[int, ...]:
    """`1-3,7` -> (0, 1, 2, 6). Raises OptionError for other forms and for chapters that are not there."""
    found: dict[int, None] = {}
    for part in [] if text is None else text.split(","):
        match = _RANGE.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= count:
            raise OptionError(
                "--chapters {text}: write numbers from 1 to {count}, such as 1-3,7.", text=text, count=count
            )
        found |= dict.fromkeys(range(first - 1, last))
    return tuple(found)
