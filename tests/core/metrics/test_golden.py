"""Numbers do not change unnoticed: stored scores of real pairs, and what differs in how they were made."""

import json

import pytest

from core.metrics import METRICS
from core.scoring import Request, score_pairs
from core.signature import differences
from tests.conftest import FIXTURES, WITHOUT_JUDGE, read_fixture
from tests.golden import every_option

pytestmark = pytest.mark.embedded
GOLDEN = json.loads((FIXTURES.parent / "golden" / "scores.json").read_text("utf-8"))
OPTIONS = every_option.read_entries()


LONG = ("structure-con", "mteqa")
"""Metrics that need many seconds for real pairs; the short pairs check them every time."""
WITH_MODEL = [name for name in WITHOUT_JUDGE if METRICS[name].needs]
"""Metrics that need seconds for short pairs under every option; the Japanese pairs check them every time."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in LONG else name for name in WITHOUT_JUDGE]
)
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_real_pairs_score_what_they_did(backends, name, lang):
    golden = [entry for entry in GOLDEN if (entry["metric"], entry["lang"]) == (name, lang)]
    pairs = read_fixture(f"pairs_{lang}.tsv", lang, len(golden))
    assert len(pairs) >= 8
    for entry, (result,) in zip(golden, score_pairs(pairs, [Request(name)], backends), strict=True):
        changed = differences(entry["signature"], result.signature)
        assert dict(result.parts) == pytest.approx(entry["parts"], abs=2e-5), changed


@pytest.mark.parametrize(
    ("name", "lang"),
    [
        pytest.param(name, lang, marks=[pytest.mark.slow] if lang == "en" and name in WITH_MODEL else [])
        for name in METRICS
        for lang in every_option.LANGUAGES
    ],
)
def test_short_pairs_score_what_they_did_under_every_option(backends, name, lang):
    golden = {one["set"]: one for one in OPTIONS if (one["metric"], one["lang"]) == (name, lang)}
    tried = {every_option.written(one): one for one in every_option.settings_of(name, lang)}
    assert list(golden) == list(tried)
    for words, settings in tried.items():
        results = every_option.score(name, settings, lang, backends)
        for stored, result in zip(golden[words]["results"], results, strict=True):
            told = (words, differences(golden[words]["signature"], result.signature))
            assert result.score == pytest.approx(stored["score"], abs=2e-5), told
            assert dict(result.parts) == pytest.approx(stored["parts"], abs=2e-5), told
            assert list(result.flags) == stored.get("flags", []), told
            assert every_option.unversioned(result.signature) == every_option.unversioned(
                golden[words]["signature"]
            ), told


@pytest.mark.parametrize("name", METRICS)
def test_every_option_is_tried_or_says_why_not(name):
    tried = {option for settings in every_option.settings_of(name, "ja") for option in settings}
    left = {option.name for option in METRICS[name].options} - tried
    assert left <= every_option.NOT_TRIED.keys()
