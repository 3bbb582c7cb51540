"""The hack lab on small texts: which texts are made, whole-set scores, and who is fooled how often."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu

from core.errors import InputError, OptionError
from core.hacks.robustness import Lab, LabSegment, Variant, make, run_lab, variants
from core.scoring import Request
from tests.support.fake_backends import FakeEncoder, fake_backends

SEGMENTS = [
    LabSegment(
        reference="太郎は三匹の猫を見た。花子は来なかった。",
        source="Taro saw three cats. Hanako did not come.",
        lang="ja",
        outputs={"Default": "太郎は三匹の猫を見ました。花子は来ませんでした。", "Short": "太郎は猫を見た。"},
    ),
    LabSegment(
        reference="雨が降っている",
        source="It is raining",
        lang="ja",
        outputs={"Default": "雨が降っています", "Short": "雨だ"},
    ),
]
BACKENDS = fake_backends(FakeEncoder({}))
SURFACE = (Request("bleu"), Request("chrf"))


@pytest.fixture(scope="module")
def table():
    rows = variants(
        ("Default", "Short"), ("Short",), ("maru-7", "concat", "copy-source", "drop-last-sentence")
    )
    return run_lab(SEGMENTS, Lab(variants=rows, requests=SURFACE), BACKENDS)


def test_the_rows_are_the_systems_and_then_each_edit_of_each_victim():
    rows = variants(("A", "B"), ("A", "B"), ("maru-7", "repeat+nfd"))
    assert [row.name for row in rows] == [
        "A", "B", "A + maru-7", "B + maru-7", "A + repeat + nfd", "B + repeat + nfd",
    ]  # fmt: skip
    with pytest.raises(OptionError, match="no edit luck"):
        variants(("A",), ("A",), ("luck",))


def test_the_texts_are_what_the_edits_make_and_others_stay_as_they_were():
    rows = variants(("Default", "Short"), ("Short",), ("maru-7", "concat"))
    made = make(SEGMENTS, rows, BACKENDS)
    assert [one.text for one in made[0]] == [
        "太郎は三匹の猫を見ました。花子は来ませんでした。",
        "太郎は猫を見た。",
        "太郎は猫を見た。。。。。。。。",
        "太郎は猫を見た。太郎は三匹の猫を見ました。花子は来ませんでした。",
    ]
    assert made[1][2].text == "雨だ"
    assert made[1][2].skipped == "no-full-stop"


def test_bleu_and_chrf_of_the_whole_set_are_sacrebleus(table):
    for place, variant in enumerate(table.variants):
        texts = [row[place].text for row in table.made]
        references = [[segment.reference for segment in SEGMENTS]]
        bleu = sacrebleu.corpus_bleu(texts, references, tokenize="ja-mecab", use_effective_order=True)
        assert table.cell(variant, "bleu").score == pytest.approx(bleu.score)
        chrf = sacrebleu.corpus_chrf(texts, references)
        assert table.cell(variant, "chrf").score == pytest.approx(chrf.score)


def test_the_parts_of_the_whole_set_lie_behind_its_score(table):
    """Tables 4 and 5 of ehiMetrick: BLEU's penalty and precisions are sacreBLEU's; chrF has two."""
    for place, variant in enumerate(table.variants):
        texts = [row[place].text for row in table.made]
        references = [[segment.reference for segment in SEGMENTS]]
        bleu = sacrebleu.corpus_bleu(texts, references, tokenize="ja-mecab", use_effective_order=True)
        assert table.part(variant, "bleu", "brevity_penalty") == pytest.approx(bleu.bp)
        assert table.part(variant, "bleu", "precision_1") == pytest.approx(bleu.precisions[0])
        precision, recall = (table.part(variant, "chrf", name) for name in ("precision", "recall"))
        both = 4 * precision + recall
        together = 5 * precision * recall / both if both else 0
        assert table.cell(variant, "chrf").score == pytest.approx(together)
    assert table.part(table.variants[0], "bleu", "luck") is None


def test_other_parts_are_means_over_the_segments():
    vectors = dict.fromkeys(("<s>", "</s>", "a"), (1.0, 0.0)) | {"b": (0.0, 1.0), "c": (0.6, 0.8)}
    segments = [
        LabSegment(reference="a", source=None, lang="en", outputs={"S": "a"}),
        LabSegment(reference="a b", source=None, lang="en", outputs={"S": "a c"}),
    ]
    lab = Lab(variants=(Variant(system="S"),), requests=(Request("bertscore"),))
    found = run_lab(segments, lab, fake_backends(FakeEncoder(vectors)))
    # first: 1 and 1; second: a meets a, c meets b at 0.8: (1 + 0.8) / 2 both ways
    assert found.part(lab.variants[0], "bertscore", "precision") == pytest.approx(0.95)
    assert found.part(lab.variants[0], "bertscore", "recall") == pytest.approx(0.95)


def test_a_cell_says_how_far_it_is_from_the_system_as_it_is(table):
    short, maru = Variant(system="Short"), Variant(system="Short", edits=("maru-7",))
    assert table.cell(short, "bleu").difference is None
    gap = table.cell(maru, "bleu").score - table.cell(short, "bleu").score
    assert table.cell(maru, "bleu").difference == pytest.approx(gap)
    assert (table.changed(maru), table.changed(short)) == (1, 0)


def test_mean_ranks_name_the_variants_and_put_the_copied_source_last(table):
    standings = table.standings()
    assert standings.systems[-1].system == "Short + copy-source"
    assert set(table.without_each_metric()) == {"bleu", "chrf"}


def test_who_is_fooled_is_counted_over_the_segments_that_changed(table):
    found = {(one.edit, one.metric): one for one in table.weaknesses()}
    maru = found["maru-7", "chrf"]
    moved = table.scores["chrf"][0, 2] - table.scores["chrf"][0, 1]
    assert (maru.n, maru.mean) == (1, pytest.approx(moved))
    assert (maru.rose, maru.fell, maru.fooled) == (float(moved > 0), float(moved < 0), float(moved < 0))
    assert found["copy-source", "bleu"].fooled is None  # whether that breaks the meaning depends
    dropped = found["drop-last-sentence", "bleu"]
    assert (dropped.n, dropped.fooled) == (0, None)  # each text is one sentence


def test_the_order_of_segments_changes_no_score():
    rows = variants(("Default", "Short"), ("Short",), ("repeat", "shuffle"))
    lab = Lab(variants=rows, requests=SURFACE, seed=3)
    one, other = run_lab(SEGMENTS, lab, BACKENDS), run_lab(SEGMENTS[::-1], lab, BACKENDS)
    for metric in ("bleu", "chrf"):
        assert np.array_equal(one.scores[metric], other.scores[metric][::-1])
        assert one.pooled[metric] == pytest.approx(other.pooled[metric])


def test_a_run_can_be_stopped():
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_lab(SEGMENTS, Lab(variants=(Variant(system="Short"),), requests=SURFACE), BACKENDS, progress=stop)


def test_nothing_to_do_and_a_missing_translation_are_sentences():
    with pytest.raises(InputError, match="at least one segment"):
        run_lab([], Lab(variants=(Variant(system="Short"),), requests=SURFACE), BACKENDS)
    with pytest.raises(InputError, match="no translation of Nobody"):
        run_lab(SEGMENTS, Lab(variants=(Variant(system="Nobody"),), requests=SURFACE), BACKENDS)


@pytest.mark.embedded
def test_a_text_is_read_once_however_many_edits_and_metrics_there_are(backends):
    encoder = backends.encoder("embedded")
    rows = variants(("Default", "Short"), ("Short",), ("maru-7", "concat", "repeat"))
    requests = tuple(map(Request, ("bertscore", "subspace", "bertscore-reading")))
    first = run_lab(SEGMENTS, Lab(variants=rows, requests=requests), backends)
    before = encoder.tokens_run
    again = run_lab(SEGMENTS, Lab(variants=rows, requests=requests), backends)
    assert encoder.tokens_run == before
    for metric in first.metrics:
        assert np.array_equal(first.scores[metric], again.scores[metric])
