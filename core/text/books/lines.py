"""Plain texts and Markdown: lines, and how they become paragraphs and headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from core.text.books.blocks import BlockBuilder, is_break
from core.text.books.book import SHOWN, Block, BlockKind

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\n|\r|$)")
_ROMAN = "(?:[IVXLC]{1,8}|[ivxlc]{1,8})"
_NUMBER = rf"(?:\d{{1,4}}|{_ROMAN}|[A-Z][a-z]+(?:-[a-z]+)?)"
_KANJI = "[〇一二三四五六七八九十百千0-9０-９]{1,5}"
_TITLE = re.compile(
    rf"(?:(?:CHAPTER|Chapter|PART|Part|BOOK|Book|STORY|ADVENTURE|Adventure|Kapitel|Chapitre)\s+{_NUMBER}\b.{{0,70}}"
    rf"|{_ROMAN}(?:[.:]\s+[A-Z].{{0,60}}|\.)?|(?:PROLOGUE|EPILOGUE|PREFACE|INTRODUCTION|Prologue|Epilogue)\b.{{0,40}}"
    rf"|第?\s*{_KANJI}\s*[章回部話編篇幕節](?!目|間)(?:[\s\u3000:：].{{0,40}})?|{_KANJI}|(?:序章|終章|プロローグ|エピローグ|あとがき)"
    r"|\d{1,3}\.?)"
)
_START = re.compile(r"\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG")
_END = re.compile(r"\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG|End of (?:the )?Project Gutenberg")
_FIELD = re.compile(r"(Title|Author|Translator|題名|著者|作者|訳者)\s*[:：]\s*(.+)")
_CONTENTS = re.compile(r"(?:TABLE OF )?CONTENTS\.?|Contents|Table of Contents|目\s*次", re.ASCII)
_NOTE = re.compile(r"\[(?:Footnote|Illustration|Note|Transcriber|Translator)|［(?:訳注|注)|（訳注")
_PAGE = re.compile(r"[\[{(](?:p|pg|page)\.? ?\d{1,4}[\])}]|- ?\d{1,4} ?-", re.IGNORECASE)
_JAPANESE = re.compile("[\u3041-\u30ff\u4e00-\u9fff]")


def placed_lines(text: str) -> Iterator[tuple[str, int]]:
    """The lines of a text without their ends, each with its place."""
    for found in _LINE.finditer(text):
        if found.end() > found.start():
            yield found[1], found.start()


def is_title(line: str) -> bool:
    """Whether a line that stands alone numbers a chapter: `CHAPTER II. The Moor`, 第三章, 二, `IV`."""
    return bool(_TITLE.fullmatch(line.strip()))


def read_plain(text: str) -> tuple[list[Block], str, str]:
    """The blocks, the title and the author of a plain text.

    Lines that empty lines set apart are one paragraph where they were broken at a width; otherwise each line
    is one. Title and author are read where they are named as in Project Gutenberg's files.
    """
    groups = list(_groups(placed_lines(text)))
    wrapped = _is_wrapped(groups)
    named: dict[str, str] = {}
    blocks: list[Block] = []
    builder = BlockBuilder()
    state: BlockKind = "text"
    if any(_START.search(line) for group in groups for line, _ in group):
        state = "colophon"
    for group in groups:
        for line, _ in group:
            found = _FIELD.match(line)
            if found and state == "colophon":
                named.setdefault(found[1], found[2].strip())
        whole = " ".join(line for line, _ in group)
        if _END.search(whole):
            state = "colophon"
        for lines in [group] if wrapped and not _is_verse(group) else [[one] for one in group]:
            _join(builder, lines)
            block = builder.finish(*_kind(lines, state, alone=len(group) == 1, wrapped=wrapped))
            if block is not None:
                blocks.append(block)
        if _START.search(whole):
            state = "text"
    title = named.get("Title", named.get("題名", ""))
    return _without_contents(blocks), title, named.get("Author", named.get("著者", named.get("作者", "")))


def _groups(lines: Iterator[tuple[str, int]]) -> Iterator[list[tuple[str, int]]]:
    group: list[tuple[str, int]] = []
    for line, at in lines:
        if line.strip():
            group.append((line, at))
        elif group:
            yield group
            group = []
    if group:
        yield group


def _is_wrapped(groups: Sequence[Sequence[tuple[str, int]]]) -> bool:
    """Whether the lines of Latin text were broken at a width of 40 to 100 characters."""
    inner = [len(line) for group in groups for (line, _), _ in pairwise(group)]
    letters = "".join(line for group in groups[:200] for line, _ in group)
    if not inner or len(_JAPANESE.findall(letters)) > len(letters) / 10:
        return False
    return 40 <= median(inner) <= 100 and max(inner) <= 140


def _is_verse(group: Sequence[tuple[str, int]]) -> bool:
    """Whether the lines of a group are verse: set in, and none as long as prose."""
    return len(group) > 1 and all(line.startswith("  ") and len(line.strip()) < 60 for line, _ in group)


def _kind(
    lines: Sequence[tuple[str, int]], state: BlockKind, *, alone: bool, wrapped: bool
) -> tuple[BlockKind, int]:
    text = " ".join(line.strip() for line, _ in lines)
    if state == "colophon":
        return "colophon", 0
    if alone and len(lines) == 1 and _CONTENTS.fullmatch(text):
        return "contents", 0
    if _NOTE.match(text) or (len(lines) == 1 and _PAGE.fullmatch(text)):
        return "note", 0
    if alone and len(lines) == 1 and is_title(text):
        return "heading", 1
    verse = wrapped and len(lines) == 1 and not alone and lines[0][0].startswith("  ")
    return ("verse" if verse else "text"), 0


def _join(builder: BlockBuilder, lines: Sequence[tuple[str, int]]) -> None:
    for number, (line, at) in enumerate(lines):
        stripped = line.strip() if number else line.rstrip()
        if number:
            builder.add_instead(" ", at - 1)
        builder.add(stripped, at + line.index(stripped[:1]) if stripped else at)


def _without_contents(blocks: Sequence[Block]) -> list[Block]:
    """Headings that follow one another, and occur again further on, are a table of contents."""
    last = {block.text: number for number, block in enumerate(blocks) if block.kind == "heading"}
    found: list[Block] = []
    for number, block in enumerate(blocks):
        again = block.kind == "heading" and last[block.text] > number
        beside = [blocks[place].kind for place in (number - 1, number + 1) if 0 <= place < len(blocks)]
        listed = again and ("heading" in beside or "contents" in beside)
        listed |= block.kind in SHOWN and bool(found) and found[-1].kind == "contents" and _lists(block.text)
        found.append(replace(block, kind="contents", level=0) if listed else block)
    return found


def _lists(text: str) -> bool:
    """Whether a paragraph looks like entries of a table of contents: short, and no sentence."""
    return len(text) < 60 and text[-1] not in '。．.!?！？」』”"…:：、,'


_HASHES = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*$")
_UNDER = re.compile(r"[ ]{0,3}(=+|-+)[ \t]*$")
_FOOT = re.compile(r"\[\^[^\]]+\]:")
_MARKS = re.compile(
    r"\\([!-/:-@\[-`{-~])|\[\^[^\]]+\]|!\[[^\]]*\]\([^)]*\)|\[([^\]]*)\]\([^)]*\)|<!--.*?-->|(\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|`+)",
    re.DOTALL,
)


def read_markdown(text: str) -> list[Block]:
    """The blocks of a Markdown text: headings, paragraphs, rules, quotations, footnotes.

    Emphasis, links and code marks go; the text that they mark stays.
    """
    builder = BlockBuilder()
    blocks: list[Block] = []

    def finish(kind: BlockKind = "text", level: int = 0) -> None:
        block = builder.finish(kind, level)
        if block is not None:
            blocks.append(block)

    for group in _groups(placed_lines(text)):
        foot = bool(_FOOT.match(group[0][0]))
        for number, (line, at) in enumerate(group):
            hashes = _HASHES.match(line)
            under = _UNDER.match(line)
            if hashes:
                finish()
                _inline(builder, hashes[2], at + hashes.start(2))
                finish("heading", len(hashes[1]))
            elif under and builder.length:
                finish("heading", 1 if "=" in under[1] else 2)
            elif is_break(line):
                finish()
                builder.add(line, at)
                finish("break")
            else:
                stripped = line.lstrip(" \t>")
                if number and builder.length:
                    builder.add_instead("" if _JAPANESE.match(stripped) else " ", at - 1)
                _inline(builder, stripped, at + len(line) - len(stripped))
                if line.endswith("  "):
                    builder.add_break(at + len(line))
        finish("note" if foot else "text")
    return blocks


def _inline(builder: BlockBuilder, text: str, at: int) -> None:
    last = 0
    for mark in _MARKS.finditer(text):
        builder.add(text[last : mark.start()], at + last)
        for group in (1, 2):
            if mark[group]:
                builder.add(mark[group], at + mark.start(group))
        last = mark.end()
    builder.add(text[last:], at + last)
