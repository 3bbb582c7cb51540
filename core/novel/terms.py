"""How each system renders the terms of a glossary, as the cast list tells it of names.

Where the reference has a term, a form of it in the translation is its rendering. Where there is none, a word
that stands there and hardly elsewhere is: from `OFTEN` such segments on, and if Dice's coefficient of the
word with the segments that lack the term is `NEAR` or more. All forms of an entry are one rendering in the
consistency. Terms are found by their letters alone, so no model is read and every language has them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from core.metrics.documents.consistency import consistency_of
from core.novel.cast import NEAR, OFTEN, TERM, CastName, NameForm, SystemName, check_segments
from core.novel.glossary import GlossaryTerm

_WORD = re.compile(r"[ァ-ヺー・]{2,}|[一-龥々]{2,}|[^\W\d_ぁ-ゖァ-ヺー一-龥々]{3,}")
"""What can be a rendering: katakana and kanji in a row, words of other letters."""

_KANA = re.compile(r"[ァ-ヺー]")


def terms(
    glossary: Sequence[GlossaryTerm], references: Sequence[str], systems: Mapping[str, Sequence[str]]
) -> list[CastName]:
    """The terms that the reference has, the most frequent first.

    references: one text a segment. systems: translations of each, one a segment. Raises InputError for
    another number of segments.
    """
    check_segments(references, systems)
    finder = _Finder(glossary)
    places = [finder.forms(text) for text in references]
    own: list[dict[int, list[str]]] = [{} for _ in glossary]
    for segment, found in enumerate(places):
        for number, form in found:
            own[number].setdefault(segment, []).append(form)
    told = {name: _rendered(finder, own, references, texts) for name, texts in systems.items()}
    listed = [
        CastName(
            name=one.term,
            kind=TERM,
            forms=_forms(own[number]),
            systems={name: rows[number] for name, rows in told.items()},
        )
        for number, one in enumerate(glossary)
        if own[number]
    ]
    return sorted(listed, key=lambda one: (-sum(form.count for form in one.forms), one.name))


def with_terms(names: Sequence[CastName], found: Sequence[CastName]) -> tuple[CastName, ...]:
    """A cast list with terms, the most frequent first; a name that is in the glossary is there as a term."""
    forms = {form.form for one in found for form in one.forms}
    kept = [one for one in names if one.name not in forms]
    every = [*found, *kept]
    return tuple(sorted(every, key=lambda one: (-sum(form.count for form in one.forms), one.name)))


class _Finder:
    """Finds the forms of all terms in a text, the longest first."""

    def __init__(self, glossary: Sequence[GlossaryTerm]) -> None:
        self.glossary = glossary
        owners: dict[str, tuple[int, str]] = {}
        for number, one in enumerate(glossary):
            for form in one.every_form:
                owners.setdefault(form.casefold(), (number, form))
        self._owners = owners
        longest = sorted(owners, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest)) or r"(?!)", re.IGNORECASE)

    def forms(self, text: str) -> list[tuple[int, str]]:
        """The number of the term and its form, as the glossary spells it, of each place, in order."""
        found = []
        at = 0
        while match := self._pattern.search(text, at):
            at = match.end()
            owner = self._owners.get(match[0].casefold())
            if owner is None or not _whole(text, match.start(), match.end()):
                at = match.start() + 1
                continue
            found.append(owner)
        return found


def _whole(text: str, start: int, end: int) -> bool:
    """Whether a stretch is no part of a longer word in Latin or other spaced letters, or in katakana."""
    return not (_joined(text[start - 1 : start + 1] if start else "") or _joined(text[end - 1 : end + 1]))


def _joined(two: str) -> bool:
    if len(two) < 2:
        return False
    kana = all(_KANA.match(char) for char in two)
    spaced = all(char.isalnum() and not _unspaced(char) for char in two)
    return kana or spaced


def _unspaced(char: str) -> bool:
    """Whether a letter belongs to a script that is written without blanks."""
    return "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or char in "々ー"


def _rendered(
    finder: _Finder,
    own: Sequence[Mapping[int, Sequence[str]]],
    references: Sequence[str],
    texts: Sequence[str],
) -> list[SystemName]:
    """How a system renders each term."""
    taken: list[dict[int, list[str]]] = [defaultdict(list) for _ in own]
    for segment, text in enumerate(texts):
        for number, form in finder.forms(text):
            if segment in own[number]:
                taken[number][segment].append(form)
    _take_words(finder, own, taken, references, texts)
    rows = [_system_name(finder.glossary[number], own[number], taken[number]) for number in range(len(own))]
    return _with_mergers(finder.glossary, rows)


def _take_words(
    finder: _Finder,
    own: Sequence[Mapping[int, Sequence[str]]],
    taken: Sequence[dict[int, list[str]]],
    references: Sequence[str],
    texts: Sequence[str],
) -> None:
    """Give words that are in no entry to the term that they most often stand for."""
    lacks = [sorted(set(told) - set(found)) for told, found in zip(own, taken, strict=True)]
    wanted = {segment for listed in lacks for segment in listed}
    if not wanted:
        return
    listed = {form.casefold() for one in finder.glossary for form in one.every_form}
    words = [_words(text, listed) for text in texts]
    alone = Counter(word for found in words for word in found)
    together: Counter[tuple[int, str]] = Counter()
    for number, segments in enumerate(lacks):
        for segment in segments:
            told = references[segment]
            together.update((number, word) for word in words[segment] if word not in told)
    chosen: dict[str, int] = {}
    for (number, word), count in sorted(together.items(), key=lambda pair: (-pair[1], pair[0])):
        dice = 2 * count / (alone[word] + len(lacks[number]))
        if count >= OFTEN and dice >= NEAR:
            chosen.setdefault(word, number)
    for word, number in chosen.items():
        for segment in lacks[number]:
            if word in words[segment] and not taken[number].get(segment):
                count = min(texts[segment].count(word), len(own[number][segment]))
                taken[number][segment] = [word] * count


def _words(text: str, listed: set[str]) -> set[str]:
    return {word for word in _WORD.findall(text) if word.casefold() not in listed}


def _system_name(
    entry: GlossaryTerm, own: Mapping[int, Sequence[str]], taken: Mapping[int, Sequence[str]]
) -> SystemName:
    forms = _forms(taken)
    listed = tuple(form.form for form in forms if form.form in entry.every_form)
    groups = [listed, *((form.form,) for form in forms if form.form not in entry.every_form)]
    counts = {form.form: form.count for form in forms}
    kept = sorted(filter(None, groups), key=lambda one: -sum(counts[form] for form in one))
    return SystemName(
        renderings=forms,
        groups=tuple(kept),
        lost=tuple(sorted(own.keys() - {segment for segment, found in taken.items() if found})),
        consistency=consistency_of([sum(counts[form] for form in one) for one in kept]),
    )


def _with_mergers(glossary: Sequence[GlossaryTerm], rows: Sequence[SystemName]) -> list[SystemName]:
    """Name the other terms that a system renders with the same word."""
    owners: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        for form in row.renderings:
            owners[form.form].append(number)
    found = []
    for number, row in enumerate(rows):
        others = {other for form in row.renderings for other in owners[form.form]} - {number}
        found.append(
            SystemName(
                renderings=row.renderings,
                groups=row.groups,
                lost=row.lost,
                consistency=row.consistency,
                merged=tuple(sorted(glossary[other].term for other in others)),
            )
        )
    return found


def _forms(by_segment: Mapping[int, Sequence[str]]) -> tuple[NameForm, ...]:
    by_form: dict[str, list[int]] = defaultdict(list)
    for segment, forms in sorted(by_segment.items()):
        for form in forms:
            by_form[form].append(segment)
    order = sorted(by_form.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return tuple(NameForm(form=form, segments=tuple(segments)) for form, segments in order)
