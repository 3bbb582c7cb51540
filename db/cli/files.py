"""Files into and out of the database.

`python -m db import | export | take-scores | export-scores | import-scores | verify | backup`.

`verify` checks a campaign's blinding from its history alone: the seal on the systems' names, and the
raters' orders, which follow from the seed. A backup is a copy of the SQLite database made while others
write.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import Engine

from core.cli.console import exit_on_error, say
from core.cli.options import choose, named_files
from core.errors import InputError, OptionError, UnavailableError
from core.raters.assignment import TARGET, shuffled
from core.raters.protocols import PROTOCOLS
from core.text.languages import iso_code
from db.campaigns.export import new_file, read_bundle, writable, write_bundle
from db.campaigns.load import ImportReport, Preview, load_bundle, preview
from db.campaigns.sampling import Draw, sampled, with_repaired
from db.campaigns.score_archive import read_archive, store_archive, write_archive
from db.campaigns.score_files import import_scores, metric_scores
from db.cli.campaign import read_scales
from db.cli.options import CampaignName, Force
from db.design import SPREAD, from_json
from db.engine import ready_engine
from db.formats import FORMATS, get_format
from db.formats.bundle import IMPORTED, Bundle, Format, ItemRow, ReadOptions
from db.formats.declared import declared
from db.formats.draft import SCALES
from db.formats.repeats import REPEATS
from db.formats.scores import RATINGS
from db.names import rater_key
from db.permissions import OPERATOR
from db.queries import find_campaign
from db.queries.sealed import from_json as seal_from_json


def backup(engine: Engine, path: Path) -> None:
    """Copy the whole database into the new file `path`, with SQLite's online backup.

    Raises InputError for a database that is not a SQLite file, FileError when `path` exists or cannot be
    written, UnavailableError when the database cannot be read.
    """
    source = engine.url.database
    if engine.dialect.name != "sqlite" or not source or source == ":memory:":
        raise InputError("Only a SQLite file can be backed up here; use your database's own backup program.")
    if not Path(source).is_file():
        raise InputError("There is no database at {source} yet; nothing was copied.", source=source)
    with new_file(path) as draft:
        try:
            _copy(Path(source), draft)
        except sqlite3.Error as error:
            raise UnavailableError(
                "The database at {source} cannot be copied ({reason}).", source=source, reason=error
            ) from error


def _copy(source: Path, target: Path) -> None:
    target.touch(0o600)  # what raters wrote is for the owner of the copy alone
    with closing(sqlite3.connect(source, timeout=10)) as reader, closing(sqlite3.connect(target)) as writer:
        reader.backup(writer)
        writer.execute("PRAGMA journal_mode=DELETE")  # one file, complete in itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What was found. sealed: whether names were ever sealed; commitment: the seal's, "" for none.

    opened: whether the seal's names and nonce are in the file and fit the commitment. orders: of how many
    raters they were computed again; other: raters whose order is another one; imported: those of whom the
    file says that their order came with an imported file. computable: whether orders follow from the seed
    alone in this design.
    """

    sealed: bool
    commitment: str
    opened: bool
    orders: int
    other: tuple[str, ...]
    imported: tuple[str, ...]
    computable: bool


def verify(bundle: Bundle) -> Verified:
    """Check a history. Raises InputError where the seal does not fit its names."""
    seal = bundle.meta.seal or {}
    opened = "names" in seal
    if opened:
        names = set(seal_from_json(seal).names)
        if not names <= {system.name for system in bundle.systems}:
            raise InputError("The seal names systems that the campaign does not have.")
    design = from_json(bundle.meta.design)
    drawn = design.everybody_rates_everything and design.order == SPREAD
    computable = drawn and bundle.meta.seed is not None
    by_rater: dict[str, list[ItemRow]] = {}
    for item in bundle.items:
        by_rater.setdefault(item.rater, []).append(item)
    differ = [rater for rater, items in by_rater.items() if computable and not _follows(bundle, rater, items)]
    imported = tuple(rater for rater in differ if bundle.meta.keys.get(rater) == IMPORTED)
    return Verified(
        sealed=bool(seal),
        commitment=str(seal.get("commitment", "")),
        opened=opened,
        orders=len(by_rater) - len(imported) if computable else 0,
        other=tuple(rater for rater in differ if rater not in imported),
        imported=imported,
        computable=computable,
    )


def sentences(found: Verified) -> list[str]:
    """What to tell, one sentence each."""
    told = []
    if not found.sealed:
        told.append("The systems' names were not sealed.")
    elif found.opened:
        told.append(f"The seal fits the names; is this the commitment that you kept? {found.commitment}")
    else:
        told.append(f"The names are still sealed; the commitment is {found.commitment}")
    if not found.computable:
        told.append("In this design the orders depend on more than the seed; the file has them as they were.")
    elif found.other:
        told.append(f"Not in the order of the seed: {', '.join(found.other)}.")
    elif found.orders or not found.imported:
        told.append(f"The orders of all {found.orders} raters are those that the seed gives.")
    if found.imported:
        told.append(f"Imported with their order, which was not drawn here: {', '.join(found.imported)}.")
    return told


