"""Edited translations under many metrics: ehiMetrick's tables 9 and 10, and contrast sets.

A run scores every variant of every segment under every metric; each distinct text is encoded once. The
table shows how much each edit moves each metric, and when a bad translation fools one metric only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.backends import Backends, Judge, Progress, silent
from core.errors import InputError
from core.hacks import Edited, EditInput, Skipped, find_edit, stack
from core.hacks.mean_rank import Standings, mean_rank, without_each
from core.metaeval.contrast_sets import ContrastPair, ContrastVerdict
from core.metrics import find_metric
from core.metrics.base import Pool, Scorer
from core.metrics.mteqa.faults import fault
from core.metrics.mteqa.metric import MteqaTrace
from core.scoring import Request, new_costs, score_prepared
from core.text.languages import base_lang
from core.types import CostEstimate, Result, TextPair


def contrast_texts(pairs: Sequence[ContrastPair], lang: str) -> list[TextPair]:
    """The good and the bad translation of each, one behind the other."""
    return [text for one in pairs for text in one.texts(lang)]


def judged(
    pairs: Sequence[ContrastPair],
    metrics: Mapping[str, Scorer[Any]],
    *,
    lang: str,
    progress: Progress = silent,
) -> dict[str, list[ContrastVerdict]]:
    """Each metric's verdict of each pair, in their order. metrics: by name, their options settled."""
    rows = list(score_prepared(contrast_texts(pairs, lang), list(metrics.values()), progress=progress))
    return {
        name: [
            _verdict(name, pair, rows[2 * place][column], rows[2 * place + 1][column])
            for place, pair in enumerate(pairs)
        ]
        for column, name in enumerate(metrics)
    }


def _verdict(name: str, pair: ContrastPair, good: Result[Any], bad: Result[Any]) -> ContrastVerdict:
    verdict = ContrastVerdict(
        pair=pair,
        good=good.score,
        bad=bad.score,
        higher_is_better=find_metric(name.partition(" ")[0]).higher_is_better,
    )
    ours, theirs = good.trace, bad.trace
    if not isinstance(ours, MteqaTrace) or not isinstance(theirs, MteqaTrace) or verdict.outcome == "right":
        return verdict
    if [one.question for one in ours.asked] != [one.question for one in theirs.asked]:
        return verdict  # a language model asked otherwise
    return replace(verdict, fault=fault(ours, theirs, (pair.good, pair.bad)))


Read = Callable[[Sequence[EditInput]], list[EditInput]]

PARSER = "auto"
"""The metrics' own, so that a text is parsed once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabSegment:
    """A segment with the outputs of its systems by name."""

    reference: str
    source: str | None
    lang: str
    outputs: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A system's output with edits, one on the other; none for the output as it is."""

    system: str
    edits: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """`Short`, `Short + maru-7`."""
        return " + ".join((self.system, *self.edits))


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A variant's text for a segment. skipped: why an edit could not be made; then the text is as it was."""

    text: str
    skipped: str | None = None


def variants(systems: Sequence[str], victims: Sequence[str], edits: Sequence[str]) -> tuple[Variant, ...]:
    """Every system as it is, then each victim with each edit (`a+b` for two on one another).

    Raises OptionError for an unknown edit.
    """
    chosen = [tuple(name.strip() for name in edit.split("+")) for edit in edits]
    for name in (name for edit in chosen for name in edit):
        find_edit(name)
    plain = [Variant(system=system) for system in systems]
    return (*plain, *(Variant(system=victim, edits=edit) for edit in chosen for victim in victims))


def make(
    segments: Sequence[LabSegment], rows: Sequence[Variant], backends: Backends, *, seed: int = 0
) -> list[list[Made]]:
    """The texts, segment by segment, variant by variant. `other` is the next system's output.

    Raises InputError for a system that a segment has no output of.
    """
    systems = list(dict.fromkeys(row.system for row in rows))
    made = [[Made(text="")] * len(rows) for _ in segments]
    for place, row in enumerate(rows):
        other = systems[(systems.index(row.system) + 1) % len(systems)]
        given = [_given(segment, row.system, other) for segment in segments]
        if not row.edits:
            done: list[Made] = [Made(text=one.text) for one in given]
        else:
            done = _edited(given, row.edits, backends, seed)
        for segment, text in zip(made, done, strict=True):
            segment[place] = text
    return made


def reader(needs: set[str], backends: Backends) -> Read:
    """What fills in parses and words, as far as they are needed; nothing is loaded before the first text."""

    def read(given: Sequence[EditInput]) -> list[EditInput]:
        texts, lang = [one.text for one in given], given[0].lang
        parses = (
            backends.parser(PARSER).parse(texts, lang=lang, constituents=False)
            if "parser" in needs
            else [None] * len(texts)
        )
        words = (
            backends.reader("word").read(texts, lang=lang, entities=True)
            if "reader" in needs
            else [None] * len(texts)
        )
        return [
            replace(one, parse=parse, words=found)
            for one, parse, found in zip(given, parses, words, strict=True)
        ]

    return read


