"""The file formats, one module each. To add one, write its module and enter it here."""

from __future__ import annotations

from core.errors import OptionError
from db.formats import appraise, bitext, history, lines, long, mqm, mtme, pearmut, scores, tables, wmt, xlsx
from db.formats.bundle import Format
from db.formats.capabilities import (
    CHECKS,
    COMMENTS,
    DECLARED,
    DOMAINS,
    EDITS,
    HISTORY,
    IDS,
    MARKS,
    RATERS,
    REFERENCES,
    ROLES,
    SCALES,
    SCORES,
    SECONDS,
    SKIPS,
    SOURCES,
    SPANS,
    TEXTS,
    TIMES,
    WORDS,
)
from db.formats.scores import with_ratings

_RATINGS = frozenset({"ratings_file"})
_SYSTEMS = frozenset({"ratings_file", "hypotheses"})
_LONG = frozenset(
    {TEXTS, SOURCES, REFERENCES, ROLES, DOMAINS, IDS, SCORES, RATERS, COMMENTS, MARKS, SECONDS, TIMES, SCALES}
)
_SCORES = frozenset({SCORES, SPANS, RATERS, MARKS, SECONDS, TIMES, HISTORY, *CHECKS.values()})

FORMATS: dict[str, Format] = {
    "tables": Format(
        about="a folder with segments.tsv, outputs.tsv and perhaps ratings.tsv, campaign.json",
        read=with_ratings(tables.read),
        companions=_RATINGS,
        folder=True,
    ),
    "history": Format(
        about="a whole campaign with everything that was said, as JSON lines: nothing is left out",
        read=with_ratings(history.read),
        write=history.write,
        companions=_RATINGS,
        suffix=".history.jsonl",
        holds=WORDS,
    ),
    "tsv": Format(
        about="one row per judged translation, tab-separated, no quoting",
        read=with_ratings(long.read_tsv),
        write=long.write_tsv,
        companions=_RATINGS,
        suffix=".tsv",
        holds=_LONG,
    ),
    "csv": Format(
        about="one row per judged translation, quoted as in RFC 4180",
        read=with_ratings(long.read_csv),
        write=long.write_csv,
        companions=_RATINGS,
        suffix=".csv",
        holds=_LONG,
    ),
    "jsonl": Format(
        about="one JSON object per judged translation",
        read=with_ratings(long.read_jsonl),
        write=long.write_jsonl,
        companions=_RATINGS,
        suffix=".jsonl",
        holds=_LONG,
    ),
    "xlsx": Format(
        about="a workbook: sheets of segments, outputs and ratings, or one of rows as in csv",
        read=with_ratings(xlsx.read),
        write_files=xlsx.write_files,
        companions=_RATINGS,
        suffix=".xlsx",
        holds=_LONG | {SPANS, SKIPS, HISTORY, EDITS, DECLARED, *CHECKS.values()},
    ),
    "lines": Format(
        about="a reference file and one file per system, one segment a line",
        read=with_ratings(lines.read),
        companions=_SYSTEMS | {"source_file"},
    ),
    "wmt-jsonl": Format(
        about="a WMT test set from 2025 on, a document a line, with the systems' files, or a folder of both",
        read=with_ratings(wmt.read_test_set_jsonl),
        companions=_SYSTEMS,
        folder=True,
    ),
    "wmt-xml": Format(
        about="a WMT test set in XML, with its systems",
        read=with_ratings(wmt.read_test_set_xml),
        companions=_RATINGS,
    ),
    "wmt-csv": Format(
        about="scores of WMT campaigns, without texts: read by --ratings beside a file with the texts",
        read=scores.read,
        write=scores.write,
        suffix=".wmt.csv",
        holds=_SCORES,
        remarks=scores.remarks,
    ),
    "appraise": Format(
        about="batches.json of Appraise: what is rated, not the ratings",
        read=with_ratings(appraise.read),
        companions=_RATINGS,
    ),
    "appraise-csv": Format(
        about="scores as Appraise exports them, without texts: read by --ratings, as wmt-csv",
        read=scores.read,
        write=scores.write,
        suffix=".appraise.csv",
        holds=_SCORES,
        remarks=scores.remarks,
    ),
    "pearmut": Format(
        about="a campaign of Pearmut, with its annotations in a folder or a second file",
        read=with_ratings(pearmut.read, own=True),
        write_files=pearmut.write_files,
        companions=_RATINGS,
        folder=True,
        holds=frozenset(
            {TEXTS, SOURCES, REFERENCES, SCORES, SPANS, RATERS, COMMENTS, TIMES, HISTORY}
            | {word for kind, word in CHECKS.items() if kind != "reference"}
        ),
        remarks=pearmut.remarks,
    ),
    "mtme": Format(
        about="a folder of mt-metrics-eval: one language pair of it",
        read=with_ratings(mtme.read),
        write_files=mtme.write_files,
        companions=_RATINGS,
        folder=True,
        holds=frozenset({TEXTS, SOURCES, REFERENCES, ROLES, DOMAINS, SCORES, RATERS}),
        remarks=mtme.remarks,
    ),
    "mqm-tsv": Format(
        about="errors as Google publishes them and Marot shows them, a row for each",
        read=with_ratings(mqm.read),
        write=mqm.write,
        companions=_RATINGS,
        suffix=".mqm.tsv",
        holds=frozenset({TEXTS, SOURCES, REFERENCES, ROLES, IDS, SPANS, RATERS, COMMENTS, TIMES}),
        remarks=mqm.remarks,
    ),
    "xliff": Format(
        about="XLIFF 1.2 or 2; its translation is the reference, and the system refA",
        read=with_ratings(bitext.read_xliff),
        companions=_SYSTEMS,
    ),
    "tmx": Format(
        about="a translation memory; its translation is the reference, and the system refA",
        read=with_ratings(bitext.read_tmx),
        companions=_SYSTEMS,
    ),
}


def get_format(name: str) -> Format:
    """The format of this name. Raises OptionError, which lists the names there are."""
    if name not in FORMATS:
        raise OptionError(
            "There is no format “{name}”; choose one of {formats}.", name=name, formats=", ".join(FORMATS)
        )
    return FORMATS[name]


def holds_texts(name: str) -> bool:
    """Whether a campaign can be made from this format alone; one of ratings only needs texts beside it."""
    wanted = get_format(name)
    return TEXTS in wanted.holds or not wanted.writes
