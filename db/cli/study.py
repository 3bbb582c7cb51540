"""`python -m db study` and `study-results`: a reading study, its plan, its links, and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlalchemy import Engine

from core.cli.console import exit_on_error, number, output, progress_bar, say, table
from core.cli.options import AsJson, OutFile, named_files
from core.errors import FileError, InputError, OptionError, Wording
from core.raters.protocols import CHUNKS, READING
from core.raters.reading.choices import MOST_VERSIONS, ReadingChoices, ReadingQuestion, parse_questions
from core.raters.reading.findings import StudyFindings, findings_json
from core.raters.reading.preferences import FEW_READERS
from core.text.files import read_text
from core.text.numbers import DASH, interval, p_value
from db.campaigns.books import UnitChoice, align_set, campaign_of, kept_folder, read_books
from db.campaigns.export import new_folder
from db.campaigns.study import (
    copied_texts,
    plan_json,
    set_up,
    store_texts,
    study_findings,
    study_tables,
    with_first_version,
)
from db.cli.books import Chapters, Original, aligning_backends, chosen_chapters
from db.cli.close_lines import close_lines, mean_row, share_row
from db.cli.codes import coding_lines
from db.cli.files import report
from db.cli.options import CampaignName
from db.design import from_json, reading_of
from db.engine import ready_engine
from db.formats.bundle import Bundle
from db.permissions import OPERATOR
from db.queries import find_campaign, get_campaign
from db.queries.links import make_links
from db.queries.study import StudyPlan

_QUESTIONS_LIMIT = 1_000_000

Versions = Annotated[
    list[str] | None, typer.Option("--version", help="Book of a version as NAME=FILE; repeatable.")
]
TextsOf = Annotated[
    str | None, typer.Option("--texts-of", help="Campaign whose texts are copied; its ratings stay there.")
]
Words = Annotated[
    int | None,
    typer.Option(
        "--words", min=1, help="Least length in words (Japanese, Chinese: characters).", show_default="all"
    ),
]
PerReader = Annotated[
    int | None,
    typer.Option("--per-reader", min=2, max=MOST_VERSIONS, help="Versions a reader reads.", show_default="2"),
]
Readers = Annotated[
    int | None, typer.Option("--readers", min=1, help="Readers that are planned.", show_default="3")
]
Human = Annotated[
    str | None,
    typer.Option("--human", help="Name of the version by a human translator.", show_default="none"),
]
Pause = Annotated[
    float | None, typer.Option("--pause-hours", min=0, help="Hours between two versions.", show_default="0")
]
Undecided = Annotated[
    bool | None,
    typer.Option(
        "--no-difference/--must-prefer",
        help="Whether a reader may prefer none.",
        show_default="--no-difference",
    ),
]
Guess = Annotated[
    bool | None,
    typer.Option(
        "--guess/--no-guess",
        help="Whether readers guess which version is human.",
        show_default="--guess",
    ),
]
ByPart = Annotated[
    bool | None,
    typer.Option(
        "--page-by-page/--whole-text",
        help="Send the browser one part at a time, of about a page.",
        show_default="--whole-text",
    ),
]
QuestionsFile = Annotated[
    Path | None,
    typer.Option(
        "--questions", help="JSON file of the questions after each version.", show_default="usual ones"
    ),
]
Vertical = Annotated[
    bool | None,
    typer.Option(
        "--vertical/--horizontal", help="Set Japanese from top to bottom.", show_default="--horizontal"
    ),
]
Chunks = Annotated[
    int | None,
    typer.Option(
        "--chunks",
        min=0,
        help="Close reading: words of a passage (Japanese, Chinese: characters); 0 for none.",
        show_default="none",
    ),
]
ChunksOnly = Annotated[
    bool | None,
    typer.Option(
        "--chunks-only/--with-versions",
        help="Close reading alone, or after whole versions.",
        show_default="--with-versions",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Also take books of which hardly anything matches.")]
ReaderNames = Annotated[
    list[str] | None, typer.Option("--reader", help="Name of a reader who gets a link; repeatable.")
]


@exit_on_error
def study_command(
    campaign: CampaignName,
    original: Original = None,
    version: Versions = None,
    texts_of: TextsOf = None,
    chapters: Chapters = None,
    words: Words = None,
    per_reader: PerReader = None,
    readers: Readers = None,
    human: Human = None,
    pause_hours: Pause = None,
    no_difference: Undecided = None,
    guess: Guess = None,
    by_part: ByPart = None,
    questions: QuestionsFile = None,
    vertical: Vertical = None,
    chunks: Chunks = None,
    chunks_only: ChunksOnly = None,
    reader: ReaderNames = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make a reading study from books, or of a campaign, and show who reads which version in what order.

    With --version the campaign is made from these books, as by the command books; with --texts-of from the
    texts of another campaign; without either it is there already. An option that is left out keeps what
    the study has.
    """
    changes: dict[str, Any] = {
        "words": words,
        "versions": per_reader,
        "human": human,
        "pause_hours": pause_hours,
        "no_difference": no_difference,
        "guess": guess,
        "by_part": by_part,
        "questions": None if questions is None else _questions(questions),
    }
    if not version and (original is not None or chapters is not None or force):
        raise OptionError("An original, --chapters and --force go with --version.")
    if version and texts_of is not None:
        raise OptionError("Give either --version or --texts-of.")
    engine = ready_engine()
    choices = ReadingChoices()
    if not version and texts_of is None:
        choices = reading_of(from_json(find_campaign(engine, campaign).design))
    choices = _changed(choices, changes, chunks)
    if version:
        bundle = _from_books(campaign, original, named_files(version, "--version"), chapters, force=force)
        number = _store(engine, bundle, campaign, choices)
    elif texts_of is not None:
        bundle = copied_texts(engine, find_campaign(engine, texts_of).id, campaign)
        number = _store(engine, bundle, campaign, choices)
    else:
        number = find_campaign(engine, campaign).id
    protocol = _protocol(engine, number, alone=chunks_only)
    plan = set_up(engine, OPERATOR, number, choices, readers=readers, vertical=vertical, protocol=protocol)
    typer.echo(plan_json(plan) if as_json else _plan_text(plan), nl=as_json)
    if reader:
        _links(engine, number, reader)


