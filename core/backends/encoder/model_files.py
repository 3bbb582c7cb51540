"""The files of a transformers model: tokenizer, configuration, fingerprint, and how many tokens it reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.backends import BROKEN_MODEL
from core.backends.encoder.builtin import FINGERPRINT_FILE, embedded_tokenizer
from core.errors import OptionError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DEFAULT_POSITIONS = 512
OFFSET_POSITION_MODELS = frozenset({"roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "mpnet"})


def _broken() -> tuple[type[Exception], ...]:
    """What the libraries raise for such files; asked for when something was raised, since it loads them."""
    from huggingface_hub.errors import StrictDataclassError
    from safetensors import SafetensorError

    return (*BROKEN_MODEL, SafetensorError, StrictDataclassError)


@contextmanager
def explained(location: str) -> Iterator[None]:
    """Raise OptionError for what the libraries raise where the files of a model cannot be used."""
    try:
        yield
    except _broken() as error:
        raise OptionError(
            "The encoder {encoder} cannot be loaded here; give a folder that holds "
            "config.json, weights and tokenizer.json, or a hub id while connected, or "
            "choose encoder=embedded.",
            encoder=location,
        ) from error


def load_tokenizer(location: str) -> Tokenizer:
    """The fast tokenizer without cutting or padding. Raises OptionError."""
    with explained(location):
        if (Path(location) / FINGERPRINT_FILE).exists():
            return _apart(embedded_tokenizer(Path(location)))
        return own_tokenizer(_tokenizer_json(location))


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
    return _apart(Tokenizer.from_str(definition))


def _apart(tokenizer: Tokenizer) -> Tokenizer:
    """The tokenizer, for whole texts, in which special tokens are ordinary text."""
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return tokenizer


def max_tokens(config: Any) -> int:
    """From the model, never from the tokenizer, whose limit may be a sentinel of thirty digits."""
    positions = int(getattr(config, "max_position_embeddings", None) or DEFAULT_POSITIONS)
    if config.model_type in OFFSET_POSITION_MODELS:
        positions -= (getattr(config, "pad_token_id", None) or 0) + 1
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
