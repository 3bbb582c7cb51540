"""How well BERTScore F of each layer agrees with people: the table behind the default layer.

    python tools/choose_layer.py --campaign "WMT24 en-ja" --mlqe FOLDER

--campaign: a campaign in the database (YOMIKURABE_DB); its official ratings of systems other than the
reference, raw and z per rater, per domain. --mlqe: the folder with `*-en.tsv.gz` of MLQE-PE; its dev
splits, the mean of the z-scores, the post-edit as reference (500 items a language, seed 20261127).
"""

from __future__ import annotations

import argparse
import csv
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import pearsonr

from core.backends.registry import load_backends
from core.scoring import Request, score_pairs
from core.text.files import read_text, split_lines
from core.types import TextPair
from tools.signatures import print_signatures

SEED = 20261127
ITEMS_A_LANGUAGE = 500


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair with people's score of it; `group` is a domain or a language pair."""

    pair: TextPair
    group: str
    document: str
    raw: float
    z: float


def from_campaign(name: str) -> list[Judged]:
    """Every official rating of a system's translation in the campaign."""
    from db.engine import database_url, make_engine
    from db.permissions import OPERATOR
    from db.queries import find_campaign, list_translations, rating_table

    engine = make_engine(database_url())
    campaign = find_campaign(engine, name)
    texts = {one.id: one for one in list_translations(engine, campaign.id)}
    rows = [row for row in rating_table(engine, OPERATOR, campaign.id) if row.mark in (None, "", "ok")]
    by_rater = defaultdict(list)
    for row in rows:
        by_rater[row.rater].append(row.score)
    scale = {
        rater: (float(np.mean(scores)), float(np.std(scores, ddof=1)) or 1)
        for rater, scores in by_rater.items()
    }
    judged = []
    for row in rows:
        text = texts[row.translation_id]
        if text.is_reference:
            continue
        mean, spread = scale[row.rater]
        pair = TextPair(reference=text.reference, hypothesis=text.text, lang=campaign.target_lang)
        judged.append(Judged(pair, row.domain or "all", row.document, row.score, (row.score - mean) / spread))
    return judged


def from_mlqe(folder: Path) -> list[Judged]:
    """The dev splits, sampled, one group per language pair."""
    judged = []
    for path in sorted(folder.glob("??-en.tsv.gz")):
        rows = list(csv.DictReader(split_lines(read_text(path)), delimiter="\t", quoting=csv.QUOTE_NONE))
        dev = [row for row in rows if row["split"] == "dev"]
        for row in random.Random(SEED).sample(dev, min(ITEMS_A_LANGUAGE, len(dev))):
            pair = TextPair(reference=row["post_edit"], hypothesis=row["mt"], lang="en")
            judged.append(
                Judged(pair, path.name.split(".")[0], row["index"], float(row["mean"]), float(row["z_mean"]))
            )
    return judged


def table(judged: list[Judged], layers: list[int], weight: str) -> None:
    """Print one Markdown row per layer: Pearson raw / z, over all and per group."""
    groups = ["all", *sorted({one.group for one in judged})]
    members = {group: [i for i, one in enumerate(judged) if group in ("all", one.group)] for group in groups}
    print("| layer | " + " | ".join(f"{group}, {len(members[group])}" for group in groups) + " |")
    print("|---" * (len(groups) + 1) + "|")
    backends, signed = load_backends(), {}
    for layer in layers:
        settings = {"layer": str(layer), "weight": weight}
        rows = list(score_pairs([one.pair for one in judged], [Request("bertscore", settings)], backends))
        signed[f"layer {layer}"] = rows[0][0].signature
        scores = np.array([row[0].score for row in rows])
        cells = []
        for group in groups:
            raw = pearsonr(scores[members[group]], [judged[i].raw for i in members[group]]).statistic
            z = pearsonr(scores[members[group]], [judged[i].z for i in members[group]]).statistic
            cells.append(f"{raw:.3f} / {z:.3f}")
        print(f"| {layer} | " + " | ".join(cells) + " |", flush=True)
    print_signatures(signed, SEED)


def main() -> None:
    """Read the arguments and print a table for each data set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--campaign")
    parser.add_argument("--mlqe", type=Path)
    parser.add_argument("--layers", default="1,3,5,6,7,8,9,10,11,12")
    parser.add_argument("--weight", default="none")
    arguments = parser.parse_args()
    layers = [int(layer) for layer in arguments.layers.split(",")]
    if arguments.campaign:
        table(from_campaign(arguments.campaign), layers, arguments.weight)
    if arguments.mlqe:
        table(from_mlqe(arguments.mlqe), layers, arguments.weight)


if __name__ == "__main__":
    main()
