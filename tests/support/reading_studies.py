"""Small reading studies for tests: two versions of a short text, and readers who go through it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Engine

from core.raters.reading.choices import ReadingChoices
from core.raters.reading.told import EndReached, MarkMade, PageRead, PlaceReached, Told
from db.campaigns.load import load_bundle
from db.campaigns.study import set_up
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.permissions import OPERATOR, Viewer
from db.queries import ensure_items, enter_rater
from db.queries.reading import readings_of, save_final_answers, save_version_answers, store_told
from db.queries.study import study_of
from db.records import ReadingRecord

TEXTS = {
    "ash": ("One two three four.", "Five six."),
    "elm": ("Un deux trois quatre cinq.", "Six sept."),
}
"""Of each version its two paragraphs: 6 and 7 words."""


def study_bundle(name: str = "study", texts: Mapping[str, Sequence[str]] = TEXTS, lang: str = "en") -> Bundle:
    """A campaign with these versions, each a list of paragraphs."""
    count = len(next(iter(texts.values())))
    return Bundle(
        name=name,
        langs=("fr", lang),
        systems=tuple(map(SystemRow, texts)),
        segments=tuple(SegmentRow("chapter", n, "") for n in range(count)),
        outputs=tuple(
            OutputRow(("chapter", n), system, own[n]) for n in range(count) for system, own in texts.items()
        ),
    )


def make_study(
    engine: Engine, choices: ReadingChoices | None = None, bundle: Bundle | None = None, readers: int = 2
) -> int:
    """A study in the database; its campaign's number."""
    bundle = bundle or study_bundle()
    number = load_bundle(engine, bundle, bundle.name).campaign_id
    set_up(engine, OPERATOR, number, choices or ReadingChoices(human="ash"), readers=readers)
    return number


def come(engine: Engine, number: int, name: str) -> tuple[int, list[ReadingRecord]]:
    """A reader who has come by their link: their id and versions."""
    person = enter_rater(engine, name).id
    ensure_items(engine, number, person)
    return person, readings_of(engine, Viewer(rater_id=person), number, person)


def tell(engine: Engine, person: int, reading: int, *told: Told) -> None:
    """What the screen tells of a version."""
    store_told(engine, Viewer(rater_id=person), reading, person, told)


def order_of(engine: Engine, number: int, name: str) -> list[str]:
    """The versions of a reader in their order, by name."""
    (own,) = [one for one in study_of(engine, OPERATOR, number).readers if one.rater == name]
    return [one.system for one in own.read]


def segments_of(engine: Engine, number: int) -> list[int]:
    """The ids of the segments in order."""
    return [segment for segment, _ in study_of(engine, OPERATOR, number).versions[0].segments]


def finish_whole(engine: Engine, number: int, person: int, final: Mapping[str, object]) -> None:
    """A reader who has come reads every version to its end, and compares them."""
    viewer = Viewer(rater_id=person)
    for reading in readings_of(engine, viewer, number, person):
        tell(engine, person, reading.id, EndReached(mark="e"))
        save_version_answers(engine, viewer, reading.id, person, {"quality": 4})
    save_final_answers(engine, viewer, number, person, final)


def go_through(
    engine: Engine,
    number: int,
    name: str,
    *,
    prefers: str | None,
    guess: str,
    marks: Mapping[str, Sequence[tuple[int, int, int, str]]] | None = None,
    seconds: float = 60.0,
    quality: Mapping[str, int] | None = None,
) -> int:
    """A reader reads every version, marks, answers and compares; gives their id.

    marks: by version (number of the segment, start, end, kind). quality: the answer by version, else 4.
    """
    person, readings = come(engine, number, name)
    order, segments = order_of(engine, number, name), segments_of(engine, number)
    viewer = Viewer(rater_id=person)
    for reading, version in zip(readings, order, strict=True):
        made = [
            MarkMade(mark=f"m{n}", segment=segments[at], start=start, end=end, kind=kind, reason="")
            for n, (at, start, end, kind) in enumerate((marks or {}).get(version, ()))
        ]
        last = segments[-1]
        page = {"segment": segments[0], "start": 0, "last": last, "end": 5}
        tell(
            engine,
            person,
            reading.id,
            PlaceReached(mark="p", segment=last, start=0),
            *made,
            PageRead(mark="v", active=seconds, away=30.0, **page),
            EndReached(mark="e"),
        )
        answers = {"quality": (quality or {}).get(version, 4), "comment": f"on {version}"}
        save_version_answers(engine, viewer, reading.id, person, answers)
    place = -1 if prefers is None else order.index(prefers)
    final = {"preferred": place, "margin": 2, "why": "because", "human": order.index(guess), "sure": 3}
    save_final_answers(engine, viewer, number, person, final)
    return person
