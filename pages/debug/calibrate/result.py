"""The result of a fit: r beside each metric's, the verdict, importance, learning curve, what to rate next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from core.calibration.calibrate import Advice, Calibration
from core.calibration.files import dump
from core.calibration.validation import TARGET_GAIN, Validation
from core.charts import calibration as charts
from core.errors import CalibrationError, YomikurabeError
from core.metrics import METRICS
from core.text.languages import base_lang
from db.campaigns.calibration import Offer, gather
from db.records import CampaignSummary, TranslationRecord
from pages.ui import state
from pages.ui.campaign_data import until_rated
from pages.ui.text import column, interval, line, metric_name, number, show_error, t, table
from pages.ui.widgets import chart, download, download_csv, metrics, signatures

OURS = "calibrated"
_SHORT = 60  # code points of a translation in the list


def offer(campaign: CampaignSummary) -> Offer:
    """The campaign's ratings and scores. AccessError for a visitor who may not see scores."""
    return until_rated(campaign, "calibration", gather)


def able(campaign: CampaignSummary) -> list[str]:
    """Metrics to learn from; without those that need a parser where the texts are not Japanese or English."""
    parsed = base_lang(campaign.target_lang) in ("ja", "en")
    return [name for name in metrics(offered=True) if parsed or "parser" not in METRICS[name].needs]


def feature_name(name: str) -> str:
    """A metric's name in the reader's language; `text` are the texts' own features."""
    return t("calibrate.text_features") if name == "text" else metric_name(name)


@contextmanager
def problems_shown() -> Iterator[None]:
    """Show an error of the block as one sentence: what is wrong, and what to do."""
    try:
        yield
    except CalibrationError as error:
        if "metric" in error.details:
            error.details["metric"] = feature_name(str(error.details["metric"]))
        show_error(error)
    except YomikurabeError as error:
        show_error(error)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Shown:
    """A fit with the translations behind its rows: rated ones, and the unrated ones that advice is about."""

    campaign: int
    found: Calibration
    rated: Sequence[TranslationRecord]
    unrated: Sequence[TranslationRecord]
    advice: Sequence[Advice]


def show(shown: Shown) -> None:
    """Everything, one thing under the other."""
    found = shown.found
    st.subheader(t("calibrate.agrees"), anchor=False)
    with column():
        _verdict(found)
    _standings(found.validation)
    st.subheader(t("calibrate.lives_on"), anchor=False)
    with column():
        line(t("calibrate.lives_on_what"), tone="quiet")
    figure = charts.falls(
        found.importances,
        axis=t("calibrate.falls_axis"),
        names={importance.group: feature_name(importance.group) for importance in found.importances},
        palette=state.palette(),
    )
    chart(figure, "calibrate-falls", t("calibrate.falls_alt"))
    _curve(found)
    _next(shown)
    _take(shown)


def _verdict(fitted: Calibration) -> None:
    checked, data = fitted.validation, fitted.data
    one, gain = checked.calibrated, checked.gain
    if one.value is None:
        line(t("calibrate.no_r"))
        return
    words = t(
        "calibrate.r",
        r=number(one.value, 3),
        ends=_ends(one.low, one.high),
        folds=len(checked.folds),
        n=one.n,
        documents=data.documents,
    )
    line(words, tone="title")
    if checked.best is None or gain.value is None:
        line(t("calibrate.no_best"))
        return
    line(
        t(
            "calibrate.best",
            metric=feature_name(checked.best),
            gain=number(gain.value, 3, signed=True),
            ends=_ends(gain.low, gain.high, signed=True),
        )
    )
    line(t(f"calibrate.verdict.{checked.verdict}", target=f"{TARGET_GAIN:g}"))
    if gain.low is None:
        line(t("calibrate.no_interval"))
    if fitted.reasons:
        line(t("calibrate.why"))
        for reason in fitted.reasons:
            line("· " + t(f"calibrate.why.{reason.why}", **_numbers_of(reason.numbers)), tone="quiet")
    line(t("calibrate.favoured"), tone="quiet")
    _inside(checked)
    if data.gaps:
        line(t("calibrate.gaps", n=data.gaps), tone="quiet")
    for name in data.features.empty:
        line(t("calibrate.empty", metric=feature_name(name)), tone="quiet")


def _inside(checked: Validation) -> None:
    """The same inside documents, where telling documents apart is worth nothing."""
    one = checked.inside
    if one is None or one.calibrated.value is None or one.best.value is None or one.gain.value is None:
        return
    line(
        t(
            "calibrate.inside",
            metric=feature_name(str(checked.best)),
            ours=number(one.calibrated.value, 3),
            best=number(one.best.value, 3),
            gain=number(one.gain.value, 3, signed=True),
            ends=_ends(one.gain.low, one.gain.high, signed=True),
        )
    )
    if one.gain.value <= 0 < (checked.gain.value or 0.0):
        line(t("calibrate.apart"))


