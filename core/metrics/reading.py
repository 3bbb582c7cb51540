"""BERTScore with a penalty on rare words that sound different (the novels paper).

Every token gets a coefficient m: M, how far two readings agree, if the token is rare, else 1. P' = P ·
mean_j m(x̂_j), R' = R · mean_i m(x_i) over the tokens that are not special, F' = 2P'R' / (P' + R'). M = 1 -
Levenshtein(own, other) / max(len own, len other), unit costs, in [0, 1]; two empty readings give 1.

Under `kana=normal` (not in the paper) a word that only one text writes with an iteration mark of kana
(いろ〳〵, いろいろ) has the word of equal reading as its partner, whatever the partners of its tokens.

The equations of the paper are lost in the copy at hand, and its prose says two things of x̂. Before the
equation: the rare tokens are compared with their partners (`mode=set`). Below it: x̂ are the rare tokens of
the sentence to be evaluated (`mode=rare`: both texts' rare words against each other, one M for the pair).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from core.attribution import Contribution, Terms
from core.backends import Backends, Encoder, Reader, Word
from core.errors import OptionError, Wording
from core.metrics.base import Metric, Option, Scorer, Settings
from core.metrics.bertscore.metric import (
    BERTSCORE,
    PARTS,
    PRECISION,
    RECALL,
    BertScoreTrace,
    Side,
    attribute_means,
    greedy_terms,
    harmonic,
    rescaled_f1,
    terms_of,
    token_texts,
)
from core.metrics.bertscore.weights import find_idf, find_word_idf
from core.metrics.fetched import VectorSource
from core.metrics.idf import QUANTILE, UNITS, Idf
from core.metrics.places import on_characters, relative
from core.papers import NOVELS
from core.signature import signature
from core.text.japanese import has_kana_repeat, romaji_fingerprint
from core.types import Result, TextPair, Token, packed_without

CRITERIA = ("idf", "ner", "idf+ner")
MODES = ("set", "rare", "token")
PAPER = {
    "weight": "idf",
    "idf": "novel",
    "unit": "word",
    "quantile": f"{QUANTILE:.2f}",
    "criterion": "idf",
    "mode": "set",
    "reading": "pykakasi",
    "kana": "plain",
}
"""The settings under `preset=paper`; an option that is given by name is kept."""


@dataclass(frozen=True, slots=True)
class ReadingEdit:
    """A step from the own reading to the other: `equal`, `replace`, `insert` or `delete`; both slices."""

    op: str
    own: str
    other: str


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two readings side by side. `edits` spell both out in order; `coefficient` is M."""

    own: str
    other: str
    edits: tuple[ReadingEdit, ...]
    coefficient: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Rarity:
    """What makes a token rare. `threshold` is the idf that it exceeds (criteria with idf)."""

    criterion: str = "idf"
    idf: Idf | None = None
    threshold: float = 0.0


def coefficient(own: str, other: str) -> float:
    """M of two readings."""
    return 1 - float(Levenshtein.normalized_distance(own, other))


def meet(own: str, other: str) -> Meeting:
    """Two readings with their edit script and M."""
    edits = tuple(
        ReadingEdit(step.tag, own[step.src_start : step.src_end], other[step.dest_start : step.dest_end])
        for step in Levenshtein.opcodes(own, other)
    )
    return Meeting(own, other, edits, coefficient(own, other))


def word_spans(tokens: Sequence[Token], words: Sequence[Word]) -> NDArray[np.int64]:
    """(n, 2) half-open places in `words`: the words that each token shares a character with.

    Special tokens, and tokens that cover nothing (a bare ▁) or only blanks, have none.
    """
    token_starts = np.array([token.start for token in tokens], np.int64)
    token_ends = np.array([token.end for token in tokens], np.int64)
    first = np.searchsorted(np.array([word.end for word in words], np.int64), token_starts, "right")
    last = np.searchsorted(np.array([word.start for word in words], np.int64), token_ends, "left")
    covers = token_ends > token_starts
    return np.stack([first, np.where(covers, np.maximum(first, last), first)], axis=1).astype(np.int64)


