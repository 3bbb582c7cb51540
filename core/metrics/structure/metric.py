"""Structure alignment (Chousa and Hirao): each subtree meets its most similar one in the other parse.

sim(s, t) = cos(s, t) where feat(s) = feat(t), else 0 (equation 5). P = Σ_s w(s) max_t sim(s, t) / Σ_s w(s)
over the hypothesis, R likewise over the reference, F = 2PR / (P + R) (equations 2 to 4, 7 and 8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.attribution import Contribution, Terms
from core.backends import Backends, Parser
from core.errors import UnavailableError, Wording
from core.metrics.base import Metric, Option, Scorer, Settings, text_flags
from core.metrics.bertscore.metric import (
    COMPUTE_OPTIONS,
    ENCODER_OPTIONS,
    LONG,
    attribute_means,
    harmonic,
    harmonic_of,
    open_encoder,
    read_layer,
    terms_of,
)
from core.metrics.fetched import EncoderRequest, ParserRequest, ParseSource, VectorSource
from core.metrics.places import on_characters
from core.metrics.structure.alignment import Alignment, align, align_roles, roles
from core.metrics.structure.subtrees import Grown, Subtree, branches, content, phrases
from core.papers import CHOUSA
from core.signature import signature
from core.text.languages import base_lang
from core.types import Parse, Result, TextPair, TokenVectors

Trees = Literal["dependency", "constituency"]
METRIC: dict[Trees, str] = {"dependency": "structure-dep", "constituency": "structure-con"}
FILTERS = ("none", "label", "head")
ROLE = "role"
SUBTREE_WEIGHTS = ("none", "log")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StructureSide:
    """One text's half: its parse, its m subtrees, (m,) float64 weights at least 0, and their partners."""

    parse: Parse
    subtrees: tuple[Subtree, ...]
    weights: NDArray[np.float64]
    aligned: Alignment

    def shares(self) -> NDArray[np.float64]:
        """(m,) what each subtree adds to precision or recall; they sum to it."""
        total = self.weights.sum()
        if total == 0:
            return np.zeros(len(self.subtrees))
        return np.asarray(self.weights / total * self.aligned.similarity.astype(np.float64), np.float64)

    def text(self, subtree: Subtree) -> str:
        """The words of a subtree, … between those that do not stand side by side."""
        blank = "" if _unspaced(self.parse) else " "
        out = ""
        for before, place in zip((None, *subtree.words), subtree.words, strict=False):
            if before is not None:
                out += blank if place == before + 1 else " … "
            out += self.parse.words[place].text
        return out


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StructureTrace:
    """The whole evidence. trees: `dependency` or `constituency`. filter: the feature that must agree."""

    reference: StructureSide
    hypothesis: StructureSide
    trees: str
    filter: str

    def parts(self) -> dict[str, float]:
        """`precision`, `recall`, `f1`, and the shares of subtrees without a partner that agrees."""
        precision = float(self.hypothesis.shares().sum())
        recall = float(self.reference.shares().sum())
        return {
            "precision": precision,
            "recall": recall,
            "f1": harmonic(precision, recall),
            "unmatched_hypothesis": _unmatched(self.hypothesis),
            "unmatched_reference": _unmatched(self.reference),
        }


def score(
    pair: TextPair,
    *,
    encoder: VectorSource,
    parser: ParseSource,
    layer: int,
    trees: Trees,
    agreeing: str = "none",
    subtree_weight: str = "none",
    preterminals: bool = False,
    merge: bool = True,
    long: str = "window",
    signed: str = "",
) -> Result[StructureTrace]:
    """Structure F of one pair, in [-1, 1].

    agreeing: the filter; `label` is the phrase label or the relation to the word above, `head` the head word
    without case, `role` (dependencies only) takes single words and asks what they do in the sentence.
    subtree_weight: `none`, or `log` for ln(number of words). preterminals: whether single words of a
    constituent tree count. merge: whether equal subtrees of a dependency tree are one. An empty side scores
    0; without a parse the score is missing.
    """
    flags = text_flags(pair)
    parses, problem = _parses(parser, pair, constituents=trees == "constituency")
    if problem is not None:
        return Result(metric=METRIC[trees], score=None, signature=signed, flags=flags, missing=problem)
    encoded = encoder.encode([pair.reference, pair.hypothesis], layer=layer, long=long)
    grown = [
        _grow(parse, tokens, trees, agreeing, base_lang(pair.lang), preterminals, merge)
        for parse, tokens in zip(parses, encoded, strict=True)
    ]
    trace = _trace(parses, grown, trees, agreeing, subtree_weight)
    parts = trace.parts()
    flags += _flags(parses, encoded, grown)
    return Result(
        metric=METRIC[trees], score=parts["f1"], parts=parts, signature=signed, flags=flags, trace=trace
    )


