"""A against B: a good paraphrase, a translation with one mistake, and which of them each metric prefers.

Readers guess for one metric or for several before they see any number; the guesses stand in the address.
"""

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
from pages.ui.text import NONE, label, line, metric_name, novel, number, plain, t, table, tinted
from pages.ui.widgets import switch

USUAL = "bertscore"
"""The metric of a guess that names none, and the first to guess about."""

TO_GUESS = (USUAL, *(name for name in AB_METRICS if name != USUAL))
_SET, _KIND, _GUESSES, _METRIC = "lesson-ab", "lesson-ab-kind", "lesson-ab-guesses", "lesson-ab-metric"
KINDS = tuple(dict.fromkeys(kind for one in VERSIONS for kind in one.wrong()))
WORDS = ("reference", "metric", "bertscore", "token", "vector", "cosine")


def guesses() -> dict[str, str]:
    """The side that the reader guesses for each metric; empty before the numbers are shown."""
    found: dict[str, str] = st.session_state.get(_GUESSES, {})
    return found


def guesses_in_address() -> str | None:
    """Such as `bertscore.a~mteqa.b`, in the order of the metrics; only the side for one about BERTScore."""
    made = guesses()
    if list(made) == [USUAL]:
        return made[USUAL]
    return "~".join(f"{name}.{side}" for name, side in made.items()) or None


def take(value: str | None) -> None:
    """The guesses of an address; a side alone, as in older links, is one about BERTScore."""
    found = {}
    for one in (value or "").split("~"):
        name, _, side = one.rpartition(".")
        if (name or USUAL) in TO_GUESS and side in SIDES:
            found[name or USUAL] = side
    st.session_state[_GUESSES] = {name: found[name] for name in TO_GUESS if name in found}


PARTS = (
    address.choice("example", _SET, [one.name for one in VERSIONS]),
    address.choice("mistake", _KIND, KINDS),
    address.Parameter(name="guess", current=guesses_in_address, restore=take),
    address.choice("metric", _METRIC, AB_METRICS),
    lesson.PROJECTOR,
)


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
        st.session_state.pop(_GUESSES, None)
        for name in TO_GUESS:
            st.session_state.pop(_guess_key(name), None)


def _guess_key(metric: str) -> str:
    return f"lesson-ab-guess-{metric}"


def _guess() -> None:
    """A or B for each metric that the reader wants to guess about, and the button that shows the numbers."""
    line(t("learn.ab.which"), tone="title")
    line(t("learn.ab.first"), tone="quiet")
    chosen = {}
    with st.container(key="lesson-ab-guesses", gap="xxsmall"):
        for name in TO_GUESS:
            chosen[name] = st.segmented_control(
                metric_name(name),
                SIDES,
                key=_guess_key(name),
                format_func=lambda side: t(f"learn.ab.side.{side}"),
            )
    made = {name: side for name, side in chosen.items() if side is not None}
    st.button(
        t("learn.ab.show"),
        key="lesson-ab-show",
        type="primary",
        disabled=not made,
        on_click=st.session_state.__setitem__,
        args=(_GUESSES, made),
    )


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
    """The answer to the guesses, and how many metrics prefer the mistake."""
    guessed = guesses()
    bad = next(side for side in SIDES if shown[side] == wrong)
    fooled = sum(side == bad for side in chosen.values())
    if len(guessed) > 1:
        right = sum(chosen[name] == side for name, side in guessed.items())
        line(t("learn.ab.several", n=right, total=len(guessed)), tone="title")
    else:
        ((name, side),) = guessed.items()
        _told_one(name, side, chosen[name])
    line(t("learn.ab.fooled", n=fooled, total=len(chosen), mistake=t(f"learn.ab.is.{wrong}")))


def _told_one(metric: str, guess: str, asked: str | None) -> None:
    """Whether the only guess was right."""
    if asked is None:
        line(t("learn.ab.tie", metric=metric_name(metric)), tone="title")
        return
    right = "right" if guess == asked else "wrong"
    line(t(f"learn.ab.{right}", metric=metric_name(metric), side=t(f"learn.ab.side.{asked}")), tone="title")


def _choices(
    results: Mapping[str, Mapping[str, Result[Any]]],
    chosen: Mapping[str, str | None],
    shown: Mapping[str, Kind],
) -> None:
    """Every metric's two numbers, its choice, and what the reader had guessed."""
    header = (
        t("lesson.metric"),
        *(t(f"learn.ab.side.{side}") for side in SIDES),
        t("learn.ab.prefers"),
        t("learn.ab.guessed"),
    )
    rows = []
    for metric, found in results.items():
        side = chosen[metric]
        said = t("learn.ab.neither") if side is None else _choice(side, shown[side])
        values = (number(found[one].score, digits_of(metric)) for one in SIDES)
        rows.append((metric_name(metric), *values, said, _answered(guesses().get(metric), side)))
    table(header, rows, numbers=frozenset({1, 2}))


def _answered(guess: str | None, side: str | None) -> str:
    """`A ✓` for a guess that was right, a dash for none."""
    if guess is None:
        return NONE
    return f"{t(f'learn.ab.side.{guess}')} {'✓' if guess == side else '✗'}"


def _choice(side: str, kind: Kind) -> str:
    mark = "○" if kind == "paraphrase" else "×"
    chosen = f"{mark} {t(f'learn.ab.side.{side}')}"
    return chosen if state.projector() else f"{chosen}: {t(f'learn.ab.is.{kind}')}"


def _again() -> None:
    """Hide the numbers and ask once more."""
    for name in (_GUESSES, *map(_guess_key, TO_GUESS)):
        st.session_state.pop(name, None)


def play() -> None:
    """The texts, the guess, then all metrics' choices and the reason of one of them."""
    versions = _versions()
    wrong: Kind = st.session_state[_KIND]
    shown, guessed = sides(versions, wrong), guesses()
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
            index=AB_METRICS.index(next(iter(guessed))),
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
        st.button(t("learn.ab.again"), key="lesson-ab-again", type="tertiary", on_click=_again)
        primer(open_now=False)


with lesson.framed("ab", PARTS, words=WORDS, beside=choose_set):
    play()
