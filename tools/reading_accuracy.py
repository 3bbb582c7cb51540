"""How often each reader agrees with the ruby of novels, and how fast it reads.

    python tools/reading_accuracy.py FOLDER

FOLDER holds `ruby_readings.tsv.gz`: base, reading and count, tab-separated, collected from ruby in novels.
Each base stands alone here, without its sentence and its inflection, which is harder than the metric's own
case; and a base with several readings gets one answer, so the best there can be stands in the last line.
Also prints sentences per second over 10,000 distinct sentences made from the test fixtures. Markdown.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import sys
import time
from pathlib import Path

from core.backends.reader import NAMES, WordReader
from core.text.japanese import hiragana, kana_form

FIXTURE = Path(__file__).parents[1] / "tests" / "fixtures" / "pairs_ja.tsv"
SENTENCES = 10_000
Row = tuple[str, str, int]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where ruby_readings.tsv.gz is")
    rows = read_rows(parser.parse_args().folder / "ruby_readings.tsv.gz")
    print(f"{len(rows):,} pairs, {sum(count for *_, count in rows):,} occurrences\n")
    print("| reader | kana | exact, by pair | by occurrence | by base, its commonest reading |")
    print("|---|---|---|---|---|")
    for name in NAMES:
        reader = WordReader(name)
        for kana in ("plain", "normal"):
            print(accuracy(reader, rows, kana))
    print(best(rows))
    print(f"\n| reader | sentences/s over {SENTENCES:,} |\n|---|---|")
    for name in NAMES:
        print(f"| {name} | {speed(WordReader(name)):,.0f} |")


def read_rows(path: Path) -> list[Row]:
    """(base, reading, count), the header left out."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return [(base, reading, int(count)) for base, reading, count in rows]


def accuracy(reader: WordReader, rows: list[Row], kana: str) -> str:
    """One line of the table. Words are joined before the kana normal form, as the ruby is one string."""
    bases = list(dict.fromkeys(base for base, _, _ in rows))
    read = reader.read(bases, lang="ja", kana="plain")
    form = kana_form if kana == "normal" else str
    found = {
        base: form("".join(word.reading for word in words)) for base, words in zip(bases, read, strict=True)
    }
    met = {row: found[row[0]] == form(hiragana(row[1])) for row in rows}
    return line(f"{reader.name} | {kana}", rows, met)


def line(name: str, rows: list[Row], met: dict[Row, bool]) -> str:
    """Shares of pairs, of occurrences, and of bases whose commonest reading is met."""
    commonest: dict[str, Row] = {}
    for row in rows:
        if row[2] > commonest.get(row[0], ("", "", 0))[2]:
            commonest[row[0]] = row
    by_pair = sum(met.values()) / len(rows)
    by_count = sum(row[2] for row in rows if met[row]) / sum(row[2] for row in rows)
    by_base = sum(met[row] for row in commonest.values()) / len(commonest)
    return f"| {name} | {by_pair:.1%} | {by_count:.1%} | {by_base:.1%} |"


def best(rows: list[Row]) -> str:
    """What a reader reaches that gives every base its commonest reading."""
    top: dict[str, Row] = {}
    for row in sorted(rows, key=lambda one: -one[2]):
        top.setdefault(row[0], row)
    return line("best there can be | ", rows, {row: top[row[0]] == row for row in rows})


def speed(reader: WordReader) -> float:
    """Sentences per second, loading left out, each sentence made distinct by a number at its end."""
    lines = FIXTURE.read_text("utf-8").split("\n")[1:]
    base = [text for line in lines for text in line.split("\t") if text]
    made = [f"{base[i % len(base)]}{i // len(base)}" for i in range(SENTENCES)]
    reader.read(["漢字は髙い。驫"], lang="ja")
    started = time.perf_counter()
    reader.read(made, lang="ja")
    return SENTENCES / (time.perf_counter() - started)


if __name__ == "__main__":
    sys.exit(main())
