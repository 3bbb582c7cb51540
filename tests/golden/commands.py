"""What every command says: scripts of command lines, run in a folder of their own, as one text each.

A text reads like a terminal: the command after `$`, what it printed, lines of standard error after `! `, its
exit status where it is not 0, and the files that `cat` shows. What differs from run to run is put as a word.
"""

from __future__ import annotations

import contextlib
import html
import io
import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import platformdirs

ROOT = Path(__file__).parents[2]
STORED = Path(__file__).parent / "commands"
WIDTH = 100
"""Columns of the terminal."""
MOST_LINES = 40
"""Of a file that is shown; the number of the others is said."""
WITHOUT = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "YOMIKURABE_MODEL", "YOMIKURABE_PRICES", "FORCE_COLOR")

CORE = [
    *("list", "score", "explain", "idf", "hack", "rank"),
    *("certify", "meta", "grid", "contrast", "calibrate", "bench"),
]
DB = [
    *("migrate", "import", "export", "score", "report"),
    *("campaign", "link", "backup", "verify", "take-scores"),
]
INNER = {"idf": ("build", "show"), "calibrate": ("fit", "score")}
"""Commands that have commands of their own."""


def _helps(program: str, names: list[str]) -> dict[str, list[str]]:
    lines = {"": [f"{program} --help"]}
    for name in names:
        inner = [f"{program} {name} {one} --help" for one in INNER.get(name, ()) if program == "core"]
        lines[name] = [f"{program} {name} --help", *inner]
    return {"-".join(filter(None, (program, name, "help"))): given for name, given in lines.items()}