def _follows(bundle: Bundle, rater: str, items: Sequence[ItemRow]) -> bool:
    """Whether these are all translations in the order that the campaign's seed and the rater's key give.

    The translations stand in the file in the order in which they went into the drawing.
    """
    references = {system.name for system in bundle.systems if system.is_reference}
    segments = {row.key: place for place, row in enumerate(bundle.segments)}
    outputs = [row for row in bundle.outputs if row.system not in references]
    pool = [(place, segments[row.key]) for place, row in enumerate(outputs)]
    key = bundle.meta.keys.get(rater, IMPORTED)
    order = shuffled(pool, seed=f"{bundle.meta.seed}:{rater_key(rater) if key == IMPORTED else key}")
    expected = [(outputs[place].key, outputs[place].system) for place in order]
    shown = sorted((item for item in items if item.kind == TARGET), key=lambda item: item.place)
    return [(item.key, item.system) for item in shown] == expected


FormatName = Annotated[
    str, typer.Option("--format", help=" · ".join(f"{n}: {f.about}" for n, f in FORMATS.items()))
]


InputFile = Annotated[Path, typer.Argument(help="File, or folder if the format is a folder.")]
SourceLang = Annotated[str | None, typer.Option(help="Source language: ISO 639-1 code, e.g. en.")]
TargetLang = Annotated[str | None, typer.Option(help="Target language: ISO 639-1 code, e.g. ja.")]
HypFiles = Annotated[list[str] | None, typer.Option(help="Translation file as NAME=FILE; repeatable.")]
SourceFile = Annotated[Path | None, typer.Option(help="Source file, for the format lines.")]
RatingsFile = Annotated[Path | None, typer.Option(help="File of ratings, if they are in a second file.")]
RatingsFormat = Annotated[
    str | None, typer.Option(help=f"Format of --ratings: {', '.join(RATINGS)}.", show_default="detected")
]
ScaleName = Annotated[
    str | None,
    typer.Option(help=f"Scale of the ratings: {', '.join(SCALES)}; required if it is ambiguous."),
]
Repeats = Annotated[
    str | None,
    typer.Option(
        help=f"What further ratings of a translation by the same rater become: {', '.join(REPEATS)}.",
        show_default="by format",
    ),
]
ProtocolName = Annotated[
    str | None,
    typer.Option(
        "--protocol",
        help=f"How people rated: {', '.join(PROTOCOLS)}.",
        show_default="as the file says, else adequacy",
    ),
]
SampleSize = Annotated[
    int | None,
    typer.Option("--sample", min=1, help="Segments to draw from each document.", show_default="all"),
]
Apart = Annotated[int, typer.Option("--apart", min=0, help="Segments between two drawn ones at least.")]
Novels = Annotated[
    int | None,
    typer.Option("--novels", min=1, help="Documents to draw at random before.", show_default="all"),
]
DrawSeed = Annotated[int, typer.Option("--seed", min=0, help="Random seed of the drawing.")]
RepairedFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--repaired",
        help="Repaired translations as a system more: NAME=TSV with document, position, text; repeatable.",
    ),
]
OwnScales = Annotated[
    Path | None,
    typer.Option("--scales", help="JSON file that declares the scales of columns named scale:NAME."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Read and report, but store nothing.")]


@exit_on_error
def import_command(
    file: InputFile,
    format_name: FormatName,
    campaign: CampaignName,
    source_lang: SourceLang = None,
    target_lang: TargetLang = None,
    hyp: HypFiles = None,
    src: SourceFile = None,
    ratings: RatingsFile = None,
    ratings_format: RatingsFormat = None,
    scale: ScaleName = None,
    repeats: Repeats = None,
    protocol: ProtocolName = None,
    sample: SampleSize = None,
    apart: Apart = 0,
    novels: Novels = None,
    seed: DrawSeed = 0,
    repaired: RepairedFiles = None,
    scales: OwnScales = None,
    dry_run: DryRun = False,
) -> None:
    """Import a file into a new campaign. After an error nothing is stored."""
    file_format = get_format(format_name)
    told = None if protocol is None else choose("--protocol", protocol, tuple(PROTOCOLS))
    for lang in (source_lang, target_lang):
        if lang is not None:
            iso_code(lang)
    options = ReadOptions(
        source_lang=source_lang,
        target_lang=target_lang,
        source_file=src,
        ratings_file=ratings,
        ratings_format=ratings_format,
        scale=scale,
        repeats=repeats,
        hypotheses=tuple(named_files(hyp or [], "--hyp").items()),
    )
    _refuse_unused(format_name, file_format, options)
    say(f"Reading {file} …")
    own = None if scales is None else read_scales(scales)
    bundle = file_format.read(file, options)
    if own is not None or not from_json(bundle.meta.design).scales:
        bundle = declared(bundle, own or ())
    if told is not None:
        bundle = replace(bundle, meta=replace(bundle.meta, protocol=told))
    elif not PROTOCOLS[bundle.meta.protocol].severities and any(one.spans for one in bundle.ratings):
        say(
            f"The file has marked errors, and the protocol was taken to be {bundle.meta.protocol}; "
            "name it with --protocol if it is another."
        )
    bundle = with_repaired(bundle, named_files(repaired or [], "--repaired"))
    if sample is not None:
        bundle = sampled(bundle, Draw(count=sample, apart=apart, documents=novels, seed=seed))
    elif apart or novels is not None or seed:
        raise OptionError("--apart, --novels and --seed go with --sample.")
    if dry_run:
        report(preview(bundle))
        say("Nothing was stored.")
    else:
        report(load_bundle(ready_engine(), bundle, campaign))


@exit_on_error
def export_command(
    campaign: CampaignName,
    format_name: FormatName,
    out: Annotated[Path, typer.Option(help="File to write, or folder if the format is a folder.")],
    force: Force = False,
    metrics: Annotated[bool, typer.Option("--metrics", help="Include metric scores; only for mtme.")] = False,
) -> None:
    """Export a campaign and report the content that the format does not support."""
    writable(format_name)
    if metrics and format_name != "mtme":
        raise OptionError(
            "The format “{format_name}” does not support metric scores; use mtme.", format_name=format_name
        )
    engine = ready_engine()
    campaign_id = find_campaign(engine, campaign).id
    bundle = read_bundle(engine, campaign_id, history=True)
    more = metric_scores(engine, OPERATOR, campaign_id) if metrics else None
    written = write_bundle(bundle, format_name, out, overwrite=force, more=more)
    say(f"Wrote {len(written.outputs)} translations and {len(written.ratings)} ratings to {out}.")
    for note in written.notes:
        say(note)


@exit_on_error
def take_scores_command(
    file: Annotated[Path, typer.Argument(help="Score file: .seg.score of mt-metrics-eval, TSV or CSV.")],
    campaign: CampaignName,
    name: Annotated[str, typer.Option("--name", help="Name of the metric; it is stored as external:NAME.")],
) -> None:
    """Store the scores of an external metric. After an error nothing is stored."""
    engine = ready_engine()
    taken = import_scores(engine, find_campaign(engine, campaign).id, file, name)
    say(f"Stored {taken.stored} scores of external:{name}; {taken.without} translations have no score.")


@exit_on_error
def export_scores_command(
    campaign: CampaignName,
    out: Annotated[Path, typer.Option(help="File to write, e.g. scores.jsonl.gz.")],
    no_trace: Annotated[bool, typer.Option("--no-trace", help="Leave the traces out.")] = False,
    force: Force = False,
) -> None:
    """Write the stored scores of a campaign with their traces to one file."""
    engine = ready_engine()
    campaign_id = find_campaign(engine, campaign).id
    wrote = write_archive(engine, campaign_id, out, with_trace=not no_trace, overwrite=force)
    say(f"Wrote {wrote.scores} scores and {wrote.traces} traces to {out}.")


@exit_on_error
def import_scores_command(
    file: Annotated[Path, typer.Argument(help="File that export-scores wrote.")], campaign: CampaignName
) -> None:
    """Store the scores of another database's campaign. After an error nothing is stored."""
    engine = ready_engine()
    campaign_id = find_campaign(engine, campaign).id
    stored = store_archive(engine, campaign_id, read_archive(file))
    say(f"Stored {stored.scores} scores and {stored.traces} traces.")


@exit_on_error
def verify_command(file: Annotated[Path, typer.Argument(help="Exported history of a campaign.")]) -> None:
    """Verify the seal on system names and the order of items per rater. Needs no database.

    Exit status 1: a rater's order is not that of the seed.
    """
    found = verify(get_format("history").read(file, ReadOptions()))
    for sentence in sentences(found):
        typer.echo(sentence)
    if found.other:
        raise typer.Exit(1)


def report(done: ImportReport | Preview) -> None:
    """Print the counts and notes of an import."""
    for name in ("segments", "systems", "translations", "ratings", "raters", "empty_outputs"):
        say(f"{name.replace('_', ' '):>14}: {getattr(done, name)}")
    for note in done.notes:
        say(note)


def _refuse_unused(name: str, file_format: Format, options: ReadOptions) -> None:
    """Raises OptionError for what the format does not use."""
    flags = {"hypotheses": "--hyp", "source_file": "--src", "ratings_file": "--ratings"}
    for companion, flag in flags.items():
        if getattr(options, companion) and companion not in file_format.companions:
            raise OptionError("The format “{name}” does not take {flag}; leave it out.", name=name, flag=flag)
    if options.repeats and name == "history" and not options.ratings_file:
        raise OptionError(
            "The format “{name}” does not take {flag}; leave it out.", name=name, flag="--repeats"
        )
