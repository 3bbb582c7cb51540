"""Tables on the alignment of texts: gold beads, documents made from sentence pairs, hand-aligned passages."""

from __future__ import annotations

import ast
import csv
import gzip
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from core.alignment.align import align_sentences
from core.alignment.beads import Bead
from core.alignment.books import AlignedBooks, BookSentence, align_books, book_sentences, line_sentences
from core.assets import ASSETS
from core.backends import Backends
from core.backends.registry import load_backends
from core.text.books.book import Block, Book, Chapter
from core.text.files import read_lines
from tools.tables.inputs import Seed
from tools.tables.markdown import print_header, print_row, print_table, print_title

Sides = tuple[tuple[int, ...], tuple[int, ...]]
_BANDS = (0.0, 0.25, 0.5, 0.7, 0.85, 0.95, 1.000001)


@dataclass(frozen=True)
class MadeDocument:
    """Two texts with their true beads."""

    name: str
    left: Sequence[str]
    right: Sequence[str]
    gold: Sequence[Sides]


def alignment(
    data: Annotated[Path, typer.Argument(help="Folder with text-berg, kyoto-wiki and holmes.")],
    only: Annotated[list[str] | None, typer.Option("--only", help="berg, kyoto, holmes or speed.")] = None,
    berg: Annotated[str, typer.Option(help="Articles of text-berg, separated by commas.")] = "dev",
    part: Annotated[str, typer.Option(help="Articles of kyoto-wiki: dev or test.")] = "test",
    documents: Annotated[int, typer.Option(help="Documents made from kyoto-wiki.")] = 8,
    seed: Seed = 0,
) -> None:
    """Print how well texts are aligned, what a confidence is worth, and how long it takes."""
    backends = load_backends(cache_bytes=0)
    wanted = only or ["berg", "kyoto", "holmes", "speed"]
    if "berg" in wanted:
        print_title("text-berg: German and French, gold beads")
        _scores([_berg(data / "text-berg", name) for name in berg.split(",")], backends)
    if "kyoto" in wanted:
        print_title(f"kyoto-wiki: Japanese and English, documents made from sentence pairs ({part})")
        _scores(list(_made(data / "kyoto-wiki", part, documents, seed)), backends)
    if "holmes" in wanted:
        print_title("holmes: hand-aligned passages in whole stories")
        with TemporaryDirectory() as kept:
            _passages(data / "holmes" / "stories", backends, Path(kept))
    if "speed" in wanted:
        print_title("5,000 and 5,000 sentences")
        _speed(data / "kyoto-wiki", backends)


def _berg(folder: Path, name: str) -> MadeDocument:
    gold: list[Sides] = []
    for line in read_lines(folder / f"{name}.defr"):
        if line.strip():
            left, right = line.split(":")[:2]
            gold.append((tuple(ast.literal_eval(left)), tuple(ast.literal_eval(right))))
    return MadeDocument(name, read_lines(folder / f"{name}.de"), read_lines(folder / f"{name}.fr"), gold)


def _pairs(folder: Path) -> list[tuple[str, str, str]]:
    """Article, Japanese and English sentence."""
    with gzip.open(folder / "ltt_literature_ja_en.tsv.gz", "rt", encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row["file"], row["ja"], row["en"]) for row in rows]


def _made(folder: Path, part: str, count: int, seed: int) -> Iterator[MadeDocument]:
    """Documents of 150 pairs in the order of their articles: some are merged, dropped, or foreign.

    Even articles are `dev`, odd ones `test`.
    """
    pairs = _pairs(folder)
    names = list(dict.fromkeys(name for name, _, _ in pairs))
    own = {name for number, name in enumerate(names) if number % 2 == (part == "test")}
    rows = [(ja, en) for name, ja, en in pairs if name in own]
    foreign = [(ja, en) for name, ja, en in pairs if name not in own]
    step = len(rows) // count
    for number in range(count):
        yield _document(
            f"{part} {number}",
            rows[number * step : number * step + 150],
            foreign,
            random.Random(f"{seed}:{number}"),
        )


