from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice

import numpy as np
import pytest

from core.assets import ROOT
from core.backends import Backends, between, forwards
from core.backends.encoder.cache import CachedEncoder
from core.errors import OptionError
from core.metrics import find_metric
from core.metrics.fetched import fetch
from core.scoring import Request, score_pairs, score_prepared
from tests.support.fake_backends import FakeEncoder
from tests.support.grid_fakes import F1, PAIRS, VECTORS


@pytest.fixture
def fake() -> FakeEncoder:
    return FakeEncoder(VECTORS)


@pytest.fixture
def cached(fake) -> Backends:
    """The fake encoder behind the cache, as real ones are."""
    encoder = CachedEncoder(fake)
    return Backends(encoder=lambda name: encoder)


def scores(pairs, requests, backends) -> list[list[float]]:
    return [[result.score for result in row] for row in score_pairs(pairs, requests, backends)]


def test_results_come_in_the_order_of_pairs_and_of_requests(cached):
    rows = list(score_pairs(PAIRS, [Request("chrf"), Request("bertscore")], cached))
    assert [[result.metric for result in row] for row in rows] == [["chrf", "bertscore"]] * 4
    assert [row[1].score for row in rows] == pytest.approx(F1)


@pytest.mark.parametrize("at_once", [1, 2, 3, 256])
def test_how_many_pairs_are_read_at_once_does_not_change_a_number(cached, monkeypatch, at_once):
    monkeypatch.setattr("core.scoring.PAIRS_AT_ONCE", at_once)
    assert [row[0] for row in scores(PAIRS, [Request("bertscore")], cached)] == pytest.approx(F1)


def test_each_distinct_text_of_a_chunk_is_encoded_once_for_all_metrics(fake, cached):
    requests = [Request("bertscore"), Request("sentence-cosine"), Request("bertscore", {"weight": "l2"})]
    scores(PAIRS, requests, cached)
    assert fake.calls == [["a b", "c", "a", "b", ""]]


def test_a_run_hands_the_vectors_over_and_needs_no_cache(fake):
    backends = Backends(encoder=lambda name: fake)
    assert [row[0] for row in scores(PAIRS, [Request("bertscore")], backends)] == pytest.approx(F1)
    assert fake.calls == [["a b", "c", "a", "b", ""]]


def test_a_scorer_scores_from_what_was_fetched_and_asks_for_other_texts_itself(fake):
    scorer = find_metric("bertscore").prepare({}, Backends(encoder=lambda name: fake), PAIRS)
    fetched = fetch(PAIRS[:2], [scorer.encodes], [])
    assert fake.calls == [["a b", "c", "a", "b"]]
    assert [result.score for result in scorer.score_many(PAIRS, fetched)] == pytest.approx(F1)
    assert fake.calls[1:] == [["a b", ""]]


def test_metrics_on_several_layers_have_each_text_read_once(fake, cached):
    requests = [Request("bertscore", {"layer": str(layer)}) for layer in (0, 1)]
    assert scores(PAIRS, requests, cached) == [[pytest.approx(one)] * 2 for one in F1]
    assert fake.calls == [["a b", "c", "a", "b", ""]]


@pytest.mark.parametrize(
    ("limit", "calls"),
    [
        ({"PAIRS_AT_ONCE": 2}, [["a b", "c", "a", "b"], [""]]),
        ({"CHARACTERS_AT_ONCE": 3}, [["a b", "c"], ["a", "b", ""]]),  # 4 characters; 2 + 3; what is left
    ],
)
def test_a_chunk_ends_at_so_many_pairs_or_characters(fake, cached, monkeypatch, limit, calls):
    for name, value in limit.items():
        monkeypatch.setattr(f"core.scoring.{name}", value)
    scores(PAIRS, [Request("bertscore")], cached)
    assert fake.calls == calls  # what an earlier chunk read is remembered


def test_a_wrong_option_is_refused_before_any_text_is_read(fake, cached):
    requests = [Request("bertscore"), Request("bertscore", {"layer": "9"})]
    with pytest.raises(OptionError, match="fake has layers 0 to 1"):
        score_pairs(PAIRS, requests, cached)
    assert fake.calls == []


def test_idf_counts_the_references_of_the_whole_list_also_across_chunks(cached, monkeypatch):
    monkeypatch.setattr("core.scoring.PAIRS_AT_ONCE", 1)
    (first, *_) = score_pairs(PAIRS, [Request("bertscore", {"weight": "idf", "idf": "references"})], cached)
    assert "|idf:references-4-" in first[0].signature
    side = first[0].trace.reference
    # a is in 4 of 4 references, b in 2 of 4
    assert side.weights == pytest.approx([0, 0, np.log(5 / 3), 0])
    assert first[0].parts["recall"] == pytest.approx(0.8)


