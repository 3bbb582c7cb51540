"""`python -m core idf build|show`: build a dictionary of document frequencies, and look up tokens."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from core.backends import Encoder
from core.backends.registry import load_backends
from core.cli.console import exit_on_error, output, progress_bar, say
from core.errors import FileError, InputError
from core.metrics.idf import (
    QUANTILE,
    Idf,
    build_idf,
    build_word_idf,
    corpus_key,
    count_files,
    documents,
    load_idf,
    read_idf,
    recall,
    remember,
    save_idf,
    word_key,
)

idf_app = typer.Typer(help="Build and query dictionaries of document frequencies.", no_args_is_help=True)

EncoderName = Annotated[
    str, typer.Option("--encoder", help="Encoder: embedded, a model id of the Hugging Face hub, or a folder.")
]


Unit = Annotated[
    Literal["piece", "word"],
    typer.Option("--unit", help="Count tokens of the encoder (piece) or words (word)."),
]
WordLang = Annotated[str, typer.Option("--lang", help="Language of the words, an ISO 639-1 code.")]


@idf_app.command()
@exit_on_error
def build(
    corpus: Annotated[list[Path], typer.Argument(help="Text files, folders, zip files, or JSON lines.")],
    out: Annotated[Path, typer.Option("--out", help="Dictionary file to write (.json.gz).")],
    encoder: EncoderName = "embedded",
    unit: Unit = "piece",
    lang: WordLang = "ja",
    name: Annotated[str, typer.Option("--name", help="Name of the dictionary in signatures.")] = "corpus",
    licence: Annotated[
        str, typer.Option("--licence", help="Licence of the corpus, stored in the dictionary.")
    ] = "",
    resume: Annotated[
        bool, typer.Option("--resume/--no-resume", help="Reuse the cached counts of the same corpus.")
    ] = True,
    fresh: Annotated[bool, typer.Option("--fresh", hidden=True, help="Same as --no-resume.")] = False,
) -> None:
    """Count the documents in which each token or word occurs.

    Each file is a document; in JSON lines each line is a document.

    The counts are cached in the user's cache folder.
    """
    if not out.parent.is_dir():
        raise FileError(out, "cannot be written (its folder does not exist)")
    backends = load_backends()
    if unit == "word":
        idf = _count(
            corpus, partial(build_word_idf, reader=backends.reader("word"), lang=lang), name, licence
        )
    else:
        idf = _tokens(corpus, backends.encoder(encoder), name, licence, resume=resume and not fresh)
    save_idf(idf, out)
    say(
        f"{idf.signature}: {idf.documents} documents, {len(idf.frequencies)} {unit}s".replace(
            "pieces", "tokens"
        )
    )


def _tokens(corpus: list[Path], model: Encoder, name: str, licence: str, *, resume: bool) -> Idf:
    """The counts of the corpus, from the cache where they are known."""
    key = corpus_key(corpus, model, name=name, licence=licence)
    idf = recall(key, model) if key is not None and resume else None
    if idf is not None:
        say("Using the cached counts of this corpus; --no-resume counts again.")
        return idf
    idf = _count(corpus, partial(build_idf, encoder=model), name, licence)
    if key is not None:
        remember(key, idf)
    return idf


def _count(corpus: list[Path], build: Callable[..., Idf], name: str, licence: str) -> Idf:
    with progress_bar("counting") as progress:
        expected = count_files(corpus)
        idf = build(documents(corpus), name=name, licence=licence, progress=progress, expected=expected)
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
    """Write the document frequency and idf of each token, and whether it is rare.

    A dictionary of words has a line for each word.
    """
    found: list[tuple[str, str, int | str, float]]
    idf = read_idf(file)
    if idf.unit == "word":
        found = [(word, word, word_key(word), idf.weights([word])[0]) for word in tokens]
    else:
        model = load_backends().encoder(encoder)
        idf = load_idf(file, model)
        found = [
            (word, token.text, int(index), weight)
            for word, text in zip(tokens, model.encode(tokens, layer=0), strict=True)
            for token, index, weight in zip(text.tokens, text.ids, idf.weights(text.ids), strict=True)
            if not token.special
        ]
    threshold = idf.threshold(quantile)
    with output(None) as out:
        for word, token, key, weight in found:
            row = {
                "word": word,
                "token": token,
                "documents": idf.frequencies.get(key, 0),
                "of": idf.documents,
                "idf": round(float(weight), 4),
                "rare": bool(weight > threshold),
            }
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
