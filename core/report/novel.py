"""What runs through a whole novel, in a report: names, voices, the chapter strip, documents, marked errors.

The ceiling stands here, too: what one more rater reaches. Every picture has its numbers beneath it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from core.charts.embed import division
from core.charts.metaeval import IntervalWords, intervals
from core.charts.novel import cast_matrix, strip_picture, voice_line
from core.charts.palette import LIGHT
from core.metaeval.ceiling import Ceiling
from core.metaeval.evaluation import PEOPLE
from core.metaeval.pointing import FIGURES, LENGTH, RANDOM, RATER, PointingRow, PointingTable
from core.metaeval.significance import Interval
from core.metrics.documents import DOCUMENT_METRICS
from core.novel.cast import CastList, CastName, SystemName, system_consistency
from core.novel.documents import LEAST, DocumentRow
from core.novel.strip import ADDED, OMITTED, SPREAD, Strip
from core.novel.strip import LENGTH as STRIP_LENGTH
from core.novel.voice import SORTS, VoiceLedger, Voices
from core.report.blocks import Block, Picture, Section, Sentences, Table
from core.report.content import NovelFindings, Report
from core.report.metrics import column_title
from core.stats.estimate import Estimate
from core.text.locale import Speaker
from core.text.numbers import DASH, interval, number

NAMES, SPEAKERS, PLACES, STRIPS = 30, 12, 10, 6
"""Names, speakers of a text, places at which bands part, and systems that are shown at most."""

FORMS = 4
"""Renderings of a name, or forms of a speaker, in a cell."""


def novel(given: Report, say: Speaker) -> list[Section]:
    """The sections for which there is something."""
    found = given.novel
    sections = [] if given.ceiling is None else [_ceiling(given.ceiling, given, say)]
    if found is None:
        return sections
    if found.documents:
        sections.append(_documents(found.documents, given, say))
    if found.pointing is not None:
        sections.append(_pointing(found.pointing, given, say))
    if found.cast:
        sections.append(_names(found.cast, found, given, say))
    if found.voice is not None and any(one.quotations for one in _texts(found.voice, say).values()):
        sections.append(_voices(found.voice, found, given, say))
    if found.strips:
        sections.append(_strips(found, given, say))
    return sections


def _picture(rows: Sequence[tuple[str, Estimate]], axis: str, name: str, alt: str, say: Speaker) -> Picture:
    """Estimates with their intervals, the largest first. rows: what each is called, and it."""
    words = IntervalWords(
        axis=axis,
        hover=say.t("meta.hover", low="{low}", high="{high}", n="{n}"),
        names={title: title for title, _ in rows},
    )
    found = [
        Interval(metric=title, n=one.n, groups=0, r=one.value, low=one.low, high=one.high)
        for title, one in rows
    ]
    return Picture(
        division=division(intervals(found, words=words, palette=LIGHT), name=name, alt=alt, palette=LIGHT)
    )


def _cells(one: Estimate, digits: int, say: Speaker) -> tuple[str, str]:
    return number(one.value, digits), interval(one.low, one.high, digits, language=say.language)


def _ceiling(found: Ceiling, given: Report, say: Speaker) -> Section:
    t = say.t
    title = {name: column_title(name, given, say) for name in found.metrics}
    named = [
        (t("meta.one_rater"), found.one_rater),
        *((title[name], one.r) for name, one in found.metrics.items()),
    ]
    rows = [
        (t("meta.one_rater"), *_cells(found.one_rater, 3, say), f"{found.one_rater.n:,}", "1", DASH),
        *(
            (title[name], *_cells(one.r, 3, say), f"{one.r.n:,}", *_cells(one.raters, 2, say))
            for name, one in found.metrics.items()
        ),
    ]
    columns = ("r_others", "between", "n", "raters", "between")
    header = (t("systems.metric"), *(t(f"meta.column.{name}") for name in columns))
    table = Table(
        name="ceiling",
        caption=t("report.caption.ceiling"),
        header=header,
        rows=rows,
        numbers=frozenset(range(1, len(header))),
    )
    what = t("meta.ceiling_what", others=number(found.others, 1))
    blocks: list[Block] = [
        _picture(named, t("meta.column.r_others"), "figure-ceiling", t("report.ceiling_alt"), say),
        table,
        Sentences(text=what, tone="quiet"),
    ]
    return Section(title=t("meta.tab.ceiling"), blocks=blocks)


def _documents(rows: Sequence[DocumentRow], given: Report, say: Speaker) -> Section:
    t = say.t
    named = [(_document_title(row.name, given, say), row.r) for row in rows]
    header = (
        t("systems.metric"),
        "r",
        *(t(f"meta.column.{name}") for name in ("between", "cells", "documents")),
    )
    cells = [
        (title, *_cells(r, 3, say), f"{r.n:,}", f"{row.documents:,}")
        for (title, r), row in zip(named, rows, strict=True)
    ]
    table = Table(
        name="document-scores",
        caption=t("report.caption.document_scores"),
        header=header,
        rows=cells,
        numbers=frozenset(range(1, 5)),
    )
    blocks: list[Block] = []
    if any(r.value is not None for _, r in named):
        blocks.append(_picture(named, t("meta.axis"), "figure-documents", t("meta.intervals_alt"), say))
    blocks += [table, Sentences(text=t("meta.documents_what", least=LEAST), tone="quiet")]
    return Section(title=t("meta.tab.documents"), blocks=blocks)


def _document_title(name: str, given: Report, say: Speaker) -> str:
    return say.t(f"meta.document.{name}") if name in DOCUMENT_METRICS else column_title(name, given, say)


def _pointing(found: PointingTable, given: Report, say: Speaker) -> Section:
    t = say.t
    named = [(_pointing_title(one.name, given, say), one) for one in found.rows]
    tables = [
        _pointing_table(named, figures, f"pointing-{place}", say)
        for place, figures in enumerate((FIGURES[:2], FIGURES[2:]), 1)
    ]
    basis = t(
        "meta.pointing_basis",
        texts=f"{found.texts:,}",
        documents=f"{found.documents:,}",
        marked=f"{found.marked:,}",
        share=f"{found.share:.1%}",
        characters=f"{found.characters:,}",
    )
    drawn = [(title, one.precision) for title, one in named]
    axis = t("meta.column.precision")
    blocks: list[Block] = [
        Sentences(text=basis),
        _picture(drawn, axis, "figure-pointing", t("report.pointing_alt"), say),
        *tables,
        Sentences(text=t("meta.pointing_what"), tone="quiet"),
    ]
    return Section(title=t("meta.tab.pointing"), blocks=blocks)


def _pointing_table(
    named: Sequence[tuple[str, PointingRow]], figures: Sequence[str], name: str, say: Speaker
) -> Table:
    header = [say.t("systems.metric")]
    for figure in figures:
        header += [say.t(f"meta.column.{figure}"), say.t("meta.column.between")]
    return Table(
        name=name,
        caption=say.t("report.caption.pointing"),
        header=tuple(header),
        rows=[
            (title, *(cell for figure in figures for cell in _cells(getattr(one, figure), 3, say)))
            for title, one in named
        ],
        numbers=frozenset(range(1, len(header))),
    )


def _pointing_title(name: str, given: Report, say: Speaker) -> str:
    if name in (RANDOM, LENGTH, RATER):
        return say.t(f"meta.pointing_row.{name}")
    return column_title(name, given, say)


def _names(names: CastList, found: NovelFindings, given: Report, say: Speaker) -> Section:
    """The picture and the table of the most frequent names; without texts the consistency alone."""
    t, systems = say.t, list(found.systems)
    means = [
        (system, number(system_consistency(names, system), 3), f"{_renderings_of(names, system):,}")
        for system in systems
    ]
    consistency = Table(
        name="consistency",
        caption=t("report.caption.consistency", names=f"{len(names):,}"),
        header=(t("systems.system"), t("cast.column.consistency"), t("report.names.renderings")),
        rows=means,
        numbers=frozenset({1, 2}),
    )
    blocks: list[Block] = [consistency]
    shown = names[:NAMES]
    if given.with_texts:
        figure = cast_matrix(shown, systems, palette=LIGHT)
        drawn = division(figure, name="figure-names", alt=t("report.names.alt"), palette=LIGHT)
        columns = ("name", "kind", "mentions")
        header = (
            *(t(f"cast.{name}") for name in columns),
            t("systems.system"),
            *(t(f"cast.column.{name}") for name in ("renderings", "consistency")),
        )
        table = Table(
            name="names",
            caption=t("report.caption.names", shown=f"{len(shown):,}", all=f"{len(names):,}"),
            header=header,
            rows=[row for one in shown for row in _name_rows(one, systems, say)],
            numbers=frozenset({2, 5}),
            latex=False,
        )
        blocks = [Picture(division=drawn), table, *blocks]
    blocks.append(Sentences(text=t("report.names.what"), tone="quiet"))
    return Section(title=t("page.cast"), blocks=blocks)


def _renderings_of(names: CastList, system: str) -> int:
    return sum(form.count for one in names for form in one.systems[system].renderings)


def _name_rows(one: CastName, systems: Sequence[str], say: Speaker) -> Iterator[tuple[str, ...]]:
    """A row for each system; the name stands in the first."""
    own = (one.name, say.t(f"cast.is.{one.kind}"), f"{sum(form.count for form in one.forms):,}")
    for place, system in enumerate(systems):
        told = one.systems[system]
        yield (
            *(own if place == 0 else ("", "", "")),
            system,
            _renderings(told, say),
            number(told.consistency, 2),
        )


def _renderings(told: SystemName, say: Speaker) -> str:
    return _counts({form.form: form.count for form in told.renderings}, say)


def _counts(forms: Mapping[str, int], say: Speaker) -> str:
    """The first forms with their counts, named where they are a class of forms."""
    shown = [
        f"{say.words_or(f'voice.form.{form}', form)} {count}" for form, count in list(forms.items())[:FORMS]
    ]
    more = len(forms) - FORMS
    return " · ".join([*shown, *([say.t("cast.more", n=more)] if more > 0 else [])]) or DASH


def _texts(ledger: VoiceLedger, say: Speaker) -> dict[str, Voices]:
    """The texts by what they are called."""
    return {say.t("report.word.reference"): ledger[0], **ledger[1]}


def _voices(ledger: VoiceLedger, found: NovelFindings, given: Report, say: Speaker) -> Section:
    """The quotations of each text, how many break a voice, and with texts who speaks how."""
    t, texts = say.t, _texts(ledger, say)
    rows = [
        (
            name,
            f"{len(one.quotations):,}",
            f"{sum(said.speaker is not None for said in one.quotations):,}",
            *(
                f"{sum(broken.against == which for broken in one.breaks):,}"
                for which in ("usual", "reference")
            ),
        )
        for name, one in texts.items()
    ]
    columns = ("quotations", "known", "usual", "reference")
    table = Table(
        name="voices",
        caption=t("report.caption.voices"),
        header=(t("voice.text"), *(t(f"report.voices.{name}") for name in columns)),
        rows=rows,
        numbers=frozenset(range(1, 5)),
    )
    blocks: list[Block] = [table]
    if given.with_texts:
        blocks = [*_voice_pictures(texts, found, given, say), table, _speakers(texts, say)]
    blocks.append(Sentences(text=t("report.voices.what"), tone="quiet"))
    return Section(title=t("page.voice"), blocks=blocks)


def _voice_pictures(
    texts: Mapping[str, Voices], found: NovelFindings, given: Report, say: Speaker
) -> Iterator[Block]:
    japanese = given.facts.target_lang.split("-")[0] == "ja"
    for sort in SORTS if japanese else SORTS[1:]:
        forms = {form for one in texts.values() for said in one.quotations if (form := said.form(sort))}
        if forms:
            words = {form: say.words_or(f"voice.form.{form}", form) for form in forms}
            figure = voice_line(texts, sort, found.places, palette=LIGHT, words=words)
            alt = f"{say.t(f'voice.sort.{sort}')}. {say.t('voice.over_time_alt')}"
            yield Sentences(text=say.t(f"voice.sort.{sort}"))
            yield Picture(division=division(figure, name=f"figure-voice-{sort}", alt=alt, palette=LIGHT))


def _speakers(texts: Mapping[str, Voices], say: Speaker) -> Table:
    rows = [
        (
            name,
            known.speaker or say.t("voice.unknown"),
            f"{known.quotations:,}",
            *(_counts(getattr(known.speech, sort), say) for sort in (*SORTS, "endings")),
        )
        for name, one in texts.items()
        for known in one.speakers[:SPEAKERS]
    ]
    sorts = (say.t(f"voice.sort.{sort}") for sort in (*SORTS, "endings"))
    return Table(
        name="speakers",
        caption=say.t("report.caption.speakers", most=SPEAKERS),
        header=(say.t("voice.text"), say.t("voice.speaker"), say.t("voice.quotations"), *sorts),
        rows=rows,
        numbers=frozenset({2}),
        latex=False,
    )


def _strips(found: NovelFindings, given: Report, say: Speaker) -> Section:
    """A picture for each system, and the places at which its bands part."""
    t = say.t
    blocks: list[Block] = []
    for place, (system, one) in enumerate(list(found.strips.items())[:STRIPS]):
        words = _band_words(one, given, say)
        figure = strip_picture(one, found.places, palette=LIGHT, words=words)
        alt = f"{system}. {t('strip.alt')}"
        blocks += [
            Sentences(text=system),
            Picture(division=division(figure, name=f"figure-strip-{place}", alt=alt, palette=LIGHT)),
        ]
        if one.parted:
            blocks.append(_parted(one, system, found.places, words, say))
    if len(found.strips) > STRIPS:
        text = t("report.strip.more", shown=STRIPS, all=len(found.strips))
        blocks.append(Sentences(text=text, tone="quiet"))
    blocks.append(Sentences(text=t("strip.what"), tone="quiet"))
    return Section(title=t("page.strip"), blocks=blocks)


def _band_words(one: Strip, given: Report, say: Speaker) -> dict[str, str]:
    own = {name: say.t(f"strip.{name}") for name in (SPREAD, STRIP_LENGTH, OMITTED, ADDED)}
    own[PEOPLE] = say.t("systems.people")
    bands = {band.name: own.get(band.name) or column_title(band.name, given, say) for band in one.bands}
    return {**bands, **{name: say.t(f"strip.{name}") for name in ("parted", "short", "long")}}


def _parted(one: Strip, system: str, places: Sequence[str], words: Mapping[str, str], say: Speaker) -> Table:
    rows = []
    for segment in one.parted[:PLACES]:
        shares = {
            band.name: float(band.shares[segment])
            for band in one.bands
            if band.name not in (SPREAD, STRIP_LENGTH, OMITTED, ADDED) and np.isfinite(band.shares[segment])
        }
        ends = (max(shares, key=shares.__getitem__), min(shares, key=shares.__getitem__))
        told = (f"{words[name]} {number(shares[name], 2)}" for name in ends)
        rows.append((places[segment], number(float(one.gaps[segment]), 2), *told))
    header = (
        say.t("strip.passage"),
        *(say.t(f"report.strip.{name}") for name in ("gap", "highest", "lowest")),
    )
    return Table(
        name="parted",
        caption=say.t("report.caption.parted", system=system),
        header=header,
        rows=rows,
        numbers=frozenset({1}),
        latex=False,
    )
