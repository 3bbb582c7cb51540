"""Damaged versions of a campaign's translations by meaning-aware rules: what attention checks show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from rapidfuzz.distance import Indel, Levenshtein
from sqlalchemy import Engine

from core.backends import Backends, Progress, silent
from core.errors import OptionError
from core.hacks import EDITS, EditInput, Skipped, edit
from core.text.languages import base_lang
from db.permissions import Viewer
from db.queries import get_campaign, list_translations
from db.records import TranslationRecord

RULES = ("flip-negation", "swap-arguments", "swap-names", "change-number", "drop-sentence", "splice")
"""The edits that a check may be made by: each breaks the meaning, and a reader who reads can see it."""
AT_ONCE = 64
LEAST_CHANGE = 0.01
"""The share of a text's characters that must change, or nobody can be expected to notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """A damaged translation. note: what was done; start, end: the changed place in the new text."""

    translation_id: int
    reference: str
    rule: str
    before: str
    after: str
    note: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DamagedTexts:
    """What was made, and how many candidates were refused.

    better: the change moved the text towards its reference or source, so it may have mended an error.
    small: it touched too small a share of the text.
    """

    texts: tuple[Damaged, ...]
    better: int
    small: int


def damage(
    engine: Engine,
    viewer: Viewer,
    campaign_id: int,
    rules: Sequence[str],
    backends: Backends,
    *,
    count: int,
    least: float = LEAST_CHANGE,
    progress: Progress = silent,
) -> DamagedTexts:
    """Up to `count` translations, each damaged by one of the rules; what no rule fits is passed over.

    The rules take turns, the translations come in an order that the campaign's seed fixes. least: the share
    of the characters, 0 to 1, that must change. A text that moved towards its reference or source is refused,
    for it may be better than before. Raises AccessError, and OptionError for an unknown rule.
    """
    viewer.must_manage()
    for rule in rules:
        if rule not in RULES:
            raise OptionError(
                "There is no rule {rule:.40}; choose among {rules}.", rule=rule, rules=", ".join(RULES)
            )
    campaign = get_campaign(engine, campaign_id)
    texts = [
        one for one in list_translations(engine, campaign_id) if not one.is_reference and one.text.strip()
    ]
    Random(f"{campaign.seed}:damage").shuffle(texts)  # nosec B311  # a seed
    found: list[Damaged] = []
    refused: Counter[str] = Counter()
    for start in range(0, len(texts), AT_ONCE):
        chunk = texts[start : start + AT_ONCE]
        for one, given in zip(chunk, _read(chunk, texts, campaign.target_lang, backends), strict=True):
            turn = len(found) % max(len(rules), 1)
            made = _damaged(one, given, [*rules[turn:], *rules[:turn]], campaign.seed, least, refused)
            found += [] if made is None else [made]
            progress(len(found), count)
            if len(found) == count:
                return DamagedTexts(texts=tuple(found), better=refused["better"], small=refused["small"])
    return DamagedTexts(texts=tuple(found), better=refused["better"], small=refused["small"])


def problem_of(one: TranslationRecord, after: str, least: float) -> str | None:
    """Why a damaged text is no check: `small`, `better`, or None where it is one.

    Likeness to the reference and the source is the share of characters in their longest common subsequence.
    """
    changed = Levenshtein.distance(one.text, after) / max(len(one.text), len(after), 1)
    if changed < least:
        return "small"
    for other in filter(None, (one.reference, one.source)):
        if Indel.normalized_similarity(after, other) > Indel.normalized_similarity(one.text, other):
            return "better"
    return None


def _damaged(
    one: TranslationRecord,
    given: EditInput,
    rules: Sequence[str],
    seed: int,
    least: float,
    refused: Counter[str],
) -> Damaged | None:
    """The translation by the first rule that fits and surely makes it worse; counts what was refused."""
    for rule in rules:
        done = edit(rule, given, seed)
        if isinstance(done, Skipped):
            continue
        problem = problem_of(one, done.text, least)
        if problem is not None:
            refused[problem] += 1
        else:
            return Damaged(
                translation_id=one.id,
                reference=one.reference,
                rule=rule,
                before=one.text,
                after=done.text,
                note=done.note,
                start=done.start,
                end=done.end,
            )
    return None


def _read(
    chunk: Sequence[TranslationRecord], texts: Sequence[TranslationRecord], lang: str, backends: Backends
) -> list[EditInput]:
    """The texts with their parses and words; `other` is another segment's text, for the splice."""
    base = base_lang(lang)
    written = [one.text for one in chunk]
    parses = backends.parser("auto").parse(written, lang=base, constituents=False)
    words = backends.reader("word").read(written, lang=base, entities=True)
    others = [next((two.text for two in texts if two.segment_id != one.segment_id), None) for one in chunk]
    return [
        EditInput(
            text=one.text,
            lang=base,
            source=one.source,
            reference=one.reference,
            other=other,
            parse=parse,
            words=read,
        )
        for one, other, parse, read in zip(chunk, others, parses, words, strict=True)
    ]


def rule_summary(rule: str, lang: str) -> str:
    """What a rule does, in a few words: `ja` or English."""
    return EDITS[rule].summary_ja if lang == "ja" else EDITS[rule].summary_en
