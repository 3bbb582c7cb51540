"""Head words: Collins' rules by hand, and head-final Japanese."""

import pytest

from core.metrics.structure.subtrees import constituent_heads
from core.types import Constituent, Parse, ParsedWord

NO_MARKS = {",": "PUNCT", ".": "PUNCT", "``": "PUNCT"}


def bracketed(text, pos=()):
    """A Parse out of (S (NP (PRP I)) …): tags are those of the leaves; `pos` by word for Japanese."""
    tokens = text.replace("(", " ( ").replace(")", " ) ").split()
    words, phrases, open_ = [], [], []
    at = 0
    while at < len(tokens):
        if tokens[at] == "(" and tokens[at + 2] == "(":
            phrases.append([tokens[at + 1], len(words), None, open_[-1] if open_ else -1])
            open_.append(len(phrases) - 1)
            at += 2
        elif tokens[at] == "(":
            tag, word = tokens[at + 1], tokens[at + 2]
            start = words[-1].end + 1 if words else 0
            universal = dict(pos).get(word, NO_MARKS.get(tag, "X"))
            words.append(
                ParsedWord(text=word, start=start, end=start + len(word), lemma=word, tag=tag, pos=universal,
                           head=len(words), relation="dep")
            )  # fmt: skip
            at += 4
        else:
            phrases[open_.pop()][2] = len(words)
            at += 1
    return Parse(words=tuple(words), sentences=(0,), constituents=tuple(Constituent(*one) for one in phrases))


def heads(text, lang="en", pos=()):
    parse = bracketed(text, pos)
    places = constituent_heads(parse, lang)
    return [
        (one.label, parse.words[place].text) for one, place in zip(parse.constituents, places, strict=True)
    ]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        ("(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN girl))))",
         [("S", "saw"), ("NP", "I"), ("VP", "saw"), ("NP", "girl")]),
        ("(NP (NP (DT the) (NN man)) (PP (IN with) (NP (NNS dogs))))",
         [("NP", "man"), ("NP", "man"), ("PP", "with"), ("NP", "dogs")]),
        ("(NP (NNP John) (POS 's))", [("NP", "'s")]),
        ("(VP (MD will) (VP (VB go)))", [("VP", "will"), ("VP", "go")]),
        ("(S (VP (TO to) (VP (VB go))))", [("S", "to"), ("VP", "to"), ("VP", "go")]),
        ("(SBAR (IN that) (S (NP (PRP he)) (VP (VBD left))))",
         [("SBAR", "that"), ("S", "left"), ("NP", "he"), ("VP", "left")]),
        ("(QP ($ $) (CD 3) (CD million))", [("QP", "$")]),
        ("(ADVP (RB very) (RB well))", [("ADVP", "well")]),
    ],
)  # fmt: skip
def test_english_heads_are_those_of_collins_table(tree, expected):
    assert heads(tree) == expected


def test_a_coordination_is_headed_by_the_conjunct_before_the_conjunction():
    assert heads("(NP (NNS cats) (CC and) (NNS dogs))") == [("NP", "cats")]


def test_marks_are_no_heads_where_there_is_a_word():
    assert heads("(FRAG (`` q) (NN night) (. .))")[0] == ("FRAG", "night")
    assert heads("(FRAG (. .))") == [("FRAG", ".")]


def test_an_unknown_label_takes_its_first_child():
    assert heads("(XYZ (NN one) (NN two))") == [("XYZ", "one")]


def test_japanese_heads_are_the_last_content_words_with_particles_and_auxiliaries_looked_through():
    pos = {"彼女": "PRON", "を": "ADP", "見": "VERB", "て": "SCONJ", "い": "AUX", "た": "AUX", "。": "PUNCT"}
    tree = "(IP-MAT (PP (NP (P 彼女)) (P を)) (V 見) (P て) (V い) (A た) (M 。))"
    assert heads(tree, "ja", pos) == [("IP-MAT", "見"), ("PP", "彼女"), ("NP", "彼女")]


def test_a_japanese_phrase_of_nothing_but_particles_has_its_last_one():
    assert heads("(PP (P に) (P は) (M 、))", "ja", {"に": "ADP", "は": "ADP", "、": "PUNCT"}) == [
        ("PP", "は")
    ]
