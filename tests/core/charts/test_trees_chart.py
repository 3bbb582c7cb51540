"""Two trees face to face: marks where they belong, shapes for what found no partner, a band for a choice."""

import numpy as np
import pytest

from core.charts.palette import LIGHT
from core.charts.trees import ChosenSubtree, TreeWords, layout, trees
from core.metrics.structure.alignment import Alignment
from core.metrics.structure.metric import StructureSide, StructureTrace
from core.metrics.structure.subtrees import BRANCH, PATH, PHRASE, WORD, Subtree
from core.types import Parse, ParsedWord

WORDS = TreeWords(reference="R", hypothesis="H", similarity="sim", partner="with", unmatched="nobody")


def parse(text, heads):
    words, at = [], 0
    for place, word in enumerate(text.split()):
        words.append(ParsedWord(text=word, start=at, end=at + len(word), lemma=word, tag="T", pos="X",
                                head=heads[place], relation=f"r{place}"))  # fmt: skip
        at += len(word) + 1
    return Parse(words=tuple(words), sentences=(0,))


def side(parsed, subtrees, partners, similarity=None):
    partners = np.array(partners)
    values = np.where(partners >= 0, 0.5, 0) if similarity is None else np.array(similarity)
    aligned = Alignment(partners, values.astype(np.float32), partners >= 0, partners, values)
    return StructureSide(
        parse=parsed, subtrees=tuple(subtrees), weights=np.ones(len(subtrees)), aligned=aligned
    )


# S over everything, NP over the first word, VP over the other two, VP's NP over the last: as a unary chain.
PHRASES = [
    Subtree(PHRASE, (0, 1, 2), "S", 1), Subtree(PHRASE, (0,), "NP", 0), Subtree(PHRASE, (1, 2), "VP", 1),
    Subtree(PHRASE, (2,), "NP", 2), Subtree(PHRASE, (2,), "QP", 2),
]  # fmt: skip
SENTENCE = parse("he saw <b>two</b>", [1, 1, 1])


def test_a_phrase_stands_further_out_than_what_it_holds_and_half_way_between_its_ends():
    marks = {mark.label: mark for mark in layout(side(SENTENCE, PHRASES, [0, 1, 2, 3, 4]), range(3)).marks}
    assert marks["S"].x > marks["VP"].x > marks["NP·QP"].x > 0
    assert marks["VP"].y == 1.5
    assert marks["S"].y == 0.75  # half way between the NP in row 0 and the VP in row 1.5


def test_a_chain_over_the_same_words_is_one_mark_with_all_its_subtrees():
    (chain,) = [
        mark for mark in layout(side(SENTENCE, PHRASES, [0] * 5), range(3)).marks if "·" in mark.label
    ]
    assert chain.places == (3, 4)


def test_an_arc_leads_from_each_word_to_its_head_and_carries_its_branch():
    parsed = parse("a girl saw him", [1, 2, 2, 2])
    subtrees = [Subtree(WORD, (at,), f"r{at}", at) for at in range(4)]
    subtrees += [Subtree(PATH, (0, 1), "r1", 1), Subtree(BRANCH, (0, 1, 2, 3), "r2", 2)]
    placed = layout(side(parsed, subtrees, [0] * 6), range(4))
    arcs = {mark.label: mark.places for mark in placed.marks if mark.label}
    assert arcs == {"r0": (), "r1": (4,), "r2": (5,), "r3": ()}  # a leaf's branch is its word, marked there
    assert len(placed.lines) == 4


def trace_of(partners=(0, 1, 2, -1, -1)):
    other = side(SENTENCE, PHRASES, [0, 1, 2, 3, 4])
    return StructureTrace(
        reference=side(SENTENCE, PHRASES, partners), hypothesis=other, trees="constituency", filter="label"
    )


def marks_of(figure, name):
    return [one for one in figure.data if one.mode == "markers" and one.marker.symbol == name]


def labels_of(figure):
    return [list(one.text) for one in figure.data if one.mode == "text" and one.hoverinfo == "skip"]


def test_what_found_no_partner_is_a_cross_and_says_so():
    figure = trees(trace_of(), words=WORDS, palette=LIGHT)
    crosses = marks_of(figure, "x-thin-open")
    assert [[list(data[:2]) for data in one.customdata] for one in crosses] == [[["reference", 3]], []]
    assert "nobody" in crosses[0].customdata[0][2]


def test_a_mark_says_its_side_and_place_and_whom_it_met():
    figure = trees(trace_of(), words=WORDS, palette=LIGHT)
    circles = marks_of(figure, "circle")[0]
    side_name, place, about = circles.customdata[0]
    assert (side_name, place) == ("reference", 0)
    assert "with: he saw &lt;b&gt;two&lt;/b&gt;" in about
    assert "sim: 0.500" in about


def test_the_reference_stands_on_the_left_and_the_words_between_the_trees():
    figure = trees(trace_of(), words=WORDS, palette=LIGHT)
    left, right = marks_of(figure, "circle")
    assert max(left.x) < 0 < min(right.x)
    words = [one for one in figure.data if one.mode == "text" and one.hoverinfo != "skip"]
    assert min(left.x) < words[0].x[0] < 0 < words[1].x[0] < max(right.x)
    assert words[0].text[2] == "&lt;b&gt;two&lt;/b&gt;"  # never markup


def test_the_chosen_subtree_is_joined_with_its_partner_and_one_without_has_no_band():
    joined = trees(trace_of(), words=WORDS, palette=LIGHT, chosen=ChosenSubtree("reference", 2))
    assert len(joined.layout.shapes) == 1
    assert sum(one.marker.symbol == "circle-open" for one in joined.data) == 2
    alone = trees(trace_of(), words=WORDS, palette=LIGHT, chosen=ChosenSubtree("reference", 3))
    assert len(alone.layout.shapes) == 0


def test_sixty_words_have_a_row_of_their_own_each():
    long = parse(" ".join(f"w{at}" for at in range(60)), [0] * 60)
    one = side(long, [Subtree(WORD, (at,), "r", at) for at in range(60)], [0] * 60)
    figure = trees(
        StructureTrace(reference=one, hypothesis=one, trees="dependency", filter="none"),
        words=WORDS, palette=LIGHT,
    )  # fmt: skip
    assert figure.layout.height >= 60 * 20


@pytest.mark.parametrize("rows", [range(3), range(1, 3)])
def test_only_what_lies_in_the_rows_shown_is_drawn(rows):
    figure = trees(trace_of(), words=WORDS, palette=LIGHT, rows=(rows, range(3)))
    labels = [label.strip() for label in labels_of(figure)[0]]
    assert labels == (["S", "NP", "VP", "NP·QP"] if len(rows) == 3 else ["VP", "NP·QP"])
