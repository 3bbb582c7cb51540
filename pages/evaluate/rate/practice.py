"""Practice before the task: a few items that look like the real ones, each with a word about the answer.

What is typed and marked stays in the session until it is given as an answer. Answers are no ratings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import streamlit as st

from core.errors import RatingError
from core.raters.practice import judge
from core.raters.protocols import MarkedSpan, Protocol
from core.text.japanese import plain
from db.design import from_json
from db.queries.practice import practice_items
from db.queries.practising import answer_practice, practice_state, practise_again
from db.records import CampaignRecord, ItemRecord, PracticeRecord, PracticeReply, PracticeState, RaterRecord
from pages.auth import session
from pages.evaluate.rate import context, desk, rating, saving, scales
from pages.evaluate.rate import spans as marking
from pages.evaluate.rate.passage import passage, words_of
from pages.ui import picker, state
from pages.ui.error_words import category_words, severity_word
from pages.ui.text import either, error_kept, keep_error, label, line, score, set_text, show_kept_error, t

_OPEN = "practice-open"  # (campaign, rater) who are shown practice until they begin to rate
_READ = "practice-read"  # (try, first item) whose answer is being read
_MARKS = "practice-marks"  # (item with its try, what is marked in it)
_CHOSEN = "practice-chosen"  # (item with its try, place of the chosen mark)
_RAIL, _SLOT = "practice-rail", "practice"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Screen:
    """What is on the screen: one item, or those of a segment side by side, and what was answered so far."""

    campaign: CampaignRecord
    rater_id: int
    run: int
    records: tuple[PracticeRecord, ...]
    replies: dict[int, PracticeReply]

    @property
    def protocol(self) -> Protocol:
        return desk.protocol_of(self.campaign)

    @property
    def answered(self) -> bool:
        return all(record.id in self.replies for record in self.records)

    @property
    def place(self) -> tuple[int, int]:
        return self.run, self.records[0].id

    def key(self, record: PracticeRecord) -> str:
        """Names an item within a try."""
        return f"{self.run}-{record.id}"


def wanted(campaign: CampaignRecord, rater_id: int) -> bool:
    """Whether practice comes now: it is due, or its result was not left yet."""
    if not campaign.takes_ratings(datetime.now(UTC)):
        return False
    now = practice_state(state.engine(), campaign.id, rater_id)
    return now.due or (now.items > 0 and st.session_state.get(_OPEN) == (campaign.id, rater_id))


def practise(campaign: CampaignRecord, rater: RaterRecord) -> None:
    """The next item, the answer to the last one, or the result."""
    st.session_state[_OPEN] = (campaign.id, rater.id)
    now = practice_state(state.engine(), campaign.id, rater.id)
    screens = [
        _Screen(campaign=campaign, rater_id=rater.id, run=now.run, records=records, replies=dict(now.replies))
        for records in _together(practice_items(state.engine(), campaign.id), desk.protocol_of(campaign))
    ]
    open_ones = [] if now.finished else [one for one in screens if not one.answered]
    being_read = [one for one in screens if one.place == st.session_state.get(_READ) and one.answered]
    shown = next(iter([*being_read, *open_ones]), None)
    done = sum(one.answered for one in screens)
    place = (
        t("practice.done")
        if shown is None
        else t("practice.place", place=screens.index(shown) + 1, total=len(screens))
    )
    line(" · ".join([picker.display_name(campaign), rater.name, place]))
    st.progress(done / max(len(screens), 1))
    show_kept_error(saving.ERROR_SLOT)  # of a rating that was refused because practice comes first
    if shown is None:
        _result(campaign, rater, now)
    else:
        _draw(shown)


def _together(records: Sequence[PracticeRecord], protocol: Protocol) -> list[tuple[PracticeRecord, ...]]:
    """Items of a segment side by side, where the protocol has it so; else each alone."""
    if protocol.at_once == 1:
        return [(record,) for record in records]
    by_segment: dict[int, list[PracticeRecord]] = {}
    for record in records:
        by_segment.setdefault(record.segment_id, []).append(record)
    return [
        tuple(found[start : start + protocol.at_once])
        for found in by_segment.values()
        for start in range(0, len(found), protocol.at_once)
    ]


def _draw(shown: _Screen) -> None:
    if shown.answered:
        _answers(shown)
    if shown.protocol.at_once > 1:
        _beside(shown)
    else:
        _alone(shown)
    design = from_json(shown.campaign.design)
    with st.container(key="rating-tools", horizontal=True, vertical_alignment="center", gap="medium"):
        show_source = context.source_toggle(design)
        with st.popover(t("rate.guideline"), icon=":material/menu_book:", type="tertiary"):
            desk.guideline(shown.campaign)
        asked = desk.keys_button()
    first = shown.records[0]
    if show_source:
        context.source(shown.campaign, _item(first))
    if shown.protocol.categories and not shown.answered:
        _category(shown, first)
    _scales(shown)
    _row(shown)
    show_kept_error(_SLOT)
    _listen(shown, asked=asked)


def _item(record: PracticeRecord) -> ItemRecord:
    """The record as what the texts are drawn from."""
    return ItemRecord(
        id=record.id,
        place=0,
        document=record.document,
        position=record.position,
        segment_id=record.segment_id,
        source=record.source,
        reference=record.reference,
        translation=record.translation,
        lang=record.lang,
        score=None,
        skipped=None,
        comment="",
        revision=0,
        saved_at=None,
    )


def _alone(shown: _Screen) -> None:
    """One item, with nothing around it: its neighbours belong to the task."""
    record = shown.records[0]
    item = _item(record)
    design = replace(from_json(shown.campaign.design), before=0, after=0)

    def translation() -> None:
        if not shown.protocol.marks:
            context.plain_translation(item, design)
            return
        label(t("rate.translation"))
        _passage(shown, record, vertical=design.vertical)
        marking.legend(shown.protocol, _marked(shown, record), design)

    context.texts(shown.campaign, item, shown.rater_id, design, translation)


def _beside(shown: _Screen) -> None:
    """The translations of a segment, each with its score."""
    design = from_json(shown.campaign.design)
    if design.reference:
        with st.container(border=True, gap=None):
            label(t("rate.reference"))
            set_text(shown.records[0].reference, lang=shown.records[0].lang, vertical=design.vertical)
    wide = 2 if len(shown.records) in (2, 4) else 3
    for start in range(0, len(shown.records), wide):
        columns = st.columns(min(len(shown.records), wide), gap="medium")
        for column, record in zip(columns, shown.records[start : start + wide], strict=False):
            letter = "ABCDE"[shown.records.index(record)]
            with column:
                with st.container(border=True, height="stretch", gap=None):
                    label(f"{t('rate.translation')} {letter}")
                    set_text(record.translation, lang=record.lang, vertical=design.vertical)
                _fill(shown, record)
                st.number_input(
                    t("side.score", letter=letter),
                    value=None,
                    step=1.0,
                    format="%g",
                    key=_score_key(shown, record),
                    placeholder="–",
                    disabled=record.id in shown.replies,
                )
                if shown.answered:
                    verdict(record, shown.protocol, shown.replies[record.id])


def _scales(shown: _Screen) -> None:
    """The campaign's own scales, as in the task; their answers are neither stored nor judged here."""
    own = from_json(shown.campaign.design).scales
    if not own:
        return
    several = len(shown.records) > 1
    for record, letter in zip(shown.records, "ABCDE", strict=False):
        if several:
            label(f"{t('rate.translation')} {letter}")
        scales.fields(f"practice-{shown.key(record)}", own, closed=shown.answered)
    line(t("practice.scales"), tone="quiet")


