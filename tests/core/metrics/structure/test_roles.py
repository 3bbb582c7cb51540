"""Who does what: roles out of dependencies, and alignments that ask for them."""

import numpy as np
import pytest

from core.metrics.structure.alignment import Role, align_roles, content_words, roles
from core.types import Parse, ParsedWord


def parsed(*words):
    """Words as (text, universal tag, relation, place of the head)."""
    found, at = [], 0
    for text, pos, relation, head in words:
        found.append(ParsedWord(text=text, start=at, end=at + len(text), lemma=text, tag=pos, pos=pos,
                                head=head, relation=relation))  # fmt: skip
        at += len(text) + 1
    return Parse(words=tuple(found), sentences=(0,))


def named(parse):
    content = content_words(parse)
    return {
        parse.words[at].text: (
            one.name,
            None if one.governor < 0 else parse.words[content[one.governor]].text,
        )
        for at, one in zip(content, roles(parse), strict=True)
    }


ACTIVE = parsed(
    ("the", "DET", "det", 1), ("merchant", "NOUN", "nsubj", 2), ("insulted", "VERB", "ROOT", 2),
    ("a", "DET", "det", 5), ("young", "ADJ", "amod", 5), ("clerk", "NOUN", "dobj", 2),
)  # fmt: skip
PASSIVE = parsed(
    ("clerk", "NOUN", "nsubjpass", 2), ("was", "AUX", "auxpass", 2), ("insulted", "VERB", "ROOT", 2),
    ("by", "ADP", "agent", 2), ("merchant", "NOUN", "pobj", 3),
)  # fmt: skip
PASSIVE_JA = parsed(
    ("番頭", "NOUN", "nsubj", 4), ("は", "ADP", "case", 0),
    ("主人", "NOUN", "obl", 4), ("に", "ADP", "case", 2),
    ("叱ら", "VERB", "ROOT", 4), ("れる", "AUX", "aux", 4),
)  # fmt: skip


def test_active_and_passive_have_the_same_agent():
    assert named(ACTIVE)["merchant"] == named(PASSIVE)["merchant"] == ("agent", "insulted")
    assert named(ACTIVE)["clerk"] == named(PASSIVE)["clerk"] == ("other", "insulted")


def test_a_japanese_passive_is_done_by_the_one_with_ni():
    assert named(PASSIVE_JA) == {
        "番頭": ("other", "叱ら"),
        "主人": ("agent", "叱ら"),
        "叱ら": ("predicate", None),
    }


def test_articles_particles_and_marks_have_no_role():
    assert "the" not in named(ACTIVE)
    assert content_words(parsed(("。", "PUNCT", "ROOT", 0))) == (0,)  # unless there is nothing else


def test_prepositions_are_looked_through_and_conjuncts_share_a_role():
    parse = parsed(
        ("man", "NOUN", "nsubj", 5), ("with", "ADP", "prep", 0), ("hat", "NOUN", "pobj", 1),
        ("and", "CCONJ", "cc", 0), ("woman", "NOUN", "conj", 0), ("danced", "VERB", "ROOT", 5),
    )  # fmt: skip
    found = named(parse)
    assert found["hat"] == ("other", "man")
    assert found["woman"] == found["man"] == ("agent", "danced")


def test_only_modifiers_and_subordinate_clauses_are_asked_for_their_governor():
    asked = dict(zip((ACTIVE.words[at].text for at in content_words(ACTIVE)), roles(ACTIVE), strict=True))
    assert {text: one.checked for text, one in asked.items()} == {
        "merchant": False, "insulted": False, "young": True, "clerk": False,
    }  # fmt: skip


def unit(*rows):
    return np.array(rows, np.float32)


def test_a_word_that_surely_comes_again_in_another_role_counts_nothing():
    """Cosines 1 and 0: the mean is .5, so c = (1 - .5) / (1 - .5) = 1, and 1 · (1 - 1) = 0."""
    agent, other = Role("agent", 1, False), Role("other", 0, False)
    found = align_roles(unit((1, 0), (0, 1)), unit((1, 0), (0, 1)), [agent, other], [other, agent])
    assert found.similarity.tolist() == [0, 0]
    assert found.agrees.tolist() == [False, False]
    assert found.partner.tolist() == [0, 1]


def test_a_doubtful_partner_in_another_role_keeps_part_of_its_similarity():
    """Cosines .8 and .6, mean .7: c = .1 / .3 = 1/3, so .8 · 2/3 counts."""
    found = align_roles(unit((0.8, 0.6)), unit((1, 0), (0, 1)), [Role("agent", -1, False)],
                        [Role("other", -1, False)] * 2)  # fmt: skip
    assert found.similarity[0] == pytest.approx(0.8 * 2 / 3, abs=1e-6)


def test_a_modifier_of_another_word_does_not_agree():
    young, man, woman = (1, 0, 0), (0, 1, 0), (0, 0, 1)
    agent = Role("agent", -1, False)
    before = [Role("other", 1, True), agent, agent]
    after = [Role("other", 2, True), agent, agent]
    found = align_roles(unit(young, man, woman), unit(young, man, woman), before, after)
    assert found.agrees.tolist() == [False, True, True]