def rare_tokens(
    ids: NDArray[np.int64], spans: NDArray[np.int64], words: Sequence[Word], rarity: Rarity
) -> tuple[NDArray[np.bool_], NDArray[np.float64] | None]:
    """(n,) which tokens are rare, and (n,) their idf where a dictionary is asked.

    By idf: it exceeds the threshold. Under a dictionary of words a token has the largest idf of its words. By
    entity: a word of the token belongs to one. A token without words has no reading and is never rare.
    """
    idf = _idf(ids, spans, words, rarity.idf)
    rare = np.zeros(len(ids), bool)
    if rarity.criterion != "ner" and idf is not None:
        rare |= idf > rarity.threshold
    if rarity.criterion != "idf":
        rare |= np.array([any(word.entity for word in words[first:last]) for first, last in spans], bool)
    return rare & (spans[:, 1] > spans[:, 0]), idf


def _idf(
    ids: NDArray[np.int64], spans: NDArray[np.int64], words: Sequence[Word], idf: Idf | None
) -> NDArray[np.float64] | None:
    """(n,) idf of the tokens; 0 for a token whose words are marks alone, under a dictionary of words."""
    if idf is None or idf.unit == "piece":
        return None if idf is None else idf.weights(ids)
    spoken = np.array([any(char.isalnum() for char in word.text) for word in words], bool)
    of_words = idf.weights([word.text for word in words]) * spoken
    return np.array([of_words[first:last].max(initial=0.0) for first, last in spans], np.float64)


def joined(words: Sequence[Word]) -> str:
    """The reading of some words in a row."""
    return "".join(word.reading for word in words)


def spelt_with_repeats(
    spans: NDArray[np.int64], partners: NDArray[np.int64], own: Sequence[Word], other: Sequence[Word]
) -> NDArray[np.int64]:
    """(n, 2) `partners`, but the word of equal reading where only one of the two has an iteration mark.

    spans, partners: (n, 2) half-open places of each token's words in `own`, of its partner's in `other`.
    """
    repeats = [has_kana_repeat(word.text) for word in other]
    found = partners.copy()
    for at, (first, last) in enumerate(spans):
        if last - first != 1:
            continue
        word = own[first]
        marked = has_kana_repeat(word.text)
        for place, candidate in enumerate(other):
            if candidate.reading == word.reading and repeats[place] != marked:
                found[at] = place, place + 1
                break
    return found


def set_readings(
    tokens: Sequence[tuple[Sequence[int], Sequence[int]]], own: Sequence[Word], other: Sequence[Word]
) -> tuple[str, str]:
    """x_LFT and x̂_LFT: the readings of the rare tokens' words in order, and of their partners' words.

    tokens: per rare token the places of its own words and of its partner's. A word that was cut into several
    rare tokens counts once; so does a partner's word (by its reading) that several tokens of one word share.
    """
    ours: dict[int, str] = {}
    theirs: list[str] = []
    met: set[tuple[int, str]] = set()
    for mine, partners in tokens:
        ours |= {place: own[place].reading for place in mine}
        sounds = [other[place].reading for place in partners]
        theirs += [sound for sound in sounds if not any((place, sound) in met for place in mine)]
        met.update((place, sound) for place in mine for sound in sounds)
    return "".join(ours.values()), "".join(theirs)


def rare_reading(spans: NDArray[np.int64], words: Sequence[Word]) -> str:
    """The readings of the words of some tokens, each word once; spans: as `word_spans` has them."""
    return joined([words[place] for place in sorted({at for span in spans for at in range(*span)})])


NONE = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenEvidence:
    """One token as a table shows it; `edits` lead from its reading to its partner's (empty unless rare).

    place: which token of its text it is, special ones counted.
    """

    place: int
    text: str
    idf: float | None
    rare: bool
    entity: str | None
    partner: str
    reading: str
    partner_reading: str
    edits: tuple[ReadingEdit, ...]
    coefficient: float


