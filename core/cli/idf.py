"""`python -m core idf build|show`: make a dictionary of document frequencies, and look into one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from core.backends import Encoder as Model
from core.backends.registry import load_backends
from core.cli.console import exit_on_error, progress_bar, say
from core.errors import FileError, InputError
from core.metrics.idf import (
    QUANTILE,
    Idf,
    build_idf,
    corpus_key,
    count_files,
    documents,
    load_idf,
    recall,
    remember,
    save_idf,
)

idf_app = typer.Typer(help="Document frequencies of a corpus: how rare a token is.", no_args_is_help=True)

Encoder = Annotated[str, typer.Option("--encoder", help="embedded, a hub id, or a folder.")]


@idf_app.command()
@exit_on_error
def build(
    corpus: Annotated[list[Path], typer.Argument(help="Text files, folders, zips, or JSON lines.")],
    out: Annotated[Path, typer.Option("--out", help="The dictionary to write (.json.gz).")],
    encoder: Encoder = "embedded",
    name: Annotated[str, typer.Option("--name", help="What signatures call it.")] = "corpus",
    licence: Annotated[str, typer.Option("--licence", help="The texts' licence, kept inside.")] = "",
    fresh: Annotated[bool, typer.Option("--fresh", help="Count again what was counted before.")] = False,
) -> None:
    """Count in how many documents each token occurs. A file is a document; in JSON lines each line is one.

    A corpus that was counted before is not counted again: the answer is kept in the user's cache folder.
    """
    if not out.parent.is_dir():
        raise FileError(out, "cannot be written (its folder does not exist)")
    model = load_backends().encoder(encoder)
    key = corpus_key(corpus, model, name=name, licence=licence)
    idf = None if fresh or key is None else recall(key, model)
    if idf is not None:
        say("This corpus was counted before and the answer was kept; --fresh counts it again.")
    else:
        idf = _counted(corpus, model, name, licence)
        if key is not None:
            remember(key, idf)
    save_idf(idf, out)
    say(f"{idf.signature}: {idf.documents} documents, {len(idf.frequencies)} tokens")


def _counted(corpus: list[Path], model: Model, name: str, licence: str) -> Idf:
    with progress_bar("counting") as progress:
        expected = count_files(corpus)
        idf = build_idf(
            documents(corpus), model, name=name, licence=licence, progress=progress, expected=expected
        )
    if not idf.documents:
        raise InputError("The corpus holds no text; give files, folders or zips with .txt, or .jsonl.")
    return idf


@idf_app.command()
@exit_on_error
def show(
    file: Annotated[Path, typer.Argument(help="A dictionary.")],
    tokens: Annotated[list[str], typer.Argument(help="Words or tokens to look up.")],
    encoder: Encoder = "embedded",
    quantile: Annotated[
        float, typer.Option("--quantile", min=0, max=1, help="Which share is common.")
    ] = QUANTILE,
) -> None:
    """Show the document frequency and idf of each token of each word, and whether it counts as rare."""
    model = load_backends().encoder(encoder)
    idf = load_idf(file, model)
    threshold = idf.threshold(quantile)
    for word, text in zip(tokens, model.encode(tokens, layer=0), strict=True):
        weights = idf.weights(text.ids)
        for token, number, weight in zip(text.tokens, text.ids, weights, strict=True):
            if not token.special:
                row = {
                    "word": word,
                    "token": token.text,
                    "documents": idf.frequencies.get(int(number), 0),
                    "of": idf.documents,
                    "idf": round(float(weight), 4),
                    "rare": bool(weight >= threshold),
                }
                sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
