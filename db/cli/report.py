"""`python -m db report`: the report on a campaign as an HTML file and as a PDF."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.console import exit_on_error, say
from core.cli.options import choose
from core.errors import OptionError
from core.raters.ratings import METHODS
from core.text.locale import LANGUAGES
from db.campaigns.export import new_file
from db.cli.options import CampaignName, Force, ScaleName
from db.engine import ready_engine
from db.permissions import OPERATOR
from db.queries import find_campaign

if TYPE_CHECKING:
    from core.report import Report


@exit_on_error
def report_command(
    campaign: CampaignName,
    out: Annotated[Path, typer.Option(help="HTML file to write.")],
    lang: Annotated[str, typer.Option(help="Language of the report: ja or en.")] = "en",
    method: Annotated[str, typer.Option(help=f"Normalisation of the ratings: {', '.join(METHODS)}.")] = "raw",
    scale: ScaleName = "",
    no_texts: Annotated[
        bool,
        typer.Option(
            "--no-texts", help="Omit texts, comments and names of raters; write ids, lengths and SHA-256."
        ),
    ] = False,
    anonymous: Annotated[
        bool | None,
        typer.Option(
            "--anonymous/--names",
            help="Show raters by number or by name.",
            show_default="--names, or --anonymous with --no-texts",
        ),
    ] = None,
    pdf: Annotated[Path | None, typer.Option(help="Also write a PDF; needs Chromium.")] = None,
    figures: Annotated[
        Path | None, typer.Option(help="Also write the figures, unrounded: a .json or .csv file.")
    ] = None,
    force: Force = False,
) -> None:
    """Write the report on a campaign as a self-contained HTML file, and optionally as a PDF."""
    if figures is not None and figures.suffix.lower() not in (".json", ".csv"):
        raise OptionError("--figures {figures}: give a file that ends in .json or .csv.", figures=figures)
    named = not no_texts if anonymous is None else not anonymous
    report = _gather(campaign, lang, method, scale=scale, texts=not no_texts, named=named)
    from core.report import as_csv, as_json, document  # loads plotly
    from core.report.page import print_to_pdf

    with new_file(out, overwrite=force) as draft:
        draft.write_text(document(report), "utf-8")
    say(f"Wrote the report on {len(report.scores)} ratings to {out}.")
    if figures is not None:
        write = as_json if figures.suffix.lower() == ".json" else as_csv
        with new_file(figures, overwrite=force) as draft:
            draft.write_text(write(report), "utf-8")
        say(f"Wrote the figures to {figures}.")
    if pdf is not None:
        with new_file(pdf, overwrite=force) as draft:
            print_to_pdf(out, draft)
        say(f"Wrote the PDF to {pdf}.")


def _gather(name: str, lang: str, method: str, *, scale: str, texts: bool, named: bool) -> Report:
    language, normalisation = choose("--lang", lang, LANGUAGES), choose("--method", method, METHODS)
    from db.campaigns.reporting import gather

    engine = ready_engine()
    return gather(
        engine,
        OPERATOR,
        find_campaign(engine, name).id,
        language=language,
        method=normalisation,
        scale=scale,
        texts=texts,
        anonymous=not named,
    )
