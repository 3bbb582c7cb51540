"""Constituency parsing with benepar's `ChartParser`: how the shipped heads are made, or a user's model.

The shipped heads, which `chart_head` runs, replace benepar's encoder by the middle layers of ours, side by
side, and its tokens by ours: each word is encoded by itself, so that no two words share a piece. A model
such as `benepar_en3` is found where benepar keeps its models and is never downloaded. Long sentences are cut
before they are parsed.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.assets import ASSETS
from core.backends import BROKEN_MODEL
from core.backends.environment import nltk_folders
from core.backends.parser.spacy_pipelines import word_of
from core.errors import FileError, UnavailableError, os_reason
from core.types import ROOT, Constituent, ParsedWord

TOKENS_PER_BATCH = 500  # more is slower: the chart is padded to the longest sentence, squared
CHAIN = "::"
CLOSING = frozenset("。．.！!？?」』）)]】、，,;；:：…―—–")
PLAIN = {"`": "'", "«": '"', "»": '"', "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "‹": "'", "›": "'"}
PLAIN |= {"—": "--"}  # how the Penn Treebank writes them: benepar's own table


def quiet_decoder() -> None:
    """Keep torch_struct from warning, at every sentence, that it states no limits of its arguments."""
    from torch_struct import TreeCRF

    TreeCRF.arg_constraints = {}


class ChartTrees:
    """A ChartParser with its limits.

    costs: the sub-words of each word. plain: write quotation marks as the Penn Treebank does.
    """

    def __init__(
        self,
        parser: Any,
        *,
        costs: Callable[[Sequence[str]], list[int]],
        max_words: int,
        max_pieces: int,
        plain: bool = False,
    ) -> None:
        self._parser = parser
        self._costs = costs
        self._limits = max_words, max_pieces
        self._plain = plain
        labels = {index: label for label, index in parser.label_vocab.items()}
        self._labels = [labels[index].split(CHAIN) if labels[index] else [] for index in range(len(labels))]

    def trees(self, sentences: Sequence[Sequence[ParsedWord]]) -> list[tuple[list[Constituent], bool]]:
        """The constituents of each sentence, over its own words, and whether it was parsed in pieces."""
        parts = [self._cut(words) for words in sentences]
        examples = [
            self._example(words[start:end])
            for words, spans in zip(sentences, parts, strict=True)
            for start, end in spans
        ]
        if not examples:
            return [([], False) for _ in sentences]
        charts = iter(
            self._parser.parse(examples, return_compressed=True, subbatch_max_tokens=TOKENS_PER_BATCH)
        )
        out = []
        for spans in parts:
            found: list[Constituent] = []
            for start, _ in spans:
                found += self._constituents(next(charts), start, len(found))
            out.append((found, len(spans) > 1))
        return out

    def _example(self, words: Sequence[ParsedWord]) -> SimpleNamespace:
        texts = [word.text for word in words]
        ends = [word.end for word in words]
        spaces = [end < after.start for end, after in zip(ends, words[1:], strict=False)] + [False]
        if self._plain:
            texts = [PLAIN.get(text, text) for text in texts]
        return SimpleNamespace(words=texts, space_after=spaces, tree=None)

    def _cut(self, words: Sequence[ParsedWord]) -> list[tuple[int, int]]:
        """Spans within the limits, cut behind the last closing mark in a span's second half, or anywhere."""
        max_words, max_pieces = self._limits
        costs = self._costs([word.text for word in words]) if words else []
        spans: list[tuple[int, int]] = []
        start = 0
        while start < len(words):
            end, used = start, 0
            while (
                end < len(words)
                and end - start < max_words
                and (end == start or used + costs[end] <= max_pieces)
            ):
                used += costs[end]
                end += 1
            if end < len(words):
                marks = [at for at in range((start + end) // 2, end) if words[at].text[-1] in CLOSING]
                end = marks[-1] + 1 if marks else end
            spans.append((start, end))
            start = end
        return spans

    def _constituents(self, chart: Any, shift: int, before: int) -> list[Constituent]:
        """Benepar's pre-order spans as constituents; `before` of them stand in front of these."""
        out: list[Constituent] = []
        open_: list[tuple[int, int]] = []  # (end, place)
        rows: Iterable[tuple[int, int, int]] = zip(
            chart.starts.tolist(), chart.ends.tolist(), chart.labels.tolist(), strict=True
        )
        for start, end, label in rows:
            while open_ and open_[-1][0] <= start:
                open_.pop()
            for name in self._labels[label]:
                parent = open_[-1][1] if open_ else ROOT
                open_.append((end, before + len(out)))
                out.append(Constituent(name, start + shift, end + shift, parent))
        return out


FORMAT = 1
SHIPPED = ASSETS / "models"
HEADS = 8  # attention heads
PIECES_PER_WORD = 40  # a longer word (a URL, a row of letters without blanks) is read from its end


class LayerReader(Protocol):
    """What a head asks of an encoder; `TransformerEncoder` has it."""

    name: str
    fingerprint: str
    max_tokens: int

    def word_ids(self, words: Sequence[str]) -> list[list[int]]:
        """The token ids of each word, at least one a word."""
        ...

    def edge_ids(self) -> tuple[list[int], list[int]]:
        """The special tokens before and after a text."""
        ...

    def hidden_layers(self, ids: NDArray[np.int64], layers: Sequence[int]) -> NDArray[np.float32]:
        """(batch, n) -> (batch, n, d · len(layers))."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadConfig:
    """What a head is: of which language, over which encoder's layers, and how large.

    labels: its constituents' labels, unary chains joined by `::`; the empty one, which is 0, left out.
    max_words: the longest sentence that it was trained on; it knows no position beyond.
    """

    lang: str
    encoder: str
    layers: tuple[int, ...]
    labels: tuple[str, ...]
    d_model: int
    num_layers: int = 2
    d_ff: int = 768
    d_label: int = 192
    max_words: int = 80


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """A head as it stands in a file: (d,) float32 mean and standard deviation of the features, and weights.

    digest: eight characters that change with any byte of the file.
    """

    config: HeadConfig
    mean: NDArray[np.float32]
    std: NDArray[np.float32]
    state: Mapping[str, NDArray[np.floating[Any]]]
    digest: str = ""


class WordPieces:
    """Benepar's retokenizer, over an encoder that reads word by word: a word is its last piece."""

    def __init__(self, encoder: LayerReader) -> None:
        self._encoder = encoder
        self._before, self._after = encoder.edge_ids()

    def __call__(self, words: Sequence[str], space_after: object, **_: object) -> dict[str, list[int]]:
        """`input_ids` with the special ones, and the place of each word's last piece."""
        ids, ends = list(self._before), [len(self._before) - 1]
        for pieces in self._encoder.word_ids(words):
            ids += pieces[-PIECES_PER_WORD:]
            ends.append(len(ids) - 1)
        ends.append(len(ids))
        return {"input_ids": ids + self._after, "words_from_tokens": ends}


def new_parser(config: HeadConfig, width: int, *, dropout: float = 0.0) -> Any:
    """A benepar ChartParser without an encoder and with fresh weights, for features of `width` numbers."""
    import torch
    from benepar.nkutil import HParams
    from benepar.parse_chart import ChartParser

    quiet_decoder()
    hparams = HParams(
        use_pretrained=False,
        pretrained_model="",
        use_chars_lstm=False,
        use_encoder=True,
        predict_tags=False,
        force_root_constituent=True,
        encoder_max_len=config.max_words + 2,
        d_model=config.d_model,
        num_layers=config.num_layers,
        num_heads=HEADS,
        d_kv=config.d_model // HEADS,
        d_ff=config.d_ff,
        d_label_hidden=config.d_label,
        morpho_emb_dropout=dropout,
        attention_dropout=dropout,
        residual_dropout=dropout,
        relu_dropout=dropout / 2,
    )
    vocabulary = {label: index for index, label in enumerate(("", *config.labels))}
    parser = ChartParser({"UNK": 0}, vocabulary, None, hparams)
    parser.project_pretrained = torch.nn.Linear(width, config.d_model // 2, bias=False)
    return parser


def must_fit(head: Head, encoder: LayerReader) -> None:
    """Raise UnavailableError where the head belongs to another encoder."""
    if encoder.fingerprint != head.config.encoder:
        raise UnavailableError(
            "The built-in parser for {lang} belongs to the encoder {head}, but {encoder} "
            "is {found}; choose parser=dependency or train a head for it.",
            head=head.config.encoder,
            encoder=encoder.name,
            lang=head.config.lang,
            found=encoder.fingerprint,
        )


def shipped_path(lang: str) -> Path:
    """Where the head that comes with this program stands; there is no file for a language without one."""
    return SHIPPED / f"parser.{lang}.safetensors"


def shipped_languages() -> list[str]:
    """The languages that a head comes with."""
    return sorted(path.name.split(".")[1] for path in SHIPPED.glob("parser.*.safetensors"))


def save_head(head: Head, path: Path) -> None:
    """Write a head as safetensors: weights in float16, what it is as JSON; always the same bytes."""
    from safetensors.numpy import save_file

    tensors = {f"state.{name}": values.astype(np.float16) for name, values in head.state.items()}
    tensors |= {"mean": head.mean.astype(np.float32), "std": head.std.astype(np.float32)}
    about = {"format": FORMAT, **asdict(head.config)}
    save_file(tensors, path, metadata={"parser": json.dumps(about, ensure_ascii=False)})
    path.chmod(0o644)  # save_file leaves it to its owner alone


def load_head(path: Path) -> Head:
    """Read a head. FileError where the file is none; nothing in it is ever run."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            about = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        values: dict[str, Any] = json.loads(about["parser"])
        if values.pop("format") != FORMAT:
            raise ValueError("another format")
        layers, labels = tuple(values.pop("layers")), tuple(values.pop("labels"))
        config = HeadConfig(layers=layers, labels=labels, **values)
        mean, std = tensors.pop("mean"), tensors.pop("std")
    except OSError as error:
        raise FileError(path, "cannot be read ({reason})", reason=os_reason(error)) from error
    except (SafetensorError, KeyError, TypeError, ValueError) as error:
        raise FileError(path, "is not a parser head; train one with tools/parser/train.py") from error
    state = {name.removeprefix("state."): values for name, values in tensors.items()}
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    return Head(config, mean, std, state, digest)


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
    places = (folder / "models" / name for folder in nltk_folders())
    return next((place for place in places if place.exists()), None)


def is_model(name: str) -> bool:
    """Whether a parser's name means a benepar model: by benepar's names, or a path that holds one."""
    path = Path(name)
    return NAME.fullmatch(name) is not None or path.is_file() or (path / "benepar_model.bin").exists()


def load_model(name: str, lang: str) -> tuple[ChartTrees, str, str]:
    """The model, its name, its word for a signature. UnavailableError where there is none for `lang`."""
    spelled = NAME.fullmatch(name)
    if spelled and spelled[1] != lang:
        raise UnavailableError(
            "The parser {parser} reads {spoken}, not {lang}.", parser=name, spoken=spelled[1], lang=lang
        )
    path = find_model(name)
    if path is None:
        raise UnavailableError(
            "The benepar model {parser} is not on this machine; get it with "
            "benepar.download('{parser}') while connected, or choose parser=auto.",
            parser=name,
        )
    from benepar.parse_chart import ChartParser

    quiet_decoder()
    try:
        with _patching, _special_tokens_as_before():
            parser = ChartParser.from_trained(str(path)).float().eval()
    except BROKEN_MODEL as error:
        raise UnavailableError(
            "The benepar model {parser} cannot be loaded ({reason}).",
            parser=name,
            reason=type(error).__name__,
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
