"""The smallest change of a translation that carries its score over a border.

The border is the score of another translation, or a number.

A change is a set of moves that do not overlap: edits of the hack lab, pieces of the other translation in the
place of its own, a word or a clause left out. Its size is the number of characters that they insert, delete
and replace. All single moves are scored, the smallest first; then sets that are promising because the moves
in them came nearer to the border one by one. The result is the smallest set found, not surely the smallest
there is; where none crosses the border in time, it is the set that comes nearest.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from rapidfuzz.distance import Levenshtein

from core.errors import InputError
from core.hacks import EDITS, Edited, EditInput, differing, edit
from core.hacks.base import Replacement, arrow, rewritten, word_places
from core.metrics.base import Scorer
from core.scoring import score_prepared
from core.text.languages import well_formed
from core.types import TextPair

SECONDS = 20
"""After so many seconds the best change so far is the result."""

SEARCHED = 0.85
"""The share of the time that is searched; the rest is for the path under the other metrics."""

AT_ONCE = 8
"""Texts that are scored between two looks at the clock."""

MOST_MOVES = 300
"""Single moves that are tried, the smallest ones."""

MOST_STEPS = 6
"""Moves in a change."""

WIDTH = 12
"""Sets that are kept for the next round."""

SEEDS = 4
"""How often an edit is drawn, so that it is tried at several places."""

LAB = ("change-number", "flip-negation", "swap-arguments", "swap-names", "change-honorific")
"""The edits of the hack lab that are tried; the others add or repeat whole texts."""

PIECE, WORD, CLAUSE = "piece", "drop-word", "drop-clause"
KINDS = (PIECE, WORD, CLAUSE, *LAB)
"""Where a move comes from."""

_STOPS = re.compile(r"[、，；。！？]+|[,;.!?]+(?=\s|$)")
"""Marks behind a clause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipMove:
    """One change at one place. kind: one of `KINDS`. size: characters inserted, deleted and replaced."""

    kind: str
    change: Replacement
    note: str
    size: int

    def apart(self, other: FlipMove) -> bool:
        """Whether the two can be made together."""
        first, second = sorted((self.change, other.change), key=lambda one: (one.start, one.end))
        same = first.start == second.start
        return first.end <= second.start and not (same and first.end == second.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipStep:
    """A text on the way and its score under every metric, None where it has none.

    kind, note: the move that led there, empty for the text as it was. size: of all moves so far. start, end:
    what the move replaced, half-open places in the text as it was; now: where its new words stand in the
    last text.
    """

    text: str
    kind: str
    note: str
    size: int
    scores: Mapping[str, float | None]
    start: int = 0
    end: int = 0
    now: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """The way over the border, or the nearest to it.

    metric: whose border. target: the border's score. other: the scores of the other translation by metric,
    empty without one. reached: whether the last text is beyond the border. steps: the text as it was, then
    one for each move. tried: texts that were scored. seconds: how long it took; stopped: time was up.
    """

    metric: str
    target: float
    other: Mapping[str, float | None]
    reached: bool
    steps: tuple[FlipStep, ...]
    tried: int
    seconds: float
    stopped: bool

    @property
    def size(self) -> int:
        """Of the whole change."""
        return self.steps[-1].size


def moves_of(given: EditInput) -> list[FlipMove]:
    """Every single move of a text, the smallest first, at most MOST_MOVES.

    given: with parse and words where edits need them; `other` gives the pieces.
    """
    found: dict[Replacement, FlipMove] = {}
    for kind, change, note in _all_moves(given):
        old = given.text[change.start : change.end]
        size = int(Levenshtein.distance(well_formed(old), well_formed(change.new)))
        if size and change not in found:
            shown = note or arrow(old, change.new)
            found[change] = FlipMove(kind=kind, change=change, note=shown, size=size)
    return sorted(found.values(), key=lambda one: (one.size, one.change.start))[:MOST_MOVES]


def flip(
    pair: TextPair,
    given: EditInput,
    scorers: Mapping[str, Scorer[Any]],
    *,
    metric: str,
    target: float | None = None,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.monotonic,
) -> Flip:
    """Search the smallest change of a translation that carries its score under `metric` over the border.

    pair: the translation with its reference. given: the same text, with the other translation, whose score is
    the border without a target. scorers: every metric that is shown, `metric` among them, by name.
    Raises InputError without a border or a score, and where the score is the border.
    """
    search = _Search(pair, scorers[metric], clock() + SEARCHED * seconds, clock)
    began = search.until - SEARCHED * seconds
    start = search.score(pair.hypothesis)
    other = None if given.other is None else search.score(given.other)
    border = other if target is None else target
    if start is None or border is None:
        raise InputError("Without a score of both there is no border to cross; choose another metric.")
    if start == border:
        raise InputError("The score is already that of the border; choose another metric or score.")
    best = search.run(moves_of(given), border, upwards=start < border)
    shown = _path(pair, best, scorers)
    return Flip(
        metric=metric,
        target=border,
        other=_scores(pair, [given.other], scorers)[0] if given.other is not None else {},
        reached=search.beyond(shown[-1].scores[metric], border, upwards=start < border),
        steps=shown,
        tried=search.tried,
        seconds=clock() - began,
        stopped=search.stopped,
    )


def _all_moves(given: EditInput) -> Iterator[tuple[str, Replacement, str]]:
    """Kind, change and perhaps a note of each move."""
    places = word_places(given.text, given.lang)
    for start, end in places:
        yield WORD, _with_blank(given.text, start, end), ""
    for start, end in _clauses(given.text):
        yield CLAUSE, Replacement(start, end, ""), ""
    if given.other is not None:
        for change in _pieces(given.text, places, given.other, word_places(given.other, given.lang)):
            yield PIECE, change, ""
    for name in LAB:
        needs = EDITS[name].needs
        if ("parser" in needs and given.parse is None) or ("reader" in needs and given.words is None):
            continue
        for seed in range(SEEDS):
            done = edit(name, given, seed)
            if isinstance(done, Edited):
                start, end = differing(given.text, done.text)
                behind = len(done.text) - end
                yield name, Replacement(start, len(given.text) - behind, done.text[start:end]), done.note


def _with_blank(text: str, start: int, end: int) -> Replacement:
    """A word left out with the blank before it, or at the beginning behind it."""
    if start and text[start - 1] == " ":
        return Replacement(start - 1, end, "")
    if not start and text[end : end + 1] == " ":
        return Replacement(start, end + 1, "")
    return Replacement(start, end, "")


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """What stands between commas and full stops, with the marks behind it; nothing of a single clause."""
    edges = [0, *(found.end() for found in _STOPS.finditer(text) if found.end() < len(text)), len(text)]
    found = [(start, end) for start, end in pairwise(edges) if text[start:end].strip()]
    if len(found) > 1:
        yield from found


def _pieces(
    text: str, places: Sequence[tuple[int, int]], other: str, others: Sequence[tuple[int, int]]
) -> Iterator[Replacement]:
    """What the other translation has between words that both share, in the place of the own words.

    Where it has as many words there, also one word alone in the place of another.
    """
    own_words = [text[start:end] for start, end in places]
    other_words = [other[start:end] for start, end in others]
    matcher = SequenceMatcher(None, own_words, other_words, autojunk=False)
    for op, first, last, other_first, other_last in matcher.get_opcodes():
        if op == "equal":
            continue
        if op == "replace" and 1 < last - first == other_last - other_first:
            for (start, end), (from_, to) in zip(
                places[first:last], others[other_first:other_last], strict=True
            ):
                yield Replacement(start, end, other[from_:to])
        start, end = _span(places, first, last, len(text))
        other_start, other_end = _span(others, other_first, other_last, len(other))
        new = other[other_start:other_end]
        if op == "insert" and start and text[start - 1] != " " and " " in other:
            new = f" {new}"
        elif op == "insert" and new and " " in other and text[start : start + 1] not in ("", " "):
            new = f"{new} "
        yield _with_blank(text, start, end) if op == "delete" else Replacement(start, end, new)


def _span(places: Sequence[tuple[int, int]], first: int, last: int, length: int) -> tuple[int, int]:
    """From the first word to the last; an empty place before the next word, or at the end."""
    if first < last:
        return places[first][0], places[last - 1][1]
    at = places[first][0] if first < len(places) else places[-1][1] if places else length
    return at, at


_Set = tuple[FlipMove, ...]


class _TimeUpError(Exception):
    """The search has to end."""


@dataclass(slots=True)
class _Search:
    """Scores texts of one pair under one metric until the time is up; each text once."""

    pair: TextPair
    scorer: Scorer[Any]
    until: float
    clock: Callable[[], float]
    stopped: bool = False
    _known: dict[str, float | None] = field(default_factory=dict)

    @property
    def tried(self) -> int:
        """Texts that were scored."""
        return len(self._known)

    def score(self, text: str) -> float | None:
        """The score of one text, whatever the time is."""
        return self._scored([text])[0]

    def beyond(self, score: float | None, border: float, *, upwards: bool) -> bool:
        """Whether a score lies on the other side of the border."""
        return score is not None and (score > border if upwards else score < border)

    def run(self, moves: Sequence[FlipMove], border: float, *, upwards: bool) -> _Set:
        """The smallest set that crosses the border, else the nearest to it."""
        best = _Best(border=border, upwards=upwards, start=self.score(self.pair.hypothesis) or 0.0)
        try:
            self._singles(moves, best)
            self._sets(moves, best)
            self._shrink(best)
        except _TimeUpError:
            self.stopped = True
        return best.moves

    def _singles(self, moves: Sequence[FlipMove], best: _Best) -> None:
        for start in range(0, len(moves), AT_ONCE):
            part = [(one,) for one in moves[start : start + AT_ONCE]]
            if best.crossed and part[0][0].size >= best.size:
                return
            self._try(part, best)

    def _sets(self, moves: Sequence[FlipMove], best: _Best) -> None:
        """Sets of two, three … moves, the most promising of each size of set."""
        useful = sorted((one for one in moves if best.gain((one,)) > 0), key=lambda one: -best.gain((one,)))
        kept: list[_Set] = [(one,) for one in useful]
        for _ in range(1, MOST_STEPS):
            wider = dict.fromkeys(
                tuple(sorted((*known, one), key=lambda move: (move.change.start, move.change.end)))
                for known in kept[: 2 * WIDTH]
                for one in useful[: 2 * WIDTH]
                if all(one.apart(move) for move in known)
            )
            hopeful = [one for one in wider if not best.crossed or _size(one) < best.size]
            hopeful.sort(key=lambda one: (-best.promise(one), _size(one)))
            if not hopeful:
                return
            self._try(hopeful[: 2 * WIDTH], best)
            kept = sorted(hopeful[: 2 * WIDTH], key=lambda one: -best.gain(one))[:WIDTH]

    def _shrink(self, best: _Best) -> None:
        """Leave out the moves without which the border is crossed as well."""
        while best.crossed and len(best.moves) > 1:
            before = best.moves
            self._try([tuple(one for one in before if one is not left) for left in before], best)
            if best.moves == before:
                return

    def _try(self, sets: Sequence[_Set], best: _Best) -> None:
        for start in range(0, len(sets), AT_ONCE):
            if self.clock() >= self.until:
                raise _TimeUpError
            part = sets[start : start + AT_ONCE]
            scores = self._scored([_text(self.pair.hypothesis, one) for one in part])
            for own, score in zip(part, scores, strict=True):
                best.add(own, score)

    def _scored(self, texts: Sequence[str]) -> list[float | None]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        pairs = [_with_text(self.pair, text) for text in new]
        for text, (result,) in zip(new, score_prepared(pairs, [self.scorer]), strict=True):
            self._known[text] = result.score
        return [self._known[text] for text in texts]


@dataclass(slots=True)
class _Best:
    """The best set so far, and how much nearer to the border each set came that was tried."""

    border: float
    upwards: bool
    start: float
    moves: _Set = ()
    crossed: bool = False
    nearest: float = 0.0
    gains: dict[_Set, float] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Of the best set."""
        return _size(self.moves)

    def add(self, own: _Set, score: float | None) -> None:
        """A set that was scored."""
        if score is None:
            return
        gain = self.gains[own] = score - self.start if self.upwards else self.start - score
        if gain > abs(self.border - self.start):
            if not self.crossed or _size(own) < self.size:
                self.moves, self.crossed = own, True
        elif not self.crossed and gain > self.nearest:
            self.moves, self.nearest = own, gain

    def gain(self, own: _Set) -> float:
        """How much nearer a set came; 0 where it was not scored."""
        return self.gains.get(own, 0.0)

    def promise(self, own: _Set) -> float:
        """The gain to be hoped for, no more than what is needed: that of the moves one by one."""
        hoped = sum(self.gain((one,)) for one in own)
        return min(hoped, abs(self.border - self.start))


def _size(own: _Set) -> int:
    return sum(one.size for one in own)


def _text(text: str, own: Sequence[FlipMove]) -> str:
    return rewritten(text, [one.change for one in own]).text if own else text


def _with_text(pair: TextPair, text: str) -> TextPair:
    return TextPair(
        reference=pair.reference,
        hypothesis=text,
        source=pair.source,
        lang=pair.lang,
        more_references=pair.more_references,
    )


def _path(pair: TextPair, own: _Set, scorers: Mapping[str, Scorer[Any]]) -> tuple[FlipStep, ...]:
    """The text as it was and after each move, in the order of the text."""
    texts = [_text(pair.hypothesis, own[:count]) for count in range(len(own) + 1)]
    scores = _scores(pair, texts, scorers)
    steps = [FlipStep(text=pair.hypothesis, kind="", note="", size=0, scores=scores[0])]
    moved = 0
    for count, (one, text) in enumerate(zip(own, texts[1:], strict=True), 1):
        change = one.change
        now = change.start + moved
        moved += len(change.new) - (change.end - change.start)
        steps.append(
            FlipStep(
                text=text,
                kind=one.kind,
                note=one.note,
                size=_size(own[:count]),
                scores=scores[count],
                start=change.start,
                end=change.end,
                now=(now, now + len(change.new)),
            )
        )
    return tuple(steps)


def _scores(
    pair: TextPair, texts: Sequence[str], scorers: Mapping[str, Scorer[Any]]
) -> list[dict[str, float | None]]:
    rows = score_prepared([_with_text(pair, text) for text in texts], list(scorers.values()))
    return [{name: result.score for name, result in zip(scorers, results, strict=True)} for results in rows]
