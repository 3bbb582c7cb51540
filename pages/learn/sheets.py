"""The lesson kit's papers: a plan for 90 minutes, a worksheet, and its answers, in the reader's language.

Texts, numbers and verdicts are those of the lessons themselves; the answers are computed, not typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from core.metrics import digits_of
from core.report import sheet
from core.report.blocks import Block, Section, Sentences, Table
from pages.learn import stored, verdict
from pages.learn.examples import (
    AB_METRICS,
    NAME_METRICS,
    NAMES,
    QUESTION_METRICS,
    QUESTIONS,
    STRUCTURE,
    STRUCTURE_METRICS,
    VERSIONS,
    Example,
    Versions,
)
from pages.ui import state
from pages.ui.text import metric_name, number, t

PLAN = (
    (0, 10, "ab"),
    (10, 25, "names"),
    (25, 35, "structure"),
    (35, 45, "questions"),
    (45, 65, "class"),
    (65, 85, "fool"),
    (85, 90, "end"),
)
"""Minutes from and to, and what is done then: a lesson, the class's own rating, or the last questions."""

ON_THE_SHEET = (
    ("names", NAMES, NAME_METRICS),
    ("structure", STRUCTURE, STRUCTURE_METRICS),
    ("questions", QUESTIONS, QUESTION_METRICS),
)
LAST = ("ab", "names", "structure", "questions", "fool")
"""Lessons whose question stands on the sheet."""

T = TypeVar("T", Versions, Example)
BLANK = "_" * 62


def minutes(first: int, last: int) -> str:
    """`10–25`, which no line break takes apart."""
    return f"{first}\u2060–\u2060{last}"


def plan() -> str:
    """The plan as an HTML file."""
    rows = [
        (minutes(first, last), t(f"kit.plan.{name}.what"), t(f"kit.plan.{name}.ask"))
        for first, last, name in PLAN
    ]
    header = tuple(t(f"kit.plan.column.{name}") for name in ("minutes", "what", "ask"))
    table = Table(name="plan", caption="", header=header, rows=rows, latex=False)
    before = Section(title=t("kit.before"), blocks=[Sentences(text=t("kit.before.what"))])
    return _paper("plan", [Section(title=t("kit.plan"), blocks=[table]), before])


def worksheet(*, answers: bool) -> str:
    """The worksheet as an HTML file, or its answers for the teacher."""
    parts = [_versions(one, answers=answers) for one in _own(VERSIONS)]
    for name, examples, metrics in ON_THE_SHEET:
        shown = _own(examples)[:1]
        if name == "questions" and QUESTIONS[0] not in shown:
            shown.append(QUESTIONS[0])  # where two numbers rise for a worse translation
        parts += [_example(name, one, metrics, answers=answers) for one in shown]
    parts.append(_questions(answers=answers))
    return _paper("answers" if answers else "worksheet", parts)


def _own(listed: Sequence[T]) -> list[T]:
    """Those in the reader's language; all where there are none."""
    found = [one for one in listed if one.lang == state.language()]
    return found or list(listed)


def _paper(name: str, parts: Sequence[Section]) -> str:
    return sheet(t(f"kit.{name}.title"), t("kit.subtitle"), parts, state.language())


def _versions(one: Versions, *, answers: bool) -> Section:
    """A reference with its versions in a fixed order that gives nothing away, and what each scores."""
    kinds = sorted(one.texts, key=lambda kind: one.texts[kind])
    numbered = list(enumerate(kinds, 1))
    header = (t("kit.no"), t("pair.translation"), t("kit.accept"), t("kit.guess"))
    rows = [(f"{place}", one.texts[kind], "", "") for place, kind in numbered]
    blocks: list[Block] = [
        Sentences(text=f"{t('pair.reference')}: {one.reference}"),
        Sentences(text=t("kit.rank_them"), tone="quiet"),
    ]
    if not answers:
        blocks.append(Table(name=one.name, caption="", header=header, rows=rows, latex=False))
        return Section(title=t("page.ab"), blocks=blocks)
    found = {kind: {name: stored.score(name, one.pair(kind)) for name in AB_METRICS} for kind in kinds}
    figures = [
        (
            f"{place} · {t(f'learn.ab.is.{kind}')}",
            *(number(found[kind][name].score, digits_of(name)) for name in AB_METRICS),
        )
        for place, kind in numbered
    ]
    blocks.append(
        Table(
            name=one.name,
            caption="",
            header=(t("kit.no"), *map(metric_name, AB_METRICS)),
            rows=figures,
            numbers=frozenset(range(1, len(AB_METRICS) + 1)),
            latex=False,
        )
    )
    return Section(title=t("page.ab"), blocks=blocks)


def _example(page: str, one: Example, metrics: Sequence[str], *, answers: bool) -> Section:
    """A pair before and after its change; which numbers rise and fall."""
    blocks: list[Block] = [
        Sentences(text=f"{t('pair.reference')}: {one.reference}"),
        Sentences(text=f"{t('lesson.before')}: {one.before}"),
        Sentences(text=f"{t('lesson.after')}: {one.after}"),
    ]
    if not answers:
        blocks.append(
            Sentences(text=t("kit.up_or_down", metrics=t("kit.comma").join(map(metric_name, metrics))))
        )
        blocks.append(_lines(2))
        return Section(title=t(f"page.{page}"), blocks=blocks)
    settings = {"structure-dep": {"filter": "label"}}
    first, last = (
        {name: stored.score(name, pair, settings.get(name)) for name in metrics}
        for pair in (one.start(), one.changed())
    )
    moved = verdict.changes(first, last)
    blocks.append(Sentences(text=verdict.sentence(moved, one.effect)))
    blocks.append(Sentences(text=verdict.finding(moved, one.effect) or t("kit.mixed")))
    return Section(title=t(f"page.{page}"), blocks=blocks)


def _questions(*, answers: bool) -> Section:
    blocks: list[Block] = []
    for page in LAST:
        blocks.append(Sentences(text=f"{t(f'page.{page}')}: {t(f'learn.{page}.question')}"))
        blocks.append(Sentences(text=t(f"learn.{page}.answer"), tone="quiet") if answers else _lines(3))
    return Section(title=t("learn.question"), blocks=blocks)


def _lines(count: int) -> Sentences:
    """Lines to write on."""
    return Sentences(text="\n".join([BLANK] * count), tone="quiet")
