"""Widgets that several pages share: charts, files, tables of texts, switches, a run with a bar and Stop."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, Literal, TypeVar, cast

import streamlit as st

from core.charts.text import enlarged, readable
from core.metrics import METRICS, find_metric, known_metrics
from core.text.html import Tint
from core.text.workbook import neutral
from core.types import Result
from pages.auth import session
from pages.ui import state
from pages.ui.text import label, metric_name, novel, number, plain, t, tinted, words_or

T = TypeVar("T")
OnSelect = Callable[[], None] | Literal["rerun", "ignore"]
Progress = Callable[[int, int], None]
PICTURES = ("svg", "png")
PROJECTED = 1.3
"""How much larger the words of a chart are before a room."""

_PICTURE = "picture-kind"
DOWNLOAD = ":material/download:"


def chart(
    figure: object,
    key: str,
    alt: str,
    *,
    on_select: OnSelect = "ignore",
    scroll_zoom: bool = False,
    wide: bool = False,
) -> object:
    """A figure of `core.charts`, with a button that saves it.

    on_select: a callback, or `rerun`. wide: on a narrow screen the picture keeps its width and is scrolled.
    """
    drawn = readable(cast(Any, figure), state.palette())
    with st.container(key=f"wide-{key}") if wide else nullcontext():
        return st.plotly_chart(
            enlarged(drawn, PROJECTED) if state.projector() else drawn,
            key=key,
            config={**_saving(key), **({"scrollZoom": True} if scroll_zoom else {})},
            alt=alt,
            on_select=on_select,
            selection_mode="points",
        )


def _saving(key: str) -> dict[str, object]:
    """Plotly's settings for the button that saves a picture; it shows while the pointer is on the picture."""
    kind = st.session_state.get(_PICTURE, PICTURES[0])
    return {
        "displayModeBar": "hover",
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": kind, "filename": key, "scale": 1 if kind == "svg" else 2},
    }


def picture_kind() -> None:
    """As what the button on a picture saves it."""
    switch(t("picture.kind"), PICTURES, _PICTURE, str.upper, about=t("picture.kind_help"))


def clicked_item(event: object) -> int | None:
    """The whole number that a chart's clicked point carries as its `customdata`; None without a click."""
    points = getattr(getattr(event, "selection", None), "points", [])
    data = points[0].get("customdata") if points else None
    if isinstance(data, list | tuple):
        data = data[0] if data else None
    return data if isinstance(data, int) else None


def download(
    caption: str, data: bytes | str | Callable[[], bytes], file_name: str, *, key: str | None = None
) -> None:
    """A button that saves a file and draws nothing again."""
    st.download_button(
        caption, data, file_name=file_name, mime=_mime(file_name), icon=DOWNLOAD, on_click="ignore", key=key
    )


def download_csv(
    header: Sequence[str], rows: Sequence[Sequence[object]], file_name: str, *, key: str | None = None
) -> None:
    """The button that saves a table as CSV."""
    download(t("agreement.download"), csv_bytes(header, rows), file_name, key=key)


def _mime(file_name: str) -> str | None:
    kinds = {"csv": "text/csv", "html": "text/html", "json": "application/json"}
    return kinds.get(file_name.rpartition(".")[2])


