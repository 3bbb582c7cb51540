"""A whole campaign as JSON lines, complete: our own format, for archives and for moving to another machine.

The first line is the header: format, version, the campaign's settings and its systems. Each further line is
an object with one key for its kind: segment, output, check, practice, prefill (marks filled in beforehand),
item (what a rater was shown, and its position), rating, decision or document_score (every revision, in
order); of a reading study reading (a version of one reader), chunk (two of them beside each other),
page_visit, highlight and answer; glossary (a change of one of its entries); of comments coded by hand code
(one of the code book), coder and coding (what a coder gave a comment).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TextIO

from core.errors import FileError, InputError, RatingError, Wording
from core.raters.assignment import DEGRADED, OFFICIAL, REFERENCE, REPEAT, TARGET
from core.raters.own_scales import check_answers
from core.raters.practice import Expected, check_expected
from core.raters.protocols import PROTOCOLS, SOURCE, MarkedSpan, spans_to_json
from core.raters.protocols import TARGET as TARGET_SIDE
from core.text.files import read_text, split_lines
from core.text.limits import check_values
from db.design import Design, check_design, from_json, to_json
from db.formats.bundle import (
    IMPORTED,
    SEVERITIES,
    Bundle,
    CheckRow,
    DecisionRow,
    DocumentScoreRow,
    ItemRow,
    Key,
    Meta,
    OutputRow,
    PracticeRow,
    PrefillRow,
    ReadOptions,
    SegmentRow,
    SystemRow,
)
from db.formats.capabilities import identity
from db.formats.cells import read_instant, read_label, read_protocol, read_rater
from db.formats.coding_lines import CodingLines, coding_lines
from db.formats.glossary_lines import GlossaryLines, glossary_rows
from db.formats.json_node import JsonText, Node, check_header
from db.formats.reading_lines import ReadingLines, reading_rows
from db.formats.repeats import twice_note
from db.names import rater_key
from db.records import RatingRecord

_STATES = ("draft", "open", "closed")
_MOMENTS = ("deadline", "class_released_at", "released_at", "metrics_released_at")
_KINDS_OF: dict[str, tuple[type, ...]] = {
    "raters_per_item": (int, type(None)),
    "practice_pass": (int, type(None)),
    "practice_tries": (int, type(None)),
    "left_out": (list, tuple),
    "guesses": (list, tuple),
    "scales": (list, tuple),
    "parameters": (list, tuple),
}
_LANG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryHeader:
    """What the first line says."""

    name: str
    langs: tuple[str, str]
    meta: Meta
    systems: tuple[SystemRow, ...]


def read_header(node: Node, options: ReadOptions) -> HistoryHeader:
    """The campaign of the first line. Languages that the options tell go before its own."""
    langs = node.need("langs")
    if len(langs.as_list()) != 2 or not all(_LANG.fullmatch(one.as_text()) for one in langs.as_list()):
        raise langs.error("is not a source and a target language.")
    source, target = (one.as_text() for one in langs.as_list())
    systems: dict[str, SystemRow] = {}
    for one in node.need("systems").as_list():
        name = read_label(one.text("name"), Wording("system"), one)
        if name in systems:
            raise one.error("the system “{name}” stands there twice.", name=name)
        labels = (one.text(label, "") or None for label in ("label_en", "label_ja"))
        systems[name] = SystemRow(name, read_flag(one.get("is_reference")), *labels)
    return HistoryHeader(
        name=node.text("name"),
        langs=(options.source_lang or source, options.target_lang or target),
        meta=_meta(node),
        systems=tuple(systems.values()),
    )


def _design(node: Node) -> dict[str, object]:
    """The choices of a design, each of its type; one that is not known is kept as it is."""
    given = {key: one.value for key, one in node.as_map().items()}
    for key, usual in to_json(Design()).items():
        value = given.get(key, usual)
        kinds = _KINDS_OF.get(key, (float, int) if isinstance(usual, float) else (type(usual),))
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise node.need(key).error("is of another kind than a design has.")
    try:
        check_design(from_json(given), PROTOCOLS["adequacy"].name)
    except InputError as error:
        raise node.error(error.template, part=True, **error.details) from error
    return given


def read_flag(node: Node | None) -> bool:
    """True or false; false where there is nothing."""
    if node is not None and not isinstance(node.value, bool):
        raise node.error("is neither true nor false.")
    return node is not None and bool(node.value)


def _meta(node: Node) -> Meta:
    values: dict[str, object] = {}
    for field in fields(Meta):
        given = node.get(field.name)
        if given is None:
            continue
        if field.name == "seed":
            values["seed"] = read_whole(given, 2**31)
        elif field.name == "design":
            values["design"] = _design(given)
        elif field.name == "seal":
            values["seal"] = _seal(given)
        elif field.name == "keys":
            values["keys"] = {name: one.as_text() for name, one in given.as_map().items()}
        elif field.name in _MOMENTS:
            values[field.name] = read_instant(given.as_text(), given)
        elif field.name == "protocol":
            values["protocol"] = read_protocol(given.as_text(), given)
        else:
            values[field.name] = given.as_text()
    if values.get("state", "open") not in _STATES:
        raise node.need("state").error("is none of {states}.", states=", ".join(_STATES))
    return Meta(**values)  # type: ignore[arg-type]


def _seal(node: Node) -> dict[str, object]:
    """A seal as it was written: its commitment, and perhaps names and nonce."""
    found: dict[str, object] = {"commitment": node.need("commitment").as_text()}
    if node.get("names") is not None:
        found["names"] = {name: one.as_text() for name, one in node.need("names").as_map().items()}
        found["nonce"] = node.need("nonce").as_text()
    return found


def read_whole(node: Node, limit: int) -> int:
    """A whole number from 0, below the limit."""
    number = node.as_number()
    if not (number.is_integer() and 0 <= number < limit):
        raise node.error("is not a whole number from 0 upwards.")
    return int(number)


_KINDS = (TARGET, REPEAT, REFERENCE, DEGRADED)


class CampaignLines:
    """The lines so far; each must agree with those before it."""

    def __init__(self, header: HistoryHeader) -> None:
        self._header = header
        self._systems = {system.name for system in header.systems}
        self._segments: dict[Key, SegmentRow] = {}
        self._outputs: dict[tuple[Key, str], str] = {}
        self._checks: list[CheckRow] = []
        self._practice: dict[tuple[Key, str], PracticeRow] = {}
        self._prefills: dict[tuple[Key, str], PrefillRow] = {}
        self._decisions: list[DecisionRow] = []
        self._document_scores: list[DocumentScoreRow] = []
        self._items: dict[tuple[str, int], ItemRow] = {}
        self._shown: set[tuple[object, ...]] = set()
        self._ratings: dict[Hashable, list[RatingRecord]] = {}
        self._twice = 0
        self._raters: dict[str, str] = {}
        design = from_json(header.meta.design)
        self._scales = design.scales
        self._severities = tuple(one.name for one in design.errors.severities)
        self._read = ReadingLines(self._outputs)
        self._glossary = GlossaryLines()
        self._coding = CodingLines()

    def add(self, node: Node) -> None:
        """Add a line. Raises FileError."""
        adders = {
            "segment": self._add_segment,
            "output": self._add_output,
            "check": self._add_check,
            "practice": self._add_practice,
            "prefill": self._add_prefill,
            "item": self._add_item,
            "rating": self._add_rating,
            "decision": self._add_decision,
            "document_score": self._add_document_score,
            **self._read.adders(),
            **self._glossary.adders(),
            **self._coding.adders(),
        }
        kinds = list(node.as_map())
        if len(kinds) != 1 or kinds[0] not in adders:
            raise node.error("is not an object with one key of {adders}.", adders=", ".join(adders))
        adders[kinds[0]](node.need(kinds[0]))

    def bundle(self, path: Path) -> Bundle:
        """The whole campaign. Raises FileError when it holds no texts."""
        if not self._segments or not self._outputs:
            raise FileError(path, "has no segments or no translations; is it the whole file?")
        found = Bundle(
            name=self._header.name,
            langs=self._header.langs,
            systems=self._header.systems,
            segments=tuple(self._segments.values()),
            outputs=tuple(OutputRow(*where, text) for where, text in self._outputs.items()),
            ratings=tuple(rating for said in self._ratings.values() for rating in said),
            checks=tuple(dict.fromkeys(self._checks)),
            items=tuple(self._items.values()),
            practice=tuple(self._practice.values()),
            prefills=tuple(self._prefills.values()),
            decisions=tuple(dict.fromkeys(self._decisions)),
            document_scores=tuple(dict.fromkeys(self._document_scores)),
            readings=tuple(self._read.readings.values()),
            chunks=tuple(self._read.chunks.values()),
            visits=tuple(self._read.visits),
            highlights=tuple(self._read.highlights),
            answers=tuple(self._read.answers),
            glossary=tuple(self._glossary.changes),
            codes=tuple(self._coding.codes.values()),
            coders=tuple(self._coding.coders.values()),
            codings=tuple(self._coding.codings.values()),
            meta=self._header.meta,
            notes=twice_note(self._twice),
        )
        self._coding.check(found, path)
        return found

    def _add_segment(self, node: Node) -> None:
        document = read_label(node.text("document"), Wording("document"), node)
        row = SegmentRow(
            document,
            read_whole(node.need("position"), 10**9),
            node.text("reference", ""),
            node.text("source", "") or None,
            node.text("domain", ""),
            node.text("external_id", ""),
        )
        if self._segments.setdefault(row.key, row) != row:
            raise node.error("is another text than this segment had before.")

    def _add_output(self, node: Node) -> None:
        key, system = self._segment(node), node.text("system")
        if system not in self._systems:
            raise node.need("system").error("“{system:.80}” is not in the header.", system=system)
        text = node.text("text")
        if self._outputs.setdefault((key, system), text) != text:
            raise node.error("is another text than this translation had before.")

    def _add_check(self, node: Node) -> None:
        key, system = self._where(node)
        kind = self._kind(node)
        if kind not in (REPEAT, DEGRADED):
            raise node.need("kind").error(
                "“{kind}” is neither {repeat} nor {degraded}.", kind=kind, repeat=REPEAT, degraded=DEGRADED
            )
        self._checks.append(CheckRow(key, system, kind, node.text("text"), node.text("rule", IMPORTED)))

    def _add_practice(self, node: Node) -> None:
        where = self._where(node)
        low, high, start, end = (node.get(name) for name in ("low", "high", "start", "end"))
        expected = Expected(
            low=None if low is None else low.as_number(),
            high=None if high is None else high.as_number(),
            start=None if start is None else read_whole(start, 10**9),
            end=None if end is None else read_whole(end, 10**9),
            severity=node.text("severity", ""),
            clean=read_flag(node.get("clean")),
        )
        try:
            check_expected(expected, length=len(self._outputs[where]))
        except InputError as error:
            raise node.error(error.template, part=True, **error.details) from error
        row = PracticeRow(*where, expected, node.text("feedback_en", ""), node.text("feedback_ja", ""))
        if self._practice.setdefault(where, row) != row:
            raise node.error("is another answer than was expected for this translation before.")

    def _add_prefill(self, node: Node) -> None:
        where = self._where(node)
        spans = tuple(read_span(one, self._severities) for one in node.need("spans").as_list())
        filled = read_instant(node.text("filled_at", ""), node)
        self._prefills[where] = PrefillRow(*where, node.text("origin", ""), spans, filled)

    def _add_decision(self, node: Node) -> None:
        score, spans, rater = node.get("score"), node.get("spans"), node.text("rater", "")
        self._decisions.append(
            DecisionRow(
                *self._where(node),
                self._rater(node) if rater else "",
                None if score is None else score.as_number() + 0.0,
                None if spans is None else tuple(read_span(one, self._severities) for one in spans.as_list()),
                node.text("comment", ""),
                read_instant(node.text("decided_at", ""), node),
            )
        )

    def _add_document_score(self, node: Node) -> None:
        document, system = node.text("document"), node.text("system")
        if system not in self._systems or all(key[0] != document for key in self._segments):
            raise node.error(
                "“{document:.80}” in “{system:.80}” is not a document of earlier lines.",
                document=document,
                system=system,
            )
        score = node.need("score").as_number() + 0.0
        given = read_instant(node.text("rated_at", ""), node)
        self._document_scores.append(DocumentScoreRow(document, system, self._rater(node), score, given))

    def _add_item(self, node: Node) -> None:
        key, system = self._where(node)
        place = read_whole(node.need("place"), 2**31)
        rater, kind = self._rater(node), self._kind(node)
        item = ItemRow(rater, key, system, place, kind, node.text("mark", OFFICIAL), node.text("rule", ""))
        who = rater_key(rater)
        if self._items.get((who, place)) == item:
            return
        shown = (who, key, system, kind)
        if (who, place) in self._items or shown in self._shown:
            raise node.error("is a second item at this place, or of this text for this rater.")
        self._items[who, place] = item
        self._shown.add(shown)

    def _add_rating(self, node: Node) -> None:
        key, system = self._where(node)
        score, seconds, reason = node.get("score"), node.get("seconds"), node.get("skipped_reason")
        edited = node.get("edited")
        spans = node.get("spans")
        if score is not None and not 0 <= score.as_number() <= 100:
            raise score.error("is not a number from 0 to 100.")
        if seconds is not None and seconds.as_number() < 0:
            raise seconds.error("is not a number of seconds.")
        if (score is None and spans is None) == (reason is None) or None not in (score, reason):
            raise node.error("is neither a score, marked errors, nor a skip, or more than one may be.")
        rating = RatingRecord(
            key,
            system,
            self._rater(node),
            None if score is None else score.as_number() + 0.0,
            node.text("comment", ""),
            node.text("mark", OFFICIAL),
            None if seconds is None else seconds.as_number(),
            read_instant(node.text("rated_at", ""), node),
            None if spans is None else tuple(read_span(one, self._severities) for one in spans.as_list()),
            self._kind(node),
            None if reason is None else reason.as_text(),
            edited=None if edited is None else edited.as_text(),
            scales=self._answers(node, skipped=reason is not None),
        )
        self._append(rating, node)

    def _answers(self, node: Node, *, skipped: bool) -> tuple[tuple[str, float], ...]:
        """Answers on own scales; those on a scale that the header declares must lie on it."""
        given = node.get("scales")
        if given is None:
            return ()
        answers = {name: one.as_number() + 0.0 for name, one in given.as_map().items()}
        if skipped:
            raise given.error("stands beside a skip, which answers nothing.")
        known = {scale.name for scale in self._scales}
        try:
            found = {name: answers[name] for name in answers if name in known}
            check_answers(self._scales, found, complete=False)
        except RatingError as error:
            raise given.error(error.template, part=True, **error.details) from error
        return tuple(answers.items())

    def _append(self, rating: RatingRecord, node: Node) -> None:
        """Add the next revision of its judgement, or count one that is there already."""
        given = node.get("revision")
        revision = 1 if given is None else read_whole(given, 2**31)
        said = self._ratings.setdefault(identity(rating), [])
        if revision == len(said) + 1:
            said.append(rating)
        elif 1 <= revision <= len(said) and said[revision - 1] == rating:
            self._twice += 1
        else:
            raise node.error(
                "is revision {revision} of what has {n} revisions so far.", revision=revision, n=len(said)
            )

    def _rater(self, node: Node) -> str:
        name = node.text("rater")
        return self._raters.get(name) or self._raters.setdefault(name, read_rater(name, node))

    def _kind(self, node: Node) -> str:
        kind = node.text("kind", TARGET)
        if kind not in _KINDS:
            raise node.need("kind").error(
                "“{kind:.40}” is none of {kinds}.", kind=kind, kinds=", ".join(_KINDS)
            )
        return kind

    def _segment(self, node: Node) -> Key:
        key = node.text("document"), read_whole(node.need("position"), 10**9)
        if key not in self._segments:
            raise node.error(
                "“{document:.80}”, position {position}, is not a segment of an earlier line.",
                document=key[0],
                position=key[1],
            )
        return key

    def _where(self, node: Node) -> tuple[Key, str]:
        where = self._segment(node), node.text("system")
        if where not in self._outputs:
            raise node.error(
                "“{system:.80}” has no translation of this segment in an earlier line.", system=where[1]
            )
        return where


def read_span(node: Node, own: Collection[str] = ()) -> MarkedSpan:
    """A span as `spans_to_json` writes it. own: severities of the campaign's own."""
    severity, side = node.text("severity"), node.text("side", TARGET_SIDE)
    if severity not in SEVERITIES and severity not in own:
        raise node.need("severity").error(
            "“{severity:.40}” is none of {severities}.",
            severity=severity,
            severities=", ".join((*SEVERITIES, *own)),
        )
    if side not in (TARGET_SIDE, SOURCE):
        raise node.need("side").error("is neither target nor source.")
    start, end = read_whole(node.need("start"), 10**9), read_whole(node.need("end"), 10**9)
    if end < start:
        raise node.need("end").error("lies before start.")
    missing = read_flag(node.get("missing"))
    return MarkedSpan(start, end, severity, node.text("category", ""), side, missing, node.text("note", ""))


