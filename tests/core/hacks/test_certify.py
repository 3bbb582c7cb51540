"""The certificate: it holds for what we ship, and catches an encoder that looks at its neighbours."""

from __future__ import annotations

import json

import numpy as np
import pytest

from core.backends import Backends, Compute
from core.backends.encoder.cache import CachedEncoder
from core.backends.encoder.transformer import TransformerEncoder
from core.cli.certify import CONDITIONS, LONG, OTHER_FORMAT, certify, with_neighbours
from core.errors import InputError, OptionError, UnavailableError
from core.scoring import Request
from core.types import Parse, TextPair
from tests.support.cli_files import run, write
from tests.support.fake_backends import FakeEncoder, FakeParser, fake_backends

PAIRS = [
    TextPair(reference="a", hypothesis="b", lang="en"),
    TextPair(reference="c", hypothesis="c", lang="en"),
]
BERTSCORE = [Request("bertscore")]


class CrowdedEncoder(FakeEncoder):
    """A token is (n/10, 1, 0) in a call of n texts, but `a` is (1, 0, 0), `<s>` and `</s>` are (0, 0, 1)."""

    def __init__(self):
        super().__init__({"a": (1, 0, 0), "<s>": (0, 0, 1), "</s>": (0, 0, 1)})

    def encode(self, texts, *, layer, long="window", progress=None):
        self.words += [word for text in texts for word in text.split() if word not in self.words]
        self.vectors |= {word: np.array([len(texts) / 10, 1, 0], np.float32) for word in self.words[3:]}
        return super().encode(texts, layer=layer, long=long)


def crowded(dtype=None):
    cached = CachedEncoder(CrowdedEncoder())
    return Backends(encoder=lambda name: cached, fresh=crowded)


class TiredParser(FakeParser):
    """Has no parse while it is tired."""

    tired = False

    def parse(self, texts, *, lang, constituents, progress=None):
        if self.tired:
            return [Parse(words=(), problem="The parser is tired.") for _ in texts]
        return super().parse(texts, lang=lang, constituents=constituents)


def test_an_encoder_that_depends_on_its_neighbours_is_caught_where_it_does():
    found = certify(PAIRS, BERTSCORE, crowded())
    by_name = {change.condition: change for change in found.changes}
    # a, b and c are read in one call: cos(a, b) = 0.3 / √1.09 = 0.287348; pair by pair 0.2 / √1.04 = 0.196116
    alone = by_name["batches-1"]
    assert (alone.largest, alone.pair, alone.lost) == (pytest.approx(0.287348 - 0.196116, abs=2e-6), 0, 0)
    assert not found.holds
    assert [name for name in CONDITIONS if by_name[name].holds is False] == ["batches-1", "neighbours"]
    assert by_name["warm"].largest == 0
    assert by_name["warm"].pair is None


def test_another_number_format_is_reported_and_not_judged():
    def plain(dtype=None):
        vectors = {"<s>": (0, 0, 1), "</s>": (0, 0, 1), "a": (1, 0, 0), "b": (0.6, 0.8, 0), "c": (0, 1, 0)}
        if dtype == OTHER_FORMAT:
            vectors["b"] = (0.8, 0.6, 0)
        cached = CachedEncoder(AnyWord(vectors))
        return Backends(encoder=lambda name: cached, fresh=plain)

    found = certify(PAIRS, BERTSCORE, plain())
    (change,) = [one for one in found.changes if one.condition == OTHER_FORMAT]
    assert (change.largest, change.pair, change.holds) == (pytest.approx(0.2), 0, None)
    assert found.holds


class AnyWord(FakeEncoder):
    """Unknown words are (0, 0, 1)."""

    def encode(self, texts, *, layer, long="window", progress=None):
        new = {word: np.array([0, 0, 1], np.float32) for text in texts for word in text.split()}
        self.vectors = new | self.vectors
        self.words = [*self.words, *(word for word in new if word not in self.words)]
        return super().encode(texts, layer=layer, long=long)


def test_a_score_that_goes_away_is_caught():
    parser = TiredParser()

    def tire(done, total):
        parser.tired = done == 2  # the second condition, `warm`

    vectors = {"<s>": (0, 0, 1), "</s>": (0, 0, 1), "a": (1, 0, 0), "b": (0.6, 0.8, 0), "c": (0, 1, 0)}
    backends = fake_backends(AnyWord(vectors), parser=parser)
    found = certify(PAIRS, [Request("structure-dep")], backends, progress=tire)
    lost = {change.condition: (change.lost, change.largest, change.holds) for change in found.changes}
    assert lost.pop("warm") == (2, None, False)
    assert set(lost.values()) == {(0, 0.0, True)}
    assert OTHER_FORMAT not in lost  # no encoder here has it
    assert (found.other, found.holds) == ({}, False)


def test_neighbours_stand_round_every_pair_and_are_empty_long_and_as_long():
    pairs = [TextPair(reference=f"一番目の文{n}", hypothesis=f"訳文{n}", lang="ja") for n in range(5)]
    found = with_neighbours(pairs)
    assert found[1::2] == pairs
    others = found[0::2]
    assert len(others) == 6
    assert not set(others) & set(pairs)
    assert "" in {one.reference for one in others}
    assert max(len(one.reference) for one in others) == LONG
    assert sum(len(one.hypothesis) == len(pairs[0].reference) for one in others) == 3


def test_one_pair_has_neighbours_too():
    assert with_neighbours(PAIRS[:1])[1] == PAIRS[0]


