"""New files and folders: whole when they are there, and never in the place of another without leave."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import FileError


@contextmanager
def new_file(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """A path to fill, which becomes `path` when the block ends well; until then nothing at `path` changes.

    Raises FileError when there is a file already, and when the folder cannot be written.
    """
    if path.exists() and not overwrite:
        raise FileError(path, "is there already; choose another name or remove it first.")
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield draft
        os.replace(draft, path)
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror or error}).") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, which becomes `path` when the block ends well. Raises FileError like `new_file`."""
    if path.exists():
        raise FileError(path, "is there already; choose another name or remove it first.")
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        draft.mkdir()
        yield draft
        os.replace(draft, path)
    except OSError as error:
        raise FileError(path, f"cannot be written ({error.strerror or error}).") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
