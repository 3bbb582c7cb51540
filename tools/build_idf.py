"""Build the dictionaries that come with Yomikurabe: assets/idf/{novel,wiki}.ja.json.gz and novel.en.json.gz.

    python tools/build_idf.py DATA

DATA: the folder with `aozora`, `kyoto-wiki` and `holmes`. Novels: every work of Aozora Bunko that is given
(public domain). Wikipedia: every article of the NICT Kyoto corpus (CC BY-SA 3.0). English: the Sherlock
Holmes stories of Project Gutenberg, one document a story (public domain); they are few.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

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


def stories(folder: Path) -> Iterator[list[str]]:
    """The English paragraphs of each story."""
    for path in sorted(folder.glob("*.json")):
        yield json.loads(path.read_text("utf-8"))["en"]


def corpora(data: Path) -> list[tuple[str, str, str, Iterable[Iterable[str]]]]:
    """Name, language, licence and documents of each corpus."""
    aozora = [data / "aozora" / "plain", *sorted((data / "aozora").glob("rest_*.jsonl.gz"))]
    wiki = data / "kyoto-wiki" / "ja_wikipedia_kyoto.txt.gz"
    return [
        ("novel", "ja", "public domain, Aozora Bunko", documents(aozora)),
        ("wiki", "ja", "CC BY-SA 3.0, Wikipedia (NICT Kyoto corpus 2.01)", articles(wiki)),
        ("novel", "en", "public domain, Project Gutenberg", stories(data / "holmes" / "stories")),
    ]


def main() -> None:
    """Build all three and print a line for each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    data = parser.parse_args().data
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
    main()
