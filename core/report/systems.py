"""The systems: their order under each normalisation, means in clusters, every two of them compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.charts import metaeval as charts
from core.charts.embed import division
from core.charts.palette import LIGHT
from core.raters.normalisation import WAYS, Caution, Order, Orders, Swap
from core.raters.ranking import ALPHA
from core.report.blocks import Block, Picture, Section, Sentences, Table
from core.report.content import TEST, Findings, Report
from core.report.formatting import digits_of, places_of
from core.text.locale import Speaker
from core.text.numbers import DASH, interval, number, p_value


def side_by_side(found: Findings, say: Speaker) -> Section:
    """Whether the ranking of the systems depends on the normalisation."""
    orders, t = found.orders, say.t
    if not orders.orders[0].systems:
        return Section(title=t("report.orders"), blocks=[Sentences(text=t("report.no_systems"))])
    blocks: list[Block] = []
    if len(orders.orders[0].systems) < 2:
        blocks.append(Sentences(text=t("orders.one_system")))
    else:
        blocks += _swaps(orders.swaps, say)
        names = {str(way): t(f"method.{way}") for way in WAYS}
        figure = charts.ranks(orders.orders, names=names, palette=LIGHT)
        figure.update_layout(margin_l=60)  # on a page of paper long names need more room
        drawn = division(figure, name="figure-orders", alt=t("orders.alt"), palette=LIGHT)
        blocks.append(Picture(division=drawn))
    blocks.append(_orders(orders, say))
    blocks += [Sentences(text=text, tone="quiet") for text in _gaps(orders.orders, say)]
    blocks += [Sentences(text=_caution(one, say), tone="warning") for one in orders.cautions]
    return Section(title=t("report.orders"), blocks=blocks)


def _swaps(swaps: Sequence[Swap], say: Speaker) -> Iterator[Sentences]:
    if not swaps:
        yield Sentences(text=say.t("orders.same"))
        return
    yield Sentences(text=say.t("orders.changes", n=len(swaps)), tone="warning")
    for one in swaps:
        first, second = (
            ", ".join(say.t(f"method.{way}") for way in ways) for ways in (one.first_ahead, one.second_ahead)
        )
        names = {"first": one.first, "second": one.second}
        text = say.t("orders.swap", first_ahead=first, second_ahead=second, **names)
        yield Sentences(text=text, tone="warning")


def _orders(found: Orders, say: Speaker) -> Table:
    """Each system's mean under each normalisation, with its place."""
    t = say.t
    header = (
        t("agreement.column.system"),
        t("agreement.column.n"),
        *(t(f"method.{order.way}") for order in found.orders),
    )
    rows = [
        (one.system, f"{one.n:,}", *(_mean(order, one.system) for order in found.orders))
        for one in found.orders[0].systems
    ]
    caption, numbers = t("report.caption.orders"), frozenset(range(1, len(header)))
    return Table(name="orders", caption=caption, header=header, rows=rows, numbers=numbers)


def _mean(order: Order, system: str) -> str:
    for place, one in enumerate(order.systems, 1):
        if one.system == system:
            return f"{number(one.value, digits_of(order.way))} ({place})"
    return DASH


def _gaps(orders: Sequence[Order], say: Speaker) -> Iterator[str]:
    """Who could not be normalised in which way."""
    for order in orders:
        for one in order.skipped:
            reason = say.t(f"agreement.skipped.{one.reason}", rater=one.rater)
            yield f"{say.t(f'method.{order.way}')}: {reason}"


def _caution(one: Caution, say: Speaker) -> str:
    values: dict[str, object] = {"name": one.name, "n": one.n}
    if one.sd is not None:
        values["sd"] = number(one.sd, 2)
    return say.t(f"orders.caution.{one.word}", **values)


def ranking(given: Report, found: Findings, say: Speaker) -> Section:
    """Means with intervals, in clusters, and every two systems compared."""
    t, digits, method = say.t, digits_of(given.method), say.t(f"method.{given.method}")
    if not found.means:
        return Section(title=t("report.ranking"), blocks=[Sentences(text=t("report.no_systems"))])
    words = charts.MeanWords(
        axis=t("ranking.axis", method=method),
        hover=t("ranking.hover", mean="{mean}", low="{low}", high="{high}", n="{n}"),
        test=t("ranking.by", test=t(f"ranking.test.{TEST}"), alpha=f"{ALPHA:g}"),
    )
    figure = charts.means(found.means, found.clusters, words=words, palette=LIGHT, digits=digits)
    drawn = division(figure, name="figure-means", alt=t("ranking.alt"), palette=LIGHT)
    rows = [
        (
            places_of(one.system, found.clusters),
            one.system,
            number(one.mean, digits),
            interval(one.low, one.high, digits, language=say.language),
            f"{one.n:,}",
        )
        for one in found.means
    ]
    header = tuple(t(f"ranking.column.{name}") for name in ("cluster", "system", "mean", "interval", "n"))
    caption, numbers = t("report.caption.systems", method=method), frozenset({2, 3, 4})
    table = Table(name="systems", caption=caption, header=header, rows=rows, numbers=numbers)
    blocks: list[Block] = [Picture(division=drawn), table, Sentences(text=t("ranking.what"), tone="quiet")]
    if found.comparisons:
        blocks += _comparisons(found, say, digits)
    return Section(title=t("report.ranking"), blocks=blocks)


def _comparisons(found: Findings, say: Speaker, digits: int) -> Iterator[Block]:
    t = say.t
    rows = []
    for one in found.comparisons:
        more = found.more[one.first, one.second].more
        rows.append(
            (
                f"{one.first} – {one.second}",
                DASH if one.difference is None else number(one.difference, digits),
                f"{one.n:,}",
                p_value(one.wilcoxon),
                p_value(one.randomisation),
                DASH if more is None else f"{more:,}",
            )
        )
    pair = {name: t(f"ranking.pair.{name}") for name in ("systems", "difference", "n", "p", "more")}
    both = (f"{pair['p']} ({t(f'ranking.test.{name}')})" for name in ("wilcoxon", "randomisation"))
    header = (pair["systems"], pair["difference"], pair["n"], *both, pair["more"])
    caption, numbers = t("report.caption.comparisons"), frozenset(range(1, 6))
    yield Table(name="comparisons", caption=caption, header=header, rows=rows, numbers=numbers)
    yield Sentences(text=t("ranking.pairs_what", test=t(f"ranking.test.{TEST}")), tone="quiet")
    for reason in dict.fromkeys(one.missing for one in found.comparisons if one.missing is not None):
        yield Sentences(text=t(f"missing.{reason}"), tone="quiet")
