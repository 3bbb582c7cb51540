"""Agreement of a finished parser with a treebank's dev part, beside rules over dependency parses."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import torch

from core.backends.encoder.transformer import TransformerEncoder
from core.backends.parser.benepar import load_head
from core.backends.parser.chart_head import HeadParser
from core.backends.parser.derived import derive
from core.backends.parser.spacy_pipelines import SUFFIX, Pipelines, pipeline_name
from core.backends.parser.text_parser import built_in_trees
from core.types import ParsedWord
from tools.parser.trees import Agreement, Tree, brackets, read_trees


def evaluate(treebanks: Path, lang: str, path: Path) -> dict[str, object]:
    """Labelled F1 of the file at `path` through benepar's own `parse`, that of the rules, and speed."""
    torch.set_num_threads(1)
    trees = read_trees(treebanks, lang, "dev")
    encoder = TransformerEncoder("embedded")
    encoder.word_ids(["warm"])
    HeadParser(load_head(path), encoder)  # the first time loads the imports, the second time is measured
    began = time.perf_counter()
    head = load_head(path)
    parser = built_in_trees(HeadParser(head, encoder), encoder, head.config.max_words)
    loaded = time.perf_counter() - began
    words = [[parsed(word, at) for at, word in enumerate(tree.words)] for tree in trees]
    began = time.process_time()
    found = parser.trees(words)
    seconds = time.process_time() - began
    built_in, rules = Agreement(), Agreement()
    for tree, (constituents, _) in zip(trees, found, strict=True):
        built_in.add(tree.brackets, brackets(constituents))
    for tree, found_words in zip(trees, dependency_parses(trees, lang), strict=True):
        rules.add(tree.brackets, brackets(derive(found_words, lang)))
    return {
        "lang": lang,
        "head": head.digest,
        "sentences": len(trees),
        "f1": built_in.f1,
        "coarse_f1": built_in.coarse_f1,
        "rules_f1": rules.f1,
        "rules_coarse_f1": rules.coarse_f1,
        "sentences_per_cpu_second": round(len(trees) / seconds, 1),
        "load_seconds": round(loaded, 3),
        "megabytes": round(path.stat().st_size / 1e6, 2),
    }


def parsed(
    text: str, head: int, lemma: str = "", tag: str = "", pos: str = "", relation: str = ""
) -> ParsedWord:
    """A word without a place in a text."""
    return ParsedWord(text=text, start=0, end=0, lemma=lemma, tag=tag, pos=pos, head=head, relation=relation)


def dependency_parses(trees: Sequence[Tree], lang: str) -> list[list[ParsedWord]]:
    """The trees' words with the default pipeline's heads; each tree counts as one sentence."""
    from spacy.tokens import Doc

    pipeline = Pipelines().load(pipeline_name("", lang), lang)
    docs = []
    for tree in trees:
        doc = pipeline.make_doc("".join(tree.words)) if lang == "ja" else None
        if doc is None or [token.text for token in doc] != list(tree.words):
            doc = Doc(pipeline.vocab, words=list(tree.words))
        for token in doc:
            token.is_sent_start = token.i == 0
        docs.append(doc)
    return [
        [
            parsed(one.text, one.head.i, one.lemma_, one.tag_, one.pos_, one.dep_.removesuffix(SUFFIX))
            for one in doc
        ]
        for doc in pipeline.pipe(docs)
    ]