@dataclass(frozen=True, slots=True)
class PenaltySteps:
    """F before, with the penalty on precision alone, and with both."""

    base: float
    halfway: float
    penalised: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReadingSide:
    """What one text adds to BERTScore's half: n tokens, special ones included.

    words: the words of the text with their readings. spans: (n, 2) half-open places in `words` that a token
    touches. idf: (n,) float64, None where no dictionary was asked. rare: (n,). readings, partner_readings: of
    the words of each token and of its partner. meetings: the readings that were compared; meeting: (n,) which
    of them gives a token its coefficient, -1 for the coefficient 1.
    """

    words: tuple[Word, ...]
    spans: NDArray[np.int64]
    idf: NDArray[np.float64] | None
    rare: NDArray[np.bool_]
    readings: tuple[str, ...]
    partner_readings: tuple[str, ...]
    meeting: NDArray[np.int64]
    meetings: tuple[Meeting, ...]

    def coefficients(self) -> NDArray[np.float64]:
        """(n,) m of each token, computed from the readings of its meeting."""
        measured = np.array([*(coefficient(one.own, one.other) for one in self.meetings), 1.0])
        return np.asarray(measured[self.meeting], np.float64)  # -1 is the last one


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReadingTrace:
    """BERTScore's own evidence in `base`, and the readings of both sides. `mode` is one of `MODES`."""

    base: BertScoreTrace = field(metadata=packed_without("similarity"))
    reference: ReadingSide
    hypothesis: ReadingSide
    mode: str

    def penalties(self) -> tuple[float, float]:
        """Mean coefficient over the tokens of the hypothesis and of the reference, each in [0, 1]."""
        return _penalty(self.hypothesis, self.base.hypothesis), _penalty(self.reference, self.base.reference)

    def parts(self) -> dict[str, float]:
        """`precision`, `recall`, `f1` with the penalty, `base_…` without it, and the two `penalty_…`.

        Under `rescale` both kinds are rescaled after the penalty, and `raw_…` are the numbers before that.
        """
        base = self.base.parts()
        at_precision, at_recall = self.penalties()
        raw = "" if self.base.baseline is None else "raw_"
        precision, recall = base[f"{raw}precision"] * at_precision, base[f"{raw}recall"] * at_recall
        parts = {"precision": precision, "recall": recall, "f1": harmonic(precision, recall)}
        if self.base.baseline is not None:
            unscaled = {f"raw_{name}": value for name, value in parts.items()}
            if not self.base.empty:
                parts = {name: self.base.baseline.rescale(name, value) for name, value in parts.items()}
            parts |= unscaled
        parts |= {f"base_{name}": base[name] for name in PARTS}
        parts |= {"penalty_precision": at_precision, "penalty_recall": at_recall}
        return parts | {name: value for name, value in base.items() if name.startswith(("lost_", "unknown_"))}

    def steps(self) -> PenaltySteps:
        """How each penalty moves F, on the scale that is shown (raw or rescaled)."""
        parts, before = self.parts(), self.base.parts()
        raw = "" if self.base.baseline is None else "raw_"
        halfway = harmonic(parts[f"{raw}precision"], before[f"{raw}recall"])
        if self.base.baseline is not None and not self.base.empty:
            halfway = self.base.baseline.rescale("f1", halfway)
        return PenaltySteps(parts["base_f1"], halfway, parts["f1"])

    def evidence(self, name: str) -> list[TokenEvidence]:
        """One row per token of the side `reference` or `hypothesis`, special tokens left out."""
        own, side = getattr(self, name), getattr(self.base, name)
        other = self.base.hypothesis if name == "reference" else self.base.reference
        m = own.coefficients()
        return [
            TokenEvidence(
                place=i,
                text=token.text,
                idf=None if own.idf is None else float(own.idf[i]),
                rare=bool(own.rare[i]),
                entity=_entity(own, i),
                partner=other.tokens[side.partner[i]].text if side.partner[i] != NONE else "",
                reading=own.readings[i],
                partner_reading=own.partner_readings[i],
                edits=meet(own.readings[i], own.partner_readings[i]).edits if own.rare[i] else (),
                coefficient=float(m[i]),
            )
            for i, token in enumerate(side.tokens)
            if not token.special
        ]

    def flags(self) -> tuple[str, ...]:
        """`no-rare-token`: neither text has one. `all-rare`: a text has no other tokens that can be read."""
        sides = (self.reference, self.hypothesis)
        if not any(side.rare.any() for side in sides):
            return ("no-rare-token",)
        readable = [side.spans[:, 1] > side.spans[:, 0] for side in sides]
        every = [bool(side.rare[one].all() and one.any()) for side, one in zip(sides, readable, strict=True)]
        return ("all-rare",) if any(every) else ()


