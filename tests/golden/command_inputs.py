"""The files that the command lines name, with texts and numbers that are the same every time."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
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
    texts["cast.docs"] = ["novel\td1"] * 3 + ["novel\td2"] * 2
    texts["docs"] = ["news\td1", "news\td1", "novel\td2", "novel\td2"]
    texts["terms.tsv"] = ["term\tforms\tsource", "猫\tねこ|にゃんこ\tcat", "京都\t\tKyoto"]
    texts |= _long_texts() | {"marked.tsv": _marked()}
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


def _marked() -> list[str]:
    """An MQM file: three of every four translations have a wrong word, which a rater marked."""
    rows = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"]
    for n in range(16):
        wrong = ("<v>dog</v>", "<v>old</v> cat", "cat", "<v>large hat</v>")[n % 4]
        error = ("No-error", "No-error") if wrong == "cat" else ("Accuracy/Mistranslation", "Major")
        for system, rater, said in (("refA", "", "small cat"), ("ash", "rater1", wrong)):
            text = f"The {said} slept for {n} hours."
            kind = error if rater else ("", "")
            rows.append("\t".join([system, f"d{n % 6}", str(n), str(n), rater, "", text, *kind]))
    return rows


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
