#!/usr/bin/env python3
"""Make the demo campaign "Wikipedia, Estonian to English" from MLQE-PE.

Reads ``et-en.tsv.gz`` from the MLQE-PE folder given as the argument (tab-separated,
with a header, no quoting) and writes ``segments.tsv``, ``outputs.tsv``,
``ratings.tsv``, ``campaign.json`` and ``CREDITS.md``.

One hundred items with exactly three 0-100 scores are drawn with a fixed seed, ten
from each tenth of the scale of the mean score. In this data only the ``train`` split
has items with three scores (``dev`` and ``test`` have six), so ``dev`` and ``test``
are used first and ``train`` fills what they cannot give.

The document names of the source file stand one row too low (its first row carries
the literal word "doc_id", a shifted header): the document of an item is taken from
the next row of the same split.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
from dataclasses import dataclass
from pathlib import Path

SEED = 20261127
STRATA = 10
PER_STRATUM = 10
MIN_WORDS = 6
MAX_WORDS = 40
DOMAIN = "wikipedia"
NO_DOC = "wikipedia-et"
SYSTEM = "mlqe-nmt"
SPLITS = ("dev", "test", "train")
RATING_COLUMNS = (
    "wave",
    "annotator",
    "system",
    "seg_id",
    "doc_id",
    "domain",
    "kind",
    "item_type",
    "score",
    "error_spans_json",
    "t_start",
    "t_end",
)

CAMPAIGN = {
    "name": {
        "en": "Wikipedia, Estonian to English",
        "ja": "ウィキペディア、エストニア語から英語",
    },
    "source_lang": "et",
    "target_lang": "en",
    "protocol": "adequacy",
    "description": {
        "en": "One hundred sentences of the Estonian Wikipedia with a machine translation into "
        "English and three real 0-100 scores each (MLQE-PE, CC0), ten from each tenth of "
        "the scale. The three columns of scores are positions in a list, not persons: "
        "agreement between them says something about the data, not about three people. "
        "The reference is a post-edit of the same machine translation, with the "
        "tokenisation of the source data (spaces before punctuation).",
        "ja": "エストニア語版ウィキペディアの百文と、その英語への機械翻訳、それぞれに付いた実際の"
        "0～100点の評点三つ（MLQE-PE、CC0）です。平均点の十の区間から十文ずつ選びました。"
        "評点の三つの列はリストの中の位置であって、人ではありません。列どうしの一致は"
        "データについて何かを語りますが、三人の評価者について語るものではありません。"
        "参照訳は同じ機械翻訳を人が手直ししたもので、元データの分かち書き"
        "（句読点の前の空白）のまま載せています。",
    },
    "systems": {
        SYSTEM: {
            "en": "Neural machine translation of MLQE-PE",
            "ja": "MLQE-PE のニューラル機械翻訳",
        },
    },
    "credits": {
        "en": "MLQE-PE (sheffieldnlp/mlqe-pe), CC0. Source sentences from the Estonian Wikipedia.",
        "ja": "MLQE-PE（sheffieldnlp/mlqe-pe）、CC0。原文はエストニア語版ウィキペディアより。",
    },
}

CREDITS = """# Credits: Wikipedia, Estonian to English

- Data: **MLQE-PE**, Multilingual Quality Estimation and Post-Editing Dataset
  (github.com/sheffieldnlp/mlqe-pe), language pair Estonian-English. Licence: **CC0**.
- Source sentences: Estonian Wikipedia, as distributed in MLQE-PE.
- `mlqe-nmt`: the neural machine translation distributed in MLQE-PE.
- `refA`: the post-edit of that machine translation distributed in MLQE-PE, unchanged: it keeps
  the tokenisation of the data set (spaces before punctuation, `didn 't`). It was made from the
  machine translation, so it is nearer to it than an independent translation would be.
- Scores: the three 0-100 scores of each item. `position-1`, `position-2` and `position-3` are
  positions in a list, **not persons**.