SYSTEMS = "--hyp ash=ash.txt --hyp birch=birch.txt"
SCORED = [
    "core score --metric bleu,chrf --ref ref.txt --hyp ash.txt --out ash.jsonl",
    "core score --metric bleu,chrf --ref ref.txt --hyp birch.txt --out birch.jsonl",
]
BOTH = "ash=ash.jsonl --system birch=birch.jsonl"
HARBOUR = ["db import tables --format tables --campaign Harbour"]
SCRIPTS = {
    **_helps("core", CORE),
    **_helps("db", DB),
    "core-list": ["core list", "core list --json"],
    "core-score": [
        "core score --metric bleu,chrf --ref ref.txt --hyp ash.txt --src src.txt",
        "core score --metric bleu --set bleu.tokenize=char --ref ref.txt --hyp ash.txt --trace --out o.jsonl",
        "cat o.jsonl",
        "core score --metric bleu --set bleu.tokenize=char --ref ref.txt --hyp ash.txt --trace --out o.jsonl"
        " --resume",
        "core score --metric chrf --ref ref.txt --hyp ash.txt --workers 2",
        "core score --metric chrf --ref ref.txt --hyp short.txt",
        "core score --metric chrf --ref nowhere.txt --hyp ash.txt",
        "core score --metric blue --ref ref.txt --hyp ash.txt",
        "core score --metric bleu --set bleu.tokenize=spm --ref ref.txt --hyp ash.txt",
        "core score --metric gemba-mqm --ref ref.txt --hyp ash.txt --src src.txt",
    ],
    "core-explain": [
        "core explain --metric chrf --ref 'the cat sat' --hyp 'the cat sits' --lang en",
        "core explain --metric bleu --ref 吾輩は猫である。 --hyp 私は猫です。",
        "core explain --metric bleu,chrf --ref a --hyp b",
    ],
    "core-idf": [
        "core idf build corpus --out words.json.gz --name tale --licence CC0",
        "core idf show words.json.gz 猫 the",
        "core idf show nowhere.json.gz 猫",
    ],
    "core-hack": [
        "core hack --kind list",
        "core hack --kind maru-7 --hyp ash.txt",
        "core hack --kind change-number --hyp ash.txt --json",
        "core hack --kind copy-source --hyp ash.txt --src src.txt",
        "core hack --kind spin --hyp ash.txt",
    ],
    "core-rank": [
        *SCORED,
        f"core rank --system {BOTH}",
        f"core rank --system {BOTH} --metric chrf,bleu --json",
        f"core rank --system {BOTH} --segments z",
        "core rank --system ash=ash.jsonl --system birch=nowhere.jsonl",
    ],
    "core-certify": [
        "core certify --metric bleu,chrf --ref ref.txt --hyp ash.txt --pairs 3",
        "core certify --metric chrf --ref ref.txt --hyp ash.txt --json",
        "core certify --metric gemba-da --ref ref.txt --hyp ash.txt",
    ],
    "core-meta": [
        "core meta --people people.seg.score --metric good=good.seg.score --metric other=other.seg.score",
        "core meta --people people.seg.score --metric good=good.seg.score --metric other=other.seg.score"
        " --documents docs --domain novel --coefficient kendall --lower other --json",
        "core meta --people people.seg.score --metric good=nowhere",
    ],
    "core-grid": [
        f"core grid --axis metric=bleu,chrf --axis tokenize=13a,char --people two.seg.score --ref ref.txt"
        f" {SYSTEMS}",
        f"core grid --axis tokenize=char,intl --metric bleu --people two.seg.score --ref ref.txt {SYSTEMS}"
        " --json --keep kept --heatmap map.html",
        "cat map.html",
        f"core grid --axis colour=red --people two.seg.score --ref ref.txt {SYSTEMS}",
    ],
    "core-contrast": [
        "core contrast contrast.tsv --metric chrf,bleu --failures 1",
        "core contrast contrast.tsv --metric chrf --json --lang ja",
        "core contrast ref.txt --metric chrf",
    ],
    "core-calibrate": [
        "core calibrate fit --scores ash=long.ash.jsonl --scores birch=long.birch.jsonl --people people.tsv"
        " --documents long.docs --model ridge --out model.json",
        "core calibrate fit --scores ash=long.ash.jsonl --scores birch=long.birch.jsonl --people people.tsv"
        " --documents long.docs --model ridge --json --scale raw",
        "cat model.json",
        "core calibrate score model.json --scores ash=long.ash.jsonl",
        "core calibrate fit --scores ash=long.ash.jsonl --people people.tsv --documents docs --scale ranks",
    ],
    "db-migrate": ["db migrate", "db migrate --demo", "db migrate --demo"],
    "db-import": [
        "db import tables --format tables --campaign Harbour --dry-run",
        *HARBOUR,
        *HARBOUR,
        "db import ref.txt --format lines --campaign Lines --hyp ash=ash.txt --src src.txt --target-lang ja",
        "db import tables --format tables --campaign Other --hyp ash=ash.txt",
        "db import nowhere.csv --format csv --campaign Csv",
        "db import ref.txt --format scroll --campaign Scroll",
    ],
    "db-export": [
        *HARBOUR,
        *(
            line
            for name, file in (
                ("csv", "out.csv"),
                ("tsv", "out.tsv"),
                ("jsonl", "out.jsonl"),
                ("wmt-csv", "out.wmt.csv"),
                ("appraise-csv", "out.appraise.csv"),
                ("pearmut", "out.pearmut"),
                ("mqm-tsv", "out.mqm.tsv"),
                ("mtme", "out-mtme"),
                ("history", "history.jsonl"),
            )
            for line in (f"db export --campaign Harbour --format {name} --out {file}", f"cat {file}")
        ),
        "db export --campaign Harbour --format csv --out out.csv",
        "db export --campaign Harbour --format csv --out out.csv --force",
        "db export --campaign Nobody --format csv --out other.csv",
        "db export --campaign Harbour --format scroll --out other.csv",
        "db export --campaign Harbour --format tables --out other",
    ],
    "db-score": [
        *HARBOUR,
        "db score --campaign Harbour --metric bleu,chrf --set bleu.tokenize=char",
        "db score --campaign Harbour --metric chrf --trace",
        "db export --campaign Harbour --format mtme --metrics --out out",
        "cat out/metric-scores",
        "db score --campaign Harbour --metric blue",
    ],
    "db-report": [
        *HARBOUR,
        "db report --campaign Harbour --out report.html",
        "cat report.html",
        "db report --campaign Harbour --out other.html --lang ja --method z --no-texts",
        "cat other.html",
        "db report --campaign Harbour --out report.html",
        "db report --campaign Harbour --out new.html --method luck",
    ],
    "db-campaign": [
        *HARBOUR,
        "db campaign --campaign Harbour",
        "db campaign --campaign Harbour --set repeats=0.2",
        "db import ref.txt --format lines --campaign Lines --hyp ash=ash.txt --hyp birch=birch.txt",
        "db campaign --campaign Lines --state draft",
        "db campaign --campaign Lines --set protocol=esa --set repeats=0.2 --set left_out=birch",
        "db campaign --campaign Lines --set before=few",
        "db campaign --campaign Harbour --set colour=red",
        "db campaign --campaign Harbour --state asleep",
    ],
    "db-link": [
        *HARBOUR,
        "db link",
        "db link --role rater --campaign Harbour --name Aki --part panel",
        "db link --role rater",
        "db link --role king",
    ],
    "db-backup": [*HARBOUR, "db backup copy.sqlite", "db backup copy.sqlite"],
    "db-verify": [
        "db import ref.txt --format lines --campaign Lines --hyp ash=ash.txt --hyp birch=birch.txt",
        "db campaign --campaign Lines --state draft",
        "db campaign --campaign Lines --set sealed=yes --state open",
        "db export --campaign Lines --format history --out open.jsonl",
        "db verify open.jsonl",
        "db campaign --campaign Lines --state closed",
        "db export --campaign Lines --format history --out closed.jsonl",
        "db verify closed.jsonl",
        "db verify ref.txt",
    ],
    "db-take-scores": [
        "db import ref.txt --format lines --campaign Lines --hyp ash=ash.txt --hyp birch=birch.txt",
        "db take-scores two.seg.score --campaign Lines --name comet",
        "db take-scores people.seg.score --campaign Lines --name comet",
        "db take-scores ref.txt --campaign Lines --name comet",
    ],
}

