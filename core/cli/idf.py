"""`python -m core idf build|show`: build a dictionary of document frequencies, and look up tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from core.backends import Encoder
from core.backends.registry import load_backends
from core.cli.console import exit_on_error, output, progress_bar, say
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

idf_app = typer.Typer(help="Build and query dictionaries of document frequencies.", no_args_is_help=True)

EncoderName = Annotated[
    str, typer.Option("--encoder", help="Encoder: embedded, a model id of the Hugging Face hub, or a folder.")
]


@idf_app.command()
@exit_on_error
def build(
    corpus: Annotated[list[Path], typer.Argument(help="Text files, folders, zip files, or JSON lines.")],
    out: Annotated[Path, typer.Option("--out", help="Dictionary file to write (.json.gz).")],
    encoder: EncoderName = "embedded",
    name: Annotated[str, typer.Option("--name", help="Name of the dictionary in signatures.")] = "corpus",
    licence: Annotated[
        str, typer.Option("--licence", help="Licence of the corpus, stored in the dictionary.")
    ] = "",
    resume: Annotated[
        bool, typer.Option("--resume/--no-resume", help="Reuse the cached counts of the same corpus.")
    ] = True,
    fresh: Annotated[bool, typer.Option("--fresh", hidden=True, help="Same as --no-resume.")] = False,
) -> None:
    """Count the documents in which each token occurs.

    Each file is a document; in JSON lines each line is a document.

    The counts are cached in the user's cache folder.
    """
    if not out.parent.is_dir():
        raise FileError(out, "cannot be written (its folder does not exist)")
    model = load_backends().encoder(encoder)
    key = corpus_key(corpus, model, name=name, licence=licence)
    idf = recall(key, model) if key is not None and resume and not fresh else None
    if idf is not None:
        say("Using the cached counts of this corpus; --no-resume counts again.")
    else:
        idf = _count(corpus, model, name, licence)
        if key is not None:
            remember(key, idf)
    save_idf(idf, out)
    say(f"{idf.signature}: {idf.documents} documents, {len(idf.frequencies)} tokens")


def _count(corpus: list[Path], model: Encoder, name: str, licence: str) -> Idf:
    with progress_bar("counting") as progress:
        expected = count_files(corpus)
        idf = build_idf(
            documents(corpus), model, name=name, licence=licence, progress=progress, expected=expected
        )
    if not idf.documents:
        raise InputError("The corpus is empty; give files, folders or zip files with .txt, or .jsonl.")
    return idf


@idf_app.command()
@exit_on_error
def show(
    file: Annotated[Path, typer.Argument(help="Dictionary file.")],
    tokens: Annotated[list[str], typer.Argument(help="Words or tokens to look up.")],
    encoder: EncoderName = "embedded",
    quantile: Annotated[
        float,
        typer.Option(
            "--quantile", min=0, max=1, help="Quantile of idf below which a token counts as common."
        ),
    ] = QUANTILE,
) -> None:
    """Write the document frequency and idf of each token of each word, and whether it is rare."""
    model = load_backends().encoder(encoder)
    idf = load_idf(file, model)
    threshold = idf.threshold(quantile)
    with output(None) as out:
        for word, text in zip(tokens, model.encode(tokens, layer=0), strict=True):
            for token, index, weight in zip(text.tokens, text.ids, idf.weights(text.ids), strict=True):
                if not token.special:
                    row = {
                        "word": word,
                        "token": token.text,
                        "documents": idf.frequencies.get(int(index), 0),
                        "of": idf.documents,
                        "idf": round(float(weight), 4),
                        "rare": bool(weight >= threshold),
                    }
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
