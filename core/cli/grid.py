"""`python -m core grid`: a metric under every combination of settings, each against people."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from core.backends.registry import load_backends
from core.cli.console import honest_exit, output, parse_settings, progress_bar, say, whisper
from core.errors import OptionError
from core.grid.axes import cells, parse_axis
from core.grid.files import AUTO, subject_of_files, subject_of_folder
from core.grid.run import GridResult, Subject, make_grid
from core.grid.show import rows, text
from core.grid.store import Store
from core.metaeval.correlation import COEFFICIENTS
from core.metrics import find_metric

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


@honest_exit
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
    made = make_grid(axes, wanted, subject, load_backends(say=whisper, cache_bytes=CACHE_BYTES))
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
