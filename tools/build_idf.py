"""Build the shipped dictionaries: assets/idf/{novel,wiki}.ja.json.gz and novel.en.json.gz.

    python -m tools.build_idf DATA

DATA has `aozora`, `kyoto-wiki` and `holmes`. Novels: all given works of Aozora Bunko (public domain).
Wikipedia: all articles of the NICT Kyoto corpus (CC BY-SA 3.0). English: the Sherlock Holmes stories of
Project Gutenberg, one document per story (public domain); they are few.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import typer

from core.backends.registry import load_backends
from core.metrics.idf import SHIPPED, build_idf, documents, save_idf
from core.text.files import read_text, split_lines


def articles(path: Path) -> Iterator[list[str]]:
    """The articles of a file in which `# title` begins each."""
    lines: list[str] = []
    for line in split_lines(read_text(path)):
        if line.startswith("# ") and lines:
            yield lines
            lines = []
        if not line.startswith("# "):
            lines.append(line)
    yield lines


def corpora(data: Path) -> list[tuple[str, str, str, Iterable[Iterable[str]]]]:
    """Name, language, licence and documents of each corpus."""
    aozora = [data / "aozora" / "plain", *sorted((data / "aozora").glob("rest_*.jsonl.gz"))]
    wiki = data / "kyoto-wiki" / "ja_wikipedia_kyoto.txt.gz"
    holmes = sorted((data / "holmes" / "stories").glob("*.json"))
    stories = (json.loads(path.read_text("utf-8"))["en"] for path in holmes)
    return [
        ("novel", "ja", "public domain, Aozora Bunko", documents(aozora)),
        ("wiki", "ja", "CC BY-SA 3.0, Wikipedia (NICT Kyoto corpus 2.01)", articles(wiki)),
        ("novel", "en", "public domain, Project Gutenberg", stories),
    ]


def main(data: Path) -> None:
    """Build the three shipped dictionaries of idf and print a line for each."""
    encoder = load_backends().encoder("embedded")
    SHIPPED.mkdir(parents=True, exist_ok=True)
    for name, lang, licence, texts in corpora(data):
        started = time.perf_counter()
        idf = build_idf(texts, encoder, name=name, licence=licence)
        path = SHIPPED / f"{name}.{lang}.json.gz"
        save_idf(idf, path)
        print(
            f"{path.name}: {idf.signature}, {len(idf.frequencies)} tokens, threshold {idf.threshold():.4f}, "
            f"{path.stat().st_size} bytes, {time.perf_counter() - started:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    typer.run(main)
