"""What the numbers were made with: versions, seeds, and a fingerprint of every rating that holds."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version

import core
from core.raters.resampling import RESAMPLES
from core.report.blocks import Block, Section, Sentences, Table
from core.report.content import Report
from core.report.findings import SEED
from core.report.printed import DASH
from core.text.locale import Speaker

LIBRARIES = ("numpy", "scipy", "statsmodels", "pingouin", "krippendorff", "plotly")
"""Krippendorff's package is what our alpha is compared to, and not always installed."""


def fingerprint(given: Report) -> str:
    """SHA-256, in hexadecimal, of every rating that holds, check items too, without who gave it.

    A line for each: [document, position from 0, system, kind, score] as JSON without spaces, the score as
    Python writes a float; lines sorted, joined by line feeds, UTF-8.
    """
    lines = sorted(
        json.dumps(
            [row.document, given.places[row.item].position, row.system, row.kind, float(row.score)],
            ensure_ascii=False,
            separators=(",", ":"),
        )
        for row in given.rows
        if isinstance(row.item, int)
    )
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def versions() -> Mapping[str, str]:
    """The program, Python, and the libraries that are here."""
    found = {"Yomikurabe": core.__version__, "Python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def signatures(given: Report, say: Speaker) -> Section:
    """A table of what can be checked."""
    t = say.t
    rows = [*versions().items(), *_seeds(given, say)]
    rows.append((t("report.signature.ratings", hash="SHA-256"), fingerprint(given)))
    rows += _seal(given, say)
    header = (t("report.fact.what"), t("report.fact.value"))
    table = Table(name="signatures", caption="", header=header, rows=rows, latex=False)
    blocks: list[Block] = [
        table,
        Sentences(text=t("report.signature.what", hash="SHA-256", code="UTF-8", form="JSON"), tone="quiet"),
    ]
    return Section(title=t("report.signatures"), blocks=blocks)


def _seeds(given: Report, say: Speaker) -> Iterator[tuple[str, str]]:
    yield say.t("report.signature.bootstrap", resamples=f"{RESAMPLES:,}"), str(SEED)
    yield say.t("report.fact.seed"), str(given.facts.seed)


def _seal(given: Report, say: Speaker) -> Iterator[tuple[str, str]]:
    seal = given.seal
    if seal is None:
        return
    yield say.t("report.signature.seal"), seal.commitment
    if seal.names is None:
        yield say.t("report.signature.names"), say.t("report.signature.sealed")
        return
    names = ", ".join(
        f"{shown} = {name}" for name, shown in sorted(seal.names.items(), key=lambda one: one[1])
    )
    yield say.t("report.signature.names"), names
    yield say.t("report.signature.nonce"), seal.nonce or DASH
