"""Test sets of WMT as XML (2021 to 2024): documents with `src`, `ref` and `hyp`, segments answering by id.

The first reference is the reference, further ones are systems.
"""

from __future__ import annotations

from pathlib import Path

from db.formats.bundle import Bundle, ReadOptions, SegmentRow
from db.formats.cells import read_label, read_lang
from db.formats.draft import Draft, campaign_name
from db.formats.pairs import choose_pair
from db.formats.xml_tree import XmlNode, read_xml


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    root = read_xml(path, options.limit_bytes, "dataset")
    documents = list(root.descendants("doc"))
    translated = [(_source(doc).lang, node.lang) for doc in documents for node in doc.children("ref", "hyp")]
    if not translated:
        raise root.error("has no <ref> or <hyp> in any <doc>.")
    for doc in documents:
        for node in doc.children("src", "ref", "hyp"):
            read_lang(node.lang, node)
    pair = choose_pair(translated, options, path)
    reader = _Reader(Draft(path), pair)
    for doc in documents:
        if _source(doc).lang == pair[0]:
            reader.add_document(doc)
    reader.finish()
    langs = read_lang(pair[0], root), read_lang(pair[1], root)
    return reader.draft.bundle(campaign_name(path), options, langs)


def _source(doc: XmlNode) -> XmlNode:
    source = doc.child("src")
    if source is None:
        raise doc.error("has no <src>.")
    return source


class _Reader:
    """The documents so far."""

    def __init__(self, draft: Draft, pair: tuple[str, str]) -> None:
        self.draft = draft
        self._target = pair[1]
        self._reference: str | None = None
        self._documents: dict[str, set[str]] = {}
        self._tags = 0

    def add_document(self, doc: XmlNode) -> None:
        document = read_label(doc.attribute("id"), "document", doc)
        if document in self._documents:
            raise doc.error(f"the document “{document}” stands in the file already.")
        sources = self._segments(_source(doc))
        texts: dict[str, dict[str, str]] = {}
        for node in doc.children("ref", "hyp"):
            if node.lang != self._target:
                continue
            name = _name(node)
            if name in texts:
                raise node.error(f"the document “{document}” has a translation by “{name}” already.")
            texts[name] = self._answering(node, sources, name)
            if self._reference is None and node.name == "ref":
                self._reference = name
        self._documents[document] = set(texts)
        references = texts.pop(self._reference or "", {})
        for position, (seg_id, source) in enumerate(sources.items()):
            segment = SegmentRow(
                document,
                position,
                references.get(seg_id, ""),
                source or None,
                doc.attribute("domain", ""),
                external_id=seg_id,
            )
            self.draft.add_segment(segment, doc)
            for name, segments in texts.items():
                self.draft.add_system(name, doc)
                self.draft.add_output(segment.key, name, segments[seg_id], doc)

    def finish(self) -> None:
        """Note what is not there for every document, and dropped tags."""
        total = len(self._documents)
        for name in [*([self._reference] if self._reference else []), *self.draft.systems]:
            lacking = total - sum(name in names for names in self._documents.values())
            if lacking:
                self.draft.notes.append(f"“{name}” has no translation of {lacking} of {total} documents.")
        if self._tags:
            self.draft.notes.append(f"{self._tags} tags within segments were dropped; their text was kept.")

    def _segments(self, node: XmlNode) -> dict[str, str]:
        """The texts by the segments' ids, in their order."""
        found: dict[str, str] = {}
        for place, seg in enumerate(node.descendants("seg"), start=1):
            seg_id = seg.attribute("id", str(place))
            if seg_id in found:
                raise seg.error(f"the id “{seg_id:.40}” stands here already.")
            found[seg_id], tags = seg.content()
            self._tags += tags
        return found

    def _answering(self, node: XmlNode, sources: dict[str, str], name: str) -> dict[str, str]:
        texts = self._segments(node)
        for seg_id in [*texts, *sources]:
            if seg_id not in sources:
                raise node.error(f"“{name}” has a segment “{seg_id:.40}” that the source has not.")
            if seg_id not in texts:
                raise node.error(f"“{name}” has no segment “{seg_id:.40}”.")
        return texts


def _name(node: XmlNode) -> str:
    """The name of a system, or of a reference: `refA` for the translator A."""
    if node.name == "hyp":
        return read_label(node.attribute("system"), "system", node)
    translator = node.attribute("translator", "A")
    return translator if translator.startswith("ref") else f"ref{translator}"
