"""Inputs of the tables: arguments of the command line, data files, people's scores, and metric scores."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from typer import Argument, Option

from core.backends import Backends
from core.backends.registry import load_backends
from core.metaeval.contrast_sets import ContrastPair, read_contrast_set
from core.metaeval.evaluation import MetaTable
from core.raters.assignment import OFFICIAL
from core.raters.ratings import Rating, normalise
from core.scoring import Request, score_pairs
from core.text.files import read_text, split_lines
from core.types import Result, TextPair
from db.engine import database_url, make_engine
from db.permissions import OPERATOR
from db.queries import find_campaign, list_translations
from db.queries.evaluation import judgements, rating_table

Floats = NDArray[np.float64]
Row = dict[str, str]

DataSets = Annotated[Path, Argument(help="Folder of all data sets.")]
DataSet = Annotated[Path, Argument(help="Folder of one data set.")]
Metrics = Annotated[
    list[str], Argument(help='Metrics, each with its options in one word: "subspace energy=0.8".')
]
Campaign = Annotated[str, Option("--campaign", help="Campaign in the database (YOMIKURABE_DB).")]
Segments = Annotated[int, Option("--segments", min=1, help="Number of segments to draw.")]
Seed = Annotated[int, Option("--seed", min=0, help="Random seed.")]

CACHE_BYTES = 3 << 30
ITEMS_PER_LANGUAGE = 500


def rows_of(path: Path) -> list[Row]:
    """The rows of a tab-separated file with a header and without quoting."""
    return list(csv.DictReader(split_lines(read_text(path)), delimiter="\t", quoting=csv.QUOTE_NONE))


def rows_by_segment(path: Path) -> dict[str, Row]:
    """The rows of a file with one row per segment, by `seg_id`."""
    return {row["seg_id"]: row for row in rows_of(path)}


def contrast_pairs(path: Path, only: Sequence[str] | None) -> list[ContrastPair]:
    """A contrast set, or DEMETR's checked perturbations: the machine translation is the good one."""
    if ".jsonl" not in path.name:
        pairs = read_contrast_set(path)
    else:
        rows = [json.loads(line) for line in split_lines(read_text(path)) if line]
        pairs = [
            ContrastPair(
                reference=row["eng_sent"],
                good=row["mt_sent"],
                bad=row["pert_sent"],
                phenomenon=row["pert_name"],
                line=number,
                source=row["src_sent"],
            )
            for number, row in enumerate(rows, 1)
            if row["pert_check"] and row["mt_sent"] != row["pert_sent"]
        ]
    return [one for one in pairs if not only or one.phenomenon in only]


def path_and_language(described: str) -> tuple[Path, str]:
    """The parts of `FILE:LANG`."""
    path, _, lang = described.rpartition(":")
    return Path(path), lang


def request_of(described: str) -> Request:
    """The metric and options of `NAME option=value …`."""
    name, *options = described.split()
    return Request(name, dict(option.split("=", 1) for option in options))


@dataclass(slots=True)
class MetricScores:
    """Computes metric scores; keeps the signature of each described metric."""

    backends: Backends = field(default_factory=lambda: load_backends(cache_bytes=CACHE_BYTES))
    signatures: dict[str, str] = field(default_factory=dict)

    def of(self, described: str, pairs: Sequence[TextPair], *, label: str = "") -> Floats:
        """(n,) scores of n > 0 pairs; NaN for a missing score. label: the name beside the signature."""
        results = self._results(described, pairs, label or described)
        return np.array([np.nan if one.score is None else one.score for one in results], np.float64)

    def parts(self, described: str, pairs: Sequence[TextPair], parts: Sequence[str]) -> dict[str, Floats]:
        """(n,) values of each part of the scores, such as precision; NaN where a pair does not have it."""
        results = self._results(described, pairs, described)
        return {part: np.array([one.parts.get(part, np.nan) for one in results]) for part in parts}

    def _results(self, described: str, pairs: Sequence[TextPair], label: str) -> list[Result[Any]]:
        results = [row[0] for row in score_pairs(pairs, [request_of(described)], self.backends)]
        self.signatures[label] = results[0].signature
        return results


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """A pair with people's score. `group` is a domain or a language pair; `z` is the score per rater."""

    pair: TextPair
    group: str
    document: str
    raw: float
    z: float


def judged_in_campaign(name: str) -> list[JudgedPair]:
    """Every official rating of a system translation in the campaign; references are left out."""
    engine = make_engine(database_url())
    campaign = find_campaign(engine, name)
    texts = {one.id: one for one in list_translations(engine, campaign.id)}
    domains = {key: place.domain for key, place in judgements(engine, OPERATOR, campaign.id).places.items()}
    rows = [row for row in rating_table(engine, OPERATOR, campaign.id) if row.mark in ("", OFFICIAL)]
    ratings = [Rating(row.rater, place, row.score) for place, row in enumerate(rows)]
    z = {one.item: one.score for one in normalise(ratings, method="z").ratings}
    judged = []
    for place, row in enumerate(rows):
        text = texts[row.item]
        if not text.is_reference:
            pair = TextPair(reference=text.reference, hypothesis=text.text, lang=campaign.target_lang)
            domain = domains[row.item] or "all"
            judged.append(JudgedPair(pair, domain, row.document, row.score, z.get(place, 0.0)))
    return judged


