"""An encoder's layers in torch: any model of transformers, on the processor or a graphics card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.backends.encoder.engines import Layers
from core.backends.encoder.model_files import explained
from core.errors import OptionError

TOKENS_PER_BATCH = {"cpu": 2048, "mps": 8192, "cuda": 32768}
"""By device; halved there for as long as its memory is too small."""
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


def load_model(location: str, precision: str | None = None) -> Any:
    """The model in eval mode. Raises OptionError.

    precision: the format of the weights, such as `bfloat16`; None leaves them as they are stored.
    """
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    with explained(location):
        model = transformers.AutoModel.from_pretrained(  # nosec B615  # which one is the user's choice
            location, trust_remote_code=False
        )
    if hasattr(model, "encoder") and hasattr(model, "decoder"):
        model = model.encoder
    return (_in(model, precision) if precision else model).eval()


def _in(model: Any, precision: str) -> Any:
    """The model with its weights in that format."""
    import torch

    return model.to(getattr(torch, precision))


def released(library: str) -> str:
    """The version of a library without its build: `2.13.0` for `2.13.0+cpu`.

    Builds differ from machine to machine, for the same device.
    """
    return version(library).partition("+")[0]


def find_device(device: str) -> str:
    """`cpu`, `cuda` or `mps`; for `auto` a CUDA card where there is one. OptionError for what is not here."""
    import torch

    there = {
        "cpu": True,
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
    }
    if device == "auto":
        return "cuda" if there["cuda"] else "cpu"
    if not there[device]:
        raise OptionError("device={device}: there is none here; choose device=cpu", device=device)
    return device


class TorchEngine:
    """A transformers model in inference mode, loaded when first asked for.

    device: of `find_device`. TensorFloat-32 is off: it keeps ten bits of what float32 keeps 23.
    """

    def __init__(
        self,
        location: str,
        *,
        precision: str | None = None,
        device: str = "cpu",
        say: Callable[[str], None] = lambda message: None,
    ) -> None:
        self._location, self._precision, self._device, self._say = location, precision, device, say
        self.tokens_per_batch = TOKENS_PER_BATCH[device]
        on = {} if device == "cpu" else {"device": device}
        self.libraries = {name: released(name) for name in ("transformers", "torch")} | on

    def load(self, layers: Sequence[int] = ()) -> None:
        """Load the model now, unless it is loaded. Raises OptionError."""
        _ = self.model

    @cached_property
    def model(self) -> Any:
        """The model, on its device."""
        self._say("Loading the encoder …")
        model = load_model(self._location, self._precision)
        if self._device == "cpu":
            return model
        import torch

        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        return model.to(self._device)

    def same_cut(self, ids: NDArray[np.int64]) -> bool:
        """Found out with the whole model, and to be asked before several layers are.

        transformers gives the states of those layers only that were there when it was first asked for any.
        """
        import torch

        with torch.inference_mode():
            given = torch.from_numpy(ids).to(self._device)
            states = self.model(input_ids=given, output_hidden_states=True).hidden_states
            cut = [self.forward(ids, [layer])[0] for layer in (0, 1)]
        return all(
            np.array_equal(one, state.float().cpu().numpy()) for one, state in zip(cut, states, strict=False)
        )

    def forward(self, ids: NDArray[np.int64], layers: Sequence[int]) -> Layers:
        """See `Engine.forward`."""
        import torch

        try:
            return self._forward(ids, layers)
        except torch.OutOfMemoryError as error:
            raise MemoryError(self._device) from error

    def _forward(self, ids: NDArray[np.int64], layers: Sequence[int]) -> Layers:
        import torch

        top = max(layers)
        with torch.inference_mode(), FirstLayers(self.model, top) as cut:
            wanted = not cut or len(layers) > 1
            given = torch.from_numpy(ids).to(self._device)
            output = self.model(input_ids=given, output_hidden_states=wanted)
            hidden = [
                output.last_hidden_state if cut and layer == top else output.hidden_states[layer]
                for layer in layers
            ]
        return [np.asarray(one.float().cpu().numpy(), np.float32) for one in hidden]