def _given(segment: LabSegment, system: str, other: str) -> EditInput:
    if system not in segment.outputs:
        raise InputError(
            "A segment has no translation of {system}; choose systems that translated everything.",
            system=system,
        )
    return EditInput(
        text=segment.outputs[system],
        lang=base_lang(segment.lang),
        source=segment.source,
        reference=segment.reference,
        other=None if other == system else segment.outputs.get(other),
    )


def _edited(given: Sequence[EditInput], names: Sequence[str], backends: Backends, seed: int) -> list[Made]:
    if not given:
        return []
    read = reader({need for name in names for need in find_edit(name).needs}, backends)
    found = []
    for one in read(given):
        done: Edited | Skipped = stack(names, one, seed, read=lambda changed: read([changed])[0])
        found.append(
            Made(text=done.text) if isinstance(done, Edited) else Made(text=one.text, skipped=done.reason)
        )
    return found


EQUAL = 1e-9
"""Scores that differ by less are the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RobustnessCell:
    """A variant under a metric. score: of the whole (see `pool`), None without any; n: segments with a score.

    difference: from the same system as it is, None for that itself.
    """

    score: float | None
    n: int
    difference: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakness:
    """One edit under one metric, over the n segments that it changed and that have both scores.

    breaks: whether the edit breaks the meaning, None where that depends. rose, fell: the share whose score
    went up and down; mean: the mean difference. fooled: the share that went the wrong way: up where the edit
    breaks the meaning, down where it keeps it; None where that depends.
    """

    edit: str
    metric: str
    n: int
    breaks: bool | None
    rose: float | None = None
    fell: float | None = None
    mean: float | None = None
    fooled: float | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LabTable:
    """variants × metrics, as far as the run came.

    scores: by metric, (segments, variants) float64, NaN where there is no score. pooled: by metric, one score
    for each variant; parts: likewise its parts, such as precision and recall. made: the texts. signatures:
    by metric.
    """

    variants: tuple[Variant, ...]
    metrics: tuple[str, ...]
    signatures: Mapping[str, str]
    scores: Mapping[str, NDArray[np.float64]]
    pooled: Mapping[str, tuple[float | None, ...]]
    parts: Mapping[str, tuple[Mapping[str, float], ...]]
    made: Sequence[Sequence[Made]]

    def part(self, variant: Variant, metric: str, name: str) -> float | None:
        """A part of the score of the whole, such as subspace's `recall`; None where it has none."""
        return self.parts[metric][self.variants.index(variant)].get(name)

    def cell(self, variant: Variant, metric: str) -> RobustnessCell:
        """A cell of table 9."""
        place = self.variants.index(variant)
        score = self.pooled[metric][place]
        n = int(np.isfinite(self.scores[metric][:, place]).sum())
        if not variant.edits:
            return RobustnessCell(score=score, n=n)
        plain = self.pooled[metric][self._plain(variant)]
        difference = None if score is None or plain is None else score - plain
        return RobustnessCell(score=score, n=n, difference=difference)

    def standings(self) -> Standings:
        """Table 10: every variant's rank under each metric, and the mean rank."""
        return mean_rank(self._by_name(), lower_is_better=self._lower())

    def without_each_metric(self) -> dict[str, Standings]:
        """Table 10 without one metric after the other."""
        return without_each(self._by_name(), lower_is_better=self._lower())

    def changed(self, variant: Variant) -> int:
        """How many segments an edit changed."""
        place = self.variants.index(variant)
        return sum(row[place].skipped is None for row in self.made) if variant.edits else 0

    def weaknesses(self) -> tuple[Weakness, ...]:
        """How often each edit moves each metric the wrong way; edits of all victims together."""
        edits = dict.fromkeys(variant.edits for variant in self.variants if variant.edits)
        return tuple(self._weakness(edit, metric) for metric in self.metrics for edit in edits)

    def _weakness(self, edits: tuple[str, ...], metric: str) -> Weakness:
        sign = 1.0 if find_metric(metric).higher_is_better else -1.0
        found: list[NDArray[np.float64]] = []
        for place, variant in enumerate(self.variants):
            if variant.edits == edits:
                changed = np.array([row[place].skipped is None for row in self.made], bool)
                scores = self.scores[metric]
                found.append(sign * (scores[:, place] - scores[:, self._plain(variant)])[changed])
        moved = np.concatenate(found)
        moved = moved[np.isfinite(moved)]
        none = Weakness(edit="+".join(edits), metric=metric, n=len(moved), breaks=_breaks_meaning(edits))
        if not len(moved):
            return none
        rose, fell = float((moved > EQUAL).mean()), float((moved < -EQUAL).mean())
        fooled = None if none.breaks is None else rose if none.breaks else fell
        return replace(none, rose=rose, fell=fell, mean=float(moved.mean()), fooled=fooled)

    def _plain(self, variant: Variant) -> int:
        return self.variants.index(Variant(system=variant.system))

    def _by_name(self) -> dict[str, dict[str, float | None]]:
        names = [variant.name for variant in self.variants]
        return {metric: dict(zip(names, self.pooled[metric], strict=True)) for metric in self.metrics}

    def _lower(self) -> list[str]:
        return [metric for metric in self.metrics if not find_metric(metric).higher_is_better]


