"""What holds for every parse."""

from itertools import pairwise


def well_made(parse, text):
    """What the types promise."""
    words = parse.words
    shown = text.replace("\ud842", "\N{REPLACEMENT CHARACTER}")
    assert [shown[word.start : word.end] for word in words] == [word.text for word in words]
    assert all(before.end <= after.start for before, after in pairwise(words))
    assert all(word.text.strip() and word.lemma for word in words)
    for first, end in zip(parse.sentences, [*parse.sentences[1:], len(words)], strict=False):
        heads = [word.head for word in words[first:end]]
        assert all(first <= head < end for head in heads)
        assert sum(head == place for place, head in enumerate(heads, start=first)) == 1
    for place, one in enumerate(parse.constituents):
        assert 0 <= one.start < one.end <= len(words)
        assert -1 <= one.parent < place
        if one.parent >= 0:
            above = parse.constituents[one.parent]
            assert above.start <= one.start
            assert one.end <= above.end
        assert any(first <= one.start for first in parse.sentences)
    return True


def phrases(parse, text):
    return [
        (one.label, text[parse.words[one.start].start : parse.words[one.end - 1].end])
        for one in parse.constituents
    ]
