"""The questions that the rules ask about the first references of a file, as a Markdown table to be judged.

    python tools/list_questions.py tests/fixtures/pairs_ja.tsv ja 50
    python tools/list_questions.py tests/fixtures/pairs_en.tsv en 50

Of each reference its first sentence; the column for the verdict is left empty.
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.backends.loaded import load_backends
from core.bench import read_pairs
from core.bench_trees import first_sentences
from core.metrics.questions import questions


def main() -> None:
    """Print a row per question."""
    path, lang, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    references = list(dict.fromkeys(first_sentences(pair).reference for pair in read_pairs(path)))[:count]
    backends = load_backends()
    parser, reader = backends.parser("auto"), backends.reader("word")
    parses = parser.parse(references, lang=lang, constituents=False)
    words = reader.read(references, lang=lang, entities=True)
    print("| n | question | expected answer | verdict |\n|---|---|---|---|")
    for number, (text, parse, read) in enumerate(zip(references, parses, words, strict=True), 1):
        for one in questions(text, parse, read, lang):
            cells = (cell.replace("|", "\\|") for cell in (one.text, one.answer))
            print(f"| {number} | {' | '.join(cells)} | |")


if __name__ == "__main__":
    main()
