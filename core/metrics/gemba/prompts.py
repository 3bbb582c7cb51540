"""What a judge is told: the published task in our own words, texts between fences that none of them holds."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template

from core.errors import FileError
from core.metrics.prompts import PROMPTS, conversation, fence
from core.text.files import read_text
from core.text.languages import base_lang, guess_lang
from core.types import Call, Message

SHOTS = 3
LANGUAGES = {
    "cs": "Czech",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "pt": "Portuguese",
    "ru": "Russian",
    "uk": "Ukrainian",
    "zh": "Chinese",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedExample:
    """A worked example: a pair of texts in two languages and the reply that is hoped for."""

    source_language: str
    target_language: str
    source: str
    translation: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The words of one scheme, as `assets/prompts/gemba-….json` has them. digest: changes with the words."""

    system: str
    task: str
    examples: tuple[WorkedExample, ...]
    digest: str

    def shots(self, target: str) -> list[WorkedExample]:
        """At most three examples, those into the same language before the others."""
        same = [one for one in self.examples if one.target_language == target]
        others = [one for one in self.examples if one.target_language != target]
        return [*same, *others][:SHOTS]


GUARDED, UNGUARDED = "guarded", "unguarded"


def prompt(scheme: str, name: str = GUARDED) -> Prompt:
    """The prompt of `mqm` or `da`: `guarded`, `unguarded`, or a file of the same form. Raises FileError.

    A file is JSON with `system`, `task` and `examples`. The task must hold `$source` and `$translation`.
    """
    if name in (GUARDED, UNGUARDED):
        ending = "" if name == GUARDED else f"-{UNGUARDED}"
        return _parsed((PROMPTS / f"gemba-{scheme}{ending}.json").read_bytes())
    path = Path(name)
    try:
        found = _parsed(read_text(path).encode())
        filled = _task(found.task, "source words", "translated words", "en", "ja")
    except (ValueError, KeyError, TypeError) as error:
        raise FileError(path, _FORM) from error
    if not ("source words" in filled and "translated words" in filled):
        raise FileError(path, _FORM)
    return found


_FORM = (
    "is no prompt; give JSON with system, task (which holds $source and $translation) and examples (each "
    "with source_language, target_language, source, translation and answer)"
)


@lru_cache(8)
def _parsed(raw: bytes) -> Prompt:
    words = json.loads(raw)
    return Prompt(
        system=str(words["system"]),
        task=str(words["task"]),
        examples=tuple(WorkedExample(**one) for one in words["examples"]),
        digest=hashlib.sha256(raw).hexdigest()[:12],
    )


def messages(
    scheme: str, source: str, translation: str, lang: str, name: str = GUARDED
) -> tuple[Message, ...]:
    """The whole conversation that asks for a reply: the rules, the worked examples, the pair itself."""
    words, target = prompt(scheme, name), base_lang(lang)
    shots = [
        (_task(words.task, one.source, one.translation, one.source_language, one.target_language), one.answer)
        for one in words.shots(target)
    ]
    asked = _task(words.task, source, translation, guess_lang([source]), target)
    return conversation(words.system, shots, asked)


def fingerprint(call: Call) -> str:
    """Twelve characters that change with anything that is said to the judge."""
    turns = [[one.role, one.content] for one in call.messages]
    return hashlib.sha256(json.dumps(turns).encode("utf-8")).hexdigest()[:12]


def _task(task: str, source: str, translation: str, source_lang: str, target_lang: str) -> str:
    return Template(task).substitute(
        source_language=LANGUAGES.get(source_lang, source_lang),
        target_language=LANGUAGES.get(target_lang, target_lang),
        fence=fence(source, translation),
        source=source,
        translation=translation,
    )
