"""Comments coded by hand: the code book, who codes, what they gave, and what all of them gave together.

Comments are reasons of highlights, free answers and reasons in reading studies, and comments on ratings. A
coder sees them in an order of the campaign's seed, without their writers and versions, and sees nobody else's
codes until all coders have finished.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from sqlalchemy import Engine, Select, delete, func, select
from sqlalchemy.orm import Session

from core.errors import AccessError, InputError, Wording
from core.raters.coding import CodedComment
from core.raters.reading.choices import NO_DIFFERENCE, PREFERRED, WHY
from db.design import from_json, reading_of
from db.engine import read_session, write_session
from db.models import (
    Campaign,
    ChunkPair,
    CommentCode,
    CommentCoder,
    CommentCoding,
    Highlight,
    Item,
    Rater,
    RatingEvent,
    Reading,
    ReadingAnswer,
    System,
    Translation,
    is_latest,
    now,
)
from db.names import LABEL_LIMIT, check_label, distinct_names
from db.permissions import NO_ACCESS, Viewer
from db.queries.campaigns import campaign_in
from db.queries.rating import check_text
from db.queries.sealed import hidden_names
from db.records import CodeRecord, CoderRecord, CommentRecord

HIGHLIGHT, ANSWER, RATING = "highlight", "answer", "rating"
FEWEST_CODERS = 2
MOST_CODES = 100


def code_book(engine: Engine, viewer: Viewer, campaign_id: int) -> list[CodeRecord]:
    """The codes in their order. Raises AccessError for a viewer who may not see scores."""
    viewer.must_see_scores()
    with read_session(engine) as session:
        rows = session.scalars(_book(campaign_id))
        return [CodeRecord(name=one.name, label=one.label, meaning=one.meaning) for one in rows]


def set_code_book(engine: Engine, viewer: Viewer, campaign_id: int, codes: Sequence[CodeRecord]) -> None:
    """Store the code book; a code of the same name stays the same code, whatever its label says.

    Raises AccessError for a viewer who does not manage; InputError for a name that is blank, twice there or
    holds a semicolon, and where a code that was given to a comment would go.
    """
    viewer.must_manage()
    rows = [_checked(one) for one in codes]
    names = [one.name for one in rows]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError("The code book has the code “{name}” twice; rename one.", name=twice)
    if len(rows) > MOST_CODES:
        raise InputError("A code book has at most {limit} codes.", limit=MOST_CODES)
    with write_session(engine) as session:
        campaign_in(session, campaign_id)
        there = {one.name: one for one in session.scalars(_book(campaign_id))}
        used = {code for one in session.scalars(_codings(campaign_id)) for code in one.codes}
        for name, one in there.items():
            if name not in names:
                if one.id in used:
                    raise InputError(
                        "The code “{name}” was given to comments already, so it stays in the code book.",
                        name=name,
                    )
                session.delete(one)
        for place, row in enumerate(rows):
            kept = there.get(row.name)
            if kept is None:
                kept = CommentCode(campaign_id=campaign_id, name=row.name, place=place)
                session.add(kept)
            kept.label, kept.meaning, kept.place = row.label, row.meaning, place


def _checked(code: CodeRecord) -> CodeRecord:
    name = check_label(code.name.strip(), Wording("code’s name"))
    if ";" in name or name == NO_CODE:
        raise InputError(
            "A code’s name holds no semicolon and is not “{none}”, since both mean something in the "
            "spreadsheet: {name}.",
            none=NO_CODE,
            name=name,
        )
    label = check_text(code.label.strip(), Wording("label"))[:LABEL_LIMIT]
    return CodeRecord(name=name, label=label, meaning=check_text(code.meaning.strip(), Wording("meaning")))


NO_CODE = "-"
"""In a spreadsheet: the comment was read, and no code fits."""


def comments_to_code(
    engine: Engine, viewer: Viewer, campaign_id: int, coder_id: int
) -> tuple[list[CommentRecord], bool]:
    """All comments with this coder's own codes, in the order of the seed; whether the coder has finished.

    Raises AccessError for a viewer who may not see scores, and for another person's codes.
    """
    _must_be(viewer, coder_id)
    with read_session(engine) as session:
        campaign = campaign_in(session, campaign_id)
        names = {one.id: one.name for one in session.scalars(_book(campaign_id))}
        own = select(CommentCoding).where(
            CommentCoding.campaign_id == campaign_id, CommentCoding.coder_id == coder_id
        )
        given = {f"{one.kind}-{one.source_id}": _named(one.codes, names) for one in session.scalars(own)}
        coder = session.get(CommentCoder, (campaign_id, coder_id))
        comments = [
            CommentRecord(key=one.key, about=one.about, text=one.text, codes=given.get(one.key))
            for one in _comments(session, campaign)
        ]
        return comments, coder is not None and coder.finished_at is not None


def save_codes(
    engine: Engine, viewer: Viewer, campaign_id: int, coder_id: int, given: Mapping[str, Sequence[str]]
) -> int:
    """Store a coder's codes by the comments' keys, all or nothing; how many comments.

    Raises AccessError as `comments_to_code`; InputError for a comment or a code that is not there, and for
    other codes of a coder who has finished: by then others' codes may have been seen. Comments that came
    later may still be coded.
    """
    _must_be(viewer, coder_id)
    with read_session(engine) as session:  # other writers need not wait for this
        comments = {one.key: one for one in _comments(session, campaign_in(session, campaign_id))}
    with write_session(engine) as session:
        coder = session.get(CommentCoder, (campaign_id, coder_id))
        if coder is None:
            coder = CommentCoder(campaign_id=campaign_id, rater_id=coder_id)
            session.add(coder)
        ids = {one.name: one.id for one in session.scalars(_book(campaign_id))}
        there = {
            (one.kind, one.source_id): one
            for one in session.scalars(_codings(campaign_id).where(CommentCoding.coder_id == coder_id))
        }
        for key, names in given.items():
            if key not in comments:
                raise InputError("There is no comment “{key:.40}” in this campaign.", key=key)
            unknown = next((name for name in names if name not in ids), None)
            if unknown is not None:
                raise InputError("There is no code “{name:.40}” in the code book.", name=unknown)
            one = comments[key]
            coding = there.get((one.kind, one.source))
            if coding is None:
                coding = CommentCoding(
                    campaign_id=campaign_id,
                    kind=one.kind,
                    source_id=one.source,
                    author_id=one.author,
                    coder_id=coder_id,
                )
                session.add(coding)
            _give(coding, sorted({ids[name] for name in names}), final=coder.finished_at is not None)
        return len(given)


def _give(coding: CommentCoding, chosen: list[int], *, final: bool) -> None:
    """Store the codes of a comment. final: codes that were given stay as they are."""
    if coding.codes == chosen:
        return
    if final and coding.codes is not None:
        raise InputError("This coder has finished, so the codes stay as they are.")
    coding.codes, coding.changed_at = chosen, now()


def finish_coding(engine: Engine, viewer: Viewer, campaign_id: int, coder_id: int) -> None:
    """The coder has finished. Raises AccessError as `save_codes`, InputError while a comment is not coded."""
    comments, _ = comments_to_code(engine, viewer, campaign_id, coder_id)
    left = sum(one.codes is None for one in comments)
    if not comments:
        raise InputError("This campaign has no comments to code.")
    if left:
        raise InputError("Comments that are not coded yet: {n}. Code them all before you finish.", n=left)
    with write_session(engine) as session:
        coder = session.get_one(CommentCoder, (campaign_id, coder_id))
        coder.finished_at = coder.finished_at or now()


def coders_of(engine: Engine, viewer: Viewer, campaign_id: int) -> list[CoderRecord]:
    """Who codes, in the order in which they began, and how far they are: no codes."""
    viewer.must_see_scores()
    with read_session(engine) as session:
        return _coders(session, campaign_id)


def _coders(session: Session, campaign_id: int) -> list[CoderRecord]:
    done = (
        select(CommentCoding.coder_id, func.count())
        .where(CommentCoding.campaign_id == campaign_id)
        .group_by(CommentCoding.coder_id)
    )
    counts = dict(session.execute(done).all())
    rows = session.execute(
        select(CommentCoder, Rater.name)
        .join(Rater, Rater.id == CommentCoder.rater_id)
        .where(CommentCoder.campaign_id == campaign_id)
        .order_by(CommentCoder.joined_at, CommentCoder.rater_id)
    ).all()
    names = distinct_names({one.rater_id: name for one, name in rows})
    return [
        CoderRecord(
            rater_id=one.rater_id,
            name=names[one.rater_id],
            coded=counts.get(one.rater_id, 0),
            finished=one.finished_at is not None,
        )
        for one, _ in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodingRecord:
    """What all coders gave, once they have finished. texts: by comment, what it is about and its words.

    waiting: how many comments not all of them have coded; those came later. seed: the campaign's, for
    intervals.
    """

    codes: tuple[str, ...]
    comments: tuple[CodedComment, ...]
    texts: Mapping[str, tuple[str, str]]
    waiting: int
    seed: int


def coded_comments(engine: Engine, viewer: Viewer, campaign_id: int) -> CodingRecord | None:
    """The comments that all coders have coded; None while fewer than two are there or one has not finished.

    Raises AccessError for a viewer who may not see scores.
    """
    viewer.must_see_scores()
    with read_session(engine) as session:
        coders = _coders(session, campaign_id)
        if len(coders) < FEWEST_CODERS or not all(one.finished for one in coders):
            return None
        campaign = campaign_in(session, campaign_id)
        book = list(session.scalars(_book(campaign_id)))
        names = {one.id: one.name for one in book}
        who = {one.rater_id: one.name for one in coders}
        given: dict[str, dict[str, frozenset[str]]] = {}
        for one in session.scalars(_codings(campaign_id)):
            own = given.setdefault(f"{one.kind}-{one.source_id}", {})
            own[who[one.coder_id]] = frozenset(_named(one.codes, names))
        every = _comments(session, campaign)
        comments = [one for one in every if len(given.get(one.key, ())) == len(who)]
        return CodingRecord(
            codes=tuple(one.name for one in book),
            comments=tuple(
                CodedComment(comment=one.key, version=one.version, codes=given[one.key]) for one in comments
            ),
            texts={one.key: (one.about, one.text) for one in comments},
            waiting=len(every) - len(comments),
            seed=campaign.seed,
        )


def forget_coding(session: Session, rater_id: int) -> None:
    """What a person who withdraws coded, and the codes of what they wrote."""
    for column in (CommentCoding.coder_id, CommentCoding.author_id, CommentCoder.rater_id):
        session.execute(delete(column.class_).where(column == rater_id))


def _must_be(viewer: Viewer, coder_id: int) -> None:
    """An organiser at the command line has no number and hands in spreadsheets of others."""
    viewer.must_see_scores()
    if not (viewer.open or viewer.rater_id in (None, coder_id)):
        raise AccessError(NO_ACCESS)


def _book(campaign_id: int) -> Select[CommentCode]:
    return (
        select(CommentCode)
        .where(CommentCode.campaign_id == campaign_id)
        .order_by(CommentCode.place, CommentCode.id)
    )


def _codings(campaign_id: int) -> Select[CommentCoding]:
    return select(CommentCoding).where(CommentCoding.campaign_id == campaign_id)


def _named(codes: Sequence[int], names: Mapping[int, str]) -> tuple[str, ...]:
    """The names of codes, in the order of the book."""
    return tuple(name for number, name in names.items() if number in codes)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Comment:
    """A comment with all that is known of it. version: "" where it is about none."""

    kind: str
    source: int
    author: int
    version: str
    about: str
    text: str

    @property
    def key(self) -> str:
        return f"{self.kind}-{self.source}"


def _comments(session: Session, campaign: Campaign) -> list[_Comment]:
    """All comments of the campaign, shuffled by its seed."""
    found = [
        *_reasons(session, campaign.id),
        *_answers(session, campaign),
        *_on_ratings(session, campaign.id),
    ]
    found.sort(key=lambda one: (one.kind, one.source))
    Random(f"{campaign.seed}:codes").shuffle(found)  # nosec B311  # an order that can be had again, no secret
    return found


def _reasons(session: Session, campaign_id: int) -> Iterator[_Comment]:
    """Why readers highlighted what they highlighted; what was taken away is left out."""
    hidden = hidden_names(session, campaign_id)
    query = (
        select(Highlight.id, Reading.rater_id, System.name, Highlight.kind, Highlight.reason)
        .join(Reading, Reading.id == Highlight.reading_id)
        .join(System, System.id == Reading.system_id)
        .where(Reading.campaign_id == campaign_id, Highlight.removed_at.is_(None), Highlight.reason != "")
    )
    for number, author, version, kind, reason in session.execute(query):
        if reason.strip():
            yield _Comment(
                kind=HIGHLIGHT,
                source=number,
                author=author,
                version=hidden.get(version, version),
                about=kind,
                text=reason,
            )


def _answers(session: Session, campaign: Campaign) -> Iterator[_Comment]:
    """Free answers on versions, and why a version is preferred, as a whole and in a passage."""
    hidden = hidden_names(session, campaign.id)
    named = (
        select(Reading.id, Reading.rater_id, Reading.place, System.name)
        .join(System, System.id == Reading.system_id)
        .where(Reading.campaign_id == campaign.id)
    )
    version, at = {}, {}
    for number, rater, place, name in session.execute(named):
        version[number] = at[rater, place] = hidden.get(name, name)
    pairs = select(ChunkPair.id, ChunkPair.left_id, ChunkPair.right_id)
    sides = {
        number: (left, right)
        for number, left, right in session.execute(pairs.where(ChunkPair.campaign_id == campaign.id))
    }
    questions = reading_of(from_json(campaign.design)).questions
    free = {one.name for one in questions if one.kind == "text"} | {WHY}
    query = select(ReadingAnswer).where(ReadingAnswer.campaign_id == campaign.id).order_by(ReadingAnswer.id)
    last = {
        (one.rater_id, one.reading_id, one.chunk_pair_id, one.question): one for one in session.scalars(query)
    }
    for (rater, reading, pair, question), one in last.items():
        text = one.value["answer"]
        if question not in free or not isinstance(text, str) or not text.strip():
            continue
        about = "" if reading is None else version[reading]
        if reading is None:
            preferred = last.get((rater, None, pair, PREFERRED))
            side = NO_DIFFERENCE if preferred is None else preferred.value["answer"]
            if side != NO_DIFFERENCE:
                about = at[rater, side] if pair is None else version[sides[pair][side]]
        yield _Comment(kind=ANSWER, source=one.id, author=rater, version=about, about=question, text=text)


def _on_ratings(session: Session, campaign_id: int) -> Iterator[_Comment]:
    """Comments on ratings that hold, also on skipped items."""
    hidden = hidden_names(session, campaign_id)
    query = (
        select(RatingEvent.id, Item.rater_id, System.name, RatingEvent.comment)
        .join(Item, Item.id == RatingEvent.item_id)
        .join(Translation, Translation.id == Item.translation_id)
        .join(System, System.id == Translation.system_id)
        .where(Item.campaign_id == campaign_id, RatingEvent.comment != "", is_latest())
    )
    for number, author, version, text in session.execute(query):
        if text.strip():
            yield _Comment(
                kind=RATING,
                source=number,
                author=author,
                version=hidden.get(version, version),
                about="",
                text=text,
            )
