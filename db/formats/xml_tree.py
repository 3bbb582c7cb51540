"""XML from untrusted files: entities and document type definitions are refused, nothing is fetched."""

from __future__ import annotations

import xml.etree.ElementTree as ET  # nosec B405  # its types; defusedxml parses
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser, ParseError

from core.errors import FileError, Wording, one_line
from core.text.files import read_text
from core.text.limits import ELEMENTS, MOST_ELEMENTS, too_many
from db.formats.cells import quoted

_DEPTH = 64
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


class _Element(ET.Element):
    """An element that knows its line."""

    line = 0


class _Builder(ET.TreeBuilder):
    """Builds the tree; the parser tells where it is."""

    def __init__(self, path: Path) -> None:
        super().__init__(element_factory=_Element)
        self._path = path
        self._depth = 0
        self._count = 0
        self.expat: Any = None

    def start(self, tag: str, attrs: dict[str, str], /) -> ET.Element:
        element = super().start(tag, attrs)
        element.line = self.expat.CurrentLineNumber  # type: ignore[attr-defined]
        self._depth += 1
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise too_many(self._path, ELEMENTS, MOST_ELEMENTS, self.expat.CurrentLineNumber)
        if self._depth > _DEPTH:
            raise FileError(self._path, "is nested too deeply.", line=self.expat.CurrentLineNumber)
        return element

    def end(self, tag: str, /) -> ET.Element:
        self._depth -= 1
        return super().end(tag)


@dataclass(frozen=True, slots=True)
class XmlNode:
    """An element of a file."""

    path: Path
    element: Any

    @property
    def name(self) -> str:
        """The name without its namespace."""
        return _local(self.element.tag)

    def error(self, problem: str, /, *, part: bool = False, **details: object) -> FileError:
        """An error about this element, with its line."""
        within = Wording("<{element}>", element=one_line(self.name))
        return FileError(
            self.path, problem, line=self.element.line, within=within, part=part, **quoted(details)
        )

    def attribute(self, name: str, default: str | None = None) -> str:
        """An attribute; it must be there unless there is a default. Raises FileError."""
        value = self.element.get(name, default)
        if value is None:
            raise self.error("has no attribute “{name}”.", name=name)
        return str(value)

    @property
    def lang(self) -> str:
        """What `xml:lang` or `lang` says; empty where neither is."""
        return str(self.element.get(_LANG) or self.element.get("lang") or "")

    def children(self, *names: str) -> list[XmlNode]:
        """The elements of these names directly within."""
        return [XmlNode(self.path, child) for child in self.element if _local(child.tag) in names]

    def child(self, name: str) -> XmlNode | None:
        """The first element of this name directly within."""
        return next(iter(self.children(name)), None)

    def descendants(self, *names: str) -> Iterator[XmlNode]:
        """The elements of these names within, at any depth, in their order."""
        for element in self.element.iter():
            if _local(element.tag) in names:
                yield XmlNode(self.path, element)

    def keeps_space(self) -> bool:
        """Whether the element says `xml:space="preserve"`."""
        return bool(self.element.get(_SPACE) == "preserve")

    def content(self, codes: Collection[str] = ()) -> tuple[str, int]:
        """The text within, without the tags, and how many tags were dropped.

        Elements named in `codes` hold the markup of another format: they are dropped with what is in them.
        """
        return _content(self.element, codes)


def read_xml(path: Path, limit_bytes: int, *roots: str) -> XmlNode:
    """The outermost element, which has one of the names `roots`. Raises FileError."""
    text = read_text(path, limit_bytes=limit_bytes)
    if not text.strip():
        raise FileError(path, "is empty.")
    builder = _Builder(path)
    parser = DefusedXMLParser(target=builder, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    builder.expat = parser.parser

    def refuse_declarations(name: str, system: str | None, public: str | None, own: bool) -> None:
        if own:
            raise FileError(
                path,
                "declares a document type or entities of its own; remove the part in [ ] after DOCTYPE.",
                line=parser.parser.CurrentLineNumber,
            )

    parser.parser.StartDoctypeDeclHandler = refuse_declarations
    try:
        parser.feed(text)
        root = XmlNode(path, parser.close())
    except ParseError as error:
        reason = str(error).split(":", 1)[0]
        raise FileError(
            path, "is not well-formed XML ({reason}).", line=error.position[0], reason=reason
        ) from error
    except DefusedXmlException as error:
        raise FileError(path, "uses an entity, which is refused; write the text itself.") from error
    if root.name not in roots:
        raise root.error("is not what the file should begin with; that is <{root}>.", root=roots[0])
    return root


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _is_break(element: ET.Element) -> bool:
    """Whether an inline element is a line break: <br/>, <lb/>, <x ctype="lb"/>, <ph type="lb"/>."""
    kinds = {element.get(name, "") for name in ("ctype", "type", "subType")}
    return _local(element.tag) in ("br", "lb") or any(
        kind.rpartition(":")[2] in ("lb", "br") for kind in kinds
    )


def _content(element: ET.Element, codes: Collection[str]) -> tuple[str, int]:
    parts, tags = [element.text or ""], 0
    for child in element:
        tags += 1
        if _is_break(child):
            parts.append(" ")
        elif _local(child.tag) not in codes:
            inner, more = _content(child, codes)
            parts.append(inner)
            tags += more
        parts.append(child.tail or "")
    return "".join(parts), tags