def _numbers_of(numbers: Mapping[str, float]) -> dict[str, str]:
    """Counts as they are, r and differences with three decimals."""
    return {
        name: f"{value:g}" if float(value).is_integer() else number(value, 3)
        for name, value in numbers.items()
    }


def _standings(checked: Validation) -> None:
    rows = {OURS: checked.calibrated, **checked.metrics}
    words = charts.StandingWords(
        axis=t("calibrate.r_axis"),
        hover=t("calibrate.r_hover", r="{r}", low="{low}", high="{high}", n="{n}"),
        names={OURS: t("calibrate.ours"), **{name: feature_name(name) for name in checked.metrics}},
    )
    figure = charts.standings(rows, first=OURS, best=checked.best, words=words, palette=state.palette())
    chart(figure, "calibrate-standings", t("calibrate.standings_alt"))
    for name, one in checked.metrics.items():
        if one.value is None:
            line(t("calibrate.still", metric=feature_name(name)), tone="quiet")
    parts = [
        f"{t(f'calibrate.family.{family}')} {number(one.value, 3)}"
        for family, one in checked.families.items()
        if one.value is not None
    ]
    line(t("calibrate.families", parts=" · ".join(parts)), tone="quiet")


def _curve(fitted: Calibration) -> None:
    curve, one = fitted.curve, fitted.curve.ahead
    st.subheader(t("calibrate.grows"), anchor=False)
    with column():
        if one is None:
            line(t("calibrate.no_curve"))
        else:
            line(
                t(
                    "calibrate.ahead",
                    more=curve.more,
                    r=number(one.r, 3),
                    gain=number(one.gain, 3, signed=True),
                    ends=_ends(one.low, one.high, signed=True),
                )
            )
            if one.flat:
                line(t("calibrate.flat"))
        line(t("calibrate.curve_what"), tone="quiet")
    if curve.points:
        words = charts.CurveWords(
            x=t("calibrate.curve_x"),
            y=t("calibrate.r_axis"),
            hover=t("calibrate.curve_hover", n="{n}", r="{r}", low="{low}", high="{high}"),
            ahead=t("calibrate.curve_ahead", more=curve.more),
        )
        figure = charts.curve(curve, words=words, palette=state.palette())
        chart(figure, "calibrate-curve", t("calibrate.curve_alt"))


def _next(shown: Shown) -> None:
    st.subheader(t("calibrate.next"), anchor=False)
    if not shown.advice:
        line(t("calibrate.next_none"))
        return
    with column():
        line(t("calibrate.next_what"), tone="quiet")
    header = [
        *(t(f"agreement.column.{name}") for name in ("document", "position", "system")),
        *(t(f"calibrate.{name}") for name in ("translation", "predicted", "why_this")),
    ]
    rows = [
        [
            text.document,
            str(text.position + 1),
            text.system,
            text.text if len(text.text) <= _SHORT else text.text[: _SHORT - 1] + "…",
            number(one.predicted, 2),
            t(f"calibrate.reason.{one.reason}"),
        ]
        for one in shown.advice
        for text in (shown.unrated[one.row],)
    ]
    table(header, rows, numbers=frozenset({1, 4}))


def _take(shown: Shown) -> None:
    """The model, and every number, as files."""
    found = shown.found
    st.subheader(t("calibrate.take"), anchor=False)
    left, right, _ = st.columns([1, 1, 1], gap="small")
    with left:
        download(t("calibrate.save_model"), dump(found.saved).encode(), "yomikurabe-calibrated.json")
    with right:
        download_csv(*_numbers(shown), "yomikurabe-calibrated.csv")
    signatures((found.saved.signature, *found.saved.signatures.values()))


def _numbers(shown: Shown) -> tuple[tuple[str, ...], list[list[object]]]:
    """A row a rated translation: people, the prediction by the model that did not see it, the metrics."""
    checked, features = shown.found.validation, shown.found.data.features
    columns = [checked.people, checked.predicted, *(features.score(name) for name in features.metrics)]
    cells = [[None if value != value else value for value in column.tolist()] for column in columns]
    rows: list[list[object]] = [
        [one.document, one.position + 1, one.system, *values]
        for one, *values in zip(shown.rated, *cells, strict=True)
    ]
    return ("document", "position", "system", "people", "calibrated", *features.metrics), rows


def _ends(low: float | None, high: float | None, *, signed: bool = False) -> str:
    return interval(low, high, 3, signed=signed)