@pytest.mark.slow
@pytest.mark.embedded
def test_what_we_ship_holds(backends, japanese_pairs):
    requests = [Request(name) for name in ("chrf", "bertscore", "subspace", "sentence-cosine")]
    found = certify(japanese_pairs[:3], requests, backends)
    assert found.holds
    assert [change.condition for change in found.changes] == [*CONDITIONS] * 4
    other = {change.metric: change.largest for change in found.changes if change.condition == OTHER_FORMAT}
    assert other["chrf"] == 0
    assert all(1e-6 < other[name] < 0.05 for name in ("bertscore", "subspace", "sentence-cosine"))
    assert "enc:embedded@" in found.signatures["bertscore"]
    assert "enc:embedded-bfloat16@" in found.other["bertscore"]


@pytest.mark.heavy
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_every_metric_that_asks_nobody_holds_on_a_hundred_pairs(
    backends, japanese_pairs, english_pairs, lang
):
    from tests.conftest import WITHOUT_JUDGE

    pairs = {"ja": japanese_pairs, "en": english_pairs}[lang][:100]
    found = certify(pairs, [Request(name) for name in WITHOUT_JUDGE], backends)
    assert [change for change in found.changes if change.holds is False] == []


def test_models_are_kept_and_what_was_read_is_forgotten(tiny_bert, backends):
    name = str(tiny_bert)
    encoder = backends.encoder(name)
    encoder.encode(["猫"], layer=1)
    before = encoder.tokens_run
    encoder.encode(["猫"], layer=1)
    assert encoder.tokens_run == before
    again = backends.without_cache().encoder(name)
    again.encode(["猫"], layer=1)
    assert encoder.tokens_run == again.tokens_run == before + 3  # one model; [CLS] 猫 [SEP] once more


def test_another_format_stands_in_the_name_and_changes_little(tiny_bert):
    exact, rough = (
        TransformerEncoder(str(tiny_bert), compute=Compute(precision=one)) for one in ("auto", "bfloat16")
    )
    assert (exact.name, rough.name) == ("tiny-bert", "tiny-bert-bfloat16")
    assert exact.fingerprint == rough.fingerprint  # of the tokenizer, too, by which dictionaries go
    one, other = (encoder.encode(["吾輩は猫である。"], layer=2)[0] for encoder in (exact, rough))
    assert other.vectors.dtype == np.float32
    assert 1e-4 < np.abs(one.vectors - other.vectors).max() < 0.1
    with pytest.raises(OptionError, match="precision=int8 is not possible; choose auto or float32"):
        TransformerEncoder(str(tiny_bert), compute=Compute(precision="int8"))


def test_backends_without_a_memory_have_nothing_to_forget_and_one_format():
    backends = fake_backends(FakeEncoder({}))
    assert backends.without_cache() is backends
    with pytest.raises(UnavailableError, match="no encoder in bfloat16"):
        backends.without_cache("bfloat16")


@pytest.mark.parametrize(
    ("metric", "settings"), [("gemba-da", {}), ("mteqa", {"answers": "llm"}), ("external:comet", {})]
)
def test_what_others_say_is_not_certified(metric, settings):
    with pytest.raises(OptionError, match=r"comet|nothing can be certified"):
        certify(PAIRS, [Request(metric, settings)], fake_backends(FakeEncoder({})))


def test_nothing_to_certify_is_a_sentence():
    for pairs, requests in (([], BERTSCORE), (PAIRS, [])):
        with pytest.raises(InputError, match="at least one pair"):
            certify(pairs, requests, fake_backends(FakeEncoder({})))


@pytest.fixture
def files(tmp_path):
    return (
        "--ref",
        write(tmp_path / "r", ["吾輩は猫である。"] * 3),
        "--hyp",
        write(tmp_path / "h", ["犬", "", "猫"]),
    )


def test_the_command_line_has_a_line_for_each_metric_and_condition(files):
    status, out, err = run("certify", "--metric", "bleu,chrf", *files, "--pairs", 2)
    lines = out.splitlines()
    assert (status, err, lines[0]) == (0, "", "2 pairs")
    assert [line.split()[:3] for line in lines[2:10]] == [["bleu", name, "0"] for name in CONDITIONS]
    assert [line.split("–")[1].strip() for line in lines[2:10]] == ["same"] * 7 + ["not judged"]
    assert [line.split("|")[0] for line in lines[18:]] == ["bleu", "chrf"]


def test_json_says_the_same(files):
    status, out, _ = run("certify", "--metric", "chrf", *files, "--json")
    found = json.loads(out)
    assert (status, found["pairs"], found["tolerance"], found["holds"]) == (0, 3, 1e-6, True)
    assert found["changes"][0] == {
        "metric": "chrf", "condition": "again", "largest": 0.0, "pair": None, "lost": 0, "holds": True,
    }  # fmt: skip
    assert list(found["signatures"]) == ["chrf"]


def test_a_certificate_that_fails_is_our_fault(files, monkeypatch):
    monkeypatch.setattr("core.cli.certify.load_backends", crowded)
    status, out, err = run("certify", "--metric", "bertscore", *files)
    assert status == 1
    assert "NOT THE SAME" in out
    assert err == "A score depends on more than its pair: it changed by more than 1e-06.\n"


@pytest.mark.parametrize(
    ("option", "value"), [("--metric", "gemba-da"), ("--pairs", 0), ("--ref", "nowhere.txt")]
)
def test_bad_input_is_the_users(files, option, value):
    given = {"--metric": "chrf", **dict(zip(files[::2], files[1::2], strict=True)), option: value}
    status, out, err = run("certify", *(word for pair in given.items() for word in pair))
    assert (status, out) == (2, "")
    assert "Traceback" not in err