REFERENCES = [
    "吾輩は猫である。",
    "名前はまだ無い。",
    "3月12日に京都へ行った。",
    "彼は犬を見なかった。",
    "雨だ。",
]
ASH = ["私は猫です。", "名前はまだない。", "3月21日に京都に行きました。", "", "雨だ。"]
BIRCH = ["吾輩は犬である。", "まだ名前がない。", "京都へ行った。", "彼は犬を見た。", "雪です。"]
SOURCES = [
    "I am a cat.",
    "I have no name yet.",
    "I went to Kyoto on March 12.",
    "He saw no dog.",
    "It rains.",
]
PEOPLE = {"ash": (90, 80, None, 70), "birch": (60, 70, 50, 40), "cedar": (10, 20, 30, 20)}
LONG = 30
"""Segments of the texts from which a calibration learns."""


def write_inputs(folder: Path) -> None:
    """The files that the command lines name."""
    texts = {
        "ref.txt": REFERENCES,
        "ash.txt": ASH,
        "birch.txt": BIRCH,
        "src.txt": SOURCES,
        "short.txt": ASH[:2],
    }
    texts["two.seg.score"] = [f"{name}\t{60 + 7 * n}" for name in ("ash", "birch") for n in (3, 1, 4, 0, 5)]
    scores = {
        "people": {name: list(given) for name, given in PEOPLE.items()},
        "good": {name: [(one or 60) / 100 for one in given] for name, given in PEOPLE.items()},
        "other": {name: [n * n - len(name) for n in range(4)] for name in PEOPLE},
    }
    for name, by_system in scores.items():
        rows = [f"{system}\t{one}" for system, given in by_system.items() for one in given]
        texts[f"{name}.seg.score"] = rows
    texts["docs"] = ["news\td1", "news\td1", "novel\td2", "novel\td2"]
    texts |= _long_texts()
    for name, lines in texts.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    (folder / "corpus").mkdir()
    for n, line in enumerate(REFERENCES):
        (folder / "corpus" / f"{n}.txt").write_text(f"{line}\n{BIRCH[n]}\n", "utf-8")
    rows = (ROOT / "assets/demo/contrast.ja.tsv").read_text("utf-8").splitlines(keepends=True)
    (folder / "contrast.tsv").write_text("".join([rows[0], *rows[1::6]]), "utf-8")
    (folder / "tables").mkdir()
    for file in (ROOT / "tests/fixtures/db/tables").iterdir():
        (folder / "tables" / file.name).write_bytes(file.read_bytes())


def _long_texts() -> dict[str, list[str]]:
    """Scores and ratings that go together but for a fixed disorder."""
    texts = {
        "long.docs": [f"novel\td{n // 3}" for n in range(LONG)],
        "people.tsv": ["segment\tsystem\trater\tscore"],
    }
    for number, system in enumerate(("ash", "birch")):
        texts[f"long.{system}.jsonl"] = []
        for n in range(LONG):
            good = (n * 37 + number * 11) % 50
            for metric, score in (("bleu", good + n * 13 % 17), ("chrf", 20 + good + n * 7 % 5)):
                row = {
                    "segment": n,
                    "metric": metric,
                    "score": score,
                    "signature": f"{metric}|v1",
                    "parts": {},
                }
                texts[f"long.{system}.jsonl"].append(json.dumps(row))
            texts["people.tsv"] += [
                f"{n}\t{system}\trater{r}\t{30 + good + (n * 5 + r * 3) % 9}" for r in range(2)
            ]
    return texts


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


SETTLED = (
    (r"\x1b\[[0-9;]*m", ""),
    (r"[\d.,]+ pairs/s", "SPEED pairs/s"),
    (r"\?k=\S+", "?k=TOKEN"),
    (r"\b20\d\d-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d| UTC)?)?", "TIME"),
    (r"\b\d{1,2} [A-Z][a-z]+ 20\d\d|20\d\d年\d+月\d+日", "DAY"),
    (r"\b1(7[5-9]|[89]\d)\d{7}(\d{3})?\.\d+", "NOW"),  # (milli)seconds since 1970, after 2025
    (r"\b[0-9a-f]{32,64}\b", "HASH"),
    (r"(?m)(^|\"seed\": )\d{5,}(?=$|[,}])", r"\1SEED"),
    (r"-?\d+\.\d{7,}(e[+-]?\d+)?", lambda found: f"{float(found[0]):.6g}"),
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