def csv_bytes(header: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """CSV as in RFC 4180, UTF-8 with a byte order mark, so that spreadsheets show Japanese.

    A text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(header)
    writer.writerows([neutral(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return file.getvalue().encode("utf-8-sig")


def to_manage() -> None:
    """The way to the page for managing campaigns, for those who may."""
    if session.viewer().manages:
        st.page_link("pages/evaluate/manage/page.py", label=t("page.manage"), icon=":material/tune:")


def figures(values: Iterable[tuple[str, str, str | None]], *, border: bool = False) -> None:
    """Numbers in a row: caption, value and help of each."""
    with st.container(horizontal=True, gap="large", border=border):
        for caption, value, about in values:
            st.metric(caption, value, help=about, width="content")


def score_row(result: Result[Any], *further: tuple[str, str, str | None]) -> None:
    """F with its signature, precision and recall, and what else belongs into the row."""
    parts = [
        (t(f"pair.part.{part}"), number(result.parts[part], 3), None) for part in ("precision", "recall")
    ]
    score = (metric_name(result.metric), number(result.parts["f1"], 3), plain(result.signature))
    figures((score, *parts, *further))


def data_table(
    columns: Mapping[str, Sequence[object]],
    key: str,
    formats: Mapping[str, str],
    *,
    rows: int,
    most_pixels: int = 420,
    on_select: OnSelect = "ignore",
) -> None:
    """A table to sort and scroll. formats: of the columns with numbers. on_select: a row can be chosen."""
    st.dataframe(
        columns,
        hide_index=True,
        height=min(38 + 35 * rows, most_pixels),
        column_config={name: st.column_config.NumberColumn(format=form) for name, form in formats.items()},
        key=key,
        on_select=on_select,
        selection_mode="single-row",
        placeholder="–",
    )


def texts(passages: Iterable[tuple[str, str, Sequence[Tint] | None]], *, lang: str, colour: str = "") -> None:
    """Two passages side by side, each with its caption and its coloured ranges, or None for a plain one."""
    for column, (caption, text, tints) in zip(st.columns(2, gap="medium"), passages, strict=True):
        with column.container(border=True, height="stretch", gap=None):
            label(caption)
            if tints is None:
                novel(text, lang=lang)
            else:
                tinted(text, tints, lang=lang, colour=colour)


def signatures(texts: Iterable[str]) -> None:
    """Signatures of scores, folded in."""
    with st.expander(t("hacks.signatures")):
        for signature in texts:
            st.code(signature, language=None, wrap_lines=True)


def switch(
    caption: str,
    choices: Sequence[T],
    key: str,
    words: Callable[[Any], str],
    *,
    default: T | None = None,
    about: str | None = None,
    hidden: bool = False,
    disabled: bool = False,
    persist: bool = True,
) -> T:
    """One of a few choices, at first the first or `default`. hidden: without its caption.

    persist: the choice is still there when the reader comes back from another page.
    """
    return st.segmented_control(
        caption,
        choices,
        default=choices[0] if default is None else default,
        required=True,
        key=key,
        format_func=words,
        help=about,
        disabled=disabled,
        label_visibility="collapsed" if hidden else "visible",
        persist_state="session" if persist else None,
    )


def option_name(option: str, metric: str = "") -> str:
    """An option of metrics for a reader; one without words by its own name."""
    return words_or(f"option.{metric}.{option}", words_or(f"option.{option}", option))


def value_name(option: str, value: str, metric: str = "") -> str:
    """A value of an option for a reader; one without words, such as a number, as it is."""
    if value == "help":  # typed by a reader: the key of another sentence
        return value
    return words_or(f"option.{metric}.{option}.{value}", words_or(f"option.{option}.{value}", value))


def option_help(option: str, metric: str, **values: object) -> str:
    """What an option does: the app's words, else the metric's own summary."""
    summary = next(one.summary for one in find_metric(metric).options if one.name == option)
    general = words_or(f"option.{option}.help", summary, **values)
    return words_or(f"option.{metric}.{option}.help", general, **values)


def option(
    metric: str, name: str, key: str, *, choices: Sequence[str] | None = None, disabled: bool = False
) -> str:
    """One option of a metric as a widget, made from what the metric says of it.

    choices: instead of the option's own, where they depend on the texts; a single one is taken unasked.
    """
    declared = next(one for one in find_metric(metric).options if one.name == name)
    caption, about = option_name(name, metric), option_help(name, metric, usual=declared.default)
    offered = (*declared.choices, *_further(declared.also)) if choices is None else choices
    if choices is not None:
        key = f"{key}-{name}-{'-'.join(choices)}"  # other choices are another widget
        if len(choices) == 1:
            return choices[0]
    else:
        key = f"{key}-{name}"
    if not offered:
        typed = st.text_input(caption, declared.default, key=key, help=about, persist_state="session")
        return (typed or "").strip() or declared.default
    return switch(
        caption,
        offered,
        key,
        lambda value: value_name(name, value, metric),
        default=declared.default if declared.default in offered else None,
        about=about,
        disabled=disabled,
    )


def _further(also: str) -> list[str]:
    """The values that begin so and are known here: metrics from outside."""
    return [name for name in known_metrics() if also and name.startswith(also)]


def options(metric: str, names: Iterable[str], key: str) -> dict[str, str]:
    """Some options of a metric, as settings; `key` begins the widgets' keys."""
    return {name: option(metric, name, key) for name in names}


def metrics(*, offered: bool = False, fast: bool = False) -> list[str]:
    """Metrics that ask no language model. offered: without those that are not selected by default."""
    return [
        name
        for name, metric in METRICS.items()
        if not metric.costs and (metric.offered or not offered) and (metric.fast or not fast)
    ]


def metric_choice(caption: str, default: Sequence[str], *, key: str | None = None) -> list[str]:
    """Some of the metrics that ask no language model."""
    return st.multiselect(
        caption, metrics(), list(default), key=key, format_func=metric_name, placeholder=t("widget.choose")
    )


def scores_done(done: int, total: int) -> str:
    """The words beside the bar while scores are computed."""
    return t("score.progress", done=done, total=total)


@contextmanager
def stoppable(
    key: str,
    preparing: str | None = None,
    words: Callable[[int, int], str] = scores_done,
    *,
    kept: str | None = None,
) -> Iterator[Progress]:
    """A bar and a Stop button while the block runs: it reports how much is done to what it is given.

    A click on the button, or anywhere else, starts the page again and so ends the block; not within a
    fragment, in which a click stops nothing. kept: the button's help, which says what is kept.
    """
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, text=t("score.preparing") if preparing is None else preparing)
        st.button(t("asking.stop"), key=f"{key}-stop", help=kept)

        def report(done: int, total: int) -> None:
            bar.progress(done / max(total, 1), text=words(done, total))

        yield report
    place.empty()
