"""Test sets of WMT: XML (2021 to 2024) and JSON lines, one document a line (2025 and later).

JSON lines: doc_id, src_lang, tgt_lang, src_text, perhaps domain and refs {refA: {ref}}; a system: doc_id,
hypothesis. Paragraphs are separated by a blank line; each is a segment, and all texts of a document have
the same number of them. XML: documents with `src`, `ref` and `hyp`, whose segments correspond by id. The
first reference is the reference, further ones are systems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from core.errors import FileError, Listed, Wording
from db.formats.bundle import Bundle, ReadOptions, SegmentRow
from db.formats.cells import read_label, read_lang
from db.formats.draft import CampaignDraft, campaign_name, choose_pair
from db.formats.json_node import Node, read_json_lines
from db.formats.xml_tree import XmlNode, read_xml

_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r)[ \t\u3000]*(?:\r\n|\n|\r)")
_USED = frozenset({"doc_id", "domain", "src_lang", "tgt_lang", "src_text", "refs"})


def read_test_set_jsonl(path: Path, options: ReadOptions) -> Bundle:
    """Read a test set with the options' system files, or a folder with both. Raises FileError."""
    rows, systems = _files(path, options)
    pair = choose_pair(((row.text("src_lang"), row.text("tgt_lang")) for row in rows), options, path)
    reader = _JsonLinesReader(CampaignDraft(path))
    for row in rows:
        reader.add_document(row, wanted=(row.text("src_lang"), row.text("tgt_lang")) == pair)
    for name, hypotheses in systems:
        reader.add_system(name, hypotheses)
    reader.finish()
    unused = list(dict.fromkeys(field for row in rows for field in row.as_map() if field not in _USED))
    if unused:
        reader.draft.notes.append(
            Wording("These fields of the test set were left out: {fields}.", fields=", ".join(unused))
        )
    langs = read_lang(pair[0], rows[0]), read_lang(pair[1], rows[0])
    return reader.draft.bundle(campaign_name(path), options, langs)


def _files(path: Path, options: ReadOptions) -> tuple[list[Node], list[tuple[str, list[Node]]]]:
    """The rows of the test set and of each system, by name."""
    limit = options.limit_bytes
    told = [(name, read_json_lines(file, limit)) for name, file in options.hypotheses]
    if not path.is_dir():
        return read_json_lines(path, limit), told
    files = {file: read_json_lines(file, limit) for file in sorted(path.glob("*.jsonl*"))}
    tests = [file for file, rows in files.items() if "src_text" in rows[0].as_map()]
    if len(tests) != 1:
        found = Listed((file.name for file in tests), "and") or Wording("none")
        raise FileError(
            path, "must hold one .jsonl file with “src_text”, the test set, but holds {found}.", found=found
        )
    rest = [(file.name.split(".jsonl")[0], rows) for file, rows in files.items() if file != tests[0]]
    return files[tests[0]], rest + told