def judged_in_mlqe(folder: Path, seed: int) -> list[JudgedPair]:
    """A sample of the dev splits of MLQE-PE into English; the post-edit is the reference."""
    judged = []
    for path in sorted(folder.glob("??-en.tsv.gz")):
        dev = [row for row in rows_of(path) if row["split"] == "dev"]
        for row in random.Random(seed).sample(dev, min(ITEMS_PER_LANGUAGE, len(dev))):
            pair = TextPair(reference=row["post_edit"], hypothesis=row["mt"], lang="en")
            group = path.name.split(".")[0]
            judged.append(JudgedPair(pair, group, row["index"], float(row["mean"]), float(row["z_mean"])))
    return judged


def places_by_group(judged: Sequence[JudgedPair]) -> dict[str, list[int]]:
    """The places of all pairs under `all`, then of each group, by name."""
    names = ("all", *sorted({one.group for one in judged}))
    return {name: [i for i, one in enumerate(judged) if name in ("all", one.group)] for name in names}


def meta_table(
    people: Sequence[float],
    metrics: Mapping[str, Floats],
    segments: Sequence[str],
    systems: Sequence[str],
    documents: Sequence[str],
    every_document: Sequence[str],
) -> MetaTable:
    """People's scores beside those of the metrics, with the segment, system and document of each row.

    every_document: the bootstrap draws from these, also from those without a row.
    """
    items, item = np.unique(segments, return_inverse=True)
    names, system = np.unique(systems, return_inverse=True)
    return MetaTable(
        people=np.array(people, np.float64),
        metrics=dict(metrics),
        item=item,
        system=system,
        items=items.tolist(),
        systems=names.tolist(),
        group=np.searchsorted(np.unique(every_document), documents),
    )


@dataclass(frozen=True, slots=True)
class MqmText:
    """A translation with people's MQM score, 0 or below."""

    segment: str
    system: str
    pair: TextPair
    score: float


_MARKS = re.compile(r"</?v>")
_NAMES = {"ref": "refA", "ref-A": "refA", "ref-B": "refB"}
"""One name for each reference of the TED talks, whose two files call them differently."""


def rated_by_mqm(folder: Path, reference: str, segments: int, seed: int) -> list[MqmText]:
    """Every rated translation of a sample of segments, Chinese to English; other references are systems.

    folder: of WMT 2023 (`human_seg.tsv.gz`) or of the TED talks of WMT 2021 (`mqm_ted_zhen.tsv.gz`).
    """
    wmt23 = (folder / "human_seg.tsv.gz").exists()
    texts, scores = (_mqm_of_wmt23 if wmt23 else _mqm_of_ted)(folder)
    usable = sorted({key for key, system in scores if texts.get((key, reference)) and system != reference})
    kept = set(random.Random(seed).sample(usable, min(segments, len(usable))))
    return [
        MqmText(
            key,
            system,
            TextPair(reference=texts[key, reference], hypothesis=texts[key, system], lang="en"),
            score,
        )
        for (key, system), score in sorted(scores.items())
        if key in kept and system != reference and (key, system) in texts
    ]


_Cells = dict[tuple[str, str], str]
_MqmRows = tuple[_Cells, dict[tuple[str, str], float]]
"""Texts, and scores, by segment and system."""


def _mqm_of_wmt23(folder: Path) -> _MqmRows:
    outputs = rows_of(folder / "outputs.tsv.gz")
    texts = {(row["seg_id"], name): text for row in outputs for name, text in row.items() if name != "seg_id"}
    human = rows_of(folder / "human_seg.tsv.gz")
    return texts, {(row["seg_id"], row["system"]): float(row["mqm"]) for row in human}


def _mqm_of_ted(folder: Path) -> _MqmRows:
    texts = {}
    for row in rows_of(folder / "mqm_ted_zhen.tsv.gz"):
        texts[row["seg_id"], _NAMES.get(row["system"], row["system"])] = _MARKS.sub("", row["target"])
    scores = {}
    for line in split_lines(read_text(folder / "mqm_ted_zhen.avg_seg_scores.tsv.gz"))[1:]:
        system, score, key = line.split()
        if score != "None":
            scores[key, _NAMES.get(system, system)] = float(score)
    return texts, scores


def rated_in_wmt21(folder: Path, segments: int, seed: int) -> tuple[list[Row], list[TextPair]]:
    """WMT 2021 into English: the rows of people's scores of a sample of segments, and the rated pairs."""
    references = {key: row["ref_A"] for key, row in rows_by_segment(folder / "segments.tsv.gz").items()}
    texts: Mapping[str, Row] = rows_by_segment(folder / "outputs.tsv.gz")
    kept = set(random.Random(seed).sample(sorted(references), min(segments, len(references))))
    rated = [
        row
        for row in rows_of(folder / "da_seg_scores.tsv.gz")
        if row["seg_id"] in kept and row["system"] in texts[row["seg_id"]] and row["z_mean"]
    ]
    pairs = [
        TextPair(
            reference=references[row["seg_id"]], hypothesis=texts[row["seg_id"]][row["system"]], lang="en"
        )
        for row in rated
    ]
    return rated, pairs
