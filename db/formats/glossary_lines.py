"""The lines of a history that say how the glossary of a campaign came about: one a change of an entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from core.errors import InputError
from core.novel.glossary import GlossaryTerm, check_terms
from db.formats.bundle import Bundle, GlossaryRow
from db.formats.cells import read_instant, read_rater
from db.formats.json_node import Node


class GlossaryLines:
    """The lines so far, in order; one that is there already counts once."""

    def __init__(self) -> None:
        self.changes: dict[GlossaryRow, None] = {}

    def adders(self) -> dict[str, Callable[[Node], None]]:
        """What takes a line of this kind."""
        return {"glossary": self._add}

    def _add(self, node: Node) -> None:
        forms = node.get("forms")
        given = GlossaryTerm(
            term=node.text("term"),
            forms=tuple(one.as_text() for one in forms.as_list()) if forms is not None else (),
            source=node.text("source", ""),
            note=node.text("note", ""),
        )
        try:
            (term,) = check_terms([given]) or [None]
        except InputError as error:
            raise node.error(error.template, part=True, **error.details) from error
        if term is None:
            raise node.need("term").error("is empty.")
        removed, person = node.get("removed"), node.text("rater", "")
        if removed is not None and not isinstance(removed.value, bool):
            raise removed.error("is neither true nor false.")
        row = GlossaryRow(
            term,
            removed is not None and bool(removed.value),
            read_rater(person, node) if person else "",
            read_instant(node.text("changed_at", ""), node),
        )
        self.changes[row] = None


def glossary_rows(bundle: Bundle) -> Iterator[tuple[str, dict[str, Any]]]:
    """The lines of a campaign. What has its usual value is left out."""
    for row in bundle.glossary:
        told = {
            "forms": list(row.term.forms),
            "source": row.term.source,
            "note": row.term.note,
            "removed": row.removed,
            "rater": row.rater,
            "changed_at": row.changed_at.isoformat() if row.changed_at else "",
        }
        yield "glossary", {"term": row.term.term, **{name: value for name, value in told.items() if value}}
