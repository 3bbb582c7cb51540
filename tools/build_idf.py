"""Build the shipped dictionaries of idf in assets/idf, of the encoder's tokens and of words.

    python -m tools.build_idf DATA [--english FOLDER]

DATA has `aozora` and `kyoto-wiki`. Novels: all given works of Aozora Bunko (public domain). Wikipedia: the
articles about Kyoto of the NICT Kyoto corpus (CC BY-SA 3.0), which are not a sample of Wikipedia. English:
every text file in FOLDER, one document each (public domain); without the option its dictionaries stay as they
are. The shipped ones count the first 100,000 characters of 220 works: the 100 novels of
computationalstylistics/100_english_novels and 120 books of mlschmitt/classic-books-markdown (GitHub, November
2026).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from core.backends.registry import load_backends
from core.metrics.idf import SHIPPED, Idf, build_idf, build_word_idf, documents, save_idf
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
    return [
        ("novel", "ja", "public domain, Aozora Bunko", documents(aozora)),
        ("wiki", "ja", "CC BY-SA 3.0, Wikipedia (NICT Kyoto corpus 2.01)", articles(wiki)),
    ]


def main(data: Path, english: Annotated[Path | None, typer.Option("--english")] = None) -> None:
    """Build the shipped dictionaries and print a line for each."""
    backends = load_backends()
    encoder, reader = backends.encoder("embedded"), backends.reader("word")
    SHIPPED.mkdir(parents=True, exist_ok=True)
    found = [(*described, texts) for *described, texts in corpora(data)]
    if english is not None:
        texts = list(documents([english]))
        found.append(("novel", "en", "public domain, Project Gutenberg and others", texts))
    for name, lang, licence, texts in found:
        kept = list(texts)
        save(build_idf(kept, encoder, name=name, licence=licence), f"{name}.{lang}")
        save(build_word_idf(kept, reader, lang, name=name, licence=licence), f"{name}-words.{lang}")


def save(idf: Idf, name: str) -> None:
    """Write a dictionary to the assets, and a line about it."""
    path = SHIPPED / f"{name}.json.gz"
    save_idf(idf, path)
    entries, size = len(idf.frequencies), path.stat().st_size
    print(f"{path.name}: {idf.signature}, {entries} entries, {size} bytes", flush=True)


if __name__ == "__main__":
    typer.run(main)
