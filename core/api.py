"""Python for notebooks: scores with their evidence, systems compared, agreement of raters.

Everything here is exported by `core`: `import core; core.score(references, hypotheses, metric="bertscore")`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from statistics import fmean
from typing import TYPE_CHECKING, Any, overload

from core.backends import Backends
from core.backends.registry import load_backends
from core.charts.embed import document
from core.charts.evidence import Figure, picture
from core.charts.palette import LIGHT
from core.errors import InputError, OptionError
from core.metaeval.comparison import SEED, SystemComparison, compare_systems
from core.metrics import digits_of, find_metric
from core.metrics.base import MeanPool
from core.raters.agreement import AgreementReport, report
from core.raters.ratings import METHODS, Method, Rating
from core.scoring import Request, score_pairs
from core.text.locale import LANGUAGES, Language, Speaker
from core.text.pair_files import language, references_of
from core.types import Result, TextPair

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 20
"""Rows of a table of scores in a notebook."""


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """A pair with its result. A notebook shows it as the picture of its evidence, without a server."""

    pair: TextPair
    result: Result[Any]

    @property
    def score(self) -> float | None:
        """The score; None where there is none, and then `result.missing` says why."""
        return self.result.score

    @property
    def parts(self) -> Mapping[str, float]:
        """Every number of the trace, by name, such as precision and recall."""
        return self.result.parts

    def figure(self, lang: Language = "en") -> Figure:
        """The picture of the evidence as on the page, as a plotly figure. lang: of its words, en or ja.

        Raises InputError for a metric without a picture and for a result without a trace.
        """
        if lang not in LANGUAGES:
            raise OptionError(
                "lang is {languages}, not “{lang:.20}”.", languages=" or ".join(LANGUAGES), lang=lang
            )
        found = None if self.result.trace is None else picture(self.result.trace, Speaker(lang), LIGHT)
        if found is None:
            raise InputError("There is no picture of this result of {metric}.", metric=self.result.metric)
        return found

    def show(self, lang: Language = "en") -> None:
        """Show the picture where plotly shows figures: in a notebook, else in the browser."""
        self.figure(lang).show()

    def to_html(self, lang: Language = "en") -> str:
        """The picture as an HTML file of its own, which makes no requests."""
        figure, title = self.figure(lang), f"{self.result.metric} {_number(self.result.metric, self.score)}"
        return document(figure, title=title, alt=title, palette=LIGHT)

    def _repr_html_(self) -> str:
        """For notebooks: the score, and the picture in a frame of its own."""
        head = f"<p><b>{escape(self.result.metric)}</b> {_number(self.result.metric, self.score)}</p>"
        try:
            height = int(self.figure().layout.height or 400) + 120
            source = escape(self.to_html(), quote=True)
        except InputError:
            return head
        return f'{head}<iframe srcdoc="{source}" style="width:100%;height:{height}px;border:0"></iframe>'


@dataclass(frozen=True, slots=True)
class ScoreList(Sequence[ScoredPair]):
    """The results of a metric for a list of pairs, in their order."""

    metric: str
    signature: str
    results: tuple[ScoredPair, ...]

    def __len__(self) -> int:
        return len(self.results)

    @overload
    def __getitem__(self, index: int) -> ScoredPair: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[ScoredPair, ...]: ...

    def __getitem__(self, index: int | slice) -> ScoredPair | tuple[ScoredPair, ...]:
        return self.results[index]

    def __iter__(self) -> Iterator[ScoredPair]:
        return iter(self.results)

    @property
    def scores(self) -> list[float | None]:
        """The score of each pair; None where there is none."""
        return [one.score for one in self.results]

    @property
    def mean(self) -> float | None:
        """The mean of the scores that there are; None without any."""
        values = [one for one in self.scores if one is not None]
        return fmean(values) if values else None

    @property
    def corpus(self) -> float | None:
        """The score of all pairs together: of summed counts for BLEU and chrF, else the mean."""
        pool = find_metric(self.metric).pool()
        for one in self.results:
            pool.add(one.result)
        return self.mean if isinstance(pool, MeanPool) else pool.score

    def to_frame(self) -> pd.DataFrame:
        """A row for each pair: texts, score, parts, flags, and the reason for a missing score."""
        import pandas as pd

        return pd.DataFrame(
            {
                "reference": one.pair.reference,
                "hypothesis": one.pair.hypothesis,
                "source": one.pair.source,
                "score": one.score,
                **one.parts,
                "flags": " ".join(one.result.flags),
                "missing": one.result.missing,
            }
            for one in self.results
        )

    def _repr_html_(self) -> str:
        """For notebooks: the mean, the signature, and the first rows."""
        rows = "".join(
            f"<tr><td>{place}</td><td>{escape(one.pair.reference)}</td><td>{escape(one.pair.hypothesis)}</td>"
            f"<td>{_number(self.metric, one.score)}</td></tr>"
            for place, one in enumerate(self.results[:SHOWN])
        )
        more = f"<p>… {len(self) - SHOWN} more</p>" if len(self) > SHOWN else ""
        return (
            f"<p><b>{escape(self.metric)}</b> mean {_number(self.metric, self.mean)}, n {len(self)}<br>"
            f"<code>{escape(self.signature)}</code></p><table><tr><th></th><th>reference</th><th>hypothesis</th>"
            f"<th>score</th></tr>{rows}</table>{more}"
        )


References = str | Sequence[str] | Sequence[Sequence[str]]


def score(
    references: References,
    hypotheses: str | Sequence[str],
    metric: str = "bertscore",
    *,
    sources: str | Sequence[str] | None = None,
    lang: str = "auto",
    **options: object,
) -> ScoreList:
    """Score translations against references.

    references, hypotheses, sources: texts of the same number; a single text is a list of one. Where segments
    have several references, a list of texts stands in the place of each text: BLEU, chrF and TER join them as
    sacreBLEU does, other metrics take the best (`references="mean"`: the mean). metric: a name in
    `core.METRICS`. lang: ISO 639-1 code of references and hypotheses; auto guesses it. options: of the
    metric, such as `layer=9` or `weight="idf"`.

    Raises InputError for lists of different lengths and empty ones, OptionError for an unknown metric or
    option.
    """
    pairs = _pairs(references, hypotheses, sources, lang)
    settings = {name: str(value) for name, value in options.items()}
    rows = list(score_pairs(pairs, [Request(metric, settings)], _backends()))
    results = tuple(ScoredPair(pair, row[0]) for pair, row in zip(pairs, rows, strict=True))
    return ScoreList(metric, results[0].result.signature, results)


def explain(
    reference: str | Sequence[str],
    hypothesis: str,
    metric: str = "bertscore",
    *,
    source: str | None = None,
    lang: str = "auto",
    **options: object,
) -> ScoredPair:
    """Score one translation, with the evidence; as `score`. reference: a text, or several references."""
    listed = reference if isinstance(reference, str) else [reference]
    return score(listed, hypothesis, metric, sources=source, lang=lang, **options)[0]


def compare(
    references: Sequence[str] | Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[str]],
    metric: str = "bertscore",
    *,
    sources: Sequence[str] | None = None,
    lang: str = "auto",
    seed: int = SEED,
    **options: object,
) -> SystemComparison:
    """Compare systems: scores with 95 % intervals, paired bootstrap and approximate randomization.

    systems: the translations of each, by its name, in the order of the references. Raises InputError for
    fewer than two systems and as `score`.
    """
    if len(systems) < 2:
        raise InputError("Give two systems or more, as a mapping from names to translations.")
    found = {
        name: [one.result for one in score(references, texts, metric, sources=sources, lang=lang, **options)]
        for name, texts in systems.items()
    }
    return compare_systems(metric, found, seed=seed)


def agreement(
    frame: pd.DataFrame,
    *,
    rater: str = "rater",
    item: str = "item",
    score: str = "score",  # the column's name
    method: Method = "raw",
) -> AgreementReport:
    """Whether raters agree: r of every two raters, their mean, summaries of raters, and gold scores.

    frame: a row for each rating. rater, item, score: names of its columns. method: on which scale the scores
    are compared, a name in `core.raters.ratings.METHODS`. Raises InputError for a column that is not there, a
    score that is no number, and a frame without rows.
    """
    if method not in METHODS:
        raise OptionError(
            "method {method:.20}: choose from {methods}.", method=method, methods=", ".join(METHODS)
        )
    lacking = [name for name in (rater, item, score) if name not in frame.columns]
    if lacking:
        raise InputError("The table has no column {column}.", column=", ".join(lacking))
    rows = []
    for who, what, value in frame[[rater, item, score]].itertuples(index=False, name=None):
        try:
            number = float(value)
        except (TypeError, ValueError) as error:
            raise InputError("The score “{value:.40}” is no number.", value=str(value)) from error
        if number != number:  # a cell without a score
            continue
        rows.append(Rating(str(who), what, number))
    if not rows:
        raise InputError("The table has no scores.")
    return report(rows, method=method)


def _pairs(
    references: References,
    hypotheses: str | Sequence[str],
    sources: str | Sequence[str] | None,
    lang: str,
) -> list[TextPair]:
    ours, theirs = _references(references), _texts("hypotheses", hypotheses)
    given = [None] * len(ours) if sources is None else _texts("sources", sources)
    if not ours:
        raise InputError("There are no references; give one for each translation.")
    for name, texts in (("hypotheses", theirs), ("sources", given)):
        if len(texts) != len(ours):
            raise InputError(
                "There are {n} {name} and {expected} references; give one for each.",
                n=len(texts),
                name=name,
                expected=len(ours),
            )
    code = language(lang, [first for first, *_ in ours])
    return [
        TextPair(
            reference=first,
            hypothesis=hypothesis,
            source=source,
            lang=code,
            more_references=tuple(more),
        )
        for (first, *more), hypothesis, source in zip(ours, theirs, given, strict=True)
    ]


def _references(given: References) -> list[list[str]]:
    """The references of each segment, without empty ones where there are others."""
    listed: list[str | Sequence[str]] = [given] if isinstance(given, str) else list(given)
    found = []
    for index, one in enumerate(listed):
        several = isinstance(one, list | tuple)
        texts = _texts(f"references[{index}]", one) if several else _texts("references", [one], first=index)
        if not texts:
            raise InputError("references[{index}] is an empty list; give at least one text.", index=index)
        found.append(references_of(texts))
    return found


def _texts(name: str, given: str | Sequence[Any], *, first: int = 0) -> list[str]:
    """A list of texts. Raises InputError, with the index from `first` on, for what is no text."""
    texts = [given] if isinstance(given, str) else list(given)
    for index, text in enumerate(texts, first):
        if not isinstance(text, str):
            raise InputError(
                "{name}[{index}] is no text but {kind}.", name=name, index=index, kind=type(text).__name__
            )
    return texts


def _number(metric: str, value: float | None) -> str:
    return "–" if value is None else f"{value:.{digits_of(metric)}f}"


@cache
def _backends() -> Backends:
    """The models of this process, loaded when first used."""
    return load_backends()
