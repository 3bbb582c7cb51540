from core.metrics.bertscore.metric import ledger, score, visible
from core.types import TextPair, Token
from tests.support.fake_backends import FakeEncoder

VECTORS = {"<s>": (0, 0, 1), "</s>": (0, 0, -1), "a": (1, 0, 0), "b": (0, 2, 0), "c": (0.6, 0.8, 0)}


def test_each_row_names_the_token_its_partner_and_its_share():
    trace = score(TextPair(reference="a b", hypothesis="c"), encoder=FakeEncoder(VECTORS), layer=1).trace
    rows = ledger(trace, "reference")
    assert [(row.token.text, row.partner.text, row.weight) for row in rows[1:3]] == [
        ("a", "c", 1),
        ("b", "c", 1),
    ]
    assert [round(row.share, 6) for row in rows] == [0, 0.3, 0.4, 0]


def test_blanks_and_special_tokens_can_be_seen():
    assert visible(Token("▁the", 0, 3)) == "␣the"
    assert visible(Token("\u3000", 0, 1)) == "□"
    assert visible(Token("", 0, 0)) == "∅"
    assert visible(Token("[SEP]", 0, 0, True)) == "[SEP]"