def _parses(parser: ParseSource, pair: TextPair, *, constituents: bool) -> tuple[list[Parse], str | None]:
    """The two parses, and why there is none where one is lacking."""
    try:
        parses = parser.parse([pair.reference, pair.hypothesis], lang=pair.lang, constituents=constituents)
    except UnavailableError as error:
        return [], Wording(error.template, **error.details)
    return parses, next((parse.problem for parse in parses if parse.problem), None)


def _flags(parses: list[Parse], encoded: list[TokenVectors], grown: list[Grown]) -> tuple[str, ...]:
    found = [flag for one in encoded for flag in one.flags] + [flag for one in parses for flag in one.flags]
    if any(one.capped for one in grown):
        found.append("paths-capped")
    if any(
        not len(one.subtrees) and not text.special.all() for one, text in zip(grown, encoded, strict=True)
    ):
        found.append("nothing-parsed")
    return tuple(dict.fromkeys(found))


def _grow(
    parse: Parse,
    tokens: TokenVectors,
    trees: Trees,
    agreeing: str,
    lang: str,
    preterminals: bool,
    merge: bool,
) -> Grown:
    if trees == "constituency":
        return phrases(parse, tokens, lang=lang, preterminals=preterminals)
    return content(parse, tokens) if agreeing == ROLE else branches(parse, tokens, merge=merge)


def _trace(
    parses: list[Parse], grown: list[Grown], trees: Trees, agreeing: str, subtree_weight: str
) -> StructureTrace:
    empty = not all(len(one.subtrees) for one in grown)
    sides = []
    for own, other in ((0, 1), (1, 0)):
        weights = _weights(grown[own].subtrees, subtree_weight)
        sides.append(
            StructureSide(
                parse=parses[own],
                subtrees=grown[own].subtrees,
                weights=np.zeros(len(weights)) if empty else weights,
                aligned=_aligned(parses, grown, own, other, agreeing),
            )
        )
    return StructureTrace(reference=sides[0], hypothesis=sides[1], trees=trees, filter=agreeing)


def _aligned(parses: list[Parse], grown: list[Grown], own: int, other: int, agreeing: str) -> Alignment:
    vectors = grown[own].vectors, grown[other].vectors
    if agreeing == ROLE:
        return align_roles(*vectors, roles(parses[own]), roles(parses[other]))
    return align(
        *vectors,
        _features(grown[own].subtrees, parses[own], agreeing),
        _features(grown[other].subtrees, parses[other], agreeing),
    )


def _features(subtrees: tuple[Subtree, ...], parse: Parse, agreeing: str) -> list[str]:
    if agreeing == "label":
        return [one.label for one in subtrees]
    if agreeing == "head":
        return [parse.words[one.head].text.casefold() for one in subtrees]
    return [""] * len(subtrees)


def _weights(subtrees: tuple[Subtree, ...], subtree_weight: str) -> NDArray[np.float64]:
    """1 each, or ln(words); 1 each too where that is 0 for all, as in a text of one word."""
    if subtree_weight == "log":
        weights = np.log([len(one.words) for one in subtrees]) if subtrees else np.zeros(0)
        if weights.any():
            return np.asarray(weights, np.float64)
    return np.ones(len(subtrees))


def _unmatched(side: StructureSide) -> float:
    if not len(side.subtrees):
        return 0.0
    return float((~side.aligned.agrees).mean())


def _unspaced(parse: Parse) -> bool:
    """Whether the language writes words without blanks: most words touch the next one."""
    touching = [one.end == two.start for one, two in zip(parse.words, parse.words[1:], strict=False)]
    return sum(touching) > len(touching) / 2


NO_PARSER = "none"

FILTER = Option(name="filter", default="none", summary="what must agree in two subtrees", choices=FILTERS)
SUBTREE_WEIGHT = Option(
    name="subtree_weight",
    default="none",
    summary="each subtree counts once, or by the logarithm of its words",
    choices=SUBTREE_WEIGHTS,
)


