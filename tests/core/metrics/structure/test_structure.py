"""Structure alignment with trees and vectors written by hand."""

import numpy as np
import pytest

from core.codec import decode_trace, encode_trace
from core.errors import UnavailableError
from core.metrics.structure.alignment import align
from core.metrics.structure.metric import score
from core.types import Constituent, Parse, ParsedWord, TextPair
from tests.support.fake_backends import FakeEncoder

HALF = 0.5**0.5
VECTORS = {
    "<s>": (0, 0, 0, 9),
    "</s>": (0, 0, 0, 9),
    "he": (1, 0, 0, 0),
    "she": (0, 1, 0, 0),
    "saw": (0, 0, 1, 0),
    "they": (HALF, HALF, 0, 0),
}


def dependency(text, root, relations):
    """Words between blanks, all depending on `root`."""
    words, at = [], 0
    for place, word in enumerate(text.split()):
        words.append(ParsedWord(text=word, start=at, end=at + len(word), lemma=word, tag="X", pos="X",
                                head=root, relation=relations[place]))  # fmt: skip
        at += len(word) + 1
    return Parse(
        words=tuple(words), sentences=(0,), origin="dependency",
        constituents=(Constituent("S", 0, len(words)), Constituent("NP", 0, 1, 0)),
    )  # fmt: skip


class WrittenParser:
    """Gives the parses that were written down; a text without one has a problem."""

    name = "written"

    def __init__(self, parses):
        self.parses = parses

    def signature(self, lang, *, constituents):
        return "written"

    def parse(self, texts, *, lang, constituents, progress=None):
        if lang == "xx":
            raise UnavailableError("No parser for xx.", lang=lang)
        nothing = Parse(words=())
        lost = Parse(words=(), problem="The parser failed on this text.")
        return [nothing if not text.strip() else self.parses.get(text, lost) for text in texts]


PARSER = WrittenParser(
    {
        "he saw she": dependency("he saw she", 1, ["nsubj", "root", "obj"]),
        "she saw he": dependency("she saw he", 1, ["nsubj", "root", "obj"]),
        "they saw": dependency("they saw", 1, ["nsubj", "root"]),
        "he": dependency("he", 0, ["root"]),
    }
)


def scored(reference, hypothesis, trees="dependency", lang="en", **how):
    pair = TextPair(reference=reference, hypothesis=hypothesis, lang=lang)
    return score(pair, encoder=FakeEncoder(VECTORS), parser=PARSER, layer=1, trees=trees, **how)


@pytest.mark.parametrize("trees", ["dependency", "constituency"])
@pytest.mark.parametrize("agreeing", ["none", "label", "head"])
@pytest.mark.parametrize("subtree_weight", ["none", "log"])
def test_a_text_aligned_with_itself_scores_one(trees, agreeing, subtree_weight):
    result = scored("he saw she", "he saw she", trees, agreeing=agreeing, subtree_weight=subtree_weight)
    assert result.score == pytest.approx(1)
    assert result.parts["unmatched_reference"] == 0


def test_swapped_roles_are_seen_only_by_the_label_filter():
    """Six subtrees a side: he, saw, she, saw-he, saw-she, all. Without a filter each finds itself; with the
    labels `he` as nsubj may only meet `she` (cosine 0), and so may `she`: the other four have partners."""
    assert scored("he saw she", "she saw he").score == pytest.approx(1)
    strict = scored("he saw she", "she saw he", agreeing="label")
    assert strict.score == pytest.approx(4 / 6)
    assert scored("he saw she", "she saw he", agreeing="head").score == pytest.approx(1)


def test_the_head_filter_leaves_other_words_unmatched_and_counts_them_as_zero():
    """they: unmatched; saw: 1; they-saw: (HALF, HALF, 1), nearest to all, (1, 1, 1), headed by saw too."""
    result = scored("he saw she", "they saw", agreeing="head")
    whole = np.array([HALF, HALF, 1])
    candidates = [np.array([1, 0, 1]), np.array([1, 1, 1]), np.array([0, 0, 1])]
    best = max(float(whole @ one / np.linalg.norm(whole) / np.linalg.norm(one)) for one in candidates)
    assert result.parts["precision"] == pytest.approx((0 + 1 + best) / 3)
    assert result.parts["unmatched_hypothesis"] == pytest.approx(1 / 3)
    aligned = result.trace.hypothesis.aligned
    assert (aligned.partner[0], aligned.best[0]) == (-1, 5)  # the filter kept it from the whole
    assert aligned.best_similarity[0] == pytest.approx(2 * HALF / 3**0.5)


def test_the_logarithm_of_their_length_weighs_single_words_nothing():
    result = scored("he saw she", "they saw", subtree_weight="log")
    assert result.trace.hypothesis.weights.tolist() == pytest.approx([0, 0, np.log(2)])
    assert scored("he", "he", subtree_weight="log").score == pytest.approx(1)  # nothing but single words


def test_phrases_count_with_and_without_the_words_below_them():
    assert len(scored("they saw", "they saw", "constituency").trace.reference.subtrees) == 2
    both = scored("they saw", "they saw", "constituency", preterminals=True).trace
    assert [one.label for one in both.reference.subtrees] == ["S", "NP", "X", "X"]


def test_shares_add_up_to_precision_and_recall():
    result = scored("he saw she", "they saw", agreeing="label")
    assert result.trace.hypothesis.shares().sum() == pytest.approx(result.parts["precision"])
    assert result.trace.reference.shares().sum() == pytest.approx(result.parts["recall"])


def test_the_score_is_that_of_its_trace_after_a_round_trip_through_json():
    result = scored("he saw she", "they saw", "constituency", agreeing="head", preterminals=True)
    again = decode_trace(encode_trace(result.trace))
    assert again.parts() == result.trace.parts()
    assert again.reference.parse == result.trace.reference.parse


def test_an_empty_side_scores_zero_and_says_so():
    result = scored("he saw she", " ")
    assert (result.score, result.missing) == (0, None)
    assert "empty-hypothesis" in result.flags


def test_a_language_without_a_parser_is_missing_with_its_reason():
    result = scored("he", "he", lang="xx")
    assert (result.score, result.missing) == (None, "No parser for xx.")


def test_a_text_on_which_the_parser_fails_is_missing_and_the_next_one_is_not():
    assert scored("he", "saw saw").missing == "The parser failed on this text."
    assert scored("he", "he").score == pytest.approx(1)


def test_blocks_of_rows_give_the_same_partners_as_one_matrix(monkeypatch):
    rng = np.random.default_rng(5)
    own, other = (rng.normal(size=(rows, 8)).astype(np.float32) for rows in (37, 23))
    kinds = [list("abc") * 13, list("bcd") * 8]
    whole = align(own, other, kinds[0][:37], kinds[1][:23])
    monkeypatch.setattr("core.metrics.structure.alignment.BLOCK_ROWS", 5)
    parts = align(own, other, kinds[0][:37], kinds[1][:23])
    assert np.array_equal(whole.partner, parts.partner)
    assert np.allclose(whole.similarity, parts.similarity, atol=1e-6)


def test_the_words_of_a_subtree_are_shown_with_gaps():
    side = scored("he saw she", "he").trace.reference
    assert [side.text(one) for one in side.subtrees if one.kind != "word"] == [
        "he saw",
        "saw she",
        "he saw she",
    ]
