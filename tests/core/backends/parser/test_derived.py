from hypothesis import given, settings
from hypothesis import strategies as st

from core.backends.parser.derived import derive, projective
from core.types import Constituent, ParsedWord


def words(rows):
    """From `text tag pos head relation` a word, heads as places."""
    made = []
    for row in rows:
        text, tag, pos, head, relation = row.split()
        made.append(
            ParsedWord(
                text=text, start=0, end=0, lemma="", tag=tag, pos=pos, head=int(head), relation=relation
            )
        )
    return made


def bracketed(rows, lang):
    """The constituents as `LABEL:words`, in order."""
    sentence = words(rows)
    texts = [word.text for word in sentence]
    return [f"{one.label}:{' '.join(texts[one.start : one.end])}" for one in derive(sentence, lang)]


GIRL = [
    "I PRP PRON 1 nsubj",
    "saw VBD VERB 1 ROOT",
    "a DT DET 3 det",
    "girl NN NOUN 1 dobj",
    ". . PUNCT 1 punct",
]


def test_a_subject_a_verb_and_an_object_are_a_sentence_with_a_verb_phrase():
    assert derive(words(GIRL), "en") == [
        Constituent("S", 0, 5),
        Constituent("NP", 0, 1, 0),
        Constituent("VP", 1, 4, 0),
        Constituent("NP", 2, 4, 2),
    ]


def test_every_auxiliary_opens_a_verb_phrase_and_what_stands_behind_a_noun_a_second_noun_phrase():
    rows = [
        "Dogs NNS NOUN 5 nsubjpass",
        "in IN ADP 0 prep",
        "parks NNS NOUN 1 pobj",
        "have VBP AUX 5 aux",
        "been VBN AUX 5 auxpass",
        "seen VBN VERB 5 ROOT",
    ]
    assert bracketed(rows, "en") == [
        "S:Dogs in parks have been seen",
        "NP:Dogs in parks",
        "NP:Dogs",
        "PP:in parks",
        "NP:parks",
        "VP:have been seen",
        "VP:been seen",
        "VP:seen",
    ]


def test_a_relative_clause_is_an_sbar_in_its_noun_phrase():
    rows = [
        "the DT DET 1 det",
        "man NN NOUN 1 ROOT",
        "who WP PRON 3 nsubj",
        "ran VBD VERB 1 relcl",
    ]
    assert bracketed(rows, "en") == [
        "NP:the man who ran",
        "NP:the man",
        "SBAR:who ran",
        "WHNP:who",
        "S:ran",
        "VP:ran",
    ]


def test_a_question_has_its_auxiliary_before_the_subject():
    rows = [
        "Did VBD AUX 2 aux",
        "you PRP PRON 2 nsubj",
        "see VB VERB 2 ROOT",
        "it PRP PRON 2 dobj",
        "? . PUNCT 2 punct",
    ]
    assert bracketed(rows, "en") == ["SQ:Did you see it ?", "NP:you", "VP:see it", "NP:it"]


def test_coordinated_verbs_share_their_subject_and_coordinated_clauses_do_not():
    shared = ["I PRP PRON 1 nsubj", "sat VBD VERB 1 ROOT", "and CC CCONJ 1 cc", "ate VBD VERB 1 conj"]
    assert bracketed(shared, "en") == ["S:I sat and ate", "NP:I", "VP:sat and ate", "VP:sat", "VP:ate"]
    apart = [*shared[:3], "she PRP PRON 4 nsubj", "ate VBD VERB 1 conj"]
    assert "S:she ate" in bracketed(apart, "en")


def test_a_japanese_noun_with_its_particle_is_a_pp_and_a_clause_before_a_noun_a_relative_one():
    rows = [
        "私 代名詞 PRON 2 nsubj",
        "が 助詞 ADP 0 case",
        "買っ 動詞 VERB 4 acl",
        "た 助動詞 AUX 2 aux",
        "本 名詞 NOUN 6 obj",
        "を 助詞 ADP 4 case",
        "読む 動詞 VERB 6 ROOT",
        "。 補助記号 PUNCT 6 punct",
    ]
    assert bracketed(rows, "ja") == [
        "IP-MAT:私 が 買っ た 本 を 読む 。",
        "PP:私 が 買っ た 本 を",
        "NP:私 が 買っ た 本",
        "IP-REL:私 が 買っ た",
        "PP:私 が",
        "NP:私",
    ]


def test_a_quoted_clause_is_a_cp_and_a_question_too():
    quoted = [
        "行く 動詞 VERB 2 ccomp",
        "と 助詞 ADP 0 case",
        "言う 動詞 VERB 2 ROOT",
    ]
    assert bracketed(quoted, "ja") == ["IP-MAT:行く と 言う", "CP-THT:行く と", "IP-SUB:行く"]
    asked = ["行く 動詞 VERB 0 ROOT", "か 助詞 PART 0 mark", "。 補助記号 PUNCT 0 punct"]
    assert bracketed(asked, "ja") == ["CP-QUE:行く か 。", "IP-SUB:行く"]


def test_arcs_that_cross_are_lifted_and_others_stay():
    assert projective([2, 3, 2, 2]) == [2, 2, 2, 2]  # 1 -> 3 ran over the root
    assert projective([1, 1, 1]) == [1, 1, 1]
    assert projective([2, 3, 4, 4, 4]) == [4, 4, 4, 4, 4]  # 0 -> 2 crossed 1 -> 3, which crossed 2 -> 4
    assert projective([]) == []


@settings(max_examples=80, deadline=None)
@given(data=st.data(), lang=st.sampled_from(["en", "ja"]))
def test_whatever_a_parser_finds_the_phrases_lie_inside_each_other(data, lang):
    size = data.draw(st.integers(1, 12))
    order = data.draw(st.permutations(range(size)))
    heads = {order[0]: order[0]}
    for at, word in enumerate(order[1:], start=1):
        heads[word] = order[data.draw(st.integers(0, at - 1))]
    kinds = ["NN NOUN nsubj", "VB VERB conj", "IN ADP prep", ", PUNCT punct", "MD AUX aux", "WP PRON obj"]
    kinds += ["た SCONJ mark", "JJ ADJ acl", "CC CCONJ cc", "CD NUM nummod"]
    rows = []
    for word in range(size):
        tag, pos, relation = data.draw(st.sampled_from(kinds)).split()
        rows.append(f"w{word} {tag} {pos} {heads[word]} {relation}")
    phrases = derive(words(rows), lang)
    for place, one in enumerate(phrases):
        assert 0 <= one.start < one.end <= size
        assert one.parent < place
        if one.parent >= 0:
            assert phrases[one.parent].start <= one.start < one.end <= phrases[one.parent].end


def test_a_chain_of_two_thousand_words_is_no_trouble():
    rows = [f"w{n} NN NOUN {min(n + 1, 1999)} compound" for n in range(2000)]
    assert derive(words(rows), "en")[0] == Constituent("NP", 0, 2000)