def test_metrics_may_be_prepared_against_more_pairs_than_are_scored(cached):
    prepared = find_metric("bertscore").prepare({"weight": "idf", "idf": "references"}, cached, PAIRS)
    ((result,),) = score_prepared(PAIRS[:1], [prepared])
    assert result.parts["recall"] == pytest.approx(0.8)


def test_progress_is_told_at_the_start_and_after_each_chunk(cached, monkeypatch):
    monkeypatch.setattr("core.scoring.PAIRS_AT_ONCE", 3)
    seen: list[tuple[int, int]] = []
    list(score_pairs(PAIRS, [Request("chrf")], cached, progress=lambda *now: seen.append(now)))
    assert seen == [(0, 4), (3, 4), (4, 4)]


def test_progress_is_told_while_the_texts_of_a_chunk_are_read(cached, monkeypatch):
    monkeypatch.setattr("core.scoring.PAIRS_AT_ONCE", 4)
    seen: list[tuple[int, int]] = []
    list(score_pairs(PAIRS, [Request("bertscore")], cached, progress=lambda *now: seen.append(now)))
    # five distinct texts for four pairs: after each text 4/5 of a pair more, rounded down
    assert seen == [(0, 4), (0, 4), (1, 4), (2, 4), (3, 4), (4, 4), (4, 4)]


def test_progress_never_goes_back():
    seen: list[int] = []
    told = forwards(lambda done, total: seen.append(done))
    for done in (1, 3, 2, 4):
        told(done, 4)
    assert seen == [1, 3, 3, 4]


def test_a_stage_of_work_fills_its_part_of_the_progress():
    seen: list[tuple[int, int]] = []
    part = between(lambda *now: seen.append(now), 100, 200, 1000)
    for now in ((0, 4), (1, 4), (4, 4), (0, 0)):
        part(*now)
    assert seen == [(100, 1000), (125, 1000), (200, 1000), (100, 1000)]


def test_who_stops_early_keeps_what_came_and_nothing_more_is_read(fake, cached, monkeypatch):
    monkeypatch.setattr("core.scoring.PAIRS_AT_ONCE", 1)
    rows = list(islice(score_pairs(PAIRS, [Request("bertscore")], cached), 1))
    assert rows[0][0].score == pytest.approx(F1[0])
    assert fake.calls == [["a b", "c"]]


def test_a_progress_that_raises_stops_the_run_after_what_was_yielded(cached, monkeypatch):
    monkeypatch.setattr("core.scoring.PAIRS_AT_ONCE", 2)

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise InterruptedError

    kept = []
    with pytest.raises(InterruptedError):
        kept.extend(score_pairs(PAIRS, [Request("chrf")], cached, progress=stop))
    assert len(kept) == 2


def test_no_pairs_give_no_rows(cached):
    assert scores([], [Request("bleu"), Request("bertscore")], cached) == []


def test_order_and_neighbours_do_not_change_a_real_models_scores(backends, tiny_bert, japanese_pairs):
    pairs = japanese_pairs[:24]
    given = {"encoder": str(tiny_bert), "layer": "3"}
    requests = [Request("bertscore", given), Request("sentence-cosine", given), Request("bleu")]
    expected = scores(pairs, requests, backends)
    order = np.random.default_rng(5).permutation(len(pairs)).tolist()
    alone = Backends(encoder=lambda name: backends.encoder(name)._encoder)  # without the cache
    shuffled = scores([pairs[place] for place in order], requests, alone)
    for place, row in zip(order, shuffled, strict=True):
        assert row == pytest.approx(expected[place], abs=1e-6)
    assert scores(pairs[3:4], requests, alone)[0] == pytest.approx(expected[3], abs=1e-6)


@pytest.mark.heavy
def test_the_seed_of_pythons_hashes_does_not_change_a_byte(tmp_path, tiny_bert):
    (tmp_path / "ref").write_text("吾輩は猫である。\n名前はまだ無い。\n", encoding="utf-8")
    (tmp_path / "hyp").write_text("私は猫です。\n名前はない。\n", encoding="utf-8")
    command = [sys.executable, "-m", "core", "score", "--metric", "bertscore,bleu,chrf"]
    command += ["--ref", str(tmp_path / "ref"), "--hyp", str(tmp_path / "hyp"), "--trace"]
    for setting in (f"encoder={tiny_bert}", "weight=idf", "idf=references"):
        command += ["--set", f"bertscore.{setting}"]
    first, second = (
        subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("1", "2")
    )
    assert first.count(b"\n") == 6
    assert first == second
