"""`python -m db codes`: comments coded by hand, out to a spreadsheet and back, and whether coders agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import Engine

from core.cli.console import exit_on_error, number, output, say, table
from core.cli.options import AsJson, OutFile
from core.errors import InputError, OptionError
from core.raters.coding import CodeAgreement, CodingFindings, coding_rows
from core.text.files import read_text
from core.text.numbers import interval
from db.campaigns.coding import coder_sheet, findings_of_codes, read_book, read_sheet
from db.cli.options import CampaignName
from db.engine import ready_engine
from db.permissions import OPERATOR
from db.queries import enter_rater, find_campaign
from db.queries.coding import coders_of, finish_coding, save_codes, set_code_book

BookFile = Annotated[
    Path | None,
    typer.Option("--book", help="Code book to store: a CSV file with the columns name, label, meaning."),
]
Coder = Annotated[
    str | None, typer.Option("--coder", help="Write the comments for this coder as CSV, or take theirs.")
]
Take = Annotated[
    Path | None, typer.Option("--take", help="CSV file that the coder filled in: columns comment, codes.")
]
Finish = Annotated[bool, typer.Option("--finish", help="The coder has finished; the codes are final.")]


@exit_on_error
def codes_command(
    campaign: CampaignName,
    book: BookFile = None,
    coder: Coder = None,
    take: Take = None,
    finish: Finish = False,
    as_json: AsJson = False,
    out: OutFile = None,
) -> None:
    """Code the comments of a campaign by hand, with two coders or more, and show whether they agree."""
    if coder is None and (take is not None or finish):
        raise OptionError("--take and --finish need --coder: the person who codes.")
    engine = ready_engine()
    number_of = find_campaign(engine, campaign).id
    if book is not None:
        codes = read_book(read_text(book), book)
        set_code_book(engine, OPERATOR, number_of, codes)
        say(f"The code book has {len(codes)} codes.")
    if coder is not None:
        _of_coder(engine, number_of, coder, take, out, finish=finish)
    elif book is None:
        found = findings_of_codes(engine, OPERATOR, number_of)
        if found is None:
            raise _not_yet(engine, number_of)
        with output(out) as file:
            if as_json:
                file.write(json.dumps(coding_rows(found), ensure_ascii=False, indent=1) + "\n")
            else:
                file.write("\n".join(coding_lines(found)) + "\n")


def _of_coder(
    engine: Engine, campaign_id: int, coder: str, take: Path | None, out: Path | None, *, finish: bool
) -> None:
    """Take what a coder gave; without it, or with --out, write the comments to be coded."""
    person = enter_rater(engine, coder).id
    if take is not None:
        stored = save_codes(engine, OPERATOR, campaign_id, person, read_sheet(read_text(take), take))
        say(f"Stored the codes of {stored} comments.")
    if finish:
        finish_coding(engine, OPERATOR, campaign_id, person)
        say(f"{coder} has finished.")
    if out is not None or (take is None and not finish):
        with output(out) as file:
            file.write(coder_sheet(engine, OPERATOR, campaign_id, person))


def _not_yet(engine: Engine, campaign_id: int) -> InputError:
    coders = coders_of(engine, OPERATOR, campaign_id)
    if len(coders) < 2:
        return InputError("Two coders are needed, and fewer have coded comments of this campaign.")
    return InputError("Not all coders have finished, so nobody’s codes are shown yet.")


def coding_lines(found: CodingFindings) -> Iterator[str]:
    """All figures of comments that were coded by hand."""
    yield f"{found.comments} comments, {found.coders} coders; {found.differing} comments have other codes."
    if found.waiting:
        yield f"Comments that came later and are not coded by everybody are left out: {found.waiting}."
    yield ""
    rows = [["code", "kappa", "95 % interval", "same", "by all", "by one or more"]]
    rows += [_agreement("all codes", found.overall), *(_agreement(one.code, one) for one in found.codes)]
    yield table(rows, right={1, 2, 3, 4, 5})
    counts = [["code", "version", "by all", "by one or more", "comments"]]
    counts += [
        [one.code, one.version or "none", str(one.by_all), str(one.by_any), str(one.comments)]
        for one in found.counts
    ]
    yield table(counts, right={2, 3, 4})


def _agreement(name: str, one: CodeAgreement) -> list[str]:
    ends = interval(one.kappa.low, one.kappa.high, 3)
    return [name, number(one.kappa.value), ends, number(one.agreed), str(one.by_all), str(one.by_any)]
