"""A campaign from books: an original, a reference and translations, aligned and cut into units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from core.alignment.books import HARDLY, AlignedBooks, BookSentence, align_books, book_sentences, unit_text
from core.alignment.units import RatedUnit, UnitKind, rated_units, sample_units
from core.backends import Backends, Progress, beyond, silent
from core.errors import InputError, OptionError, Wording
from core.raters.protocols import MarkedSpan
from core.text.books.book import Book
from core.text.books.reading import read_book
from core.text.languages import UNKNOWN
from db.formats.bitext import REFERENCE
from db.formats.bundle import Bundle, Meta, OutputRow, PrefillRow, SegmentRow, SystemRow
from db.names import LABEL_LIMIT

ORIGIN = "alignment"
"""Where the marks that an alignment shows are said to be from."""
_NOTE = 300
SAME = 0.95
"""From this share of equal sentences on, two files are taken to be one text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookSet:
    """The books of a campaign. files: the file's name of each book, by its role.

    original: what was translated. reference: a translation that others are compared with. One of both is
    there. systems: further translations by their names.
    """

    original: Book | None
    reference: Book | None
    systems: Mapping[str, Book]
    files: Mapping[str, str]

    @property
    def pivot(self) -> Book:
        """The book that all others are aligned with: the reference, else the original."""
        found = self.reference or self.original
        if found is None:
            raise OptionError("Give an original or a reference.")
        return found

    def pivot_file(self) -> str:
        """The file of the pivot."""
        return self.files["reference" if self.reference else "original"]

    def by_role(self) -> dict[str, Book]:
        """All books, by the roles `original` and `reference` and by the systems' names."""
        found = {"original": self.original, "reference": self.reference, **self.systems}
        return {role: book for role, book in found.items() if book is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedSet:
    """The books with their alignments to the pivot, by the role: `original`, or a system's name."""

    books: BookSet
    pivot: tuple[BookSentence, ...]
    aligned: Mapping[str, AlignedBooks]

    def text(self, role: str, numbers: Sequence[int], *, ruby: bool = False) -> str:
        """The text of some sentences of a book; of the pivot for a role that was not aligned with it."""
        sentences = self.aligned[role].right if role in self.aligned else self.pivot
        return unit_text(sentences, numbers, ruby=ruby)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitChoice:
    """How the books are cut, and which units are taken.

    chapters: of the original, or of the reference where there is none; numbers from 0, none for all.
    per_chapter: how many units are drawn from each chapter, with at least `apart` others between two; None
    for all. ruby: keep the readings, which readers see above the words and metrics do not see. marks: raters
    mark errors (protocol `esa`) and find the omissions and additions that the alignment shows marked already.
    """

    kind: UnitKind = "paragraph"
    characters: int = 400
    chapters: tuple[int, ...] = ()
    per_chapter: int | None = None
    apart: int = 0
    seed: int = 0
    ruby: bool = False
    marks: bool = False


def kept_folder() -> Path:
    """Where encoded sentences are kept, so that a stopped run continues."""
    return platformdirs.user_cache_path("yomikurabe") / "alignment"


def read_books(original: Path | None, reference: Path | None, systems: Mapping[str, Path]) -> BookSet:
    """Read the files. Raises FileError for each that cannot be read, OptionError where some are missing."""
    if original is None and reference is None:
        raise OptionError("Give an original or a reference.")
    if not systems and (reference is None or original is None):
        raise OptionError("There is nothing to compare: give the book of a translation, too.")
    named = {"original": original, "reference": reference, **systems}
    return BookSet(
        original=None if original is None else read_book(original),
        reference=None if reference is None else read_book(reference),
        systems={name: read_book(path) for name, path in systems.items()},
        files={name: path.name for name, path in named.items() if path is not None},
    )


def align_set(
    books: BookSet,
    backends: Backends,
    *,
    kept: Path | None = None,
    progress: Progress = silent,
    force: bool = False,
) -> AlignedSet:
    """Align every book with the pivot.

    kept: as in `align_books`. force: also align books of which hardly anything matches, and the
    same text twice. Raises InputError for such books otherwise.
    """
    pivot = book_sentences(books.pivot)
    others: dict[str, Book] = {}
    if books.original is not None and books.reference is not None:
        others["original"] = books.original
    others |= books.systems
    sentences = {name: book_sentences(book) for name, book in others.items()}
    total = sum(2 * len(pivot) + len(one) for one in sentences.values())
    aligned: dict[str, AlignedBooks] = {}
    done = 0
    for name, other in sentences.items():
        aligned[name] = align_books(pivot, other, backends, kept=kept, progress=beyond(progress, done, total))
        done += 2 * len(pivot) + len(other)
        if not force:
            _check(aligned[name], books.files[name], books.pivot_file())
    return AlignedSet(books=books, pivot=pivot, aligned=aligned)


def _check(aligned: AlignedBooks, name: str, pivot: str) -> None:
    if aligned.equal >= SAME:
        raise InputError(
            "“{name}” has the same text as “{pivot}”; give another book.", name=name, pivot=pivot
        )
    if aligned.found < HARDLY:
        raise InputError(
            "Hardly anything in “{name}” matches “{pivot}” ({share:.0%} of the sentences); "
            "is it the right book?",
            name=name,
            pivot=pivot,
            share=aligned.found,
        )


def units_of(made: AlignedSet, choice: UnitChoice) -> list[RatedUnit]:
    """The units of the chosen chapters, or those drawn of them. Raises InputError if there is none."""
    alignments = [one.beads for one in made.aligned.values()]
    units = rated_units(made.pivot, alignments, kind=choice.kind, characters=choice.characters)
    units = [unit for unit in units if _chosen(made, unit, choice.chapters)]
    if choice.per_chapter is not None:
        units = sample_units(units, choice.per_chapter, apart=choice.apart, seed=choice.seed)
    if not units:
        raise InputError("There is no unit in these chapters; choose others.")
    return units


def _chosen(made: AlignedSet, unit: RatedUnit, chapters: Sequence[int]) -> bool:
    """Whether a unit belongs to the chapters: of the original where there is one."""
    if not chapters:
        return True
    if "original" not in made.aligned:
        return unit.chapter in chapters
    sentences = made.aligned["original"].right
    found = [sentences[number].chapter for number in _numbers(made, unit, "original")]
    return bool(found) and max(set(found), key=found.count) in chapters


def _numbers(made: AlignedSet, unit: RatedUnit, role: str) -> tuple[int, ...]:
    """The sentences of a unit in a book."""
    roles = list(made.aligned)
    return unit.others[roles.index(role)] if role in roles else unit.pivot


def campaign_of(made: AlignedSet, name: str, choice: UnitChoice) -> Bundle:
    """The campaign: a document for each chapter, a segment for each unit.

    Raises InputError where the chapters have no unit. Its credits say which files the texts are from, and its
    description how the units were drawn.
    """
    units = units_of(made, choice)
    documents = _documents(made.books.pivot, units)
    segments, outputs, prefills = [], [], []
    for unit in units:
        texts = {
            role: made.text(role, _numbers(made, unit, role), ruby=choice.ruby)
            for role in made.books.by_role()
        }
        row = SegmentRow(
            documents[unit.chapter],
            unit.place,
            texts.get("reference", ""),
            texts.get("original") or None,
            external_id=f"{unit.chapter + 1}.{unit.pivot[0] + 1}-{unit.pivot[-1] + 1}",
        )
        segments.append(row)
        rated = list(made.books.systems) or [REFERENCE]
        outputs += [OutputRow(row.key, system, texts.get(system, row.reference)) for system in rated]
        if choice.marks:
            found = {system: _found_marks(made, unit, system, choice.ruby) for system in made.books.systems}
            prefills += [PrefillRow(row.key, name, ORIGIN, spans) for name, spans in found.items() if spans]
    target = made.books.reference or next(iter(made.books.systems.values()))
    original = made.books.original
    return Bundle(
        name=name,
        langs=(UNKNOWN if original is None else original.lang, target.lang),
        systems=tuple(map(SystemRow, made.books.systems)) or (SystemRow(REFERENCE, is_reference=True),),
        segments=tuple(segments),
        outputs=tuple(outputs),
        prefills=tuple(prefills),
        meta=_provenance(made.books, choice),
        notes=tuple(_notes(made, units)),
    )


def _found_marks(made: AlignedSet, unit: RatedUnit, role: str, ruby: bool) -> tuple[MarkedSpan, ...]:
    """The pivot's sentences that a translation leaves out, and its own that have no partner, as errors.

    A unit without any text of the translation has no marks.
    """
    numbers = _numbers(made, unit, role)
    if not numbers:
        return ()
    beads = made.aligned[role].beads
    left_out = {number for bead in beads if not bead.right for number in bead.left}
    added = {number for bead in beads if not bead.left for number in bead.right}
    spans = [
        MarkedSpan(0, 0, "major", "accuracy/omission", missing=True, note=made.text("", [number])[:_NOTE])
        for number in unit.pivot
        if number in left_out
    ]
    text, at = made.text(role, numbers, ruby=ruby), 0
    for number in numbers:
        sentence = made.text(role, [number], ruby=ruby)
        start = text.index(sentence, at)
        at = start + len(sentence)
        if number in added:
            spans.append(MarkedSpan(start, at, "major", "accuracy/addition"))
    return tuple(spans)


def _documents(book: Book, units: Sequence[RatedUnit]) -> dict[int, str]:
    """A name for each chapter: its title, with its number where there is none or others have it, too."""
    titles = [chapter.title for chapter in book.chapters]
    found = {}
    for number in dict.fromkeys(unit.chapter for unit in units):
        title = titles[number][: LABEL_LIMIT - 10]
        own = title and titles.count(titles[number]) == 1
        found[number] = title if own else f"{number + 1:03d} {title}".strip()
    return found


def _provenance(books: BookSet, choice: UnitChoice) -> Meta:
    """Where the texts are from, and how they were cut, in both languages."""
    said_en, said_ja = [], []
    for name, book in books.by_role().items():
        by_en, by_ja = (f", {book.author}", f"（{book.author}）") if book.author else ("", "")
        said_en.append(f"{name}: “{book.title}”{by_en} ({books.files[name]})")
        role = {"original": "原文", "reference": "参照訳"}.get(name, name)
        said_ja.append(f"{role}：『{book.title}』{by_ja}、ファイル「{books.files[name]}」")
    drawn_en = drawn_ja = ""
    if choice.per_chapter is not None:
        n, apart, seed = choice.per_chapter, choice.apart, choice.seed
        drawn_en = f" At most {n} units of each chapter were drawn, at least {apart} apart, with seed {seed}."
        drawn_ja = f"各章から最大 {n} 単位を、{apart} 単位以上の間隔で抽出しました（シード {seed}）。"
    kind_ja = {"sentence": "文", "paragraph": "段落", "passage": "文章のまとまり"}[choice.kind]
    return Meta(
        credits_en="Texts: " + "; ".join(said_en) + ".",
        credits_ja="本文：" + "、".join(said_ja) + "。",
        description_en=f"Made from books; a unit is a {choice.kind}.{drawn_en}",
        description_ja=f"書籍から作成しました。評価の単位は{kind_ja}です。{drawn_ja}",
        seed=None if choice.per_chapter is None else choice.seed,
        protocol="esa" if choice.marks else "adequacy",
    )


def _notes(made: AlignedSet, units: Sequence[RatedUnit]) -> list[Wording]:
    """What was left out or added, and how sure the units are."""
    notes = [note for book in (made.books.original, made.books.reference) if book for note in book.notes]
    for place, role in enumerate(made.aligned):
        empty = sum(not unit.others[place] for unit in units)
        added = sum(unit.added[place] for unit in units)
        if empty:
            notes.append(Wording("{n} units have no text in “{name}”.", n=empty, name=made.books.files[role]))
        if added:
            notes.append(
                Wording(
                    "{n} sentences of “{name}” have no partner; they stand with the sentence before them.",
                    n=added,
                    name=made.books.files[role],
                )
            )
    doubtful = sum(unit.confidence < 0.5 for unit in units)
    if doubtful:
        notes.append(
            Wording("{n} of {total} units are doubtful (confidence below 0.5).", n=doubtful, total=len(units))
        )
    return notes