NAME, VERSION = "yomikurabe-history", 1
_DEFAULTS = asdict(RatingRecord(("", 0), "", "", None))


def write(bundle: Bundle, file: TextIO, path: Path) -> None:
    """Write a file. What has its usual value is left out of a line."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    file.write(encode(_header(bundle)) + "\n")
    for what, row in _rows(bundle):
        file.write(encode({what: row}) + "\n")


def read(path: Path, options: ReadOptions) -> Bundle:
    """Read a file. Raises FileError."""
    text = read_text(path, limit_bytes=options.limit_bytes)
    check_values(path, text)
    lines = split_lines(text)
    nodes = (JsonText(path, line, n).root() for n, line in enumerate(lines, start=1) if line.strip())
    first = next(nodes, None)
    if first is None:
        raise FileError(path, "is empty.")
    check_header(first, NAME, VERSION, Wording("a history"))
    campaign = CampaignLines(read_header(first.need("campaign"), options))
    for node in nodes:
        if node.value != first.value:  # it is the header again where a file was put behind itself
            campaign.add(node)
    return campaign.bundle(path)


def _header(bundle: Bundle) -> dict[str, Any]:
    meta = {name: value for name, value in asdict(bundle.meta).items() if value != getattr(Meta(), name)}
    for name in _MOMENTS:
        if name in meta:
            meta[name] = meta[name].isoformat()
    systems = [{name: value for name, value in asdict(row).items() if value} for row in bundle.systems]
    campaign = {"name": bundle.name, "langs": list(bundle.langs), **meta, "systems": systems}
    return {"format": NAME, "version": VERSION, "campaign": campaign}


def _rows(bundle: Bundle) -> Iterator[tuple[str, dict[str, Any]]]:
    for segment in bundle.segments:
        yield "segment", {name: value for name, value in asdict(segment).items() if value not in ("", None)}
    for output in bundle.outputs:
        yield "output", {**_where(output), "text": output.text}
    for check in bundle.checks:
        yield "check", {**_where(check), "kind": check.kind, "rule": check.rule, "text": check.text}
    for one in bundle.practice:
        yield "practice", {**_where(one), **_practice(one)}
    for prefill in bundle.prefills:
        given = {"filled_at": prefill.filled_at.isoformat()} if prefill.filled_at else {}
        marks = spans_to_json(prefill.spans)
        yield "prefill", {**_where(prefill), "origin": prefill.origin, **given, "spans": marks}
    for item in bundle.items:
        row = {**_where(item), "rater": item.rater, "place": item.place, "kind": item.kind}
        yield "item", {**row, "mark": item.mark, **({"rule": item.rule} if item.rule else {})}
    revisions: Counter[Hashable] = Counter()
    for rating in bundle.ratings:
        judgement = identity(rating)
        revisions[judgement] += 1
        yield "rating", _rating(rating, revisions[judgement])
    for decision in bundle.decisions:
        yield "decision", _decision(decision)
    for whole in bundle.document_scores:
        given = {"rated_at": whole.rated_at.isoformat()} if whole.rated_at else {}
        place = {"document": whole.document, "system": whole.system, "rater": whole.rater}
        yield "document_score", {**place, "score": whole.score, **given}
    yield from reading_rows(bundle)
    yield from glossary_rows(bundle)
    yield from coding_lines(bundle)


def _decision(row: DecisionRow) -> dict[str, Any]:
    told: dict[str, Any] = {"rater": row.rater, "score": row.score, "comment": row.comment}
    if row.spans is not None:
        told["spans"] = spans_to_json(row.spans)
    if row.decided_at is not None:
        told["decided_at"] = row.decided_at.isoformat()
    return {**_where(row), **{name: value for name, value in told.items() if value not in ("", None)}}


def _practice(row: PracticeRow) -> dict[str, Any]:
    """What is expected and said, without what has its usual value; a score of 0 is none of that."""
    told = {**asdict(row.expected), "feedback_en": row.feedback_en, "feedback_ja": row.feedback_ja}
    return {name: value for name, value in told.items() if value not in (None, "") and value is not False}


_Placed = OutputRow | CheckRow | PracticeRow | PrefillRow | ItemRow | RatingRecord | DecisionRow


def _where(row: _Placed) -> dict[str, Any]:
    return {"document": row.key[0], "position": row.key[1], "system": row.system}


def _rating(rating: RatingRecord, revision: int) -> dict[str, Any]:
    row = {**_where(rating), "rater": rating.rater}
    for name in ("score", "comment", "mark", "seconds", "kind", "skipped_reason", "edited"):
        value = getattr(rating, name)
        if value != _DEFAULTS[name]:
            row[name] = value
    if revision > 1:
        row["revision"] = revision
    if rating.rated_at is not None:
        row["rated_at"] = rating.rated_at.isoformat()
    if rating.spans is not None:
        row["spans"] = spans_to_json(rating.spans)
    if rating.scales:
        row["scales"] = dict(rating.scales)
    return row
