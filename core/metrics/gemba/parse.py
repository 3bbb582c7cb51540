"""What a judge's reply says: errors with severity and category, or one number. Two readings of each.

`compatible` is the published parser to the letter, with its faults. `strict` takes headings and lists as
models really write them, and calls a reply unreadable that it cannot read: that is never a perfect score.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

SEVERITIES = ("critical", "major", "minor")
WEIGHTS = {"critical": 25, "major": 5, "minor": 1}
NON_TRANSLATION = "non-translation"
_HEADINGS = {
    "critical": "critical|致命的|重大|クリティカル",
    "major": "major|重度|主要|メジャー",
    "minor": "minor|軽微|軽度|マイナー",
}
_ANY = "|".join(_HEADINGS.values())
_HEADING = re.compile(
    rf"(?P<word>{_ANY})(?:[/・](?:{_ANY}))?[なの]?\s*(?:errors?|issues?|problems?|誤り|エラー|問題|ミス)?"
    r"\s*(?:\((?P<note>[^)\n]*)\))?\s*(?::|$)",
    re.IGNORECASE,
)
_INLINE = re.compile(
    rf"(?:^|(?<=[\s;,.。、|]))(?=(?:{_ANY})[なの]?\s*(?:errors?|issues?|誤り|エラー|問題)?\s*:)",
    re.IGNORECASE,
)
_MARKS = re.compile(r"^(?:[\s>#*_•・●○▪‣–—-]|[0-9]{1,2}[.)]\s)+|[\s*_]+$")
_NONE = re.compile(
    r"(?:(?:there (?:are|is|were) )?(?:no|none|n/?a|nil|zero|0)[- ]?(?:(?:critical|major|minor) )?"
    r"(?:errors?|issues?|problems?)?(?: (?:found|detected|identified))?"
    r"|(?:特に|該当)?(?:(?:誤り|エラー|誤訳|問題|該当)(?:は|が)?)?(?:なし|無し|ありません|ない)|[-–—]+)[.。]?",
    re.IGNORECASE,
)
_QUOTED = re.compile(
    r'"(?P<a>[^"\n]*)"|“(?P<b>[^”\n]*)”|「(?P<c>[^」\n]*)」|『(?P<d>[^』\n]*)』|«(?P<e>[^»\n]*)»|‘(?P<f>[^’\n]*)’'
    r"|`(?P<g>[^`\n]*)`|(?<!\w)'(?P<h>[^'\n]*)'(?!\w)"
)
_CATEGORIES = (
    "accuracy|fluency|style|terminology|locale(?: convention)?|non-translation|other|source(?: error)?|"
    "addition|omission|mistranslation|untranslated(?: text)?|grammar|spelling|punctuation|register|"
    "inconsistency|awkward|正確|流暢|文体|スタイル|用語|誤訳|訳抜け|脱落|省略|追加|付加|未訳|文法|表記|綴り|句読点|"
    "不自然|非翻訳|その他"
)
_WORD = r"[^\s\-–—:/\"“「『(]+"
_CATEGORY = re.compile(
    rf"(?:{_CATEGORIES})(?:[ぁ-ヶー一-龥]{{0,6}})(?:\s*/\s*{_WORD}(?:\s{_WORD}){{0,2}})?\s*(?:[-–—:(\"“「『']|$)",
    re.IGNORECASE,
)
_LIST = re.compile(r"\s*;\s*|[,、]\s*(?=[^\s\"“「]{1,40}(?:/[^\s\"“「-]{1,40})?\s*[-–—:]\s*[\"“「])")
_RUN = re.compile(r"-?\d[\d.,]*")
_SCALE = re.compile(
    r"(?<=\d)\s*/\s*100\b|\bout of 100\b|100点満点(?:中|で|の)?"
    r"|\b(?:from )?0\s*(?:-|–|to|から|~)\s*100(?:点)?",
    re.IGNORECASE,
)
_NARROW = {0xFF01 + place: 0x21 + place for place in range(94)} | {0x3000: 0x20}
"""Full-width letters and marks as ASCII, one for one, so that places stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MqmError:
    """One error that the judge marked. severity: critical, major or minor. category: as it was written.

    span: the words that were quoted, empty where none were. start, end: where these stand in the hypothesis,
    half-open code-point offsets, -1 where they do not stand there. line: the judge's own words.
    """

    severity: str
    category: str
    span: str
    start: int = -1
    end: int = -1
    line: str = ""


def penalty(faults: Sequence[MqmError], parse: str) -> float:
    """-min(25, 25 critical + 5 major + 1 minor), in [-25, 0]; `compatible` counts the first five only."""
    ordered = sorted(faults, key=lambda one: SEVERITIES.index(one.severity))
    counted = ordered[:5] if parse == "compatible" else ordered
    total = min(25, sum(WEIGHTS[one.severity] for one in counted))
    return float(-total)


def compatible_faults(reply: str) -> tuple[MqmError, ...]:
    """The published parser: exact headings, and under one every line is an error whatever it says."""
    faults: list[MqmError] = []
    severity = None
    for line in map(str.strip, reply.lower().split("\n")):
        if not line or "no-error" in line or "no error" in line:
            continue
        if line in ("critical:", "major:", "minor:"):
            severity = line[:-1]
        elif severity is not None:
            level = "critical" if NON_TRANSLATION in line else severity
            category, span = _parts(line)
            faults.append(MqmError(severity=level, category=category, span=span, line=line))
    return tuple(faults)


