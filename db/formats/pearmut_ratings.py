"""What the raters of a Pearmut campaign said: one entry for each time that a document was submitted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from db.formats.bundle import Key, RatingRow
from db.formats.cells import read_rater
from db.formats.json_node import Node
from db.formats.pearmut_items import Book, is_check, is_form
from db.formats.spans import browser_places, read_spans, spans_note

RESET = "__RESET__"


class RatingReader:
    """Adds ratings to the campaign; a document that is submitted again gives further revisions."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._left_out: Counter[str] = Counter()
        self._spans_left_out = 0

    def read(self, entries: Sequence[Node]) -> list[str]:
        """Add the ratings of the entries, in their order; returns notes. Raises FileError."""
        for entry in self._valid(entries):
            self._add_entry(entry)
        notes = [f"{count} {what} were left out." for what, count in self._left_out.items()]
        return [*notes, *spans_note(self._spans_left_out)]

    def _valid(self, entries: Sequence[Node]) -> Iterable[Node]:
        """The entries that no later reset by the same rater voids."""
        reset: set[tuple[str, str]] = set()
        kept: list[Node] = []
        for entry in reversed(entries):
            user, item_i = entry.need("user_id").as_label(), entry.get("item_i")
            place = user, item_i.as_label() if item_i else ""
            if entry.need("annotation").value == RESET:
                reset.add(place)
            elif place in reset or (user, "") in reset:
                self._left_out["submissions that were reset"] += 1
            else:
                kept.append(entry)
        return reversed(kept)

    def _add_entry(self, entry: Node) -> None:
        item_i = entry.need("item_i").as_label()
        if item_i.startswith("welcome"):
            self._left_out["submissions of the tutorial"] += 1
            return
        document = self._document(entry, item_i)
        items, answers = document.as_list(), entry.need("annotation").as_list()
        if len(items) != len(answers):
            raise entry.need("annotation").error(f"has {len(answers)} answers to {len(items)} items.")
        comment = entry.text("comment", "")
        keys = self._book.keys_of(document, random=item_i.startswith("random"))
        for item, answer, key in zip(items, answers, keys, strict=True):
            if is_form(item) or answer.value == RESET:
                self._left_out["answers to forms" if is_form(item) else "answers that were reset"] += 1
                continue
            for system, judged in answer.as_map().items():
                comment = self._add_rating(entry, item, key, system, judged, comment)

    def _document(self, entry: Node, item_i: str) -> Node:
        """The items that were shown: as the entry has them, else as the campaign has."""
        shown = entry.get("item")
        if shown is not None:
            return shown
        is_random = item_i.startswith("random_")
        held = self._book.by_user.get(entry.need("user_id").as_label(), self._book.in_order)
        documents = self._book.random if is_random else held
        number = item_i.removeprefix("random_")
        if not (number.isascii() and number.isdigit() and len(number) < 9 and int(number) < len(documents)):
            raise entry.need("item_i").error(f"“{item_i:.40}” is no document of the campaign.")
        return documents[int(number)]

    def _add_rating(
        self, entry: Node, item: Node, key: Key | None, system: str, judged: Node, comment: str
    ) -> str:
        """Add a rating; returns the comment on the submission if it has not found a rating yet."""
        text = item.need("tgt").need(system).as_text()
        random = entry.need("item_i").as_label().startswith("random")
        kind = self._book.kind_of(item, key, system, text, random=random) if key else None
        if key is None or kind is None:
            if random or is_check(item):
                self._left_out["ratings of checks that the campaign does not hold"] += 1
                return comment
            raise judged.error("judges a text that the campaign does not hold.")
        score = judged.get("score")
        spans, unknown = read_spans(judged.get("error_spans"), browser_places(text))
        if score is None and not (self._book.by_errors and spans is not None):
            self._left_out["judgements without a score from 0 to 100"] += 1
            return comment
        if score is not None and not 0 <= score.as_number() <= 100:
            raise score.error("is not a number from 0 to 100.")
        self._spans_left_out += unknown
        user = entry.need("user_id")
        self._book.draft.ratings.append(
            RatingRow(
                key,
                system,
                read_rater(user.as_label(), user),
                None if score is None else score.as_number() + 0.0,
                comment="\n".join(filter(None, (judged.text("textfield", ""), comment))),
                rated_at=_submitted(entry),
                spans=spans if self._book.marks or spans else None,
                kind=kind,
            )
        )
        return ""


def _submitted(entry: Node) -> datetime | None:
    """When the document was submitted: the time of the last action, in UTC."""
    actions = entry.get("actions")
    times = [action.need("time") for action in actions.as_list()] if actions else []
    if not times:
        return None
    seconds = times[-1].as_number()
    if not 0 <= seconds < 1e11:
        raise times[-1].error("is not a number of seconds.")
    return datetime.fromtimestamp(seconds, UTC)
