"""Edits of a translation: check items that show who reads, and ways to fool a metric.

An edit is a pure function of a text, what it may look at, and a seed. It gives the new text with what was
done and where, or says why it cannot be made; it never gives the same text back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from core.errors import OptionError
from core.hacks.base import Edit, Edited, EditInput, Skipped
from core.hacks.table import EDITS
from core.text.languages import well_formed

__all__ = [
    "EDITS",
    "LONGEST",
    "Edit",
    "EditInput",
    "Edited",
    "Skipped",
    "differing",
    "edit",
    "find_edit",
    "stack",
]

LONGEST = 200_000
"""Characters that an edit reads at most."""


def find_edit(name: str) -> Edit:
    """The edit of that name. Raises OptionError, which lists the names."""
    if name not in EDITS:
        raise OptionError("There is no edit {name}; choose among {edits}.", name=name, edits=", ".join(EDITS))
    return EDITS[name]


def edit(name: str, given: EditInput, seed: int = 0) -> Edited | Skipped:
    """One edit of one text; the same text and seed give the same. Raises OptionError for an unknown name."""
    chosen = find_edit(name)
    if not given.text.strip():
        return Skipped("empty")
    if len(given.text) > LONGEST:
        return Skipped("too-long")
    done = chosen.apply(given, Random(f"{name} {seed} {well_formed(given.text)}"))  # nosec B311  # a seed
    return Skipped("unchanged") if isinstance(done, Edited) and done.text == given.text else done


def stack(
    names: Sequence[str],
    given: EditInput,
    seed: int = 0,
    *,
    read: Callable[[EditInput], EditInput] | None = None,
) -> Edited | Skipped:
    """Several edits, one on the other; the reason of the first that cannot be made ends it.

    read: fills in parse and words of a text that an edit has changed; without it they are gone, and an edit
    that needs them must come first. The place is from the first to the last character that differs.
    """
    now, notes = given, []
    for name in names:
        done = edit(name, now, seed)
        if isinstance(done, Skipped):
            return done
        notes.append(done.note)
        now = replace(now, text=done.text, parse=None, words=None)
        if read is not None:
            now = read(now)
    if now.text == given.text:
        return Skipped("unchanged")
    start, end = differing(given.text, now.text)
    return Edited(now.text, "; ".join(notes), start, end)


def differing(old: str, new: str) -> tuple[int, int]:
    """Half-open place in the new text of what is not the same at its beginning or end."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    back = next((at for at in range(most - start) if old[-1 - at] != new[-1 - at]), most - start)
    return start, len(new) - back
