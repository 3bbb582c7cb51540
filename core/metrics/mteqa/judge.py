"""The three steps of MTEQA by a language model: questions, answers, marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.backends import Judge
from core.metrics.prompts import conversation, fenced, prompts
from core.types import LETTERS_A_TOKEN, OK, Call, Reply, TextPair

MOST = 8
"""Questions that the model is asked to write at most, unless an option says otherwise."""
TOKENS = {"questions": 700, "again": 700, "answers": 120, "marks": 120, "binary-marks": 120}
GRADED = "graded"
AGAIN = "mteqa-again"
"""The prompts of the second round."""
LETTERS_LEFT = 2
"""Letters that a part must have for a question about it."""
WORTH = {"correct": 1.0, "partly": 0.5, "incorrect": 0.0}

_PAIR = {
    "type": "object",
    "properties": {"answer": {"type": "string"}, "question": {"type": "string"}},
    "required": ["answer", "question"],
    "additionalProperties": False,
}


def _marks(verdicts: Sequence[str]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": {"verdict": {"type": "string", "enum": list(verdicts)}, "reason": {"type": "string"}},
        "required": ["verdict", "reason"],
        "additionalProperties": False,
    }


_PAIRS = {
    "type": "object",
    "properties": {"pairs": {"type": "array", "items": _PAIR}},
    "required": ["pairs"],
    "additionalProperties": False,
}
SCHEMAS: Mapping[str, Mapping[str, Any]] = {
    "questions": _PAIRS,
    "again": dict(_PAIRS),
    "answers": {
        "type": "object",
        "properties": {"answer": {"type": ["string", "null"]}},
        "required": ["answer"],
        "additionalProperties": False,
    },
    "marks": _marks(list(WORTH)),
    "binary-marks": _marks(["correct", "incorrect"]),
}


@dataclass(frozen=True, slots=True)
class Pair:
    """An answer, as a half-open place in the reference, and the question that it answers."""

    start: int
    end: int
    question: str


def question_call(reference: str, lang: str, most: int = MOST) -> Call:
    """Ask for at most `most` questions about a reference."""
    about = prompts("mteqa")["questions"]
    shots = [(fenced(one["text"]), one["reply"]) for one in _examples(about, lang)]
    system = about["system"].replace("{most}", str(most))
    tokens = max(TOKENS["questions"], TOKENS["questions"] * most // MOST)
    return _call("questions", conversation(system, shots, fenced(reference)), tokens)


def again_call(reference: str, left: Sequence[str], lang: str, most: int = MOST) -> Call:
    """Ask for at most `most` questions about the parts of a reference that no answer covers. left: these."""
    about = prompts(AGAIN)
    shots = [(fenced(one["text"], "\n".join(one["left"])), one["reply"]) for one in _examples(about, lang)]
    system = about["system"].replace("{most}", str(most))
    tokens = max(TOKENS["again"], TOKENS["again"] * most // MOST)
    return _call("again", conversation(system, shots, fenced(reference, "\n".join(left))), tokens)


def uncovered(reference: str, found: Sequence[Pair]) -> list[str]:
    """The parts of a reference between the answers, those with two letters or more."""
    ordered = sorted(found, key=lambda pair: pair.start)
    starts = [0, *(pair.end for pair in ordered)]
    ends = [*(pair.start for pair in ordered), len(reference)]
    parts = [reference[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    return [part for part in parts if sum(map(str.isalnum, part)) >= LETTERS_LEFT]


def answer_call(question: str, hypothesis: str, lang: str) -> Call:
    """Ask for the answer to a question out of a hypothesis."""
    about = prompts("mteqa")["answers"]
    shots = [(f"{one['question']}\n{fenced(one['text'])}", one["reply"]) for one in _examples(about, lang)]
    asked = f"{' '.join(question.split())}\n{fenced(hypothesis)}"
    return _call("answers", conversation(about["system"], shots, asked))


def mark_call(
    question: str, expected: str, given: str, lang: str, *, context: str, marks: str = GRADED
) -> Call:
    """Ask whether two answers to a question about a text, the reference, mean the same.

    marks: `binary`, right or wrong as in Suzuki et al., or `graded`, with half a point between.
    """
    about = prompts("mteqa")["marks"]
    step, system = ("marks", about["system"]) if marks == GRADED else ("binary-marks", about["binary"])
    shots = [
        (fenced(one["text"], one["question"], one["expected"], one["given"]), one["reply"])
        for one in _examples(about, lang)
        if one["reply"]["verdict"] in _verdicts(step)
    ]
    return _call(step, conversation(system, shots, fenced(context, question, expected, given)))


def _verdicts(step: str) -> Sequence[str]:
    found: Sequence[str] = SCHEMAS[step]["properties"]["verdict"]["enum"]
    return found


def read_pairs(reply: Reply, reference: str, known: Sequence[Pair] = ()) -> list[Pair]:
    """The pairs of a reply whose answers stand in the reference, each answer and question once.

    An answer is found at its first place that no earlier answer has taken. known: pairs of an earlier reply.
    """
    if reply.state != OK:
        return []
    found: list[Pair] = [*known]
    for one in reply.parsed["pairs"]:
        answer, question = one["answer"].strip(), " ".join(one["question"].split())
        start = _free_place(answer, reference, found)
        if start >= 0 and question and question not in {pair.question for pair in found}:
            found.append(Pair(start, start + len(answer), question))
    return sorted(found[len(known) :], key=lambda pair: pair.start)


def read_answer(reply: Reply, hypothesis: str) -> tuple[int, int] | None:
    """Where the answer stands in the hypothesis; (-1, -1) for no answer; None for a reply that is not usable.

    An answer that was not copied from the text is not usable.
    """
    if reply.state != OK:
        return None
    answer = (reply.parsed["answer"] or "").strip()
    if not answer:
        return -1, -1
    start = hypothesis.find(answer)
    if start < 0:
        start = hypothesis.lower().find(answer.lower())
    return (start, start + len(answer)) if start >= 0 else None


def read_mark(reply: Reply) -> tuple[float, str] | None:
    """The verdict in [0, 1] and the reason; None for a reply that is not usable."""
    if reply.state != OK:
        return None
    return WORTH[reply.parsed["verdict"]], str(reply.parsed["reason"])


def later_calls(
    pair: TextPair,
    made: Sequence[Call],
    *,
    answers: bool,
    marks: str | None,
    lang: str,
    most: int = MOST,
    rounds: int = 1,
) -> Iterator[Call]:
    """Stand-ins for the calls that may follow from these: of each step that a language model takes.

    marks: how a language model marks, None where it does not. The calls are as many and as long as they can
    become: `most` questions a round that fill the reply, answers as long as the text that they are copied
    from.
    """
    steps = [step for step, schema in SCHEMAS.items() if any(call.schema is schema for call in made)]
    asking = bool({"questions", "again"} & set(steps))
    asked = rounds * most if asking else len(made) if "answers" in steps else 0
    if rounds > 1 and "questions" in steps:
        yield again_call(pair.reference, [pair.reference], lang, most)
    for number in range(asked):
        question = f"{number}" + "?" * (LETTERS_A_TOKEN * TOKENS["questions"] // MOST)
        if answers and asking and pair.hypothesis.strip():
            yield answer_call(question, pair.hypothesis, lang)
        if marks is not None:
            yield mark_call(
                question, pair.reference, pair.hypothesis, lang, context=pair.reference, marks=marks
            )


def ask(judge: Judge, calls: Sequence[Call]) -> list[Reply]:
    """The replies, in order; none for no calls."""
    return judge.ask(calls) if calls else []


def _free_place(answer: str, reference: str, found: Sequence[Pair]) -> int:
    start = reference.find(answer) if answer else -1
    while start >= 0 and any(start < pair.end and pair.start < start + len(answer) for pair in found):
        start = reference.find(answer, start + 1)
    return start


def _examples(about: Mapping[str, Any], lang: str) -> Sequence[Mapping[str, Any]]:
    examples: Sequence[Mapping[str, Any]] = about["examples"].get(lang, about["examples"]["en"])
    return examples


def _call(step: str, messages: tuple[Any, ...], tokens: int | None = None) -> Call:
    return Call(messages=messages, schema=SCHEMAS[step], max_tokens=tokens or TOKENS[step])
