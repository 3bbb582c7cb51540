"""What a close reading says: preferences in passages, sides, agreement, and metrics against readers."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.raters.reading.close import ChunkAgreement, CloseFindings, PartPreference
from core.raters.reading.highlights import ReaderMean
from core.raters.reading.preferences import FEW_READERS, LENGTH, ShareEstimate
from core.text.numbers import p_value
from pages.ui.text import NONE, interval, line, metric_name, number, t, table
from pages.ui.widgets import figures

SHARES = frozenset({1, 2, 3, 4, 5})
HEADER = ("what", "choices", "share", "interval", "p", "chance")


def results(found: CloseFindings, unit: str) -> None:
    """All figures of the close reading; unit: of lengths."""
    st.subheader(t("close.title"), anchor=False)
    values = [
        (t("close.readers"), f"{found.readers:,}", None),
        (t("study.finished"), f"{found.finished:,}", None),
        (t("close.choices"), f"{found.choices:,}", None),
    ]
    figures(values, border=True)
    if not found.choices:
        line(t("close.none"))
        return
    if found.few:
        st.warning(t("study.few", n=found.finished, enough=FEW_READERS), icon=":material/warning:")
    _preferences(found)
    _agreement(found.agreement)
    _metrics(found)
    _means(found, unit)
    with st.expander(t("close.by_reader")):
        _parts(found.by_reader, t("study.column.reader"))
    with st.expander(t("close.by_chunk")):
        _parts(found.by_chunk, t("close.column.chunk"))


def share_cells(name: str, one: ShareEstimate) -> list[str]:
    """A row of a table of shares: name, hits, share, interval, p, chance."""
    p = NONE if one.p is None else p_value(one.p)
    ends = interval(one.low, one.high)
    return [name, f"{one.hits} / {one.n}", number(one.value), ends, p, number(one.chance)]


def _preferences(found: CloseFindings) -> None:
    rows = [
        share_cells(t("study.preferred", first=one.first, second=one.second), one.share)
        for one in found.preferences
    ]
    rows.append(share_cells(t("close.left"), found.left))
    rows.append(share_cells(t("close.as_whole"), found.with_whole))
    table([t(f"study.column.{name}") for name in HEADER], rows, numbers=SHARES)
    ties = sum(one.ties for one in found.preferences)
    if ties:
        line(t("study.ties", n=ties), tone="quiet")
    line(t("close.dependent"), tone="quiet")


def _agreement(found: ChunkAgreement) -> None:
    label = t("close.alpha")
    rows = []
    for name, one, chance in (
        (label, found.alpha, NONE),
        (t("close.same"), found.same, number(found.chance)),
    ):
        rows.append([name, f"{one.n:,}", number(one.value), interval(one.low, one.high), chance])
    header = ("what", "of", "value", "interval", "chance")
    table([t(f"study.column.{name}") for name in header], rows, numbers=frozenset({1, 2, 3, 4}))
    line(t("close.agreement_note", readers=found.readers), tone="quiet")
    if found.readers < FEW_READERS:
        line(t("close.agreement_few", readers=found.readers), tone="quiet")


def _metrics(found: CloseFindings) -> None:
    line(t("close.metrics"), tone="title")
    rows = []
    for one in found.metrics:
        longer = one.metric == LENGTH
        gain = one.over_length
        rows.append(
            [
                t("study.length") if longer else metric_name(one.metric),
                f"{one.share.hits} / {one.share.n}",
                number(one.share.value),
                interval(one.low, one.high),
                NONE if longer else number(gain.value, signed=True),
                NONE if longer else interval(gain.low, gain.high, signed=True),
            ]
        )
    header = ("what", "choices", "share", "interval", "over_length", "interval")
    table([t(f"study.column.{name}") for name in header], rows, numbers=SHARES)
    line(t("close.metrics_note"), tone="quiet")
    if len(found.metrics) == 1:
        line(t("study.no_metrics"), tone="quiet")


def _means(found: CloseFindings, unit: str) -> None:
    rows = [
        [t("close.share_of_reader", first=one.first, second=one.second), *_mean(one.readers, 2)]
        for one in found.preferences
    ]
    rows.append([t("close.kept"), *_mean(found.kept, 2)])
    for rate in found.marks:
        name = t(f"close.marks.{unit}", version=rate.version, kind=t(f"reading.pen.{rate.kind}"))
        rows.append([name, *_mean(rate.rate, 1)])
    rows.append([t("close.minutes"), *_mean(found.minutes, 1)])
    names = ("what", "readers", "mean", "interval")
    table([t(f"study.column.{name}") for name in names], rows, numbers=frozenset({1, 2, 3}))


def _mean(one: ReaderMean, digits: int) -> list[str]:
    return [f"{one.n:,}", number(one.value, digits), interval(one.low, one.high, digits)]


def _parts(found: Sequence[PartPreference], what: str) -> None:
    rows = [
        [
            one.of if one.chunk is None else f"{one.chunk + 1}",
            *share_cells(t("study.preferred", first=one.first, second=one.second), one.share)[:5],
            f"{one.ties:,}",
        ]
        for one in found
    ]
    header = [what, *(t(f"study.column.{name}") for name in (*HEADER[:5], "ties"))]
    table(header, rows, numbers=frozenset({2, 3, 4, 5, 6}))
