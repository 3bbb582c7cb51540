"""Protocols of the models that metrics use: encoder, reader, parser, judge, external metrics.

Heavy libraries (torch, transformers, spaCy, …) are imported when a backend is constructed, never here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pickle import UnpicklingError  # nosec B403  # to catch it: nothing is unpickled here
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import Listed, OptionError, UnavailableError
from core.types import Call, CostEstimate, Parse, Reply, TextPair, TokenVectors

if TYPE_CHECKING:
    from core.backends.external import External, Scored

BROKEN_MODEL = (
    OSError,
    ValueError,
    LookupError,
    ImportError,
    RuntimeError,
    AttributeError,
    TypeError,
    EOFError,
    UnpicklingError,
)
"""What the libraries raise for model files that are damaged, made by hand, or would run code."""

Outsider = Callable[["External", Sequence[TextPair]], "list[Scored]"]
"""Asks a metric from outside for its scores of the pairs, in order."""

Progress = Callable[[int, int], None]
"""Called with (done, total) texts; may raise to stop, what was finished is kept in the cache."""


def silent(done: int, total: int) -> None:
    """A Progress that shows nothing."""


def beyond(progress: Progress, done: int, total: int) -> Progress:
    """A Progress for one stage of work of which `done` of `total` steps lie before it."""
    return lambda n, _: progress(done + n, total)


def between(progress: Progress, start: float, end: float, total: int) -> Progress:
    """A Progress for a stage counted in steps of its own, shown as `start` to `end` of `total` steps."""
    return lambda done, steps: progress(int(start + (end - start) * done / max(steps, 1)), total)


def forwards(progress: Progress) -> Progress:
    """A Progress that never goes back: a smaller number than before is shown as the largest so far."""
    most = 0

    def ahead(done: int, total: int) -> None:
        nonlocal most
        most = max(most, done)
        progress(most, total)

    return ahead


ENGINES = ("auto", "openvino", "torch")
PRECISIONS = ("auto", "float32", "bfloat16")
DEVICES = ("auto", "cpu", "cuda", "mps")


@dataclass(frozen=True, slots=True)
class Compute:
    """How an encoder's vectors are computed: by which library, in which number format, on which device.

    engine: `auto` is OpenVINO for the embedded encoder and torch for others. precision: `auto` is the format
    in which the weights are stored, for the embedded encoder float32. device: `auto` is the processor for
    the embedded encoder, so that its numbers are the same everywhere, and a CUDA card where there is one for
    others.
    """

    engine: str = "auto"
    precision: str = "auto"
    device: str = "auto"

    def check(self) -> None:
        """Raise OptionError for what is not among the choices, and for OpenVINO on a card."""
        offered = {"engine": ENGINES, "precision": PRECISIONS, "device": DEVICES}
        for name, choices in offered.items():
            if (value := getattr(self, name)) not in choices:
                raise OptionError(
                    "{option}={value} is not possible; choose {choices}",
                    option=name,
                    value=value,
                    choices=Listed(choices),
                )
        if self.engine == "openvino" and self.device not in ("auto", "cpu"):
            raise OptionError(
                "engine=openvino runs on the processor; choose device=cpu, or engine=torch with "
                "device={device}",
                device=self.device,
            )


AS_USUAL = Compute()


class Encoder(Protocol):
    """A model that gives every token of a text a vector in its context."""

    @property
    def name(self) -> str:
        """What the user calls it: `embedded`, a hub id or a folder's name."""
        ...

    @property
    def fingerprint(self) -> str:
        """Twelve characters that change when weights or tokenizer change."""
        ...

    @property
    def layers(self) -> int:
        """How many layers there are; layer 0 is the embedding, the last one is `layers`."""
        ...

    @property
    def default_layer(self) -> int:
        """The layer that is used when none is named."""
        ...

    @property
    def libraries(self) -> Mapping[str, str]:
        """The libraries that make the vectors, with their versions: part of the signature."""
        ...

    @property
    def tokens_run(self) -> int:
        """How many tokens the model was given since it was loaded, padding included."""
        ...

    def ids(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """The token ids of each whole text, special ones included, without running the model."""
        ...

    def spell(self, ids: Sequence[int]) -> str:
        """The text that these token ids spell; read again, it may be cut into other tokens."""
        ...

    def encode(
        self, texts: Sequence[str], *, layer: int, long: str = "window", progress: Progress = silent
    ) -> list[TokenVectors]:
        """Encode each text by itself: order, neighbours and batches do not change the vectors.

        layer: 0 … `layers`. long: `window` reads over-long texts in overlapping windows (flag `windowed`),
        `truncate` cuts them (flag `truncated`, `lost` counts the characters). Raises OptionError for others.
        """
        ...

    def encode_layers(
        self,
        texts: Sequence[str],
        *,
        layers: Sequence[int],
        long: str = "window",
        progress: Progress = silent,
    ) -> list[list[TokenVectors]]:
        """The same for several layers: a list for each, in their order, from one reading of each text."""
        ...


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text and how it is read. `start` and `end` are half-open code-point offsets into the text.

    reading: hiragana for Japanese, casefolded letters without accents elsewhere; never empty. entity: the
    label of the named entity that the word belongs to, None where there is none or none was asked for.
    """

    text: str
    start: int
    end: int
    reading: str
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    """A name with the model's label; half-open code-point offsets."""

    start: int
    end: int
    label: str


class Reader(Protocol):
    """Cuts a text into words and says how each is read."""

    @property
    def name(self) -> str:
        """What the user calls it: `word` or `pykakasi`."""
        ...

    def signature(self, lang: str, *, entities: bool = False) -> str:
        """What makes its answers for that language, with versions, in one word for a metric's signature."""
        ...

    def read(
        self, texts: Sequence[str], *, lang: str, entities: bool = False, kana: str = "normal"
    ) -> list[list[Word]]:
        """The words of each text, in order and without overlap; blanks belong to none.

        entities: also find names (of persons, places, …), which costs a model. kana: `normal` gives
        readings in one spelling for what sounds alike (サイトー, さいとう; ヴァ, バ), `plain` as they are,
        `romaji` in rough Latin letters that are alike for kana and letters (ジョン, John).
        """
        ...

    def entities(self, texts: Sequence[str], *, lang: str) -> list[list[Entity]]:
        """The names of persons, places, … in each text, in order and without overlap.

        UnavailableError for a language without a model.
        """
        ...


class Parser(Protocol):
    """Finds the structure of texts: dependencies by a spaCy pipeline, constituents by benepar."""

    @property
    def name(self) -> str:
        """What the user calls it: `auto`, `built-in`, `dependency`, or the name of a model or pipeline."""
        ...

    def signature(self, lang: str, *, constituents: bool) -> str:
        """What makes its trees for that language, with versions, in one word for a metric's signature.

        Raises UnavailableError for a language without a parser, and where a named model cannot be had.
        """
        ...

    def parse(
        self, texts: Sequence[str], *, lang: str, constituents: bool, progress: Progress = silent
    ) -> list[Parse]:
        """The trees of each text by itself: order, neighbours and batches do not change them.

        A text on which the parser fails has a Parse with its `problem`; the others have theirs.
        """
        ...


class Judge(Protocol):
    """A language model that answers questions, with a memory and a cap."""

    @property
    def name(self) -> str:
        """The model's name, as the endpoint knows it."""
        ...

    def signature(self) -> str:
        """What answers, in one word for a metric's signature: the model, never an address or a key."""
        ...

    @property
    def prices(self) -> tuple[float, float] | None:
        """Dollars for a million tokens of prompts and of replies; None if unknown."""
        ...

    def for_run(self) -> Judge:
        """The same model for one run: with a cap of its own, and what failed once is not asked again."""
        ...

    def limit(self, tokens: int) -> None:
        """Let the run spend no more than so many tokens from now on: what was said before it began."""
        ...

    def estimate(self, calls: Sequence[Call]) -> CostEstimate:
        """What these calls would cost at most, without asking anything."""
        ...

    def ask(self, calls: Sequence[Call], *, progress: Progress = silent) -> list[Reply]:
        """A reply to each call, in order; stored ones are not asked again, equal ones only once.

        Nothing is raised for a reply that cannot be used: its state and problem say why. Raises
        UnavailableError where no endpoint is configured or it cannot be reached at all.
        """
        ...


class Answerer(Protocol):
    """An extractive question-answering model."""

    def signature(self) -> str:
        """The model with its fingerprint, in one word for a metric's signature."""
        ...

    def answer(self, questions: Sequence[tuple[str, str]]) -> list[tuple[int, int] | None]:
        """For each question and text the half-open place of the answer in the text; None for no answer."""
        ...


def no_reader(name: str) -> Reader:
    """For backends that were made without readers."""
    raise UnavailableError("There is no reader {reader} here.", reader=name)


def no_parser(name: str) -> Parser:
    """For backends that were made without parsers."""
    raise UnavailableError("There is no parser {parser} here.", parser=name)


def no_outsider(metric: External, pairs: Sequence[TextPair]) -> list[Scored]:
    """For backends that were made without metrics from outside."""
    raise UnavailableError("There is no metric external:{metric} here.", metric=metric.name)


def no_judge(name: str) -> Judge:
    """For backends that were made without judges."""
    raise UnavailableError("There is no language model {judge} here.", judge=name)


def no_answerer(name: str) -> Answerer:
    """For backends that were made without question-answering models."""
    raise UnavailableError("There is no question-answering model {reader} here.", reader=name)


@dataclass(frozen=True, slots=True)
class Backends:
    """How a metric gets what it needs: by name, loaded once per process.

    fresh: see `without_cache`; None where nothing is remembered. computing: encoders whose computation is
    named; None where there is one kind only.
    """

    encoder: Callable[[str], Encoder]
    reader: Callable[[str], Reader] = no_reader
    parser: Callable[[str], Parser] = no_parser
    judge: Callable[[str], Judge] = no_judge
    outsider: Outsider = no_outsider
    answerer: Callable[[str], Answerer] = no_answerer
    fresh: Callable[[str | None], Backends] | None = None
    computing: Callable[[str, Compute], Encoder] | None = None

    def encoder_by(self, name: str, compute: Compute) -> Encoder:
        """The encoder with this computation; the usual one where these backends have one kind only."""
        if compute == AS_USUAL or self.computing is None:
            return self.encoder(name)
        return self.computing(name, compute)

    def without_cache(self, precision: str | None = None) -> Backends:
        """The same models with empty memories, so that every text is read again; itself without any.

        precision: also let the encoders compute in that format, such as `bfloat16`, unless a metric names
        one; their names then say so. Raises UnavailableError where these backends have one format only.
        """
        if self.fresh is not None:
            return self.fresh(precision)
        if precision is not None:
            raise UnavailableError("There is no encoder in {precision} here.", precision=precision)
        return self
