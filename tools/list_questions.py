"""The questions that the rules ask about the first references of a file, as a Markdown table to be judged.

    python tools/list_questions.py tests/fixtures/pairs_ja.tsv ja 50
    python tools/list_questions.py tests/fixtures/pairs_en.tsv en 50
    python tools/list_questions.py tests/fixtures/pairs_en.tsv en 50 --offset 50

Of each reference its first sentence; the column for the verdict is left empty. Below the table: questions a
reference, the share of the references' letters in expected answers, and the kinds of question.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from benchmarks.figures import read_pairs
from benchmarks.trees import first_sentences
from core.backends.registry import load_backends
from core.metrics.mteqa.questions import questions


def main() -> None:
    """Print a row per question, then the counts."""
    reading = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reading.add_argument("path", type=Path)
    reading.add_argument("lang")
    reading.add_argument("count", type=int)
    reading.add_argument("--offset", type=int, default=0)
    given = reading.parse_args()
    distinct = dict.fromkeys(first_sentences(pair).reference for pair in read_pairs(given.path))
    references = list(distinct)[given.offset : given.offset + given.count]
    backends = load_backends()
    parser, reader = backends.parser("auto"), backends.reader("word")
    parses = parser.parse(references, lang=given.lang, constituents=False)
    words = reader.read(references, lang=given.lang, entities=True)
    print("| n | question | expected answer | verdict |\n|---|---|---|---|")
    kinds, shares = Counter[str](), []
    for number, (text, parse, read) in enumerate(
        zip(references, parses, words, strict=True), given.offset + 1
    ):
        asked = questions(text, parse, read, given.lang)
        for one in asked:
            cells = (cell.replace("|", "\\|") for cell in (one.text, one.answer))
            print(f"| {number} | {' | '.join(cells)} | |")
        kinds.update(one.asks for one in asked)
        covered = {at for one in asked for at in range(one.span.start, one.span.end)}
        shares.append(len(covered) / sum(not char.isspace() for char in text))
    mean, share = kinds.total() / len(references), sum(shares) / len(references)
    print(f"\n{mean:.2f} questions a reference, coverage {share:.2f}, {dict(kinds.most_common())}")


if __name__ == "__main__":
    main()
