"""The rater's desk: one item after another, the list of keys, a step back, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.assets import ASSETS
from core.raters.assignment import minutes_left
from core.raters.protocols import Protocol
from core.text.languages import base_lang
from db.design import DOCUMENT, from_json
from db.design import protocol_of as design_protocol
from db.queries import items_of, own_seconds
from db.queries.completion import completion
from db.records import CampaignRecord, ItemRecord, RaterRecord
from pages.auth import session
from pages.evaluate.rate import (
    context,
    document,
    entry,
    guessing,
    navigation,
    rating,
    saving,
    second_try,
    several,
    side_by_side,
    spans,
)
from pages.ui import picker, state
from pages.ui.text import either, errors_shown, guide, line, moment, score, t, table

_listener = st.components.v2.component(
    "yomikurabe_desk",
    js="\n".join((ASSETS / "components" / name).read_text("utf-8") for name in ("desk.texts.js", "desk.js")),
)


def keys_button() -> bool:
    """The way to the keys by the mouse: whether it was pressed."""
    return st.button(t("keys.title"), key="keys", type="tertiary", icon=":material/keyboard:")


def listen(
    protocol: Protocol,
    *,
    item: int | str,
    drafts: Sequence[rating.TypedField] = (),
    onward: str = "",
    chain: Sequence[str] = (),
    pressed: bool,
) -> None:
    """Place the cursor, and show the list of keys on `?`. The part is invisible, so it stands at the end.

    item: the page begins at its top when this is another one. drafts: fields whose unsent text is kept in the
    browser. onward: CSS selector of what Enter in a text to be marked leads to. chain: selectors of fields;
    the first has the cursor, and Enter leads to the next.
    """
    kept = [
        {"selector": one.selector, "key": f"yomikurabe:{one.key}", "stored": one.stored} for one in drafts
    ]
    data = {"item": item, "onward": onward, "chain": list(chain), "drafts": kept}
    heard = _listener(key="desk", data=data, on_asked_change=lambda: None)
    if pressed or heard.asked:
        _dialog(t("keys.title"), protocol)


def _dialog(title: str, protocol: Protocol) -> None:
    @st.dialog(title)
    def shown() -> None:
        rows = [("?", t("keys.help"))]
        if protocol.scored:
            rows = [("0–9", t("keys.digits")), ("Enter", t("keys.enter")), *rows]
        if protocol.marks:
            numbers = " ".join(str(place) for place in range(1, len(protocol.severities) + 1))
            rows = [
                ("← →", t("keys.move")),
                ("Shift ← →", t("keys.extend")),
                (numbers, t("keys.mark")),
                ("N", t("keys.new")),
                ("M", t("keys.missing")),
                ("Delete", t("keys.remove")),
                ("Z", t("keys.undo")),
                ("Enter", t("keys.onward" if protocol.scored else "keys.onward_save")),
                *([("Esc", t("keys.back"))] if protocol.scored else []),
                *rows,
            ]
        if protocol.scales:
            rows = [*rows, ("Tab", t("keys.scale")), ("← →", t("keys.scale_choose"))]
        table((t("keys.key"), t("keys.does")), rows)

    shown()


def undo_button(item: ItemRecord, rater_id: int) -> None:
    """The way back to what was stored before, where something was; it becomes a further revision."""
    if item.revision > 1:
        st.button(
            t("rate.undo"),
            key=f"undo-{item.id}",
            type="tertiary",
            icon=":material/undo:",
            help=t("rate.undo_help"),
            on_click=saving.undo,
            args=(item, rater_id),
        )


_BEGINNING = 60  # characters of a translation in the list of earlier scores


@st.fragment
def desk(campaign: CampaignRecord, rater: RaterRecord) -> None:
    """Everything that changes while one rates; it is redrawn alone, for as long as the rater may rate."""
    who = session.viewer()
    if not who.open and who.rater_id != rater.id:
        st.rerun()  # the whole page, which says why and asks who is here
    with errors_shown():
        items = items_of(state.engine(), campaign.id, rater.id)
        if not items:
            line(t("rate.no_items"))
            return
        protocol = protocol_of(campaign)
        asked = navigation.place(campaign.id, items)
        place = second_try.lead(campaign.id, items, asked, at_once=protocol.at_once)
        by_document = from_json(campaign.design).layout == DOCUMENT
        shown = range(place, place + 1)
        if place < len(items) and by_document:
            shown = document.screen(items, place)
        elif place < len(items) and protocol.at_once > 1:
            shown = side_by_side.screen(items, place, protocol.at_once)
        _header(campaign, rater, items, shown)
        if place < len(items) and not campaign.takes_ratings(datetime.now(UTC)):
            st.info(t("rate.closed"), icon=":material/lock:")
        if place < len(items) and by_document:
            _document(campaign, rater, items, shown)
        elif place < len(items) and protocol.at_once > 1:
            second_try.notice(campaign.id, items, shown)
            _screen(campaign, rater, items, shown)
        elif place < len(items):
            navigation.saw(place)
            second_try.notice(campaign.id, items, range(place, place + 1))
            _item(campaign, rater, items, items[place])
        else:
            _end(campaign, rater, items)


def minutes_to_go(campaign: CampaignRecord, rater_id: int, items: Sequence[ItemRecord]) -> int:
    """How many minutes the open items will take, rounded for people; 0 only where none is open."""
    lengths = [len(item.translation) for item in items if navigation.is_open(item)]
    if not lengths:
        return 0
    found = minutes_left(
        lengths,
        own_seconds(state.engine(), campaign.id, rater_id),
        protocol=protocol_of(campaign).name,
        lang=base_lang(campaign.target_lang),
    )
    return rounded(found)


def rounded(minutes: float) -> int:
    """To a minute, from 10 to five, and from 60 to ten; never 0."""
    step = 1 if minutes < 10 else 5 if minutes < 60 else 10
    return max(1, step * round(minutes / step))


def guideline(campaign: CampaignRecord) -> None:
    """What raters are asked to do: the campaign's own words, else the app's."""
    own = either(campaign.guideline_en, campaign.guideline_ja)
    if own:
        line(own)
    else:
        st.markdown(guide(protocol_of(campaign).name))


def _where(places: range, total: int) -> str:
    """Which items are on the screen."""
    if places.start >= total:
        return t("rate.at_end")
    if len(places) == 1:
        return t("rate.place", place=places.stop, total=total)
    return t("rate.places", first=places.start + 1, last=places.stop, total=total)


def _header(campaign: CampaignRecord, rater: RaterRecord, items: Sequence[ItemRecord], places: range) -> None:
    open_places = navigation.missing(items)
    where = _where(places, len(items))
    saved = saving.saved_at()
    parts = [picker.display_name(campaign), rater.name, where]
    if left := minutes_to_go(campaign, rater.id, items):
        parts.append(t("rate.minutes_left", n=left))
    if saved is not None:
        parts.append(t("rate.saved", when=moment(saved)))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch"):
            line(" · ".join(parts))
        if open_places:
            _missing(campaign, items, open_places)
    st.progress((len(items) - len(open_places)) / len(items))


def _missing(campaign: CampaignRecord, items: Sequence[ItemRecord], open_places: Sequence[int]) -> None:
    """What is still open, by number, and the way there."""
    with st.popover(t("rate.missing", n=len(open_places)), icon=":material/checklist:", type="tertiary"):
        line(t("rate.missing_how"))
        st.button(
            t("rate.first_missing", place=open_places[0] + 1),
            key="first-missing",
            on_click=navigation.go,
            args=(campaign.id, items, open_places[0]),
            type="primary",
        )
        st.selectbox(
            t("rate.missing_list"),
            open_places,
            index=None,
            format_func=lambda place: str(place + 1),
            placeholder=t("rate.missing_choose"),
            key="missing-place",
            on_change=_jump,
            args=(campaign.id, items),
        )


def _jump(campaign_id: int, items: Sequence[ItemRecord]) -> None:
    place = st.session_state["missing-place"]
    if place is not None:
        navigation.go(campaign_id, items, place)
        st.session_state["missing-place"] = None


def _item(
    campaign: CampaignRecord, rater: RaterRecord, items: Sequence[ItemRecord], item: ItemRecord
) -> None:
    design, protocol = from_json(campaign.design), protocol_of(campaign)
    if item.prefilled and navigation.is_open(item):
        st.info(t("marking.prefilled"), icon=":material/fact_check:")
    if protocol.marks:
        context.texts(
            campaign, item, rater.id, design, lambda: spans.translation(item, rater.id, protocol, design)
        )
    else:
        context.texts(campaign, item, rater.id, design, lambda: context.plain_translation(item, design))
    with _tools():
        show_source = context.source_toggle(design)
        show_own = protocol.scored and st.toggle(t("rate.own"), key="show-own", persist_state="session")
        asked = _help(campaign)
        line(rating.stored_line(item), tone="quiet")
        undo_button(item, rater.id)
    if show_source and protocol.marks:
        spans.source(campaign, item, rater.id, protocol)
    elif show_source:
        context.source(campaign, item)
    spans.categories(item, rater.id, protocol)
    guessing.row(item, design, closed=campaign.metrics_released_at is not None)
    own = [one for one in items if one.score is not None and one.id != item.id]
    marks = [one.score for one in own if one.score is not None]
    rating.row(
        item,
        rater.id,
        protocol,
        earlier=marks if show_own else (),
        first=not own,
        edits=design.post_edit,
        closed=not campaign.takes_ratings(datetime.now(UTC)),
    )
    if show_own:
        _own_scores(own)
    onward = f".{rating.field_class(item)} input" if protocol.scored else f".{rating.next_class(item)} button"
    listen(protocol, item=item.id, onward=onward, drafts=rating.typed_fields(item, protocol), pressed=asked)


def _screen(campaign: CampaignRecord, rater: RaterRecord, items: Sequence[ItemRecord], places: range) -> None:
    """Several translations of a segment at once."""
    shown = [items[place] for place in places]
    closed = not campaign.takes_ratings(datetime.now(UTC))
    protocol = protocol_of(campaign)
    side_by_side.texts(shown, rater.id, from_json(campaign.design), protocol, closed=closed)
    with _tools():
        show_source = context.source_toggle(from_json(campaign.design))
        show_own = st.toggle(t("rate.own"), key="show-own", persist_state="session")
        asked = _help(campaign)
    if show_source:
        context.source(campaign, shown[0])
    side_by_side.ways(campaign, items, places, rater.id, protocol, closed=closed)
    if show_own:
        on_screen = {item.id for item in shown}
        _own_scores([one for one in items if one.score is not None and one.id not in on_screen])
    chain = [*several.fields(shown), f".{rating.next_class(shown[0])} button"]
    drafts = several.typed_fields(shown)
    listen(protocol, item=shown[0].id, chain=chain, drafts=drafts, pressed=asked)


def _document(
    campaign: CampaignRecord, rater: RaterRecord, items: Sequence[ItemRecord], places: range
) -> None:
    """The segments of a document under each other, and a score for the whole."""
    shown = [items[place] for place in places]
    design, protocol = from_json(campaign.design), protocol_of(campaign)
    closed = not campaign.takes_ratings(datetime.now(UTC))
    with _tools():
        show_source = context.source_toggle(design)
        asked = _help(campaign)
    if any(item.prefilled and navigation.is_open(item) for item in shown):
        st.info(t("marking.prefilled"), icon=":material/fact_check:")
    document.segments(campaign, shown, rater.id, protocol, design, source=show_source, closed=closed)
    whole = document.whole_score(items, places, rater.id, closed=closed)
    document.ways(campaign, items, places, rater.id, protocol, closed=closed)
    scores = several.fields(shown) if protocol.scored else []
    chain = [*scores, *([whole] if whole else []), f".{rating.next_class(shown[0])} button"]
    listen(
        protocol,
        item=shown[0].id,
        onward=chain[0],
        chain=() if protocol.marks else chain,
        drafts=several.typed_fields(shown),
        pressed=asked,
    )


def _tools() -> DeltaGenerator:
    """The row under the texts; on a small screen the score bar stays in reach once it was seen."""
    return st.container(key="rating-tools", horizontal=True, vertical_alignment="center", gap="medium")


def _help(campaign: CampaignRecord) -> bool:
    """Guideline, campaign and keys; whether the keys were asked for."""
    with st.popover(t("rate.guideline"), icon=":material/menu_book:", type="tertiary"):
        guideline(campaign)
    with st.popover(t("rate.about"), icon=":material/info:", type="tertiary"):
        picker.about(campaign.id)
    return keys_button()


def protocol_of(campaign: CampaignRecord) -> Protocol:
    """A campaign's protocol with its own scales and error lists."""
    return design_protocol(campaign.protocol, from_json(campaign.design))