def _breaks_meaning(edits: Sequence[str]) -> bool | None:
    """Of edits one on the other: one that breaks the meaning breaks it; what depends, depends."""
    kinds = [find_edit(name).breaks_meaning for name in edits]
    return True if True in kinds else None if None in kinds else False


def better_under(good: Mapping[str, float | None], bad: Mapping[str, float | None]) -> tuple[str, ...]:
    """The metrics under which the bad translation is ahead of the good one, in their order."""
    return tuple(name for name in good if _ahead(name, bad.get(name), good[name]))


def fooled_alone(good: Mapping[str, float | None], bad: Mapping[str, float | None]) -> str | None:
    """The one metric that puts the bad translation ahead while all others put it behind; else None.

    Equal scores, and a missing one, are neither ahead nor behind.
    """
    ahead = better_under(good, bad)
    behind = better_under(bad, good)
    return ahead[0] if len(ahead) == 1 and len(behind) == len(good) - 1 else None


def _ahead(metric: str, score: float | None, other: float | None) -> bool:
    if score is None or other is None:
        return False
    difference = score - other if find_metric(metric).higher_is_better else other - score
    return difference > EQUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """What is asked of a run. seed: of the edits."""

    variants: tuple[Variant, ...]
    requests: tuple[Request, ...]
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LabPlan:
    """A run whose texts are made and of which nothing is scored: what it costs can be said.

    made: the texts, segment by segment, variant by variant; pairs: the same in a row. scorers: of `requests`.
    """

    lab: Lab
    made: Sequence[Sequence[Made]]
    pairs: Sequence[TextPair]
    scorers: Sequence[Scorer[Any]]

    def costs(self) -> list[tuple[Judge, CostEstimate]]:
        """What the calls of language models cost at most; empty where no new call is needed."""
        return new_costs(self.scorers, self.pairs)


def plan_lab(segments: Sequence[LabSegment], lab: Lab, backends: Backends) -> LabPlan:
    """Edit all texts and settle all options.

    Raises InputError without segments or variants, OptionError for unknown edits and metrics.
    """
    if not segments or not lab.variants or not lab.requests:
        raise InputError("Choose at least one segment, one system and one metric.")
    made = make(segments, lab.variants, backends, seed=lab.seed)
    pairs = [
        TextPair(reference=segment.reference, hypothesis=one.text, source=segment.source, lang=segment.lang)
        for segment, texts in zip(segments, made, strict=True)
        for one in texts
    ]
    scorers = [find_metric(one.metric).prepare(one.settings, backends, pairs) for one in lab.requests]
    return LabPlan(lab=lab, made=made, pairs=pairs, scorers=scorers)


def run_lab(
    segments: Sequence[LabSegment], lab: Lab, backends: Backends, *, progress: Progress = silent
) -> LabTable:
    """The whole table; see `tables_of_lab`."""
    for table in tables_of_lab(segments, lab, backends, progress=progress):
        found = table
    return found


def tables_of_lab(
    segments: Sequence[LabSegment], lab: Lab, backends: Backends, *, progress: Progress = silent
) -> Iterator[LabTable]:
    """`plan_lab` and `tables_of_plan`; raises what the first raises."""
    yield from tables_of_plan(plan_lab(segments, lab, backends), progress=progress)


def tables_of_plan(plan: LabPlan, *, progress: Progress = silent) -> Iterator[LabTable]:
    """Score and count; yields the table so far after each segment: stop whenever you like.

    A segment's variants are scored one after the other, so that its reference and their common words are read
    once.
    """
    lab, made = plan.lab, plan.made
    signatures = {one.metric: ready.signature for one, ready in zip(lab.requests, plan.scorers, strict=True)}
    scores = {metric: np.full((len(made), len(lab.variants)), np.nan) for metric in signatures}
    pools: dict[str, list[Pool]] = {
        metric: [find_metric(metric).pool() for _ in lab.variants] for metric in signatures
    }
    for place, results in enumerate(score_prepared(plan.pairs, plan.scorers, progress=progress)):
        segment, variant = divmod(place, len(lab.variants))
        for metric, result in zip(signatures, results, strict=True):
            pools[metric][variant].add(result)
            if result.score is not None:
                scores[metric][segment, variant] = result.score
        if variant == len(lab.variants) - 1:
            yield LabTable(
                variants=lab.variants,
                metrics=tuple(signatures),
                signatures=signatures,
                scores={metric: rows[: segment + 1].copy() for metric, rows in scores.items()},
                pooled={metric: tuple(pool.score for pool in pools[metric]) for metric in signatures},
                parts={metric: tuple(pool.parts for pool in pools[metric]) for metric in signatures},
                made=made[: segment + 1],
            )


def texts_of(made: Sequence[Sequence[Made]]) -> int:
    """How many distinct texts a run reads, references apart."""
    return len({one.text for row in made for one in row})
