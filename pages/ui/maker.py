"""Saving what the lens or the hack lab shows as a lesson, with a question and a remark.

A lesson holds its texts itself, so it opens on another machine and without its campaign.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import streamlit as st

from core.errors import InputError
from core.hacks import EDITS
from core.metrics import find_metric
from core.metrics.structure.metric import METRIC as TREES
from core.text.files import parse_number
from core.types import TextPair
from db.queries.lessons import WORDS_LIMIT, checked, save_lesson
from db.records import LessonRecord
from pages.auth import session
from pages.ui import state
from pages.ui.text import error_kept, line, show_kept_error, t
from pages.ui.widgets import switch

EFFECTS = ("unsaid", "broken", "kept", "repaired")
"""What an edit does to the meaning, as the teacher says it."""

SETTINGS = ("weight", "specials", "rescale")
"""BERTScore's options on the pair page that a lesson keeps, beside the layer."""

LENS = {
    "names": "bertscore-reading",
    "subspace": "subspace",
    "structure": "structure-dep",
    "questions": "mteqa",
}
"""The tabs of the lens whose options a lesson keeps, and their metrics; both kinds of trees share theirs."""

NUMBERS = {"names-quantile": (0.05, 0.95), "subspace-energy": (0.6, 1.0)}
"""The sliders among them, with their ends."""

FORMAT = "yomikurabe-lesson"
_SLOT, _SAVED = "maker", "maker-saved"


def button(page: str, pair: TextPair, *, edited: str | None = None, tab: str | None = None) -> None:
    """For teachers and organisers: a form that saves the pair, and what was made of it, as a lesson.

    page: `pair` or `hacks`. edited: the translation after the edits. tab: the open one of the lens.
    """
    if not session.viewer().sees_scores:
        return
    with st.popover(t("maker.save"), icon=":material/school:", key=f"maker-{page}"):
        st.text_input(t("maker.title"), key="maker-title", max_chars=100)
        st.text_area(t("maker.question"), key="maker-question", max_chars=WORDS_LIMIT, height=80)
        st.text_area(
            t("maker.remark"),
            key="maker-remark",
            max_chars=WORDS_LIMIT,
            height=80,
            help=t("maker.remark_help"),
        )
        if edited is not None:
            switch(t("maker.effect"), EFFECTS, "maker-effect", lambda name: t(f"maker.effect.{name}"))
        st.button(
            t("maker.keep"),
            key="maker-keep",
            type="primary",
            on_click=_save,
            args=(page, _state(pair, edited, tab)),
        )
        show_kept_error(_SLOT)
        if st.session_state.pop(_SAVED, False):
            line(t("maker.saved"))


def _state(pair: TextPair, edited: str | None, tab: str | None) -> dict[str, Any]:
    """Texts, edits and settings, without what is not there."""
    held = st.session_state
    known: dict[str, Any] = {
        "reference": pair.reference,
        "translation": pair.hypothesis,
        "source": pair.source,
        "lang": pair.lang,
        "edited": edited,
        "tab": tab,
        "layer": held.get("pair-layer") if edited is None else None,
        **({} if edited is not None else {name: held.get(f"pair-{name}") for name in SETTINGS}),
    }
    if edited is None:
        keys = [key for key in (*_switches(), *NUMBERS) if held.get(key) is not None]
        known["options"] = [f"{key}={held[key]}" for key in keys]
    if edited is not None:
        known |= {"edits": list(held.get("hack-edits", [])), "seed": held.get("hack-seed", 0)}
    return {name: value for name, value in known.items() if value is not None}


def _switches() -> dict[str, tuple[str, ...]]:
    """The keys of the switches on the tabs of the lens, each with the values that it can have."""
    found = {
        f"{tab}-{one.name}": one.choices
        for tab, metric in LENS.items()
        for one in find_metric(metric).options
        if one.choices
    }
    con = {f"structure-{one.name}": one.choices for one in find_metric("structure-con").options}
    trees = {"structure-trees": tuple(TREES)}
    return found | trees | {key: (*found.get(key, ()), *choices) for key, choices in con.items() if choices}


def _save(page: str, kept: Mapping[str, Any]) -> None:
    held = st.session_state
    effect = held.get("maker-effect", EFFECTS[0])
    with error_kept(_SLOT):
        save_lesson(
            state.engine(),
            session.viewer(),
            LessonRecord(
                id=0,
                title=held["maker-title"],
                page=page,
                state={**kept, "effect": effect} if "edited" in kept else kept,
                question=held["maker-question"],
                remark=held["maker-remark"],
                lang=state.language(),
            ),
        )
        held[_SAVED] = True


def to_file(lesson: LessonRecord) -> bytes:
    """A lesson as a JSON file, UTF-8."""
    fields = ("title", "page", "lang", "question", "remark", "state")
    document = {"format": FORMAT, "version": 1, **{name: getattr(lesson, name) for name in fields}}
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def from_file(data: bytes) -> LessonRecord:
    """A lesson from such a file; what it says is checked as when it is saved. Raises InputError."""
    try:
        told = json.loads(data.decode("utf-8-sig"))
        if told["format"] != FORMAT or told["version"] != 1:
            raise ValueError("another format")
        words = {name: told[name] for name in ("title", "page", "lang", "question", "remark")}
        held = told["state"]
        if not all(isinstance(word, str) for word in words.values()) or not isinstance(held, dict):
            raise ValueError("another type")
        texts = [held[name] for name in ("reference", "translation", "lang")]
        texts += [held[name] for name in ("source", "edited") if name in held]
        if not all(isinstance(text, str) for text in texts):
            raise ValueError("no texts")
    except (ValueError, LookupError, TypeError) as error:
        raise InputError(
            "This is no lesson file of Yomikurabe; choose a file that was saved here."
        ) from error
    lesson = LessonRecord(id=0, state=held, **words)
    checked(lesson)
    return lesson


def restore(lesson: LessonRecord) -> None:
    """Set the widgets of the lens or the hack lab as they were; what is unknown here is left alone."""
    held, kept = st.session_state, lesson.state
    layer, seed, edits = kept.get("layer"), kept.get("seed"), kept.get("edits")
    if isinstance(layer, int) and layer >= 0:
        held["pair-layer"] = layer
    options = {one.name: one.choices for one in find_metric("bertscore").options}
    for name in SETTINGS:
        if kept.get(name) in options[name]:
            held[f"pair-{name}"] = kept[name]
    _restore_options(kept.get("options"))
    if isinstance(edits, list):
        held["hack-edits"] = [name for name in edits if name in EDITS]
    if isinstance(seed, int) and 0 <= seed <= 9999:
        held["hack-seed"] = seed


def _restore_options(kept: object) -> None:
    """The options of the lens's tabs, `KEY=VALUE` each; a value that its widget cannot have is left out."""
    if not isinstance(kept, list):
        return
    told = dict(one.split("=", 1) for one in kept if isinstance(one, str) and "=" in one)
    for key, choices in _switches().items():
        if told.get(key) in choices:
            st.session_state[key] = told[key]
    for key, (low, high) in NUMBERS.items():
        with suppress(ValueError):
            value = parse_number(told.get(key, ""))
            if low <= value <= high:
                st.session_state[key] = value
