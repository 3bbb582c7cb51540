"""Answers on a campaign's own scales in files, and scales that a file does not declare."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from core.errors import RatingError, Wording
from core.raters.own_scales import SCALE_NAME, OwnScale, check_answers, scales_to_json
from db.formats.bundle import Bundle
from db.formats.cells import Where, read_number
from db.records import RatingRecord

PREFIX = "scale:"
"""A column `scale:NAME` holds the answers on a scale."""


def scale_columns(columns: Collection[str]) -> tuple[str, ...]:
    """The columns that hold answers."""
    return tuple(
        column
        for column in columns
        if column.startswith(PREFIX) and SCALE_NAME.fullmatch(column.removeprefix(PREFIX))
    )


def columns_of(ratings: Sequence[RatingRecord]) -> tuple[str, ...]:
    """A column for each scale that has an answer, in the order of the ratings that answer most of them."""
    answered = sorted((rating.scales for rating in ratings if rating.scales), key=len, reverse=True)
    return tuple(dict.fromkeys(f"{PREFIX}{name}" for scales in answered for name, _ in scales))


def read_answers(columns: Sequence[str], cells: Sequence[str], place: Where) -> tuple[tuple[str, float], ...]:
    """The answers of a row, by name; an empty cell is none. Raises FileError for what is not a number."""
    return tuple(
        (column.removeprefix(PREFIX), read_number(cell, place) + 0.0)
        for column, cell in zip(columns, cells, strict=True)
        if cell != ""
    )


def declared(bundle: Bundle, scales: Sequence[OwnScale]) -> Bundle:
    """The campaign with these scales. Raises RatingError for an answer that is on none of them.

    Without scales, a campaign whose answers lie on some keeps them, and a note says what is lacking.
    """
    names = [column.removeprefix(PREFIX) for column in columns_of(bundle.ratings)]
    if not scales:
        undeclared = Wording(
            "The ratings have answers on scales ({names}) whose values are not declared, so statistics "
            "cannot take them; give a file that declares them with the import.",
            names=", ".join(names),
        )
        return replace(bundle, notes=(*bundle.notes, undeclared)) if names else bundle
    check_ratings(bundle.ratings, scales)
    design = {**bundle.meta.design, "scales": scales_to_json(scales)}
    return replace(bundle, meta=replace(bundle.meta, design=design))


def check_ratings(ratings: Sequence[RatingRecord], scales: Sequence[OwnScale]) -> None:
    """Raise RatingError, which names the rater and the text, for an answer that is on none of the scales."""
    for rating in ratings:
        try:
            check_answers(scales, dict(rating.scales), complete=False)
        except RatingError as error:
            raise RatingError(
                "A rating of “{rater:.80}” of “{document:.80}”, position {position}: {problem}",
                rater=rating.rater,
                document=rating.key[0],
                position=rating.key[1],
                problem=Wording(error.template, **error.details),
            ) from error


def answers_by_column(answers: Mapping[str, float], columns: Sequence[str]) -> list[float | None]:
    """The answers in the order of the columns, None for none."""
    return [answers.get(column.removeprefix(PREFIX)) for column in columns]
