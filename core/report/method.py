"""The facts of a campaign, the method of its numbers as sentences for a paper, versions and fingerprints."""

from __future__ import annotations

import hashlib
import json
import platform
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version

import core
from core.raters.assignment import DEGRADED, REFERENCE, REPEAT
from core.raters.protocols import MAJOR, MINOR, NON_TRANSLATION_WEIGHT, PUNCTUATION_WEIGHT, WEIGHTS
from core.raters.ranking import ALPHA
from core.raters.reading.findings import StudyFindings
from core.raters.rules import Rules
from core.report.blocks import Block, Listing, Section, Sentences, Table
from core.report.content import SEED, TEST, Findings, Report
from core.report.formatting import coefficient, counted, day
from core.stats.bootstrap import MIN_UNITS, RESAMPLES
from core.stats.estimate import Estimate
from core.stats.permutation import EXACT_UP_TO, FLIPS
from core.text.locale import Speaker
from core.text.numbers import DASH, number


def facts(given: Report, say: Speaker) -> Section:
    """What the campaign is and how much there is of it."""
    facts, t = given.facts, say.t
    checks = _checks(given)
    raters = len({one.rater for one in given.scores})
    rated = DASH
    if facts.first is not None and facts.last is not None:
        rated = f"{day(facts.first, given.language)} – {day(facts.last, given.language)}"
    rows = (
        (t("report.fact.languages"), f"{facts.source_lang} → {facts.target_lang}"),
        (t("design.protocol"), t(f"design.protocol.{facts.protocol}")),
        (t("report.fact.state"), t(f"report.state.{facts.state}")),
        (t("report.fact.created"), day(facts.created, given.language)),
        (t("report.fact.opened"), day(facts.opened, given.language)),
        *(((t("report.fact.rated"), rated),) if given.study is None else ()),
        (t("report.fact.texts"), _list(say, facts.documents, facts.segments, facts.systems)),
        (t("report.fact.translations"), f"{facts.translations:,}"),
        *(
            (
                (t("report.fact.raters"), f"{raters:,}"),
                (t("report.fact.ratings"), f"{len(given.scores):,}"),
                (t("report.fact.checks"), f"{sum(checks.values()):,}"),
                (t("report.fact.skips"), f"{facts.skips:,}"),
            )
            if given.study is None
            else _readers(given.study, say)
        ),
        (t("report.fact.seed"), str(facts.seed)),
    )
    header = (t("report.fact.what"), t("report.fact.value"))
    table = Table(name="facts", caption="", header=header, rows=rows, latex=False)
    blocks: list[Block] = [Sentences(text=text) for text in (facts.description, facts.credits) if text]
    return Section(title=t("report.facts"), blocks=[table, *blocks])


def _readers(found: StudyFindings, say: Speaker) -> tuple[tuple[str, str], ...]:
    """How many people took part in a reading study."""
    t = say.t
    rows = ((t("study.readers"), f"{found.readers:,}"), (t("study.finished"), f"{found.finished:,}"))
    close = found.close
    if close is None:
        return rows
    return (
        *rows,
        (t("close.readers"), f"{close.readers:,}"),
        (t("close.choices"), f"{close.choices:,}"),
    )


def method(given: Report, found: Findings, say: Speaker) -> Section:
    """One paragraph, and the rules by which a rater would be called into question."""
    t = say.t
    if given.study is not None:
        return Section(
            title=t("report.method"),
            blocks=[Sentences(text=t("report.method.study", seed=str(given.study.seed)))],
        )
    if not given.scores:
        return Section(title=t("report.method"), blocks=[Sentences(text=t("report.nobody"))])
    sentences = [*_who(given, say), *_scores(given, say), *_agreement(found, say), *_tests(found, say)]
    joined = ("" if given.language == "ja" else " ").join(sentences)
    declared = t("report.rules.declared") if given.declared else t("report.rules.usual")
    lines = tuple(_rules(given.rules, say))
    blocks: list[Block] = [Sentences(text=joined), Sentences(text=declared), Listing(lines=lines)]
    return Section(title=t("report.method"), blocks=blocks)


def _who(given: Report, say: Speaker) -> Iterator[str]:
    facts, checks = given.facts, _checks(given)
    rated = [given.places[item] for item in {one.item for one in given.scores} if isinstance(item, int)]
    yield say.t(
        "report.method.who",
        raters=counted(say, len({one.rater for one in given.scores}), "rater"),
        translations=counted(say, len(rated), "translation"),
        segments=counted(say, len({one.segment for one in rated}), "segment"),
        documents=counted(say, len({one.document for one in rated}), "document"),
        systems=counted(say, len({one.system for one in rated}), "system"),
        source=facts.source_lang,
        target=facts.target_lang,
    )
    yield say.t(
        "report.method.protocol",
        protocol=say.t(f"design.protocol.{facts.protocol}"),
        about=say.t(f"protocol.{facts.protocol}.about"),
    )
    dated = facts.first is not None
    yield say.t(
        "report.method.ratings" if dated else "report.method.ratings_undated",
        ratings=counted(say, len(given.scores), "rating"),
        skips=counted(say, facts.skips, "item"),
        **(
            {"first": day(facts.first, given.language), "last": day(facts.last, given.language)}
            if dated
            else {}
        ),
    )
    if not checks:
        yield say.t("report.method.no_checks")
        return
    yield say.t(
        "report.method.checks",
        checks=counted(say, sum(checks.values()), "check"),
        repeats=counted(say, checks[REPEAT], "repeat"),
        references=counted(say, checks[REFERENCE], "reference"),
        degraded=counted(say, checks[DEGRADED], "degraded"),
    )


