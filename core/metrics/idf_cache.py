"""Dictionaries of document frequencies that were counted before, in the user's cache folder.

The key of a corpus is a hash over its files' names and contents, in the order in which they are counted, and
over all else that can change the dictionary. Whoever changes a file, an encoder or the name gets another key.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import platformdirs

from core.backends import Encoder
from core.errors import FileError
from core.metrics.idf import FORMAT, Idf, load_idf, save_idf
from core.text.corpus import corpus_files

COUNTING = 1  # raise it when the same corpus would be cut or counted differently
BYTES_AT_ONCE = 1 << 20
KEPT = 50  # dictionaries in the folder; the oldest go


def cache_folder() -> Path:
    """Where they lie; the folder may not exist yet."""
    return platformdirs.user_cache_path("yomikurabe") / "idf"


def corpus_key(paths: Sequence[Path], encoder: Encoder, *, name: str, licence: str) -> str | None:
    """64 hexadecimal digits; None where a file can be read only once, such as a pipe.

    Memory holds a megabyte of a file. FileError for a file that cannot be read.
    """
    found = hashlib.sha256(repr((FORMAT, COUNTING, encoder.fingerprint, name, licence)).encode())
    for path in corpus_files(paths):
        try:
            if not path.is_file():
                return None
            with path.open("rb") as file:
                content = hashlib.sha256()
                while piece := file.read(BYTES_AT_ONCE):
                    content.update(piece)
        except OSError as error:
            raise FileError(path, f"cannot be read ({error.strerror or error})") from error
        found.update(repr((path.name, content.hexdigest())).encode())
    return found.hexdigest()


def recall(key: str, encoder: Encoder) -> Idf | None:
    """The dictionary of a key; None where there is none, or none that is whole."""
    try:
        return load_idf(_place(key), encoder)
    except FileError:
        return None


def remember(key: str, idf: Idf) -> None:
    """Keep a dictionary, whole or not at all; without a word where the folder cannot be written."""
    with contextlib.suppress(OSError, FileError):
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".draft-", dir=folder) as draft:
            save_idf(idf, Path(draft) / key)
            os.replace(Path(draft) / key, _place(key))
        known = sorted(folder.glob("*.json.gz"), key=lambda path: path.stat().st_mtime_ns)
        for old in known[:-KEPT]:
            old.unlink(missing_ok=True)


def _place(key: str) -> Path:
    return cache_folder() / f"{key}.json.gz"
