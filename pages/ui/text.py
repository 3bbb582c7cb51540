"""Words on the screen: the app's own in the reader's language, people's as text and nothing else.

The app's words are in `assets/locale/*.json`; `t` finds them. This is the only module that calls `st.html`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st

from core.assets import ASSETS
from core.errors import YomikurabeError
from core.text import html, numbers
from core.text.locale import language_name, worded, words
from core.text.numbers import number as number
from core.text.sentences import sentence, translated
from core.types import Result
from pages.ui import state

COLUMN = 760  # pixels
NONE = numbers.DASH
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:<>&])")
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def t(key: str, **values: object) -> str:
    """The app's words for `key` in the reader's language, places filled. KeyError for an unknown key."""
    return worded(state.language(), key, values)


def words_or(key: str, otherwise: str, **values: object) -> str:
    """The app's words for `key` in the reader's language; `otherwise` for an unknown key."""
    return worded(state.language(), key, values) if key in words(state.language()) else otherwise


def flag_words(flag: str) -> str:
    """What a result's flag means; a flag without words here as it is written."""
    return words_or(f"flag.{flag}", flag)


def metric_name(name: str) -> str:
    """A metric's name for a reader; one without words here by its own name. Settings in brackets stay."""
    metric, bracket, settings = name.partition(" (")
    return words_or(f"metric.{metric}", metric) + bracket + settings


def missing_reason(result: Result[Any]) -> str:
    """Why a result has no score."""
    return f"{t('structure.missing')} {in_words(result.missing or '')}".rstrip()


def in_words(said: str) -> str:
    """A sentence of the program in the reader's language, also one that was stored; another text as it is."""
    return translated(said, state.language()) or said


def language(code: str) -> str:
    """A language's name for a reader; one without words here by its code."""
    return language_name(code, state.language())


def either(english: str | None, japanese: str | None) -> str:
    """Of a text stored in two languages, the reader's; where it is missing, the other."""
    first, second = (japanese, english) if state.language() == "ja" else (english, japanese)
    return first or second or ""


def guide(name: str) -> str:
    """One of the app's own guides (Markdown) in the reader's language."""
    return _guide(name, state.language())


def plain(text: str) -> str:
    """People's words for a place where Streamlit reads Markdown, such as a label: they stay as typed."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def error_sentence(error: YomikurabeError) -> str:
    """What went wrong, in the reader's language; without words there, its kind and the English sentence."""
    return sentence(error, state.language()) or f"{t(f'error.{error.code}')} {sentence(error, 'en')}"


def show_error(error: YomikurabeError) -> None:
    """An error as a box, with nothing in it read as Markdown."""
    st.error(plain(error_sentence(error)), icon=":material/error:")


@contextmanager
def errors_shown() -> Iterator[None]:
    """Where a block raises one of our errors, the page shows it there and goes on after the block."""
    try:
        yield
    except YomikurabeError as error:
        show_error(error)


@contextmanager
def error_kept(slot: str) -> Iterator[None]:
    """For a callback: one of our errors ends the block and is kept for `show_kept_error` of the same slot."""
    try:
        yield
    except YomikurabeError as error:
        keep_error(slot, error)


def keep_error(slot: str, error: YomikurabeError) -> None:
    """Keep an error of a callback until the page is drawn."""
    st.session_state[f"{slot}-error"] = error


def take_error(slot: str) -> YomikurabeError | None:
    """The error that a callback kept, once."""
    error: YomikurabeError | None = st.session_state.pop(f"{slot}-error", None)
    return error


def show_kept_error(slot: str) -> None:
    """Show the error that a callback kept, once."""
    error = take_error(slot)
    if error is not None:
        show_error(error)


def moment(instant: datetime) -> str:
    """A time in the reader's zone: `12:03` today, else with the date in the reader's form."""
    here = zone()
    local, today = instant.astimezone(here), datetime.now(here)
    clock = f"{local:%H:%M}"
    if local.date() == today.date():
        return clock
    if state.language() == "ja":
        year = "" if local.year == today.year else f"{local.year}年"
        return f"{year}{local.month}月{local.day}日 {clock}"
    year = "" if local.year == today.year else f" {local.year}"
    return f"{local.day} {_MONTHS[local.month - 1]}{year}, {clock}"