def _row(shown: _Screen) -> None:
    """The scale, where there is one, and the button that gives the answer."""
    record, protocol = shown.records[0], shown.protocol
    with st.container(key="rating-bar", horizontal=True, vertical_alignment="bottom", gap="medium"):
        if protocol.scored and protocol.at_once == 1:
            _fill(shown, record)
            rating.scale(
                protocol,
                item=shown.key(record),
                key=_score_key(shown, record),
                stored=_typed(shown, record),
                rail=_RAIL,
                hint="" if shown.answered else t("practice.enter_hint"),
                on_enter=lambda: _on_rail(shown, record, "enter"),
                on_picked=lambda: _on_rail(shown, record, "picked"),
                closed=shown.answered,
            )
        if not shown.answered:
            st.button(
                t("practice.check"),
                key=f"practice-check-{shown.key(record)}",
                type="primary",
                on_click=_answer,
                args=(shown,),
            )


def _fill(shown: _Screen, record: PracticeRecord) -> None:
    """What was answered stands in the field."""
    if record.id in shown.replies:
        st.session_state[_score_key(shown, record)] = shown.replies[record.id].score


def _passage(shown: _Screen, record: PracticeRecord, *, vertical: bool) -> None:
    protocol, key = shown.protocol, shown.key(record)
    passage(
        record.translation,
        lang=record.lang,
        words=words_of(record.translation, record.lang),
        spans=lambda: _marked(shown, record),
        severities=protocol.severities,
        key="practice-passage",
        item=key,
        omission=True,
        focus=not shown.answered,
        vertical=vertical,
        readonly=shown.answered,
        categories=category_words(protocol),
        errors=protocol.errors,
        on_change=lambda marked: _mark(key, marked),
        on_select=(lambda place: _choose(key, place)) if protocol.categories else None,
    )