def _document(
    name: str, rows: Sequence[tuple[str, str]], foreign: Sequence[tuple[str, str]], draw: random.Random
) -> MadeDocument:
    left: list[str] = []
    right: list[str] = []
    gold: list[Sides] = []

    def add(ja: Sequence[str], en: Sequence[str]) -> None:
        gold.append(
            (
                tuple(range(len(left), len(left) + len(ja))),
                tuple(range(len(right), len(right) + len(en))),
            )
        )
        left.extend(ja)
        right.extend(en)

    at = 0
    while at < len(rows):
        kind = draw.random()
        size = 3 if kind < 0.04 else 2 if kind < 0.28 else 1
        ja, en = zip(*rows[at : at + size], strict=True)
        at += size
        if size > 1 and draw.random() < 0.5:
            add(["".join(ja)], en)
        elif size > 1:
            add(ja, [" ".join(en)])
        elif kind < 0.33:
            add(ja, [])
        elif kind < 0.38:
            add([], en)
        else:
            add(ja, en)
        if draw.random() < 0.04:
            stranger = draw.choice(foreign)
            add([stranger[0]], []) if draw.random() < 0.5 else add([], [stranger[1]])
    return MadeDocument(name, left, right, gold)


def _scores(documents: Sequence[MadeDocument], backends: Backends) -> None:
    found = [align_sentences(one.left, one.right, backends) for one in documents]
    rows = [(one.name, one, beads) for one, beads in zip(documents, found, strict=True)]
    print_table(
        ("document", "sentences", "gold beads", "strict P", "strict R", "strict F1", "lax F1"),
        [
            (
                name,
                f"{len(one.left)} + {len(one.right)}",
                sum(bool(a and b) for a, b in one.gold),
                *_f1([one], [beads]),
            )
            for name, one, beads in rows
        ]
        + [("all", "", "", *_f1(documents, found))],
    )
    sure = [
        (bead.confidence, (bead.left, bead.right) in set(one.gold))
        for _, one, beads in rows
        for bead in beads
        if bead.left and bead.right
    ]
    print()
    print_table(("confidence", "beads", "mean confidence", "share that is right"), _reliability(sure))


def _f1(documents: Sequence[MadeDocument], found: Sequence[Sequence[Bead]]) -> tuple[str, str, str, str]:
    """Strict precision, recall, F1 and lax F1; beads with an empty side are left out."""
    strict, lax_p, lax_r, tested, wanted = 0, 0, 0, 0, 0
    for one, beads in zip(documents, found, strict=True):
        gold = [(a, b) for a, b in one.gold if a and b]
        tests = [(bead.left, bead.right) for bead in beads if bead.left and bead.right]
        strict += len(set(gold) & set(tests))
        in_gold = {(i, j) for a, b in gold for i in a for j in b}
        in_tests = {(i, j) for a, b in tests for i in a for j in b}
        lax_p += sum(any((i, j) in in_gold for i in a for j in b) for a, b in tests)
        lax_r += sum(any((i, j) in in_tests for i in a for j in b) for a, b in gold)
        tested, wanted = tested + len(tests), wanted + len(gold)
    p, r = strict / max(tested, 1), strict / max(wanted, 1)
    lp, lr = lax_p / max(tested, 1), lax_r / max(wanted, 1)
    return f"{p:.3f}", f"{r:.3f}", f"{_mean(p, r):.3f}", f"{_mean(lp, lr):.3f}"


def _mean(p: float, r: float) -> float:
    return 2 * p * r / (p + r) if p + r else 0.0


def _reliability(sure: Sequence[tuple[float, bool]]) -> Iterator[tuple[str, int, str, str]]:
    for low, high in pairwise(_BANDS):
        inside = [(one, right) for one, right in sure if low <= one < high]
        if inside:
            mean = sum(one for one, _ in inside) / len(inside)
            share = sum(right for _, right in inside) / len(inside)
            yield f"{low:.2f} to {min(high, 1):.2f}", len(inside), f"{mean:.2f}", f"{share:.2f}"


