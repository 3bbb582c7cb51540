"""What an organiser chooses for a reading study, and the questions that readers answer.

A version is a system's translation of the whole excerpt. Readers read some versions one after the other,
answer the organiser's questions after each, and compare them at the end.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from core.errors import InputError

PLEASES, DISTURBS = "pleases", "disturbs"
KINDS = (PLEASES, DISTURBS)
"""The two highlighters."""

QuestionKind = Literal["scale", "choice", "text"]
QUESTION_KINDS: tuple[QuestionKind, ...] = get_args(QuestionKind)

PREFERRED, MARGIN, WHY, HUMAN, SURE = "preferred", "margin", "why", "human", "sure"
AT_THE_END = (PREFERRED, MARGIN, WHY, HUMAN, SURE)
"""What is asked once all versions are read; names that no question of an organiser may have."""

NO_DIFFERENCE = -1
"""The answer to `preferred` of a reader who prefers no version."""

MARGINS = (1, 2, 3)
"""By how much: slightly, clearly, much."""

SURENESS = (1, 2, 3, 4)
"""How sure of the guess: a mere guess, rather, quite, certain."""

MOST_VERSIONS = 4
MOST_QUESTIONS = 30
MOST_STEPS = 11
MOST_OPTIONS = 20
TEXT_LIMIT = 500
LEAST_CHUNK = 10
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingQuestion:
    """A question that a reader answers after each version.

    name: of the column in files, in lower-case letters, digits, `-` and `_`. en, ja: its words; one language
    is enough. kind: `scale` has `steps` places, from 1, with words at both ends (`low_…`, `high_…`); `choice`
    has options; `text` is free. needed: whether it must be answered.
    """

    name: str
    kind: QuestionKind
    en: str = ""
    ja: str = ""
    steps: int = 7
    low_en: str = ""
    low_ja: str = ""
    high_en: str = ""
    high_ja: str = ""
    options_en: tuple[str, ...] = ()
    options_ja: tuple[str, ...] = ()
    needed: bool = True

    @property
    def options(self) -> int:
        """How many options a choice has."""
        return len(self.options_en or self.options_ja)


USUAL_QUESTIONS = (
    ReadingQuestion(
        name="quality",
        kind="scale",
        en="How good is this version, as a text to read?",
        ja="この訳は、読み物としてどれくらい良いと思いますか。",
        low_en="very bad",
        low_ja="とても悪い",
        high_en="very good",
        high_ja="とても良い",
    ),
    ReadingQuestion(
        name="comment",
        kind="text",
        en="What struck you while you were reading?",
        ja="読んでいて心に残ったこと、気になったことを書いてください。",
        needed=False,
    ),
)
"""The questions of a study for which the organiser wrote none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingChoices:
    """The organiser's choices of a reading study.

    versions: how many a reader reads, 2 to 4. words: least length of the excerpt in words (for Chinese,
    Japanese and Korean in characters); None for the whole campaign. pause_hours: between two versions.
    no_difference: whether a reader may prefer none. human: the name of the version by a human translator, ""
    if none or several are. questions: after each version. chunks: about how long the chunks of the close
    reading are, in words or characters; None for no close reading after the versions, and for the usual
    length in the protocol `chunks`. guess: whether readers guess which version is human. by_part: whether the
    browser is sent one part of a version at a time, of about a page, and not the whole excerpt.
    """

    versions: int = 2
    words: int | None = None
    pause_hours: float = 0.0
    no_difference: bool = True
    human: str = ""
    questions: tuple[ReadingQuestion, ...] = USUAL_QUESTIONS
    chunks: int | None = None
    guess: bool = True
    by_part: bool = False


def choices_to_json(choices: ReadingChoices) -> dict[str, Any]:
    """Ready for JSON."""
    return asdict(choices)


def choices_from_json(stored: Mapping[str, Any]) -> ReadingChoices:
    """The inverse of `choices_to_json`; what is not said has its usual value.

    Raises InputError for values that make no sense.
    """
    known = {field.name for field in fields(ReadingChoices)}
    given = {name: value for name, value in stored.items() if name in known}
    if "questions" in given:
        given["questions"] = questions_from_json(given["questions"])
    choices = ReadingChoices(**given)
    _check(choices)
    return choices


def questions_from_json(rows: object) -> tuple[ReadingQuestion, ...]:
    """Questions from a JSON list of objects with the fields of `ReadingQuestion`. Raises InputError."""
    if not isinstance(rows, Sequence) or isinstance(rows, str):
        raise InputError("The questions of a reading study are a list of objects.")
    if len(rows) > MOST_QUESTIONS:
        raise InputError(
            "More than {limit} questions follow a version; leave some out.", limit=MOST_QUESTIONS
        )
    found = tuple(_question(row, number) for number, row in enumerate(rows, start=1))
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError("Two questions are called “{name}”; give each a name of its own.", name=name)
    return found


