"""Small campaigns of Pearmut, and what raters said of them."""

from __future__ import annotations

import json
from pathlib import Path

from db.formats.bundle import Bundle, ReadOptions
from db.formats.pearmut import read


def item(number: int, **texts: str) -> dict[str, object]:
    return {"item_id": f"novel_#_{number}", "src": f"source {number}", "tgt": texts}


ONE, TWO = item(0, ash="一𠮷", elm="壱"), item(1, ash="二")
CHECK = {**item(0, ash="一X", elm="壱"), "item_id": "check", "validation": {"ash": {"score": [0, 20]}}}


def campaign(*data: object, **more: object) -> dict[str, object]:
    return {"campaign_id": "c", "info": {"assignment": "single-stream"}, "data": list(data), **more}


def answer(score: object, **more: object) -> dict[str, object]:
    return {"score": score, "error_spans": [], "textfield": None, **more}


def entry(
    user: str, item_i: object, items: list[object], answers: object, **more: object
) -> dict[str, object]:
    return {"user_id": user, "item_i": item_i, "item": items, "annotation": answers, **more}


def write(path: Path, *values: object) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in values), encoding="utf-8")
    return path


def read_all(tmp_path: Path, data: dict[str, object], *entries: object) -> Bundle:
    given = write(tmp_path / "c.jsonl", *entries) if entries else None
    return read(
        write(tmp_path / "c.json", data),
        ReadOptions(source_lang="en", target_lang="ja", ratings_file=given),
    )
