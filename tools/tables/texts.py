"""Tables on edits, question rules and readings: what the rules make of given texts."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from benchmarks.figures import read_pairs
from benchmarks.trees import first_sentences
from core.backends.reader import NAMES, WordReader
from core.backends.registry import load_backends
from core.hacks import Edited, EditInput, edit
from core.metrics.mteqa.questions import questions as questions_about
from core.text.japanese import hiragana, kana_form
from tools.tables.inputs import DataSet, rows_of
from tools.tables.markdown import print_header, print_row, print_table

FIXTURE = Path(__file__).parents[2] / "tests" / "fixtures" / "pairs_ja.tsv"
SENTENCES = 10_000
MEANING_EDITS = (
    "flip-negation",
    "swap-arguments",
    "swap-names",
    "change-number",
    "drop-last-sentence",
    "drop-sentence",
    "change-honorific",
    "splice",
)
Ruby = tuple[str, str, int]
"""Base, reading and count."""

PairsFile = Annotated[Path, Argument(help="TSV with the columns reference and hypothesis.")]
Lang = Annotated[str, Argument(help="Language: ja or en.")]
Range = Annotated[str, Argument(help="References as FIRST-LAST, counted from 1.")]
OneEdit = Annotated[str | None, Argument(help="Print the results of this edit.")]
Results = Annotated[int, Argument(help="Number of results to print.")]
References = Annotated[int, Argument(help="Number of references.")]
Offset = Annotated[int, Option("--offset", min=0, help="References to leave out first.")]


def edits(
    file: PairsFile, lang: Lang, references: Range, name: OneEdit = None, results: Results = 30
) -> None:
    """Print how often each edit that changes the meaning applies, or the first results of one edit.

    The other text of `splice` is the next reference. English references are single sentences: for the edits
    that leave one out, three references are joined.
    """
    first, last = map(int, references.split("-"))
    every = [pair.reference for pair in read_pairs(file)]
    texts = every[first - 1 : last]
    backends = load_backends()
    parses = backends.parser("dependency").parse(texts, lang=lang, constituents=False)
    words = backends.reader("word").read(texts, lang=lang, entities=True)
    given = [
        EditInput(text=text, lang=lang, parse=parse, words=read, other=texts[(at + 1) % len(texts)])
        for at, (text, parse, read) in enumerate(zip(texts, parses, words, strict=True))
    ]
    joined = [EditInput(text=" ".join(every[at : at + 3]), lang=lang) for at in range(first - 1, last)]
    inputs = {one: joined if lang == "en" and one.startswith("drop") else given for one in MEANING_EDITS}
    if name is None:
        _print_counts(inputs)
    else:
        _print_results(name, inputs[name], results)


def _print_counts(inputs: Mapping[str, Sequence[EditInput]]) -> None:
    print_header(["edit", "applies", "skipped"])
    for name, given in inputs.items():
        done = [edit(name, one) for one in given]
        reasons = Counter(one.reason for one in done if not isinstance(one, Edited))
        skipped = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common())
        print_row(f"`{name}`", len(done) - reasons.total(), skipped)


def _print_results(name: str, given: Sequence[EditInput], count: int) -> None:
    done = ((place, one.text, edit(name, one)) for place, one in enumerate(given, 1))
    changed = ((place, text, one) for place, text, one in done if isinstance(one, Edited))
    for place, text, one in itertools.islice(changed, count):
        print(f"{place}\t{one.note}\n\t{text}\n\t{one.text}")


def questions(file: PairsFile, lang: Lang, count: References, offset: Offset = 0) -> None:
    """Print the questions that the rules ask about the first sentence of references.

    The column for the verdict is empty. Below the table: questions per reference, the share of the
    references' letters in expected answers, and the kinds of question.
    """
    distinct = list(dict.fromkeys(first_sentences(pair).reference for pair in read_pairs(file)))
    references = distinct[offset : offset + count]
    backends = load_backends()
    parses = backends.parser("auto").parse(references, lang=lang, constituents=False)
    words = backends.reader("word").read(references, lang=lang, entities=True)
    print_header(["n", "question", "expected answer", "verdict"])
    kinds, shares = Counter[str](), []
    for number, (text, parse, read) in enumerate(zip(references, parses, words, strict=True), offset + 1):
        asked = questions_about(text, parse, read, lang)
        for one in asked:
            print_row(number, *(cell.replace("|", "\\|") for cell in (one.text, one.answer)), "")
        kinds.update(one.asks for one in asked)
        covered = {at for one in asked for at in range(one.span.start, one.span.end)}
        shares.append(len(covered) / sum(not char.isspace() for char in text))
    mean, share = kinds.total() / len(references), sum(shares) / len(references)
    print(f"\n{mean:.2f} questions a reference, coverage {share:.2f}, {dict(kinds.most_common())}")


def readings(data: DataSet) -> None:
    """Print how often each reader agrees with the ruby of novels, and how fast it reads.

    The folder has `ruby_readings.tsv.gz` (base, reading, count). A reader sees each base without its sentence
    and inflection, which is harder than the metric's own case. A base with several readings gets one answer;
    the last row of the first table is the best possible result. Speed: 10,000 distinct sentences.
    """
    rows = _ruby(data / "ruby_readings.tsv.gz")
    print(f"{len(rows):,} pairs, {sum(count for *_, count in rows):,} occurrences\n")
    print_header(["reader", "kana", "exact, by pair", "by occurrence", "by base, its commonest reading"])
    for name in NAMES:
        for kana in ("plain", "normal"):
            print_row(name, kana, *_shares(rows, _agreeing(WordReader(name), rows, kana)))
    top: dict[str, Ruby] = {}
    for row in sorted(rows, key=lambda one: -one[2]):
        top.setdefault(row[0], row)
    print_row("best there can be", "", *_shares(rows, {row: top[row[0]] == row for row in rows}))
    print()
    speeds = ((name, f"{_sentences_per_second(WordReader(name)):,.0f}") for name in NAMES)
    print_table(["reader", f"sentences/s over {SENTENCES:,}"], speeds)


def _ruby(path: Path) -> list[Ruby]:
    return [(row["base"], row["reading"], int(row["count"])) for row in rows_of(path)]


def _agreeing(reader: WordReader, rows: list[Ruby], kana: str) -> dict[Ruby, bool]:
    """Whether the reader agrees with each row. Words are joined before the kana normal form, as in ruby."""
    bases = list(dict.fromkeys(base for base, _, _ in rows))
    read = reader.read(bases, lang="ja", kana="plain")
    form = kana_form if kana == "normal" else str
    found = {
        base: form("".join(word.reading for word in words)) for base, words in zip(bases, read, strict=True)
    }
    return {row: found[row[0]] == form(hiragana(row[1])) for row in rows}


def _shares(rows: list[Ruby], agrees: dict[Ruby, bool]) -> list[str]:
    """Shares of pairs, of occurrences, and of bases whose commonest reading agrees."""
    commonest: dict[str, Ruby] = {}
    for row in rows:
        if row[2] > commonest.get(row[0], ("", "", 0))[2]:
            commonest[row[0]] = row
    by_pair = sum(agrees.values()) / len(rows)
    by_count = sum(row[2] for row in rows if agrees[row]) / sum(row[2] for row in rows)
    by_base = sum(agrees[row] for row in commonest.values()) / len(commonest)
    return [f"{share:.1%}" for share in (by_pair, by_count, by_base)]


def _sentences_per_second(reader: WordReader) -> float:
    """Speed without loading; a number at the end makes each sentence distinct."""
    base = [text for pair in read_pairs(FIXTURE) for text in (pair.reference, pair.hypothesis)]
    made = [f"{base[i % len(base)]}{i // len(base)}" for i in range(SENTENCES)]
    reader.read(["漢字は髙い。驫"], lang="ja")
    started = time.perf_counter()
    reader.read(made, lang="ja")
    return SENTENCES / (time.perf_counter() - started)
