"""The cast list: the persons and places of a reference, and how each system renders them over all segments.

Mentions are found in every text. The reference's mentions are grouped into names: a full name, and the forms
that are a part of it, differ by a title, or sound alike. In each segment in which the reference mentions a
name, a system's mention that agrees with it is its rendering; else a mention that is left over and is spelled
nearly alike, or that elsewhere stands where the name stands. A segment without one is a loss (a pronoun may
stand there).

The consistency of a name in a system is 1 - H / ln(n), with H the entropy of its n renderings by form: 1 for
one form throughout, 0 where every rendering is another form.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.backends import Backends, Progress, between, silent
from core.errors import InputError
from core.hacks.names import PERSON
from core.metrics.documents.consistency import consistency_of
from core.metrics.mteqa.names import agreement, name_keys
from core.novel.mentions import KINDS, Mention, check_language, mentions

NEAR = 0.5
"""From this agreement on a mention that is left over renders a name of its segment."""

OFTEN = 2
"""Segments in which an unlike mention must stand where the name stands to be its rendering."""


TERM = "term"
"""The kind of a term of a glossary (`core.novel.terms`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NameForm:
    """A form with the segments that it stands in, one entry a mention."""

    form: str
    segments: tuple[int, ...]

    @property
    def count(self) -> int:
        """Number of mentions."""
        return len(self.segments)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemName:
    """A name in a system's translations.

    renderings: by form, the most frequent first; forms that are the same name (a part, a title, a sound)
    are told apart, but count as one in the consistency. lost: segments without a rendering. drift: more
    than one rendering. merged: other names that this system renders with the same form. consistency: in
    [0, 1], None without a rendering.
    """

    renderings: tuple[NameForm, ...]
    groups: tuple[tuple[str, ...], ...]
    lost: tuple[int, ...]
    consistency: float | None
    merged: tuple[str, ...] = ()

    @property
    def drift(self) -> bool:
        """Whether there is more than one rendering that is not the same name."""
        return len(self.groups) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CastName:
    """A person or place of the reference. name: its longest form among the frequent ones."""

    name: str
    kind: str
    forms: tuple[NameForm, ...]
    systems: Mapping[str, SystemName]

    @property
    def segments(self) -> tuple[int, ...]:
        """The segments in which the reference mentions it, in order."""
        return tuple(sorted({segment for form in self.forms for segment in form.segments}))


@dataclass(slots=True)
class _Group:
    """The mentions of one name while names are gathered."""

    kind: str
    mentions: list[Mention] = field(default_factory=list)

    @property
    def forms(self) -> Counter[str]:
        return Counter(one.form for one in self.mentions)


CastList = tuple[CastName, ...]
"""A whole cast list."""


def cast(
    references: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    backends: Backends,
    *,
    lang: str,
    progress: Progress = silent,
) -> list[CastName]:
    """The cast list, the most frequent names first.

    references: one text a segment. systems: translations of each, one a segment. lang: of all these texts.
    progress: called with (done, total) texts.

    Raises InputError for another language than `LANGUAGES` and for other numbers of segments.
    """
    check_language(lang)
    check_segments(references, systems)
    parts = by_text(progress, references, systems)
    own = mentions(references, backends, lang=lang, progress=next(parts))
    theirs = {
        name: mentions(texts, backends, lang=lang, progress=next(parts)) for name, texts in systems.items()
    }
    return cast_of(own, theirs)


def cast_of(
    reference: Sequence[Sequence[Mention]], systems: Mapping[str, Sequence[Sequence[Mention]]]
) -> list[CastName]:
    """The cast list of texts whose mentions are known, one list a segment."""
    groups = _gathered(reference)
    found: list[dict[str, SystemName]] = [{} for _ in groups]
    for name, theirs in systems.items():
        for place, one in enumerate(_rendered(groups, theirs)):
            found[place][name] = one
    return [_cast_name(group, told) for group, told in zip(groups, found, strict=True)]


def system_consistency(names: Sequence[CastName], system: str, *, of_terms: bool = False) -> float | None:
    """The mean consistency of the names that a system renders twice or more, weighted by their renderings.

    In [0, 1]; None where no name is rendered twice. of_terms: of the terms of a glossary instead of names.
    """
    told = [one.systems[system] for one in names if (one.kind == TERM) == of_terms]
    counted = [
        (sum(form.count for form in one.renderings), one.consistency)
        for one in told
        if one.consistency is not None
    ]
    often = [(count, value) for count, value in counted if count > 1]
    total = sum(count for count, _ in often)
    return sum(count * value for count, value in often) / total if total else None


def cast_json(names: Sequence[CastName], places: Sequence[int | str]) -> dict[str, Any]:
    """A cast list as JSON-ready data. places: what each segment is called."""
    systems = list(names[0].systems) if names else []
    means = {"consistency": {system: system_consistency(names, system) for system in systems}}
    if any(one.kind == TERM for one in names):
        means["terms_consistency"] = {
            system: system_consistency(names, system, of_terms=True) for system in systems
        }
    return {
        "names": [
            {
                "name": one.name,
                "kind": one.kind,
                "forms": _forms_json(one.forms, places),
                "systems": {
                    name: {
                        "renderings": _forms_json(told.renderings, places),
                        "consistency": told.consistency,
                        "drift": told.drift,
                        "lost": [places[segment] for segment in told.lost],
                        "merged": list(told.merged),
                    }
                    for name, told in one.systems.items()
                },
            }
            for one in names
        ],
        **means,
    }


def _forms_json(forms: Sequence[NameForm], places: Sequence[int | str]) -> list[dict[str, Any]]:
    return [
        {"form": one.form, "count": one.count, "segments": [places[segment] for segment in one.segments]}
        for one in forms
    ]


def check_segments(references: Sequence[str], systems: Mapping[str, Sequence[str]]) -> None:
    """Raise InputError for a system with another number of segments than the reference."""
    for name, texts in systems.items():
        if len(texts) != len(references):
            raise InputError(
                "{name:.80} has {n} segments and the reference {expected}; give one for each.",
                name=name,
                n=len(texts),
                expected=len(references),
            )


def by_text(
    progress: Progress, references: Sequence[str], systems: Mapping[str, Sequence[str]]
) -> Iterator[Progress]:
    """A Progress for reading the reference, and one for each system, each counted in texts."""
    n, sides = len(references), 1 + len(systems)
    progress(0, sides * n)
    return (between(progress, side * n, (side + 1) * n, sides * n) for side in range(sides))


def _same(one: Mention, other: Mention) -> float:
    """How far two mentions agree, in [0, 1]."""
    if one.form == other.form:
        return 1.0
    person = PERSON in (one.kind, other.kind)
    return max(
        agreement(one.form, other.form, one.words, other.words, person=person),
        agreement(other.form, one.form, other.words, one.words, person=person),
    )


def _gathered(by_segment: Sequence[Sequence[Mention]]) -> list[_Group]:
    """Names of the reference. Long forms make names; a short form joins the most frequent name it fits."""
    by_form: dict[str, list[Mention]] = defaultdict(list)
    for own in by_segment:
        for one in own:
            by_form[one.form].append(one)
    order = sorted(
        by_form.values(),
        key=lambda own: (_initials(own[0].form), -_parts(own[0]), -len(own), own[0].form),
    )
    groups = _Groups()
    for own in order:
        fitting = [
            one
            for one in groups.candidates(own[0])
            if any(_same(own[0], known) == 1 for known in _examples(one))
        ]
        if _initials(own[0].form):  # they join a name only where no other fits
            fitting = fitting if len(fitting) == 1 else []
        if fitting and (_parts(own[0]) < 2 or _initials(own[0].form)):
            groups.join(max(fitting, key=lambda one: len(one.mentions)), own)
        elif exact := [one for one in fitting if _parts(one.mentions[0]) == _parts(own[0])]:
            groups.join(exact[0], own)
        else:
            groups.join(_Group(own[0].kind), own)
    for group in groups.every:
        group.kind = Counter(one.kind for one in group.mentions).most_common(1)[0][0]
    return sorted(groups.every, key=lambda one: (-len(one.mentions), one.mentions[0].form))


class _Groups:
    """Names by what a form must have in common with them to be one: of thousands only few are compared."""

    def __init__(self) -> None:
        self.every: list[_Group] = []
        self._places: dict[int, int] = {}
        self._by_key: dict[str, set[int]] = defaultdict(set)
        self._any: set[int] = set()

    def candidates(self, one: Mention) -> list[_Group]:
        """The names with which a mention can agree, in the order in which they came."""
        keys = name_keys(one.form, one.words)
        if keys.any:
            return self.every
        places = self._any.union(*(self._by_key[key] for key in keys.asked if key in self._by_key))
        return [self.every[place] for place in sorted(places)]

    def join(self, group: _Group, own: Sequence[Mention]) -> None:
        """Add the mentions of a form to a name, new or known."""
        if id(group) not in self._places:
            self._places[id(group)] = len(self.every)
            self.every.append(group)
        place = self._places[id(group)]
        group.mentions += own
        keys = name_keys(own[0].form, own[0].words)
        for key in keys.known:
            self._by_key[key].add(place)
        if keys.any:
            self._any.add(place)


def _parts(one: Mention) -> int:
    """Words of a name: シャーロック・ホームズ and Sherlock Holmes have two."""
    pieces = one.form.replace("・", " ").replace("＝", " ").split()
    return max(len(pieces), 1)


def _initials(form: str) -> bool:
    """Whether a form has a letter in the place of a name: it fits too many to say which it is."""
    return any(len(part.rstrip(".")) == 1 and part[0].isascii() for part in form.split())


def _examples(group: _Group) -> list[Mention]:
    """A mention of each form that tells the name from others."""
    told = {one.form: one for one in group.mentions}
    return [one for form, one in told.items() if not _initials(form)] or list(told.values())


def _rendered(groups: Sequence[_Group], theirs: Sequence[Sequence[Mention]]) -> list[SystemName]:
    """How a system renders each name. theirs: its mentions by segment."""
    examples = [_examples(group) for group in groups]
    taken: list[dict[int, list[Mention]]] = [{} for _ in groups]
    left: dict[int, list[Mention]] = {}
    by_segment: dict[int, list[int]] = defaultdict(list)
    for place, group in enumerate(groups):
        for segment in {one.segment for one in group.mentions}:
            by_segment[segment].append(place)
    for segment, own in enumerate(theirs):
        wanted = sorted(by_segment.get(segment, ()))
        rest = []
        for one in own:
            scores = [(max(_same(known, one) for known in examples[place]), -place) for place in wanted]
            best, turned = max(scores, default=(0.0, 0))
            if best == 1:
                taken[-turned].setdefault(segment, []).append(one)
            else:
                rest.append(one)
        left[segment] = rest
    _take_near(examples, taken, left, by_segment)
    known = {one.form for found in taken for own in found.values() for one in own}
    _take_frequent(taken, left, by_segment)
    _take_only(groups, taken, left, by_segment, known)
    told = [_system_name(group, found) for group, found in zip(groups, taken, strict=True)]
    return _with_mergers(groups, told)


def _take_near(
    examples: Sequence[Sequence[Mention]],
    taken: Sequence[dict[int, list[Mention]]],
    left: dict[int, list[Mention]],
    by_segment: Mapping[int, Sequence[int]],
) -> None:
    """Give a mention that is spelled nearly alike to a name that has none in the segment.

    Only to the name that its form is nearest to in all segments.
    """
    nearest = {one.form: 1.0 for found in taken for own in found.values() for one in own}
    near: list[tuple[float, int, int, Mention]] = []
    for segment, rest in left.items():
        lacking = [place for place in by_segment.get(segment, ()) if segment not in taken[place]]
        for one in rest:
            scores = [(max(_same(known, one) for known in examples[place]), place) for place in lacking]
            best, place = max(scores, default=(0.0, 0))
            if best >= NEAR:
                near.append((best, segment, place, one))
                nearest[one.form] = max(best, nearest.get(one.form, 0.0))
    for score, segment, place, one in near:
        if score == nearest[one.form]:
            taken[place].setdefault(segment, []).append(one)
            left[segment].remove(one)


def _take_frequent(
    taken: Sequence[dict[int, list[Mention]]],
    left: dict[int, list[Mention]],
    by_segment: Mapping[int, Sequence[int]],
) -> None:
    """Give a mention that is unlike to the name that it most often stands for (Dice), from `OFTEN` on."""
    together: Counter[tuple[int, str]] = Counter()
    alone: Counter[str] = Counter()
    lacks: Counter[int] = Counter()
    for segment, rest in left.items():
        lacking = [place for place in by_segment.get(segment, ()) if segment not in taken[place]]
        lacks.update(lacking)
        for form in {one.form for one in rest}:
            alone[form] += 1
            together.update((place, form) for place in lacking)
    chosen: dict[str, int] = {}
    for (place, form), count in sorted(together.items(), key=lambda pair: (-pair[1], pair[0])):
        if count >= OFTEN and 2 * count / (alone[form] + lacks[place]) >= NEAR:
            chosen.setdefault(form, place)
    for segment, rest in left.items():
        for one in list(rest):
            found = chosen.get(one.form)
            if found is not None and found in by_segment.get(segment, ()) and segment not in taken[found]:
                taken[found].setdefault(segment, []).append(one)
                rest.remove(one)


def _take_only(
    groups: Sequence[_Group],
    taken: Sequence[dict[int, list[Mention]]],
    left: dict[int, list[Mention]],
    by_segment: Mapping[int, Sequence[int]],
    known: Collection[str],
) -> None:
    """Where one name of a kind has no rendering and one mention of the kind is left over, they belong.

    known: forms that agree with a name elsewhere; they belong to that one.
    """
    for segment, rest in left.items():
        for kind in KINDS:
            own = [one for one in rest if one.kind == kind and one.form not in known]
            lacking = [
                place
                for place in by_segment.get(segment, ())
                if segment not in taken[place] and groups[place].kind == kind
            ]
            if len({one.form for one in own}) == 1 and len(lacking) == 1:
                taken[lacking[0]][segment] = own


def _system_name(group: _Group, found: Mapping[int, Sequence[Mention]]) -> SystemName:
    own = [one for listed in found.values() for one in listed]
    forms = Counter(one.form for one in own)
    groups = _grouped(own)
    return SystemName(
        renderings=_forms(own),
        groups=groups,
        lost=tuple(sorted({one.segment for one in group.mentions} - found.keys())),
        consistency=consistency_of([sum(forms[form] for form in one) for one in groups]),
    )


def _grouped(own: Sequence[Mention]) -> tuple[tuple[str, ...], ...]:
    """Forms that are the same name, the most frequent group first; a short form joins the largest it fits."""
    forms = Counter(one.form for one in own)
    examples = {one.form: one for one in own}
    groups: list[list[str]] = []
    for form in sorted(forms, key=lambda form: (-_parts(examples[form]), -forms[form], form)):
        fitting = [one for one in groups if _same(examples[form], examples[one[0]]) == 1]
        if fitting:
            max(fitting, key=lambda one: sum(forms[known] for known in one)).append(form)
        else:
            groups.append([form])
    groups.sort(key=lambda one: -sum(forms[known] for known in one))
    return tuple(tuple(one) for one in groups)


def _with_mergers(groups: Sequence[_Group], told: Sequence[SystemName]) -> list[SystemName]:
    """Name the other names that have a rendering in common, although the reference tells them apart."""
    owners: dict[str, set[int]] = defaultdict(set)
    for place, one in enumerate(told):
        for form in one.renderings:
            owners[form.form].add(place)
    found = []
    for place, one in enumerate(told):
        own = set(groups[place].forms)
        others = {
            other
            for form in one.renderings
            for other in owners[form.form] - {place}
            if form.form not in own & set(groups[other].forms)
        }
        merged = tuple(sorted(_headline(groups[other]) for other in others))
        found.append(
            SystemName(
                renderings=one.renderings,
                groups=one.groups,
                lost=one.lost,
                consistency=one.consistency,
                merged=merged,
            )
        )
    return found


def _headline(group: _Group) -> str:
    """The longest of the forms that stand there often."""
    forms = group.forms
    most = max(forms.values())
    often = [form for form, count in forms.items() if 4 * count >= most]
    return max(often, key=lambda form: (len(form), forms[form]))


def _forms(own: Sequence[Mention]) -> tuple[NameForm, ...]:
    by_form: dict[str, list[int]] = defaultdict(list)
    for one in own:
        by_form[one.form].append(one.segment)
    order = sorted(by_form.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return tuple(NameForm(form=form, segments=tuple(sorted(segments))) for form, segments in order)


def _cast_name(group: _Group, systems: Mapping[str, SystemName]) -> CastName:
    return CastName(
        name=_headline(group), kind=group.kind, forms=_forms(group.mentions), systems=dict(systems)
    )
