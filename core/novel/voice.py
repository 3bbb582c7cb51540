"""The voice ledger: who speaks in a novel, with which forms, and where a voice breaks.

A speaker's usual form in a text is one that stands in at least `USUAL` quotations and in at least `SHARE` of
those that have a form of this sort; a quotation of the same speaker with another is a break of voice. Where
the reference and a system have equally many quotations in a segment, they belong together in order; a
quotation whose only first person, or whose politeness, is another than in the reference is a break too.
People speak otherwise to others: a break is a passage to look at, not an error.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.backends import Backends, Progress, silent
from core.errors import InputError
from core.novel.cast import by_text, check_segments
from core.novel.mentions import LANGUAGES, TextsRead, read_texts
from core.novel.quotations import own_words, quotations
from core.novel.speakers import called, speakers
from core.novel.speech import Speech, speech_en, speech_ja
from core.types import Parse

USUAL = 3
SHARE = 0.75
SORTS = ("first_person", "politeness")
"""Sorts of forms whose breaks are listed; in English the first person does not vary with the voice."""

COUNTED = ("first_person", "second_person", "politeness", "endings", "register")
"""Sorts of forms that are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceQuotation:
    """A quotation. start, end: half-open code points with its marks. speaker: None where it is unknown."""

    segment: int
    start: int
    end: int
    speaker: str | None
    speech: Speech

    def form(self, sort: str) -> str | None:
        """The form of a sort that stands there most; None without one and on a tie."""
        counts: Mapping[str, int] = getattr(self.speech, sort)
        ordered = sorted(counts.items(), key=lambda pair: -pair[1])
        tied = len(ordered) > 1 and ordered[0][1] == ordered[1][1]
        return ordered[0][0] if ordered and not tied else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerVoice:
    """A speaker's forms over all quotations, with counts; speaker None: those of unknown speakers."""

    speaker: str | None
    quotations: int
    speech: Speech
    usual: Mapping[str, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceBreak:
    """A quotation that departs from what is expected: the speaker's usual form, or the reference's.

    place: among the quotations of the text. against: `usual` or `reference`.
    """

    place: int
    segment: int
    speaker: str | None
    sort: str
    expected: str
    found: str
    against: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Voices:
    """The quotations of a text, its speakers (most quotations first, unknown last), and breaks of voice."""

    quotations: tuple[VoiceQuotation, ...]
    speakers: tuple[SpeakerVoice, ...]
    breaks: tuple[VoiceBreak, ...]


VoiceLedger = tuple[Voices, Mapping[str, Voices]]
"""The voices of the reference, and of each system."""


def voices(
    references: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    backends: Backends,
    *,
    lang: str,
    documents: Sequence[str] | None = None,
    progress: Progress = silent,
) -> tuple[Voices, dict[str, Voices]]:
    """The voices of the reference, and of each system's translation.

    references: one text a segment. systems: translations of each. lang: of all these texts. documents: of
    each segment, one document without; speeches and turns do not go on in another document. progress: called
    with (done, total) texts.

    Raises InputError for another language than `LANGUAGES` and for other numbers of segments.
    """
    if lang not in LANGUAGES:
        raise InputError(
            "Speech is read in texts in English and Japanese, not in “{lang:.20}”; name the language.",
            lang=lang,
        )
    check_segments(references, systems)
    within = documents if documents is not None else [""] * len(references)
    parts = by_text(progress, references, systems)
    expected = _read(references, within, backends, lang, next(parts))
    theirs = {name: _read(texts, within, backends, lang, next(parts)) for name, texts in systems.items()}
    return ledger_of(expected, theirs, lang)


def ledger_of(
    reference: Sequence[VoiceQuotation], systems: Mapping[str, Sequence[VoiceQuotation]], lang: str
) -> tuple[Voices, dict[str, Voices]]:
    """The voices of texts whose quotations are known."""
    told = {name: _voices(own, lang, reference) for name, own in systems.items()}
    return _voices(reference, lang), told


def voices_json(
    reference: Voices, systems: Mapping[str, Voices], places: Sequence[int | str]
) -> dict[str, Any]:
    """Voices as JSON-ready data. places: what each segment is called."""
    return {
        "reference": _json(reference, places),
        "systems": {name: _json(one, places) for name, one in systems.items()},
    }


def _json(one: Voices, places: Sequence[int | str]) -> dict[str, Any]:
    return {
        "quotations": [
            {
                "segment": places[said.segment],
                "start": said.start,
                "end": said.end,
                "speaker": said.speaker,
                **{sort: dict(getattr(said.speech, sort)) for sort in COUNTED},
            }
            for said in one.quotations
        ],
        "speakers": [
            {
                "speaker": known.speaker,
                "quotations": known.quotations,
                **{sort: dict(getattr(known.speech, sort)) for sort in COUNTED},
                "usual": dict(known.usual),
            }
            for known in one.speakers
        ],
        "breaks": [
            {
                "quotation": broken.place,
                "segment": places[broken.segment],
                "speaker": broken.speaker,
                "sort": broken.sort,
                "expected": broken.expected,
                "found": broken.found,
                "against": broken.against,
            }
            for broken in one.breaks
        ],
    }


def _read(
    texts: Sequence[str], documents: Sequence[str], backends: Backends, lang: str, progress: Progress
) -> list[VoiceQuotation]:
    found = quotations(texts, documents, lang=lang)
    if not any(found):
        progress(len(texts), len(texts))
        return []
    return quoted(texts, documents, read_texts(texts, backends, lang=lang, progress=progress), lang)


def quoted(
    texts: Sequence[str], documents: Sequence[str], read: TextsRead, lang: str
) -> list[VoiceQuotation]:
    """The quotations of texts with their speakers and forms. documents: of each text."""
    found = quotations(texts, documents, lang=lang)
    empty = Parse(words=())
    parses = [
        read.parses.get(text, empty) if own and lang == "ja" else empty
        for text, own in zip(texts, found, strict=True)
    ]
    named = read.mentions
    who = speakers(texts, documents, found, named, called(named), parses, lang=lang)
    return [
        VoiceQuotation(
            segment=one.segment,
            start=one.start,
            end=one.end,
            speaker=speaker,
            speech=_speech(texts[one.segment], parses[one.segment], one.start, one.end, lang),
        )
        for own, told in zip(found, who, strict=True)
        for one, speaker in zip(own, told, strict=True)
    ]


def _speech(text: str, parse: Parse, start: int, end: int, lang: str) -> Speech:
    parts = own_words(text, start, end, lang=lang)
    if lang == "en":
        return speech_en(" ".join(text[first:last] for first, last in parts))
    return speech_ja(
        [
            word
            for word in parse.words
            if any(first <= word.start and word.end <= last for first, last in parts)
        ]
    )


def _voices(own: Sequence[VoiceQuotation], lang: str, expected: Sequence[VoiceQuotation] = ()) -> Voices:
    by_speaker: dict[str | None, list[VoiceQuotation]] = defaultdict(list)
    for one in own:
        by_speaker[one.speaker].append(one)
    order = sorted(by_speaker.items(), key=lambda pair: (pair[0] is None, -len(pair[1]), pair[0] or ""))
    ledger = tuple(_speaker(name, said) for name, said in order)
    sorts = SORTS if lang == "ja" else SORTS[1:]
    breaks = [*_unusual(own, ledger, sorts), *_unlike(own, expected, sorts)]
    breaks.sort(key=lambda one: (one.place, one.sort, one.against))
    return Voices(quotations=tuple(own), speakers=ledger, breaks=tuple(breaks))


def _speaker(name: str | None, said: Sequence[VoiceQuotation]) -> SpeakerVoice:
    sums: dict[str, Counter[str]] = {}
    for sort in COUNTED:
        counts: Counter[str] = Counter()
        for one in said:
            counts.update(getattr(one.speech, sort))
        sums[sort] = Counter(dict(counts.most_common()))
    usual = {sort: _usual(said, sort) if name is not None else None for sort in SORTS}
    return SpeakerVoice(speaker=name, quotations=len(said), speech=Speech(**sums), usual=usual)


def _usual(said: Sequence[VoiceQuotation], sort: str) -> str | None:
    forms = Counter(form for one in said if (form := one.form(sort)) is not None)
    if not forms:
        return None
    form, count = forms.most_common(1)[0]
    return form if count >= USUAL and count >= SHARE * forms.total() else None


def _unusual(
    own: Sequence[VoiceQuotation], ledger: Sequence[SpeakerVoice], sorts: Sequence[str]
) -> Iterator[VoiceBreak]:
    usual = {one.speaker: one.usual for one in ledger}
    for place, one in enumerate(own):
        for sort in sorts:
            expected, found = usual[one.speaker][sort], one.form(sort)
            if expected is not None and found is not None and found != expected:
                yield VoiceBreak(
                    place=place,
                    segment=one.segment,
                    speaker=one.speaker,
                    sort=sort,
                    expected=expected,
                    found=found,
                    against="usual",
                )


def _unlike(
    own: Sequence[VoiceQuotation], reference: Sequence[VoiceQuotation], sorts: Sequence[str]
) -> Iterator[VoiceBreak]:
    theirs: dict[int, list[VoiceQuotation]] = defaultdict(list)
    ours: dict[int, list[tuple[int, VoiceQuotation]]] = defaultdict(list)
    for known in reference:
        theirs[known.segment].append(known)
    for place, one in enumerate(own):
        ours[one.segment].append((place, one))
    for segment, said in ours.items():
        if len(said) != len(theirs[segment]):
            continue
        for (place, one), known in zip(said, theirs[segment], strict=True):
            for sort in sorts:
                expected, found = known.form(sort), one.form(sort)
                if expected is not None and found is not None and found != expected:
                    yield VoiceBreak(
                        place=place,
                        segment=segment,
                        speaker=one.speaker,
                        sort=sort,
                        expected=expected,
                        found=found,
                        against="reference",
                    )
