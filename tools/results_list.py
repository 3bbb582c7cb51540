"""The tables of docs/results.md: how their commands begin there, what data they need, how long they take.

The commands themselves stand in the document and nowhere else; `commands` finds them. `tests/test_results.py`
holds both together: every command there belongs to one table here, and every beginning to one command.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "results.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """begins: how its commands begin in the document, in the order in which they are run.

    needs: folders in the data folder. after: a table that must be there first. minutes: about, on two cores.
    seed: of what is drawn at random. changes: what it writes into the project, so it runs only when named.
    """

    name: str
    begins: tuple[str, ...]
    needs: tuple[str, ...] = ()
    after: str | None = None
    minutes: float
    seed: int | None = None
    changes: str | None = None


LOAD = "sqlite:////tmp/load.sqlite"
META = 'python tools/meta_table.py --campaign "WMT24 en-ja"'

TABLES = (
    Table(name="campaign", begins=("python -m db import",), needs=("wmt24-enja",), minutes=0.1),
    Table(
        name="layers", begins=("python tools/choose_layer.py",), needs=("wmt24-enja", "mlqe-pe"),
        after="campaign", minutes=45, seed=20261127,
    ),
    Table(name="oracle", begins=("python -m pytest tests/core/metrics/bertscore/test_oracle.py",), minutes=4),
    Table(
        name="baselines", begins=("python tools/make_baselines.py",), minutes=5,
        changes="assets/baselines.json",
    ),
    Table(name="bench", begins=("make bench",), minutes=30),
    Table(
        name="agreement", begins=("python tools/agreement_table.py",), minutes=0.3, seed=0,
        needs=("wmt22-zhen-calibration", "wmt24-enja"),
    ),
    Table(
        name="load", minutes=2,
        begins=tuple(f"python -m benchmarks.load_ratings {LOAD} 16 {count}" for count in ("250", "100")),
    ),
    Table(
        name="sessions", minutes=6,
        begins=tuple(f"python -m benchmarks.load_sessions --raters 20 --seconds 120 --pace {n}" for n in (4, 10)),
    ),
    Table(
        name="dictionaries", begins=("python tools/build_idf.py",), needs=("aozora", "kyoto-wiki", "holmes"),
        minutes=8, changes="assets/idf",
    ),
    Table(
        name="names", begins=("python tools/meta_table.py --no-intervals",), after="campaign", minutes=60,
        needs=("wmt24-enja",), seed=20261127,
    ),
    Table(
        name="names-intervals", begins=(f"{META} bleu",), after="campaign", minutes=25, seed=20261127,
        needs=("wmt24-enja",),
    ),
    Table(
        name="names-layers", begins=(f"{META} bertscore",), after="campaign", minutes=60, seed=20261127,
        needs=("wmt24-enja",),
    ),
    Table(
        name="grid", begins=("python tools/settings_grid.py",), after="campaign", minutes=25, seed=20261127,
        needs=("wmt24-enja", "aozora", "kyoto-wiki"),
    ),
    Table(name="sts", begins=("python tools/sts_table.py DATA/sts/jsts",), needs=("sts",), minutes=10),
    Table(
        name="sts-sets", begins=("python tools/sts_table.py DATA/sts/sts2012",), needs=("sts",), minutes=25
    ),
    Table(name="readings", begins=("python tools/reading_accuracy.py",), needs=("aozora",), minutes=4),
    Table(
        name="parsers", needs=("treebanks",), minutes=5,
        begins=tuple(
            f"OMP_NUM_THREADS=1 python -m tools.parser.train TREEBANKS {lang} --evaluate"
            for lang in ("ja", "en")
        ),
    ),
    Table(
        name="train-parsers", needs=("treebanks",), minutes=60, changes="assets/models",
        begins=tuple(
            f"OMP_NUM_THREADS=1 python -m tools.parser.train TREEBANKS {lang}\n"
            for lang in ("ja", "en")
        ),
    ),
    Table(name="roles", begins=("python tools/role_probe.py bleu",), minutes=1),
    Table(name="roles-unseen", begins=("python tools/role_probe.py --file",), minutes=0.5),
    Table(
        name="webnlg", begins=("python tools/system_table.py DATA/webnlg2020",), needs=("webnlg2020",),
        minutes=25,
    ),
    Table(
        name="wmt21", begins=("python tools/system_table.py DATA/wmt21-jaen",), needs=("wmt21-jaen",),
        minutes=40, seed=20261128,
    ),
    Table(
        name="meta", after="campaign", minutes=90, needs=("wmt24-enja",), seed=0,
        begins=("python -m db score", "python -m db export", "python -m core meta"),
    ),
    Table(
        name="into-english", begins=("python tools/into_english.py",), needs=("wmt21-jaen",), minutes=40,
        seed=20261128,
    ),
    Table(
        name="contrast-en", begins=("python tools/contrast_table.py DATA/hwtsc",), needs=("hwtsc",), minutes=8
    ),
    Table(name="contrast-ja", begins=("python tools/contrast_table.py assets/demo",), minutes=0.5),
    Table(
        name="edits", minutes=3,
        begins=tuple(f"python tools/list_edits.py tests/fixtures/pairs_{lang}.tsv" for lang in ("ja", "en")),
    ),
    Table(
        name="hacks", needs=("wmt24-enja",), minutes=60, seed=20261128,
        begins=tuple(
            f"python tools/hack_table.py DATA/wmt24-enja --default Gemini-1.5-Pro --short {system}"
            for system in ("ONLINE-W", "IOL-Research")
        ),
    ),
    Table(
        name="calibration", begins=("python tools/calibration_table.py",), needs=("wmt24-enja",), minutes=45,
        seed=20261128,
    ),
    Table(
        name="memory", minutes=25,
        begins=("python -m benchmarks.score_memory chrf", "python -m benchmarks.score_memory bertscore"),
    ),
)  # fmt: skip


def documented(document: str) -> list[str]:
    """Every command in the shell blocks of a document, in its order, each with the end of its line."""
    blocks = re.findall(r"^```sh\n(.*?)^```", document, re.M | re.S)
    return [f"{line.strip()}\n" for block in blocks for line in block.splitlines() if line.strip()]


def commands(table: Table, document: str) -> list[str]:
    """A table's commands as the document has them. ValueError for a beginning without just one command."""
    found = []
    for begin in table.begins:
        lines = [line for line in documented(document) if line.startswith(begin)]
        if len(lines) != 1:
            raise ValueError(f"{table.name}: {len(lines)} commands of {DOCUMENT.name} begin with {begin!r}")
        found.append(lines[0].strip())
    return found