def _scores(given: Report, say: Speaker) -> Iterator[str]:
    scale, errors = given.facts.scale, given.facts.errors
    if scale is not None:
        yield say.t(
            "report.method.scale",
            scale=say.either(scale.en, scale.ja),
            name=scale.name,
            low=f"{scale.low:g}",
            high=f"{scale.high:g}",
        )
    elif given.computed and errors.severities:
        own = (f"{say.either(one.en, one.ja)} {one.weight:g}" for one in errors.severities)
        yield say.t("report.method.own_weights", weights=say.t("report.and").join(own))
        if given.facts.five_errors:
            yield say.t("report.method.five")
    elif given.computed:
        yield say.t(
            "report.method.computed",
            major=f"{WEIGHTS[MAJOR]:g}",
            minor=f"{WEIGHTS[MINOR]:g}",
            punctuation=f"{PUNCTUATION_WEIGHT:g}",
            non_translation=f"{NON_TRANSLATION_WEIGHT:g}",
        )
        if given.facts.five_errors:
            yield say.t("report.method.five")
    yield say.t(f"report.normalisation.{given.method}")
    yield say.t("report.method.gold")


def _agreement(found: Findings, say: Speaker) -> Iterator[str]:
    have: list[str] = []
    lack: dict[str, list[str]] = {}
    for name, one, n in coefficients(found):
        label = say.t(f"reliability.{name}")
        if one.missing is not None:
            lack.setdefault(one.missing, []).append(label)
        elif one.low is None or one.high is None:
            have.append(say.t("report.coefficient", name=label, value=coefficient(one), n=n))
        else:
            low, high = (coefficient(Estimate(value=end, n=n)) for end in (one.low, one.high))
            values = {"name": label, "value": coefficient(one), "low": low, "high": high, "n": n}
            have.append(say.t("report.coefficient_interval", **values))
    if have:
        yield say.t("report.method.agreement", coefficients=say.t("report.between").join(have))
    for reason, names in lack.items():
        yield say.t("report.method.lack", names=", ".join(names), why=say.t(f"missing.{reason}"))
    yield say.t("report.method.bootstrap", resamples=f"{RESAMPLES:,}", seed=str(SEED), least=MIN_UNITS)


def coefficients(found: Findings) -> tuple[tuple[str, Estimate, int], ...]:
    """Name, figure and n of each coefficient, as the app's page on reliability lists them."""
    whole = found.reliability
    return (
        ("mean_r", found.bootstrap["mean_r"], whole.mean_r.n),
        ("mean_spearman", whole.mean_spearman, whole.mean_spearman.n),
        ("mean_kendall", whole.mean_kendall, whole.mean_kendall.n),
        ("icc_single", whole.icc_single, whole.icc_single.n),
        ("icc_mean", whole.icc_mean, whole.icc_mean.n),
        ("alpha", found.bootstrap["alpha"], whole.alpha.n),
    )


def _tests(found: Findings, say: Speaker) -> Iterator[str]:
    if len(found.means) < 2:
        yield say.t("report.method.one_system")
        return
    tested = sum(one.missing is None for one in found.comparisons)
    yield say.t(
        "report.method.tests",
        test=say.t(f"ranking.test.{TEST}"),
        flips=f"{FLIPS:,}",
        exact=EXACT_UP_TO,
        seed=str(SEED),
        comparisons=counted(say, tested, "comparison"),
        alpha=f"{ALPHA:g}",
    )


def _rules(rules: Rules, say: Speaker) -> Iterator[str]:
    """A line for each rule that is on."""
    t = say.t
    if rules.repeat_error is not None:
        yield t("report.rule.repeat", limit=f"{rules.repeat_error:g}", n=rules.repeat_n)
    if rules.degraded_p is not None:
        yield t("report.rule.degraded", limit=f"{rules.degraded_p:g}", n=rules.degraded_n)
    if rules.reference_share is not None:
        yield t("report.rule.reference", limit=f"{rules.reference_share:g}", n=rules.reference_n)
    if rules.pace is not None:
        share = f"{100 * rules.pace_share:g}"
        yield t("report.rule.pace", limit=number(rules.pace, 0), share=share, n=rules.pace_n)
    if rules.same_share is not None:
        yield t("report.rule.same-score", limit=f"{100 * rules.same_share:g}", n=rules.same_n)
    if rules.same_run is not None:
        yield t("report.rule.same-run", limit=rules.same_run, n=rules.same_n)
    if rules.drift_slope is not None:
        slope, p = f"{rules.drift_slope:g}", f"{rules.drift_p:g}"
        yield t("report.rule.drift", limit=slope, p=p, n=rules.drift_n)


def _checks(given: Report) -> Counter[str]:
    """Rated check items, by kind."""
    return Counter(row.kind for row in given.rows if row.kind in (REPEAT, REFERENCE, DEGRADED))


def _list(say: Speaker, documents: int, segments: int, systems: int) -> str:
    parts = (
        counted(say, documents, "document"),
        counted(say, segments, "segment"),
        counted(say, systems, "system"),
    )
    return say.t("report.and").join(parts)


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