Changes: 100 items with exactly three scores, 6-40 words long, drawn with a fixed seed, ten from
each tenth of the scale of the mean score. All come from the `train` split (`dev` and `test` have
six scores per item). Document names stand one row too low in the source file; they were moved
back to their items. Made by `tools/make_demo_wikipedia.py`.
"""


@dataclass(frozen=True)
class Item:
    """One sentence with its machine translation, post-edit and three scores."""

    order: int
    src: str
    mt: str
    post_edit: str
    scores: tuple[int, ...]
    doc_id: str

    @property
    def stratum(self) -> int:
        """The tenth of the scale of the mean score, 0-9."""
        return min(STRATA - 1, int(sum(self.scores) / len(self.scores) * STRATA / 100))


def clean(text: str) -> str:
    """Return the text without line breaks, tabs and outer spaces."""
    return text.replace("\t", " ").replace("\r", " ").replace("\n", " ").strip()


def read_items(path: Path) -> dict[str, list[Item]]:
    """Read the usable items of every split, with document names moved to their rows."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
    items: dict[str, list[Item]] = {split: [] for split in SPLITS}
    for order, row in enumerate(rows):
        following = rows[order + 1] if order + 1 < len(rows) else None
        same_split = following is not None and following["split"] == row["split"]
        doc_id = clean(following["doc_id"]) if following is not None and same_split else ""
        if doc_id in ("", "doc_id"):
            doc_id = NO_DOC
        scores = tuple(json.loads(row["scores"]))
        src, mt, post_edit = clean(row["src"]), clean(row["mt"]), clean(row["post_edit"])
        if len(scores) != 3 or not all(0 <= score <= 100 for score in scores):
            continue
        if not MIN_WORDS <= len(src.split()) <= MAX_WORDS or not mt or not post_edit:
            continue
        items[row["split"]].append(Item(order, src, mt, post_edit, scores, doc_id))
    return items


def choose(items: dict[str, list[Item]]) -> list[Item]:
    """Draw PER_STRATUM items for each stratum, without duplicate sources or outputs."""
    rng = random.Random(SEED)
    chosen: list[Item] = []
    seen: set[str] = set()
    for stratum in range(STRATA):
        picked = 0
        for splits in (("dev", "test"), ("train",)):
            pool = [item for split in splits for item in items[split] if item.stratum == stratum]
            rng.shuffle(pool)
            for item in pool:
                if picked == PER_STRATUM:
                    break
                if item.src in seen or item.mt in seen:
                    continue
                seen.update((item.src, item.mt))
                chosen.append(item)
                picked += 1
        if picked < PER_STRATUM:
            raise SystemExit(f"stratum {stratum}: only {picked} items")
    return sorted(chosen, key=lambda item: item.order)


def write_tsv(path: Path, rows: list[tuple[str, ...]]) -> None:
    """Write the rows tab-separated, without quoting."""
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


def main() -> None:
    """Read the arguments and write the five files."""
    parser = argparse.ArgumentParser(description="Make the demo 'Wikipedia, Estonian to English'.")
    parser.add_argument("mlqe_pe", type=Path, help="the MLQE-PE folder (with et-en.tsv.gz)")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(__file__).resolve().parent.parent / "assets" / "demo" / "wikipedia-et-en",
        help="output folder",
    )
    args = parser.parse_args()

    chosen = choose(read_items(args.mlqe_pe / "et-en.tsv.gz"))
    args.out.mkdir(parents=True, exist_ok=True)
    segments: list[tuple[str, ...]] = [("seg_id", "domain", "doc_id", "src", "refA")]
    outputs: list[tuple[str, ...]] = [("seg_id", SYSTEM)]
    ratings: list[tuple[str, ...]] = [RATING_COLUMNS]
    for number, item in enumerate(chosen):
        seg_id = str(number)
        segments.append((seg_id, DOMAIN, item.doc_id, item.src, item.post_edit))
        outputs.append((seg_id, item.mt))
        for position, score in enumerate(item.scores, start=1):
            ratings.append(
                (
                    "1",
                    f"position-{position}",
                    SYSTEM,
                    seg_id,
                    item.doc_id,
                    DOMAIN,
                    "ok",
                    "TGT",
                    str(score),
                    "[]",
                    "",
                    "",
                )
            )
    write_tsv(args.out / "segments.tsv", segments)
    write_tsv(args.out / "outputs.tsv", outputs)
    write_tsv(args.out / "ratings.tsv", ratings)
    campaign = json.dumps(CAMPAIGN, ensure_ascii=False, indent=2) + "\n"
    (args.out / "campaign.json").write_text(campaign, encoding="utf-8", newline="\n")
    (args.out / "CREDITS.md").write_text(CREDITS, encoding="utf-8", newline="\n")
    print(f"{len(chosen)} segments, {len(ratings) - 1} ratings -> {args.out}")


if __name__ == "__main__":
    main()
