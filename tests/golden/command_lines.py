"""The command lines whose output is kept: the help of every command, and runs on small files."""

from __future__ import annotations

CORE = [
    *("list", "score", "explain", "idf", "hack", "rank"),
    *("certify", "meta", "grid", "contrast", "compare", "agreement", "calibrate", "align"),
    *("cast", "voice", "documents", "translate"),
]
DB = [
    *("migrate", "import", "export", "score", "report"),
    *("campaign", "link", "backup", "verify", "take-scores"),
    *("export-scores", "import-scores", "books", "cast", "voice", "pointing", "documents"),
    *("study", "study-results", "codes"),
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
    "core-align": [
        "core align ref.txt ash.txt --lines --out pairs.csv",
        "core align nowhere.txt ash.txt",
    ],
    "core-cast": [
        "core cast --ref ref.txt --hyp ash=ash.txt",
        "core cast --ref ref.txt --hyp ash=ash.txt --hyp birch=birch.txt --glossary terms.tsv"
        " --write-glossary terms.tbx",
        "cat terms.tbx",
        "core cast --ref ref.txt --hyp ash=short.txt",
        "core cast --ref ref.txt --hyp ash=ash.txt --glossary ref.txt",
        "core cast --ref ref.txt",
    ],
    "core-documents": [
        "core documents --ref ref.txt --hyp ash=ash.txt --documents cast.docs --glossary terms.tsv",
        "core documents --ref ref.txt --hyp ash=ash.txt --documents cast.docs --metric style",
    ],
    "core-voice": [
        "core voice --ref ref.txt --hyp ash=ash.txt",
        "core voice --ref ref.txt --hyp ash=short.txt",
        "core voice --ref ref.txt",
    ],
    "core-translate": [
        "core translate --src src.txt --lang en",
        "core translate --src nowhere.txt",
        "core translate --src src.txt --prompt nowhere.txt",
    ],
    "db-cast": ["db cast --campaign Nobody"],
    "db-pointing": ["db pointing --campaign Nobody"],
    "db-documents": ["db documents --campaign Nobody"],
    "db-voice": ["db voice --campaign Nobody"],
    "db-books": [
        "db books ref.txt --hyp ash=ash.txt --list --campaign Harbour",
        "db books ref.txt --hyp ash=ash.txt --chapters 2-3 --campaign Harbour",
        "db books --hyp ash=ash.txt --campaign Harbour",
        "db books ref.txt --campaign Harbour",
    ],
    "db-study": [
        *HARBOUR,
        "db study --campaign Harbour",
        "db study --campaign Read --texts-of Harbour --readers 4 --human Alder",
        "db study --campaign Read --words 5 --must-prefer --readers 3 --json",
        "db study --campaign Read --per-reader 4",
        "db study --campaign Read --human Nobody",
        "db study --campaign Read --questions ref.txt",
        "db study --campaign Read --chapters 1",
        "db study --campaign Two --version ash=ash.txt",
    ],
    "db-codes": [
        *HARBOUR,
        "db codes --campaign Harbour",
        "db codes --campaign Harbour --book codes.csv",
        "db codes --campaign Harbour --coder Ito",
        "db codes --campaign Harbour --take codes.csv",
        "db codes --campaign Harbour --coder Ito --take codes.csv",
        "db codes --campaign Harbour --coder Ito --finish",
    ],
    "db-study-results": [
        *HARBOUR,
        "db study-results --campaign Harbour",
        "db import study.jsonl --format history --campaign Read",
        "db study-results --campaign Read --tables given",
        "cat given/versions.csv",
        "cat given/highlights.csv",
        "cat given/choices.csv",
        "db study-results --campaign Read --json",
        "db study-results --campaign Read --campaign Read",
    ],
    "core-hack": [
        "core hack --kind list",
        "core hack --kind maru-7 --hyp ash.txt",
        "core hack --kind change-number --hyp ash.txt --json",
        "core hack --kind copy-source --hyp ash.txt --src src.txt",
        "core hack --kind spin --hyp ash.txt",
        "core hack --flip bleu --metric chrf --hyp ash.txt --other birch.txt --ref ref.txt --seconds 600",
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
        " --nearer good,other",
        "core meta --people people.seg.score --metric good=good.seg.score --nearer good,bad",
        "core meta --people people.seg.score --metric good=good.seg.score --metric other=other.seg.score"
        " --documents docs --domain novel --coefficient kendall --lower other --json",
        "core meta --people people.seg.score --metric good=nowhere",
        "core meta --pointing --people marked.tsv --reference refA --metric bleu,chrf --lang en",
        "core meta --pointing --people marked.tsv --reference refA --metric ter",
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
    "core-compare": [
        "core compare --metric bleu,chrf --ref ref.txt --hyp ash=ash.txt --hyp birch.txt",
        "core compare --metric chrf --ref ref.txt --hyp ash.txt --hyp birch.txt --latex",
        "core compare --metric chrf --ref ref.txt --hyp ash.txt",
    ],
    "core-agreement": [
        "core agreement people.tsv --item segment,system",
        "core agreement people.tsv --item segment,system --json --method z",
        "core agreement people.tsv",
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
    "db-export-scores": [
        *HARBOUR,
        "db score --campaign Harbour --metric bleu,chrf",
        "db export-scores --campaign Harbour --out scores.jsonl.gz",
        "db export-scores --campaign Harbour --out scores.jsonl.gz",
        "db export-scores --campaign Harbour --out scores.jsonl.gz --no-trace --force",
        "db export-scores --campaign Nobody --out other.jsonl.gz",
    ],
    "db-import-scores": [
        *HARBOUR,
        "db score --campaign Harbour --metric bleu,chrf",
        "db export-scores --campaign Harbour --out scores.jsonl.gz",
        "db import tables --format tables --campaign Copy",
        "db import-scores scores.jsonl.gz --campaign Copy",
        "db score --campaign Copy --metric bleu,chrf",
        "db import ref.txt --format lines --campaign Lines --hyp ash=ash.txt",
        "db import-scores scores.jsonl.gz --campaign Lines",
        "db import-scores ref.txt --campaign Lines",
    ],
}
