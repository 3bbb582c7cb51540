"""What every command says: scripts of command lines, run in a folder of their own, as one text each.

A text reads like a terminal: the command after `$`, what it printed, lines of standard error after `! `, its
exit status where it is not 0, and the files that `cat` shows. What differs from run to run is put as a word.
"""

from __future__ import annotations

import contextlib
import html
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import platformdirs

from tests.golden.command_inputs import ROOT, write_inputs
from tests.golden.command_lines import SCRIPTS

STORED = Path(__file__).parent / "commands"
WIDTH = 100
"""Columns of the terminal."""
MOST_LINES = 40
"""Of a file that is shown; the number of the others is said."""
WITHOUT = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "YOMIKURABE_MODEL", "YOMIKURABE_PRICES", "FORCE_COLOR")


def transcript(name: str) -> str:
    """Run a script and give what a terminal would show."""
    with tempfile.TemporaryDirectory() as folder, _standing_in(Path(folder)):
        write_inputs(Path(folder))
        return "\n".join(_told(line, Path(folder)) for line in SCRIPTS[name])


@contextlib.contextmanager
def _standing_in(folder: Path) -> Iterator[None]:
    """The folder as the working directory, with its own database and caches, and no language model."""
    before, kept = Path.cwd(), dict(os.environ)
    encoders = platformdirs.user_cache_path("yomikurabe") / "encoders"  # unpacking one takes long
    encoders.mkdir(parents=True, exist_ok=True)
    (folder / ".cache" / "yomikurabe").mkdir(parents=True)
    (folder / ".cache" / "yomikurabe" / "encoders").symlink_to(encoders)
    os.environ.update(
        COLUMNS=str(WIDTH),
        NO_COLOR="1",
        YOMIKURABE_DB="sqlite:///app.sqlite",
        XDG_CACHE_HOME=str(folder / ".cache"),
        XDG_CONFIG_HOME=str(folder / ".config"),
    )
    for one in WITHOUT:
        os.environ.pop(one, None)
    paths = list(sys.path)
    sys.path.insert(0, str(ROOT))  # where the folder that we leave was on it as “here”
    os.chdir(folder)
    try:
        yield
    finally:
        sys.path[:] = paths
        os.chdir(before)
        os.environ.clear()
        os.environ.update(kept)


def _told(line: str, folder: Path) -> str:
    program, *arguments = shlex.split(line)
    if program == "cat":
        return f"$ {line}\n{_shown(folder / arguments[0])}"
    status, out, err = _run(program, arguments)
    said = "".join(f"! {one}\n" for one in _settled(err).splitlines())
    ended = f"(exit status {status})\n" if status else ""
    return f"$ python -m {line}\n{_settled(out)}{said}{ended}"


def _run(program: str, arguments: list[str]) -> tuple[int, str, str]:
    """Run a command in this process: (exit status, standard output, standard error)."""
    from core.__main__ import app as core_app
    from db.__main__ import app as db_app
    from db.__main__ import main as db_main

    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    status: object = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            if program == "db" and arguments[-1] != "--help":
                db_main(arguments)
            else:
                {"core": core_app, "db": db_app}[program](args=arguments, prog_name=f"python -m {program}")
        except SystemExit as ended:
            status = ended.code or 0
    texts = [one.buffer.getvalue().decode() for one in (out, err)]
    return int(status), *texts


def _shown(path: Path) -> str:
    """A file's lines, or those of a folder's files after their names; of a page its words."""
    if not path.exists():
        return "(no such file)\n"
    if path.is_dir():
        files = sorted(one for one in path.rglob("*") if one.is_file())
        return "".join(f"--- {one.relative_to(path).as_posix()}\n{_shown(one)}" for one in files)
    if path.suffix == ".gz":
        return f"({path.name})\n"
    text = path.read_text("utf-8")
    if path.suffix == ".html":
        return _settled(_words(text))
    first, rest = (lines := _settled(text).splitlines())[:MOST_LINES], len(lines) - MOST_LINES
    return "".join(f"{line}\n" for line in first) + (f"({rest} more lines)\n" if rest > 0 else "")


def _words(page: str) -> str:
    """The words of an HTML page, an element a line."""
    bare = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>|<!--.*?-->", " ", page)
    lines = (" ".join(html.unescape(line).split()) for line in re.sub(r"<[^>]*>", "\n", bare).split("\n"))
    return "".join(f"{line}\n" for line in lines if line)


def _short(found: re.Match[str]) -> str:
    """Six digits; what is whole but for rounding as a whole float, so that processors agree."""
    short = f"{float(found[0]):.6g}"
    return short if set(short) & set(".e") else f"{short}.0"


SETTLED = (
    (r"\x1b\[[0-9;]*m", ""),
    (r"[\d.,]+ pairs/s", "SPEED pairs/s"),
    (r"\?k=\S+", "?k=TOKEN"),
    (r"\b20\d\d-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d| UTC)?)?", "TIME"),
    (r"\b\d{1,2} [A-Z][a-z]+ 20\d\d|20\d\d年\d+月\d+日", "DAY"),
    (r"\b1(7[5-9]|[89]\d)\d{7}(\d{3})?\.\d+", "NOW"),  # (milli)seconds since 1970, after 2025
    (r"\b[0-9a-f]{32,64}\b", "HASH"),
    (r"\bmodel:[0-9a-f]{12}\b", "model:FITTED"),  # a hash of a fit's last bits, which depend on the processor
    (r"(?m)(^|\"seed\": )\d{5,}(?=$|[,}])", r"\1SEED"),
    (r"-?\d+\.\d{7,}(e[+-]?\d+)?", _short),
    (
        r"(sacrebleu|SudachiPy|pykakasi|torch|transformers|sklearn|scikit-learn):?\d+\.\d+[\w.+]*",
        r"\1:VERSION",
    ),
    (r"ipadic-\d[\d.]*\d", "ipadic-VERSION"),
)
"""What differs from run to run or between machines, and what stands for it."""


def _settled(text: str) -> str:
    for pattern, word in SETTLED:
        text = re.sub(pattern, word, text)
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def write_all() -> None:
    """Run every script and store what it told."""
    STORED.mkdir(exist_ok=True)
    for old in STORED.glob("*.txt"):
        old.unlink()
    for name in SCRIPTS:
        (STORED / f"{name}.txt").write_text(transcript(name), "utf-8")
