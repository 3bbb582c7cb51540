"""From rows to the ledger: careful, careless, fast and drifting raters, and campaigns with little."""

import dataclasses
import math

import pytest

from core.errors import InputError, OptionError
from core.raters.quality import check_raters
from core.raters.rater_flags import Entry, ledger, sensitivity
from core.raters.ratings import Rating
from core.raters.rules import RULES, Rules

ALL_RULES = Rules(reference_share=0.5, same_share=0.7, same_run=15, drift_n=5)


def row(rater, item, score, *, system="A", kind="target", place=0, seconds=None, segment=None):
    return Rating(
        rater=rater, item=item, segment=item if segment is None else segment, system=system,
        document="d", place=place, score=float(score), kind=kind, seconds=seconds, characters=60,
    )  # fmt: skip


def targets(rater, *scores, seconds=None):
    return [row(rater, i, score, place=i, seconds=seconds) for i, score in enumerate(scores)]


def checks(rater, kind, *scores):
    return [row(rater, i, score, kind=kind, place=100 + i) for i, score in enumerate(scores)]


VARIED = [40 + 14 * i % 50 for i in range(25)]  # 25 even numbers from 40 to 88
CAREFUL = targets("careful", *VARIED, seconds=12)  # 300 characters a minute
CARELESS = [
    *targets("careless", *[70] * 25),
    *checks("careless", "degraded", 70, 70, 70, 70, 70),
    *checks("careless", "repeat", 40, 40, 40, 40, 40),
    *(
        row("careless", f"ref{i}", 60, kind="reference", place=200 + i, segment=i)
        for i in range(5)
    ),
]  # fmt: skip


def flagged(rows, rules):
    return {(one.rater, one.rule): one for one in ledger(check_raters(rows, rules), rules)}


def test_a_careless_rater_falls_under_every_rule_of_the_checks_and_a_careful_one_under_none():
    found = flagged([*CAREFUL, *CARELESS], ALL_RULES)
    assert {who for who, _ in found} == {"careless"}
    entry = found["careless", "repeat"]
    assert entry == Entry(rater="careless", rule="repeat", value=30, threshold=20, n=5)
    entry = found["careless", "degraded"]  # all ten scores are the same
    assert (entry.value, entry.threshold, entry.n) == (1, 0.10, 5)
    assert (found["careless", "reference"].value, found["careless", "reference"].threshold) == (0, 0.5)
    same = found["careless", "same-score"]
    assert (same.value, same.threshold, same.n) == (30 / 40, 0.7, 40)
    assert found["careless", "same-run"].value == 26  # 25 targets and the check that follows


FAST = targets("fast", *(one + 1 for one in VARIED), seconds=2)  # 60 characters in 2 s: 1800 a minute
DRIFTING = targets("drifting", *(one + 1.5 * i for i, one in enumerate(VARIED)))


def test_a_rater_faster_than_anybody_reads_and_one_who_drifts():
    found = flagged([*CAREFUL, *FAST, *DRIFTING], Rules(drift_n=5))
    assert found["fast", "pace"] == Entry(rater="fast", rule="pace", value=1, threshold=0.5, n=25)
    entry = found["drifting", "drift"]
    # the mean of the two others is half a point above: a point and a half an item
    assert (entry.value, entry.threshold, entry.n) == (pytest.approx(150), 10, 25)
    assert ("careful", "pace") not in found


def test_every_rule_can_be_broken():
    found = flagged([*CAREFUL, *CARELESS, *FAST, *DRIFTING], ALL_RULES)
    assert {rule for _, rule in found} == set(RULES)


def test_with_fewer_items_than_declared_a_rule_is_silent():
    many = dict.fromkeys(("repeat_n", "degraded_n", "reference_n", "pace_n", "same_n", "drift_n"), 1000)
    rows = [*CAREFUL, *CARELESS, *targets("fast", *[5] * 25, seconds=0)]
    assert flagged(rows, ALL_RULES) != {}
    assert flagged(rows, dataclasses.replace(ALL_RULES, **many)) == {}


def test_a_rule_that_is_off_is_silent():
    off = Rules(
        repeat_error=None, degraded_p=None, reference_share=None, pace=None,
        same_share=None, same_run=None, drift_slope=None,
    )  # fmt: skip
    assert flagged([*CAREFUL, *CARELESS, *targets("fast", *[5] * 25, seconds=0)], off) == {}


