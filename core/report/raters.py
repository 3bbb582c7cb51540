"""The raters: their scores, whether they agree, who falls under which rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.charts import raters as charts
from core.charts.embed import division
from core.charts.palette import LIGHT
from core.raters.agreement import Agreement
from core.raters.quality import CheckTest, RaterQuality
from core.raters.rater_flags import Entry, Ranking
from core.report.blocks import Block, Collapsible, Picture, Section, Sentences, Table
from core.report.content import Findings, Report
from core.report.formatting import coefficient, digits_of
from core.report.method import coefficients
from core.text.locale import Speaker
from core.text.numbers import DASH, interval, number, p_value

QUALITY = ("rater", "n", "checks", "repeat", "degraded", "reference", "pace", "same", "drift")


def raters(given: Report, found: Findings, say: Speaker) -> Section:
    """A row for each rater whose scores could be put on the scale of the report."""
    digits, t = digits_of(given.method), say.t
    rows = [
        (
            one.rater,
            f"{one.n:,}",
            number(one.mean, digits),
            DASH if one.sd is None else number(one.sd, digits),
            number(one.low, digits),
            number(one.high, digits),
        )
        for one in found.agreement.raters
    ]
    blocks: list[Block] = [
        Sentences(text=t(f"agreement.skipped.{one.reason}", rater=one.rater), tone="warning")
        for one in found.agreement.skipped
    ]
    if rows:
        header = tuple(t(f"agreement.column.{name}") for name in ("rater", "n", "mean", "sd", "low", "high"))
        caption = t("report.caption.raters", method=t(f"method.{given.method}"))
        numbers = frozenset(range(1, 6))
        blocks.append(Table(name="raters", caption=caption, header=header, rows=rows, numbers=numbers))
    else:
        blocks.append(Sentences(text=t("report.no_raters")))
    return Section(title=t("agreement.raters"), blocks=blocks)


def agreeing(found: Findings, say: Speaker) -> Section:
    """The matrix of every two raters, its numbers as a table, and the coefficients of all together."""
    t, pairs = say.t, found.agreement.pairs
    blocks: list[Block] = []
    if pairs:
        words = charts.RaterMatrixWords(
            shared=t("agreement.cell_n", n="{n}"),
            interval=t("agreement.interval", low="{low}", high="{high}"),
            few_shared=t("agreement.few_shared"),
            no_variance=t("agreement.no_variance"),
        )
        figure = charts.matrix(found.agreement.names, pairs, words=words, palette=LIGHT)
        drawn = division(figure, name="figure-matrix", alt=t("agreement.matrix_alt"), palette=LIGHT)
        blocks += [Picture(division=drawn), Sentences(text=t("agreement.same_r"), tone="quiet")]
        blocks.append(Collapsible(title=t("report.pairs"), blocks=[_pairs(pairs, say)]))
    blocks.append(_coefficients(found, say))
    reasons = dict.fromkeys(one.missing for _, one, _ in coefficients(found) if one.missing is not None)
    blocks += [Sentences(text=t(f"missing.{reason}"), tone="quiet") for reason in reasons]
    return Section(title=t("report.agreement"), blocks=blocks)


def _pairs(pairs: Sequence[Agreement], say: Speaker) -> Table:
    rows = [
        (
            one.first,
            one.second,
            number(one.r),
            interval(one.low, one.high, language=say.language),
            f"{one.n:,}",
        )
        for one in pairs
    ]
    t = say.t
    header = (t("report.first_rater"), t("report.second_rater"), "r", t("reliability.column.interval"), "n")
    caption, numbers = t("report.caption.pairs"), frozenset({2, 3, 4})
    return Table(name="pairs", caption=caption, header=header, rows=rows, numbers=numbers)


def _coefficients(found: Findings, say: Speaker) -> Table:
    t = say.t
    rows = [
        (
            t(f"reliability.{name}"),
            coefficient(one),
            interval(one.low, one.high, language=say.language),
            f"{n:,}",
        )
        for name, one, n in coefficients(found)
    ]
    header = tuple(t(f"reliability.column.{name}") for name in ("what", "value", "interval", "n"))
    caption, numbers = t("report.caption.reliability"), frozenset({1, 2, 3})
    return Table(name="reliability", caption=caption, header=header, rows=rows, numbers=numbers)


def under_rules(given: Report, found: Findings, say: Speaker) -> Section:
    """What is known of each rater, who falls under a rule, and what leaving those out would do."""
    t = say.t
    declared = t("quality.declared") if given.declared else t("quality.usual")
    blocks: list[Block] = [Sentences(text=declared)]
    if found.quality:
        header = tuple(t(f"quality.column.{name}") for name in QUALITY)
        rows = [rater_row(one, say) for one in found.quality]
        caption, numbers = t("report.caption.quality"), frozenset(range(1, len(QUALITY)))
        blocks.append(Table(name="quality", caption=caption, header=header, rows=rows, numbers=numbers))
        blocks.append(Sentences(text=t("quality.read"), tone="quiet"))
    if found.entries:
        blocks += [Sentences(text=t("quality.ledger_what")), _ledger(found.entries, say)]
        blocks += _sensitivity(found, say, digits_of(given.method))
    else:
        blocks.append(Sentences(text=t("quality.nobody")))
    return Section(title=t("quality.ledger"), blocks=blocks)


def rater_row(one: RaterQuality, say: Speaker) -> tuple[str, ...]:
    """Everything that is known of a rater, in the order of `QUALITY`. A drift that says nothing is a dash."""
    same, drift = one.same.share.value, one.drift
    return (
        one.rater,
        f"{one.n:,}",
        f"{one.checks:,}",
        number(one.repeat_error.value, 1),
        _check(one.degraded, say),
        _check(one.reference, say),
        number(one.pace.a_minute.value, 0),
        DASH if same is None else f"{100 * same:.0f} % ({one.same.run})",
        number(drift.slope.value if drift.tells else None, 1, signed=True),
    )


def _check(one: CheckTest, say: Speaker) -> str:
    """`p 0.032 (12)`; without a test the share of pairs that are the right way round, `60 % right (2)`."""
    if one.p is not None:
        return f"p {p_value(one.p)} ({one.n})"
    return DASH if one.share is None else say.t("quality.right", share=number(100 * one.share, 0), n=one.n)


def _ledger(entries: Sequence[Entry], say: Speaker) -> Table:
    rows = []
    for one in entries:
        digits = 1 if one.rule in ("repeat", "drift", "same-run") else 2
        value, threshold = number(one.value, digits), number(one.threshold, digits)
        rows.append((one.rater, say.t(f"quality.rule.{one.rule}"), value, threshold, f"{one.n:,}"))
    header = tuple(say.t(f"quality.entry.{name}") for name in ("rater", "rule", "value", "threshold", "n"))
    caption, numbers = say.t("report.caption.ledger"), frozenset({2, 3, 4})
    return Table(name="ledger", caption=caption, header=header, rows=rows, numbers=numbers)


def _sensitivity(found: Findings, say: Speaker, digits: int) -> Iterator[Block]:
    all_out = found.sensitivity.without_all
    if all_out is None:
        return
    t = say.t
    rankings = [found.sensitivity.everyone, *found.sensitivity.without_each]
    if len(found.sensitivity.without_each) > 1:
        rankings.append(all_out)
    header = (t("quality.without"), t("agreement.column.n"), t("quality.order"), t("quality.changed"))
    rows = [_ranking(one, say, digits) for one in rankings]
    caption, numbers = t("quality.sensitivity"), frozenset({1})
    yield Table(name="sensitivity", caption=caption, header=header, rows=rows, numbers=numbers)


def _ranking(one: Ranking, say: Speaker, digits: int) -> tuple[str, ...]:
    t = say.t
    order = " > ".join(f"{score.system} {number(score.value, digits)}" for score in one.systems) or DASH
    if not one.without:
        return t("quality.no_one"), f"{one.n:,}", order, DASH
    if one.lost:
        change = t("quality.lost", systems=", ".join(one.lost))
    else:
        change = t("quality.yes") if one.changed else t("quality.no")
    return ", ".join(one.without), f"{one.n:,}", order, change