def _prepare(
    trees: Trees, settings: Settings, backends: Backends, pairs: Sequence[TextPair]
) -> Scorer[StructureTrace]:
    spec = STRUCTURE_DEP if trees == "dependency" else STRUCTURE_CON
    chosen = spec.settle(settings)
    encoder = open_encoder(chosen, backends)
    parser = backends.parser(chosen["parser"])
    layer = read_layer(chosen["layer"], encoder)
    constituents = trees == "constituency"
    about = {
        "enc": f"{encoder.name}@{encoder.fingerprint}",
        "layer": layer,
        "parser": _parsers(parser, pairs, constituents=constituents),
        "filter": chosen["filter"],
        "weight": chosen["subtree_weight"],
        **({"preterminals": chosen["preterminals"]} if constituents else {}),
        **({"merge": "no"} if chosen.get("merge") == "no" else {}),
        "long": chosen["long"],
        **encoder.libraries,
    }
    signed = signature(spec.name, about)
    scored = partial(
        score,
        layer=layer,
        trees=trees,
        agreeing=chosen["filter"],
        subtree_weight=chosen["subtree_weight"],
        preterminals=chosen.get("preterminals") == "include",
        merge=chosen.get("merge") != "no",
        long=chosen["long"],
        signed=signed,
    )
    return Scorer(
        compute=lambda pair, fetched: scored(
            pair, encoder=fetched.encoder(encoder), parser=fetched.parser(parser)
        ),
        signature=signed,
        encodes=EncoderRequest(encoder=encoder, layer=layer, long=chosen["long"]),
        parses=ParserRequest(parser=parser, constituents=constituents),
    )


def _parsers(parser: Parser, pairs: Sequence[TextPair], *, constituents: bool) -> str:
    """What parses each language of the run; `none` where nothing does (its scores will be missing)."""
    found = []
    for lang in dict.fromkeys(pair.lang for pair in pairs):
        try:
            found.append(parser.signature(lang, constituents=constituents))
        except UnavailableError:
            found.append(NO_PARSER)
    return "/".join(dict.fromkeys(found)) or parser.name


def _grown(side: StructureSide) -> Terms:
    aligned = side.aligned
    names = [f"{side.text(one)} ({one.label})" for one in side.subtrees]
    values = aligned.similarity.astype(np.float64)
    return Terms(names=names, weights=side.weights, values=values, partners=aligned.partner)


def _attribute(before: StructureTrace, after: StructureTrace) -> list[Contribution]:
    """The same with subtrees in the place of tokens."""
    old, new = (terms_of(trace, _grown) for trace in (before, after))
    return attribute_means(old, new, harmonic_of)


def lost_by_words(trace: StructureTrace, text: str, spread: float = 1.0) -> NDArray[np.float64]:
    """(characters,) the mean of what the subtrees lose that hold a word: 1 - similarity, 1 without a partner.

    A subtree of n words counts by its weight over n ** spread: 0 counts all alike, 1 shares each out over
    its words, more trusts the smallest. Words in no subtree lose nothing.
    """
    side = trace.hypothesis
    weights = side.weights if side.weights.any() else np.ones(len(side.subtrees))
    lost, total = np.zeros(len(side.parse.words)), np.zeros(len(side.parse.words))
    kept = side.aligned.similarity.astype(np.float64)
    for subtree, weight, similarity in zip(side.subtrees, weights, kept, strict=True):
        words = list(subtree.words)
        counted = weight / len(words) ** spread
        lost[words] += counted * (1 - similarity)
        total[words] += counted
    values = np.divide(lost, total, out=np.zeros(len(lost)), where=total > 0)
    pieces = zip(side.parse.words, values.tolist(), strict=True)
    return on_characters(len(text), ((word.start, word.end, value) for word, value in pieces))


STRUCTURE_DEP = Metric(
    name="structure-dep",
    summary="subtrees of dependency trees meet their most similar ones",
    paper=f"{CHOUSA.cite}, structure alignment",
    source=CHOUSA,
    headline="f1",
    low=-1,
    high=1,
    trace=StructureTrace,
    build=partial(_prepare, "dependency"),
    options=(
        *ENCODER_OPTIONS,
        Option(name="parser", default="auto", summary="auto, or the name of a spaCy pipeline"),
        replace(FILTER, choices=(*FILTERS, ROLE)),
        SUBTREE_WEIGHT,
        Option(
            name="merge",
            default="yes",
            summary="whether subtrees of the same words count once; the paper's three sets: no",
            choices=("yes", "no"),
        ),
        LONG,
        *COMPUTE_OPTIONS,
    ),
    needs=("encoder", "parser"),
    attribute=_attribute,
    evidence=lost_by_words,
)

STRUCTURE_CON = Metric(
    name="structure-con",
    summary="phrases of constituent trees meet their most similar ones",
    paper=f"{CHOUSA.cite}, structure alignment",
    source=CHOUSA,
    headline="f1",
    low=-1,
    high=1,
    trace=StructureTrace,
    build=partial(_prepare, "constituency"),
    options=(
        *ENCODER_OPTIONS,
        Option(
            name="parser",
            default="auto",
            summary="auto, built-in, dependency, or the name of a benepar model",
        ),
        FILTER,
        SUBTREE_WEIGHT,
        Option(
            name="preterminals",
            default="include",
            summary="whether single words with their part of speech count",
            choices=("include", "exclude"),
        ),
        LONG,
        *COMPUTE_OPTIONS,
    ),
    needs=("encoder", "parser"),
    offered=False,
    attribute=_attribute,
    evidence=lost_by_words,
)
