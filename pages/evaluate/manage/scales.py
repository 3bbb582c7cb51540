"""Own scales and own error lists in the design form, and how raters will see the scales."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.raters.own_errors import (
    OwnErrors,
    category_lines,
    check_errors,
    parse_categories,
    parse_severities,
    severity_lines,
)
from core.raters.own_scales import (
    MOST_SCALES,
    WORDS_LIMIT,
    OwnScale,
    anchor_lines,
    check_scales,
    parse_anchors,
)
from core.raters.protocols import PROTOCOLS
from pages.evaluate.rate import scales as rated
from pages.ui.error_words import category_word, severity_word
from pages.ui.text import errors_shown, line, t

_NUMBERS = ("low", "high", "step")


def scales(stored: tuple[OwnScale, ...], key: str) -> tuple[OwnScale, ...] | None:
    """The scales as fields, with a preview; None while the page says what is wrong."""
    with st.expander(t("scales.form"), expanded=bool(stored)):
        line(t("scales.form_note"), tone="quiet")
        count = st.number_input(
            t("scales.form_count"), 0, MOST_SCALES, len(stored), key=f"{key}-scales", width=190
        )
        known = [*stored, *(OwnScale(name=f"scale-{at + 1}") for at in range(len(stored), MOST_SCALES))]
        rows = [_scale(known[at], at, f"{key}-scale-{at}") for at in range(int(count))]
        with errors_shown():
            found = tuple(replace(scale, anchors=parse_anchors(anchors)) for scale, anchors in rows)
            check_scales(found)
            if found:
                _preview(found)
            return found
    return None


def errors(stored: OwnErrors, protocol: str, key: str) -> OwnErrors | None:
    """The error lists as fields, with the protocol's own; None while the page says what is wrong."""
    usual = PROTOCOLS[protocol]
    with st.expander(t("errors.form"), expanded=bool(stored)):
        line(t("errors.form_note"), tone="quiet")
        categories = st.text_area(
            t("errors.categories"),
            category_lines(stored.categories),
            key=f"{key}-categories",
            placeholder="accuracy/omission | Omission | 訳抜け",
            help=t("errors.categories_help"),
            height=180,
        )
        severities = st.text_area(
            t("errors.severities"),
            severity_lines(stored.severities),
            key=f"{key}-severities",
            placeholder="major | 5 | Major | 重大",
            help=t("errors.severities_help"),
            height=120,
        )
        line(
            t(
                "errors.usual",
                severities=t("scales.and").join(map(severity_word, usual.severities)),
                categories=t("scales.and").join(map(category_word, usual.categories)) or t("errors.none"),
            ),
            tone="quiet",
        )
        with errors_shown():
            found = OwnErrors(
                categories=parse_categories(categories or ""), severities=parse_severities(severities or "")
            )
            check_errors(found)
            return found
    return None


def _scale(stored: OwnScale, at: int, key: str) -> tuple[OwnScale, str]:
    """The fields of one scale, and the lines of its anchors."""
    with st.container(border=True):
        line(t("scales.form_scale", n=at + 1))
        with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
            name = st.text_input(
                t("scales.form_name"),
                stored.name,
                key=f"{key}-name",
                max_chars=40,
                help=t("scales.form_name_help"),
                width=190,
            )
            english, japanese = (
                st.text_input(
                    t(f"scales.form_{lang}"), words, key=f"{key}-{lang}", max_chars=WORDS_LIMIT, width=260
                )
                for lang, words in (("en", stored.en), ("ja", stored.ja))
            )
        with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
            low, high, step = (
                float(
                    st.number_input(
                        t(f"scales.form_{field}"),
                        value=float(getattr(stored, field)),
                        step=1.0,
                        format="%g",
                        key=f"{key}-{field}",
                        width=150,
                    )
                )
                for field in _NUMBERS
            )
        anchors = st.text_area(
            t("scales.form_anchors"),
            anchor_lines(stored.anchors),
            key=f"{key}-anchors",
            placeholder="1 | bad | 悪い",
            help=t("scales.form_anchors_help"),
            height=110,
        )
        needed = st.toggle(t("scales.form_needed"), stored.needed, key=f"{key}-needed")
    scale = OwnScale(
        name=name.strip(),
        en=english.strip(),
        ja=japanese.strip(),
        low=low,
        high=high,
        step=step,
        needed=needed,
    )
    return scale, anchors or ""


def _preview(found: tuple[OwnScale, ...]) -> None:
    """The fields as raters see them; what is chosen here is not stored."""
    line(t("scales.preview"), tone="quiet")
    with st.container(border=True):
        rated.fields("preview", found)
