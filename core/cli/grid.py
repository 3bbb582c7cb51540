"""`python -m core grid`: a metric under every combination of settings, each against people.

What a grid is run on, out of text files: a reference, systems' outputs and people's scores of them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple
from urllib.parse import unquote

import numpy as np
import typer

from core.backends.registry import load_backends
from core.cli.console import exit_on_error, output, parse_settings, progress_bar, say, say_if_tty
from core.errors import FileError, InputError, OptionError
from core.grid.run import GridResult, Subject, cells, make_grid, parse_axis, rows, text
from core.grid.store import Store
from core.metaeval.correlation import COEFFICIENTS
from core.metaeval.evaluation import MetaTable
from core.metaeval.mtme import Scores, find_scores, one_of, read_documents, read_seg_scores
from core.metrics import find_metric
from core.text.files import read_text, split_lines
from core.text.languages import base_lang, guess_lang
from core.types import TextPair

AUTO = "auto"


def subject_of_files(
    people: Path,
    reference: Path,
    outputs: Mapping[str, Path],
    *,
    source: Path | None = None,
    documents: Path | None = None,
    domain: str | None = None,
    lang: str = AUTO,
) -> Subject:
    """Every translation that people scored, segment by segment, within it system by system.

    people: a `….seg.score` file of mt-metrics-eval. outputs: by system, a segment a line. documents: the
    `….docs` file; domain: only its segments. Raises FileError for files that do not belong together,
    OptionError for an unknown domain, and InputError where nothing is left.
    """
    references, given = _lines_of(reference), read_seg_scores(people)
    n = len(references)
    texts = {name: _as_many(path, n, reference) for name, path in outputs.items() if name in given.by_system}
    _belong_together(given, outputs, texts, reference, n)
    docs = read_documents(documents, n) if documents else [("", str(number)) for number in range(n)]
    inside = _inside(domain, docs)
    rows = [
        _Row(segment, place, float(given.by_system[name][segment]))
        for segment in range(n)
        for place, name in enumerate(texts)
        if inside[segment] and np.isfinite(given.by_system[name][segment])
    ]
    if not rows:
        raise InputError("People scored none of these translations; a grid needs some that they scored.")
    sources: Sequence[str | None] = [None] * n if source is None else _as_many(source, n, reference)
    spoken, columns = guess_lang(references) if lang == AUTO else lang, list(texts.values())
    pairs = [
        TextPair(reference=references[at], hypothesis=columns[system][at], source=sources[at], lang=spoken)
        for at, system, _ in rows
    ]
    return Subject(pairs=pairs, table=_table(rows, list(texts), docs))


def _belong_together(
    given: Scores, outputs: Iterable[str], texts: Collection[str], reference: Path, n: int
) -> None:
    if not texts:
        there = ", ".join(given.by_system)
        raise FileError(given.path, f"has no scores of {', '.join(outputs)}; it has those of {there}.")
    if given.segments != n:
        raise FileError(given.path, f"has {given.segments} segments and {reference} has {n} lines.")


class _Row(NamedTuple):
    """A translation that people scored: the line's number, the system's place, and the score."""

    segment: int
    system: int
    people: float


def _inside(domain: str | None, docs: Sequence[tuple[str, str]]) -> list[bool]:
    """Which segments belong to the domain; all of them without one."""
    there = sorted({one for one, _ in docs if one})
    if domain is not None and domain not in there:
        raise OptionError(f"There is no domain {domain}; there are {', '.join(there) or 'none'}.")
    return [domain in (None, one) for one, _ in docs]


def _table(rows: Sequence[_Row], systems: Sequence[str], docs: Sequence[tuple[str, str]]) -> MetaTable:
    groups = {one: place for place, one in enumerate(dict.fromkeys(docs))}
    return MetaTable(
        people=np.array([one.people for one in rows], np.float64),
        metrics={},
        item=np.array([one.segment for one in rows], np.int64),
        system=np.array([one.system for one in rows], np.int64),
        items=[str(number) for number in range(len(docs))],
        systems=systems,
        group=np.array([groups[docs[one.segment]] for one in rows], np.int64),
    )


def subject_of_folder(
    folder: Path,
    people: str,
    *,
    pair: str | None = None,
    reference: str | None = None,
    domain: str | None = None,
    lang: str = AUTO,
) -> Subject:
    """The same from a test set's folder as mt-metrics-eval has it. reference: its name; else the first one.

    Raises FileError for what is not there.
    """
    found = find_scores(folder, pair)
    references = _named((folder / "references").glob(f"{found.pair}.*.txt"), f"{found.pair}.")
    if not references:
        raise FileError(folder / "references", f"holds no reference of {found.pair}.")
    chosen = reference if reference is not None else next(iter(references))
    outputs = _named((folder / "system-outputs" / found.pair).glob("*.txt"), "")
    source = folder / "sources" / f"{found.pair}.txt"
    return subject_of_files(
        one_of(folder, "human scores", found.people, people),
        one_of(folder, "reference", references, chosen),
        {name: path for name, path in outputs.items() if name != chosen},
        source=source if source.is_file() else None,
        documents=found.documents,
        domain=domain,
        lang=base_lang(found.pair.rpartition("-")[2]) if lang == AUTO else lang,
    )


def _named(paths: Iterable[Path], prefix: str) -> dict[str, Path]:
    return {unquote(one.name.removeprefix(prefix).removesuffix(".txt")): one for one in sorted(paths)}


def _lines_of(path: Path) -> list[str]:
    return split_lines(read_text(path))


def _as_many(path: Path, n: int, reference: Path) -> list[str]:
    found = _lines_of(path)
    if len(found) != n:
        raise FileError(
            path, f"has {len(found)} lines but {reference} has {n}; give a line per segment in both",
            line=min(len(found), n) + 1,
        )  # fmt: skip
    return found


CACHE_BYTES = 2 << 30


Axes = Annotated[
    list[str], typer.Option("--axis", help="OPTION=VALUE,VALUE; may be given again. metric is one, too.")
]
People = Annotated[
    str, typer.Option("--people", help="Human scores: a ….seg.score file, or its name in --folder.")
]
Base = Annotated[str, typer.Option("--metric", help="The metric, where no axis says it.")]
Ref = Annotated[str | None, typer.Option("--ref", help="References, a segment a line; with --folder a name.")]
Hyp = Annotated[list[str] | None, typer.Option("--hyp", help="SYSTEM=FILE, once for each, a segment a line.")]
Folder = Annotated[
    Path | None, typer.Option("--folder", help="A test set's folder as mt-metrics-eval has it.")
]
Pair = Annotated[str | None, typer.Option("--pair", help="Which of its language pairs: en-ja.")]
Documents = Annotated[Path | None, typer.Option("--documents", help="The ….docs file, for --domain.")]
Domain = Annotated[str | None, typer.Option("--domain", help="Only segments of this domain.")]
Lang = Annotated[str, typer.Option("--lang", help="Language of the texts: ja, en, … or auto.")]
Fixed = Annotated[
    list[str] | None, typer.Option("--set", help="option=value for all cells; may be given again.")
]
Keep = Annotated[Path | None, typer.Option("--keep", help="Scores as they are made; a run goes on with it.")]
Of = Annotated[str, typer.Option("--coefficient", help=f"Of the heatmap: {', '.join(COEFFICIENTS)}.")]
Heatmap = Annotated[Path | None, typer.Option("--heatmap", help="The heatmap as an HTML file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Everything, as JSON lines.")]
Out = Annotated[Path | None, typer.Option("--out", help="Write here instead of standard output.")]


@exit_on_error
def grid(
    axis: Axes,
    people: People,
    metric: Base = "bertscore",
    ref: Ref = None,
    hyp: Hyp = None,
    folder: Folder = None,
    pair: Pair = None,
    documents: Documents = None,
    domain: Domain = None,
    lang: Lang = AUTO,
    assignments: Fixed = None,
    keep: Keep = None,
    coefficient: Of = "pearson",
    chart: Heatmap = None,
    as_json: AsJson = False,
    out: Out = None,
) -> None:
    """Score with every combination of the axes' values and say how well each agrees with people."""
    axes = [parse_axis(one) for one in axis]
    base = find_metric(metric).name
    wanted = cells(base, axes, parse_settings(assignments or [], [base])[base])
    if coefficient not in COEFFICIENTS:
        raise OptionError(f"--coefficient {coefficient}: choose {', '.join(COEFFICIENTS)}")
    subject = _subject(people, ref, hyp or [], folder, pair, documents, domain, lang)
    made = make_grid(axes, wanted, subject, load_backends(say=say_if_tty, cache_bytes=CACHE_BYTES))
    store = Store(keep, subject.pairs)
    with progress_bar("cells × translations") as progress:
        for _ in made.run(store, progress=progress):
            pass
    found = made.result(store)
    with output(out) as file:
        file.write(_lines(found) if as_json else text(found))
    if chart is not None:
        _picture(found, coefficient, chart)
    say(f"{len(wanted)} cells ({len(made.works)} different), {len(subject.pairs)} translations.")


