"""Tables on what metrics react to: contrast pairs, swapped roles, and edits that raise scores (hacks)."""

from __future__ import annotations

import random
import resource
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from core.backends.registry import load_backends
from core.cli.console import confirm_calls, confirm_cost
from core.hacks import EDITS
from core.hacks.robustness import (
    Lab,
    LabSegment,
    LabTable,
    contrast_texts,
    judged,
    plan_lab,
    tables_of_plan,
    texts_of,
    variants,
)
from core.metaeval.contrast_sets import ALL, ContrastVerdict, Counts, faults, phenomena
from core.metrics import find_metric
from core.metrics.mteqa.faults import FAULTS
from core.translation import PUBLISHED, calls, find_prompt, translate
from core.types import TextPair
from tools.tables.inputs import (
    CACHE_BYTES,
    DataSet,
    Metrics,
    MetricScores,
    Seed,
    Segments,
    contrast_pairs,
    path_and_language,
    request_of,
    rows_by_segment,
    rows_of,
)
from tools.tables.markdown import print_header, print_row, print_signatures, print_table

ROLES = Path(__file__).parents[2] / "assets" / "demo" / "roles.tsv"
ALL_EDITS = ",".join(EDITS)
LAB_METRICS = "bleu,chrf,bertscore,bertscore-reading,subspace,structure-dep,mteqa,sentence-cosine"
PARTS = {
    "bleu": ("precision_1", "brevity_penalty"),
    "chrf": ("precision", "recall"),
    "bertscore": ("precision", "recall"),
    "subspace": ("precision", "recall"),
}

ContrastFile = Annotated[
    str,
    Argument(metavar="FILE:LANG", help="TSV with ref, good, bad and phenomenon, or DEMETR's JSON lines."),
]
Only = Annotated[list[str] | None, Option("--only", help="A phenomenon to take; may be repeated.")]
RoleFile = Annotated[Path, Option("--file", help="TSV with lang, kind, reference, changed and paraphrase.")]
Default = Annotated[str, Option("--default", help="System with long outputs.")]
Short = Annotated[str, Option("--short", help="System with short outputs; most edits change these.")]
OwnModel = Annotated[
    str | None,
    Option("--model", help="Let this language model make Default and Short by the paper's prompts."),
]
Consent = Annotated[bool, Option("--yes", help="Skip the cost confirmation of language models.")]
OF_DEFAULT = ("concat", "professional")
"""Edits that start from Default, as in the paper."""
Edits = Annotated[str, Option("--edits", help="Edits, separated by commas.")]
LabMetrics = Annotated[
    str, Option("--metrics", help="Metrics with options, separated by commas: gemba-mqm prompt=unguarded.")
]


def contrast(file: ContrastFile, metrics: Metrics, only: Only = None) -> None:
    """Print Kendall-like tau on contrast pairs: how often a metric prefers the good translation.

    tau = (concordant - discordant) / (concordant + discordant), as in Suzuki et al.: a pair is discordant
    unless the good translation scores strictly better. Then the numbers of wins, losses, ties and pairs
    without a score. Phenomena that differ only in brackets, such as Number(…), also have a row together.
    """
    path, lang = path_and_language(file)
    pairs = contrast_pairs(path, only)
    backends, texts = load_backends(cache_bytes=CACHE_BYTES), contrast_texts(pairs, lang)
    prepared = {}
    for described in metrics:
        request = request_of(described)
        prepared[described] = find_metric(request.metric).prepare(request.settings, backends, texts)
    print_header(["phenomenon", *prepared])
    found = judged(pairs, prepared, lang=lang)
    for row in phenomena(found):
        name = "all" if row.name == ALL else row.name
        print_row(f"{name}, {row.n}", *map(_tau_and_counts, row.counts.values()))
    _print_faults(found)
    print_signatures({described: one.signature for described, one in prepared.items()})


def _print_faults(found: Mapping[str, Sequence[ContrastVerdict]]) -> None:
    """Which step of `mteqa` lost the pairs, by group of phenomena."""
    counted = {name: faults(verdicts) for name, verdicts in found.items()}
    rows = [
        (f"{name}, {group or 'all'}", *(str(steps[step]) for step in FAULTS))
        for name, groups in counted.items()
        for group, steps in groups.items()
        if groups[ALL]
    ]
    if rows:
        print()
        print_table(["lost pairs", *FAULTS], rows)


def _tau_and_counts(one: Counts) -> str:
    tau = "–" if one.tau is None else f"{one.tau:.3f}"
    return f"{tau} ({one.right} / {one.wrong} / {one.equal} / {one.missing})"


def roles(metrics: Metrics, file: RoleFile = ROLES) -> None:
    """Print how often a metric prefers a paraphrase to a sentence with changed roles.

    In `changed` two arguments are swapped or a modifier is attached to another word; `paraphrase` keeps the
    meaning. A metric is right where it scores the paraphrase higher.
    """
    rows = rows_of(file)
    groups = list(dict.fromkeys((row["lang"], row["kind"]) for row in rows))
    print_header(["metric", f"all, {len(rows)}", *map(" ".join, groups)])
    scores = MetricScores()
    for described in metrics:
        right: dict[tuple[str, str], list[bool]] = defaultdict(list)
        for lang in dict.fromkeys(row["lang"] for row in rows):
            own = [row for row in rows if row["lang"] == lang]
            pairs = [
                TextPair(reference=row["reference"], hypothesis=row[kind], lang=lang)
                for row in own
                for kind in ("changed", "paraphrase")
            ]
            found = scores.of(described, pairs, label=f"{described}, {lang}")
            for row, changed, kept in zip(own, found[::2], found[1::2], strict=True):
                right[lang, row["kind"]].append(bool(kept > changed))
        total = sum(map(sum, right.values()))
        cells = (f"{sum(right[group])} / {len(right[group])}" for group in groups)
        print_row(described, f"{total} ({total / len(rows):.0%})", *cells)
    print_signatures(scores.signatures)


