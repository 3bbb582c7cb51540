"""Reading a file that somebody has uploaded in a process of its own, whose memory and time are limited.

Whatever is in the file, the server goes on. Where the system cannot limit a process (Windows), the file is
read in this one.

`python -m db.formats.apart` is what the process runs: a request comes in, the campaign or an error goes out.
"""

from __future__ import annotations

import os
import pickle  # nosec B403  # from this program to itself
import subprocess  # nosec B404  # this program again, no shell
import sys
from pathlib import Path

from core.assets import ROOT
from core.errors import FileError, YomikurabeError
from core.text.archive import is_zip, unpacked
from db.formats import get_format
from db.formats.bundle import Bundle, ReadOptions

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MEMORY_BYTES = 4 << 30
"""Of addresses, about 1 GB of which are the program's own."""
SECONDS = 300
_NO_MEMORY = 3  # the exit status


def read(name: str, path: Path, options: ReadOptions) -> Bundle:
    """The campaign in a file of this format; a zip file may hold a folder. Raises the reader's errors.

    Raises FileError, too, where it takes more memory or time than a file may.
    """
    if resource is None:
        return read_here(name, path, options)
    try:
        done = subprocess.run(  # nosec B603  # our own interpreter and module
            [sys.executable, "-m", "db.formats.apart", str(MEMORY_BYTES)],
            input=pickle.dumps((name, path, options)),
            stdout=subprocess.PIPE,
            cwd=ROOT,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise FileError(
            path, "takes more than {seconds} seconds to read; split it.", seconds=SECONDS
        ) from error
    if done.returncode == _NO_MEMORY or done.returncode < 0:  # ended by the system, which had none left
        raise FileError(path, "takes more memory to read than a file may; split it.")
    if done.returncode != 0:
        raise RuntimeError("the process that reads uploads has failed; it says why on standard error")
    kind, content = pickle.loads(done.stdout)  # nosec B301  # from the process above
    if kind == "bundle":
        bundle: Bundle = content
        return bundle
    error_type, args, state = content
    told: YomikurabeError = error_type.__new__(error_type, *args)
    told.__dict__.update(state)
    raise told


def read_here(name: str, path: Path, options: ReadOptions) -> Bundle:
    """The same in this process, without limits."""
    wanted = get_format(name)
    if wanted.folder and is_zip(path):
        with unpacked(path) as inside:
            return wanted.read(inside, options)
    return wanted.read(path, options)


def main() -> int:
    """Read what is asked for, within the limits; the exit status tells where memory ran out."""
    most = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    answer: tuple[str, object]
    try:
        answer = "bundle", read_here(*pickle.loads(sys.stdin.buffer.read()))  # nosec B301  # as above
        data = pickle.dumps(answer)
    except YomikurabeError as error:
        data = pickle.dumps(("error", (type(error), error.args, error.__dict__)))
    except MemoryError:
        return _NO_MEMORY
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    os._exit(0)  # taking a large campaign apart takes seconds


if __name__ == "__main__":
    sys.exit(main())
