"""Contrast sets: how often a metric prefers the good one of two translations, and where it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from core.hacks.robustness import contrast_texts, judged
from core.metaeval.contrast_sets import (
    ALL,
    ContrastPair,
    ContrastVerdict,
    Counts,
    failures,
    phenomena,
    read_contrast_set,
)
from core.metrics import METRICS, digits_of, find_metric
from core.text.languages import guess_lang
from pages.ui import models
from pages.ui.text import ASSETS, label, line, novel, number, t, table

SHIPPED = ASSETS / "demo" / "contrast.ja.tsv"
USUAL = ("bleu", "chrf", "bertscore", "mteqa")
MOST_FAILURES = 30
_ASKING = ("gemba-mqm", "gemba-da")
_FOUND = "contrast-found"

Found = Mapping[str, Sequence[ContrastVerdict]]


def tab() -> None:
    """A set, the metrics, the run, the table, and the pairs that were judged wrongly."""
    line(t("contrast.what"), tone="quiet")
    pairs = _pairs()
    metrics = st.multiselect(
        t("systems.metric"), [name for name in METRICS if name not in _ASKING], list(USUAL),
        key="contrast-metrics", format_func=lambda name: t(f"metric.{name}"),
    )  # fmt: skip
    if st.button(t("contrast.run", n=len(pairs)), key="contrast-run", type="primary", disabled=not metrics):
        _run(pairs, metrics)
    kept: tuple[list[ContrastPair], Found] | None = st.session_state.get(_FOUND)
    if kept is None or kept[0] != pairs:
        line(t("contrast.none"), tone="quiet")
        return
    _table(kept[1])
    _failed(kept[1])


def _pairs() -> list[ContrastPair]:
    """The set that was given, else the one that comes with the program. Raises FileError."""
    given = st.file_uploader(t("contrast.file"), key="contrast-file", type=["tsv", "txt"],
                             help=t("contrast.file_help"))  # fmt: skip
    if given is None:
        return read_contrast_set(SHIPPED)
    with TemporaryDirectory() as folder:
        path = Path(folder) / Path(given.name).name
        path.write_bytes(given.getvalue())
        return read_contrast_set(path)


def _run(pairs: Sequence[ContrastPair], metrics: Sequence[str]) -> None:
    """Score both translations of every pair, with a bar and a way to stop."""
    lang = guess_lang([text for one in pairs for text in (one.reference, one.good)])
    texts = contrast_texts(pairs, lang)
    place = st.empty()
    with place.container():
        bar = st.progress(0.0, text=t("score.preparing"))
        st.button(t("asking.stop"), key="contrast-stop")

        def show(done: int, total: int) -> None:
            bar.progress(done / max(total, 1), text=t("score.progress", done=done, total=total))

        prepared = {name: find_metric(name).prepare({}, models.backends(), texts) for name in metrics}
        found = judged(pairs, prepared, lang=lang, progress=show)
    place.empty()
    st.session_state[_FOUND] = (list(pairs), found)


def _table(found: Found) -> None:
    header = [t("contrast.phenomenon"), t("contrast.pairs"), *(t(f"metric.{name}") for name in found)]
    rows = [
        [
            t("contrast.all") if one.name == ALL else one.name,
            str(one.n),
            *(_cell(one.counts[name]) for name in found),
        ]
        for one in phenomena(found)
    ]
    table(header, rows, numbers=frozenset(range(1, len(header))))
    line(t("contrast.table_what"), tone="quiet")


def _cell(one: Counts) -> str:
    tau = "–" if one.tau is None else number(one.tau, 2)
    return f"{tau} ({one.right} / {one.wrong} / {one.equal + one.missing})"


def _failed(found: Found) -> None:
    wrong = {name: failures(verdicts) for name, verdicts in found.items()}
    offered = [name for name, listed in wrong.items() if listed]
    if not offered:
        line(t("contrast.no_failures"))
        return
    st.subheader(t("contrast.failures"), anchor=False)
    name = st.selectbox(
        t("systems.metric"), offered, key="contrast-metric", filter_mode=None,
        format_func=lambda one: t("contrast.of", metric=t(f"metric.{one}"), n=len(wrong[one])),
    )  # fmt: skip
    for one in wrong[name][:MOST_FAILURES]:
        digits = digits_of(name)
        gap = t("contrast.scores", good=number(one.good or 0.0, digits), bad=number(one.bad or 0.0, digits))
        with st.expander(f"{one.pair.phenomenon} — {gap}"):
            _open(one)
    if len(wrong[name]) > MOST_FAILURES:
        line(t("contrast.more", n=len(wrong[name]) - MOST_FAILURES), tone="quiet")


def _open(one: ContrastVerdict) -> None:
    pair = one.pair
    lang = guess_lang([pair.reference, pair.good])
    texts = (
        (t("pair.reference"), pair.reference),
        (t("contrast.good"), pair.good),
        (t("contrast.bad"), pair.bad),
    )
    for title, text in texts:
        label(title)
        novel(text, lang=lang)
    if st.button(t("systems.lens"), key=f"contrast-lens-{pair.line}", icon=":material/search:"):
        st.session_state["pair-origin"] = "typed"
        st.session_state["typed-reference"] = pair.reference
        st.session_state["typed-hypothesis"] = pair.bad
        st.session_state["typed-source"] = pair.source or ""
        st.session_state["diff-typed"] = pair.good
        st.switch_page("pages/debug/pair/page.py")