def hacks(
    data: DataSet,
    default: Default = "Default",
    short: Short = "Short",
    model: OwnModel = None,
    segments: Segments = 200,
    edits: Edits = ALL_EDITS,
    metrics: LabMetrics = LAB_METRICS,
    seed: Seed = 20261128,
    yes: Consent = False,
) -> None:
    """Print ehiMetrick's tables 9 and 10 on outputs of WMT24, or on translations that --model makes.

    Rows: both systems, then each edit: concat and professional of Default, as in the paper, the others of
    Short. BLEU and chrF are of the whole set, the others are means. Prints the scores, some of their parts
    (tables 4 and 5), the ranks, the mean rank with and without each metric, and how often an edit moved a
    metric in the wrong direction.
    """
    drawn = _lab_segments(data, () if model else (default, short), segments, seed)
    if model:
        drawn = _translated(drawn, model, (default, short), yes=yes)
    chosen = edits.split(",")
    rows = (
        *variants((default, short), (short,), [edit for edit in chosen if edit not in OF_DEFAULT]),
        *variants((), (default,), [edit for edit in chosen if edit in OF_DEFAULT]),
    )
    started = time.perf_counter()
    requests = tuple(map(request_of, metrics.split(",")))
    plan = plan_lab(drawn, Lab(variants=rows, requests=requests, seed=seed), load_backends())
    confirm_cost(plan.scorers, plan.pairs, yes=yes)
    *_, found = tables_of_plan(plan)
    seconds = time.perf_counter() - started
    for show in (_print_scores, _print_parts, _print_ranks, _print_weaknesses):
        show(found)
        print()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    computed = f"{len(drawn) * len(rows) * len(found.metrics):,} scores of {texts_of(found.made):,}"
    print(f"{computed} distinct texts in {seconds:.0f} s, peak {peak:.0f} MiB")
    print_signatures(found.signatures, seed)


def _lab_segments(folder: Path, systems: tuple[str, ...], count: int, seed: int) -> list[LabSegment]:
    """`count` random segments in the order of the file."""
    outputs = rows_by_segment(folder / "outputs.tsv.gz")
    rows = rows_of(folder / "segments.tsv.gz")
    drawn = set(random.Random(seed).sample(range(len(rows)), min(count, len(rows))))
    return [
        LabSegment(
            reference=row["refA"],
            source=row["src"],
            lang="ja",
            outputs={system: outputs[row["seg_id"]][system] for system in systems},
        )
        for place, row in enumerate(rows)
        if place in drawn
    ]


def _translated(
    segments: Sequence[LabSegment], model: str, systems: tuple[str, str], *, yes: bool
) -> list[LabSegment]:
    """The segments with translations that a language model makes by the prompts default and short.

    A segment without both translations is left out.
    """
    sources = [segment.source or "" for segment in segments]
    judge = load_backends().judge(model).for_run()
    asked = [calls(sources, find_prompt(prompt, ("en", "ja"))) for prompt in PUBLISHED]
    confirm_calls(judge, judge.estimate([call for one in asked for call in one if call]), yes=yes)
    columns = [translate(judge, one) for one in asked]
    return [
        replace(segment, outputs={name: one.text or "" for name, one in zip(systems, row, strict=True)})
        for segment, *row in zip(segments, *columns, strict=True)
        if all(one.text for one in row)
    ]


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.{2 if abs(value) > 1 else 3}f}"


def _print_scores(found: LabTable) -> None:
    """Table 9: every variant under every metric, and the number of segments that an edit changed."""
    print_header(["variant", "changed", *found.metrics])
    for variant in found.variants:
        cells = (_figure(found.cell(variant, metric).score) for metric in found.metrics)
        print_row(variant.name, found.changed(variant) if variant.edits else "", *cells)


def _print_parts(found: LabTable) -> None:
    """Tables 4 and 5: BLEU's brevity penalty, precisions and recalls."""
    parts = [(metric, part) for metric in found.metrics for part in PARTS.get(metric, ())]
    print_header(["variant", *map(" ".join, parts)])
    for variant in found.variants:
        print_row(variant.name, *(_figure(found.part(variant, *one)) for one in parts))


def _print_ranks(found: LabTable) -> None:
    """Table 10: ranks, the mean rank, and the lowest and highest mean rank without one metric."""
    standings = found.standings()
    without: dict[str, list[float]] = defaultdict(list)
    for one in found.without_each_metric().values():
        for row in one.systems:
            without[row.system].append(row.mean_rank)
    print_header(["variant", *standings.metrics, "mean rank", "without one metric"])
    for row in standings.systems:
        others = without[row.system]
        ends = f"{min(others):.2f} … {max(others):.2f}" if others else "–"
        ranks = (f"{row.ranks[metric]:g}" for metric in standings.metrics)
        print_row(row.system, *ranks, f"{row.mean_rank:.2f}", ends)


def _print_weaknesses(found: LabTable) -> None:
    """How often each edit moves a metric in the wrong direction, in percent of the changed segments."""
    by_edit: dict[str, list[str]] = {}
    for one in found.weaknesses():
        share = "–" if one.fooled is None else f"{100 * one.fooled:.0f}"
        by_edit.setdefault(one.edit, [str(one.n)]).append(share)
    print_table(["edit", "n", *found.metrics], ([edit, *cells] for edit, cells in by_edit.items()))