class _JsonLinesReader:
    """The documents so far."""

    def __init__(self, draft: CampaignDraft) -> None:
        self.draft = draft
        self._documents: dict[str, int] = {}
        self._other_pairs: set[str] = set()
        self._reference: str | None = None
        self._without_reference = 0

    def add_document(self, row: Node, *, wanted: bool) -> None:
        doc_id = row.need("doc_id")
        document = read_label(doc_id.as_text(), Wording("doc_id"), doc_id)
        if document in self._documents or document in self._other_pairs:
            raise doc_id.error(
                "the document “{document}” stands in an earlier line already.", document=document
            )
        if not wanted:
            self._other_pairs.add(document)
            return
        sources = _BLANK_LINE.split(row.text("src_text"))
        self._documents[document] = len(sources)
        refs = row.get("refs")
        texts = {
            name: self._paragraphs(document, entry.need("ref"))
            for name, entry in (refs.as_map() if refs else {}).items()
        }
        if self._reference is None and texts:
            self._reference = next(iter(texts))
        self._without_reference += self._reference not in texts
        references = texts.pop(self._reference or "", [""] * len(sources))
        for position, source in enumerate(sources):
            segment = SegmentRow(
                document, position, references[position], source or None, row.text("domain", "")
            )
            self.draft.add_segment(segment, row)
        for name, paragraphs in texts.items():
            self._add_texts(name, document, paragraphs, row)

    def add_system(self, name: str, rows: Iterable[Node]) -> None:
        seen: set[str] = set()
        for row in rows:
            doc_id = row.need("doc_id")
            document = doc_id.as_text()
            if document in seen:
                raise doc_id.error(
                    "the document “{document:.200}” stands in an earlier line already.", document=document
                )
            seen.add(document)
            if document in self._documents:
                hypothesis = row.need("hypothesis")
                self._add_texts(name, document, self._paragraphs(document, hypothesis), hypothesis)
            elif document not in self._other_pairs:
                raise doc_id.error(
                    "there is no document “{document:.200}” in the test set.", document=document
                )
        lacking = len(self._documents) - len(seen & self._documents.keys())
        if lacking:
            self.draft.notes.append(
                Wording(
                    "The system “{system}” has no translation of {lacking} of {total} documents.",
                    system=name,
                    lacking=lacking,
                    total=len(self._documents),
                )
            )

    def finish(self) -> None:
        """Note the documents that lack the reference that others have."""
        if self._reference is not None and self._without_reference:
            self.draft.notes.append(
                Wording(
                    "{lacking} of {total} documents have no “{reference}”.",
                    lacking=self._without_reference,
                    total=len(self._documents),
                    reference=self._reference,
                )
            )

    def _paragraphs(self, document: str, node: Node) -> list[str]:
        """The segments of a text; a text of nothing is an empty one for each."""
        needed, text = self._documents[document], node.as_text()
        if not text.strip():
            return [""] * needed
        paragraphs = _BLANK_LINE.split(text)
        if len(paragraphs) != needed:
            raise node.error(
                "the document “{document}” has {n} paragraphs here and {needed} in its source.",
                document=document,
                n=len(paragraphs),
                needed=needed,
            )
        return paragraphs

    def _add_texts(self, name: str, document: str, paragraphs: list[str], where: Node) -> None:
        self.draft.add_system(name, where)
        for position, text in enumerate(paragraphs):
            self.draft.add_output((document, position), name, text, where)


def read_test_set_xml(path: Path, options: ReadOptions) -> Bundle:
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
    reader = _XmlReader(CampaignDraft(path), pair)
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


class _XmlReader:
    """The documents so far."""

    def __init__(self, draft: CampaignDraft, pair: tuple[str, str]) -> None:
        self.draft = draft
        self._target = pair[1]
        self._reference: str | None = None
        self._documents: dict[str, set[str]] = {}
        self._tags = 0

    def add_document(self, doc: XmlNode) -> None:
        document = read_label(doc.attribute("id"), Wording("document"), doc)
        if document in self._documents:
            raise doc.error("the document “{document}” stands in the file already.", document=document)
        sources = self._segments(_source(doc))
        texts: dict[str, dict[str, str]] = {}
        for node in doc.children("ref", "hyp"):
            if node.lang != self._target:
                continue
            name = _name(node)
            if name in texts:
                raise node.error(
                    "the document “{document}” has a translation by “{name}” already.",
                    document=document,
                    name=name,
                )
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
                self.draft.notes.append(
                    Wording(
                        "“{name}” has no translation of {lacking} of {total} documents.",
                        name=name,
                        lacking=lacking,
                        total=total,
                    )
                )
        if self._tags:
            self.draft.notes.append(
                Wording("{count} tags within segments were dropped; their text was kept.", count=self._tags)
            )

    def _segments(self, node: XmlNode) -> dict[str, str]:
        """The texts by the segments' ids, in their order."""
        found: dict[str, str] = {}
        for place, seg in enumerate(node.descendants("seg"), start=1):
            seg_id = seg.attribute("id", str(place))
            if seg_id in found:
                raise seg.error("the id “{seg_id:.40}” stands here already.", seg_id=seg_id)
            found[seg_id], tags = seg.content()
            self._tags += tags
        return found

    def _answering(self, node: XmlNode, sources: dict[str, str], name: str) -> dict[str, str]:
        texts = self._segments(node)
        for seg_id in [*texts, *sources]:
            if seg_id not in sources:
                raise node.error(
                    "“{name}” has a segment “{seg_id:.40}” that the source has not.", name=name, seg_id=seg_id
                )
            if seg_id not in texts:
                raise node.error("“{name}” has no segment “{seg_id:.40}”.", name=name, seg_id=seg_id)
        return texts


def _name(node: XmlNode) -> str:
    """The name of a system, or of a reference: `refA` for the translator A."""
    if node.name == "hyp":
        return read_label(node.attribute("system"), Wording("system"), node)
    translator = node.attribute("translator", "A")
    return translator if translator.startswith("ref") else f"ref{translator}"