def parse_questions(text: str) -> tuple[ReadingQuestion, ...]:
    """Questions from the text of a JSON file. Raises InputError."""
    try:
        return questions_from_json(json.loads(text))
    except json.JSONDecodeError as error:
        raise InputError(
            "The questions are not valid JSON (line {line}); correct the file.", line=error.lineno
        ) from error


def _question(row: object, number: int) -> ReadingQuestion:
    kinds = {field.name: str(field.type) for field in fields(ReadingQuestion)}
    if not isinstance(row, Mapping) or not {"name", "kind"} <= set(row) <= set(kinds):
        raise InputError(
            "Question {number} is not an object with name, kind and fields out of {fields}.",
            number=number,
            fields=", ".join(kinds),
        )
    given: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list | tuple) else value for name, value in row.items()
    }
    for name, value in given.items():
        if not _fits(value, kinds[name]):
            raise InputError(
                "“{field}” of question {number} has a value of another kind.", field=name, number=number
            )
    question = ReadingQuestion(**given)
    _check_question(question, number)
    return question


def _fits(value: object, kind: str) -> bool:
    if kind.startswith("tuple"):
        return isinstance(value, tuple) and all(isinstance(one, str) and one.strip() for one in value)
    expected = {"int": int, "bool": bool}.get(kind, str)
    return type(value) is expected


def _check_question(question: ReadingQuestion, number: int) -> None:
    if not _NAME.fullmatch(question.name) or question.name in AT_THE_END:
        raise InputError(
            "The name of question {number} must be lower-case letters, digits, “-” and “_”, and none of "
            "{names}.",
            number=number,
            names=", ".join(AT_THE_END),
        )
    if question.kind not in QUESTION_KINDS:
        raise InputError(
            "Question {number} is of none of the kinds {kinds}.",
            number=number,
            kinds=", ".join(QUESTION_KINDS),
        )
    words = (question.en, question.ja, question.low_en, question.low_ja, question.high_en, question.high_ja)
    if not (question.en.strip() or question.ja.strip()):
        raise InputError("Question {number} has no words; write “en”, “ja” or both.", number=number)
    if any(len(one) > TEXT_LIMIT for one in (*words, *question.options_en, *question.options_ja)):
        raise InputError(
            "Question {number} has more than {limit} characters; shorten it.", number=number, limit=TEXT_LIMIT
        )
    if question.kind == "scale" and not 2 <= question.steps <= MOST_STEPS:
        raise InputError(
            "The scale of question {number} has 2 to {limit} steps.", number=number, limit=MOST_STEPS
        )
    both = {len(one) for one in (question.options_en, question.options_ja) if one}
    if question.kind == "choice" and (len(both) != 1 or not 2 <= max(both) <= MOST_OPTIONS):
        raise InputError(
            "Question {number} needs 2 to {limit} options, the same number in both languages.",
            number=number,
            limit=MOST_OPTIONS,
        )


def _check(choices: ReadingChoices) -> None:
    if type(choices.versions) is not int or not 2 <= choices.versions <= MOST_VERSIONS:
        raise InputError("A reader reads 2 to {limit} versions.", limit=MOST_VERSIONS)
    if choices.words is not None and (type(choices.words) is not int or choices.words < 1):
        raise InputError("The length of the excerpt is 1 word or more, or not set.")
    if choices.chunks is not None and (type(choices.chunks) is not int or choices.chunks < LEAST_CHUNK):
        raise InputError("The length of a chunk is {least} words or more, or not set.", least=LEAST_CHUNK)
    if not isinstance(choices.pause_hours, int | float) or not 0 <= choices.pause_hours <= 24 * 30:
        raise InputError("The pause between two versions is 0 to 720 hours.")
    if not isinstance(choices.human, str) or not all(
        isinstance(one, bool) for one in (choices.no_difference, choices.guess, choices.by_part)
    ):
        raise InputError("The choices of the reading study are not of a form that is known.")


def check_answer(question: ReadingQuestion, value: object) -> int | str | None:
    """The answer as it is stored: a place of a scale from 1, an option from 0, a text; None for none.

    Raises InputError for an answer that this question cannot have, and for none where one is needed.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        if question.needed:
            raise InputError("A question is not answered yet; answer it, then go on.")
        return None
    if question.kind == "text" and isinstance(value, str):
        return value
    first, last = (1, question.steps) if question.kind == "scale" else (0, question.options - 1)
    if question.kind != "text" and type(value) is int and first <= value <= last:
        return value
    raise InputError("An answer does not fit its question; reload the page.")
