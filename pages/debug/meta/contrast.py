"""Contrast sets: how often a metric prefers the good one of two translations, and where it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from core.assets import ASSETS
from core.errors import FileError
from core.hacks.robustness import contrast_texts, judged
from core.metaeval.contrast_sets import (
    ALL,
    SUZUKI,
    ContrastPair,
    ContrastVerdict,
    Counts,
    failures,
    faults,
    phenomena,
    read_contrast_set,
)
from core.metrics import digits_of, find_metric
from core.metrics.mteqa.faults import FAULTS
from core.scoring import new_costs
from core.text.languages import guess_lang
from pages.ui import metric_form, models, picker
from pages.ui.text import error_sentence, label, line, metric_name, novel, number, plain, t, table
from pages.ui.widgets import metrics, signatures, stoppable

SHIPPED = ASSETS / "demo" / "contrast.ja.tsv"
MOST_FAILURES = 30
_VERDICTS, _MARKED, _SIGNED = "contrast-verdicts", "contrast-marked", "contrast-signatures"
STEPS = ("data", *FAULTS)
"""Causes of a lost pair; `data` is for the reader to say."""
_ASKED = "contrast-asked"
"""The pairs and metrics that were asked for and are not judged yet."""

Verdicts = Mapping[str, Sequence[ContrastVerdict]]


def tab() -> None:
    """A set, the metrics, the run, the table, and the pairs that count against a metric."""
    line(t("contrast.what"), tone="quiet")
    pairs = _pairs()
    chosen = metric_form.choose(t("systems.metric"), metrics(offered=True), key="contrast-metrics")
    asked = (pairs, chosen)
    if st.button(t("contrast.run", n=len(pairs)), key="contrast-run", type="primary", disabled=not chosen):
        st.session_state[_ASKED] = asked
    if st.session_state.get(_ASKED) == asked:
        _run(pairs, chosen)
    kept: tuple[list[ContrastPair], Verdicts] | None = st.session_state.get(_VERDICTS)
    if kept is None or kept[0] != pairs:
        line(t("contrast.none"), tone="quiet")
        return
    _table(kept[1])
    _failed(kept[1])
    signatures(st.session_state.get(_SIGNED, ()))


def _pairs() -> list[ContrastPair]:
    """The set that was given, else the one that comes with the program. Raises FileError."""
    given = st.file_uploader(
        t("contrast.file"), key="contrast-file", type=["tsv", "txt"], help=t("contrast.file_help")
    )
    if given is None:
        return read_contrast_set(SHIPPED)
    with TemporaryDirectory() as folder:
        path = Path(folder) / Path(given.name).name
        path.write_bytes(given.getvalue())
        left_out: list[FileError] = []
        pairs = read_contrast_set(path, left_out)
    if left_out:
        line(t("contrast.left_out", n=len(left_out), first=error_sentence(left_out[0])))
    return pairs


def _run(pairs: Sequence[ContrastPair], chosen: metric_form.Chosen) -> None:
    """Score both translations of every pair, with a bar and a way to stop; a cost is shown first."""
    lang = guess_lang([text for pair in pairs for text in (pair.reference, pair.good)])
    texts = contrast_texts(pairs, lang)
    with st.spinner(t("score.preparing")):
        scorers = {
            name: find_metric(name).prepare(settings, models.backends(), texts)
            for name, settings in chosen.items()
        }
        costs = new_costs(scorers.values(), texts)
    if not metric_form.ready(costs, key="contrast"):
        return
    del st.session_state[_ASKED]
    with stoppable("contrast") as progress:
        verdicts = judged(pairs, scorers, lang=lang, progress=progress)
    st.session_state[_VERDICTS] = (list(pairs), verdicts)
    st.session_state[_MARKED] = {}
    st.session_state[_SIGNED] = [scorer.signature for scorer in scorers.values()]


def _table(verdicts: Verdicts) -> None:
    header = [t("contrast.phenomenon"), t("contrast.pairs"), *map(metric_name, verdicts)]
    rows = [
        [
            _named(one.name),
            number(one.n, 0),
            *(_cell(one.counts[name]) for name in verdicts),
        ]
        for one in phenomena(verdicts)
    ]
    table(header, rows, numbers=frozenset(range(1, len(header))))
    line(t("contrast.table_what"), tone="quiet")


def _named(phenomenon: str) -> str:
    """A row's name; those of phenomena are the file's."""
    return {ALL: t("contrast.all"), SUZUKI: t("contrast.suzuki")}.get(phenomenon, phenomenon)


def _cell(counts: Counts) -> str:
    return f"{number(counts.tau, 2)} ({counts.right} / {counts.wrong} / {counts.equal} / {counts.missing})"


def _failed(verdicts: Verdicts) -> None:
    wrong = {name: failures(of_metric) for name, of_metric in verdicts.items()}
    offered = [name for name, listed in wrong.items() if listed]
    if not offered:
        line(t("contrast.no_failures"))
        return
    st.subheader(t("contrast.failures"), anchor=False)
    name = st.selectbox(
        t("systems.metric"),
        offered,
        key="contrast-metric",
        filter_mode=None,
        format_func=lambda name: t("contrast.of", metric=metric_name(name), n=len(wrong[name])),
    )
    _faults(verdicts[name])
    for one in wrong[name][:MOST_FAILURES]:
        digits = digits_of(name)
        gap = t("contrast.scores", good=number(one.good, digits), bad=number(one.bad, digits))
        with st.expander(plain(f"{one.pair.phenomenon} — {gap}")):
            _open(one)
    if len(wrong[name]) > MOST_FAILURES:
        line(t("contrast.more", n=len(wrong[name]) - MOST_FAILURES), tone="quiet")


def _faults(verdicts: Sequence[ContrastVerdict]) -> None:
    """Which step of the questions lost the pairs, as the program sees it and as the reader corrects it."""
    marked = st.session_state.setdefault(_MARKED, {})
    told = [
        replace(one, fault=marked.get((one.pair.line, one.pair.reference), one.fault)) for one in verdicts
    ]
    counted = faults(told)
    if not counted[ALL]:
        return
    header = [t("contrast.phenomenon"), *(t(f"contrast.fault.{step}") for step in STEPS)]
    rows = [
        [t("contrast.all") if name == ALL else name, *(number(counts[step], 0) for step in STEPS)]
        for name, counts in counted.items()
    ]
    table(header, rows, numbers=frozenset(range(1, len(header))))
    line(t("contrast.faults_what"), tone="quiet")


def _mark(verdict: ContrastVerdict) -> None:
    """Let the reader say which step was at fault."""
    if verdict.fault is None:
        return
    key = (verdict.pair.line, verdict.pair.reference)
    marked = st.session_state.setdefault(_MARKED, {})
    chosen = st.segmented_control(
        t("contrast.fault"),
        STEPS,
        default=marked.get(key, verdict.fault),
        key=f"contrast-fault-{verdict.pair.line}",
        format_func=lambda step: t(f"contrast.fault.{step}"),
    )
    if chosen is not None and chosen != marked.get(key, verdict.fault):
        marked[key] = chosen
        st.rerun()


def _open(verdict: ContrastVerdict) -> None:
    pair = verdict.pair
    lang = guess_lang([pair.reference, pair.good])
    texts = (
        (t("pair.reference"), pair.reference),
        (t("contrast.good"), pair.good),
        (t("contrast.bad"), pair.bad),
    )
    for title, text in texts:
        label(title)
        novel(text, lang=lang)
    _mark(verdict)
    if st.button(t("systems.lens"), key=f"contrast-lens-{pair.line}", icon=":material/search:"):
        picker.open_texts(pair.reference, pair.bad, pair.source, other=pair.good)
