"""HTML and XHTML to blocks, with the parser of the standard library, which reads broken markup, too.

Readings (`rt`), page numbers, references to notes and scripts are no text. Notes, tables of contents and
colophons are told by `epub:type`, `role`, `class` and element. A line break within `p` stays in the text; in
the body itself, as in Aozora Bunko's XHTML, it ends a paragraph.
"""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser
from itertools import accumulate

from core.text.books.blocks import BlockBuilder
from core.text.books.book import Block, BlockKind

_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
_PARAGRAPHS = frozenset(
    ["p", "li", "dd", "dt", "td", "th", "blockquote", "pre", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6"]
)
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
_DROPPED = frozenset(
    ["script", "style", "head", "svg", "math", "template", "noscript", "iframe", "object", "rp"]
)
_CLASSES: tuple[tuple[BlockKind, re.Pattern[str]], ...] = (
    ("note", re.compile(r"(?:^|[\s_-])(?:foot|end|rear)?notes?(?=$|[\s_\d-])|translators?-?note|訳注", re.I)),
    ("contents", re.compile(r"(?:^|[\s_-])(?:toc|contents)(?=$|[\s_-])", re.I)),
    (
        "colophon",
        re.compile(r"colophon|copyright|imprint|bibliographical|boilerplate|pg-?(?:header|footer)", re.I),
    ),
    ("verse", re.compile(r"poem|poetry|verse|stanza", re.I)),
)
_TYPES: dict[str, BlockKind] = {
    "footnote": "note",
    "footnotes": "note",
    "endnote": "note",
    "endnotes": "note",
    "rearnote": "note",
    "rearnotes": "note",
    "note": "note",
    "toc": "contents",
    "landmarks": "contents",
    "page-list": "contents",
    "lot": "contents",
    "loi": "contents",
    "index": "contents",
    "colophon": "colophon",
    "copyright-page": "colophon",
    "imprint": "colophon",
    "titlepage": "colophon",
    "cover": "colophon",
}
_AOZORA_LEVELS = {"o-midashi": 1, "naka-midashi": 2, "ko-midashi": 3}
_HIDDEN = re.compile(r"pagebreak|page-?num|pagenum|noteref", re.I)


class BlockParser(HTMLParser):
    """Feed it one document, then read `blocks`, `title`, `marks` and `links`.

    marks: the number of blocks before each element with an id. links: of a navigation document, each link
    with its text. pictures: how many images there are.
    """

    def __init__(self, part: str, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.blocks: list[Block] = []
        self.title = ""
        self.marks: dict[str, int] = {}
        self.links: list[tuple[str, str]] = []
        self.pictures = 0
        self._part, self._source = part, text
        self._builder = BlockBuilder(part, collapse=True)
        self._stack: list[tuple[str, BlockKind | None, bool]] = []
        self._ruby: tuple[int, list[str]] | None = None
        self._reading = self._in_title = False
        self._starts = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self.feed(text)
        self.close()
        self._flush()

    def _at(self) -> int:
        line, column = self.getpos()
        return self._starts[line - 1] + column

    @property
    def _kind(self) -> BlockKind:
        kinds = [kind for _, kind, _ in self._stack if kind is not None]
        return next((kind for kind in kinds if kind != "verse"), kinds[-1] if kinds else "text")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open an element."""
        given = {name.lower(): value or "" for name, value in attrs}
        if tag in _BLOCKS:
            self._flush()
        for name in ("id", "name"):
            if name in given:
                self.marks.setdefault(given[name], len(self.blocks))
        if tag == "br":
            self._line_break()
        elif tag == "hr":
            self.blocks.append(Block(text="", kind="break", part=self._part, places=((0, self._at()),)))
        elif tag == "img":
            self.pictures += 1
            if "gaiji" in given.get("class", ""):
                self._builder.add_instead("〓", self._at())
        elif tag == "a" and "href" in given:
            self.links.append((given["href"], ""))
        if tag not in _VOID:
            self._open(tag, given)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element that is closed at once: `<p/>` is empty, `<br/>` is a break."""
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def _open(self, tag: str, given: dict[str, str]) -> None:
        types = f"{given.get('epub:type', '')} {given.get('role', '').replace('doc-', '')}".split()
        named = given.get("class", "") + " " + given.get("id", "")
        hidden = tag in _DROPPED or bool(_HIDDEN.search(" ".join([*types, given.get("class", "")])))
        hidden |= "hidden" in given and tag != "nav"
        kind: BlockKind | None = next((_TYPES[one] for one in types if one in _TYPES), None)
        if kind is None and (tag in _BLOCKS or tag == "span") and tag != "body":
            kind = next((kind for kind, pattern in _CLASSES if pattern.search(named)), None)
        level = next((number for name, number in _AOZORA_LEVELS.items() if name in named), 0)
        if re.fullmatch("h[1-6]", tag):
            level = level or int(tag[1])
        if tag == "nav":
            kind = "contents"
        if level:
            kind = kind if kind == "contents" else "heading"
            tag = f"{tag}:{level}"
        self._stack.append((tag, kind, hidden))
        self._in_title |= tag == "title"
        if tag == "ruby":
            self._ruby = self._builder.length, []
        elif tag == "rt":
            self._reading = True

    def handle_endtag(self, tag: str) -> None:
        """Close an element, and those within it that were left open."""
        self._in_title &= tag != "title"
        places = [n for n, (name, _, _) in enumerate(self._stack) if name.partition(":")[0] == tag]
        if tag in _BLOCKS:
            self._flush()
        if tag in ("rt", "ruby"):
            self._end_reading(tag)
        if places:
            del self._stack[places[-1] :]

    def _end_reading(self, tag: str) -> None:
        self._reading = False
        if self._ruby is None:
            return
        start, said = self._ruby
        if tag == "ruby" or said:
            self._builder.read(start, "".join(said))
            self._ruby = None if tag == "ruby" else (self._builder.length, [])

    def _line_break(self) -> None:
        if any(name.partition(":")[0] in _PARAGRAPHS for name, _, _ in self._stack) or self._kind == "verse":
            self._builder.add_break(self._at())
        else:
            self._flush()

    def handle_data(self, data: str) -> None:
        """Take text as it stands in the file."""
        self._text(data, None)

    def handle_entityref(self, name: str) -> None:
        """Take `&amp;`."""
        self._entity(f"&{name}")

    def handle_charref(self, name: str) -> None:
        """Take `&#12354;`."""
        self._entity(f"&#{name}")

    def _entity(self, written: str) -> None:
        """Take a character that is written by its name or number, which a semicolon need not end."""
        end = self._at() + len(written)
        written += ";" * (self._source[end : end + 1] == ";")
        meant = unescape(written)
        self._text(written, None if meant == written else meant)

    def _text(self, written: str, meant: str | None) -> None:
        text = written if meant is None else meant
        if self._in_title:
            self.title += text
        elif self._reading:
            if self._ruby is not None:
                self._ruby[1].append(text.strip())
        elif any(hidden for _, _, hidden in self._stack):
            return
        elif meant is None:
            self._builder.add(text, self._at())
        else:
            self._builder.add_instead(" " if meant == "\u00a0" else meant, self._at())
        if self.links and any(tag == "a" for tag, _, _ in self._stack):
            href, said = self.links[-1]
            self.links[-1] = href, said + text

    def _flush(self) -> None:
        levels = [tag.partition(":")[2] for tag, _, _ in self._stack]
        level = max((int(one) for one in levels if one.isdigit()), default=0)
        kind = self._kind
        block = self._builder.finish(kind, level if kind == "heading" else 0)
        if block is not None:
            self.blocks.append(block)
