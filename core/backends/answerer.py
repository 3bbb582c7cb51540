"""An extractive question-answering model: reads a question and a text and points at the answer in it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from core.backends import BROKEN_MODEL
from core.backends.encoder.model_files import fingerprint, max_tokens
from core.errors import OptionError

LONGEST = 30
"""Tokens of an answer at most."""
OVERLAP = 64
"""Tokens that two windows of a long text share, at most half a window."""

Place = tuple[int, int]


class TransformerAnswerer:
    """A model of transformers' `AutoModelForQuestionAnswering` with its fast tokenizer, behind one lock.

    The answer is the span with the largest sum of start and end logits, as in SQuAD; none where the first
    token, which models trained on SQuAD 2 use for no answer, has a larger sum. A text that is longer than the
    model can read is read in overlapping windows. Each pair goes through the model alone, without padding, so
    that no neighbour changes an answer.
    """

    def __init__(self, source: str, *, say: Callable[[str], None] = lambda message: None) -> None:
        """Load a hub id or a folder. OptionError where it cannot be loaded or answers no questions."""
        say(f"Loading {source} …")
        self.name = Path(source).name if Path(source).is_dir() else source
        self._tokenizer, self._model = _load(source)
        self._length = max_tokens(self._model.config)
        self._lock = threading.Lock()
        self.fingerprint = fingerprint(source, self._model.config)

    def signature(self) -> str:
        """The model with its fingerprint, and transformers' version."""
        return f"{self.name}@{self.fingerprint}+transformers{version('transformers').partition('+')[0]}"

    def answer(self, questions: Sequence[tuple[str, str]]) -> list[Place | None]:
        """For each question and text the half-open place of the answer; None for no answer."""
        with self._lock:
            return [self._answer(question, text) for question, text in questions]

    def _answer(self, question: str, text: str) -> Place | None:
        import torch

        if not text.strip():
            return None
        room = self._length // 2
        words = self._tokenizer(question, add_special_tokens=False, return_offsets_mapping=True)
        offsets = words["offset_mapping"]
        if len(offsets) > room - 4:
            question = question[: offsets[room - 5][1]]
        read = self._tokenizer(
            question,
            text,
            max_length=self._length,
            truncation="only_second",
            stride=min(OVERLAP, room // 4),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        best, place, empty = -np.inf, None, -np.inf
        for number in range(len(read["input_ids"])):
            inputs = {
                name: torch.tensor([read[name][number]])
                for name in ("input_ids", "attention_mask", "token_type_ids")
                if name in read
            }
            with torch.inference_mode():
                said = self._model(**inputs)
            start = said.start_logits[0].float().numpy()
            end = said.end_logits[0].float().numpy()
            inside = np.array([part == 1 for part in read.sequence_ids(number)], bool)
            empty = max(empty, float(start[0] + end[0]))
            sum_, span = _best(start, end, inside)
            if span is not None and sum_ > best:
                offsets = read["offset_mapping"][number]
                best, place = sum_, (int(offsets[span[0]][0]), int(offsets[span[1]][1]))
        return place if place is not None and best >= empty and place[0] < place[1] else None


def _best(
    start: np.ndarray[Any, Any], end: np.ndarray[Any, Any], inside: np.ndarray[Any, Any]
) -> tuple[float, Place | None]:
    """The largest sum of a start and an end at most `LONGEST` tokens on, both inside the text."""
    sums = np.where(inside[:, None] & inside[None, :], start[:, None] + end[None, :], -np.inf)
    places = np.arange(len(start))
    distance = places[None, :] - places[:, None]
    sums[(distance < 0) | (distance >= LONGEST)] = -np.inf
    at = np.unravel_index(int(sums.argmax()), sums.shape)
    return (float(sums[at]), (int(at[0]), int(at[1]))) if np.isfinite(sums[at]) else (-np.inf, None)


def _load(source: str) -> tuple[Any, Any]:
    """Tokenizer and model; OptionError where they cannot be loaded."""
    import transformers
    from huggingface_hub.errors import StrictDataclassError
    from safetensors import SafetensorError

    transformers.utils.logging.set_verbosity_error()
    with suppress(AttributeError):
        transformers.utils.logging.disable_progress_bar()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(  # nosec B615  # which one is the user's choice
            source, trust_remote_code=False
        )
        model, told = transformers.AutoModelForQuestionAnswering.from_pretrained(  # nosec B615  # as above
            source, trust_remote_code=False, output_loading_info=True
        )
    except (*BROKEN_MODEL, SafetensorError, StrictDataclassError) as error:
        raise OptionError(
            "mteqa.reader={reader} cannot be loaded here; give a folder that holds config.json, weights and "
            "tokenizer.json of a question-answering model, or a hub id while connected.",
            reader=source,
        ) from error
    if any(name.startswith("qa_outputs") for name in told["missing_keys"]) or not tokenizer.is_fast:
        raise OptionError(
            "mteqa.reader={reader} was not trained to answer questions, or has no fast tokenizer; give an "
            "extractive question-answering model.",
            reader=source,
        )
    return tokenizer, model.eval()
