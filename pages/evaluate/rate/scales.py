"""The campaign's own scales under the score: a choice of places, or a number where there are many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from core.errors import Listed, RatingError
from core.raters.own_scales import OwnScale, on_grid, unanswered
from core.text.files import number_text
from pages.evaluate.rate import saving
from pages.ui.text import either, keep_error, line, plain, t

MOST_BUTTONS = 11
"""With more places than these a number is typed."""


def label_of(scale: OwnScale) -> str:
    """What the scale is called, in the reader's language."""
    return either(scale.en, scale.ja)


def begin(item: int | str, scales: Sequence[OwnScale], stored: Mapping[str, float]) -> None:
    """Fill the fields with what is stored, but not over a number that is none of the scale's."""
    for scale in scales:
        if not _is_off(scale, st.session_state.get(key(item, scale))):
            st.session_state[key(item, scale)] = _shown(scale, stored.get(scale.name))


def fields(
    item: int | str,
    scales: Sequence[OwnScale],
    on_change: Callable[..., None] | None = None,
    args: tuple[object, ...] = (),
    *,
    closed: bool = False,
) -> None:
    """A field for each scale, with the words of its anchors. item: names the fields, which `begin` filled."""
    for scale in scales:
        words = plain(label_of(scale))
        caption = words if scale.needed else t("form.optional", label=words)
        how = {"key": key(item, scale), "on_change": on_change, "args": args, "disabled": closed}
        with st.container(key=f"{key(item, scale)}-box", gap=None):
            if len(scale.places) <= MOST_BUTTONS:
                _choice(scale, caption, how)
            else:
                _number(scale, caption, how)


def answers(item: int | str, scales: Sequence[OwnScale]) -> dict[str, float]:
    """What the fields hold; numbers that are no answers are left out."""
    given = {scale.name: st.session_state.get(key(item, scale)) for scale in scales}
    return {
        scale.name: float(value)
        for scale in scales
        if (value := given[scale.name]) is not None and on_grid(scale, value)
    }


def rejected(item: int | str, scales: Sequence[OwnScale]) -> bool:
    """Whether a field holds a number that is none of its scale's; the page says so under it."""
    return any(_is_off(scale, st.session_state.get(key(item, scale))) for scale in scales)


def lacking(
    scales: Sequence[OwnScale], given: Mapping[str, float], *, unscored: bool = False
) -> RatingError | None:
    """The error for what is still to be answered before a rating is stored; None where nothing is.

    unscored: the score itself is missing.
    """
    open_ones = unanswered(scales, given)
    if open_ones:
        return RatingError(
            "Not answered yet: {scales}; answer, or skip the item with a reason.",
            scales=Listed((label_of(scale) for scale in open_ones), "and"),
        )
    if unscored:
        return RatingError("The score is missing; enter it, or skip the item with a reason.")
    return None


def may_go_on(
    item: int | str, scales: Sequence[OwnScale], *, value: float | None, scored: bool = True
) -> bool:
    """Whether an item can be left: nothing of it is answered, or all that is needed; else the page tells."""
    given = answers(item, scales)
    if value is None and not given:
        return True
    problem = lacking(scales, given, unscored=scored and value is None)
    if problem is not None:
        keep_error(saving.ERROR_SLOT, problem)
    return problem is None


def waiting(item: int | str, scales: Sequence[OwnScale], value: float | None, *, scored: bool) -> None:
    """A quiet line while something is answered and something else, which is needed, is not."""
    given = answers(item, scales)
    if value is None and not given:
        return
    names = [label_of(scale) for scale in unanswered(scales, given)]
    if scored and value is None:
        names.insert(0, t("rate.question"))
    if names:
        line(t("scales.waiting", scales=t("scales.and").join(names)), tone="quiet")


def anchors_of(scale: OwnScale) -> dict[float, str]:
    """The words at the values that have some, in the reader's language."""
    return {anchor.value: either(anchor.en, anchor.ja) for anchor in scale.anchors}


def key(item: int | str, scale: OwnScale) -> str:
    """The key of a scale's field."""
    return f"scale-{scale.name}-{item}"


def _choice(scale: OwnScale, caption: str, how: dict[str, Any]) -> None:
    words = anchors_of(scale)

    def place(value: float | None) -> str:
        if value is None:
            return t("scales.none")
        return " ".join(filter(None, (number_text(value), plain(words.get(value, "")))))

    st.radio(
        caption,
        scale.places if scale.needed else (None, *scale.places),
        index=None,
        format_func=place,
        horizontal=True,
        **how,
    )


def _number(scale: OwnScale, caption: str, how: dict[str, Any]) -> None:
    st.number_input(caption, value=None, step=scale.step, format="%g", placeholder="–", width=260, **how)
    limits = {"low": number_text(scale.low), "high": number_text(scale.high), "step": number_text(scale.step)}
    if _is_off(scale, st.session_state.get(how["key"])):
        st.error(
            t("scales.off", value=number_text(float(st.session_state[how["key"]])), **limits),
            icon=":material/error:",
        )
    said = [f"{number_text(value)} = {words}" for value, words in sorted(anchors_of(scale).items())]
    line(" · ".join([t("scales.range", **limits), *said]), tone="quiet")


def _shown(scale: OwnScale, value: float | None) -> float | None:
    """The answer as the field's options have it."""
    return next((place for place in scale.places if place == value), None)


def _is_off(scale: OwnScale, value: object) -> bool:
    return isinstance(value, int | float) and not on_grid(scale, float(value))
