"""Structure alignment on real parses: the paper's example, swaps of roles, and texts that parsers dislike."""

import time

import pytest

from core.metrics import find_metric
from core.types import TextPair

pytestmark = pytest.mark.embedded
ODD = (
    "猫", "Stop.", "「『ああ』と言った」", "“Never,” he said; “not in", "🙂🙂", "https://example.com/a?b=c&d=e",
    "Stop. Go on! Why?\n\nHe left.", "彼は said 我们 hello", "ーーーー", "（｀・ω・´）", "a\ud842b", "。。。",
)  # fmt: skip


@pytest.fixture
def scored(backends):
    def run(reference, hypothesis, lang="en", metric="structure-dep", **settings):
        pair = TextPair(reference=reference, hypothesis=hypothesis, lang=lang)
        return find_metric(metric).prepare(settings, backends, [pair]).score(pair)

    return run


def test_the_telescope_costs_structure_fifteen_points_more_than_bertscore(scored):
    pair = ("I saw a girl by a telescope.", "I saw a girl having a telescope.")
    bertscore = scored(*pair, metric="bertscore").score
    assert scored(*pair, metric="bleu").score == pytest.approx(50.00, abs=0.005)
    assert bertscore > 0.93
    for settings in ({"filter": "label"}, {"filter": "role"}, {"filter": "role", "layer": "12"}):
        assert scored(*pair, **settings).score < bertscore - 0.15


@pytest.mark.parametrize(
    ("reference", "changed", "paraphrase", "lang"),
    [
        ("The dog chased the cat.", "The cat chased the dog.", "The dog ran after the cat.", "en"),
        ("彼が彼女を見た。", "彼女が彼を見た。", "彼は彼女のことを見た。", "ja"),
        ("番頭は主人に叱られた。", "主人は番頭に叱られた。", "主人が番頭を叱った。", "ja"),
    ],
)
def test_a_paraphrase_beats_a_swap_of_roles_where_bertscore_has_it_the_other_way(
    scored, reference, changed, paraphrase, lang
):
    def better(metric, **settings):
        right, wrong = (
            scored(reference, text, lang, metric, **settings).score for text in (paraphrase, changed)
        )
        return right > wrong

    assert better("structure-dep", filter="role", layer="12")
    assert not better("bertscore")


@pytest.mark.parametrize("metric", ["structure-dep", "structure-con"])
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.slow
def test_odd_texts_end_in_a_score_or_a_reason(scored, metric, lang):
    for text in ODD:
        result = scored(text, "The cat sat.", lang, metric)
        assert (result.score is None) == (result.missing is not None), text
        same = scored(text, text, lang, metric)
        assert same.score is None or same.score == pytest.approx(1, abs=1e-5), text


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["structure-dep", "structure-con"])
def test_two_thousand_words_are_scored_with_a_flag_in_seconds(scored, metric):
    text = "the cat sat on the mat and " * 290
    scored("The cat sat.", "The cat sat.", metric=metric)  # loads what there is to load
    started = time.perf_counter()
    result = scored(text, text, metric=metric)
    assert result.score == pytest.approx(1, abs=1e-4)
    assert time.perf_counter() - started < 60
    assert set(result.flags) & {"windowed", "cut-parse", "paths-capped"}


def test_a_pair_scores_the_same_alone_and_among_others(backends):
    pairs = [
        TextPair(reference="The dog chased the cat.", hypothesis=text, lang="en")
        for text in ("The cat ran.", "A dog chased a cat down the long street.", "Dogs chase.")
    ]
    from core.scoring import Request, score_pairs

    request = [Request("structure-con", {"filter": "head"})]
    together = [row[0].score for row in score_pairs(pairs, request, backends)]
    alone = [next(iter(score_pairs([pair], request, backends)))[0].score for pair in pairs]
    assert together == pytest.approx(alone, abs=1e-6)
