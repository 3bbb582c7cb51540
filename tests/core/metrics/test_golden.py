"""Numbers do not change unnoticed: stored scores of real pairs, and what differs in how they were made."""

import json

import pytest

from core.scoring import Request, score_pairs
from core.signature import differences
from tests.conftest import FIXTURES, WITHOUT_JUDGE, read_fixture

pytestmark = pytest.mark.embedded
GOLDEN = json.loads((FIXTURES.parent / "golden" / "scores.json").read_text("utf-8"))


@pytest.mark.parametrize("name", WITHOUT_JUDGE)
@pytest.mark.parametrize("lang", ["ja", "en"])
def test_real_pairs_score_what_they_did(backends, name, lang):
    golden = [entry for entry in GOLDEN if (entry["metric"], entry["lang"]) == (name, lang)]
    pairs = read_fixture(f"pairs_{lang}.tsv", lang, len(golden))
    assert len(pairs) >= 8
    for entry, (result,) in zip(golden, score_pairs(pairs, [Request(name)], backends), strict=True):
        changed = differences(entry["signature"], result.signature)
        assert dict(result.parts) == pytest.approx(entry["parts"], abs=2e-5), changed