def _book(paragraphs: Sequence[str]) -> tuple[BookSentence, ...]:
    blocks = tuple(Block(text=text) for text in paragraphs if text.strip())
    return book_sentences(
        Book(form="text", title="", author="", lang="", chapters=(Chapter(title="", blocks=blocks),))
    )


def _passages(folder: Path, backends: Backends, kept: Path) -> None:
    """Print for each story how many passages have exactly their sentences, or some more."""
    demo = ASSETS / "demo" / "holmes-en-ja"
    with (demo / "segments.tsv").open(encoding="utf-8") as file:
        passages = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    with (demo / "outputs.tsv").open(encoding="utf-8") as file:
        mikami = [row["mikami-1930s"] for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    rows: list[tuple[object, ...]] = []
    print_header(
        ("story", "translation", "passages", "exactly", "with more at an edge", "not", "text differs")
    )
    for file in sorted(folder.glob("*.json")):
        story = json.loads(file.read_text("utf-8"))
        english = _book(story["en"])
        squeezed = _squeezed(english)
        own = [
            (row["src"], row["refA"], other)
            for row, other in zip(passages, mikami, strict=True)
            if _squeeze(row["src"]) in squeezed
        ]
        for key, place in (("ja", 1), ("ja2", 2)):
            if own and key in story:
                aligned = align_books(english, _book(story[key]), backends, kept=kept)
                found = [_together(aligned, row[0], row[place]) for row in own]
                counts = [
                    sum(one == kind for one in found) for kind in ("exact", "within", "apart", "unknown")
                ]
                rows.append((story["title_en"], key, len(own), *counts))
                print_row(*rows[-1])
    print_row("all", "", *(sum(int(str(row[n])) for row in rows) for n in range(2, 7)))


def _squeeze(text: str) -> str:
    return "".join(text.split())


def _squeezed(sentences: Sequence[BookSentence]) -> str:
    return "".join(_squeeze(one.text) for one in sentences)


def _numbers(sentences: Sequence[BookSentence], passage: str) -> set[int]:
    """The sentences that the passage lies in; none where its text is not there."""
    start = _squeezed(sentences).find(_squeeze(passage))
    if start < 0:
        return set()
    end, at, found = start + len(_squeeze(passage)), 0, set()
    for number, one in enumerate(sentences):
        length = len(_squeeze(one.text))
        if at < end and at + length > start:
            found.add(number)
        at += length
    return found


def _together(aligned: AlignedBooks, left: str, right: str) -> str:
    """`exact`: no bead joins a sentence of the passage with one outside; `within`: only at its edges.

    Sentences without a partner stand with those before them, so they join nothing. `apart`: a sentence of the
    passage has its partners outside alone.
    """
    ours, theirs = _numbers(aligned.left, left), _numbers(aligned.right, right)
    if not ours or not theirs:
        return "unknown"
    beads = [bead for bead in aligned.beads if bead.left and bead.right]
    touching = [bead for bead in beads if set(bead.left) & ours or set(bead.right) & theirs]
    inside = [bead for bead in touching if set(bead.left) <= ours and set(bead.right) <= theirs]
    if inside and len(inside) == len(touching):
        return "exact"
    both = all(set(bead.left) & ours and set(bead.right) & theirs for bead in touching)
    return "within" if inside and both else "apart"


def _speed(folder: Path, backends: Backends) -> None:
    import resource

    pairs = _pairs(folder)[:5000]
    left, right = line_sentences([ja for _, ja, _ in pairs]), line_sentences([en for _, _, en in pairs])
    start = time.monotonic()
    aligned = align_books(left, right, backends)
    seconds = time.monotonic() - start
    right_ones = sum(bead.left == bead.right and len(bead.left) == 1 for bead in aligned.beads)
    print_table(
        ("seconds", "of these encoding", "peak memory in MB", "pairs found"),
        [
            (
                f"{seconds:.0f}",
                f"{aligned.seconds[0]:.0f}",
                f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}",
                f"{right_ones / len(pairs):.3f}",
            )
        ],
    )
