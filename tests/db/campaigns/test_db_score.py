from __future__ import annotations

from dataclasses import replace

import pytest
from sacrebleu.metrics import CHRF
from typer.testing import CliRunner

from core.codec import decode_trace, encode_trace
from core.errors import InputError, OptionError
from core.metrics import find_metric
from db.__main__ import app, main
from db.campaigns.load import load_bundle
from db.campaigns.scoring import further_references, score_campaign
from db.campaigns.stored_results import read_results, score_row
from db.formats.bundle import Bundle, OutputRow, SegmentRow, SystemRow
from db.queries import list_translations, scores_of_translation, store_scores
from tests.support.fake_backends import FakeEncoder, fake_backends

VECTORS = {"<s>": (0, 0, 1), "</s>": (0, 0, -1), "a": (1, 0, 0), "b": (0, 1, 0), "c": (0.6, 0.8, 0)}


@pytest.fixture
def encoder() -> FakeEncoder:
    return FakeEncoder(VECTORS)


@pytest.fixture
def letters(engine) -> int:
    """Two segments; `ash` translates both, `beech` leaves the second empty; the reference is rated too."""
    segments = (SegmentRow("d", 0, "a b"), SegmentRow("d", 1, "a"))
    texts = {"ash": ("c", "a"), "beech": ("a b", ""), "refA": ("a b", "a")}
    bundle = Bundle(
        name="Letters",
        langs=("ja", "en"),
        systems=(SystemRow("ash"), SystemRow("beech"), SystemRow("refA", is_reference=True)),
        segments=segments,
        outputs=tuple(
            OutputRow(segment.key, system, texts[system][segment.position])
            for segment in segments
            for system in texts
        ),
    )
    return load_bundle(engine, bundle, "Letters").campaign_id


def stored(engine, campaign) -> dict[tuple[str, int, str], float | None]:
    return {
        (one.system, one.position, score.metric): score.score
        for one in list_translations(engine, campaign)
        for score in scores_of_translation(engine, one.id)
    }


def test_every_translation_but_the_rated_reference_gets_its_score(engine, letters, encoder):
    report = score_campaign(engine, letters, {"bertscore": {}}, fake_backends(encoder))
    assert (report.computed, report.kept, report.missing) == (4, 0, 0)
    found = stored(engine, letters)
    assert set(found) == {(system, place, "bertscore") for system in ("ash", "beech") for place in (0, 1)}
    assert found["ash", 0, "bertscore"] == pytest.approx(2 * 0.8 * 0.7 / 1.5)  # worked out in test_bertscore
    assert found["ash", 1, "bertscore"] == pytest.approx(1)
    assert found["beech", 1, "bertscore"] == 0


def test_flags_parts_and_signature_are_stored_and_the_trace_unless_it_is_not_wanted(engine, letters, encoder):
    backends = fake_backends(encoder)
    score_campaign(engine, letters, {"bertscore": {}}, backends, with_trace=False)
    empty = next(one for one in list_translations(engine, letters) if one.text == "")
    (row,) = scores_of_translation(engine, empty.id)
    assert row.flags == ("empty-hypothesis",)
    assert row.parts == {"precision": 0, "recall": 0, "f1": 0}
    assert row.signature.startswith("bertscore|enc:fake@")
    assert row.trace is None
    again = score_campaign(engine, letters, {"bertscore": {}}, backends)
    assert (again.computed, again.kept) == (4, 0)
    (row,) = scores_of_translation(engine, empty.id)
    assert decode_trace(row.trace).parts()["f1"] == row.score


def test_a_stored_score_is_not_computed_again_but_another_signature_is(engine, letters, encoder):
    backends = fake_backends(encoder)
    score_campaign(engine, letters, {"bertscore": {}}, backends)
    encoder.calls.clear()
    again = score_campaign(engine, letters, {"bertscore": {}}, backends)
    assert (again.computed, again.kept, encoder.calls) == (0, 4, [])
    other = score_campaign(engine, letters, {"bertscore": {"specials": "exclude"}}, backends)
    assert (other.computed, other.kept) == (4, 0)


def test_what_one_metric_has_already_is_not_read_for_another(engine, letters, encoder):
    backends = fake_backends(encoder)
    score_campaign(engine, letters, {"chrf": {}}, backends)
    both = score_campaign(engine, letters, {"chrf": {}, "sentence-cosine": {}}, backends)
    assert (both.computed, both.kept) == (4, 4)
    assert {metric for _, _, metric in stored(engine, letters)} == {"chrf", "sentence-cosine"}


