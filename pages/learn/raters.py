"""How raters differ: made-up scores of four people, and what normalisation and agreement say of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import streamlit as st

from core.charts import raters as charts
from core.raters.agreement import report
from core.raters.ratings import Method, Rating, columns, merged
from core.raters.reliability import alpha_of, mean_r_of
from pages.learn import lesson
from pages.learn.examples import MADE_UP
from pages.learn.verdict import ARROWS
from pages.ui import address, state
from pages.ui.text import NONE, line, number, t, table
from pages.ui.widgets import chart, switch

METHODS: tuple[Method, ...] = ("raw", "centred", "z", "minmax")
MOST_STRICT = 30
STRICT = "B"
_METHOD, _STRICTER, _WITHOUT = "lesson-raters-method", "lesson-raters-stricter", "lesson-raters-without"
PARTS = (
    address.choice("method", _METHOD, METHODS),
    address.number("stricter", _STRICTER),
    address.choice("without", _WITHOUT, ("nobody", *MADE_UP)),
    lesson.PROJECTOR,
)
WORDS = ("agreement",)


def ratings(stricter: int = 0, without: str = "nobody") -> list[Rating]:
    """The made-up scores; one rater's are lower by some points, never below 0, and one may be left out."""
    return [
        Rating(rater=name, item=item, score=float(max(score - (stricter if name == STRICT else 0), 0)))
        for name, scores in MADE_UP.items()
        if name != without
        for item, score in enumerate(scores)
    ]


def figures(given: Sequence[Rating]) -> dict[str, float | None]:
    """The mean correlation of two raters, and Krippendorff's alpha, of scores on one scale."""
    listed = merged(columns(given))
    return {"r": mean_r_of(listed).value, "alpha": alpha_of(listed).value}


def play() -> None:
    """The choices, both figures before and after, the verdict, and a line per rater."""
    left, right = st.columns([5, 6], gap="large")
    with left:
        lesson.intro("raters")
        line(t("learn.raters.made_up"), tone="title")
        st.session_state.setdefault(_STRICTER, 0)
        stricter = st.slider(
            t("learn.raters.stricter", name=STRICT),
            0,
            MOST_STRICT,
            step=5,
            key=_STRICTER,
            persist_state="session",
        )
        method = switch(
            t("learn.raters.method"), METHODS, _METHOD, lambda one: t(f"learn.raters.method.{one}")
        )
        line(t(f"learn.raters.about.{method}"), tone="quiet")
        without = switch(
            t("learn.raters.without"),
            ("nobody", *MADE_UP),
            _WITHOUT,
            lambda one: t("learn.raters.nobody") if one == "nobody" else str(one),
        )
    changed = list(report(ratings(stricter, without), method=method).ratings)
    with right:
        compare(figures(ratings()), figures(changed))
        names: dict[Hashable, str] = {
            item: t("learn.raters.item", n=item + 1) for item in range(len(MADE_UP[STRICT]))
        }
        scale = t("learn.raters.method.raw") if method == "raw" else t(f"learn.raters.method.{method}")
        figure = charts.profiles(changed, names=names, y_title=scale, palette=state.palette())
        chart(figure, "lesson-raters-profiles", t("learn.raters.alt"))


def compare(before: dict[str, float | None], after: dict[str, float | None]) -> None:
    """Each figure as given and as it is now, and what that says."""
    rows, said = [], []
    for name, first in before.items():
        last = after[name]
        if first is None or last is None:
            rows.append((t(f"learn.raters.{name}"), number(first, 2), f"→ {number(last, 2)}", NONE))
            continue
        amount = round(round(last, 2) - round(first, 2), 2)
        direction = (amount > 0) - (amount < 0)
        arrow = f"{ARROWS[direction]} {number(amount, 2, signed=True)}"
        rows.append((t(f"learn.raters.{name}"), number(first, 2), f"→ {number(last, 2)}", arrow))
        word = {1: "rose", -1: "fell", 0: "still"}[direction]
        said.append(t(f"learn.raters.said.{word}", name=t(f"learn.raters.{name}"), by=number(abs(amount), 2)))
    header = [t(f"learn.raters.column.{name}") for name in ("figure", "given", "now", "change")]
    table(header, rows, numbers=frozenset({1, 2, 3}))
    line(t("learn.raters.joint").join(said) + t("verdict.end"), tone="title")


with lesson.framed("raters", PARTS, words=WORDS):
    play()