def _links(engine: Engine, number: int, readers: list[str]) -> None:
    """Make and print a link for each."""
    for link in make_links(engine, OPERATOR, campaign_id=number, names="\n".join(readers)):
        typer.echo(f"{link.name}\t?k={link.token}")
    say("Append each link to the address of the app. It is not stored and cannot be shown again.")


def _changed(choices: ReadingChoices, changes: dict[str, Any], chunks: int | None) -> ReadingChoices:
    """The choices with those that were given; chunks: 0 takes the close reading away."""
    choices = replace(choices, **{field: value for field, value in changes.items() if value is not None})
    return choices if chunks is None else replace(choices, chunks=chunks or None)


def _protocol(engine: Engine, number: int, *, alone: bool | None) -> str:
    """Close reading alone where it is asked for, or where the campaign has it already."""
    if alone is None:
        alone = get_campaign(engine, number).protocol == CHUNKS
    return CHUNKS if alone else READING


def _questions(path: Path) -> tuple[ReadingQuestion, ...]:
    try:
        return parse_questions(read_text(path, limit_bytes=_QUESTIONS_LIMIT))
    except InputError as error:
        raise FileError(path, "{problem}", problem=Wording(error.template, **error.details)) from error


def _store(engine: Engine, bundle: Bundle, name: str, choices: ReadingChoices) -> int:
    stored = store_texts(engine, bundle, name, choices)
    report(stored)
    return stored.campaign_id


