"""Who rates what: shares that add up, an order that keeps kin apart, and checks at their distance."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.raters.assignment import AssignmentUnit, Checks, Planned, arrange, minutes, share, with_checks


def campaign(documents=2, segments=6, systems=3):
    """Translations numbered from 0; segments from 100; the reference's translations from 1000."""
    units, number = [], 0
    for document in range(documents):
        for position in range(segments):
            for system in range(systems):
                segment = 100 + document * segments + position
                units.append(AssignmentUnit(number, segment, f"d{document}", system, position, 50))
                number += 1
    return units


def checks(units, **shares):
    reference_of = {unit.segment: 1000 + unit.segment for unit in units}
    damaged = frozenset(unit.translation for unit in units)
    return Checks(reference_of=reference_of, damaged=damaged, **shares)


def everyone(units, *, per_item, raters, documents=False):
    taken = Counter()
    shares = []
    for rater in range(raters):
        mine = share(units, taken, per_item=per_item, raters=raters, seed=f"s{rater}", documents=documents)
        taken.update(unit.translation for unit in mine)
        shares.append(mine)
    return taken, shares


def test_two_of_four_raters_for_each_item_give_each_rater_half():
    taken, shares = everyone(campaign(), per_item=2, raters=4)
    assert set(taken.values()) == {2}
    assert [len(mine) for mine in shares] == [18, 18, 18, 18]


def test_whole_documents_of_one_system_stay_with_one_rater():
    taken, shares = everyone(campaign(), per_item=1, raters=3, documents=True)
    assert set(taken.values()) == {1}
    for mine in shares:
        groups = Counter((unit.document, unit.system) for unit in mine)
        assert set(groups.values()) == {6}


def test_who_comes_when_everything_has_its_raters_gets_nothing():
    units = campaign()
    taken = dict.fromkeys(range(len(units)), 2)
    assert share(units, taken, per_item=2, raters=4, seed="late") == []


def test_whole_documents_are_read_in_order_and_versions_of_one_are_kept_apart():
    blocks = arrange(campaign(documents=4), seed="x", documents=True)
    assert len(blocks) == 12
    for block in blocks:
        assert [unit.position for unit in block] == list(range(6))
        assert len({(unit.document, unit.system) for unit in block}) == 1
    documents = [block[0].document for block in blocks]
    assert all(one != other for one, other in pairwise(documents))


@given(
    seed=st.text(max_size=5),
    repeats=st.sampled_from([0, 0.1, 0.2]),
    references=st.sampled_from([0, 0.1]),
    degraded=st.sampled_from([0, 0.1, 0.2]),
)
@settings(max_examples=40)
def test_every_item_comes_once_and_every_check_at_its_distance(seed, repeats, references, degraded):
    units = campaign(documents=3)
    mixed = checks(units, repeats=repeats, references=references, degraded=degraded, distance=5)
    row = with_checks(arrange(units, seed=seed), mixed, seed=seed)
    kinds = Counter(planned.kind for planned in row)
    wished = {"repeat": 54 * repeats, "reference": 54 * references, "degraded": 54 * degraded}
    assert kinds == {"target": 54} | {kind: round(n) for kind, n in wished.items() if round(n)}
    assert sorted(one.translation for one in row if one.kind == "target") == list(range(54))
    place = {planned: at for at, planned in enumerate(row)}
    for planned, at in place.items():
        if planned.kind == "repeat":
            assert at - place[Planned(planned.translation)] > 5
        elif planned.kind == "degraded":
            assert abs(at - place[Planned(planned.translation)]) > 5


@given(
    seed=st.text(max_size=5),
    systems=st.integers(2, 4),
    shares=st.fixed_dictionaries(
        {name: st.sampled_from([0, 0.05, 0.15]) for name in ("repeats", "references", "degraded")}
    ),
)
@settings(max_examples=40)
def test_a_screen_with_a_check_looks_like_any_other(seed, systems, shares):
    units = campaign(documents=3, systems=systems)
    mixed = checks(units, distance=5, **shares)
    blocks = arrange(units, seed=seed, together=True)
    row = with_checks(blocks, mixed, seed=seed, together=True)
    segment_of = {unit.translation: unit.segment for unit in units}
    segment_of |= {reference: segment for segment, reference in mixed.reference_of.items()}
    screens = [list(screen) for _, screen in groupby(row, key=lambda one: segment_of[one.translation])]
    assert {len(screen) for screen in screens} == {systems}
    assert len(set(row)) == len(row)  # no item twice
    assert sorted(one.translation for one in row if one.kind == "target") == list(range(len(units)))
    for screen in screens:
        kinds = Counter(one.kind for one in screen)
        assert kinds["target"] in (0, systems)
        assert kinds["degraded"] + kinds["reference"] <= 1
    place = {one: at for at, one in enumerate(row)}
    for one, at in place.items():
        if one.kind == "repeat":
            assert at > place[Planned(one.translation)]
    wished = {kind: round(shares[name] * len(units)) for name, kind in
              (("references", "reference"), ("degraded", "degraded"))}  # fmt: skip
    found = Counter(one.kind for one in row)
    assert all(found[kind] <= count for kind, count in wished.items())
    assert not any(wished.values()) or found["degraded"] + found["reference"] > 0


def test_checks_never_split_a_document():
    units = campaign(documents=4)
    mixed = checks(units, repeats=0.1, degraded=0.1, distance=6)
    row = with_checks(arrange(units, seed="x", documents=True), mixed, seed="x")
    by_id = {unit.translation: unit for unit in units}
    targets = [(at, by_id[one.translation]) for at, one in enumerate(row) if one.kind == "target"]
    for (at, one), (then, other) in pairwise(targets):
        if (one.document, one.system) == (other.document, other.system):
            assert then == at + 1


def test_with_three_items_a_repeat_comes_as_far_away_as_there_is_room():
    units = campaign(documents=1, segments=3, systems=1)
    row = with_checks([[unit] for unit in units], checks(units, repeats=0.34, distance=10), seed="x")
    (again,) = [at for at, one in enumerate(row) if one.kind == "repeat"]
    assert again == 3
    assert row[again].translation in (0, 1, 2)


def test_the_same_seed_gives_the_same_plan():
    units = campaign()
    plans = [with_checks(arrange(units, seed="x"), checks(units, repeats=0.2), seed="x") for _ in range(2)]
    assert plans[0] == plans[1]


@pytest.mark.parametrize(
    ("characters", "protocol", "lang", "pace", "expected"),
    [
        (3000, "esa", "ja", None, 20),  # .4 s a character
        (3000, "adequacy", "ja", None, 10),
        (3000, "esa", "en", None, 3000 / 6 * 0.8 / 60),  # .8 s a word of six letters
        (3000, "esa", "ja", 600, 5),
    ],
)
def test_the_time_it_takes_is_wmt25s_until_the_own_pace_is_known(characters, protocol, lang, pace, expected):
    assert minutes(characters, protocol=protocol, lang=lang, pace=pace) == pytest.approx(expected)
