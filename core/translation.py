"""Translations by a language model, with the two prompts of the paper on metric hacking.

Default asks for a translation, Short for a shorter one (Table 2 of the paper). The reply follows a JSON
schema with the key `translation_output`, as there. Replies are stored, so that a second run asks only for
what is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from core.backends import Judge, Progress, silent
from core.errors import FileError, OptionError
from core.metrics.prompts import conversation, prompts
from core.text.files import read_text
from core.text.languages import well_formed
from core.text.locale import Speaker
from core.types import OK, Call, Reply

PUBLISHED = ("default", "short")

KEY = "translation_output"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {KEY: {"type": "string"}},
    "required": [KEY],
    "additionalProperties": False,
}

LEAST_TOKENS, TOKENS_A_CHARACTER = 256, 3
"""Of a reply: a translation may be longer than its source, and a token shorter than a character."""


@dataclass(frozen=True, slots=True)
class MachineTranslation:
    """The translation of a segment in one line; None where there is none, and then `missing` says why."""

    text: str | None
    missing: str | None = None


def find_prompt(name: str, languages: tuple[str, str]) -> str:
    """The words to the model: `default`, `short`, or those of a file; {source} and {target} are filled in.

    languages: ISO 639-1 codes of the source and of the translation; the prompt has their English names.
    Raises OptionError for a file that is not there or empty.
    """
    if name in PUBLISHED:
        template = str(prompts("translate")[name])
    else:
        try:
            template = read_text(Path(name)).strip()
        except FileError as error:
            raise OptionError(
                "There is no prompt {name}; choose from {known}, or name a file that can be read.",
                name=name,
                known=", ".join(PUBLISHED),
            ) from error
        if not template:
            raise OptionError("The prompt {name} is empty.", name=name)
    say = Speaker("en")
    source, target = (say.words_or(f"language.{code}", code) for code in languages)
    return template.replace("{source}", source).replace("{target}", target)


def calls(sources: Sequence[str], prompt: str) -> list[Call | None]:
    """A call for each source; None for an empty one, which needs no translation."""
    ask = partial(Call, schema=SCHEMA)
    return [
        ask(
            messages=conversation(prompt, [], well_formed(text)),
            max_tokens=LEAST_TOKENS + TOKENS_A_CHARACTER * len(text),
        )
        if text.strip()
        else None
        for text in sources
    ]


def translate(
    judge: Judge, asked: Sequence[Call | None], *, progress: Progress = silent
) -> list[MachineTranslation]:
    """The translations, in order. An exception out of `progress` stops the run; replies stay stored.

    Raises UnavailableError where the endpoint does not answer.
    """
    replies = iter(judge.ask([call for call in asked if call is not None], progress=progress))
    return [MachineTranslation("") if call is None else _read(next(replies)) for call in asked]


def _read(reply: Reply) -> MachineTranslation:
    if reply.state != OK:
        return MachineTranslation(None, reply.problem or reply.state)
    return MachineTranslation(" ".join(str(reply.parsed[KEY]).split("\n")).strip())