def _from_books(
    name: str,
    original: Path | None,
    versions: dict[str, Path],
    chapters: str | None,
    *,
    force: bool,
) -> Bundle:
    """A campaign whose segments are paragraphs; without an original the first version leads the alignment."""
    if len(versions) < 2:
        raise OptionError("--version: give the books of two versions or more.")
    first, *others = versions
    rest = {one: versions[one] for one in others}
    books = (
        read_books(original, versions[first], rest)
        if original is None
        else read_books(original, None, versions)
    )
    count = len((books.original or books.pivot).chapters)
    choice = UnitChoice(kind="paragraph", chapters=chosen_chapters(chapters, count), ruby=True)
    with progress_bar("aligning") as progress:
        made = align_set(books, aligning_backends(), kept=kept_folder(), progress=progress, force=force)
    bundle = campaign_of(made, name, choice)
    return with_first_version(bundle, first) if original is None else bundle


def _plan_text(plan: StudyPlan) -> str:
    rows = [
        [str(place), *(plan.versions[one] for one in order), "reads" if place <= plan.given else "planned"]
        for place, order in enumerate(plan.orders, start=1)
    ]
    most = max((len(order) for order in plan.orders), default=0)
    header = ["reader", *(f"version {place}" for place in range(1, most + 1)), "state"]
    text = table([header, *rows], right={0})
    counts = [
        [name, str(read), *map(str, at)]
        for name, read, at in zip(plan.versions, plan.balance.read, plan.balance.at, strict=True)
    ]
    text += "\n" + table(
        [["version", "read by", *(f"as number {place}" for place in range(1, most + 1))], *counts],
        right=set(range(1, most + 2)),
    )
    return text + "\n" + "\n".join(_balance_lines(plan)) + "\n"


_UNEVEN = {
    "read": "Not balanced: not every version is read by as many readers.",
    "at": "Not balanced: not every version is read as often at each place.",
    "pairs": "Not balanced: not every pair of versions is read by as many readers.",
}


def _balance_lines(plan: StudyPlan) -> Iterator[str]:
    yield f"The excerpt has about {plan.length:,} {plan.unit} in each version."
    if plan.chunks:
        yield f"Close reading: {plan.chunks} passages of two versions for each reader."
    if not plan.balance.uneven:
        yield "The plan is balanced."
    for name in plan.balance.uneven:
        yield _UNEVEN[name]


@exit_on_error
def study_results_command(
    campaign: Annotated[
        list[str], typer.Option("--campaign", help="Name of a reading study; repeatable for several books.")
    ],
    as_json: AsJson = False,
    out: OutFile = None,
    tables: Annotated[
        Path | None,
        typer.Option("--tables", help="Also write what readers gave as CSV into this new folder."),
    ] = None,
) -> None:
    """Show what readers preferred, marked and guessed in reading studies, and whether metrics agree."""
    engine = ready_engine()
    numbers = [find_campaign(engine, name).id for name in campaign]
    if len(set(numbers)) < len(numbers):
        raise OptionError("--campaign: give each study once.")
    found = study_findings(engine, OPERATOR, numbers)
    with output(out) as file:
        file.write(findings_json(found) if as_json else "\n".join(_result_lines(found)) + "\n")
    if tables is not None:
        with new_folder(tables) as draft:
            for place, one in enumerate(numbers, start=1):
                folder = draft if len(numbers) == 1 else draft / str(place)
                folder.mkdir(exist_ok=True)
                for name, text in study_tables(engine, OPERATOR, one).items():
                    (folder / name).write_text(text, "utf-8")
        say(f"Wrote what the readers gave to {tables}.")


def _result_lines(found: StudyFindings) -> Iterator[str]:
    if found.readers or found.close is None:
        yield from _whole_lines(found)
    if found.close is not None:
        yield from close_lines(found.close, found.unit)
    if found.coding is not None and found.coding.comments:
        yield "Readers’ words, coded by hand:"
        yield from coding_lines(found.coding)


