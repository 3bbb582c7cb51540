"""A bundle into a new file or folder, or the bytes of one."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TextIO

from core.errors import OptionError
from db.formats import FORMATS, get_format
from db.formats.bundle import Bundle, Format
from db.formats.capabilities import reduce
from db.new_files import new_file, new_folder

_ZIP_TIME = (1980, 1, 1, 0, 0, 0)

More = Callable[[Bundle], Iterable[tuple[str, bytes]]]
"""More files of a folder, made from what it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A campaign as one file: its name, its content, and sentences about what was left out of it."""

    name: str
    data: bytes
    notes: tuple[str, ...]


def writable(name: str) -> Format:
    """The format of this name. Raises OptionError for one that cannot be written."""
    wanted = get_format(name)
    if not wanted.writes:
        able = ", ".join(name for name, entry in FORMATS.items() if entry.writes)
        raise OptionError(f"The format “{name}” can only be read; export as {able}.")
    return wanted


def reduced(bundle: Bundle, name: str) -> Bundle:
    """What a format holds of a campaign; its notes say what had to be left out, and how much of it."""
    wanted = writable(name)
    held = reduce(bundle, wanted.holds)
    remarks = wanted.remarks(held) if wanted.remarks else ()
    return replace(held, notes=(*held.notes, *remarks))


def write_bundle(
    bundle: Bundle, name: str, path: Path, *, overwrite: bool = False, more: More | None = None
) -> Bundle:
    """Write a campaign to a new file, or a new folder where the format is one; returns what was written.

    Its notes say what was left out. more: more files of a folder. Raises FileError, and then nothing at
    `path` has changed.
    """
    wanted, held = writable(name), reduced(bundle, name)
    if wanted.folder:
        with new_folder(path) as draft:
            for inner, content in _files(wanted, held, more):
                target = draft / inner
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
        return held
    with new_file(path, overwrite=overwrite) as draft:
        _fill(wanted, held, draft, path)
    return held


def download(bundle: Bundle, name: str, *, more: More | None = None) -> Download:
    """A campaign as one file in memory, a folder as a zip file. Raises FileError for what does not fit.

    more: more files of a folder.
    """
    wanted, held = writable(name), reduced(bundle, name)
    stem = (
        "".join(char if char.isalnum() or char in "-_ " else "_" for char in bundle.name)[:80] or "campaign"
    )
    if wanted.folder:
        files = _files(wanted, held, more)
        return Download(name=f"{stem}.{name}.zip", data=_zipped(files), notes=held.notes)
    path = Path(f"{stem}{wanted.suffix}")
    if wanted.write is None:
        ((_, data),) = _files(wanted, held)
    else:
        data = _text(wanted.write, held, path)
    return Download(name=path.name, data=data, notes=held.notes)


def _fill(wanted: Format, held: Bundle, draft: Path, path: Path) -> None:
    if wanted.write is None:
        for _, content in _files(wanted, held):
            draft.write_bytes(content)
        return
    with draft.open("w", encoding="utf-8", newline="") as file:
        wanted.write(held, file, path)


def _files(wanted: Format, held: Bundle, more: More | None = None) -> Iterator[tuple[str, bytes]]:
    own = iter(()) if wanted.write_files is None else wanted.write_files(held)
    return chain(own, more(held) if more else ())


def _text(write: Callable[[Bundle, TextIO, Path], None], held: Bundle, path: Path) -> bytes:
    buffer = io.BytesIO()
    with io.TextIOWrapper(buffer, encoding="utf-8", newline="") as file:
        write(held, file, path)
        file.flush()
        return buffer.getvalue()


def _zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip file in which no clock shows: the same campaign gives the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name, _ZIP_TIME), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
