"""Beads as a file: TMX 1.4, TSV or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape

from core import __version__
from core.alignment.beads import Bead

FORMS = ("tmx", "tsv", "json")
_BREAKS = dict.fromkeys(map(ord, "\t\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"), " ")


def joined(sentences: Sequence[str], numbers: Sequence[int], lang: str) -> str:
    """Sentences as one text: with blanks between them, in Japanese and Chinese without."""
    return ("" if lang in ("ja", "zh") else " ").join(sentences[n] for n in numbers)


def write_alignment(
    form: str,
    beads: Sequence[Bead],
    texts: tuple[Sequence[str], Sequence[str]],
    langs: tuple[str, str],
    *,
    with_texts: bool = True,
) -> Iterator[str]:
    """The file in pieces. form: one of `FORMS`. with_texts: JSON has the sentences, too."""
    if form == "json":
        yield from _json(beads, texts, with_texts)
        return
    if form == "tmx":
        yield from _tmx(beads, texts, langs)
        return
    yield "left\tright\tconfidence\tleft_text\tright_text\n"
    for bead in beads:
        said = [joined(texts[n], (bead.left, bead.right)[n], langs[n]).translate(_BREAKS) for n in (0, 1)]
        numbers = [",".join(map(str, side)) for side in (bead.left, bead.right)]
        yield "\t".join([*numbers, f"{bead.confidence:.4f}", *said]) + "\n"


def _json(
    beads: Sequence[Bead], texts: tuple[Sequence[str], Sequence[str]], with_texts: bool
) -> Iterator[str]:
    rows = [
        {"left": list(bead.left), "right": list(bead.right), "confidence": round(bead.confidence, 4)}
        for bead in beads
    ]
    found: dict[str, object] = {"beads": rows}
    if with_texts:
        found["sentences"] = {"left": list(texts[0]), "right": list(texts[1])}
    yield json.dumps(found, ensure_ascii=False) + "\n"


def _tmx(
    beads: Sequence[Bead], texts: tuple[Sequence[str], Sequence[str]], langs: tuple[str, str]
) -> Iterator[str]:
    """Only beads with both sides: a unit of a translation memory has two texts."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n'
    yield (
        f'<header creationtool="yomikurabe" creationtoolversion="{escape(__version__)}" segtype="block" '
        f'o-tmf="yomikurabe" adminlang="en" srclang="{escape(langs[0])}" datatype="plaintext"/>\n<body>\n'
    )
    for number, bead in enumerate(beads, 1):
        if not bead.left or not bead.right:
            continue
        yield f'<tu tuid="{number}"><prop type="x-confidence">{bead.confidence:.4f}</prop>\n'
        for lang, sentences, numbers in zip(langs, texts, (bead.left, bead.right), strict=True):
            said = escape(_allowed(joined(sentences, numbers, lang)), quote=False)
            yield f'<tuv xml:lang="{escape(lang)}"><seg>{said}</seg></tuv>\n'
        yield "</tu>\n"
    yield "</body>\n</tmx>\n"


def _allowed(text: str) -> str:
    """Without the control characters that XML has no way to write."""
    return "".join(char for char in text if char >= " " or char in "\t\n")
