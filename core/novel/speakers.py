"""Who speaks a quotation, where the text says it: speech tags, and alternation between two who are tagged.

A tag names a speaker where its subject is a person's name (「…」とホームズは言った, “…,” said Holmes, Holmes
said: “…”). A pronoun names nobody; the narrator (said I, と私は言った) is told apart but not named. A second
quotation after a tag of one sentence is the same speaker's. In a run of paragraphs that are speech, where
exactly two speakers are tagged and every tag fits their taking turns, the others take turns as well. All else
is unknown.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from core.hacks.names import PLACE
from core.novel.mentions import Mention
from core.novel.quotations import Quotation
from core.types import Parse, ParsedWord

NARRATOR, PRONOUN, OTHER = "I", "he", "?"
"""Subjects of tags that name nobody: said I; he said; the old man said."""

_SAID_JA = frozenset(
    [
        "言う",
        "いう",
        "云う",
        "答える",
        "こたえる",
        "応える",
        "訊く",
        "聞く",
        "尋ねる",
        "訊ねる",
        "たずねる",
        "叫ぶ",
        "続ける",
        "囁く",
        "ささやく",
        "呟く",
        "つぶやく",
        "述べる",
        "語る",
        "話す",
        "怒鳴る",
        "どなる",
        "呻く",
        "うめく",
        "返す",
        "切り出す",
        "説明",
        "返事",
        "付け加える",
        "遮る",
        "頼む",
        "申す",
        "喚く",
        "促す",
        "問う",
        "問いかける",
        "問い返す",
        "言い返す",
        "口",
        "叫び声",
        "返答",
        "質問",
        "断言",
        "笑い出す",
        "命じる",
        "告げる",
        "仰る",
        "おっしゃる",
        "言い出す",
        "言い放つ",
        "繰り返す",
    ]
)
_SAID_EN = (
    r"(?:said|says|asked|asks|answered|replied|cried|remarked|continued|observed|exclaimed|murmured|whispered|"
    r"muttered|shouted|ejaculated|returned|added|repeated|interrupted|suggested|explained|demanded|inquired|"
    r"enquired|growled|gasped|responded|began|declared|roared|sobbed|snarled|called)"
)
_TITLE_EN = (
    r"(?:(?:Mr|Mrs|Dr|Ms|St)\.?|Miss|Inspector|Lord|Lady|Sir|Colonel|Captain|Major|Professor|Doctor|"
    r"old|young|poor)"
)
_AFTER_VERB = re.compile(rf"[\s—–-]*{_SAID_EN}\s+(?:my (?:friend|companion),?\s+)?(?:{_TITLE_EN}\s+)*")
_AFTER_TITLE = re.compile(rf"[\s—–-]*(?:{_TITLE_EN}\s+)*")
_VERB = re.compile(rf"(?:\s+\w+ly)?\s+{_SAID_EN}\b")
_BEFORE = re.compile(rf"(?:\s+\w+ly)?\s+{_SAID_EN}\b(?:\s[^.!?\"“”:]{{0,40}})?[,:]\s*")
_I_SAID = re.compile(rf"[\s—–-]*(?:{_SAID_EN}\s+I\b|I\s+(?:\w+ly\s+)?{_SAID_EN}\b)")
_PRONOUN_EN = re.compile(r"(?:he|she|they|we|you)\b")
_HE_SAID = re.compile(rf"[\s—–-]*(?:he|she|they)\s+(?:\w+ly\s+)?{_SAID_EN}\b", re.IGNORECASE)
_NARRATION = re.compile(r"\s*(?:He|She|They|The|A|With|As|At|In|It|There|Then|We)\b")
_SELF_JA = frozenset({"私", "僕", "俺", "わたし", "ぼく", "おれ", "余", "吾輩", "我輩", "自分", "わたくし"})
_TITLES_JA = frozenset(
    [
        "さん",
        "君",
        "氏",
        "様",
        "さま",
        "先生",
        "博士",
        "夫人",
        "嬢",
        "警部",
        "警視",
        "卿",
        "教授",
        "大佐",
        "殿",
        "医師",
    ]
)
_STOPS_JA = re.compile("[。「」『』！？\n―—：:]")
_SUBJECT = frozenset("はがも")
_GAP = 60
"""Code points of a tag between two quotations of one speaker, at most."""


def speakers(
    texts: Sequence[str],
    documents: Sequence[str],
    found: Sequence[Sequence[Quotation]],
    mentions: Sequence[Sequence[Mention]],
    called: Mapping[str, str],
    parses: Sequence[Parse],
    *,
    lang: str,
) -> list[list[str | None]]:
    """The speaker of each quotation, None where it is unknown or not named.

    called: the name of each form that a mention can have. parses: of each text, used for Japanese.
    """
    told: list[list[str | None]] = []
    for text, own, named, parse in zip(texts, found, mentions, parses, strict=True):
        people = {one.end: one for one in named if one.kind != PLACE or lang == "ja"}
        tags: list[str | None] = []
        for place, one in enumerate(own):
            left = own[place - 1].end if place else 0
            right = own[place + 1].start if place + 1 < len(own) else len(text)
            if lang == "ja":
                tag = _tag_ja(text, parse, one, left, right, people)
            else:
                tag = _tag_en(text, one, left, right, people)
            tags.append(called.get(tag, tag) if tag else tag)
        told.append(_joined(text, own, tags, named, called))
    _continue(found, told)
    for run in _runs(texts, documents, found):
        _alternate(run, told)
    unnamed = (NARRATOR, PRONOUN, OTHER)
    return [[None if one in unnamed else one for one in own] for own in told]


def called(by_segment: Sequence[Sequence[Mention]]) -> dict[str, str]:
    """The name of each form: a form of one part is the full name before it that begins or ends with it.

    Where two full names do, or the only one comes after it, it stays by itself.
    """
    parts = {one.form: _parts(one.form) for own in by_segment for one in own}
    order = {form: place for place, form in enumerate(parts)}
    full: dict[str, dict[str, str]] = defaultdict(dict)
    for form, own in parts.items():
        if len(own) > 1:
            for part in {own[0], own[-1]}:
                full[part][" ".join(own)] = form
    told = {}
    for form, own in parts.items():
        longer = full.get(own[0], {}) if len(own) == 1 else {}
        name = next(iter(longer.values())) if len(longer) == 1 else form
        told[form] = name if order[name] < order[form] else form
    return told


def _parts(form: str) -> list[str]:
    """Parts of a name without titles: Mr. Sherlock Holmes has two."""
    pieces = form.replace("・", " ").replace("＝", " ").split()
    return [one for one in pieces if re.fullmatch(_TITLE_EN, one) is None] or pieces


def _tag_ja(
    text: str, parse: Parse, one: Quotation, left: int, right: int, people: Mapping[int, Mention]
) -> str | None:
    """The subject of the words of saying after a quotation, or before it in the same sentence."""
    after = re.compile(r"[、\s]*(?:などと|と|って)?、?").match(text, one.end)
    start = after.end() if after else one.end
    stop = _STOPS_JA.search(text, start, right)
    end = stop.start() if stop else right
    clause = [word for word in parse.words if start <= word.start and word.end <= end]
    tagged = after is not None and after.group().strip("、 \n\u3000") != ""
    before = [at.end() for at in re.finditer("[。「」『』！？\n]", text[left : one.start])]
    begin = left + (before[-1] if before else 0)
    lead = [word for word in parse.words if begin <= word.start and word.end <= one.start]
    if tagged and clause and text[clause[-1].end : clause[-1].end + 1] == "。":
        bare = clause[-1].end in people and people[clause[-1].end].start == clause[0].start
        if bare or (len(clause) == 1 and clause[0].text in _SELF_JA):
            return people[clause[-1].end].form if bare else NARRATOR
    leading = _subject(text, clause[:3], people, any_verb=True) if tagged else None
    if leading in [who.form for who in people.values() if clause and who.start == clause[0].start]:
        return leading
    if _says(clause):
        told = _subject(text, clause, people)
        if told is None and tagged:
            return _subject(text, lead, people, any_verb=True)
        return told
    if not tagged and text[begin : one.start].rstrip().endswith("、") and not text[one.end : right].strip():
        return _subject(text, lead, people, any_verb=True)
    sentence = text[left : one.start].rstrip("。：: \n\u3000―—")
    opens = max(sentence.rfind(mark) for mark in "。！？")
    said = [word for word in parse.words if left + opens < word.start and word.end <= left + len(sentence)]
    if said and not tagged and said[-1].pos in ("AUX", "VERB") and _says(said[-3:]):
        return _subject(text, said, people)
    return None


def _says(words: Sequence[ParsedWord]) -> bool:
    return any(word.lemma in _SAID_JA for word in words)


def _subject(
    text: str, words: Sequence[ParsedWord], people: Mapping[int, Mention], *, any_verb: bool = False
) -> str | None:
    """The first subject: a name, or one that names nobody; None without one."""
    for at, word in enumerate(words):
        if not any_verb and word.lemma in _SAID_JA:
            rest = words[at + 1 : at + 4]
            turned = "".join(one.text for one in rest)
            if turned.startswith(("たのは", "うのは")):
                for one in words[at + 3 :]:
                    if one.end in people:
                        return people[one.end].form
            return None
        if word.text in _SUBJECT and word.tag.startswith("助詞") and at:
            last = at - 1
            while last > 0 and words[last].text in _TITLES_JA and words[last].end not in people:
                last -= 1
            who = people.get(words[last].end)
            joint = who is not None and re.search("[^」』”]と$", text[: who.start]) is not None
            if who is not None and not joint:
                return who.form
            return _unnamed(words[last])
    return None


def _unnamed(word: ParsedWord) -> str:
    if word.text in _SELF_JA:
        return NARRATOR
    return PRONOUN if word.tag.startswith("代名詞") else OTHER


def _tag_en(text: str, one: Quotation, left: int, right: int, people: Mapping[int, Mention]) -> str | None:
    starts = {who.start: who for who in people.values()}
    after = text[one.end : right]
    if _I_SAID.match(after) and text[one.end - 2] in ",?!-—–":
        return NARRATOR
    verb = _AFTER_VERB.match(text, one.end, right)
    if verb is not None:
        for at in _within(verb, text):
            if at in starts:
                return starts[at].form
        return PRONOUN if _PRONOUN_EN.match(text, verb.end()) else OTHER
    title = _AFTER_TITLE.match(text, one.end, right)
    who = next((starts[at] for at in _within(title, text) if at in starts), None) if title else None
    if who is not None and text[one.end - 2] in ",?!-—–" and _VERB.match(text, who.end, right):
        return who.form
    if _HE_SAID.match(after) and text[one.end - 2] in ",?!-—–":
        return PRONOUN
    for who in people.values():
        if left <= who.start and _BEFORE.fullmatch(text, who.end, one.start):
            joint = text[left : who.start].rstrip().endswith((" and", " to", " of"))
            return None if joint else who.form
    return None


def _within(found: re.Match[str], text: str) -> list[int]:
    """Places at which a name can begin: after the matched words, or at a title among them."""
    places = [at.start() for at in re.finditer(r"\S+\s*", text[found.start() : found.end()])]
    return [found.end(), *(found.start() + at for at in reversed(places))]


def _joined(
    text: str,
    own: Sequence[Quotation],
    tags: Sequence[str | None],
    named: Sequence[Mention],
    called: Mapping[str, str],
) -> list[str | None]:
    """A quotation without a tag of its own, after the tag of the one before, has the same speaker."""
    told = list(tags)
    for place, (one, other) in enumerate(pairwise(own), 1):
        gap = text[one.end : other.start]
        speaker = told[place - 1]
        if told[place] is not None or speaker in (None, OTHER, PRONOUN) or not gap.strip() or len(gap) > _GAP:
            continue
        others = [
            who
            for who in named
            if one.end <= who.start < other.start and called.get(who.form, who.form) != speaker
        ]
        stops = len(re.findall(r"[。！？\n]|[.!?](?=\s)", gap))
        if not others and stops <= 1:
            told[place] = speaker
    return told


def _continue(found: Sequence[Sequence[Quotation]], told: Sequence[list[str | None]]) -> None:
    """Give a speech that goes on in the next paragraph its speaker."""
    for place, own in enumerate(found):
        if own and own[0].continues and told[place][0] is None:
            told[place][0] = told[place - 1][-1]


def _runs(
    texts: Sequence[str], documents: Sequence[str], found: Sequence[Sequence[Quotation]]
) -> list[list[list[tuple[int, int]]]]:
    """Runs of neighbouring paragraphs that begin with speech: the quotations of each turn."""
    runs: list[list[list[tuple[int, int]]]] = []
    last = -2
    for segment, own in enumerate(found):
        if not own or texts[segment][: own[0].start].strip():
            continue
        turn = [(segment, place) for place in range(len(own))]
        follows = segment == last + 1 and documents[segment] == documents[last]
        follows = follows and not _narrates(texts[last][found[last][-1].end :])
        if not follows:
            runs.append([turn])
        elif own[0].continues:
            runs[-1][-1] += turn
        else:
            runs[-1].append(turn)
        last = segment
    return runs


def _narrates(tail: str) -> bool:
    """Whether more than a tag follows the last quotation of a paragraph: somebody may come or go."""
    titles = len(re.findall(r"\b(?:Mr|Mrs|Dr)\.", tail))
    stops = len(re.findall(r"[。！？]|[.!?](?=\s|$)", tail)) - titles
    return stops > 1 or _NARRATION.match(tail) is not None


def _alternate(run: Sequence[Sequence[tuple[int, int]]], told: Sequence[list[str | None]]) -> None:
    """Two speakers who are tagged take turns, where no tag says otherwise."""
    turns = []
    for turn in run:
        tags = {told[segment][place] for segment, place in turn} - {None, PRONOUN}
        turns.append(tags)
    if any(len(tags) > 1 for tags in turns):
        return
    sides: tuple[set[str | None], set[str | None]] = (set(), set())
    for place, tags in enumerate(turns):
        sides[place % 2].update(tags)
    if any(len(side) != 1 or OTHER in side for side in sides) or sides[0] == sides[1]:
        return
    for place, turn in enumerate(run):
        (speaker,) = sides[place % 2]
        for segment, at in turn:
            if told[segment][at] is None:
                told[segment][at] = speaker
