"""Aozora Bunko's notation in a plain text: ruby, notes, headings, characters outside JIS, legend, colophon.

`《…》` is a reading, `｜` begins its base, `［＃…］` is a note, `［＃「一」は中見出し］` makes a heading
of what it names, `※［＃…、U+6A4B、…］` and `※［＃…、第3水準1-84-77、…］` are characters. The legend stands
between two lines of dashes; the colophon begins with `底本：`.
Source: https://www.aozora.gr.jp/annotation/.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.text.books.blocks import BlockBuilder
from core.text.books.book import Block, BlockKind
from core.text.books.lines import placed_lines
from core.text.japanese import read_ruby

_NOTE = re.compile(r"(※?)［＃((?:[^［］]|［[^［］]*］)*)］")
_CODE = re.compile(r"U\+([0-9A-Fa-f]{4,6})")
_CELL = re.compile(r"(?:第[34]水準)?([12])-(\d{1,2})-(\d{1,2})")
_HEADING = re.compile("(大|中|小)見出し")
_LEVELS = {"大": 1, "中": 2, "小": 3}
_RULE = re.compile("[-－―─]{10,}")
_COLOPHON = re.compile("(?:翻訳の)?底本[：:]")
_PAGE = re.compile("改ページ|改丁|改段|改見開き")
_SIGNS = re.compile(r"［＃[^］\n]*］|^底本[：:]|[\u3400-\u9fff々]《[\u3041-\u30ff]", re.MULTILINE)


def is_aozora(text: str) -> bool:
    """Whether the text uses the notation."""
    return len(_SIGNS.findall(text)) > 1


def read_aozora(text: str) -> tuple[list[Block], str, str]:
    """The blocks, the title and the author. Title and author are the lines before the first empty one."""
    lines = list(placed_lines(text))
    head = [line for line, _ in _until_empty(lines)][:4]
    title, author = (head[0].strip(), head[-1].strip() if len(head) > 1 else "") if head else ("", "")
    reader = _AozoraReader()
    for number, (line, at) in enumerate(lines):
        reader.read(line, at, front=number < len(head))
    return reader.blocks, _bare(title), _bare(author)


def _bare(line: str) -> str:
    return "".join(piece.shown for piece in read_ruby(_NOTE.sub("", line)))


def _until_empty(lines: list[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    for line, at in lines:
        if not line.strip() or _RULE.fullmatch(line.strip()):
            return
        yield line, at


class _AozoraReader:
    """Goes through the lines and knows where it is: in the legend, a heading, or the colophon."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._builder = BlockBuilder()
        self._state: BlockKind = "text"
        self._level = 0
        self._empty = 0

    def read(self, line: str, at: int, *, front: bool) -> None:
        """Take the next line. front: it belongs to title and author."""
        bare = line.strip()
        if _COLOPHON.match(bare):
            self._state = "colophon"
        if self._state != "colophon" and _RULE.fullmatch(bare):
            self._state = "text" if self._state == "legend" else "legend"
            return
        if not bare:
            self._empty += 1
            return
        if _PAGE.search(line):
            self.blocks.append(Block(text="", kind="break", places=((0, at),)))
        self._line(line, at, front=front)
        self._empty = 0

    def _line(self, line: str, at: int, *, front: bool) -> None:
        notes = list(_NOTE.finditer(line))
        level = self._level or next((_level(note[2]) for note in notes if _level(note[2])), 0)
        opened = [note for note in notes if _HEADING.search(note[2]) and "「" not in note[2]]
        if opened:
            self._level = 0 if "終わり" in opened[-1][2] else level
        for piece, place, replaced in _pieces(line, at):
            if replaced:
                self._builder.add_instead(piece, place)
            else:
                self._add(piece, place)
        kind: BlockKind = self._state
        if kind == "text":
            kind = "legend" if front else "heading" if level else "text"
        block = self._builder.finish(kind, level)
        if block is not None:
            self.blocks.append(block)

    def _add(self, text: str, at: int) -> None:
        for piece in read_ruby(text):
            start = self._builder.length
            self._builder.add(piece.shown, at + piece.start)
            if piece.reading:
                self._builder.read(start, piece.reading)


def _level(note: str) -> int:
    found = _HEADING.search(note)
    return _LEVELS[found[1]] if found and "終わり" not in note else 0


def _pieces(line: str, at: int) -> Iterator[tuple[str, int, bool]]:
    """The line without notes: text, its place in the file, and whether it stands for a note."""
    last = 0
    for note in _NOTE.finditer(line):
        yield line[last : note.start()], at + last, False
        if note[1]:
            yield _character(note[2]), at + note.start(), True
        last = note.end()
    yield line[last:], at + last, False


def _character(note: str) -> str:
    """The character that a note describes; 〓 where it cannot be told."""
    code = _CODE.search(note)
    if code and int(code[1], 16) < 0x110000:
        return chr(int(code[1], 16))
    cell = _CELL.search(note)
    if cell:
        plane, row, column = map(int, cell.groups())
        data = (b"\x8f" if plane == 2 else b"") + bytes([0xA0 + row & 0xFF, 0xA0 + column & 0xFF])
        try:
            return data.decode("euc_jis_2004")
        except UnicodeDecodeError:
            return "〓"
    return "〓"
