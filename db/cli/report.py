"""`python -m db report`: a campaign's report as one HTML file, and as a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.errors import OptionError
from core.raters.ratings import METHODS
from core.text.locale import LANGUAGES
from db.campaigns.export import new_file
from db.cli.console import say
from db.engine import ready_engine
from db.permissions import OPERATOR
from db.queries import find_campaign

if TYPE_CHECKING:
    from core.report import Report


def report_command(
    campaign: Annotated[str, typer.Option("--campaign", help="The campaign's name.")],
    out: Annotated[Path, typer.Option(help="The HTML file to write.")],
    lang: Annotated[str, typer.Option(help="ja or en.")] = "en",
    method: Annotated[str, typer.Option(help=f"How scores are normalised: {', '.join(METHODS)}.")] = "raw",
    no_texts: Annotated[
        bool,
        typer.Option("--no-texts", help="No text, comment or name of a rater: ids, lengths and SHA-256."),
    ] = False,
    anonymous: Annotated[
        bool | None,
        typer.Option("--anonymous/--names", help="Raters by numbers, or by names; numbers with --no-texts."),
    ] = None,
    pdf: Annotated[Path | None, typer.Option(help="Also print it, by the system's Chromium.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files that are there.")] = False,
) -> None:
    """Write a campaign's report: one HTML file that needs nothing else, and perhaps a PDF of it."""
    named = not no_texts if anonymous is None else not anonymous
    report = _gathered(campaign, lang, method, texts=not no_texts, named=named)
    from core.report import document  # with plotly, which takes a moment
    from core.report.page import print_to_pdf

    with new_file(out, overwrite=force) as draft:
        draft.write_text(document(report), "utf-8")
    say(f"Wrote the report on {len(report.scores)} ratings to {out}.")
    if pdf is not None:
        with new_file(pdf, overwrite=force) as draft:
            print_to_pdf(out, draft)
        say(f"Printed it to {pdf}.")


def _gathered(name: str, lang: str, method: str, *, texts: bool, named: bool) -> Report:
    if lang not in LANGUAGES:
        raise OptionError(f"--lang {lang:.20}: choose one of {', '.join(LANGUAGES)}.")
    if method not in METHODS:
        raise OptionError(f"--method {method:.20}: choose one of {', '.join(METHODS)}.")
    from db.campaigns.reporting import gather

    engine = ready_engine()
    return gather(
        engine,
        OPERATOR,
        find_campaign(engine, name).id,
        language=lang,
        method=method,
        texts=texts,
        anonymous=not named,
    )