def _category(shown: _Screen, record: PracticeRecord) -> None:
    """The category of the chosen error (MQM)."""
    key, marked = shown.key(record), _marked(shown, record)
    chosen = st.session_state.get(_CHOSEN)
    if chosen is None or chosen[0] != key or chosen[1] is None or chosen[1] >= len(marked):
        line(t("marking.choose"), tone="quiet")
        return
    one, names = marked[chosen[1]], shown.protocol.categories
    widget = f"practice-category-{key}-{one.start}-{one.end}"
    st.selectbox(
        t("marking.category"),
        names,
        index=names.index(one.category) if one.category in names else None,
        format_func=category_words(shown.protocol).__getitem__,
        placeholder=t("marking.category_choose"),
        key=widget,
        on_change=_set_category,
        args=(key, chosen[1], widget),
        width=360,
    )


def _marked(shown: _Screen, record: PracticeRecord) -> tuple[MarkedSpan, ...]:
    """What is marked in an item: as answered, else so far."""
    if record.id in shown.replies:
        return shown.replies[record.id].spans
    return _marks(shown.key(record))


def _marks(key: str) -> tuple[MarkedSpan, ...]:
    kept: tuple[str, tuple[MarkedSpan, ...]] | None = st.session_state.get(_MARKS)
    return kept[1] if kept is not None and kept[0] == key else ()


def _mark(key: str, marked: tuple[MarkedSpan, ...]) -> None:
    st.session_state[_MARKS] = (key, marked)


def _choose(key: str, place: int | None) -> None:
    st.session_state[_CHOSEN] = (key, place)


def _set_category(key: str, place: int, widget: str) -> None:
    marked = list(_marks(key))
    if place < len(marked):
        marked[place] = replace(marked[place], category=st.session_state.get(widget) or "")
        _mark(key, tuple(marked))


def _score_key(shown: _Screen, record: PracticeRecord) -> str:
    return f"practice-score-{shown.key(record)}"


def _typed(shown: _Screen, record: PracticeRecord) -> float | None:
    value: float | None = st.session_state.get(_score_key(shown, record))
    return value


def _on_rail(shown: _Screen, record: PracticeRecord, what: str) -> None:
    """Enter gives the answer; a place on the rail only fills the field."""
    value = rating.told(getattr(st.session_state[_RAIL], what), shown.key(record))
    if value is not None:
        st.session_state[_score_key(shown, record)] = value
        if what == "enter":
            _answer(shown)


def _answer(shown: _Screen) -> None:
    """Callback: store what is typed and marked, once all of it is there."""
    protocol = shown.protocol
    typed = {record.id: _typed(shown, record) if protocol.scored else None for record in shown.records}
    outside = [value for value in typed.values() if rating.no_score(value) is not None]
    problem = marking.lacks_category(_marked(shown, shown.records[0]), protocol)
    with error_kept(_SLOT):
        if problem is not None:
            keep_error(_SLOT, problem)
            return
        if outside or (protocol.scored and None in typed.values()):
            raise RatingError("A score from 0 to 100 is missing; type it and check again.")
        session.viewer().must_be(shown.rater_id)
        for record in shown.records:
            answer_practice(
                state.engine(),
                practice_id=record.id,
                rater_id=shown.rater_id,
                score=typed[record.id],
                spans=_marked(shown, record) if protocol.marks else (),
            )
        st.session_state[_READ] = shown.place