def interval(low: float | None, high: float | None, digits: int = 2, *, signed: bool = False) -> str:
    """Two ends in the reader's language, or “–” where one is missing."""
    return numbers.interval(low, high, digits, signed=signed, language=state.language())


def score(value: float) -> str:
    """A score as typed: `86`, `86.5`."""
    return f"{value:g}"


def frame_style() -> None:
    """The classes of `core.html`; once per page."""
    limit = t("upload.limit", size=st.get_option("server.maxUploadSize"))
    st.html(html.STYLE + html.paper(state.palette().paper) + html.uploader(t("upload.choose"), limit))


def novel(text: str, *, lang: str) -> None:
    """A passage of a novel, exactly as stored."""
    if text.strip():
        st.html(html.text_block(text, lang=lang))
    else:
        st.html(html.empty(t("text.empty")))


def two_texts(reference: str, translation: str, *, lang: str) -> None:
    """A reference and a translation beside each other, exactly as stored."""
    left, right = st.columns(2, gap="medium")
    with left:
        label(t("pair.reference"))
        novel(reference, lang=lang)
    with right:
        label(t("pair.translation"))
        novel(translation, lang=lang)


def set_text(text: str, *, lang: str, vertical: bool = False) -> None:
    """A passage as a reader of books sees it: with its ruby, and from top to bottom if it is wanted so."""
    if text.strip():
        st.html(html.with_ruby(text, lang=lang, vertical=vertical))
    else:
        st.html(html.empty(t("text.empty")))


def tinted(text: str, tints: Sequence[html.Tint], *, lang: str, colour: str) -> None:
    """A passage with coloured ranges. Of two that overlap the first in the list keeps the shared part."""
    st.html(html.tinted(text, _apart(tints), lang=lang, colour=colour))


def _apart(tints: Sequence[html.Tint]) -> list[html.Tint]:
    """The ranges in the order of the text, cut where an earlier one in the list lies; none is empty."""
    kept: list[html.Tint] = []
    for tint in tints:
        index = bisect_right(kept, tint.start, key=lambda other: other.start)
        start = max(tint.start, kept[index - 1].end) if index else tint.start
        end = min(tint.end, kept[index].start) if index < len(kept) else tint.end
        if start < end:
            kept.insert(index, replace(tint, start=start, end=end))
    return kept


def script(steps: Sequence[html.Step], *, lang: str, heads: tuple[str, str], tail: str = "") -> None:
    """An edit script: two texts one above the other."""
    st.html(html.script(steps, lang=lang, heads=heads, tail=tail))


def line(text: str, *, tone: html.Tone = "normal") -> None:
    """A line of plain words; people's words may be in it."""
    st.html(html.line(text, tone=tone))


def label(text: str) -> None:
    """The small heading over a passage."""
    st.html(html.label(text))


def beads(rows: Sequence[html.BeadRow], *, langs: tuple[str, str], none: str, colour: str) -> None:
    """Two aligned texts in columns, a band for each bead."""
    st.html(html.beads(rows, langs=langs, none=none, colour=colour))


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: frozenset[int] = frozenset()
) -> None:
    """A table of texts; columns in `numbers` are set right."""
    st.html(html.table(header, rows, numbers=numbers))


def terms(listed: Sequence[tuple[str, str]]) -> None:
    """Words with what they mean."""
    st.html(html.terms(listed))


def facts(listed: Sequence[tuple[str, str]]) -> None:
    """Short values, each under its name."""
    st.html(html.facts(listed))


def projected() -> None:
    """From here on the page is set for a room: large type, and nothing but the page itself."""
    st.html(html.PROJECTED)


def column() -> AbstractContextManager[object]:
    """A column as wide as a page of a book, for what is read from beginning to end."""
    return st.container(width=COLUMN)


@cache
def _guide(name: str, language: str) -> str:
    return (ASSETS / "guides" / f"{name}.{language}.md").read_text("utf-8")


def zone() -> tzinfo:
    """The reader's time zone, as the browser tells it."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
