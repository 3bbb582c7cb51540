"""A page with one passage and, below it, what Python was told: for tests in a browser.

The query chooses the passage: `case=` names it; `slow=` is how many seconds each run of the script takes.
With `fragment=` a new message does not break a run off, so that what is drawn may be old when it arrives.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict

import streamlit as st

from core.errors import RatingError
from core.raters.protocols import MQM_CATEGORIES, PROTOCOLS, MarkedSpan
from pages.evaluate.rate.passage import passage, words_of

JAPANESE = "彼《かれ》は古い本棚《ほんだな》の前に立ち、静かに息を吐いた。「もう帰ろう」と彼女は言った。"
CASES = {
    "english": ("The quick brown fox jumps over the lazy dog, and then it runs on and on until night.", "en"),
    "japanese": (JAPANESE * 3, "ja"),
    "long": (JAPANESE * 40, "ja"),
    "rare": ("𠮟る👩‍👩‍👧と 𩸽を食べた。", "ja"),
    "combining": ("The cafe\u0301s of 👩‍👩‍👧 town", "en"),
    "html": ("<script>document.title='no'</script> & <b>bold</b> *x*", "en"),
}


def stored() -> list[MarkedSpan]:
    return st.session_state.setdefault(f"draft-{item}", list(first))


def store(spans: tuple[MarkedSpan, ...]) -> None:
    if query.get("refuse") and len(spans) > 1:
        raise RatingError("No more than one.")
    st.session_state[f"draft-{item}"] = list(spans)


def choose(index: int | None) -> None:
    st.session_state["chosen"] = index


def classify() -> None:
    spans, index = stored(), st.session_state.get("chosen")
    if index is not None:
        spans[index] = MarkedSpan(**{**asdict(spans[index]), "category": MQM_CATEGORIES[2]})


query = st.query_params
protocol = PROTOCOLS[query.get("protocol", "esa")]
item = st.session_state.setdefault("item", 1)
text, lang = CASES[query.get("case", "english")]
first = [MarkedSpan(start=0, end=3, severity="minor")] if query.get("readonly") else []


def draw() -> None:
    time.sleep(float(query.get("slow", "0")))
    passage(
        text,
        lang=lang,
        words=words_of(text, lang),
        spans=stored,
        severities=protocol.severities,
        key="passage",
        item=item,
        side=query.get("side", "target"),
        omission=True,
        vertical="vertical" in query,
        readonly="readonly" in query,
        categories={MQM_CATEGORIES[2]: "wrong meaning"},
        on_change=store,
        on_select=choose if protocol.categories else None,
    )
    st.button("classify", on_click=classify)
    st.button("other item", on_click=lambda: st.session_state.update(item=3 - item))
    st.code(json.dumps([asdict(span) for span in stored()], ensure_ascii=False), language=None)


(st.fragment(draw) if "fragment" in query else draw)()