def _answers(shown: _Screen) -> None:
    """What is said of the answer, and the way on; side by side it is said below each text."""
    if shown.protocol.at_once > 1:
        right = sum(shown.replies[record.id].right for record in shown.records)
        line(t("practice.result", right=right, total=len(shown.records)), tone="title")
    else:
        record = shown.records[0]
        with st.container(border=True, gap="small"):
            verdict(record, shown.protocol, shown.replies[record.id])
    st.button(
        t("practice.next"),
        key=f"practice-next-{shown.key(shown.records[0])}",
        type="primary",
        icon=":material/arrow_forward:",
        icon_position="right",
        on_click=lambda: st.session_state.pop(_READ, None),
    )


def verdict(record: PracticeRecord, protocol: Protocol, reply: PracticeReply | None) -> None:
    """Right or not yet, what was expected, and the organiser's sentence. reply: None shows the latter two."""
    expected = record.expected
    if reply is not None:
        line(t("practice.right" if reply.right else "practice.not_yet"), tone="title")
    if protocol.scored and expected.low is not None and expected.high is not None:
        span = {"low": score(expected.low), "high": score(expected.high)}
        given = reply is not None and reply.score is not None
        words = t("practice.expected_score", **span)
        line(words + (" " + t("practice.given_score", score=score(reply.score)) if given else ""))  # type: ignore[union-attr, arg-type]
    if protocol.marks and expected.clean:
        line(t("practice.expected_clean"))
    elif protocol.marks and expected.start is not None:
        piece = plain(record.translation[expected.start : expected.end])
        if expected.severity:
            severity = severity_word(expected.severity, protocol.errors)
            line(t("practice.expected_grave", piece=piece, severity=severity))
        else:
            line(t("practice.expected_piece", piece=piece))
        if reply is not None:
            met = judge(expected, protocol, score=reply.score, spans=reply.spans).marks
            line(t("practice.piece_marked" if met else "practice.piece_missed"), tone="quiet")
    feedback = either(record.feedback_en, record.feedback_ja)
    if feedback:
        line(feedback)


def _listen(shown: _Screen, *, asked: bool) -> None:
    """The cursor: into the first field, or on the way on."""
    first = shown.key(shown.records[0])
    check = f".st-key-practice-check-{first} button"
    fields = [f".st-key-{_score_key(shown, record)} input" for record in shown.records]
    chain: list[str] = []
    if shown.answered:
        chain = [f".st-key-practice-next-{first} button"]
    elif shown.protocol.at_once > 1:
        chain = [*fields, check]
    onward = fields[0] if shown.protocol.scored else check
    item = f"practice-{first}-{shown.answered}"
    desk.listen(shown.protocol, item=item, onward=onward, chain=chain, pressed=asked)


def _result(campaign: CampaignRecord, rater: RaterRecord, now: PracticeState) -> None:
    """How many were right, and what may be done now."""
    line(t("practice.result", right=now.right, total=now.total), tone="title")
    if now.passed:
        line(t("practice.passed"))
        st.button(t("practice.begin"), key="practice-begin", type="primary", on_click=_begin)
    elif now.again:
        line(t("practice.below", needed=now.needed))
    else:
        line(t("practice.no_more", needed=now.needed))
    if now.again:
        st.button(
            t("practice.again"),
            key=f"practice-again-{now.run}",
            type="secondary" if now.passed else "primary",
            icon=":material/replay:",
            on_click=_again,
            args=(campaign.id, rater.id),
        )
    show_kept_error(_SLOT)


def _begin() -> None:
    st.session_state.pop(_OPEN, None)


def _again(campaign_id: int, rater_id: int) -> None:
    with error_kept(_SLOT):
        session.viewer().must_be(rater_id)
        practise_again(state.engine(), campaign_id=campaign_id, rater_id=rater_id)