def ranked(found):
    return [one.system for one in found.systems]


def versions(rater, **systems):
    return [
        row(rater, f"{system}{i}", score, system=system, segment=i)
        for system, scores in systems.items()
        for i, score in enumerate(scores)
    ]


def test_leaving_out_the_one_who_turns_the_order_is_seen():
    rows = [
        *versions("one", A=[60, 60], B=[50, 50]),
        *versions("two", A=[62, 62], B=[52, 52]),
        *versions("odd", A=[0, 0], B=[90, 90], C=[99]),
    ]
    found = sensitivity(rows, ["odd", "one"])
    assert ranked(found.everyone) == ["C", "B", "A"]  # 99, 64, 40 2/3
    assert [one.value for one in found.everyone.systems] == pytest.approx([99, 64, 122 / 3])
    without_odd, without_one = found.without_each
    assert (without_odd.without, without_one.without) == (("odd",), ("one",))
    assert [one.value for one in without_odd.systems] == pytest.approx([61, 51])
    assert (without_odd.swaps, without_odd.lost, without_odd.changed) == ((("A", "B"),), ("C",), True)
    assert without_one.changed is False
    assert found.without_all.without == ("odd", "one")
    assert [one.value for one in found.without_all.systems] == [62, 52]
    assert (found.everyone.n, without_odd.n, found.without_all.n) == (13, 8, 4)


def test_the_ranking_is_of_the_chosen_normalisation_and_of_targets_only():
    rows = [
        *versions("narrow", A=[50, 50], B=[52, 52]),
        *versions("wide", A=[100, 20], B=[100, 0]),
        row("wide", "B0", 100, system="B", kind="repeat", segment=0),
    ]
    assert ranked(sensitivity(rows, []).everyone) == ["A", "B"]  # 55 and 51
    assert ranked(sensitivity(rows, [], method="z").everyone) == ["B", "A"]
    assert sensitivity(rows, []).without_all is None
    with pytest.raises(OptionError, match="raw, centred"):
        sensitivity(rows, [], method="median")


@pytest.mark.parametrize(
    "rows",
    [
        [],
        checks("a", "degraded", 5, 6, 7),
        targets("a", 1, 2, 3),
        [*targets("a", 70, 70, 70), *targets("b", 70, 70, 70)],
        [*targets("a", 1, 2, 3), *(row("b", f"x{i}", i) for i in range(3))],
    ],
    ids=["nothing", "checks-only", "one-rater", "all-tied", "disjoint"],
)
def test_campaigns_with_little_have_words_and_no_nan(rows):
    loose = Rules(**dict.fromkeys(("repeat_n", "degraded_n", "pace_n", "same_n", "drift_n"), 0))
    found = check_raters(rows, loose)
    for one in found:
        figures = (
            one.repeat_error, one.pace.seconds, one.pace.a_minute, one.pace.fast, one.same.share,
            one.drift.rho, one.drift.slope,
        )  # fmt: skip
        assert all((figure.value is None) == (figure.missing is not None) for figure in figures)
        assert all(figure.value is None or math.isfinite(figure.value) for figure in figures)
    assert all(math.isfinite(entry.value) for entry in ledger(found, loose))
    everyone = sorted({one.rater for one in rows})
    left = sensitivity(rows, everyone)
    assert all(math.isfinite(one.value) for one in left.everyone.systems)
    if everyone:
        assert left.without_all.systems == ()
        assert left.without_all.n == 0


def test_rows_are_taken_in_the_raters_order_and_counted_by_kind():
    rows = [row("a", 2, 5, place=7), row("a", 1, 5, place=3), row("a", 0, 9, place=5), *CARELESS]
    first, second = check_raters(rows, Rules())
    assert (first.rater, first.n, first.checks, first.same.run) == ("a", 3, 0, 1)
    assert (second.rater, second.n, second.checks) == ("careless", 25, 15)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"score": math.nan}, "not a number"),
        ({"seconds": math.inf}, "not a number"),
        ({"kind": "odd"}, "not a kind"),
    ],
    ids=["score", "time", "kind"],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(change, words):
    with pytest.raises(InputError, match=words):
        check_raters([CAREFUL[0]._replace(**change)], Rules())
