#!/usr/bin/env python3
"""Make the sentence-pair fixtures for the tests of the metrics.

Reads the data folder given as the argument and writes, always the same,
``tests/fixtures/pairs_ja.tsv`` and ``tests/fixtures/pairs_en.tsv`` (500 pairs each,
columns ``reference`` and ``hypothesis``, tab-separated, no quoting).

* ja: two Japanese translations of the same English paragraphs (Sherlock Holmes;
  Okubo as reference, Mikami as hypothesis), paired by an automatic alignment of each
  to the English: the 500 pairs with the lowest alignment cost, in reading order.
* en: post-edits (reference) and machine translations (hypothesis) of MLQE-PE, the
  same number from each of et-en, ro-en, ru-en and si-en, drawn with a fixed seed.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import random
from pathlib import Path

SEED = 20261127
PAIRS = 500
MIN_CHARS = 10
MAX_CHARS = 300
PARAGRAPH_MARK = " ¶ "  # between the paragraphs of one alignment
LANGUAGE_PAIRS = ("et-en", "ro-en", "ru-en", "si-en")

Pair = tuple[str, str]


def read_rows(path: Path) -> list[dict[str, str]]:
    """Read a gzipped tab-separated file with a header and no quoting."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))


def clean(text: str) -> str:
    """Join aligned paragraphs; drop line breaks, tabs and outer (also full-width) spaces."""
    text = text.replace(PARAGRAPH_MARK, "")
    return text.replace("\t", " ").replace("\r", " ").replace("\n", " ").strip(" \u3000")


def usable(pair: Pair) -> bool:
    """Tell whether both sides have a length the tests can use."""
    return all(MIN_CHARS <= len(text) <= MAX_CHARS for text in pair)


def japanese_pairs(data: Path) -> list[Pair]:
    """Pair the two Japanese translations of the same span of English paragraphs."""
    rows = read_rows(data / "holmes" / "auto_paragraph_alignment.tsv.gz")
    okubo = {(row["title"], row["en_paras"]): row for row in rows if row["ja_version"] == "ccby"}
    candidates: list[tuple[float, int, Pair]] = []
    seen: set[str] = set()
    for order, row in enumerate(rows):
        if row["ja_version"] != "pd1930s":
            continue
        other = okubo.get((row["title"], row["en_paras"]))
        if other is None:
            continue
        pair = (clean(other["ja"]), clean(row["ja"]))
        if not usable(pair) or pair[0] in seen or pair[1] in seen:
            continue
        seen.update(pair)
        candidates.append((max(float(row["cost"]), float(other["cost"])), order, pair))
    best = sorted(candidates)[:PAIRS]
    return [pair for _, _, pair in sorted(best, key=lambda entry: entry[1])]


def english_pairs(data: Path) -> list[Pair]:
    """Draw post-edits and machine translations from four language pairs."""
    rng = random.Random(SEED)
    pairs: list[Pair] = []
    seen: set[str] = set()
    for name in LANGUAGE_PAIRS:
        rows = read_rows(data / "mlqe-pe" / f"{name}.tsv.gz")
        rng.shuffle(rows)
        wanted = len(pairs) + PAIRS // len(LANGUAGE_PAIRS)
        for row in rows:
            if len(pairs) == wanted:
                break
            pair = (clean(row["post_edit"]), clean(row["mt"]))
            if not usable(pair) or pair[0] in seen or pair[1] in seen:
                continue
            seen.update(pair)
            pairs.append(pair)
    rng.shuffle(pairs)
    return pairs


def write_pairs(path: Path, pairs: list[Pair]) -> None:
    """Write the pairs with their header; stop when there are not enough."""
    if len(pairs) != PAIRS:
        raise SystemExit(f"{path.name}: {len(pairs)} pairs instead of {PAIRS}")
    lines = ["reference\thypothesis", *("\t".join(pair) for pair in pairs)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    print(f"{len(pairs)} pairs -> {path}")


def main() -> None:
    """Read the arguments and write both files."""
    parser = argparse.ArgumentParser(description="Make tests/fixtures/pairs_{ja,en}.tsv.")
    parser.add_argument("data", type=Path, help="data folder (with holmes/ and mlqe-pe/)")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(__file__).resolve().parent.parent / "tests" / "fixtures",
        help="output folder",
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    write_pairs(args.out / "pairs_ja.tsv", japanese_pairs(args.data))
    write_pairs(args.out / "pairs_en.tsv", english_pairs(args.data))


if __name__ == "__main__":
    main()
