"""The tables on pointing: metrics' evidence against marked spans, and a weighting chosen on one half."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from core.backends import Backends
from core.backends.registry import load_backends
from core.cli.console import number
from core.cli.marked_files import MarkedPair, read_marked, sampled
from core.errors import OptionError
from core.metaeval.pointing import FIGURES, MarkedText, PointingTable, pointing
from core.metrics import evidence
from core.metrics.structure.metric import lost_by_words
from core.scoring import score_pairs
from core.stats.estimate import Estimate
from core.text.languages import base_lang
from core.types import Result
from db.engine import database_url, make_engine
from db.permissions import OPERATOR
from db.queries import find_campaign, list_translations
from db.queries.marks import marks_of_campaign
from tools.tables.inputs import CACHE_BYTES, Floats, Metrics, Seed, request_of
from tools.tables.markdown import interval, print_signatures, print_table, print_title

Marks = Annotated[Path | None, Option("--marks", help="MQM file with marked spans (TSV).")]
OfMarks = Annotated[str, Option("--reference", help="With --marks: the system that is the reference.")]
OfCampaign = Annotated[str | None, Option("--campaign", help="Campaign in the database (YOMIKURABE_DB).")]
Drawn = Annotated[int | None, Option("--segments", min=1, help="Number of segments to draw.")]
Choose = Annotated[
    bool, Option("--choose", help="Choose among the rows of a metric on half of the documents.")
]


def points(
    metrics: Metrics,
    campaign: OfCampaign = None,
    marks: Marks = None,
    reference: OfMarks = "refB",
    segments: Drawn = None,
    choose: Choose = False,
    seed: Seed = 20261130,
) -> None:
    """Print how well the evidence of metrics ranks the characters that people marked.

    A structure takes `spread=NUMBER` beside its options: how its subtrees share out what they lose. With
    --choose, of the rows of one metric that with the highest pooled average precision on one half of the
    documents is reported on the other half, beside the metric's first row.
    """
    if (campaign is None) == (marks is None):
        raise OptionError("Give --campaign or --marks.")
    pairs, lang = _of_campaign(campaign) if campaign else (read_marked(marks or Path(), reference), "en")
    pairs = sampled(pairs, segments, seed=seed)
    signatures: dict[str, str] = {}
    found = _evidence(pairs, lang, metrics, load_backends(cache_bytes=CACHE_BYTES), signatures)
    marked = [one.marked for one in pairs]
    if choose:
        _choose(marked, found, seed)
    else:
        both = pointing(marked, found, seed=seed)
        _print("All ratings", both.everything)
        if both.twice is not None:
            _print("Translations that two raters have marked", both.twice)
    print_signatures(signatures, seed)


def _of_campaign(name: str) -> tuple[list[MarkedPair], str]:
    """The marked translations of systems; a rated reference is not among them."""
    engine = make_engine(database_url())
    campaign = find_campaign(engine, name)
    texts = {one.id: one for one in list_translations(engine, campaign.id) if not one.is_reference}
    pairs = []
    for one in marks_of_campaign(engine, OPERATOR, campaign.id):
        text = texts.get(one.translation_id)
        if text is not None:
            marked = MarkedText(
                text=one.text,
                document=one.document,
                item=one.translation_id,
                rater=one.rater,
                spans=one.spans,
            )
            pairs.append(
                MarkedPair(
                    segment=(text.document, str(text.position)),
                    reference=text.reference,
                    source=text.source,
                    marked=marked,
                )
            )
    return pairs, base_lang(campaign.target_lang)


def _evidence(
    pairs: Sequence[MarkedPair],
    lang: str,
    metrics: Sequence[str],
    backends: Backends,
    signatures: dict[str, str],
) -> dict[str, list[Floats | None]]:
    """By description; each different pair is scored once."""
    different = list(dict.fromkeys(one.pair(lang) for one in pairs))
    places = {pair: place for place, pair in enumerate(different)}
    rows = [places[one.pair(lang)] for one in pairs]
    found: dict[str, list[Floats | None]] = {}
    for described in metrics:
        request = request_of(described)
        settings = dict(request.settings)
        spread = settings.pop("spread", None)
        values = []
        results = score_pairs(different, [replace(request, settings=settings)], backends)
        for pair, (result,) in zip(different, results, strict=True):
            values.append(_values(result, pair.hypothesis, spread))
            signatures[described] = result.signature
        found[described] = [values[row] for row in rows]
    return found


def _values(result: Result[Any], text: str, spread: str | None) -> Floats | None:
    if spread is None or result.trace is None:
        return evidence(result, text)
    return lost_by_words(result.trace, text, spread=float(spread))


def _print(title: str, found: PointingTable) -> None:
    print_title(title)
    print(
        f"{found.texts:,} ratings in {found.documents} documents, {found.marked:,} with a mark in part "
        f"of the text; {found.share:.1%} of {found.characters:,} characters are marked.\n"
    )
    heads = ("", "AP in texts", "AUC in texts", "pooled AP", "pooled AUC")
    print_table(heads, ((one.name, *(_cell(getattr(one, name)) for name in FIGURES)) for one in found.rows))


def _cell(one: Estimate) -> str:
    return f"{number(one.value)} ({interval(one.low, one.high)})"


def _choose(marked: Sequence[MarkedText], found: Mapping[str, list[Floats | None]], seed: int) -> None:
    """The best row of each metric on one half of the documents, then on the other, beside the first row."""
    documents = sorted({one.document for one in marked})
    random.Random(seed).shuffle(documents)
    first = set(documents[: len(documents) // 2])
    tables = []
    for half in (True, False):
        rows = [row for row, one in enumerate(marked) if (one.document in first) == half]
        own = {name: [values[row] for row in rows] for name, values in found.items()}
        tables.append(pointing([marked[row] for row in rows], own, seed=seed).everything)
    scores = {one.name: one.pooled_precision.value or 0.0 for one in tables[0].rows}
    _print("The half on which is chosen", tables[0])
    by_metric: dict[str, list[str]] = {}
    for name in found:
        by_metric.setdefault(name.split()[0], []).append(name)
    shown = [
        name
        for rows in by_metric.values()
        for name in dict.fromkeys((rows[0], max(rows, key=scores.__getitem__)))
    ]
    others = [one.name for one in tables[1].rows if one.name not in found]
    kept = tuple(one for one in tables[1].rows if one.name in (*shown, *others))
    _print("The other half, with each metric's first row and the chosen one", replace(tables[1], rows=kept))
