"""What the edits make of some references of a file, to be read and judged, with how often each applies.

    python tools/list_edits.py tests/fixtures/pairs_ja.tsv ja 201-300
    python tools/list_edits.py tests/fixtures/pairs_en.tsv en 201-300 flip-negation 30

With an edit and a number, the first so many results of that edit, old text and new. The other text of
`splice` is the next reference. English references are single sentences: to leave one out, three are joined.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from benchmarks.figures import read_pairs
from core.backends.registry import load_backends
from core.hacks import Edited, EditInput, edit

MEANING = ("flip-negation", "swap-arguments", "swap-names", "change-number", "drop-last-sentence",
           "drop-sentence", "change-honorific", "splice")  # fmt: skip


def main() -> None:
    """Print a row per edit, or the results of one."""
    path, lang, (first, last) = Path(sys.argv[1]), sys.argv[2], map(int, sys.argv[3].split("-"))
    references = [pair.reference for pair in read_pairs(path)]
    texts = references[first - 1 : last]
    backends = load_backends()
    parses = backends.parser("dependency").parse(texts, lang=lang, constituents=False)
    words = backends.reader("word").read(texts, lang=lang, entities=True)
    given = [
        EditInput(text=text, lang=lang, parse=parse, words=read, other=texts[(at + 1) % len(texts)])
        for at, (text, parse, read) in enumerate(zip(texts, parses, words, strict=True))
    ]
    joined = [EditInput(text=" ".join(references[at : at + 3]), lang=lang) for at in range(first - 1, last)]
    kept = {name: joined if lang == "en" and name.startswith("drop") else given for name in MEANING}
    if len(sys.argv) > 4:
        _show(sys.argv[4], kept[sys.argv[4]], int(sys.argv[5]))
        return
    print("| edit | applies | skipped |\n|---|---|---|")
    for name in MEANING:
        done = [edit(name, one) for one in kept[name]]
        reasons = Counter(one.reason for one in done if not isinstance(one, Edited))
        skipped = ", ".join(f"{reason} {number}" for reason, number in reasons.most_common())
        print(f"| `{name}` | {len(done) - reasons.total()} | {skipped} |")


def _show(name: str, given: list[EditInput], count: int) -> None:
    shown = 0
    for number, one in enumerate(given, 1):
        done = edit(name, one)
        if isinstance(done, Edited) and shown < count:
            shown += 1
            print(f"{number}\t{done.note}\n\t{one.text}\n\t{done.text}")


if __name__ == "__main__":
    main()
