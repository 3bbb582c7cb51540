"""The options of `structure-dep` and `structure-con`, and how a run is made ready with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from core.backends import Backends, Parser
from core.errors import UnavailableError
from core.metrics.base import Option, Parsing, Prepared, Reading, Settings, Spec
from core.metrics.bertscore.metric import ENCODER_OPTIONS, LONG, read_layer
from core.metrics.structure.metric import FILTERS, ROLE, SUBTREE_WEIGHTS, StructureTrace, Trees, score
from core.signature import signature
from core.types import TextPair

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
) -> Prepared[StructureTrace]:
    spec = STRUCTURE_DEP if trees == "dependency" else STRUCTURE_CON
    chosen = spec.settle(settings)
    encoder = backends.encoder(chosen["encoder"])
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
        "long": chosen["long"],
        **encoder.libraries,
    }
    signed = signature(spec.name, about)
    scored = partial(
        score,
        encoder=encoder,
        parser=parser,
        layer=layer,
        trees=trees,
        agreeing=chosen["filter"],
        subtree_weight=chosen["subtree_weight"],
        preterminals=chosen.get("preterminals") == "include",
        long=chosen["long"],
        signed=signed,
    )
    return Prepared(
        score=scored,
        signature=signed,
        reading=Reading(encoder=encoder, layer=layer, long=chosen["long"]),
        parsing=Parsing(parser=parser, constituents=constituents),
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


STRUCTURE_DEP = Spec(
    name="structure-dep",
    summary="subtrees of dependency trees meet their most similar ones",
    paper="paper C, structure alignment",
    headline="f1",
    low=-1,
    high=1,
    trace=StructureTrace,
    prepare=partial(_prepare, "dependency"),
    options=(
        *ENCODER_OPTIONS,
        Option(name="parser", default="auto", summary="auto, or the name of a spaCy pipeline"),
        replace(FILTER, choices=(*FILTERS, ROLE)),
        SUBTREE_WEIGHT,
        LONG,
    ),
    needs=("encoder", "parser"),
)

STRUCTURE_CON = Spec(
    name="structure-con",
    summary="phrases of constituent trees meet their most similar ones",
    paper="paper C, structure alignment",
    headline="f1",
    low=-1,
    high=1,
    trace=StructureTrace,
    prepare=partial(_prepare, "constituency"),
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
    ),
    needs=("encoder", "parser"),
)