@pytest.mark.parametrize("batch", [1, 2, 200])
def test_an_interrupted_run_keeps_what_is_done_and_the_next_one_does_the_rest(
    engine, letters, encoder, monkeypatch, batch
):
    monkeypatch.setattr("db.campaigns.scoring.BATCH", batch)

    def stop_after_three(done: int, total: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_campaign(engine, letters, {"chrf": {}}, fake_backends(encoder), progress=stop_after_three)
    assert len(stored(engine, letters)) == 3
    rest = score_campaign(engine, letters, {"chrf": {}}, fake_backends(encoder))
    assert (rest.computed, rest.kept) == (1, 3)


def test_idf_counts_the_references_of_the_whole_campaign_also_when_a_run_goes_on(engine, letters, encoder):
    backends = fake_backends(encoder)
    settings = {"bertscore": {"weight": "idf", "idf": "references"}}
    score_campaign(engine, letters, settings, backends)
    whole = stored(engine, letters)
    first = list_translations(engine, letters)[0]
    (row,) = scores_of_translation(engine, first.id)
    assert "|idf:references-2-" in row.signature
    assert score_campaign(engine, letters, settings, backends).computed == 0
    assert whole["ash", 0, "bertscore"] == pytest.approx(0.8)  # only b counts: a is in every reference


def test_progress_goes_from_nothing_to_all_without_steps_back(engine, letters, encoder):
    seen: list[tuple[int, int]] = []
    score_campaign(
        engine,
        letters,
        {"chrf": {}, "bleu": {}},
        fake_backends(encoder),
        progress=lambda *now: seen.append(now),
    )
    assert seen == sorted(seen)
    assert sorted(set(seen)) == [(done, 8) for done in range(9)]


def test_a_region_in_the_campaigns_language_does_not_change_the_tokenizer(engine, encoder):
    row = SegmentRow("d", 0, "吾輩は猫である。")
    bundle = Bundle(
        name="Region",
        langs=("en", "ja-JP"),
        systems=(SystemRow("ash"),),
        segments=(row,),
        outputs=(OutputRow(row.key, "ash", "私は猫です。"),),
    )
    campaign = load_bundle(engine, bundle, "Region").campaign_id
    score_campaign(engine, campaign, {"bleu": {}}, fake_backends(encoder))
    (score,) = scores_of_translation(engine, list_translations(engine, campaign)[0].id)
    assert "|tok:ja-mecab-" in score.signature
    assert score.flags == ()


@pytest.mark.parametrize(
    ("settings", "error"), [({"bertscore": {"layer": "9"}}, OptionError), ({"metoer": {}}, OptionError)]
)
def test_a_wrong_request_stores_nothing(engine, letters, encoder, settings, error):
    with pytest.raises(error):
        score_campaign(engine, letters, {"chrf": {}, **settings}, fake_backends(encoder))
    assert stored(engine, letters) == {}
    assert encoder.calls == []


def test_an_unknown_campaign_is_the_users_mistake(engine, encoder):
    with pytest.raises(InputError, match="no campaign number 7"):
        score_campaign(engine, 7, {"chrf": {}}, fake_backends(encoder))


def test_the_command_scores_with_a_real_encoder_and_says_what_it_did(engine, campaign, tiny_bert, url):
    arguments = ["score", "--campaign", "Small", "--metric", "chrf,bertscore", "--set"]
    arguments += [f"bertscore.encoder={tiny_bert}", "--set", "bertscore.layer=2"]
    done = CliRunner().invoke(app, arguments)
    assert (done.exit_code, done.stdout) == (0, "")
    assert "Stored 72 scores (0 of them missing); 0 existed already." in done.stderr  # 12 × 3 × 2
    assert "Stored 0 scores" in CliRunner().invoke(app, arguments).stderr
    first = list_translations(engine, campaign)[0]
    rows = scores_of_translation(engine, first.id)
    assert [(row.metric, row.trace["format"]) for row in rows] == [("chrf", 2), ("bertscore", 2)]
    assert [decode_trace(row.trace).parts() for row in rows] == [row.parts for row in rows]


@pytest.mark.parametrize(("option", "traced"), [("--no-trace", False), ("--trace", True)])
def test_traces_can_be_left_out(engine, campaign, option, traced):
    done = CliRunner().invoke(app, ["score", "--campaign", "Small", "--metric", "chrf", option])
    assert done.exit_code == 0
    first = list_translations(engine, campaign)[0]
    assert len(scores_of_translation(engine, first.id, traced=True)) == traced
    assert "--trace" not in CliRunner().invoke(app, ["score", "--help"]).stdout.replace("--no-trace", "")


def test_a_trace_that_was_stored_as_plain_json_still_opens(engine, letters, encoder):
    first = list_translations(engine, letters)[0]
    result = find_metric("bertscore").prepare({}, fake_backends(encoder), []).score(first.pair("en"))
    row = score_row(first.id, result)
    store_scores(engine, [replace(row, trace=encode_trace(result.trace))])
    found = read_results(engine, first.id).find("bertscore", row.signature)
    assert (found.score, found.trace.parts()) == (result.score, result.trace.parts())


def test_a_missing_score_is_not_computed_again_for_want_of_a_trace(engine, letters, encoder):
    backends = fake_backends(encoder)
    first = list_translations(engine, letters)[0]
    score_campaign(engine, letters, {"chrf": {}}, backends)
    (row,) = scores_of_translation(engine, first.id)
    store_scores(engine, [replace(row, score=None, missing="No reply.", trace=None)])
    assert score_campaign(engine, letters, {"chrf": {}}, backends).computed == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--campaign", "None", "--metric", "chrf"), "There is no campaign “None”; there are: “Small”."),
        (
            ("--campaign", "Small", "--metric", "chr"),
            "There is no metric chr; did you mean chrf? Choose",
        ),
        (("--campaign", "Small", "--metric", ","), "--metric is empty"),
        (
            ("--campaign", "Small", "--metric", "bleu", "--set", "chrf.x=1"),
            "--set chrf.x=1: write METRIC.OPTION=VALUE",
        ),
        (
            ("--campaign", "Small", "--metric", "bleu", "--set", "tokenize=x"),
            "bleu.tokenize=x is not possible",
        ),
    ],
)
def test_a_mistake_ends_with_status_2_and_one_sentence(engine, campaign, capsys, arguments, sentence):
    with pytest.raises(SystemExit) as ended:
        main(["score", *arguments])
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert err.startswith(sentence)
    assert err.count("\n") == 1