def score(
    pair: TextPair,
    *,
    base: Callable[[TextPair], Result[BertScoreTrace]],
    encoder: VectorSource,
    layer: int,
    long: str,
    reader: Reader,
    rarity: Rarity,
    mode: str = "set",
    kana: str = "normal",
    signed: str = "",
) -> Result[ReadingTrace]:
    """Penalised F of one pair, in [-1, 1], never above BERTScore's where that is positive.

    base: BERTScore with its options settled, on the same encoder. mode: `set` compares the rare
    words of a text, joined, with those of their partners and gives every rare token that one M; `rare`
    compares them with the rare words of the other text, joined, so that one M holds for both texts; `token`
    compares each rare token's word with its own partner's. A text without rare tokens has the penalty 1. An
    empty side scores 0.
    """
    plain = base(pair)
    if plain.trace is None:
        raise TypeError("BERTScore left no trace")
    texts = [pair.reference, pair.hypothesis]
    words = reader.read(texts, lang=pair.lang, entities=rarity.criterion != "idf", kana=kana)
    encoded = encoder.encode(texts, layer=layer, long=long)
    trace = _trace(plain.trace, words, [one.ids for one in encoded], rarity, mode, kana)
    parts = trace.parts()
    return Result(
        metric="bertscore-reading",
        score=parts["f1"],
        parts=parts,
        signature=signed,
        flags=plain.flags if plain.trace.empty else plain.flags + trace.flags(),
        trace=trace,
    )


def _trace(
    base: BertScoreTrace,
    read: list[list[Word]],
    ids: list[NDArray[np.int64]],
    rarity: Rarity,
    mode: str,
    kana: str,
) -> ReadingTrace:
    halves = (base.reference, base.hypothesis)
    spans = [word_spans(half.tokens, words) for half, words in zip(halves, read, strict=True)]
    found = [rare_tokens(*one, rarity) for one in zip(ids, spans, read, strict=True)]
    sides = []
    for own in (0, 1):
        other = 1 - own
        partners = np.vstack([spans[other], [[0, 0]]])[halves[own].partner]  # -1, none, is the last: no words
        if kana == "normal":
            partners = spelt_with_repeats(spans[own], partners, read[own], read[other])
        rare, _ = found[own]
        words = (read[own], read[other])
        meetings: tuple[Meeting, ...]
        if mode == "rare":
            mine, theirs = (rare_reading(spans[at][found[at][0]], read[at]) for at in (own, other))
            meetings = (meet(mine, theirs),) if rare.any() else ()
        else:
            meetings = _meetings_of_partners(words, (spans[own][rare], partners[rare]), mode)
        sides.append(_side(words, (spans[own], partners), found[own], meetings))
    return ReadingTrace(base=base, reference=sides[0], hypothesis=sides[1], mode=mode)


def _meetings_of_partners(
    words: tuple[list[Word], list[Word]], places: tuple[NDArray[np.int64], NDArray[np.int64]], mode: str
) -> tuple[Meeting, ...]:
    """The readings of the rare tokens and of their partners: each token's own, or under `set` all in one.

    words: of this text and of the other one. places: in them, of each rare token's words and its partner's.
    """
    chains = [(range(*own), range(*partner)) for own, partner in zip(*places, strict=True)]
    if mode == "set":
        return (meet(*set_readings(chains, *words)),) if chains else ()
    return tuple(
        meet(*(joined([text[at] for at in one]) for text, one in zip(words, chain, strict=True)))
        for chain in chains
    )


def _side(
    words: tuple[list[Word], list[Word]],
    places: tuple[NDArray[np.int64], NDArray[np.int64]],
    found: tuple[NDArray[np.bool_], NDArray[np.float64] | None],
    meetings: tuple[Meeting, ...],
) -> ReadingSide:
    """`words` of this text and of the other one; the places in them of each token and of its partner.

    found: which tokens are rare, and their idf. meetings: one for each rare token, or one for all of them.
    """
    rare, idf = found
    readings, partner_readings = (
        tuple(joined(text[first:last]) for first, last in own)
        for text, own in zip(words, places, strict=True)
    )
    meeting = np.full(len(rare), NONE, np.int64)
    meeting[rare] = np.arange(rare.sum()) if len(meetings) > 1 else 0
    return ReadingSide(
        words=tuple(words[0]),
        spans=places[0],
        idf=idf,
        rare=rare,
        readings=readings,
        partner_readings=partner_readings,
        meeting=meeting,
        meetings=meetings,
    )


