"""Loading a transformers model with its fast tokenizer, and what must be known about it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.backends.encoder.builtin import FINGERPRINT_FILE
from core.errors import OptionError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

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


def load(location: str, dtype: str | None = None) -> tuple[Tokenizer, Any]:
    """Return (fast tokenizer without cutting or padding, model in eval mode), or raise OptionError.

    dtype: a format of `DTYPES` for the weights; None leaves them as they are stored.
    """
    import transformers

    if dtype is not None and dtype not in DTYPES:
        raise OptionError(f"dtype={dtype}: choose {' or '.join(DTYPES)}", dtype=dtype)

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    try:
        tokenizer = own_tokenizer(_tokenizer_json(location))
        model = transformers.AutoModel.from_pretrained(location)  # nosec B615  # which one is the user's choice
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise OptionError(
            f"The encoder {location} cannot be loaded here; give a folder that holds config.json, weights "
            "and tokenizer.json, or a hub id while connected, or choose encoder=embedded.",
            encoder=location,
        ) from error
    if hasattr(model, "encoder") and hasattr(model, "decoder"):
        model = model.encoder
    return tokenizer, (_in(model, dtype) if dtype else model).eval()


def _in(model: Any, dtype: str) -> Any:
    """The model with its weights in that format."""
    import torch

    return model.to(getattr(torch, dtype))


def _tokenizer_json(location: str) -> str:
    import transformers

    file = Path(location) / "tokenizer.json"
    if file.exists():
        return file.read_text("utf-8")
    tokenizer = transformers.AutoTokenizer.from_pretrained(location)  # nosec B615  # as above
    if not tokenizer.is_fast:
        raise OptionError(
            f"The encoder {location} has no fast tokenizer, which is needed to know where each token stands.",
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
