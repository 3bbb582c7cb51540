"""Where numerals are no numbers: vague amounts, names and set phrases, as patterns over a folded text.

They stand in `assets/idioms.LANG.txt`, one pattern a line. `<n>` is a digit or kanji numeral, `<k>` a kanji
numeral.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from core.assets import ASSETS
from core.values.numerals import KANJI


def idioms(text: str) -> Iterator[tuple[int, int]]:
    """Half-open places in a folded text where no value may stand."""
    for lang in ("ja", "en"):
        for found in _pattern(lang).finditer(text):
            yield found.span()


@cache
def _pattern(lang: str) -> re.Pattern[str]:
    lines = (ASSETS / f"idioms.{lang}.txt").read_text("utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    choice = "|".join(patterns).replace("<n>", f"[0-9{KANJI}]").replace("<k>", f"[{KANJI}]")
    start = f"(?<![0-9{KANJI}])" if lang == "ja" else ""
    return re.compile(f"{start}(?:{choice})", re.IGNORECASE)