def _own_scores(own: Sequence[ItemRecord]) -> None:
    if not own:
        line(t("rate.own_none"), tone="quiet")
        return
    ordered = sorted(own, key=lambda one: (-(one.score or 0), one.place))
    rows = [(score(one.score or 0), str(one.place + 1), _beginning(one.translation)) for one in ordered]
    table((t("rate.score"), t("rate.number"), t("rate.translation")), rows, numbers=frozenset({0, 1}))


def _beginning(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _BEGINNING else flat[:_BEGINNING] + "…"


def _further(rater: RaterRecord, again: str) -> list[str]:
    """What this rater may do now, a sentence each. again: how they can look at their answers, if they can."""
    viewer = session.viewer()
    found = [again] if again else []
    if viewer.open or entry.offered(rater.id) > 1:
        found.append(t("rate.next_other"))
    if viewer.sees_scores:
        found.append(t("rate.next_agreement"))
    return found


def _code(campaign: CampaignRecord, rater: RaterRecord) -> None:
    """For raters from a crowd platform: what they take back there, where the campaign has it."""
    found = completion(state.engine(), session.viewer(), campaign.id, rater.id)
    if found is None:
        return
    if not found.code:
        line(t("rate.code_none"))
        return
    if found.address:
        line(t("rate.go_back"))
        st.link_button(t("rate.go_back_button"), found.address, type="primary", icon=":material/open_in_new:")
    line(t("rate.code_else" if found.address else "rate.code"))
    st.code(found.code, language=None, wrap_lines=True)


def finished(campaign: CampaignRecord, rater: RaterRecord, done: str, *, again: str = "", close: str) -> None:
    """Thanks, the completion code, and what may be done next. done: what was done, in a sentence.

    close: that the window may be closed.
    """
    line(t("rate.thanks"), tone="title")
    line(done)
    _code(campaign, rater)
    line(close)
    line(" ".join(_further(rater, again)))
    if session.part() == "student":
        st.page_link("pages/learn/class.py", label=t("rate.see_class"), icon=":material/school:")
    if session.viewer().sees_scores:
        st.page_link(
            "pages/evaluate/agreement/page.py", label=t("rate.see_agreement"), icon=":material/groups:"
        )


def _end(campaign: CampaignRecord, rater: RaterRecord, items: Sequence[ItemRecord]) -> None:
    open_places = navigation.missing(items)
    if open_places:
        line(t("rate.end_missing", n=len(open_places)), tone="title")
        go_on = t("rate.first_missing", place=open_places[0] + 1)
        st.button(go_on, type="primary", on_click=navigation.go, args=(campaign.id, items, open_places[0]))
    else:
        scored = sum(item.skipped is None for item in items)
        done = t("rate.thanks_counts", scored=scored, skipped=len(items) - scored)
        finished(campaign, rater, done, again=t("rate.next_look"), close=t("rate.close_window"))
    st.button(
        t("rate.look_back"),
        key="look-back",
        on_click=navigation.step,
        args=(-1, navigation.here()),
        icon=":material/arrow_back:",
    )
