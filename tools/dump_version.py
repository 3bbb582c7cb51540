"""A database of an earlier version as SQL, with a few rows of every table, for the tests of the migrations.

    python tools/dump_version.py REVISION FILE

The tables are made by the migrations up to REVISION. Before a new migration is added, dump the version that
people have until then: `python tools/dump_version.py 0003 tests/fixtures/db/versions/0003.sql`.
A table without rows here is an error.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from alembic import command  # noqa: E402 - the project's own folder first
from alembic.config import Config  # noqa: E402

from db.engine import MIGRATIONS, make_engine  # noqa: E402

THEN = "2026-10-{:02} 09:30:00.000000"
SPANS = json.dumps([{"start": 0, "end": 2, "severity": "minor", "category": "", "side": "target"}])
LONG_AGO = {"created_at": THEN.format(1)}
RATING = {"skipped_reason": None, "comment": "", "seconds": 4.5}
SCORE = {"translation_id": 1, "parts": "{}", "flags": "[]", "missing": None, "trace": None}
CALL = {
    "prompt_tokens": 7,
    "completion_tokens": 2,
    "seconds": 0.5,
    "problem": None,
    "parsed": '{"score": 90}',
}
WAY = {"campaign_id": 1, "rater_id": 1, "part": "rater"}

ROWS: dict[str, tuple[dict[str, Any], ...]] = {
    "campaign": (
        {"id": 1, "name": "Ferry", "name_ja": "渡し船", "source_lang": "en", "target_lang": "ja", "seed": 7}
        | {"protocol": "adequacy", "description_en": "", "description_ja": "", "demo": 0, **LONG_AGO}
        | {"credits_en": "", "credits_ja": ""},
    ),
    "system": (
        {"id": 1, "campaign_id": 1, "name": "ash", "is_reference": 0},
        {"id": 2, "campaign_id": 1, "name": "refA", "is_reference": 1},
    ),
    "segment": tuple(
        {"id": n, "campaign_id": 1, "document": "d", "position": n - 1, "external_id": ""}
        | {"domain": "literary", "source": f"The ferry left at {n}.", "reference": f"船は{n}時に出た。"}
        for n in (1, 2, 3)
    ),
    "translation": (
        {"id": 1, "segment_id": 1, "system_id": 1, "text": "渡し船は一時に出発した。"},
        {"id": 2, "segment_id": 2, "system_id": 1, "text": ""},
        {"id": 3, "segment_id": 3, "system_id": 1, "text": "三時に\n船が出た。"},
        {"id": 4, "segment_id": 1, "system_id": 2, "text": "船は1時に出た。"},
    ),
    "rater": (
        {"id": 1, "name": "Aki", "key": "aki", "imported": 0, **LONG_AGO},
        {"id": 2, "name": "paper-1", "key": "paper-1", "imported": 1, **LONG_AGO},
    ),
    "item": tuple(
        {"id": n, "campaign_id": 1, "rater_id": rater, "translation_id": translation, "place": place}
        | {"kind": "target", "mark": "ok"}
        for n, rater, translation, place in ((1, 1, 3, 0), (2, 1, 1, 1), (3, 1, 2, 2), (4, 2, 1, 0))
    ),
    "rating": (
        {**RATING, "id": 1, "item_id": 1, "revision": 1, "score": 40.0, "created_at": THEN.format(2)},
        {**RATING, "id": 2, "item_id": 1, "revision": 2, "score": 45.5, "created_at": THEN.format(3)}
        | {"comment": "船、\nthe ferry", "spans": SPANS},
        {**RATING, "id": 3, "item_id": 2, "revision": 1, "score": None, "created_at": THEN.format(4)}
        | {"skipped_reason": "unsure", "seconds": None},
        {**RATING, "id": 4, "item_id": 4, "revision": 1, "score": 0.0, "created_at": THEN.format(5)},
    ),
    "metric_score": (
        {**SCORE, **LONG_AGO, "id": 1, "metric": "chrf", "signature": "chrf|1", "score": 31.25},
        {**SCORE, **LONG_AGO, "id": 2, "metric": "mteqa", "signature": "m|1", "score": None}
        | {"missing": "no questions"},
    ),
    "judge_call": (
        {**CALL, **LONG_AGO, "key": "0" * 64, "model": "small", "request": '{"messages": []}'}
        | {"text": "90", "state": "ok"},
    ),
    "link": ({**WAY, **LONG_AGO, "id": 1, "token_hash": "1" * 64, "role": "rater", "note": ""},),
    "account": ({"rater_id": 1, "login": "aki", "password_hash": "no hash", "failures": 0},),
    "member": ({**WAY, "id": 1, "joined_at": THEN.format(1)},),
    "event": ({"id": 1, "kind": "wrong-password", "rater_id": 1, "details": "{}", **LONG_AGO},),
    "check_text": ({"id": 1, "translation_id": 1, "rule": "swap", "text": "渡し船は出発した一時に。"},),
    "item_check": ({"item_id": 3, "check_text_id": 1},),
    "attempt": (
        {"id": 1, "lesson": "fool-ja", "rater_id": 1, "name": "Aki", "metric": "chrf", "text": "船。船。"}
        | {"scores": '{"bleu": 1.5, "chrf": 60.25}', **LONG_AGO},
    ),
    "draft": ({"item_id": 3, "spans": "[]", "comment": "half a th", "changed_at": THEN.format(6)},),
}  # fmt: skip


def make(file: Path, revision: str) -> None:
    """A database of this version, with rows in every table."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = make_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
    with closing(sqlite3.connect(file)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for name in ROWS:
            if (name,) in names:
                fill(connection, name)
        empty = [name for (name,) in names if not connection.execute(f"SELECT 1 FROM {name}").fetchone()]
        if empty:
            raise SystemExit(f"There are no rows for {', '.join(empty)}; add some to ROWS.")
        connection.commit()


def fill(connection: sqlite3.Connection, table: str) -> None:
    """Insert the rows of a table, as far as this version has their columns."""
    columns = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    for row in ROWS[table]:
        known = {name: value for name, value in row.items() if name in columns}
        places = ", ".join("?" * len(known))
        connection.execute(f"INSERT INTO {table} ({', '.join(known)}) VALUES ({places})", [*known.values()])


def main() -> None:
    """Run from the command line."""
    revision, target = sys.argv[1:]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "old.sqlite"
        make(file, revision)
        with closing(sqlite3.connect(file)) as connection:
            Path(target).write_text("\n".join(connection.iterdump()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