def strict_faults(reply: str) -> tuple[MqmError, ...] | None:
    """Every error of a reply, in its order; None where the reply cannot be read as a list of errors.

    Unreadable: no heading; only remarks under one; nothing under the last one, or a quotation that does not
    end there (the reply was cut); no error at all without all three headings or one plain `no-error`.
    """
    lines = list(_lines(reply))
    if len(lines) == 1 and _NONE.fullmatch(lines[0]) and lines[0].strip("-–—"):
        return ()
    sections = _sections(lines)
    if not sections or not sections[-1][1] or not _balanced(sections[-1][1][-1]):
        return None
    faults: list[MqmError] = []
    for severity, items in sections:
        marked = [fault for fault in (_fault(severity, item) for item in items) if fault is not None]
        if items and not marked and not any(_NONE.fullmatch(item) for item in items):
            return None
        faults += marked
    complete = {severity for severity, _ in sections} == set(SEVERITIES)
    return tuple(faults) if faults or complete else None


def placed(faults: Sequence[MqmError], hypothesis: str) -> tuple[MqmError, ...]:
    """The faults with the places of their spans, as the hypothesis spells them.

    A span that is quoted twice has the next place the second time.
    """
    taken: set[int] = set()
    result = []
    for fault in faults:
        start = _find(fault.span, hypothesis, taken)
        end = start + len(fault.span)
        taken.add(start)
        found = replace(fault, span=hypothesis[start:end], start=start, end=end) if start >= 0 else fault
        result.append(found)
    return tuple(result)


def compatible_number(reply: str) -> float | None:
    """The published reading: a reply with a single run of digits, 0–100; a sign is not seen."""
    numbers = re.findall(r"\d+", reply.replace("/100", ""))
    value = int(numbers[0]) if len(numbers) == 1 and len(numbers[0]) < 99 else 101
    return float(value) if value <= 100 else None


def strict_number(reply: str) -> float | None:
    """The one number of a reply, 0–100, decimals and full-width digits included; None for anything else."""
    plain = _SCALE.sub("", unicodedata.normalize("NFKC", reply).replace("−", "-"))
    runs = _RUN.findall(plain)
    found = re.fullmatch(r"(\d+(?:\.\d+)?)[.,]?", runs[0]) if len(runs) == 1 else None
    value = float(found[1]) if found else 101.0
    return value if value <= 100 else None


def _lines(reply: str) -> Iterator[str]:
    """Lines and headings of their own, without list marks, bold and fences."""
    for line in reply.translate(_NARROW).replace("**", "").replace("__", "").split("\n"):
        cuts = [found.start() for found in _INLINE.finditer(line) if _balanced(line[: found.start()])]
        for first, last in pairwise(sorted({0, *cuts, len(line)})):
            piece = line[first:last].strip(" |;,、\r\t")
            piece = piece if re.fullmatch("[-–—]+", piece) else _MARKS.sub("", piece)
            if piece and not piece.startswith("```"):
                yield piece


def _sections(lines: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Each heading's severity with the items under it; what stands before the first heading is left out."""
    words: list[str] = []
    under: list[list[str]] = []
    for line in lines:
        heading = _HEADING.match(line)
        rest = _MARKS.sub("", line[heading.end() :]) if heading else line
        if heading:
            words.append(heading["word"].lower())
            note = heading["note"] or ""
            under.append([note] if _NONE.fullmatch(note) else [])
        if words:
            under[-1] += [item for item in _LIST.split(rest.strip()) if item]
    return [(_severity(word, words), items) for word, items in zip(words, under, strict=True)]


def _severity(word: str, words: Sequence[str]) -> str:
    """What a heading stands for; 重大 is the second level where 致命的 is a heading too."""
    if word == "重大" and "致命的" in words:
        return "major"
    return next(name for name, spellings in _HEADINGS.items() if word in spellings.split("|"))


def _fault(severity: str, item: str) -> MqmError | None:
    """An error, if the item quotes something or is a category; else None: a remark or `no-error`."""
    category, span = _parts(item)
    if _NONE.fullmatch(item) or not (_CATEGORY.match(item) or (span and len(category) <= 40)):
        return None
    total = NON_TRANSLATION in item.lower() or "非翻訳" in item
    return MqmError(severity="critical" if total else severity, category=category, span=span, line=item)


def _parts(item: str) -> tuple[str, str]:
    """Category and quoted words of an item: `accuracy/addition - "cat"`."""
    quoted = _QUOTED.search(item)
    head = item[: quoted.start()] if quoted else re.split(r"\s[-–—]\s|:", item)[0]
    span = next((words for words in quoted.groups() if words is not None), "") if quoted else ""
    return head.strip(" -–—:：\t"), span


def _balanced(text: str) -> bool:
    return (
        text.count('"') % 2 == 0
        and text.count("「") == text.count("」")
        and text.count("“") == text.count("”")
    )


def _find(span: str, text: str, taken: set[int]) -> int:
    """The first free place of the words; letter case and width aside where they do not stand as written."""
    narrow = [one.translate(_NARROW) for one in (span, text)]
    lower = [one.lower() for one in narrow]
    for needle, hay in ((span, text), narrow, lower):
        if len(hay) != len(text) or len(needle) != len(span) or not needle.strip():
            continue
        at = hay.find(needle)
        while at >= 0 and at in taken:
            at = hay.find(needle, at + 1)
        if at >= 0:
            return at
    return -1
