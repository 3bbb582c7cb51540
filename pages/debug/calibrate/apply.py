"""A saved model on another campaign: its file, the scores of that campaign, and the systems' means."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import streamlit as st

from core.calibration.files import Saved, apply, parse
from core.text.files import decode
from core.types import Result
from db.campaigns.calibration import Offer, chosen_signatures, lengths
from db.campaigns.score_files import COLUMNS
from db.records import TranslationRecord
from pages.debug.calibrate.result import able, feature_name, offer, problems_shown
from pages.ui import picker
from pages.ui.scoring import score_here
from pages.ui.text import NONE, column, line, number, t, table
from pages.ui.widgets import csv_bytes, download


def tab() -> None:
    """The file, the campaign, and the scores."""
    with column():
        line(t("calibrate.apply_what"))
        file = st.file_uploader(t("calibrate.model_file"), key="calibrate-model-file")
        campaign = picker.choose_campaign("calibrate-apply")
    if file is None or campaign is None:
        line(t("calibrate.apply_none"), tone="quiet")
        return
    with problems_shown():
        saved = parse(decode(file.getvalue(), path=file.name), file.name)
        _about(saved)
        given = offer(campaign)
        signatures = _signatures(saved, given)
        lacking = [name for name in saved.signatures if name not in signatures]
        possible = [name for name in lacking if name in able(campaign)]
        if possible:
            line(t("calibrate.apply_lacks", metrics=" · ".join(map(feature_name, possible))))
            if st.button(t("calibrate.score"), key=f"calibrate-apply-score-{campaign.id}"):
                score_here(campaign, possible)
                st.rerun()
            return
        rows = given.results(given.translations, signatures)
        scored = [index for index, results in enumerate(rows) if results]
        texts = [given.translations[index] for index in scored]
        _shown(texts, apply(saved, [rows[index] for index in scored], lengths(texts)), campaign.id)


def _signatures(saved: Saved, given: Offer) -> dict[str, str]:
    """The model's own signatures where such scores are stored, else those that are: they will be refused."""
    stored = chosen_signatures(given, list(saved.signatures))
    return {
        metric: saved.signatures[metric] if saved.signatures[metric] in given.scores[metric] else signature
        for metric, signature in stored.items()
    }


def _about(saved: Saved) -> None:
    facts = saved.facts
    r = facts.get("r")
    known = {name: facts.get(name) for name in ("translations", "documents", "raters")}
    counts = {name: f"{value:g}" if isinstance(value, float) else NONE for name, value in known.items()}
    names = " · ".join(map(feature_name, saved.signatures))
    scale = t(f"calibrate.scale.{saved.scale}")
    shown_r = number(r if isinstance(r, float) else None, 3)
    line(t("calibrate.about", metrics=names, scale=scale, r=shown_r, **counts))


def _shown(texts: Sequence[TranslationRecord], results: Sequence[Result[Any]], campaign_id: int) -> None:
    by_system: dict[str, list[float]] = {}
    for one, result in zip(texts, results, strict=True):
        if result.score is not None:
            by_system.setdefault(one.system, []).append(result.score)
    ranked = sorted(by_system.items(), key=lambda row: -fmean(row[1]))
    header = [t("agreement.column.system"), t("calibrate.mean"), t("agreement.column.n")]
    rows = [[name, number(fmean(scores), 3), str(len(scores))] for name, scores in ranked]
    table(header, rows, numbers=frozenset({1, 2}))
    line(t("calibrate.apply_warning"), tone="quiet")
    name = f"yomikurabe-{campaign_id}-calibrated.csv"
    download(t("agreement.download"), scores_csv(texts, results), name)


def scores_csv(texts: Sequence[TranslationRecord], results: Sequence[Result[Any]]) -> bytes:
    """The scores as a table that `python -m db take-scores` reads."""
    rows = [
        [one.document, one.position, one.system, result.score, result.signature]
        for one, result in zip(texts, results, strict=True)
    ]
    return csv_bytes((*COLUMNS, "signature"), rows)
