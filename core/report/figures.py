"""The figures of a report for other programs: one row a figure, unrounded, as JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import core
from core.report.content import SEED, Findings, Report, find
from core.report.formatting import places_of
from core.report.method import coefficients
from core.stats.estimate import Estimate
from core.text.workbook import neutral


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFigure:
    """One figure.

    table: the table of the report that shows it. of, and: what it is a figure of, such as two raters. low,
    high: its 95 % interval. n: what it rests on. missing: why there is no value.
    """

    table: str
    measure: str
    of: str = ""
    and_: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    missing: str | None = None


COLUMNS = ("table", "measure", "of", "and", "value", "low", "high", "n", "missing")


def as_json(given: Report) -> str:
    """The figures with what they are figures of: campaign, protocol, normalisation, seed and version.

    Where an own scale was taken, its name.
    """
    facts = given.facts
    about = {
        "campaign": facts.name,
        "source_lang": facts.source_lang,
        "target_lang": facts.target_lang,
        "protocol": facts.protocol,
        "method": given.method,
        **({} if facts.scale is None else {"scale": facts.scale.name}),
        "seed": SEED,
        "yomikurabe": core.__version__,
        "rated_from": None if facts.first is None else facts.first.isoformat(),
        "rated_to": None if facts.last is None else facts.last.isoformat(),
        "figures": [dict(zip(COLUMNS, asdict(one).values(), strict=True)) for one in figures(given)],
    }
    return json.dumps(about, ensure_ascii=False, indent=1) + "\n"


def as_csv(given: Report) -> str:
    """The figures as a table with the header `COLUMNS`; an empty cell where there is nothing.

    A name that a spreadsheet would take for a formula has an apostrophe before it.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in figures(given):
        writer.writerow(neutral(cell) if isinstance(cell, str) else cell for cell in asdict(one).values())
    return file.getvalue()


def figures(given: Report) -> Iterator[ReportFigure]:
    """Every figure of the report's tables, in their order. Raises InputError as `find`."""
    found = find(given)
    yield from _raters(found)
    yield from _agreement(found)
    yield from _systems(found)
    yield from _quality(found)


def _raters(found: Findings) -> Iterator[ReportFigure]:
    for one in found.agreement.raters:
        values = {"mean": one.mean, "sd": one.sd, "lowest": one.low, "highest": one.high}
        for measure, value in values.items():
            yield ReportFigure(table="raters", measure=measure, of=one.rater, value=value, n=one.n)


def _agreement(found: Findings) -> Iterator[ReportFigure]:
    for one in found.agreement.pairs:
        yield ReportFigure(
            table="pairs",
            measure="r",
            of=one.first,
            and_=one.second,
            value=one.r,
            low=one.low,
            high=one.high,
            n=one.n,
            missing=one.missing,
        )
    for name, estimate, n in coefficients(found):
        yield _of_estimate("reliability", name, "", estimate, n)


def _systems(found: Findings) -> Iterator[ReportFigure]:
    for order in found.orders.orders:
        for system in order.systems:
            yield ReportFigure(
                table="orders", measure=f"mean {order.way}", of=system.system, value=system.value, n=system.n
            )
    for one in found.means:
        yield ReportFigure(
            table="systems",
            measure="mean",
            of=one.system,
            value=one.mean,
            low=one.low,
            high=one.high,
            n=one.n,
        )
        first, _, last = places_of(one.system, found.clusters).partition("–")
        yield ReportFigure(
            table="systems",
            measure="places",
            of=one.system,
            low=float(first),
            high=float(last or first),
            n=one.n,
        )
    for pair in found.comparisons:
        values = {
            "difference": pair.difference,
            "p wilcoxon": pair.wilcoxon,
            "p randomisation": pair.randomisation,
            "more segments needed": found.more[pair.first, pair.second].more,
        }
        for measure, value in values.items():
            yield ReportFigure(
                table="comparisons",
                measure=measure,
                of=pair.first,
                and_=pair.second,
                value=value,
                n=pair.n,
                missing=pair.missing if value is None else None,
            )


def _quality(found: Findings) -> Iterator[ReportFigure]:
    for one in found.quality:
        yield _of_estimate("quality", "repeat error", one.rater, one.repeat_error)
        for name, test in (("degraded", one.degraded), ("reference", one.reference)):
            yield ReportFigure(table="quality", measure=f"p {name}", of=one.rater, value=test.p, n=test.n)
        yield _of_estimate("quality", "items a minute", one.rater, one.pace.a_minute)
        yield _of_estimate("quality", "share of the same score", one.rater, one.same.share)
        yield _of_estimate("quality", "drift", one.rater, one.drift.slope)


def _of_estimate(table: str, measure: str, of: str, estimate: Estimate, n: int | None = None) -> ReportFigure:
    return ReportFigure(
        table=table,
        measure=measure,
        of=of,
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        n=estimate.n if n is None else n,
        missing=estimate.missing,
    )
