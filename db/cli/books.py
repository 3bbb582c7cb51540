"""`python -m db books`: a campaign from books."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import platformdirs
import typer

from core.alignment.units import UNITS
from core.cli.console import exit_on_error, progress_bar, say_if_tty
from core.cli.options import Seed, choose, named_files
from core.errors import OptionError
from db.campaigns.books import BookSet, UnitChoice, align_set, campaign_of, read_books
from db.campaigns.load import load_bundle
from db.cli.files import report
from db.cli.options import CampaignName
from db.engine import ready_engine

_RANGE = re.compile(r"(\d+)(?:-(\d+))?")


@exit_on_error
def books_command(
    campaign: CampaignName,
    original: Annotated[
        Path | None, typer.Argument(help="Original: EPUB, DOCX, HTML, Markdown, plain text; may be left out.")
    ] = None,
    reference: Annotated[
        Path | None, typer.Option("--reference", help="Book of the reference translation.")
    ] = None,
    hyp: Annotated[
        list[str] | None, typer.Option("--hyp", help="Book of a translation as NAME=FILE; repeatable.")
    ] = None,
    chapters: Annotated[
        str | None, typer.Option("--chapters", help="Chapters, such as 1-3,7.", show_default="all")
    ] = None,
    unit: Annotated[
        str, typer.Option("--unit", help=f"What is rated at once: {', '.join(UNITS)}.")
    ] = "paragraph",
    characters: Annotated[
        int, typer.Option("--characters", min=1, help="Least characters of a passage.")
    ] = 400,
    sample: Annotated[
        int | None,
        typer.Option("--sample", min=1, help="Units to draw from each chapter.", show_default="all"),
    ] = None,
    apart: Annotated[
        int, typer.Option("--apart", min=0, help="Least number of units between two that are drawn.")
    ] = 0,
    seed: Seed = 0,
    ruby: Annotated[
        bool, typer.Option("--ruby", help="Keep readings in the texts; metrics read them as text.")
    ] = False,
    show: Annotated[bool, typer.Option("--list", help="Only list the chapters of the books.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Also take books of which hardly anything matches.")
    ] = False,
) -> None:
    """Make a campaign from books: align an original, a reference and translations.

    After an error nothing is stored. A stopped run continues where it was.
    """
    kind = choose("--unit", unit, UNITS)
    books = read_books(original, reference, named_files(hyp or [], "--hyp"))
    if show:
        _list(books)
        return
    first = books.original or books.pivot
    choice = UnitChoice(
        kind=kind,
        characters=characters,
        chapters=_chapters(chapters, len(first.chapters)),
        per_chapter=sample,
        apart=apart,
        seed=seed,
        ruby=ruby,
    )
    from core.backends.registry import load_backends

    engine = ready_engine()
    kept = platformdirs.user_cache_path("yomikurabe") / "alignment"
    encoder = load_backends(say=say_if_tty).encoder("embedded")
    with progress_bar("aligning") as progress:
        made = align_set(books, encoder, kept=kept, progress=progress, force=force)
    report(load_bundle(engine, campaign_of(made, campaign, choice), campaign))


def _list(books: BookSet) -> None:
    for role, book in {"original": books.original, "reference": books.reference, **books.systems}.items():
        if book is None:
            continue
        by = f", {book.author}" if book.author else ""
        typer.echo(f"{role}: {book.title}{by} ({book.form}, {book.lang})")
        for number, chapter in enumerate(book.chapters, 1):
            typer.echo(f"{number:>5}  {chapter.title or '–'}  {chapter.characters():,} characters")


def _chapters(text: str | None, count: int) -> tuple[int, ...]:
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