def _lines(found: GridResult) -> str:
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows(found))


def _subject(
    people: str, ref: str | None, hyp: Sequence[str], folder: Path | None, pair: str | None,
    documents: Path | None, domain: str | None, lang: str,
) -> Subject:  # fmt: skip
    """The translations that people scored, from a folder or from files."""
    if folder is not None:
        if hyp:
            raise OptionError("--folder has the systems' outputs; leave out --hyp")
        return subject_of_folder(folder, people, pair=pair, reference=ref, domain=domain, lang=lang)
    if ref is None or not hyp:
        raise OptionError("Give --ref FILE and --hyp SYSTEM=FILE at least once, or --folder")
    outputs = _outputs(hyp)
    return subject_of_files(Path(people), Path(ref), outputs, documents=documents, domain=domain, lang=lang)


def _outputs(hyp: Sequence[str]) -> Mapping[str, Path]:
    found: dict[str, Path] = {}
    for one in hyp:
        name, equals, file = one.partition("=")
        if not (name and equals and file) or name in found:
            raise OptionError(f"--hyp {one}: write SYSTEM=FILE, once for each system")
        found[name] = Path(file)
    return found


def _picture(found: GridResult, coefficient: str, path: Path) -> None:
    from core.charts.embed import document  # plotly is loaded for this alone
    from core.charts.grid import GridWords, heatmap
    from core.charts.palette import LIGHT

    words = GridWords(hover="{cell}: {value}, n = {n}", none="no value")
    figure = heatmap(found, coefficient, words=words, palette=LIGHT)
    title = f"{coefficient} with people, {found.pairs} translations"
    with output(path) as file:
        file.write(document(figure, title=title, alt=title, palette=LIGHT))
