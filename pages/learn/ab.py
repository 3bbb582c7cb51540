"""A against B: a good paraphrase, a translation with one mistake, and which of them each metric prefers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from core.assets import ASSETS
from core.metrics import digits_of
from core.types import Result
from pages.learn import lesson, stored, why
from pages.learn.examples import AB_METRICS, VERSIONS, Kind, Versions
from pages.learn.why import SIDES
from pages.ui import address, state
from pages.ui.text import label, line, metric_name, novel, number, plain, t, table, tinted
from pages.ui.widgets import switch

ASKED = "bertscore"
"""The metric whose choice the reader guesses."""

_SET, _KIND, _GUESS, _METRIC = "lesson-ab", "lesson-ab-kind", "lesson-ab-guess", "lesson-ab-metric"
KINDS = tuple(dict.fromkeys(kind for one in VERSIONS for kind in one.wrong()))
PARTS = (
    address.choice("example", _SET, [one.name for one in VERSIONS]),
    address.choice("mistake", _KIND, KINDS),
    address.choice("guess", _GUESS, SIDES),
    address.choice("metric", _METRIC, AB_METRICS),
    lesson.PROJECTOR,
)
WORDS = ("reference", "metric", "bertscore", "token", "vector", "cosine")


def sides(versions: Versions, wrong: Kind) -> dict[str, Kind]:
    """Which translation is A and which is B; the paraphrase is now the one, now the other."""
    first = versions.wrong().index(wrong) % 2 == 0
    return {"a": wrong if first else "paraphrase", "b": "paraphrase" if first else wrong}


def choose_set() -> None:
    """The references, those in the reader's language first."""
    found = sorted(VERSIONS, key=lambda one: one.lang != state.language())
    switch(
        t("learn.example"),
        [one.name for one in found],
        _SET,
        lambda name: t(f"learn.ab.example.{name}"),
        hidden=True,
    )

    _mistake(_versions())


def _versions() -> Versions:
    return next(one for one in VERSIONS if one.name == st.session_state[_SET])


def primer(*, open_now: bool) -> None:
    """What a reference, a translation and a number are, in a minute; with a picture."""
    if state.projector():
        return
    folded = st.expander(t("learn.ab.primer"), expanded=open_now, icon=":material/timer:")
    with folded, st.container(gap="small"):
        st.image(str(ASSETS / "pictures" / "primer.svg"), alt=t("learn.ab.primer.alt"), width=200)
        for index in range(4):
            line(t(f"learn.ab.primer.{index}"))


def _mistake(versions: Versions) -> None:
    """Which mistake stands against the paraphrase; a new one asks for a new guess."""
    if st.session_state.get(_KIND) not in versions.wrong():
        st.session_state.pop(_KIND, None)
    chosen: Kind = switch(
        t("learn.ab.mistake"), versions.wrong(), _KIND, lambda kind: t(f"learn.ab.kind.{kind}"), hidden=True
    )
    asked = (versions.name, chosen)
    if st.session_state.setdefault("lesson-ab-asked", asked) != asked:
        st.session_state["lesson-ab-asked"] = asked
        st.session_state.pop(_GUESS, None)


def _guess() -> None:
    """The question, while there is no guess."""
    line(t("learn.ab.which", metric=metric_name(ASKED)), tone="title")
    with st.container(horizontal=True, gap="small"):
        for side in SIDES:
            st.button(
                t(f"learn.ab.side.{side}"),
                key=f"lesson-ab-guess-{side}",
                type="primary",
                on_click=st.session_state.__setitem__,
                args=(_GUESS, side),
            )
    line(t("learn.ab.first"), tone="quiet")


def _texts(versions: Versions, shown: Mapping[str, Kind], found: Mapping[str, Result[Any]] | None) -> None:
    """Reference, A and B; with the results of a metric, what it finds of the reference is coloured."""
    with st.container(border=True, gap=None):
        label(t("pair.reference"))
        novel(versions.reference, lang=versions.lang)
    for side in SIDES:
        text = versions.texts[shown[side]]
        with st.container(border=True, gap=None):
            caption = t(f"learn.ab.side.{side}")
            label(caption if found is None else f"{caption} · {t(f'learn.ab.is.{shown[side]}')}")
            if found is None:
                novel(text, lang=versions.lang)
            else:
                marks = why.marks(found[side], text)
                tinted(text, marks, lang=versions.lang, colour=state.palette().match)


def _verdict(chosen: Mapping[str, str | None], shown: Mapping[str, Kind], wrong: Kind) -> None:
    """The answer to the guess, and how many metrics prefer the mistake."""
    guess, asked = st.session_state[_GUESS], chosen[ASKED]
    bad = next(side for side in SIDES if shown[side] == wrong)
    fooled = sum(side == bad for side in chosen.values())
    right = "right" if guess == asked else "wrong"
    if asked is None:
        line(t("learn.ab.tie", metric=metric_name(ASKED)), tone="title")
    else:
        side = t(f"learn.ab.side.{asked}")
        line(t(f"learn.ab.{right}", metric=metric_name(ASKED), side=side), tone="title")
    line(t("learn.ab.fooled", n=fooled, total=len(chosen), mistake=t(f"learn.ab.is.{wrong}")))


def _choices(
    results: Mapping[str, Mapping[str, Result[Any]]],
    chosen: Mapping[str, str | None],
    shown: Mapping[str, Kind],
) -> None:
    """Every metric's two numbers and its choice."""
    header = (t("lesson.metric"), *(t(f"learn.ab.side.{side}") for side in SIDES), t("learn.ab.prefers"))
    rows = []
    for metric, found in results.items():
        side = chosen[metric]
        said = t("learn.ab.neither") if side is None else _choice(side, shown[side])
        values = (number(found[one].score, digits_of(metric)) for one in SIDES)
        rows.append((metric_name(metric), *values, said))
    table(header, rows, numbers=frozenset({1, 2}))


def _choice(side: str, kind: Kind) -> str:
    mark = "○" if kind == "paraphrase" else "×"
    chosen = f"{mark} {t(f'learn.ab.side.{side}')}"
    return chosen if state.projector() else f"{chosen}: {t(f'learn.ab.is.{kind}')}"


def play() -> None:
    """The texts, the guess, then all metrics' choices and the reason of one of them."""
    versions = _versions()
    wrong: Kind = st.session_state[_KIND]
    shown, guessed = sides(versions, wrong), _GUESS in st.session_state
    left, right = st.columns([5, 6], gap="large")
    if not guessed:
        with left:
            _texts(versions, shown, None)
        with right:
            _guess()
            primer(open_now=True)
        return
    results = {
        metric: {side: stored.score(metric, versions.pair(shown[side])) for side in SIDES}
        for metric in AB_METRICS
    }
    chosen = {metric: why.preferred(found, digits_of(metric)) for metric, found in results.items()}
    with left:
        texts = st.container(gap="small")
        metric: str = st.selectbox(
            t("learn.ab.why"),
            AB_METRICS,
            index=AB_METRICS.index(ASKED),
            key=_METRIC,
            format_func=metric_name,
            filter_mode=None,
            help=plain(t("learn.ab.legend")),
            label_visibility="collapsed" if state.projector() else "visible",
            persist_state="session",
        )
        line(why.sentence(results[metric]["a"], results[metric]["b"]))
        with texts:
            _texts(versions, shown, results[metric])
    with right:
        _verdict(chosen, shown, wrong)
        _choices(results, chosen, shown)
        primer(open_now=False)


with lesson.framed("ab", PARTS, words=WORDS, beside=choose_set):
    play()