def _penalty(side: ReadingSide, half: Side) -> float:
    counted = np.array([not token.special for token in half.tokens], bool)
    return float(side.coefficients()[counted].mean()) if counted.any() else 1.0


def _entity(side: ReadingSide, at: int) -> str | None:
    first, last = side.spans[at]
    return next((word.entity for word in side.words[first:last] if word.entity), None)


BY_QUANTILE, AS_IDF, REFERENCES = "quantile", "idf", "references"


def _prepare(settings: Settings, backends: Backends, pairs: Sequence[TextPair]) -> Scorer[ReadingTrace]:
    chosen = BERTSCORE_READING.settle((PAPER if settings.get("preset") == "paper" else {}) | dict(settings))
    base = BERTSCORE.prepare({one.name: chosen[one.name] for one in BERTSCORE.options}, backends, pairs)
    if base.encodes is None:
        raise TypeError("BERTScore asks for no encoder")
    encoding = base.encodes
    reader = backends.reader(chosen["reading"])
    rarity = _rarity(chosen, encoding.encoder, reader, pairs)
    langs = dict.fromkeys(pair.lang for pair in pairs)
    named = chosen["criterion"] != "idf"
    about = (
        _settings_of(base.signature)
        | _dictionaries(rarity.idf)
        | {
            "rare": chosen["criterion"],
            "threshold": f">{rarity.threshold:.6g}" if rarity.idf else "no",
            "mode": chosen["mode"],
            "kana": _kana_rules(chosen["kana"]),
            "reading": "/".join(reader.signature(lang, entities=named) for lang in langs) or reader.name,
        }
    )
    signed = signature("bertscore-reading", about)
    return Scorer(
        compute=lambda pair, fetched: score(
            pair,
            base=lambda one: base.compute(one, fetched),
            encoder=fetched.encoder(encoding.encoder),
            layer=encoding.layer,
            long=encoding.long,
            reader=reader,
            rarity=rarity,
            mode=chosen["mode"],
            kana=chosen["kana"],
            signed=signed,
        ),
        signature=signed,
        encodes=encoding,
    )


def _rarity(chosen: Mapping[str, str], encoder: Encoder, reader: Reader, pairs: Sequence[TextPair]) -> Rarity:
    quantile = _number(chosen, "quantile", 0, 1)
    threshold = None if chosen["threshold"] == BY_QUANTILE else _number(chosen, "threshold", 0, math.inf)
    if chosen["criterion"] == "ner":
        return Rarity(criterion="ner")
    by_word = chosen["unit"] == "word"
    named = _words_of(chosen) if by_word else chosen["idf"]
    idf = find_word_idf(named, reader, pairs) if by_word else find_idf(named, encoder, pairs)
    if threshold is None:
        threshold = idf.threshold(quantile)
    return Rarity(criterion=chosen["criterion"], idf=idf, threshold=threshold)


def _words_of(chosen: Mapping[str, str]) -> str:
    """Whose words are counted: as `idf` says, or a dictionary of words beside one of tokens."""
    if chosen["words"] == REFERENCES:
        raise OptionError(
            "bertscore-reading.words={value} is not possible: set bertscore-reading.idf={value}, or give a "
            "dictionary of words.",
            value=REFERENCES,
        )
    return chosen["idf"] if chosen["words"] == AS_IDF else chosen["words"]


def _dictionaries(idf: Idf | None) -> dict[str, str]:
    """What the signature says of the dictionary; one of words stands beside that of the weights."""
    if idf is not None and idf.unit == "word":
        return {"words": idf.signature}
    return {"idf": idf.signature if idf else "no"}


def _kana_rules(kana: str) -> str:
    """`romaji-1a2b3c`: the other rules stand in every reader's signature."""
    return f"{kana}-{romaji_fingerprint()}" if kana == "romaji" else kana


def _number(chosen: Mapping[str, str], name: str, low: float, high: float) -> float:
    """A number between the two, neither included."""
    try:
        value = float(chosen[name])
    except ValueError:
        value = math.nan
    if not low < value < high:
        bounds = (
            Wording("between 0 and 1") if high == 1 else Wording("above 0, or {choice}", choice=BY_QUANTILE)
        )
        raise OptionError(
            "bertscore-reading.{option}={value}: give a number {bounds}",
            option=name,
            value=chosen[name],
            bounds=bounds,
        )
    return value


