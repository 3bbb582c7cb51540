"""The picture of a result, whatever its metric: the same as on the pages, from the trace alone."""

from __future__ import annotations

from typing import Any

from plotly.graph_objects import Figure as Figure  # for code that must not import plotly

from core.charts.alignment import AlignmentWords, NgramWords, alignment, ngram_bars
from core.charts.palette import Palette
from core.charts.trees import TreeWords, trees
from core.metrics.bertscore.metric import BertScoreTrace
from core.metrics.reading import ReadingTrace
from core.metrics.references import shown_trace
from core.metrics.structure.metric import StructureTrace
from core.metrics.surface import BleuTrace, ChrfTrace
from core.text.locale import Speaker


def picture(trace: Any, say: Speaker, palette: Palette) -> Figure | None:  # noqa: ANN401 - a trace of any metric
    """The picture of a trace; None for a metric that has only tables, and for texts too long to be drawn.

    Of several references the picture shows the best one.
    """
    trace = shown_trace(trace)
    if isinstance(trace, ReadingTrace):
        trace = trace.base
    if isinstance(trace, BertScoreTrace):
        drawable = not trace.empty and trace.similarity is not None
        return alignment(trace, words=alignment_words(say), palette=palette) if drawable else None
    if isinstance(trace, BleuTrace | ChrfTrace):
        return ngram_bars(trace, words=ngram_words(say), palette=palette)
    if isinstance(trace, StructureTrace):
        return trees(trace, words=tree_words(trace, say), palette=palette)
    return None


def alignment_words(say: Speaker) -> AlignmentWords:
    """The words of the heatmap of tokens."""
    return AlignmentWords(
        reference=say.t("pair.reference"),
        hypothesis=say.t("pair.translation"),
        cosine=say.t("pair.cosine"),
        weight=say.t("pair.weight"),
        best_for_reference=say.t("pair.best_for_reference"),
        best_for_hypothesis=say.t("pair.best_for_hypothesis"),
    )


def ngram_words(say: Speaker) -> NgramWords:
    """The words of the bars of n-grams."""
    return NgramWords(
        order=say.t("pair.ngram.order"),
        matched=say.t("pair.ngram.matched"),
        only_hypothesis=say.t("pair.ngram.only_hypothesis"),
        count=say.t("pair.ngram.count"),
    )


def tree_words(trace: StructureTrace, say: Speaker) -> TreeWords:
    """The words of the two trees; labels of dependencies in the reader's language, of phrases as they are."""
    labels = set()
    if trace.trees == "dependency":
        labels = {word.relation for side in (trace.reference, trace.hypothesis) for word in side.parse.words}
    return TreeWords(
        reference=say.t("pair.reference"),
        hypothesis=say.t("pair.translation"),
        similarity=say.t("structure.similarity"),
        partner=say.t("structure.partner"),
        unmatched=say.t("structure.no_partner"),
        relations={one: relation_name(one, say) for one in labels},
    )


def relation_name(relation: str, say: Speaker) -> str:
    """A label of a dependency, such as `nsubj`, for a reader; one without words as the parser writes it."""
    return say.words_or(f"relation.{relation.replace(':', '-')}", relation)
