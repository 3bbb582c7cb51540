"""A zip file from a user, unpacked into a temporary folder. Nothing in it is trusted."""

from __future__ import annotations

import lzma
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from core.errors import FileError, Wording, os_reason
from core.text.files import LIMIT_BYTES, decode

LIMIT_MEMBERS = 10_000
LIMIT_DEPTH = 8
"""How many folders deep a file may lie."""

_CHUNK = 1 << 16
_ENCRYPTED, _UTF8 = 0x1, 0x800
_BYPRODUCTS = re.compile(r"(^|/)(__MACOSX/|\.DS_Store$|Thumbs\.db$)")
_UNFIT = re.compile(r"^[A-Za-z]:|[\x00-\x1f\x7f\ud800-\udfff]")
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,  # a method of compression that Python does not know
    RuntimeError,
    ValueError,
)


def is_zip(path: Path) -> bool:
    """Whether a file begins like a zip file; of an unreadable one, False."""
    try:
        with path.open("rb") as file:
            return file.read(4) in (b"PK\x03\x04", b"PK\x05\x06")
    except OSError:
        return False


@contextmanager
def unpacked(
    path: Path, *, limit_bytes: int = LIMIT_BYTES, limit_members: int = LIMIT_MEMBERS
) -> Iterator[Path]:
    """The folder that a zip file holds: its one folder, or all of it, named like the file; gone at the end.

    `limit_bytes` holds for the zip file and for what it really unpacks to, whatever it says of itself.
    Raises FileError for names that lead elsewhere, links, encryption, damage, and too much of anything.
    """
    with TemporaryDirectory(prefix="yomikurabe-") as name:
        folder = Path(name) / (path.name or "zip")
        folder.mkdir()
        try:
            if path.stat().st_size > limit_bytes:
                raise FileError(
                    path,
                    "is larger than the limit of {limit:,} bytes; split it.",
                    limit=limit_bytes,
                )
            with zipfile.ZipFile(path) as archive:
                _unpack(archive, path, folder, limit_bytes, limit_members)
        except _DAMAGE as error:
            raise FileError(path, "is not a zip file that can be read; make it again.") from error
        except OSError as error:
            raise FileError(path, "cannot be unpacked ({reason}).", reason=os_reason(error)) from error
        inside = list(folder.iterdir())
        yield inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def _unpack(archive: zipfile.ZipFile, path: Path, folder: Path, limit_bytes: int, limit_members: int) -> None:
    members = archive.infolist()
    if len(members) > limit_members:
        raise FileError(
            path,
            "holds {n:,} files and {limit:,} are allowed; split it.",
            n=len(members),
            limit=limit_members,
        )
    left = limit_bytes
    names = _names(members)
    for member in members:
        name = names[member.orig_filename]
        if _BYPRODUCTS.search(name):
            continue
        target = folder.joinpath(*_checked_parts(member, name, path))
        if member.is_dir() or name.endswith("/"):
            target.mkdir(parents=True, exist_ok=True)
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            raise FileError(path, "holds “{name:.200}” twice.", name=name)
        with archive.open(member) as packed, target.open("xb") as file:
            while chunk := packed.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise FileError(
                        path,
                        "unpacks to more than the limit of {limit:,} bytes; split it.",
                        limit=limit_bytes,
                    )
                file.write(chunk)
    if not any(folder.iterdir()):
        raise FileError(path, "holds no files.")


def _names(members: Sequence[zipfile.ZipInfo]) -> dict[str, str]:
    """The names of members as they were written, with / between folders.

    A name without the mark of UTF-8 is in the writer's encoding, on Japanese Windows CP932, where a byte of a
    character can be a backslash: the encoding is found from all such names together.
    """
    old = [one.orig_filename for one in members if not one.flag_bits & _UTF8]
    raw = [name.encode("cp437", "replace") for name in old]
    text = b"\n".join(raw)
    try:
        decoded = dict(zip(old, decode(text, path="").split("\n"), strict=True))
    except (FileError, ValueError):
        decoded = {}
    return {
        one.orig_filename: decoded.get(one.orig_filename, one.filename).replace("\\", "/") for one in members
    }


def _checked_parts(member: zipfile.ZipInfo, name: str, path: Path) -> tuple[str, ...]:
    """The folders and the name of a member that may be unpacked."""
    shown = (
        Wording("“{name:.200}”", name=name)
        if name.isprintable()
        else Wording("a file with unprintable characters in its name")
    )
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or not parts or _UNFIT.search(member.orig_filename):
        raise FileError(
            path, "holds {shown}, which leads out of the folder; make the zip file again.", shown=shown
        )
    if len(parts) - 1 > LIMIT_DEPTH:
        raise FileError(
            path,
            "holds {shown}, more than {limit} folders deep; flatten it.",
            shown=shown,
            limit=LIMIT_DEPTH,
        )
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise FileError(
            path, "holds {shown}, a link or device; put the file itself into the zip file.", shown=shown
        )
    if member.flag_bits & _ENCRYPTED:
        raise FileError(
            path, "holds {shown}, which is encrypted; make the zip file without a password.", shown=shown
        )
    return parts