def test_further_references_of_a_campaign_are_joined_by_name(engine, encoder):
    texts = {"ash": "the cat sat", "refA": "a cat sat", "refB": "the cat was sitting", "refC": " "}
    segment = SegmentRow("d", 0, texts["refA"])
    bundle = Bundle(
        name="Two references",
        langs=("ja", "en"),
        systems=tuple(SystemRow(name, is_reference=name != "ash") for name in texts),
        segments=(segment,),
        outputs=tuple(OutputRow(segment.key, name, text) for name, text in texts.items()),
    )
    campaign = load_bundle(engine, bundle, "Two references").campaign_id
    assert further_references(engine, campaign) == ("refB", "refC")
    report = score_campaign(
        engine, campaign, {"chrf": {}}, fake_backends(encoder), references=["refA", "refB", "refC"]
    )
    (translation,) = (one for one in list_translations(engine, campaign) if one.system == "ash")
    (row,) = scores_of_translation(engine, translation.id)
    expected = CHRF().sentence_score(texts["ash"], [texts["refA"], texts["refB"]]).score
    assert (report.computed, row.score) == (1, pytest.approx(expected))
    assert "|refs:2|" in row.signature
    with pytest.raises(OptionError, match=r"has no reference refD \(it has: refA, refB, refC\)"):
        score_campaign(engine, campaign, {"chrf": {}}, fake_backends(encoder), references=["refD"])


def test_ruby_of_a_campaign_is_scored_as_readers_see_it(engine):
    texts = {
        "html": "<ruby>斎藤<rp>（</rp><rt>さいとう</rt><rp>）</rp></ruby>は笑った。",
        "aozora": "斎藤《さいとう》は笑った。",
        "bar": "｜斎藤《さいとう》は笑った。",
    }
    bundle = Bundle(
        name="Ruby",
        langs=("en", "ja"),
        systems=tuple(map(SystemRow, texts)),
        segments=(SegmentRow("d", 0, "斎藤は笑った。"),),
        outputs=tuple(OutputRow(("d", 0), name, text) for name, text in texts.items()),
    )
    campaign = load_bundle(engine, bundle, "Ruby").campaign_id
    score_campaign(engine, campaign, {"chrf": {}}, fake_backends(FakeEncoder(VECTORS)))
    found = [scores_of_translation(engine, one.id) for one in list_translations(engine, campaign)]
    assert [(row.score, row.flags) for (row,) in found] == [(100, ())] * 3