def _settings_of(line: str) -> dict[str, str]:
    """BERTScore's settings, out of its signature: without the metric's name and our version."""
    parts = [part.partition(":") for part in line.split("|")[1:-1]]
    return {name: value for name, _, value in parts}


def _coefficients(side: ReadingSide, half: Side) -> Terms:
    counted: NDArray[np.float64] = np.array([float(not token.special) for token in half.tokens])
    coefficients = side.coefficients()
    if not counted.any():  # a text without tokens has no penalty
        return Terms(names=("",), weights=np.ones(1), values=np.ones(1))
    return Terms(names=token_texts(half.tokens), weights=counted, values=coefficients)


def _attribute(before: ReadingTrace, after: ReadingTrace) -> list[Contribution]:
    """BERTScore's moves, and the penalties on rare words that sound different."""
    old, new = terms_of(before.base, greedy_terms), terms_of(after.base, greedy_terms)
    for sides, trace in ((old, before), (new, after)):
        sides["penalty_precision"] = _coefficients(trace.hypothesis, trace.base.hypothesis)
        sides["penalty_recall"] = _coefficients(trace.reference, trace.base.reference)
    shown = rescaled_f1(after.base)

    def formula(means: Mapping[str, float]) -> float:
        return shown(
            {
                PRECISION: means[PRECISION] * means["penalty_precision"],
                RECALL: means[RECALL] * means["penalty_recall"],
            }
        )

    return attribute_means(old, new, formula)


def _evidence(trace: ReadingTrace, text: str) -> NDArray[np.float64]:
    """What each token of the translation loses of P · mean(m): its cosine, and P for a coefficient below 1.

    The mean over the tokens that are not special is 1 - P', the penalised precision before it is rescaled.
    """
    half = trace.base.hypothesis
    precision = float(half.shares().sum())
    cosine = half.cosine.astype(np.float64)
    lost = relative(half.tokens, half.weights) * (1 - cosine)
    lost += precision * (1 - trace.hypothesis.coefficients())
    pieces = zip(half.tokens, lost.tolist(), strict=True)
    return on_characters(len(text), ((one.start, one.end, value) for one, value in pieces))


BERTSCORE_READING = Metric(
    name="bertscore-reading",
    summary="BERTScore with a penalty on rare words that sound different",
    paper=f"{NOVELS.cite}, after Zhang et al. 2020",
    source=NOVELS,
    headline="f1",
    low=-1,
    high=1,
    trace=ReadingTrace,
    build=_prepare,
    options=(
        *(
            replace(one, summary="whose frequencies say what is rare: novel, wiki, references, or a file")
            if one.name == "idf"
            else one
            for one in BERTSCORE.options
        ),
        Option(
            name="unit",
            default="word",
            summary="whose idf: of the encoder's tokens, or of words",
            choices=UNITS,
        ),
        Option(
            name="words",
            default=AS_IDF,
            summary="under unit=word: idf (the same as idf), novel, wiki, or a file of words",
        ),
        Option(
            name="preset",
            default="none",
            summary="paper: every option that is not given as the paper has it",
            choices=("none", "paper"),
        ),
        Option(
            name="quantile",
            default=f"{QUANTILE:.2f}",
            summary="share of the dictionary's entries that is not rare; the paper's is 0.70",
        ),
        Option(
            name="threshold",
            default=BY_QUANTILE,
            summary="the idf that a rare token exceeds; by the quantile, or a number",
        ),
        Option(
            name="mode",
            default="set",
            summary="rare words and partners joined, rare words of both texts joined, or one by one",
            choices=MODES,
        ),
        Option(name="criterion", default="idf", summary="what makes a token rare", choices=CRITERIA),
        Option(name="reading", default="word", summary="whose readings", choices=("word", "pykakasi")),
        Option(
            name="kana",
            default="normal",
            summary="one spelling for what sounds alike, readings as they are, or rough Latin letters",
            choices=("normal", "plain", "romaji"),
        ),
    ),
    needs=("encoder", "reader"),
    attribute=_attribute,
    evidence=_evidence,
)
