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
    texts["study.jsonl"] = _study()
    texts["codes.csv"] = ["name,label,meaning", "wording,Wording,A word is named.", "voice,,"]
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


def _study() -> list[str]:
    """The history of a reading study: two versions of two paragraphs, and six readers; five have finished."""
    texts = {
        "Alder": ("One two three four.", "Five six."),
        "Birch": ("Un deux trois quatre cinq.", "Six sept."),
    }
    question = {"name": "quality", "kind": "scale", "en": "How good is it?"}
    campaign = {
        "name": "Read",
        "langs": ["fr", "en"],
        "protocol": "reading",
        "seed": 1,
        "design": {"reading": {"human": "Alder", "questions": [question]}},
        "systems": [{"name": name} for name in texts],
    }
    rows: list[dict[str, object]] = [{"format": "yomikurabe-history", "version": 1, "campaign": campaign}]
    rows += [{"segment": {"document": "d", "position": n}} for n in range(2)]
    rows += [
        {"output": {"document": "d", "position": n, "system": name, "text": texts[name][n]}}
        for n in range(2)
        for name in texts
    ]
    for n, name in enumerate(("Aya", "Ben", "Cho", "Dan", "Eri", "Fay")):
        order = ("Alder", "Birch") if n % 2 else ("Birch", "Alder")
        for place, system in enumerate(order):
            told = {"rater": name, "system": system, "document": "d", "position": 0}
            rows += _told_of_a_version(told, place, n)
        if name != "Fay":
            final = {
                "preferred": order.index("Birch" if n == 1 else "Alder"),
                "margin": 2,
                "human": 0,
                "sure": 2,
            }
            rows += [{"answer": {"rater": name, "question": key, "value": one}} for key, one in final.items()]
    return [json.dumps(row, ensure_ascii=False) for row in rows]


def _told_of_a_version(told: dict[str, object], place: int, number: int) -> list[dict[str, object]]:
    """What a reader read, marked and answered of one version."""
    at = f"2026-11-0{place + 1}T12:0{number}:00+00:00"
    visit = {
        **told,
        "last_document": "d",
        "last_position": 1,
        "end": 4,
        "active": 3 + number / 2,
        "away": 60.0 * place,
    }
    mark = {**told, "end": 3 + number % 2, "kind": "disturbs" if place else "pleases", "made_at": at}
    answer = {
        "rater": told["rater"],
        "system": told["system"],
        "question": "quality",
        "value": 4 + number % 3,
    }
    times = {"started_at": at, "finished_at": at}
    read = [{"reading": {**told, "place": place, **times}}, {"page_visit": {**visit, "visited_at": at}}]
    return [*read, {"highlight": mark}, {"answer": answer}]
