"""A glossary: terms of a novel that are added by hand, such as ranks and invented words, and its files.

TSV: a header with `term`, and perhaps `forms` (separated by |), `source` and `note`. TBX: ISO 30042, in the
edition of 2008 (`termEntry`, `langSet`) or of 2019 (`conceptEntry`, `langSec`), written as the latter.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET  # nosec B405  # its types; defusedxml parses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr  # nosec B406  # writes only

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from core.errors import FileError, InputError
from core.text.files import decode, split_lines
from core.text.languages import base_lang

COLUMNS = ("term", "forms", "source", "note")
MOST_TERMS = 2_000
LONGEST = 200
"""Characters of a term, a form or a source term; a note may have ten times as many."""

_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_ENTRIES, _LANGS = ("termEntry", "conceptEntry"), ("langSet", "langSec")


@dataclass(frozen=True, slots=True, kw_only=True)
class GlossaryTerm:
    """A term in the language of the translations.

    forms: other forms that are the same term. source: the term in the original, empty if it is not known.
    """

    term: str
    forms: tuple[str, ...] = ()
    source: str = ""
    note: str = ""

    @property
    def every_form(self) -> tuple[str, ...]:
        """The term and its other forms."""
        return (self.term, *self.forms)


def check_terms(terms: Iterable[GlossaryTerm]) -> tuple[GlossaryTerm, ...]:
    """The terms without blanks at their ends and without empty ones; one that comes twice is joined.

    Raises InputError for too many, and for a term or a note that is too long.
    """
    joined: dict[str, GlossaryTerm] = {}
    for one in terms:
        term = _plain(one.term)
        if not term:
            continue
        old = joined.get(term, GlossaryTerm(term=term))
        forms = dict.fromkeys([*old.forms, *filter(None, map(_plain, one.forms))])
        forms.pop(term, None)
        joined[term] = GlossaryTerm(
            term=term,
            forms=tuple(forms),
            source=old.source or _plain(one.source),
            note=old.note or _plain(one.note),
        )
    if len(joined) > MOST_TERMS:
        raise InputError(
            "A glossary has at most {limit} terms; there are {n}.", limit=MOST_TERMS, n=len(joined)
        )
    for one in joined.values():
        longest = max(map(len, (*one.every_form, one.source)))
        if longest > LONGEST or len(one.note) > 10 * LONGEST:
            raise InputError("The term “{term:.40}” or its note is too long.", term=one.term)
    return tuple(joined.values())


def _plain(text: str) -> str:
    return " ".join(text.split())


def read_glossary(data: bytes, path: Path, lang: str) -> tuple[GlossaryTerm, ...]:
    """The terms of a TSV or TBX file. path: its name in errors. lang: of the translations.

    Raises FileError for a file of another form, and for one without a term in this language.
    """
    text = decode(data, path=path)
    found = _read_tbx(text, path, lang) if text.lstrip().startswith("<") else _read_tsv(text, path)
    terms = check_terms(found)
    if not terms:
        raise FileError(path, "has no term in the language {lang}.", lang=lang)
    return terms


def _read_tsv(text: str, path: Path) -> Iterator[GlossaryTerm]:
    head, *lines = split_lines(text) or [""]
    columns = [name.strip().lower() for name in head.lstrip("\ufeff").split("\t")]
    if "term" not in columns:
        raise FileError(path, "has no column “term”; its columns are term, forms, source and note.", line=1)
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) > len(columns):
            raise FileError(
                path,
                "has {n} cells and the header {expected}.",
                line=number,
                n=len(cells),
                expected=len(columns),
            )
        row = dict(zip(columns, cells, strict=False))
        yield GlossaryTerm(
            term=row.get("term", ""),
            forms=tuple(row.get("forms", "").split("|")),
            source=row.get("source", ""),
            note=row.get("note", ""),
        )


def _read_tbx(text: str, path: Path, lang: str) -> Iterator[GlossaryTerm]:
    try:
        root: ET.Element = fromstring(text.lstrip().encode("utf-8", "replace"))
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise FileError(path, "is not TBX ({reason}).", reason=str(error).split(":")[0]) from error
    entries = [one for one in root.iter() if _name(one) in _ENTRIES]
    if not entries:
        raise FileError(path, "has no entries of TBX (termEntry or conceptEntry).")
    for entry in entries:
        own: list[str] = []
        source = ""
        for section in (one for one in entry.iter() if _name(one) in _LANGS):
            terms = [_text(one) for one in section.iter() if _name(one) == "term"]
            if base_lang(section.get(_LANG, "").lower()) == base_lang(lang):
                own += terms
            elif terms and not source:
                source = terms[0]
        notes = [_text(one) for one in entry.iter() if _name(one) == "note"]
        if own:
            yield GlossaryTerm(
                term=own[0], forms=tuple(own[1:]), source=source, note=notes[0] if notes else ""
            )


def _name(element: ET.Element) -> str:
    """The name without its namespace; comments have none."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _text(element: ET.Element) -> str:
    return "".join(element.itertext())


def write_tsv(terms: Sequence[GlossaryTerm]) -> str:
    """The terms as a TSV file."""
    rows = [COLUMNS, *((one.term, "|".join(one.forms), one.source, one.note) for one in terms)]
    return "".join("\t".join(row) + "\n" for row in rows)


def write_tbx(terms: Sequence[GlossaryTerm], *, source_lang: str, lang: str) -> str:
    """The terms as a TBX-Basic file of the edition of 2019."""
    entries = []
    for number, one in enumerate(terms, 1):
        note = f"<note>{escape(one.note)}</note>" if one.note else ""
        sections = _section(lang, one.every_form)
        if one.source:
            sections = _section(source_lang, [one.source]) + sections
        entries.append(f'<conceptEntry id="c{number}">{note}{sections}</conceptEntry>\n')
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<tbx type="TBX-Basic" style="dca" xml:lang={quoteattr(lang)} xmlns="urn:iso:std:iso:30042:ed-2">\n'
        "<tbxHeader><fileDesc><sourceDesc><p>Yomikurabe</p></sourceDesc></fileDesc></tbxHeader>\n"
        f"<text><body>\n{''.join(entries)}</body></text>\n</tbx>\n"
    )


def _section(lang: str, terms: Sequence[str]) -> str:
    told = "".join(f"<termSec><term>{escape(term)}</term></termSec>" for term in terms)
    return f"<langSec xml:lang={quoteattr(lang)}>{told}</langSec>"
