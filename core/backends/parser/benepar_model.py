"""A benepar model that the user has (`benepar_en3`): found where benepar keeps it, never downloaded."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from core.backends.parser.constituents import ChartTrees, quiet_decoder
from core.backends.parser.spacy_pipelines import word_of
from core.errors import UnavailableError

NAME = re.compile(r"benepar_([a-z]{2})\d*(_\w+)?")
ENGLISH = "benepar_en3"
SUB_WORDS = 512
_patching = threading.Lock()


def find_model(name: str) -> Path | None:
    """Where the model is: a path, or a name among nltk's data; None without it."""
    if Path(name).exists():
        return Path(name)
    if not NAME.fullmatch(name):
        return None
    import nltk.data

    try:
        return Path(str(nltk.data.find(f"models/{name}")))
    except LookupError:
        return None


def is_model(name: str) -> bool:
    """Whether a parser's name means a benepar model: by benepar's names, or a path that holds one."""
    path = Path(name)
    return NAME.fullmatch(name) is not None or path.is_file() or (path / "benepar_model.bin").exists()


def load_model(name: str, lang: str) -> tuple[ChartTrees, str, str]:
    """The model, its name, its word for a signature. UnavailableError where there is none for `lang`."""
    spelled = NAME.fullmatch(name)
    if spelled and spelled[1] != lang:
        raise UnavailableError(f"The parser {name} reads {spelled[1]}, not {lang}.", parser=name)
    path = find_model(name)
    if path is None:
        raise UnavailableError(
            f"The benepar model {name} is not on this machine; get it with benepar.download('{name}') while "
            "connected, or choose parser=auto.",
            parser=name,
        )
    from benepar.parse_chart import ChartParser

    quiet_decoder()
    try:
        with _patching, _special_tokens_as_before():
            parser = ChartParser.from_trained(str(path)).float().eval()
    except (OSError, ValueError, KeyError, RuntimeError, AttributeError, TypeError) as error:
        raise UnavailableError(
            f"The benepar model {name} cannot be loaded ({type(error).__name__}).", parser=name
        ) from error
    signature = f"{word_of(path.name)}-{_digest(path)}+benepar-{version('benepar')}"
    return _trees(parser), path.name, signature


def _trees(parser: Any) -> ChartTrees:
    tokenizer = parser.retokenizer.tokenizer

    def costs(words: Sequence[str]) -> list[int]:
        read = tokenizer(list(words), add_special_tokens=False)["input_ids"]
        return [1 + len(ids) for ids in read]

    positions = parser.add_timing.timing_table.shape[0] if parser.add_timing is not None else SUB_WORDS
    return ChartTrees(
        parser,
        costs=costs,
        max_words=positions - 2,
        max_pieces=min(SUB_WORDS, int(tokenizer.model_max_length)) - 3,
        plain=True,
    )


@contextmanager
def _special_tokens_as_before() -> Iterator[None]:
    """Give tokenizers the method that benepar 0.2.0 calls and transformers 5 no longer has."""
    from transformers import PreTrainedTokenizerBase

    def build(self: Any, ids: Sequence[int]) -> list[int]:
        read = self("a", return_special_tokens_mask=True)
        mask, numbers = read["special_tokens_mask"], read["input_ids"]
        head = mask.index(0)
        tail = len(mask) - mask[::-1].index(0)
        return [*numbers[:head], *ids, *numbers[tail:]]

    missing = not hasattr(PreTrainedTokenizerBase, "build_inputs_with_special_tokens")
    if missing:
        PreTrainedTokenizerBase.build_inputs_with_special_tokens = build
    try:
        yield
    finally:
        if missing:
            del PreTrainedTokenizerBase.build_inputs_with_special_tokens


def _digest(path: Path) -> str:
    """Eight characters over the sizes and beginnings of the model's files."""
    digest = hashlib.sha256()
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        if file.is_file():
            digest.update(f"{file.name} {file.stat().st_size} ".encode())
            with file.open("rb") as content:
                digest.update(content.read(1 << 20))
    return digest.hexdigest()[:8]
