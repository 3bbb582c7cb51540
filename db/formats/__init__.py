"""The file formats, one module each. To add one, write its module and enter it here."""

from __future__ import annotations

from core.errors import OptionError
from db.formats import (
    appraise,
    lines,
    long_csv,
    long_jsonl,
    long_tsv,
    mtme,
    pearmut,
    tables,
    tmx,
    wmt_jsonl,
    wmt_xml,
    xliff,
)
from db.formats.bundle import Format

FORMATS: dict[str, Format] = {
    "tables": Format(
        "a folder with segments.tsv, outputs.tsv and perhaps ratings.tsv, campaign.json",
        tables.read,
        folder=True,
    ),
    "tsv": Format("one row per judged translation, tab-separated, no quoting", long_tsv.read, long_tsv.write),
    "csv": Format("one row per judged translation, quoted as in RFC 4180", long_csv.read, long_csv.write),
    "jsonl": Format("one JSON object per judged translation", long_jsonl.read, long_jsonl.write),
    "lines": Format(
        "a reference file and one file per system, one segment a line",
        lines.read,
        companions=frozenset({"hypotheses", "source_file"}),
    ),
    "wmt-jsonl": Format(
        "a WMT test set from 2025 on, one document a line, with the systems' files, or a folder of both",
        wmt_jsonl.read,
        companions=frozenset({"hypotheses"}),
        folder=True,
    ),
    "wmt-xml": Format("a WMT test set in XML, with its systems", wmt_xml.read),
    "appraise": Format("batches.json of Appraise: what is rated, not the ratings", appraise.read),
    "pearmut": Format(
        "a campaign of Pearmut, with its annotations in a folder or a second file",
        pearmut.read,
        companions=frozenset({"ratings_file"}),
        folder=True,
    ),
    "mtme": Format("a folder of mt-metrics-eval: one language pair of it", mtme.read, folder=True),
    "xliff": Format(
        "XLIFF 1.2 or 2; its translation is the reference, and the system refA",
        xliff.read,
        companions=frozenset({"hypotheses"}),
    ),
    "tmx": Format(
        "a translation memory; its translation is the reference, and the system refA",
        tmx.read,
        companions=frozenset({"hypotheses"}),
    ),
}


def get_format(name: str) -> Format:
    """The format of this name. Raises OptionError, which lists the names there are."""
    if name not in FORMATS:
        raise OptionError(f"There is no format “{name}”; choose one of {', '.join(FORMATS)}.")
    return FORMATS[name]
