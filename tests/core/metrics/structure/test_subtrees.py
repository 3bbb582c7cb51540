"""Subtrees by hand: words, paths, branches and phrases, and vectors by maximum."""

import time

import numpy as np
import pytest

from core.metrics.structure import subtrees
from core.metrics.structure.subtrees import branches, phrases, word_vectors
from core.types import Constituent, Parse, ParsedWord, Token, TokenVectors

# I saw a girl: saw is the root, girl has the leaf a.
HEADS = {"I": 1, "saw": 1, "a": 3, "girl": 1}


def parsed(heads=HEADS, constituents=()):
    words, at = [], 0
    for text, head in heads.items():
        word = ParsedWord(text=text, start=at, end=at + len(text), lemma=text, tag=text.upper(), pos="X",
                          head=head, relation=f"rel-{text}")  # fmt: skip
        words.append(word)
        at += len(text) + 1
    return Parse(words=tuple(words), sentences=(0,), constituents=tuple(constituents))


def vectors_of(parse, *, pieces=1):
    """A one-hot vector a word; with two pieces the second has a 2 in the last column."""
    tokens, rows = [Token("<s>", 0, 0, True)], [np.zeros(len(parse.words) + 1)]
    for place, word in enumerate(parse.words):
        for piece in range(pieces):
            tokens.append(Token(word.text, word.start, word.end))
            row = np.zeros(len(parse.words) + 1)
            row[place] = 1
            row[-1] = 2 * piece
            rows.append(row)
    ids = np.zeros(len(tokens), np.int64)
    return TokenVectors(tuple(tokens), ids, np.array(rows, np.float32))


def listed(grown, kind):
    return [one.words for one in grown.subtrees if one.kind == kind]


def test_the_example_of_the_paper_has_its_words_paths_and_branches():
    parse = parsed()
    grown = branches(parse, vectors_of(parse))
    assert listed(grown, "word") == [(0,), (1,), (2,), (3,)]
    assert sorted(listed(grown, "path")) == [(0, 1), (1, 2, 3), (2, 3)]  # saw-I, saw-girl-a, girl-a
    assert listed(grown, "branch") == [(0, 1, 2, 3)]  # girl with its descendants is the path girl-a


def test_a_branch_is_headed_and_labelled_by_its_topmost_word():
    parse = parsed()
    (whole,) = [one for one in branches(parse, vectors_of(parse)).subtrees if one.kind == "branch"]
    assert (parse.words[whole.head].text, whole.label) == ("saw", "rel-saw")


def test_the_vector_of_a_subtree_is_the_maximum_over_its_words_pieces():
    parse = parsed()
    grown = branches(parse, vectors_of(parse, pieces=2))
    by_words = dict(zip((one.words for one in grown.subtrees), grown.vectors.tolist(), strict=True))
    assert by_words[2, 3] == [0, 0, 1, 1, 2]


def test_every_constituent_is_a_subtree_and_words_only_on_request():
    tree = [
        Constituent("S", 0, 4),
        Constituent("NP", 0, 1, 0),
        Constituent("VP", 1, 4, 0),
        Constituent("NP", 2, 4, 2),
    ]
    parse = parsed(constituents=tree)
    grown = phrases(parse, vectors_of(parse), lang="ja", preterminals=False)
    assert [(one.label, one.words) for one in grown.subtrees] == [
        ("S", (0, 1, 2, 3)), ("NP", (0,)), ("VP", (1, 2, 3)), ("NP", (2, 3)),
    ]  # fmt: skip
    assert grown.vectors[3].tolist() == [0, 0, 1, 1, 0]
    both = phrases(parse, vectors_of(parse), lang="ja", preterminals=True)
    assert [one.label for one in both.subtrees[4:]] == ["I", "SAW", "A", "GIRL"]


def test_a_word_without_a_token_is_in_no_vector_and_alone_it_is_no_subtree():
    parse = parsed()
    tokens = vectors_of(parse)
    without = TokenVectors(tokens.tokens[:-1], tokens.ids[:-1], tokens.vectors[:-1])
    _, found = word_vectors(parse, without)
    assert found.tolist() == [True, True, True, False]
    assert (3,) not in listed(branches(parse, without), "word")


def test_a_star_and_a_chain_have_as_many_paths_as_can_be_counted_by_hand():
    star = parsed({"a": 0, "b": 0, "c": 0, "d": 0})
    assert len(listed(branches(star, vectors_of(star)), "path")) == 3
    chain = parsed({"a": 0, "b": 0, "c": 1, "d": 2})
    assert len(listed(branches(chain, vectors_of(chain)), "path")) == 3  # from a, b and c down to d


def test_too_many_paths_keep_the_shorter_ones_and_say_so(monkeypatch):
    monkeypatch.setattr(subtrees, "MAX_PATHS", 2)
    parse = parsed()
    grown = branches(parse, vectors_of(parse))
    assert grown.capped
    assert sorted(listed(grown, "path")) == [(0, 1), (2, 3)]


@pytest.mark.parametrize("size", [1, 2, 50])
def test_vectors_do_not_depend_on_how_many_words_are_pooled_at_once(monkeypatch, size):
    parse = parsed()
    expected = branches(parse, vectors_of(parse)).vectors
    monkeypatch.setattr(subtrees, "WORDS_AT_ONCE", size)
    assert np.array_equal(branches(parse, vectors_of(parse)).vectors, expected)


def test_a_long_caterpillar_of_400_words_takes_less_than_a_second():
    words = {f"w{place}": max(place - 1 - place % 2, 0) for place in range(400)}
    parse = parsed(words)
    tokens = vectors_of(parse)
    started = time.thread_time()
    grown = branches(parse, tokens)
    assert time.thread_time() - started < 1
    assert grown.capped


def test_without_merging_a_leaf_is_a_node_and_a_branch():
    parse = parsed()
    merged = branches(parse, vectors_of(parse)).subtrees
    every = branches(parse, vectors_of(parse), merge=False).subtrees
    # 4 words, the paths (I saw), (saw a girl), (a girl), and 4 branches, of which only (I saw a girl) is new
    assert (len(merged), len(every)) == (4 + 3 + 1, 4 + 3 + 4)
    assert [one.kind for one in every if one.words == (0,)] == ["word", "branch"]