def _whole_lines(found: StudyFindings) -> Iterator[str]:
    yield f"Readers: {found.readers}; finished: {found.finished}; books: {', '.join(found.books)}."
    if found.few:
        count = f"So far {found.finished} finished, fewer than {FEW_READERS}"
        yield f"{count}: read the intervals, not the values."
    yield ""
    rows = [["share", "n", "value", "95 % interval", "p", "chance"]]
    for pair in found.preferences:
        rows.append(share_row(f"{pair.first} preferred to {pair.second}", pair.share))
    rows.append(share_row("preferred what was read first", found.first))
    rows.append(share_row("preferred what was taken to be human", found.guess))
    rows.append(share_row("found the human translation", found.right))
    rows += [share_row(f"{pick.metric} picks the preferred one", pick.share) for pick in found.metrics]
    yield table(rows, right={1, 2, 3, 4, 5})
    for pair in found.preferences:
        yield f"No difference between {pair.first} and {pair.second}: {pair.ties}."
    yield ""
    yield table(list(_mean_rows(found)), right={1, 2, 3})
    yield from _answer_lines(found)
    yield from _model_lines(found)
    if found.overlaps:
        yield table(list(_overlap_rows(found)), right={1, 2, 3, 4, 5})


def _p(p: float | None) -> str:
    return DASH if p is None else p_value(p)


def _mean_rows(found: StudyFindings) -> Iterator[list[str]]:
    yield ["mean over readers", "readers", "value", "95 % interval"]
    for rate in found.marks:
        yield mean_row(f"{rate.version}: {rate.kind}, per 1,000 {found.unit}", rate.rate)
    for speed in found.speeds:
        yield mean_row(f"{speed.version}: {found.unit} a minute", speed.speed)
        yield mean_row(f"{speed.version}: minutes away", speed.away)
    for scale in found.scales:
        yield mean_row(f"{scale.version}: {scale.question}", scale.mean)


_NO_EFFECTS = {
    "few-answers": "too few answers to separate effects from chance",
    "no-variance": "all answers are equal",
    "too-many": "too many readers and books for the model",
    "no-residual": "the answers have no residual variation, so no effect can be tested",
    "no-fit": "the model does not converge",
}


def _answer_lines(found: StudyFindings) -> Iterator[str]:
    """The mixed models of the answers on scales."""
    rows = [["mixed model of answers", "answers", "value", "95 % interval", "p"]]
    for model in found.answers:
        effects = [(f"{one.first} minus {one.second}", one.effect) for one in model.differences]
        effects += [("one position later", model.later)] if model.later else []
        for name, effect in effects:
            ends = interval(effect.low, effect.high, 3)
            what = f"{model.question}: {name}"
            rows.append([what, str(model.n), number(effect.value), ends, p_value(effect.p)])
    if len(rows) > 1:
        yield table(rows, right={1, 2, 3, 4})
    for model in found.answers:
        if model.missing is not None:
            yield f"No mixed model of {model.question}: {_NO_EFFECTS[model.missing]}.\n"


_NO_MODEL = {
    "few-choices": "There are too few preferences for strengths: three are needed.",
    "one-sided": "A version, or a place, always or never won, so its strength cannot be estimated.",
}


def _model_lines(found: StudyFindings) -> Iterator[str]:
    model = found.model
    if model.missing is not None:
        yield _NO_MODEL[model.missing] + "\n"
        return
    rows = [["Bradley–Terry, log-odds", "n", "value", "95 % interval"]]
    for one in model.strengths:
        rows.append(
            [
                f"strength of {one.version}",
                str(one.comparisons),
                number(one.value),
                interval(one.low, one.high, 3),
            ]
        )
    ends = interval(model.first_low, model.first_high, 3)
    rows.append(["read first", str(model.n), number(model.first), ends])
    yield table(rows, right={1, 2, 3})


def _overlap_rows(found: StudyFindings) -> Iterator[list[str]]:
    yield ["overlap of highlights", "readers", "Dice", "by chance", "95 % of chance", "p"]
    for one in found.overlaps:
        where = one.version if len(found.books) == 1 else f"{one.version}, {one.book}"
        yield [
            f"{where}: {one.kind}",
            str(one.readers),
            number(one.dice),
            number(one.expected),
            interval(one.low, one.high, 3),
            _p(one.p),
        ]
