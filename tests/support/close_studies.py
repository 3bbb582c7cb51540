"""A reader who goes through the close reading of a small study."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine

from core.raters.reading.told import MarkMade, PageRead, coded, sided
from db.permissions import OPERATOR, Viewer
from db.queries.close import chunk_texts, chunks_of, save_preference, store_close
from db.queries.study import study_of

PARAGRAPHS = {
    "ash": tuple(f"Ash tells part {n} of it." for n in range(8)),
    "elm": tuple(f"Elm tells part {n} of it, too." for n in range(8)),
}
"""Of each version its eight paragraphs: 6 and 7 words each, 6.5 in the mean."""


def sides_of(engine: Engine, number: int, name: str) -> list[tuple[str, str]]:
    """What stands left and right in each chunk of a reader."""
    (own,) = [one for one in study_of(engine, OPERATOR, number).readers if one.rater == name]
    return [(one.left, one.right) for one in own.compared]


def compare_all(
    engine: Engine,
    number: int,
    person: int,
    name: str,
    prefers: Sequence[str | None],
    *,
    seconds: float = 60.0,
    only: int | None = None,
    kind: str = "pleases",
) -> None:
    """Mark the first word on the left of each chunk, and prefer these versions, in the order of the text.

    only: stop after so many chunks.
    """
    viewer = Viewer(rater_id=person)
    sides = sides_of(engine, number, name)
    for chunk, (left, _), preferred in zip(
        chunks_of(engine, viewer, number, person)[:only], sides[:only], prefers[:only], strict=True
    ):
        begin = coded(chunk_texts(engine, viewer, chunk.id, person)[0][0].segment_id, 0)
        made = MarkMade(mark=f"c{chunk.id}", segment=begin, start=0, end=3, kind=kind, reason="")
        spent = PageRead(
            mark=f"v{chunk.id}", segment=begin, start=0, last=begin, end=3, active=seconds, away=5.0
        )
        store_close(engine, viewer, chunk.id, person, sided([made, spent]))
        place = -1 if preferred is None else int(preferred != left)
        answers = {"preferred": place, "margin": 2, "why": f"in {chunk.place + 1}"}
        save_preference(engine, viewer, chunk.id, person, answers)
