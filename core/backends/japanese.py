"""Japanese words and their readings in context: SudachiPy as GiNZA's pipeline uses it, and pykakasi."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from core.text.japanese import NUMBER, common_form, hiragana, kanji_number, letters

BYTES_AT_ONCE = 40_000  # Sudachi reads up to 49,149 bytes of a text and 65,535 of its NFKC form
KANJI = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々〆ヶ]")
SENTENCE_ENDS = "。！？!?\n」』"
MARKS, BLANKS = "補助記号", "空白"


@dataclass(frozen=True, slots=True)
class Morpheme:
    """A word of Sudachi's longest cut (mode C). `reading` is in hiragana, empty where Sudachi knows none."""

    start: int
    end: int
    text: str
    reading: str


class Sudachi:
    """The analyser. Not safe for threads: its reader holds the lock."""

    def __init__(self) -> None:
        from sudachipy import Dictionary, SplitMode

        self._tokenizer: Any = Dictionary(dict="core").create(mode=SplitMode.C)

    def words(self, text: str) -> list[Morpheme]:
        """The words of a text of any length, blanks left out; offsets are code points of `text`.

        Where one character is several words to Sudachi (⑴, ㎨), it is one here, and without a reading.
        """
        found: list[Morpheme] = []
        for offset, piece in pieces(text):
            for one in self._tokenizer.tokenize(common_form(piece)):
                start, end = offset + one.begin(), offset + one.end()
                kind = one.part_of_speech()[0]
                if start < end and not (kind == BLANKS and text[start:end].isspace()):
                    reading = "" if kind == MARKS else self._reading(one)
                    found.append(Morpheme(start, end, text[start:end], reading))
                elif start == end and found and found[-1].end == end:
                    found[-1] = replace(found[-1], reading="")
        return found

    def _reading(self, one: Any) -> str:
        """Empty where the reading is only the surface again and holds more than kana."""
        surface = unicodedata.normalize("NFKC", one.surface())
        if NUMBER.fullmatch(surface):
            spelled = self._tokenizer.tokenize(kanji_number(surface))
            return hiragana("".join(part.reading_form() for part in spelled))
        reading = hiragana(one.reading_form())
        return "" if reading == hiragana(surface) and holds_kanji(surface) else reading


def holds_kanji(text: str) -> bool:
    """Whether there is anything that kana would not spell by itself."""
    return KANJI.search(text) is not None


def pieces(text: str, limit: int = BYTES_AT_ONCE) -> Iterator[tuple[int, str]]:
    """Cut a long text into pieces of at most `limit` bytes, at a sentence end or, without one, anywhere.

    Yields (offset in code points, piece); a text within the limit comes whole.
    """
    start, last_end, size = 0, 0, 0
    for at, char in enumerate(text):
        cost = _cost(char)
        if size + cost > limit:
            cut = last_end if last_end > start else at
            yield start, text[start:cut]
            start, size = cut, sum(map(_cost, text[cut:at]))
        size += cost
        if char in SENTENCE_ENDS:
            last_end = at + 1
    if start < len(text):
        yield start, text[start:]


@lru_cache(1 << 14)
def _cost(char: str) -> int:
    """Bytes of a character or of its NFKC form, whichever has more."""
    return max(len(form.encode()) for form in (char, unicodedata.normalize("NFKC", char)))


class Kakasi:
    """pykakasi, which drops what it does not know: here such a character keeps its surface form."""

    def __init__(self) -> None:
        import pykakasi

        self._kakasi: Any = pykakasi.kakasi()
        self.read = lru_cache(1 << 16)(self._read)

    def _read(self, word: str) -> str:
        """The word in hiragana; never empty for a word that is not."""
        common = common_form(unicodedata.normalize("NFKC", word))
        parts = self._kakasi.convert(common)
        if "".join(part["orig"] for part in parts) == common and all(part["hira"] for part in parts):
            return hiragana("".join(part["hira"] for part in parts))
        if len(common) > 1:
            return "".join(self.read(char) for char in common)
        return letters(common)
