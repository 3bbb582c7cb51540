"""The forms of Japanese verbs: which words after a verb belong to it, and which of these add no sense."""

from __future__ import annotations

from itertools import pairwise

from core.metrics.mteqa.word_classes import HELPING_VERBS
from core.trees import Parse, ParsedWord

_ENDINGS = frozenset({"て", "で", "ば", "たり", "だり", "ちゃ"})
"""Japanese conjunctions that are part of the verb's form."""
_PLAIN_ENDINGS = frozenset({"た", "だ", "ます", "です", "て", "で"})
"""Those that add no sense of their own."""
_LOOSE = frozenset({"だ", "です", "らしい", "よう", "そう", "みたい"})


def helps(before: ParsedWord, word: ParsedWord) -> bool:
    """The second of two verbs side by side (走り出す), or a helping one after て (出て行く)."""
    if not (before.end == word.start and word.tag == "動詞-非自立可能"):
        return False
    side_by_side = before.tag.startswith("動詞") and before.pos == "VERB"
    after_te = before.text in ("て", "で") and before.pos == "SCONJ"
    return side_by_side or (after_te and word.lemma in HELPING_VERBS)


def ending(before: ParsedWord, word: ParsedWord, *, verb: ParsedWord) -> bool:
    """Whether a word still belongs to the form of a Japanese verb or adjective."""
    if before.end != word.start:
        return False
    if verb.tag.startswith("名詞") and before is verb:
        return word.lemma in ("する", "できる", "いたす", "なさる")
    if word.text == "だ" and before.tag.startswith("動詞") and before.text[-1] in "んい":
        return True  # 飛んだ, 泳いだ
    if word.pos == "AUX" or (word.relation == "fixed" and word.pos in ("VERB", "AUX", "ADJ")):
        return word.lemma not in _LOOSE and "助動詞語幹" not in word.tag
    return helps(before, word) or (word.pos == "SCONJ" and (word.text in _ENDINGS or word.tag == "助動詞"))


def verb_endings(parse: Parse, start: int, end: int) -> frozenset[int]:
    """Where endings of Japanese verbs between two places begin that add no sense (た, ます, ている)."""
    found = set()
    for before, word in pairwise(parse.words):
        if start <= word.start and word.end <= end and before.end == word.start:
            plain = word.tag in ("助動詞", "助詞-接続助詞") and word.lemma in _PLAIN_ENDINGS
            helping = before.text in ("て", "で") and before.pos == "SCONJ" and helps(before, word)
            if plain or helping:
                found.add(word.start)
    return frozenset(found)


def splits(word: ParsedWord, following: ParsedWord) -> bool:
    """Whether a gap for the first of two words would cut one word in two: 調教場, 少なくとも."""
    noun = word.tag.startswith("名詞") and following.tag.startswith(("名詞", "接尾辞"))
    return (noun and following.pos != "AUX") or (word.pos == "ADJ" and following.text == "とも")


def joined(parse: Parse, at: int, verb: int) -> bool:
    """Whether a Japanese noun or prefix makes one word with the verb after it: お勤め, 贅沢好き."""
    word, following = parse.words[at], parse.words[at + 1]
    japanese = word.tag.startswith(("接頭辞", "名詞"))
    return japanese and word.end == following.start and word.relation == "compound" and word.head == verb
