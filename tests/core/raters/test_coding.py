from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from core.raters.coding import CodedComment, coding_findings, coding_rows

CODES = ("wording", "voice")


def comments(*rows: tuple[str, str, str], version: str = "A") -> list[CodedComment]:
    """(comment, codes by Ito, codes by Mori), codes with spaces between."""
    return [
        CodedComment(
            comment=name,
            version=version,
            codes={"Ito": frozenset(ito.split()), "Mori": frozenset(mori.split())},
        )
        for name, ito, mori in rows
    ]


def test_kappa_is_that_worked_out_by_hand():
    # Wording: both 4, only Ito 1, only Mori 1, neither 4. Observed 8/10, by chance 1/2: (.8 - .5) / .5 = .6.
    both, ito, mori, none = ("wording", "wording"), ("wording", ""), ("", "wording"), ("", "")
    given = [both] * 4 + [ito] + [mori] + [none] * 4
    found = coding_findings(comments(*((f"{n}", *row) for n, row in enumerate(given))), CODES)
    wording, voice = found.codes
    assert wording.kappa.value == pytest.approx(0.6)
    assert wording.agreed == pytest.approx(0.8)
    assert (wording.by_all, wording.by_any, wording.kappa.n) == (4, 6, 10)
    assert (voice.kappa.value, voice.kappa.missing, voice.agreed) == (None, "no-variance", 1.0)
    # Over all: 20 decisions, 18 the same; 5 yes and 15 no of each coder: by chance (25 + 225) / 400 = .625.
    assert found.overall.kappa.value == pytest.approx((0.9 - 0.625) / 0.375)
    assert found.differing == 2


def test_several_codes_on_one_comment_count_each():
    found = coding_findings(comments(("1", "wording voice", "voice"), ("2", "", "wording")), CODES)
    assert [(one.by_all, one.by_any) for one in found.codes] == [(0, 2), (1, 1)]


def test_counts_are_by_version_and_of_all_its_comments():
    rows = comments(("1", "wording", "wording"), ("2", "wording", ""), version="A")
    rows += comments(("3", "voice", "voice"), version="B")
    counts = {(one.code, one.version): one for one in coding_findings(rows, CODES).counts}
    assert [counts[key].by_all for key in (("wording", "A"), ("wording", "B"), ("voice", "B"))] == [1, 0, 1]
    assert counts["wording", "A"].by_any == 2
    assert (counts["wording", "A"].comments, counts["voice", "B"].comments) == (2, 1)


def test_of_three_coders_the_kappas_of_the_pairs_are_averaged():
    rng = np.random.default_rng(0)
    names = ("Ito", "Mori", "Sato")
    given = rng.integers(0, 2, (30, 3))
    rows = [
        CodedComment(
            comment=f"{n:02}",
            version="",
            codes={who: frozenset({"wording"} if row[i] else ()) for i, who in enumerate(names)},
        )
        for n, row in enumerate(given)
    ]
    pairs = [cohen_kappa_score(given[:, a], given[:, b]) for a, b in ((0, 1), (0, 2), (1, 2))]
    assert coding_findings(rows, ("wording",)).codes[0].kappa.value == pytest.approx(np.mean(pairs))


@settings(deadline=None, max_examples=30)
@given(rows=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_kappa_is_that_of_scikit_learn_and_lies_in_its_interval_of_percentiles(rows):
    made = comments(*((f"{n:02}", "voice" * a, "voice" * b) for n, (a, b) in enumerate(rows)))
    voice = coding_findings(made, CODES).codes[1].kappa
    first, second = zip(*rows, strict=True)
    if len({*first, *second}) == 1:
        assert voice.missing == "no-variance"
    else:
        assert voice.value == pytest.approx(cohen_kappa_score(first, second))
        assert -1 <= voice.value <= 1
        assert (voice.low is None) or -1 <= voice.low <= voice.high <= 1


@pytest.mark.slow
def test_the_interval_is_the_middle_of_the_kappas_of_drawn_comments():
    rng = np.random.default_rng(1)
    first = rng.integers(0, 2, 60).astype(bool)
    second = np.where(rng.random(60) < 0.2, ~first, first)
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    made = comments(*((f"{n:02}", "voice" * a, "voice" * b) for n, (a, b) in enumerate(pairs)))
    found = coding_findings(made, CODES, seed=3).codes[1].kappa
    drawn = [cohen_kappa_score(first[own], second[own]) for own in rng.integers(0, 60, (2000, 60))]
    low, high = np.quantile(drawn, (0.025, 0.975))
    assert found.low == pytest.approx(low, abs=0.04)
    assert found.high == pytest.approx(high, abs=0.04)


def test_the_order_of_comments_changes_nothing():
    made = comments(*((f"{n:02}", "voice" * (n % 2), "voice" * (n % 3 == 0)) for n in range(12)))
    assert coding_findings(made, CODES) == coding_findings(made[::-1], CODES)


def test_without_comments_or_a_second_coder_there_is_no_kappa():
    assert coding_findings([], CODES).overall.kappa.missing == "one-rater"
    alone = [CodedComment(comment="1", version="A", codes={"Ito": frozenset({"voice"})})]
    assert coding_findings(alone, CODES).codes[1].kappa.missing == "one-rater"


def test_figures_are_rows_for_other_programs():
    rows = coding_rows(coding_findings(comments(("1", "voice", "voice"), ("2", "", "")), CODES))
    (kappa,) = [row for row in rows if row["figure"] == "kappa" and row["of"] == "voice"]
    assert (kappa["value"], kappa["n"], kappa["low"]) == (pytest.approx(1.0), 2, None)
    (count,) = [row for row in rows if row["figure"] == "code_by_any" and row["of"] == "voice"]
    assert (count["and"], count["hits"], count["n"]) == ("A", 1, 2)
