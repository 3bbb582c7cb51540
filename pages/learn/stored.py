"""The stored scores of the lessons' own texts: lessons open without a model, each picture has its trace.

`tools/lesson_scores.py` writes the scores. One with other settings, or of another version of a metric, has
another signature: then it is computed. `tools/lesson_judge.py` writes a language model's replies; they are
found by the prompt, for the model need not be there.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from core.assets import ASSETS
from core.metrics.base import Settings
from core.metrics.gemba.metric import GembaTrace
from core.metrics.gemba.prompts import prompt
from core.types import Result, TextPair
from db.campaigns.stored_results import NO_RESULTS, StoredResults, score_row
from db.records import ScoreRow
from pages.learn.examples import JUDGE_METRIC
from pages.ui import models

FILE = ASSETS / "lessons" / "scores.jsonl.gz"
JUDGE_FILE = ASSETS / "lessons" / "judge.jsonl"
Key = tuple[str, str, str]


def score(metric: str, pair: TextPair, settings: Settings | None = None) -> Result[Any]:
    """A pair under a metric, stored or computed; where it cannot be computed the reason is in `missing`."""
    return models.attempt(metric, pair, settings=settings, stored=of(pair))


def of(pair: TextPair) -> StoredResults:
    """What is stored of a pair; nothing for texts that a reader typed."""
    return _read().get(_key(pair), NO_RESULTS)


def judged(pair: TextPair, words: str) -> GembaTrace | None:
    """What the lesson's language model replied about a pair; None for a text that it was not shown.

    words: the prompt. A reply to a prompt that has changed since is not found.
    """
    stamp = f"prompt:{prompt('da', words).digest}"
    rows = _judged().get(_key(pair), NO_RESULTS)
    signed = next((signed for _, signed in rows.rows if stamp in signed.split("|")), None)
    found = None if signed is None else rows.find(JUDGE_METRIC, signed)
    return None if found is None else found.trace


def rows_for(pair: TextPair, translation_id: int) -> list[ScoreRow]:
    """What is stored of a pair, as scores of a translation with the same texts."""
    return [replace(row, translation_id=translation_id) for row in of(pair).rows.values()]


def lines(results: Iterable[tuple[TextPair, Result[Any]]]) -> str:
    """The content of the file: a JSON object a line, each result with its trace."""
    written = []
    for pair, result in results:
        row = score_row(0, result)
        about = {"lang": pair.lang, "reference": pair.reference, "hypothesis": pair.hypothesis}
        fields = ("metric", "signature", "score", "parts", "flags", "missing", "trace")
        written.append(
            json.dumps({**about, **{name: getattr(row, name) for name in fields}}, ensure_ascii=False)
        )
    return "".join(f"{line}\n" for line in written)


def _key(pair: TextPair) -> Key:
    return (pair.lang, pair.reference, pair.hypothesis)


@cache
def _read() -> Mapping[Key, StoredResults]:
    return _rows(gzip.decompress(FILE.read_bytes()).decode("utf-8")) if FILE.exists() else {}


@cache
def _judged() -> Mapping[Key, StoredResults]:
    return _rows(JUDGE_FILE.read_text("utf-8")) if JUDGE_FILE.exists() else {}


def _rows(written: str) -> Mapping[Key, StoredResults]:
    """The inverse of `lines`."""
    rows: dict[Key, dict[tuple[str, str], ScoreRow]] = {}
    for line in written.splitlines():
        told = json.loads(line)
        key = (told.pop("lang"), told.pop("reference"), told.pop("hypothesis"))
        row = ScoreRow(translation_id=0, **{**told, "flags": tuple(told["flags"])})
        rows.setdefault(key, {})[row.metric, row.signature] = row
    return {key: StoredResults(found) for key, found in rows.items()}
